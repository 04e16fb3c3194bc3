// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Settings: one typed table (settings.def), read once: from weft.conf, then through secure_getenv.
 */
#ifndef WEFT_SETTINGS_H
#define WEFT_SETTINGS_H

#include "runtime/settings_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_SWITCHES_BYTES 80

typedef struct weft_settings {
#define WEFT_SETTING_BOOL(member, name, fallback, doc)                   bool member;
#define WEFT_SETTING_UINT(member, name, fallback, minimum, maximum, doc) uint32_t member;
#define WEFT_SETTING_TEXT(member, name, doc)                             const char *member;
#define WEFT_SETTING_WORD(member, name, words, doc)                      const char *member;
#include "runtime/settings.def"
#undef WEFT_SETTING_BOOL
#undef WEFT_SETTING_UINT
#undef WEFT_SETTING_TEXT
#undef WEFT_SETTING_WORD
} weft_settings;

typedef enum weft_setting_kind {
    WEFT_SETTING_IS_BOOL,
    WEFT_SETTING_IS_UINT,
    WEFT_SETTING_IS_TEXT,
    WEFT_SETTING_IS_WORD
} weft_setting_kind;

/** One row of the table, for `weft settings` and the documentation. */
typedef struct weft_setting_row {
    weft_setting_kind kind;
    const char *name;
    const char *doc;
    const char *words;
    uint32_t fallback, minimum, maximum;
    size_t at; /* in weft_settings */
} weft_setting_row;

extern const weft_setting_row weft_setting_rows[];
extern const size_t weft_setting_count;

/** Something that has no effect. */
typedef struct weft_setting_fault {
    const char *file; /* that says it; NULL: the environment */
    unsigned line;    /* of the file, from 1 */
    const char *name, *value;
    const char *why;
} weft_setting_fault;

#define WEFT_SETTING_FAULT_BYTES (PATH_MAX + WEFT_SETTING_VALUE_BYTES + 256)
/** "FILE:LINE: NAME=VALUE is ignored: why", cut off where it is too long. */
void weft_setting_fault_text(const weft_setting_fault *fault, char text[WEFT_SETTING_FAULT_BYTES]);

typedef void weft_setting_complaint(void *user, const weft_setting_fault *fault);

/**
 * Fills in all settings: defaults, over them what `file` says (may be NULL), over that the
 * environment. A bad value is ignored (what was there stays), as is a line of the file that names
 * no setting; both are told to `complain` (may be NULL). Texts point to copies that are never freed
 * while the process lives (weft_settings_finish frees them); out of memory: false, all defaults.
 */
bool weft_settings_read(weft_settings *settings, const weft_settings_file *file,
                        weft_setting_complaint *complain, void *user);
/** The row of that name; NULL: no setting is called so. */
const weft_setting_row *weft_setting_find(const char *name);
/** How to compile, from settings, as weft_job.switches has it. */
void weft_settings_switches(const weft_settings *settings, char switches[WEFT_SWITCHES_BYTES]);
void weft_settings_finish(weft_settings *settings);

#endif

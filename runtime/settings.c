// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/settings.h"

#include "weft/shim.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>

#define AT(member) offsetof(weft_settings, member)

const weft_setting_row weft_setting_rows[] = {
#define WEFT_SETTING_BOOL(member, name, fallback, doc)                                             \
    {WEFT_SETTING_IS_BOOL, name, doc, NULL, fallback, 0, 1, AT(member)},
#define WEFT_SETTING_UINT(member, name, fallback, minimum, maximum, doc)                           \
    {WEFT_SETTING_IS_UINT, name, doc, NULL, fallback, minimum, maximum, AT(member)},
#define WEFT_SETTING_TEXT(member, name, doc)                                                       \
    {WEFT_SETTING_IS_TEXT, name, doc, NULL, 0, 0, 0, AT(member)},
#define WEFT_SETTING_WORD(member, name, words, doc)                                                \
    {WEFT_SETTING_IS_WORD, name, doc, words, 0, 0, 0, AT(member)},
#include "runtime/settings.def"
#undef WEFT_SETTING_BOOL
#undef WEFT_SETTING_UINT
#undef WEFT_SETTING_TEXT
#undef WEFT_SETTING_WORD
};
const size_t weft_setting_count = sizeof(weft_setting_rows) / sizeof(weft_setting_rows[0]);

static bool parse_uint(const char *text, uint32_t minimum, uint32_t maximum, uint32_t *value) {
    char *end = NULL;
    if (!isdigit((unsigned char)text[0]))
        return false; /* strtoull takes signs and spaces */
    errno = 0;
    unsigned long long number = strtoull(text, &end, 0);
    if (errno || *end || number < minimum || number > maximum)
        return false;
    *value = (uint32_t)number;
    return true;
}

static bool parse_bool(const char *text, bool *value) {
    static const char *const words[] = {"0", "1", "no", "yes", "off", "on", "false", "true"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(text, words[i]) == 0) {
            *value = i & 1;
            return true;
        }
    return false;
}

static bool is_word(const char *text, const char *words) {
    size_t length = strlen(text);
    for (const char *word = words; length && *word;) {
        size_t this_length = strcspn(word, "|");
        if (this_length == length && strncmp(word, text, length) == 0)
            return true;
        word += this_length + (word[this_length] == '|');
    }
    return false;
}

static void set_default(weft_settings *settings, const weft_setting_row *row) {
    unsigned char *at = (unsigned char *)settings + row->at;
    if (row->kind == WEFT_SETTING_IS_BOOL)
        *(bool *)at = row->fallback != 0;
    else if (row->kind == WEFT_SETTING_IS_UINT)
        *(uint32_t *)at = row->fallback;
    else
        *(const char **)at = NULL;
}

typedef enum { VALUE_GOOD, VALUE_BAD, VALUE_NO_MEMORY } value_state;

static value_state set_value(weft_settings *settings, const weft_setting_row *row,
                             const char *text) {
    unsigned char *at = (unsigned char *)settings + row->at;
    if (row->kind == WEFT_SETTING_IS_BOOL)
        return parse_bool(text, (bool *)at) ? VALUE_GOOD : VALUE_BAD;
    if (row->kind == WEFT_SETTING_IS_UINT)
        return parse_uint(text, row->minimum, row->maximum, (uint32_t *)at) ? VALUE_GOOD
                                                                            : VALUE_BAD;
    if (row->kind == WEFT_SETTING_IS_WORD && !is_word(text, row->words))
        return VALUE_BAD;
    /* A copy: the application may change its environment later. */
    char *copy = weft_strdup(text);
    if (copy) {
        weft_free(*(char **)at);
        *(const char **)at = copy;
    }
    return copy ? VALUE_GOOD : VALUE_NO_MEMORY;
}

const weft_setting_row *weft_setting_find(const char *name) {
    for (size_t i = 0; i < weft_setting_count; i++)
        if (strcmp(weft_setting_rows[i].name, name) == 0)
            return &weft_setting_rows[i];
    return NULL;
}

void weft_setting_fault_text(const weft_setting_fault *fault, char text[WEFT_SETTING_FAULT_BYTES]) {
    size_t used = 0;

    if (fault->file)
        used =
            (size_t)snprintf(text, WEFT_SETTING_FAULT_BYTES, "%s:%u: ", fault->file, fault->line);
    snprintf(text + used, WEFT_SETTING_FAULT_BYTES - used, "%s%s%s is ignored: %s", fault->name,
             *fault->name ? "=" : "the line", fault->value, fault->why);
}

/* ---- where values come from ------------------------------------------------------------------ */

typedef struct {
    weft_settings *settings;
    weft_setting_complaint *complain;
    void *user;
} reading;

/** False: out of memory. */
static bool take(const reading *to, const weft_setting_row *row, weft_setting_fault *fault) {
    value_state state = VALUE_GOOD;
    if (!row && !fault->why)
        fault->why = "not a setting";
    else if (row && *fault->value) /* set to nothing: not set */
        state = set_value(to->settings, row, fault->value);
    if (state == VALUE_BAD)
        fault->why = "not a valid value";
    if (fault->why && to->complain)
        to->complain(to->user, fault);
    return state != VALUE_NO_MEMORY;
}

static bool read_file(const reading *to, const weft_settings_file *file) {
    weft_settings_line line;
    for (size_t at = 0; weft_settings_file_next(file, &at, &line);) {
        weft_setting_fault fault = {.file = file->path,
                                    .line = line.number,
                                    .name = line.name,
                                    .value = line.value,
                                    .why = line.wrong};
        if (!take(to, line.wrong ? NULL : weft_setting_find(line.name), &fault))
            return false;
    }
    return true;
}

static bool read_environment(const reading *to) {
    for (size_t i = 0; i < weft_setting_count; i++) {
        const weft_setting_row *row = &weft_setting_rows[i];
        weft_setting_fault fault = {.name = row->name, .value = secure_getenv(row->name)};
        if (fault.value && !take(to, row, &fault))
            return false;
    }
    return true;
}

bool weft_settings_read(weft_settings *settings, const weft_settings_file *file,
                        weft_setting_complaint *complain, void *user) {
    reading to = {settings, complain, user};
    memset(settings, 0, sizeof(*settings));
    for (size_t i = 0; i < weft_setting_count; i++)
        set_default(settings, &weft_setting_rows[i]);
    if ((!file || read_file(&to, file)) && read_environment(&to))
        return true;
    weft_settings_finish(settings);
    return false;
}

void weft_settings_switches(const weft_settings *settings, char switches[WEFT_SWITCHES_BYTES]) {
    /* Rows need no switch: each kernel has them. */
    bool shape = settings->shape && strcmp(settings->shape, "rows") != 0;

    snprintf(switches, WEFT_SWITCHES_BYTES, "%s%s%s%s%s%s%s%s%s%s",
             settings->reference ? "reference" : "", settings->width ? " width=" : "",
             settings->width ? settings->width : "", shape ? " " : "", shape ? settings->shape : "",
             settings->functions ? " functions" : "", settings->remarks ? " remarks" : "",
             settings->checks ? " checks" : "", settings->oracle ? " oracle=" : "",
             settings->oracle ? settings->oracle : "");
}

void weft_settings_finish(weft_settings *settings) {
    for (size_t i = 0; i < weft_setting_count; i++) {
        const weft_setting_row *row = &weft_setting_rows[i];
        if (row->kind == WEFT_SETTING_IS_TEXT || row->kind == WEFT_SETTING_IS_WORD)
            weft_free(*(char **)((unsigned char *)settings + row->at));
        set_default(settings, row);
    }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* weft settings: the typed table of runtime/settings.def, with the values that this environment
 * gives. */
#include "runtime/settings.h"
#include "runtime/tool/tool.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** What has no effect. */
typedef struct faults {
    unsigned count;
    uint64_t in_environment, in_file; /* settings whose values there are none, a bit for each */
} faults;

static uint64_t bit_of(const weft_setting_row *row) {
    size_t number = (size_t)(row - weft_setting_rows);
    return number < 64 ? UINT64_C(1) << number : 0;
}

static void complain(void *user, const weft_setting_fault *fault) {
    char text[WEFT_SETTING_FAULT_BYTES];
    faults *faults = user;
    const weft_setting_row *row = weft_setting_find(fault->name);

    faults->count++;
    if (row)
        *(fault->file ? &faults->in_file : &faults->in_environment) |= bit_of(row);
    weft_setting_fault_text(fault, text);
    fprintf(stderr, "weft: %s\n", text);
}

/** Its value as text. */
static void value_of(const weft_settings *settings, const weft_setting_row *row, char *text,
                     size_t bytes) {
    const unsigned char *at = (const unsigned char *)settings + row->at;
    const char *word;
    switch (row->kind) {
    case WEFT_SETTING_IS_BOOL:
        snprintf(text, bytes, "%s", *(const bool *)at ? "yes" : "no");
        break;
    case WEFT_SETTING_IS_UINT:
        snprintf(text, bytes, "%u", *(const uint32_t *)at);
        break;
    default:
        word = *(const char *const *)at;
        snprintf(text, bytes, "%s", word ? word : "not set");
    }
}

/** What it may be. */
static void range_of(const weft_setting_row *row, char *text, size_t bytes) {
    switch (row->kind) {
    case WEFT_SETTING_IS_BOOL:
        snprintf(text, bytes, "yes|no, default %s", row->fallback ? "yes" : "no");
        break;
    case WEFT_SETTING_IS_UINT:
        snprintf(text, bytes, "%u..%u, default %u", row->minimum, row->maximum, row->fallback);
        break;
    case WEFT_SETTING_IS_WORD:
        snprintf(text, bytes, "%s", row->words);
        break;
    default:
        snprintf(text, bytes, "text");
    }
}

static void print_row(const weft_settings *settings, const weft_setting_row *row,
                      const weft_settings_file *file, const faults *faults) {
    char value[256], range[256];
    weft_settings_line line;
    value_of(settings, row, value, sizeof value);
    range_of(row, range, sizeof range);
    const char *in_environment = secure_getenv(row->name);
    printf("%s = %s", row->name, value);
    if (in_environment && *in_environment && !(faults->in_environment & bit_of(row)))
        printf("   [from the environment]");
    else if (weft_settings_file_value(file, row->name, &line) && !(faults->in_file & bit_of(row)))
        printf("   [from %s:%u]", file->path, line.number);
    printf("\n    %s (%s)\n", row->doc, range);
}

/** A misspelt setting has no effect: says so. */
static unsigned count_unknown(void) {
    extern char **environ;
    unsigned unknown = 0;
    for (char **entry = environ; *entry; entry++) {
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*entry, "="), *entry);
        if (strncmp(name, "WEFT_", 5) != 0 || weft_setting_find(name))
            continue;
        fprintf(stderr, "weft: %s is not a setting\n", name);
        unknown++;
    }
    return unknown;
}

/** Says what is wrong with the file. False: no memory. */
static bool read_file(weft_settings_file *file, faults *faults) {
    if (!weft_tool_settings_file(file))
        return false;
    if (file->unread) {
        fprintf(stderr, "weft: %s is ignored: %s\n", file->path, file->unread);
        faults->count++;
    }
    return true;
}

int weft_tool_settings(int argc, char **argv) {
    const struct argp parser = {
        .doc =
            "Prints all settings: name, value now, what each does and may be. They are environment "
            "variables, read once per process, or lines NAME = value of weft.conf beside "
            "libweft.so or "
            "in /etc. The exit status is 1 if a variable WEFT_* or a line is no setting, or its "
            "value "
            "is none of those that it may have; that a file or folder can be used is not tried."};
    weft_settings settings;
    weft_settings_file file;
    if (argp_parse(&parser, argc, argv, 0, NULL, NULL) != 0)
        return TOOL_USAGE;
    faults faults = {0};
    if (!read_file(&file, &faults) || !weft_settings_read(&settings, &file, complain, &faults)) {
        fprintf(stderr, "weft: out of memory\n");
        return TOOL_BAD;
    }
    for (size_t i = 0; i < weft_setting_count; i++)
        print_row(&settings, &weft_setting_rows[i], &file, &faults);
    weft_settings_finish(&settings);
    weft_settings_file_finish(&file);
    faults.count += count_unknown();
    return faults.count ? TOOL_BAD : TOOL_GOOD;
}

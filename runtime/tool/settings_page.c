// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* weft settings: the typed table of runtime/settings.def, with the values that this environment
 * gives. */
#include "runtime/settings.h"
#include "runtime/tool/tool.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complain(void *user, const weft_setting_row *row, const char *value) {
    (*(int *)user)++;
    fprintf(stderr, "weft: %s=%s is ignored: not a valid value\n", row->name, value);
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

static void print_row(const weft_settings *settings, const weft_setting_row *row) {
    char value[256], range[256];
    value_of(settings, row, value, sizeof value);
    range_of(row, range, sizeof range);
    bool set = secure_getenv(row->name) && *secure_getenv(row->name);
    printf("%s = %s%s\n    %s (%s)\n", row->name, value, set ? "   [from the environment]" : "",
           row->doc, range);
}

static bool known_name(const char *name) {
    for (size_t i = 0; i < weft_setting_count; i++)
        if (strcmp(weft_setting_rows[i].name, name) == 0)
            return true;
    return false;
}

/** A misspelt setting has no effect: says so. */
static int count_unknown(void) {
    extern char **environ;
    int unknown = 0;
    for (char **entry = environ; *entry; entry++) {
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*entry, "="), *entry);
        if (strncmp(name, "WEFT_", 5) != 0 || known_name(name))
            continue;
        fprintf(stderr, "weft: %s is not a setting\n", name);
        unknown++;
    }
    return unknown;
}

int weft_tool_settings(int argc, char **argv) {
    const struct argp parser = {
        .doc =
            "Prints all settings: name, value now, what each does and may be. They are environment "
            "variables, read once per process. The exit status is 1 if a variable WEFT_* has no "
            "effect."};
    weft_settings settings;
    int ignored = 0;
    if (argp_parse(&parser, argc, argv, 0, NULL, NULL) != 0)
        return TOOL_USAGE;
    if (!weft_settings_read(&settings, complain, &ignored)) {
        fprintf(stderr, "weft: out of memory\n");
        return TOOL_BAD;
    }
    for (size_t i = 0; i < weft_setting_count; i++)
        print_row(&settings, &weft_setting_rows[i]);
    weft_settings_finish(&settings);
    ignored += count_unknown();
    return ignored ? TOOL_BAD : TOOL_GOOD;
}

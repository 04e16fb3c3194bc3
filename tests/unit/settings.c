// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The table of settings, and the names of debug log topics. */

#include "harness.h"

#include "runtime/log.h"
#include "runtime/settings.h"

static int complaints;
static const char *complained;

static void complain(void *user, const weft_setting_row *row, const char *value) {
    (void)value;
    complaints++;
    complained = row->name;
    CHECK(user == &complaints);
}

static weft_settings settings;

static void read_with(const char *name, const char *value) {
    complaints = 0;
    complained = NULL;
    weft_settings_finish(&settings);
    setenv(name, value, 1);
    CHECK(weft_settings_read(&settings, complain, &complaints));
    unsetenv(name);
}

TEST(defaults) {
    CHECK(weft_settings_read(&settings, complain, &complaints));
    CHECK_EQ(complaints, 0);
    CHECK_EQ(settings.devices, 1);
    CHECK_EQ(settings.threads, 0);
    CHECK(!settings.pin_threads);
    CHECK(!settings.isa && !settings.debug && !settings.version);
}

TEST(numbers) {
    read_with("WEFT_DEVICES", "4");
    CHECK_EQ(settings.devices, 4);
    read_with("WEFT_THREADS", "0x10");
    CHECK_EQ(settings.threads, 16);
    CHECK_EQ(complaints, 0);
}

TEST(bad_values_are_ignored_and_told) {
    static const char *const bad[] = {"0", "17", "-1", "2x", " 2", "99999999999999999999", "two"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        read_with("WEFT_DEVICES", bad[i]);
        CHECK_EQ(settings.devices, 1);
        CHECK_EQ(complaints, 1);
        CHECK_STR(complained, "WEFT_DEVICES");
    }
    read_with("WEFT_PIN", "maybe");
    CHECK(!settings.pin_threads && complaints == 1);
    read_with("WEFT_ISA", "v9");
    CHECK(!settings.isa && complaints == 1);
    read_with("WEFT_ISA", "v");
    CHECK(!settings.isa && complaints == 1);
}

TEST(nothing_is_not_set) {
    read_with("WEFT_DEVICES", "");
    CHECK_EQ(settings.devices, 1);
    CHECK_EQ(complaints, 0);
}

TEST(words_and_switches) {
    read_with("WEFT_ISA", "v3");
    CHECK_STR(settings.isa, "v3");
    read_with("WEFT_VERSION", "3.0");
    CHECK_STR(settings.version, "3.0");
    static const char *const on[] = {"1", "yes", "on", "true"}, *const off[] = {"0", "no", "off"};
    for (size_t i = 0; i < 4; i++) {
        read_with("WEFT_PIN", on[i]);
        CHECK(settings.pin_threads);
    }
    for (size_t i = 0; i < 3; i++) {
        read_with("WEFT_PIN", off[i]);
        CHECK(!settings.pin_threads);
    }
    CHECK_EQ(complaints, 0);
}

/* The application may change its environment afterwards. */
TEST(texts_are_copies) {
    read_with("WEFT_COMPILER", "/a/path");
    setenv("WEFT_COMPILER", "/another", 1);
    CHECK_STR(settings.compiler, "/a/path");
    unsetenv("WEFT_COMPILER");
    weft_settings_finish(&settings);
    CHECK(!settings.compiler);
}

TEST(switches_for_the_compiler) {
    char switches[WEFT_SWITCHES_BYTES];
    read_with("WEFT_REFERENCE", "0");
    weft_settings_switches(&settings, switches);
    CHECK_STR(switches, "");
    read_with("WEFT_REFERENCE", "1");
    weft_settings_switches(&settings, switches);
    CHECK_STR(switches, "reference");
    read_with("WEFT_WIDTH", "8");
    weft_settings_switches(&settings, switches);
    CHECK_STR(switches, " width=8");
    read_with("WEFT_ORACLE", "widen");
    weft_settings_switches(&settings, switches);
    CHECK_STR(switches, " oracle=widen");
    read_with("WEFT_ORACLE", "stage");
    CHECK(complaints == 1 && !settings.oracle);
    read_with("WEFT_WIDTH", "3");
    CHECK(complaints == 1 && !settings.width);
}

TEST(table_is_documented) {
    CHECK(weft_setting_count > 5);
    for (size_t i = 0; i < weft_setting_count; i++) {
        const weft_setting_row *row = &weft_setting_rows[i];
        CHECK(strncmp(row->name, "WEFT_", 5) == 0 && strlen(row->doc) > 5);
        CHECK(row->kind != WEFT_SETTING_IS_UINT ||
              (row->minimum <= row->fallback && row->fallback <= row->maximum));
    }
}

TEST(log_topics) {
    CHECK_EQ(weft_log_parse(NULL), 0);
    CHECK_EQ(weft_log_parse(""), 0);
    CHECK_EQ(weft_log_parse("error"), WEFT_LOG_ERROR);
    CHECK_EQ(weft_log_parse("error,build"), WEFT_LOG_ERROR | WEFT_LOG_BUILD);
    CHECK_EQ(weft_log_parse("nonsense,queue,"), WEFT_LOG_QUEUE);
    CHECK_EQ(weft_log_parse("err"), 0);
    CHECK_EQ(weft_log_parse("all"), 0xffffffffu);
}

TEST_MAIN()

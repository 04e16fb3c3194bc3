// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The table of settings, and the names of debug log topics. */

#include "harness.h"

#include "runtime/log.h"
#include "runtime/settings.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int complaints;
static char complained[WEFT_SETTING_NAME_BYTES];

static void complain(void *user, const weft_setting_fault *fault) {
    complaints++;
    snprintf(complained, sizeof(complained), "%s", fault->name);
    CHECK(user == &complaints);
}

static weft_settings settings;

static void read_with(const char *name, const char *value) {
    complaints = 0;
    complained[0] = 0;
    weft_settings_finish(&settings);
    setenv(name, value, 1);
    CHECK(weft_settings_read(&settings, NULL, complain, &complaints));
    unsetenv(name);
}

TEST(defaults) {
    CHECK(weft_settings_read(&settings, NULL, complain, &complaints));
    CHECK_EQ(complaints, 0);
    CHECK_EQ(settings.devices, 1);
    CHECK_EQ(settings.threads, 0);
    CHECK(!settings.pin_threads);
    CHECK(!settings.isa && !settings.debug && !settings.opencl);
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
    read_with("WEFT_OPENCL", "3.0");
    CHECK_STR(settings.opencl, "3.0");
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

/* ---- weft.conf ------------------------------------------------------------------------------- */

static char folder[] = "/tmp/weft-settings-XXXXXX";
static weft_settings_file file;

static void name_in_folder(char path[PATH_MAX], const char *name) {
    snprintf(path, PATH_MAX, "%s/%s", folder, name);
}

/** weft.conf with this text beside a library; true: read. */
static bool read_conf(const char *text, size_t bytes) {
    char path[PATH_MAX], library[PATH_MAX];
    static bool made;
    if (!made)
        CHECK(mkdtemp(folder));
    made = true;
    name_in_folder(path, "weft.conf");
    name_in_folder(library, "libweft.so");
    close(open(library, O_CREAT | O_WRONLY, 0600));
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    CHECK(fd >= 0 && write(fd, text, bytes) == (ssize_t)bytes);
    close(fd);
    weft_settings_file_finish(&file);
    return weft_settings_file_read(&file, library);
}

static void settle(const char *text) {
    CHECK(read_conf(text, strlen(text)) && file.text && !file.unread);
    complaints = 0;
    weft_settings_finish(&settings);
    CHECK(weft_settings_read(&settings, &file, complain, &complaints));
}

TEST(a_file_beside_the_library_sets) {
    settle("# a comment\n\nWEFT_OPENCL = 3.0\n  WEFT_DEVICES=2\r\nWEFT_CACHE_DIR = /a "
           "b/c\t\nWEFT_PIN=");
    CHECK_EQ(complaints, 0);
    CHECK_STR(settings.opencl, "3.0");
    CHECK_EQ(settings.devices, 2);
    CHECK_STR(settings.disk_cache_folder, "/a b/c");
    CHECK(!settings.pin_threads);
}

TEST(the_environment_wins_over_the_file) {
    setenv("WEFT_OPENCL", "2.2", 1);
    settle("WEFT_OPENCL=3.0\nWEFT_DEVICES=3\n");
    unsetenv("WEFT_OPENCL");
    CHECK_STR(settings.opencl, "2.2");
    CHECK_EQ(settings.devices, 3);
}

TEST(the_last_line_of_a_name_wins) {
    weft_settings_line line;
    settle("WEFT_DEVICES=3\nWEFT_CACHE_DIR=/a\nWEFT_DEVICES=4\nWEFT_CACHE_DIR=/b");
    CHECK_EQ(settings.devices, 4);
    CHECK_STR(settings.disk_cache_folder, "/b");
    CHECK_STR(weft_settings_file_value(&file, "WEFT_DEVICES", &line), "4");
    CHECK_EQ(line.number, 3);
    CHECK(!weft_settings_file_value(&file, "WEFT_PIN", &line));
}

TEST(bad_lines_of_the_file_are_ignored_and_told) {
    static const char *const bad[] = {"WEFT_DEVICES",
                                      "=3",
                                      " = ",
                                      "WEFT_DEVICES=0",
                                      "WEFT_NONE=1",
                                      "PATH=/",
                                      "export WEFT_DEVICES=2",
                                      "WEFT_DEVICES==2"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        settle(bad[i]);
        CHECK_EQ(complaints, 1);
        CHECK_EQ(settings.devices, 1);
    }
    char text[WEFT_SETTING_VALUE_BYTES + 100];
    memset(text, 'x', sizeof(text));
    memcpy(text, "WEFT_CACHE_DIR=", 15);
    text[sizeof(text) - 1] = 0;
    settle(text);
    CHECK(complaints == 1 && !settings.disk_cache_folder);
    /* A zero would hide the rest. */
    CHECK(read_conf("WEFT_DEVICES=2\0 3\nWEFT_PIN=1\n", 29));
    complaints = 0;
    CHECK(weft_settings_read(&settings, &file, complain, &complaints));
    CHECK(complaints == 1 && settings.devices == 1 && settings.pin_threads);
}

TEST(files_that_cannot_be_read_are_told) {
    char path[PATH_MAX], library[PATH_MAX];
    static char text[WEFT_SETTINGS_FILE_BYTES + 1];
    memset(text, '\n', sizeof(text));
    CHECK(read_conf(text, sizeof(text) - 1) && file.text);
    CHECK(read_conf(text, sizeof(text)) && !file.text && file.unread);
    /* Nobody writes into this pipe, and nobody waits for that. */
    name_in_folder(path, "weft.conf");
    name_in_folder(library, "libweft.so");
    CHECK(unlink(path) == 0 && mkfifo(path, 0600) == 0);
    CHECK(weft_settings_file_read(&file, library) && !file.text && file.unread);
    CHECK(unlink(path) == 0 && mkdir(path, 0700) == 0);
    CHECK(weft_settings_file_read(&file, library) && !file.text && file.unread);
    CHECK(rmdir(path) == 0);
    /* None there: the system's, which this machine may have. */
    weft_settings_file_read(&file, library);
    CHECK_STR(file.path, "/etc/weft.conf");
    weft_settings_file_finish(&file);
    CHECK(unlink(library) == 0 && rmdir(folder) == 0);
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* weft: the command line tool. Each command is a file; this one chooses among them. */
#include "runtime/tool/tool.h"
#include "version.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The C library's own of this name is ours only if it can see ours. */
__attribute__((visibility("default"))) const char *argp_program_version = "weft " WEFT_VERSION;

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *doc;
} commands[] = {
    {"info", weft_tool_info, "what the platform and its devices are"},
    {"compile", weft_tool_compile, "compile a file without a device: IR, assembly, an image"},
    {"cache", weft_tool_cache, "show, verify or clear the disk cache of built programs"},
    {"settings", weft_tool_settings, "the settings (WEFT_* variables) and their values now"},
    {"ci", weft_tool_ci, "run tests on Weft alone, and fail if no kernel ran"},
    {"selftest", weft_tool_selftest, "compile and check kernels of each kind on this machine"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

typedef struct command_line {
    const char *name;
    int at; /* in argv */
} command_line;

/** Stops at the command's name: what follows is the command's. */
static error_t parse(int key, char *argument, struct argp_state *state) {
    command_line *line = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        line->name = argument;
        line->at = state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/** Lists the commands below the options. */
static char *filter_help(int key, const char *text, void *input) {
    char *list = NULL;
    size_t bytes;
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    FILE *out = open_memstream(&list, &bytes);
    if (!out)
        return (char *)text;
    fprintf(out, "Commands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].doc);
    fprintf(out, "\n%s", text);
    fclose(out);
    return list;
}

/** At exit, --help's too: what could not be printed is no success. Standard output that was closed
 * before it was used is nobody's loss. */
static void close_output(void) {
    bool failed = ferror(stdout), used = failed || __fpending(stdout);
    errno = 0;
    if (fclose(stdout) != 0 && (used || errno != EBADF))
        failed = true;
    if (!failed)
        return;
    fprintf(stderr, "weft: cannot write: %s\n", errno ? strerror(errno) : "an earlier error");
    _exit(TOOL_BAD);
}

int main(int argc, char **argv) {
    const struct argp parser = {.parser = parse,
                                .args_doc = "COMMAND [ARGUMENT...]",
                                .doc = "Looks into Weft, the OpenCL implementation for CPUs.\v"
                                       "`weft COMMAND --help' tells the options of a command.",
                                .help_filter = filter_help};
    command_line command = {NULL, 0};
    atexit(close_output);
    argp_err_exit_status = TOOL_USAGE;
    if (argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &command) != 0)
        return TOOL_USAGE;
    for (size_t i = 0; i < COMMANDS; i++) {
        char name[64];
        if (strcmp(command.name, commands[i].name) != 0)
            continue;
        snprintf(name, sizeof name, "weft %s", commands[i].name);
        argv[command.at] = name;
        return commands[i].run(argc - command.at, argv + command.at);
    }
    fprintf(stderr, "weft: no command `%s'; try `weft --help'\n", command.name);
    return TOOL_USAGE;
}

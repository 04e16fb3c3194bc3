// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/ran.h"

#include "runtime/platform.h"
#include "weft/shim.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void write_line(const char *path, const weft_command *command) {
    char line[256];
    int length = snprintf(line, sizeof line, "%ld %.200s\n", (long)getpid(), command->kernel->name);
    int file = weft_shim_fails() ? -1 : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    /* One call: lines of several processes stay apart. */
    ssize_t written = write(file, line, (size_t)length);
    (void)written;
    close(file);
}

void weft_ran_note(const weft_command *command, cl_int status) {
    weft_platform *platform = command->context->platform;
    const char *path = platform->settings.ran;
    if (!path || !command->kernel || !command->node.has_work || status != CL_COMPLETE)
        return;
    /* A forked child is another process, with a copy of what its parent knew. */
    uint32_t process = (uint32_t)getpid();
    if (atomic_exchange(&platform->ran_process, process) != process)
        write_line(path, command);
}

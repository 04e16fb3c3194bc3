// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/tool/ci_record.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A line is shorter (runtime/ran.c). */
enum { LINE = 512 };

bool weft_ci_record_make(char path[PATH_MAX]) {
    const char *wanted = getenv("TMPDIR");
    const char *const folders[] = {wanted && wanted[0] == '/' ? wanted : "/tmp", "/tmp", NULL};
    char here[PATH_MAX];
    int file = -1;
    for (int i = 0; i < 3 && file < 0; i++) {
        const char *folder = folders[i] ? folders[i] : getcwd(here, sizeof here);
        if (!folder || snprintf(path, PATH_MAX, "%s/weft-ran-XXXXXX", folder) >= PATH_MAX)
            continue;
        file = mkostemp(path, O_CLOEXEC);
    }
    if (file < 0) {
        fprintf(stderr,
                "weft ci: no place to note which processes ran kernels: %s; TMPDIR or "
                "--ran can name one\n",
                strerror(errno));
        return false;
    }
    close(file);
    return true;
}

/** `PROCESS KERNEL`. */
static bool is_record(const char *line) {
    size_t digits = strspn(line, "0123456789");
    return digits && line[digits] == ' ' && isgraph((unsigned char)line[digits + 1]) &&
           strchr(line, '\n');
}

/** The lines of a file that are, and that are not, a process that ran a kernel. */
static unsigned count(FILE *file, unsigned *others) {
    char line[LINE];
    unsigned records = 0;
    while (fgets(line, sizeof line, file))
        *(is_record(line) ? &records : others) += 1;
    return records;
}

unsigned weft_ci_record_count(const char *path) {
    unsigned others = 0;
    FILE *file = fopen(path, "re");
    unsigned records = file ? count(file, &others) : 0;
    if (file)
        fclose(file);
    return records;
}

/** Why an open file cannot become an empty record, or NULL. */
static const char *why_not(int file) {
    struct stat about;
    unsigned others = 0;
    if (fstat(file, &about) != 0)
        return strerror(errno);
    if (!S_ISREG(about.st_mode))
        return "it is no file";
    int copy = dup(file);
    FILE *text = copy < 0 ? NULL : fdopen(copy, "r");
    if (!text) {
        close(copy);
        return strerror(errno);
    }
    count(text, &others);
    fclose(text);
    if (others)
        return "it has lines that are no notes of kernels, and would be lost";
    return ftruncate(file, 0) == 0 ? NULL : strerror(errno);
}

bool weft_ci_record_begin(const char *path) {
    /* Not to wait for the other end of a FIFO. */
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    const char *why = file < 0 ? strerror(errno) : why_not(file);
    if (why)
        fprintf(stderr, "weft ci: %s cannot be the note of which processes ran kernels: %s\n", path,
                why);
    if (file >= 0)
        close(file);
    return !why;
}

void weft_ci_record_add(const char *path, const char *to) {
    char line[LINE];
    struct stat one, other;
    FILE *file = fopen(path, "re");
    int out = file ? open(to, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK) : -1;
    bool apart = out >= 0 && fstat(fileno(file), &one) == 0 && fstat(out, &other) == 0 &&
                 (one.st_dev != other.st_dev || one.st_ino != other.st_ino);
    while (apart && fgets(line, sizeof line, file)) {
        /* A line that is missing is the safe side. */
        ssize_t written = is_record(line) ? write(out, line, strlen(line)) : 0;
        (void)written;
    }
    if (out >= 0)
        close(out);
    if (file)
        fclose(file);
}

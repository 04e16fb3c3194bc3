// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sources.h"

#include "weft/abi.h"
#include "weft/shim.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/** A folder of ours: private, not a link, not another user's. */
static int open_folder(const char *folder) {
    char above[4096];
    struct stat facts;
    const char *slash = strrchr(folder, '/');
    int fd;

    if (!slash || (size_t)(slash - folder) >= sizeof(above) || weft_shim_fails())
        return -1;
    memcpy(above, folder, (size_t)(slash - folder));
    above[slash - folder] = 0;
    mkdir(above, 0700);
    mkdir(folder, 0700);
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, &facts) != 0 || facts.st_uid != geteuid())) {
        close(fd);
        return -1;
    }
    return fd;
}

/** The compiler's names are plain; an image from elsewhere may hold anything. */
static bool is_plain(const char *name) {
    if (!*name || *name == '.' || strlen(name) > 200)
        return false;
    for (; *name; name++)
        if (!(*name >= 'a' && *name <= 'z') && !(*name >= 'A' && *name <= 'Z') &&
            !(*name >= '0' && *name <= '9') && *name != '.' && *name != '-' && *name != '_')
            return false;
    return true;
}

/** Written beside, then renamed: two processes may write the same file at once. */
static void write_file(int folder, const char *name, const unsigned char *text, uint64_t bytes) {
    char own[256];
    struct stat facts;
    uint64_t at = 0;
    int fd;

    if (fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(facts.st_mode) &&
        (uint64_t)facts.st_size == bytes)
        return;
    snprintf(own, sizeof(own), ".%s.%ld", name, (long)getpid());
    fd = weft_shim_fails()
             ? -1
             : openat(folder, own, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    while (at < bytes) {
        ssize_t wrote = write(fd, text + at, bytes - at);
        if (wrote <= 0)
            break;
        at += (uint64_t)wrote;
    }
    close(fd);
    if (at < bytes || renameat(folder, own, folder, name) != 0)
        unlinkat(folder, own, 0);
}

void weft_sources_write(const weft_elf *elf, const char *folder) {
    Elf64_Shdr section;
    int fd;

    if (!*folder || !weft_elf_find(elf, ".weft.sources", &section))
        return;
    fd = open_folder(folder);
    if (fd < 0)
        return;
    /* Rows: u64 bytes of name (with its NUL), u64 bytes of text, name, text. */
    for (uint64_t at = 0; at + 16 <= section.sh_size;) {
        uint64_t sizes[2], left = section.sh_size - at - 16;
        const unsigned char *row = elf->bytes + section.sh_offset + at;
        memcpy(sizes, row, 16);
        if (!sizes[0] || sizes[0] > left || sizes[1] > left - sizes[0] || row[15 + sizes[0]] != 0)
            break;
        if (is_plain((const char *)row + 16))
            write_file(fd, (const char *)row + 16, row + 16 + sizes[0], sizes[1]);
        at += 16 + sizes[0] + sizes[1];
    }
    close(fd);
}

static bool is_folder_text(const unsigned char *at) {
    size_t start = sizeof(WEFT_SOURCES_FOLDER) - 1;

    if (memcmp(at, WEFT_SOURCES_FOLDER, start) != 0)
        return false;
    for (size_t i = start; i < WEFT_SOURCES_BYTES; i++)
        if (at[i] != '/')
            return false;
    return true;
}

void weft_sources_rename(unsigned char *bytes, size_t size, const char *folder) {
    size_t length = strlen(folder);
    unsigned char *at = bytes, *end = bytes + size;

    if (!length || length > WEFT_SOURCES_BYTES)
        return;
    while ((at = memmem(at, (size_t)(end - at), WEFT_SOURCES_FOLDER,
                        sizeof(WEFT_SOURCES_FOLDER) - 1)) != NULL) {
        if ((size_t)(end - at) > WEFT_SOURCES_BYTES && is_folder_text(at) &&
            at[WEFT_SOURCES_BYTES] == 0) {
            memset(at, 0, WEFT_SOURCES_BYTES);
            memcpy(at, folder, length);
        }
        at++;
    }
}

const char *weft_sources_path(const char *name, const char *folder, char *path, size_t bytes) {
    if (!*folder || strlen(name) <= WEFT_SOURCES_BYTES ||
        !is_folder_text((const unsigned char *)name))
        return name;
    snprintf(path, bytes, "%s%s", folder, name + WEFT_SOURCES_BYTES);
    return path;
}

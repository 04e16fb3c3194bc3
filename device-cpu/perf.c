// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "perf.h"

#include "elf_sections.h"
#include "sources.h"

#include "weft/device.h"
#include "weft/shim.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* perf's formats: tools/perf/Documentation/jit-interface.txt and jitdump-specification.txt. */

enum { JIT_CODE_LOAD = 0, JIT_CODE_DEBUG_INFO = 2, JITDUMP_MAGIC = 0x4A695444 };

struct dump_header {
    uint32_t magic, version, bytes, machine, padding, pid;
    uint64_t time, flags;
};

struct dump_record {
    uint32_t id, bytes;
    uint64_t time;
};

struct code_load {
    struct dump_record record;
    uint32_t pid, tid;
    uint64_t vma, address, bytes, index; /* then the name with its NUL, and the code */
};

struct debug_info {
    struct dump_record record;
    uint64_t address, count; /* then rows: struct debug_row and a path with its NUL */
};

struct debug_row {
    uint64_t address;
    uint32_t line, discriminator;
};

/** A row of an image's section ".weft.lines": by address; a row holds up to the next one. */
struct line_row {
    uint64_t address;
    uint32_t line; /* 0: no line from here on */
    uint32_t path; /* offset in ".weft.paths" */
};

/** Text or records for one image, written at once so that threads' records do not mix. */
struct buffer {
    unsigned char *bytes;
    size_t size, room;
    bool failed;
};

static void *extend(struct buffer *buffer, size_t bytes) {
    if (!buffer->failed && buffer->room - buffer->size < bytes) {
        size_t room = (buffer->size + bytes) * 2;
        unsigned char *more = weft_realloc(buffer->bytes, room);
        buffer->failed = !more;
        if (more) {
            buffer->bytes = more;
            buffer->room = room;
        }
    }
    if (buffer->failed)
        return NULL;
    buffer->size += bytes;
    return buffer->bytes + buffer->size - bytes;
}

static void append(struct buffer *buffer, const void *data, size_t bytes) {
    void *at = extend(buffer, bytes);
    if (at && bytes)
        memcpy(at, data, bytes);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time); /* perf record -k mono */
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/** Appends to a file of ours and nobody else's: /tmp is everybody's. */
static int open_own(const char *path, int flags) {
    struct stat facts;
    int fd =
        weft_shim_fails()
            ? -1
            : open(path, flags | O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);

    if (fd >= 0 && (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode) ||
                    facts.st_uid != geteuid() || facts.st_nlink != 1)) {
        close(fd);
        return -1;
    }
    return fd;
}

static bool write_all(int fd, const struct buffer *buffer) {
    for (size_t at = 0; at < buffer->size;) {
        ssize_t wrote = write(fd, buffer->bytes + at, buffer->size - at);
        if (wrote <= 0)
            return false;
        at += (size_t)wrote;
    }
    return true;
}

/* ---- the map --------------------------------------------------------------------------------- */

struct map_user {
    struct buffer text;
    uint64_t base;
};

static void add_line(void *user, const weft_elf_symbol *symbol) {
    struct map_user *map = user;
    char line[256];
    int length = snprintf(line, sizeof(line), "%llx %llx %.200s\n",
                          (unsigned long long)(map->base + symbol->address),
                          (unsigned long long)symbol->bytes, symbol->name);

    append(&map->text, line, (size_t)length);
}

static void add_to_map(const weft_elf *elf, uint64_t base) {
    struct map_user map = {.base = base};
    char path[64];
    int fd;

    weft_elf_functions(elf, add_line, &map);
    snprintf(path, sizeof(path), "/tmp/perf-%ld.map", (long)getpid());
    fd = map.text.failed ? -1 : open_own(path, O_CREAT);
    if (fd >= 0) {
        write_all(fd, &map.text);
        close(fd);
    }
    weft_free(map.text.bytes);
}

/* ---- the jitdump ----------------------------------------------------------------------------- */

/** A folder of its own (perf wants the name jit-PID.dump, which another device may have taken). */
static bool begin_dump(weft_perf *perf) {
    char folder[] = "/tmp/weft-perf-XXXXXX";
    struct buffer buffer = {0};
    struct dump_header header = {.magic = JITDUMP_MAGIC,
                                 .version = 1,
                                 .bytes = sizeof(header),
                                 .machine = EM_X86_64,
                                 .pid = (uint32_t)getpid(),
                                 .time = now()};
    bool good = !weft_shim_fails() && mkdtemp(folder);
    int fd = -1;

    if (good) {
        snprintf(perf->path, sizeof(perf->path), "%s/jit-%ld.dump", folder, (long)getpid());
        fd = open(perf->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        append(&buffer, &header, sizeof(header));
        good = fd >= 0 && !buffer.failed && write_all(fd, &buffer);
    }
    if (good) {
        perf->marker = weft_mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC,
                                 MAP_PRIVATE, fd, 0);
        if (perf->marker == MAP_FAILED)
            perf->marker = NULL; /* perf will not find it by itself */
    }
    if (fd >= 0)
        close(fd);
    weft_free(buffer.bytes);
    return good;
}

struct dump_user {
    struct buffer records;
    weft_perf *perf;
    const weft_elf *elf;
    const unsigned char *base;
    Elf64_Shdr lines, paths; /* sh_size 0: none */
};

static const char *path_of(const struct dump_user *dump, const struct line_row *row, char *path,
                           size_t bytes) {
    const char *name = (const char *)dump->elf->bytes + dump->paths.sh_offset + row->path;
    if (row->path >= dump->paths.sh_size)
        return "";
    return weft_sources_path(name, dump->perf->sources, path, bytes);
}

/** The source lines of one function, where the image has any. */
static void add_lines(struct dump_user *dump, const weft_elf_symbol *symbol) {
    size_t start = dump->records.size;
    struct debug_info info = {
        {JIT_CODE_DEBUG_INFO, 0, now()}, (uint64_t)(uintptr_t)dump->base + symbol->address, 0};

    append(&dump->records, &info, sizeof(info));
    for (uint64_t at = 0; at + sizeof(struct line_row) <= dump->lines.sh_size;
         at += sizeof(struct line_row)) {
        struct line_row row;
        char path[4096 + WEFT_SOURCES_BYTES];
        memcpy(&row, dump->elf->bytes + dump->lines.sh_offset + at, sizeof(row));
        if (row.address < symbol->address || row.address - symbol->address >= symbol->bytes ||
            !row.line)
            continue;
        const char *name = path_of(dump, &row, path, sizeof(path));
        struct debug_row out = {(uint64_t)(uintptr_t)dump->base + row.address, row.line, 0};
        append(&dump->records, &out, sizeof(out));
        append(&dump->records, name, strlen(name) + 1);
        info.count++;
    }
    if (dump->records.failed)
        return;
    if (!info.count) {
        dump->records.size = start;
        return;
    }
    info.record.bytes = (uint32_t)(dump->records.size - start);
    memcpy(dump->records.bytes + start, &info, sizeof(info));
}

static void add_code(void *user, const weft_elf_symbol *symbol) {
    struct dump_user *dump = user;
    struct code_load load = {
        .record = {JIT_CODE_LOAD, 0, now()},
        .pid = (uint32_t)getpid(),
        .tid = (uint32_t)syscall(SYS_gettid),
        .vma = (uint64_t)(uintptr_t)dump->base + symbol->address,
        .bytes = symbol->bytes,
        .index = dump->perf->code_index++,
    };
    size_t name = strlen(symbol->name) + 1;

    if (dump->lines.sh_size)
        add_lines(dump, symbol);
    load.address = load.vma;
    load.record.bytes = (uint32_t)(sizeof(load) + name + symbol->bytes);
    append(&dump->records, &load, sizeof(load));
    append(&dump->records, symbol->name, name);
    append(&dump->records, dump->base + symbol->address, symbol->bytes);
}

/** Where the image's code lies in memory: what a symbol says is read only inside of it. */
static bool is_code(const weft_elf *elf, const weft_elf_symbol *symbol) {
    for (unsigned i = 0; i < elf->header.e_phnum; i++) {
        Elf64_Phdr row;
        memcpy(&row, elf->bytes + elf->header.e_phoff + i * sizeof(row), sizeof(row));
        if (row.p_type == PT_LOAD && (row.p_flags & PF_X) && symbol->address >= row.p_vaddr &&
            symbol->address - row.p_vaddr <= row.p_memsz &&
            symbol->bytes <= row.p_memsz - (symbol->address - row.p_vaddr))
            return true;
    }
    return false;
}

static void add_if_code(void *user, const weft_elf_symbol *symbol) {
    struct dump_user *dump = user;
    if (is_code(dump->elf, symbol))
        add_code(user, symbol);
}

static void add_to_dump(weft_perf *perf, const weft_elf *elf, const unsigned char *base) {
    struct dump_user dump = {.perf = perf, .elf = elf, .base = base};
    int fd;

    if (!weft_elf_find(elf, ".weft.lines", &dump.lines) ||
        !weft_elf_find(elf, ".weft.paths", &dump.paths) || !dump.paths.sh_size ||
        elf->bytes[dump.paths.sh_offset + dump.paths.sh_size - 1] != 0)
        dump.lines.sh_size = dump.paths.sh_size = 0;
    pthread_mutex_lock(&perf->lock);
    if (!*perf->path && !begin_dump(perf))
        perf->kind = WEFT_PERF_OFF;
    if (perf->kind != WEFT_PERF_OFF) {
        weft_elf_functions(elf, add_if_code, &dump);
        fd = dump.records.failed ? -1 : open_own(perf->path, 0);
        if (fd >= 0) {
            write_all(fd, &dump.records);
            close(fd);
        }
    }
    pthread_mutex_unlock(&perf->lock);
    weft_free(dump.records.bytes);
}

/* ---- the device's side ----------------------------------------------------------------------- */

void weft_perf_init(weft_perf *perf, uint32_t kind, const char *sources) {
    *perf = (weft_perf){.kind = kind, .sources = sources};
    pthread_mutex_init(&perf->lock, NULL);
}

void weft_perf_finish(weft_perf *perf) {
    if (perf->marker)
        munmap(perf->marker, (size_t)sysconf(_SC_PAGESIZE));
    pthread_mutex_destroy(&perf->lock);
}

void weft_perf_add(weft_perf *perf, const void *bytes, size_t size, const unsigned char *base) {
    weft_elf elf;

    if (perf->kind == WEFT_PERF_OFF || !weft_elf_open(&elf, bytes, size))
        return;
    if (perf->kind == WEFT_PERF_MAP)
        add_to_map(&elf, (uint64_t)(uintptr_t)base);
    else
        add_to_dump(perf, &elf, base);
}

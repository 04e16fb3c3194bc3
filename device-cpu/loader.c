// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loader.h"

#include "gdb.h"

#include "weft/limits.h"
#include "weft/shim.h"

#include <CL/cl.h>
#include <elf.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct weft_image {
    _Atomic uint32_t holders;
    unsigned char *base; /* where image address 0 is mapped */
    size_t mapped_bytes;
    weft_image_info *info; /* own copy: the table is read long after it was checked */
    weft_kernel_code *kernels;
    weft_gdb_entry *gdb; /* NULL: not registered */
};

#define ALL_KERNEL_FLAGS (2 * WEFT_KERNEL_SCATTERS - 1)

/** What is known of a file while it is checked. */
struct file {
    const unsigned char *bytes;
    size_t size;
    Elf64_Ehdr header;
    uint64_t image_bytes; /* end of the last segment, page-aligned */
    uint64_t page;
    const char *error;
};

static bool fail(struct file *file, const char *sentence) {
    file->error = sentence;
    return false;
}

/** True if [at, at + bytes) lies within `size`. */
static bool within(uint64_t at, uint64_t bytes, uint64_t size) {
    return at <= size && bytes <= size - at;
}

static Elf64_Phdr program_header(const struct file *file, unsigned index) {
    Elf64_Phdr header;

    memcpy(&header, file->bytes + file->header.e_phoff + index * sizeof(header), sizeof(header));
    return header;
}

static bool check_header(struct file *file) {
    Elf64_Ehdr *header = &file->header;

    if (file->size < sizeof(*header))
        return fail(file, "the image is shorter than an ELF header");
    memcpy(header, file->bytes, sizeof(*header));
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB)
        return fail(file, "the image is not a 64-bit little-endian ELF file");
    if (header->e_type != ET_DYN || header->e_machine != EM_X86_64)
        return fail(file, "the image is not a shared object for x86-64");
    if (header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum > 64 ||
        !within(header->e_phoff, (uint64_t)header->e_phnum * sizeof(Elf64_Phdr), file->size))
        return fail(file, "the image's program headers lie outside of the file");
    return true;
}

/** Segments must ascend without sharing a page, so that each gets its own protection. */
static bool check_segments(struct file *file) {
    uint64_t end = 0;

    for (unsigned i = 0; i < file->header.e_phnum; i++) {
        Elf64_Phdr segment = program_header(file, i);
        if (segment.p_type != PT_LOAD || !segment.p_memsz)
            continue;
        if (!within(segment.p_offset, segment.p_filesz, file->size) ||
            segment.p_filesz > segment.p_memsz)
            return fail(file, "a segment of the image lies outside of the file");
        if (!within(segment.p_vaddr, segment.p_memsz, WEFT_MAX_IMAGE_BYTES))
            return fail(file, "a segment of the image lies beyond 1 GiB");
        if (end && (segment.p_vaddr & ~(file->page - 1)) < end)
            return fail(file, "segments of the image share a page or are out of order");
        if ((segment.p_flags & (PF_W | PF_X)) == (PF_W | PF_X))
            return fail(file, "a segment of the image is writable and executable");
        end = (segment.p_vaddr + segment.p_memsz + file->page - 1) & ~(file->page - 1);
    }
    file->image_bytes = end;
    return end ? true : fail(file, "the image has no segment to load");
}

static void copy_segments(const struct file *file, unsigned char *base) {
    for (unsigned i = 0; i < file->header.e_phnum; i++) {
        Elf64_Phdr segment = program_header(file, i);
        if (segment.p_type == PT_LOAD && segment.p_memsz)
            memcpy(base + segment.p_vaddr, file->bytes + segment.p_offset, segment.p_filesz);
    }
}

/** True if image address [at, at + bytes) lies in a loaded segment with all of `flags`. */
static bool in_segment(const struct file *file, uint64_t at, uint64_t bytes, unsigned flags) {
    for (unsigned i = 0; i < file->header.e_phnum; i++) {
        Elf64_Phdr segment = program_header(file, i);
        if (segment.p_type == PT_LOAD && (segment.p_flags & flags) == flags &&
            at >= segment.p_vaddr && within(at - segment.p_vaddr, bytes, segment.p_memsz))
            return true;
    }
    return false;
}

static bool relocate_table(struct file *file, unsigned char *base, uint64_t at, uint64_t bytes) {
    if (bytes % sizeof(Elf64_Rela) || !in_segment(file, at, bytes, 0))
        return fail(file, "the image's relocation table is damaged");
    for (uint64_t i = 0; i < bytes; i += sizeof(Elf64_Rela)) {
        Elf64_Rela rela;
        uint64_t value;
        memcpy(&rela, base + at + i, sizeof(rela));
        if (ELF64_R_TYPE(rela.r_info) == R_X86_64_NONE)
            continue;
        if (ELF64_R_TYPE(rela.r_info) != R_X86_64_RELATIVE)
            return fail(file, "the image has a relocation that is not relative");
        if (!in_segment(file, rela.r_offset, 8, 0) || (uint64_t)rela.r_addend > file->image_bytes)
            return fail(file, "a relocation of the image points outside of it");
        value = (uint64_t)(uintptr_t)base + (uint64_t)rela.r_addend;
        memcpy(base + rela.r_offset, &value, 8);
    }
    return true;
}

static bool relocate_dynamic(struct file *file, unsigned char *base, const Elf64_Phdr *segment) {
    uint64_t table = 0, bytes = 0;

    if (!in_segment(file, segment->p_vaddr, segment->p_memsz, 0))
        return fail(file, "the image's dynamic section is damaged");
    for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment->p_memsz; at += sizeof(Elf64_Dyn)) {
        Elf64_Dyn entry;
        memcpy(&entry, base + segment->p_vaddr + at, sizeof(entry));
        if (entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag == DT_NEEDED || entry.d_tag == DT_REL || entry.d_tag == DT_JMPREL ||
            entry.d_tag == DT_INIT || entry.d_tag == DT_INIT_ARRAY)
            return fail(file, "the image wants more than relative relocations");
        if (entry.d_tag == DT_RELA)
            table = entry.d_un.d_ptr;
        if (entry.d_tag == DT_RELASZ)
            bytes = entry.d_un.d_val;
    }
    return !bytes || relocate_table(file, base, table, bytes);
}

static bool relocate(struct file *file, unsigned char *base) {
    for (unsigned i = 0; i < file->header.e_phnum; i++) {
        Elf64_Phdr segment = program_header(file, i);
        if (segment.p_type == PT_DYNAMIC && !relocate_dynamic(file, base, &segment))
            return false;
    }
    return true;
}

/** The note's descriptor: finds it, or says what is wrong. */
static bool find_note(struct file *file, const unsigned char **table, uint64_t *bytes) {
    for (unsigned i = 0; i < file->header.e_phnum; i++) {
        Elf64_Phdr segment = program_header(file, i);
        Elf64_Nhdr note;
        uint64_t names;
        if (segment.p_type != PT_NOTE)
            continue;
        if (!within(segment.p_offset, segment.p_filesz, file->size) ||
            segment.p_filesz < sizeof(note))
            return fail(file, "the image's note lies outside of the file");
        memcpy(&note, file->bytes + segment.p_offset, sizeof(note));
        names = ((uint64_t)note.n_namesz + 3) & ~(uint64_t)3;
        if (!within(sizeof(note) + names, note.n_descsz, segment.p_filesz))
            return fail(file, "the image's note is cut off");
        if (note.n_type == WEFT_NOTE_IMAGE && note.n_namesz == sizeof(WEFT_NOTE_OWNER) &&
            memcmp(file->bytes + segment.p_offset + sizeof(note), WEFT_NOTE_OWNER,
                   sizeof(WEFT_NOTE_OWNER)) == 0) {
            *table = file->bytes + segment.p_offset + sizeof(note) + names;
            *bytes = note.n_descsz;
            return true;
        }
    }
    return fail(file, "the image has no Weft note");
}

static bool is_string(const weft_image_info *info, uint32_t offset) {
    return offset == 0 || (offset >= info->strings && offset < info->bytes);
}

static bool is_array(const weft_image_info *info, uint32_t at, uint64_t count, size_t item) {
    return at % 8 == 0 && within(at, count * item, info->bytes);
}

static bool check_info(struct file *file, const weft_image_info *info, uint64_t bytes) {
    if (info->magic != WEFT_IMAGE_MAGIC)
        return fail(file, "the image's table is not Weft's");
    if (info->abi_version != WEFT_ABI_VERSION)
        return fail(file, "the image was made by another version of Weft");
    if (info->bytes < sizeof(*info) || info->bytes > bytes)
        return fail(file, "the image's table is cut off");
    if (!is_array(info, info->kernels, info->kernel_count, sizeof(weft_kernel_info)) ||
        !is_array(info, info->args, info->arg_count, sizeof(weft_arg_info)) ||
        !is_array(info, info->fixups, info->fixup_count, sizeof(weft_data_fixup)))
        return fail(file, "an array of the image's table lies outside of it");
    if (info->strings >= info->bytes || ((const char *)info)[info->bytes - 1] != 0 ||
        !is_string(info, info->isa) || !is_string(info, info->options))
        return fail(file, "the strings of the image's table are damaged");
    /* They are the last ones, constructors first: the runtime offers the kernels in front. */
    uint32_t own = (info->init_kernel != 0) + (info->fini_kernel != 0), last = info->kernel_count;
    if (own > last || (info->fini_kernel && info->fini_kernel != last) ||
        (info->init_kernel && info->init_kernel != last + 1 - own))
        return fail(file, "the image names a constructor that it does not have");
    if (info->data_init_bytes > info->data_bytes ||
        (info->data_align & (info->data_align - 1)) != 0 ||
        (info->data_init_bytes && !in_segment(file, info->data_init, info->data_init_bytes, 0)))
        return fail(file, "the image's program-scope data is damaged");
    return true;
}

static bool check_fixups(struct file *file, const weft_image_info *info) {
    const weft_data_fixup *fixups = (const void *)((const char *)info + info->fixups);

    /* A program may point in front of its data (arrays that count from 1 do) or behind: such a
     * pointer is a number, as long as nobody follows it. Addresses of the image are the linker's.
     */
    for (uint32_t i = 0; i < info->fixup_count; i++)
        if (!within(fixups[i].at, 8, info->data_bytes) || fixups[i].base > 1 ||
            (!fixups[i].base && fixups[i].addend > file->image_bytes))
            return fail(file, "a pointer in the image's program-scope data is damaged");
    return true;
}

static bool is_lanes(uint32_t width) {
    return width <= WEFT_MAX_LANES && (width & (width - 1)) == 0;
}

static bool check_bodies(const struct file *file, const weft_kernel_info *kernel) {
    for (unsigned shape = 0; shape < WEFT_SHAPE_COUNT; shape++) {
        const weft_body_info *body = &kernel->body[shape];
        if (body->entry && (!in_segment(file, body->entry, 1, PF_X) || !body->width))
            return false;
        if (!is_lanes(body->width) || body->run_bytes > WEFT_MAX_KERNEL_BYTES)
            return false;
    }
    return kernel->body[WEFT_SHAPE_ROWS].entry &&
           kernel->width == kernel->body[WEFT_SHAPE_ROWS].width;
}

/** What launches compute with: sizes that are divided by, and multiplied with one another. */
static bool check_sizes(const weft_kernel_info *kernel) {
    const uint64_t *required = kernel->reqd_local_size;

    if (!required[0] != !required[1] || !required[0] != !required[2])
        return false;
    if (!kernel->sub_group_size || !is_lanes(kernel->sub_group_size) ||
        !is_lanes(kernel->reqd_sub_group_size))
        return false;
    return kernel->local_bytes <= WEFT_MAX_KERNEL_BYTES &&
           kernel->fixed_bytes <= WEFT_MAX_KERNEL_BYTES &&
           kernel->private_bytes <= WEFT_MAX_KERNEL_BYTES &&
           kernel->frame_bytes <= WEFT_MAX_STACK && kernel->args_bytes <= WEFT_MAX_ARGS_BYTES;
}

/** Bytes that setting the argument, or a launch, writes to its slot. */
static uint32_t slot_bytes(const weft_arg_info *arg) {
    return arg->kind == WEFT_ARG_VALUE ? arg->bytes : arg->kind == WEFT_ARG_SAMPLER ? 4 : 8;
}

static bool check_kernel(struct file *file, const weft_image_info *info,
                         const weft_kernel_info *kernel) {
    const weft_arg_info *args = (const void *)((const char *)info + info->args);

    if (!is_string(info, kernel->name) || !is_string(info, kernel->attributes) ||
        !is_string(info, kernel->vec_type_hint) ||
        !within(kernel->first_arg, kernel->arg_count, info->arg_count))
        return fail(file, "a kernel of the image's table is damaged");
    if (!check_bodies(file, kernel))
        return fail(file, "a kernel's entry is not code of the image, or has no such width");
    if (!check_sizes(kernel) || kernel->flags & ~ALL_KERNEL_FLAGS)
        return fail(file, "a kernel of the image says sizes that no kernel has");
    for (uint32_t i = 0; i < kernel->arg_count; i++) {
        const weft_arg_info *arg = &args[kernel->first_arg + i];
        if (!is_string(info, arg->name) || !is_string(info, arg->type_name) ||
            arg->kind > WEFT_ARG_QUEUE ||
            !within(arg->offset, slot_bytes(arg), kernel->args_bytes) ||
            (arg->align & (arg->align - 1)) != 0)
            return fail(file, "an argument of a kernel in the image is damaged");
    }
    return true;
}

static bool read_table(struct file *file, const weft_isa *isa, weft_image *image) {
    const unsigned char *table = NULL;
    uint64_t bytes = 0;
    const weft_kernel_info *kernels;

    if (!find_note(file, &table, &bytes))
        return false;
    if (bytes < sizeof(weft_image_info))
        return fail(file, "the image's table is cut off");
    image->info = weft_memdup(table, bytes); /* malloc aligns it; the file may not */
    if (!image->info)
        return fail(file, NULL);
    if (!check_info(file, image->info, bytes) || !check_fixups(file, image->info))
        return false;
    kernels = (const void *)((const char *)image->info + image->info->kernels);
    for (uint32_t i = 0; i < image->info->kernel_count; i++)
        if (!check_kernel(file, image->info, &kernels[i]))
            return false;
    if (!weft_isa_runs(isa, image->info->isa ? (const char *)image->info + image->info->isa : ""))
        return fail(file, "the image needs features that this CPU does not have");
    return true;
}

static int protection_of(const Elf64_Phdr *segment) {
    return PROT_READ | (segment->p_flags & PF_X ? PROT_EXEC : 0) |
           (segment->p_flags & PF_W ? PROT_WRITE : 0);
}

static bool protect(const struct file *file, unsigned char *base) {
    for (unsigned i = 0; i < file->header.e_phnum; i++) {
        Elf64_Phdr segment = program_header(file, i);
        uint64_t start = segment.p_vaddr & ~(file->page - 1);
        if (segment.p_type != PT_LOAD || !segment.p_memsz)
            continue;
        if (weft_shim_fails() || mprotect(base + start, segment.p_vaddr + segment.p_memsz - start,
                                          protection_of(&segment)) != 0)
            return false;
    }
    return true;
}

static bool write_image(const struct file *file, const unsigned char *base, int fd) {
    for (uint64_t at = 0; at < file->image_bytes;) {
        ssize_t wrote = pwrite(fd, base + at, file->image_bytes - at, (off_t)at);
        if (wrote <= 0)
            return false;
        at += (uint64_t)wrote;
    }
    return true;
}

/** Maps the relocated segments once more, at the same addresses, from a file; closes it. */
static bool map_from_file(const struct file *file, unsigned char *base, int fd) {
    bool good = fd >= 0 && write_image(file, base, fd);

    for (unsigned i = 0; good && i < file->header.e_phnum; i++) {
        Elf64_Phdr segment = program_header(file, i);
        uint64_t start = segment.p_vaddr & ~(file->page - 1);
        if (segment.p_type != PT_LOAD || !segment.p_memsz)
            continue;
        good = weft_mmap(base + start, segment.p_vaddr + segment.p_memsz - start,
                         protection_of(&segment), MAP_PRIVATE | MAP_FIXED, fd,
                         (off_t)start) != MAP_FAILED;
    }
    if (fd >= 0)
        close(fd);
    return good;
}

/** A file that has no name, so that nobody else can open it and nothing is left behind. */
static int nameless_file(const char *folder) {
    char path[4096];
    int fd;

    if (!*folder || weft_shim_fails())
        return -1;
    mkdir(folder, 0700);
    fd = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0 || snprintf(path, sizeof(path), "%s/image-XXXXXX", folder) >= (int)sizeof(path))
        return fd;
    fd = mkostemp(path, O_CLOEXEC); /* a file system that has no nameless files; 0600 */
    if (fd >= 0)
        unlink(path);
    return fd;
}

/**
 * Where anonymous memory may not become executable (SELinux' execmem), a file may; where there are
 * no files in memory either, one on disk, in the first of these folders that lets programs run.
 */
static bool make_executable(const struct file *file, unsigned char *base, const char *folder) {
    if (protect(file, base))
        return true;
    if (map_from_file(file, base, weft_shim_fails() ? -1 : memfd_create("weft-image", MFD_CLOEXEC)))
        return true;
    return map_from_file(file, base, nameless_file(folder)) ||
           map_from_file(file, base, nameless_file("/tmp"));
}

static bool make_kernels(weft_image *image) {
    char *table = (char *)image->info;
    const weft_kernel_info *kernels = (const void *)(table + image->info->kernels);
    const weft_arg_info *args = (const void *)(table + image->info->args);

    image->kernels = weft_calloc(image->info->kernel_count, sizeof(*image->kernels));
    if (!image->kernels)
        return false;
    for (uint32_t i = 0; i < image->info->kernel_count; i++) {
        weft_kernel_code *code = &image->kernels[i];
        code->image = image;
        code->info = &kernels[i];
        code->args = args + kernels[i].first_arg;
        code->name = kernels[i].name ? table + kernels[i].name : "";
        for (unsigned shape = 0; shape < WEFT_SHAPE_COUNT; shape++)
            if (kernels[i].body[shape].entry)
                code->entry[shape] =
                    (weft_entry_fn *)(uintptr_t)(image->base + kernels[i].body[shape].entry);
    }
    return true;
}

static bool map_image(struct file *file, weft_image *image) {
    /* All pages at once where nearly all are written: a fault for each took longer than the copy.
     * What a file only says that it wants, variables without values, is given as it is used. */
    const int populate = file->image_bytes / 2 <= file->size ? MAP_POPULATE : 0;
    void *base = weft_mmap(NULL, file->image_bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | populate, -1, 0);

    if (base == MAP_FAILED)
        return fail(file, NULL);
    image->base = base;
    image->mapped_bytes = file->image_bytes;
    copy_segments(file, base);
    return true;
}

int32_t weft_loader_load(const weft_isa *isa, const char *folder, const void *bytes, size_t size,
                         weft_image **image, const char **error_text) {
    struct file file = {.bytes = bytes, .size = size, .page = (uint64_t)sysconf(_SC_PAGESIZE)};
    weft_image *made = weft_calloc(1, sizeof(*made));
    bool good;

    *image = NULL;
    *error_text = "out of memory for a compiled image";
    if (!made)
        return CL_OUT_OF_HOST_MEMORY;
    atomic_init(&made->holders, 1);
    file.error = NULL;
    good = check_header(&file) && check_segments(&file) && read_table(&file, isa, made) &&
           map_image(&file, made) && relocate(&file, made->base);
    if (good && !make_executable(&file, made->base, folder)) {
        good = false;
        *error_text =
            "this system refuses executable memory, also from files in memory, in the cache folder "
            "and in /tmp";
    }
    if (good && make_kernels(made)) {
        *error_text = NULL;
        *image = made;
        return CL_SUCCESS;
    }
    if (file.error)
        *error_text = file.error;
    weft_loader_release(made);
    return file.error ? CL_INVALID_BINARY : CL_OUT_OF_HOST_MEMORY;
}

void weft_loader_show_gdb(weft_image *image, const void *bytes, size_t size, const char *sources) {
    image->gdb = weft_gdb_register(bytes, size, image->base, sources);
}

void weft_loader_retain(weft_image *image) {
    atomic_fetch_add_explicit(&image->holders, 1, memory_order_relaxed);
}

void weft_loader_release(weft_image *image) {
    if (!image || atomic_fetch_sub_explicit(&image->holders, 1, memory_order_acq_rel) != 1)
        return;
    weft_gdb_unregister(image->gdb);
    if (image->base)
        munmap(image->base, image->mapped_bytes);
    weft_free(image->info);
    weft_free(image->kernels);
    weft_free(image);
}

const weft_image_info *weft_loader_info(const weft_image *image) {
    return image->info;
}

const weft_kernel_code *weft_loader_kernel(const weft_image *image, uint32_t index) {
    return index < image->info->kernel_count ? &image->kernels[index] : NULL;
}

const weft_kernel_code *weft_loader_find(const weft_image *image, const char *name) {
    for (uint32_t i = 0; image && i < image->info->kernel_count; i++)
        if (strcmp(image->kernels[i].name, name) == 0)
            return &image->kernels[i];
    return NULL;
}

const void *weft_loader_data(const weft_image *image) {
    return image->info->data_init_bytes ? image->base + image->info->data_init : NULL;
}

uint64_t weft_loader_base(const weft_image *image) {
    return (uint64_t)(uintptr_t)image->base;
}

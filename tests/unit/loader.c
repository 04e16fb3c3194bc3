// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* device-cpu/loader.c: a hand-made image loads and runs; no damaged one does harm. */

#include "device-cpu/loader.h"
#include "harness.h"

#include <CL/cl.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, CODE = PAGE, DATA = 2 * PAGE, FILE_BYTES = 3 * PAGE };

/** Code: mov rax, [rip + to DATA]; mov dword [rax], 42; ret. DATA holds a relocated pointer. */
static const unsigned char code[] = {0x48, 0x8b, 0x05, 0xf9, 0x0f, 0x00, 0x00,
                                     0xc7, 0x00, 0x2a, 0x00, 0x00, 0x00, 0xc3};

/** What the first page holds. */
struct front {
    Elf64_Ehdr header;
    Elf64_Phdr segments[5];
    Elf64_Dyn dynamic[4];
    Elf64_Rela rela[1];
    uint32_t padding; /* so that the note's table is aligned for this test */
    struct {
        Elf64_Nhdr header;
        char owner[8];
        _Alignas(4) unsigned char table[sizeof(weft_image_info) + sizeof(weft_kernel_info) +
                                        2 * sizeof(weft_arg_info) + 64];
    } note;
};

static weft_isa machine;

static void make_table(struct front *front) {
    weft_image_info info = {.magic = WEFT_IMAGE_MAGIC, .abi_version = WEFT_ABI_VERSION};
    weft_kernel_info kernel = {.body = {{.entry = CODE, .width = 1}},
                               .width = 1,
                               .sub_group_size = 1,
                               .arg_count = 2,
                               .args_bytes = 16};
    weft_arg_info args[2] = {{.kind = WEFT_ARG_GLOBAL, .bytes = 8, .align = 8},
                             {.kind = WEFT_ARG_VALUE, .offset = 8, .bytes = 4, .align = 4}};
    unsigned char *at = front->note.table;

    info.bytes = sizeof(front->note.table);
    info.kernel_count = 1;
    info.kernels = sizeof(info);
    info.args = info.kernels + sizeof(kernel);
    info.arg_count = 2;
    info.strings = info.args + sizeof(args);
    info.isa = info.strings + 1;
    info.fixups = info.kernels;
    kernel.name = info.strings + 16;
    memcpy(at, &info, sizeof(info));
    memcpy(at + info.kernels, &kernel, sizeof(kernel));
    memcpy(at + info.args, args, sizeof(args));
    strcpy((char *)at + info.isa, "x86-64-v1");
    strcpy((char *)at + kernel.name, "answer");
}

static void make_image(unsigned char *bytes) {
    struct front *front = (void *)bytes;
    Elf64_Ehdr *header = &front->header;

    memset(bytes, 0, FILE_BYTES);
    memcpy(header->e_ident, ELFMAG, SELFMAG);
    header->e_ident[EI_CLASS] = ELFCLASS64;
    header->e_ident[EI_DATA] = ELFDATA2LSB;
    header->e_type = ET_DYN;
    header->e_machine = EM_X86_64;
    header->e_phoff = offsetof(struct front, segments);
    header->e_phentsize = sizeof(Elf64_Phdr);
    header->e_phnum = 5;
    front->segments[0] = (Elf64_Phdr){PT_LOAD, PF_R, 0, 0, 0, sizeof(*front), sizeof(*front), PAGE};
    front->segments[1] = (Elf64_Phdr){PT_LOAD, PF_R | PF_X, CODE, CODE, 0, 64, 64, PAGE};
    front->segments[2] = (Elf64_Phdr){PT_LOAD, PF_R | PF_W, DATA, DATA, 0, 64, 64, PAGE};
    front->segments[3] = (Elf64_Phdr){PT_DYNAMIC,
                                      PF_R,
                                      offsetof(struct front, dynamic),
                                      offsetof(struct front, dynamic),
                                      0,
                                      sizeof(front->dynamic),
                                      sizeof(front->dynamic),
                                      8};
    front->segments[4] = (Elf64_Phdr){PT_NOTE,
                                      PF_R,
                                      offsetof(struct front, note),
                                      offsetof(struct front, note),
                                      0,
                                      sizeof(front->note),
                                      sizeof(front->note),
                                      4};
    front->dynamic[0] = (Elf64_Dyn){DT_RELA, {offsetof(struct front, rela)}};
    front->dynamic[1] = (Elf64_Dyn){DT_RELASZ, {sizeof(front->rela)}};
    front->rela[0] = (Elf64_Rela){DATA, ELF64_R_INFO(0, R_X86_64_RELATIVE), DATA + 8};
    front->note.header = (Elf64_Nhdr){5, sizeof(front->note.table), WEFT_NOTE_IMAGE};
    strcpy(front->note.owner, WEFT_NOTE_OWNER);
    make_table(front);
    memcpy(bytes + CODE, code, sizeof(code));
}

static int32_t load(const unsigned char *bytes, size_t size, weft_image **image,
                    const char **error) {
    if (!machine.level)
        weft_isa_detect(&machine, NULL);
    return weft_loader_load(&machine, "", bytes, size, image, error);
}

/** Loads what must be refused; returns the sentence. */
static const char *refused(const unsigned char *bytes, size_t size) {
    weft_image *image;
    const char *error;

    CHECK_EQ(load(bytes, size, &image, &error), CL_INVALID_BINARY);
    CHECK(image == NULL && error != NULL);
    return error;
}

TEST(an_image_loads_and_runs) {
    static unsigned char bytes[FILE_BYTES];
    weft_image *image;
    const char *error;
    const weft_kernel_code *kernel;

    make_image(bytes);
    CHECK_EQ(load(bytes, sizeof(bytes), &image, &error), CL_SUCCESS);
    kernel = weft_loader_kernel(image, 0);
    CHECK(kernel && !weft_loader_kernel(image, 1));
    CHECK_STR(kernel->name, "answer");
    CHECK_EQ(kernel->info->arg_count, 2);
    CHECK_EQ(kernel->args[1].offset, 8);
    CHECK(kernel->entry[WEFT_SHAPE_LINEAR] == NULL);
    kernel->entry[WEFT_SHAPE_ROWS](NULL, NULL, 0, 0);
    CHECK_EQ(*(const int *)(uintptr_t)(weft_loader_base(image) + DATA + 8), 42);
    weft_loader_release(image);
}

TEST(two_images_of_the_same_bytes_are_two) {
    static unsigned char bytes[FILE_BYTES];
    weft_image *one, *two;
    const char *error;

    make_image(bytes);
    CHECK_EQ(load(bytes, sizeof(bytes), &one, &error), CL_SUCCESS);
    CHECK_EQ(load(bytes, sizeof(bytes), &two, &error), CL_SUCCESS);
    CHECK(weft_loader_base(one) != weft_loader_base(two));
    weft_loader_retain(one);
    weft_loader_release(one);
    weft_loader_release(one);
    weft_loader_release(two);
    weft_loader_release(NULL);
}

TEST(every_truncation_is_refused) {
    static unsigned char bytes[FILE_BYTES];

    make_image(bytes);
    for (size_t size = 0; size < DATA + 64; size += size < 2048 ? 1 : 61)
        refused(bytes, size);
}

TEST(a_foreign_file_says_so) {
    static unsigned char bytes[FILE_BYTES];

    make_image(bytes);
    bytes[0] = 'M';
    CHECK(strstr(refused(bytes, sizeof(bytes)), "ELF"));
    make_image(bytes);
    ((struct front *)(void *)bytes)->header.e_machine = EM_AARCH64;
    CHECK(strstr(refused(bytes, sizeof(bytes)), "x86-64"));
}

TEST(what_the_cpu_lacks_is_refused) {
    static unsigned char bytes[FILE_BYTES];
    struct front *front = (void *)bytes;

    make_image(bytes);
    strcpy((char *)front->note.table + ((weft_image_info *)(void *)front->note.table)->isa,
           "x86-64-v9");
    CHECK(strstr(refused(bytes, sizeof(bytes)), "features"));
}

TEST(relocations_must_be_relative_and_inside) {
    static unsigned char bytes[FILE_BYTES];
    struct front *front = (void *)bytes;

    make_image(bytes);
    front->rela[0].r_info = ELF64_R_INFO(0, R_X86_64_64);
    CHECK(strstr(refused(bytes, sizeof(bytes)), "relative"));
    make_image(bytes);
    front->rela[0].r_offset = FILE_BYTES - 4;
    CHECK(strstr(refused(bytes, sizeof(bytes)), "outside"));
    make_image(bytes);
    front->dynamic[0].d_un.d_ptr = UINT64_MAX - 7;
    CHECK(strstr(refused(bytes, sizeof(bytes)), "damaged"));
}

TEST(an_entry_outside_of_code_is_refused) {
    static unsigned char bytes[FILE_BYTES];
    struct front *front = (void *)bytes;
    weft_kernel_info *kernel = (void *)(front->note.table + sizeof(weft_image_info));

    make_image(bytes);
    kernel->body[0].entry = DATA;
    CHECK(strstr(refused(bytes, sizeof(bytes)), "entry"));
}

/** Any flipped bits: refused, or loaded as something consistent. Sanitizers watch. */
TEST(flipped_bits_do_no_harm) {
    static unsigned char good[FILE_BYTES], bytes[FILE_BYTES];
    uint64_t state = 88172645463325252u;

    make_image(good);
    for (int round = 0; round < 200000; round++) {
        weft_image *image;
        const char *error;
        memcpy(bytes, good, sizeof(struct front));
        for (int flips = 0; flips < 3; flips++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            bytes[state % sizeof(struct front)] ^= (unsigned char)(1u << (state >> 40 & 7));
        }
        memcpy(bytes + CODE, good + CODE, FILE_BYTES - CODE);
        if (load(bytes, sizeof(bytes), &image, &error) == CL_SUCCESS)
            weft_loader_release(image);
        else
            CHECK(image == NULL && error != NULL);
    }
}

/* ---- systems that refuse executable memory --------------------------------------------------- */

enum { NO_ANONYMOUS = 1, NO_MEMORY_FILE = 2, NO_FILE = 4 };

#define DENY   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES)
#define ARG(n) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]))

/** From here on this process is refused what `ways` says. */
static bool refuse(int ways) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ways & NO_ANONYMOUS ? __NR_mprotect : ~0u, 0, 3),
        ARG(2),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 8),
        DENY,
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ways & NO_MEMORY_FILE ? __NR_memfd_create : ~0u, 0, 1),
        DENY,
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ways & NO_FILE ? __NR_mmap : ~0u, 0, 4),
        ARG(2),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 2),
        DENY,
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/** Loads and runs an image in a child that is refused things: 0 it ran, 1 the error is said, 77. */
static int load_refused(int ways, const char *folder) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        static unsigned char bytes[FILE_BYTES];
        weft_image *image = NULL;
        const char *error = NULL;
        make_image(bytes);
        if (!refuse(ways))
            _exit(77);
        int32_t result = weft_loader_load(&machine, folder, bytes, sizeof(bytes), &image, &error);
        if (result != CL_SUCCESS)
            _exit(result == CL_OUT_OF_HOST_MEMORY && error && strstr(error, "executable") ? 1 : 2);
        weft_loader_kernel(image, 0)->entry[0](NULL, NULL, 0, 0);
        weft_loader_release(image);
        _exit(0);
    }
    CHECK(child > 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        SKIP("this system takes no seccomp filter");
    return WEXITSTATUS(status);
}

static int entries(const char *folder) {
    int count = 0;
    DIR *list = opendir(folder);
    while (list && readdir(list))
        count++;
    if (list)
        closedir(list);
    return count;
}

TEST(last_resorts) {
    char folder[] = "/tmp/weft-loader-XXXXXX";
    weft_isa_detect(&machine, NULL);
    CHECK(mkdtemp(folder));
    CHECK_EQ(load_refused(0, folder), 0);
    CHECK_EQ(load_refused(NO_ANONYMOUS, folder), 0);
    CHECK_EQ(load_refused(NO_ANONYMOUS | NO_MEMORY_FILE, folder), 0);
    CHECK_EQ(load_refused(NO_ANONYMOUS | NO_MEMORY_FILE, "/proc/nowhere"), 0); /* /tmp is left */
    CHECK_EQ(load_refused(NO_ANONYMOUS | NO_MEMORY_FILE | NO_FILE, folder), 1);
    CHECK_EQ(entries(folder), 2); /* "." and "..": nothing is left behind */
    rmdir(folder);
}

TEST_MAIN()

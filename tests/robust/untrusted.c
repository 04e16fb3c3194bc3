// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * CL_CONTEXT_UNTRUSTED_SOURCE_WEFT and WEFT_UNTRUSTED_SOURCE: sources of strangers read the headers
 * that they are given and files beneath folders of -I. Each row is built with and without.
 */
#include "robust/child.h"
#include "robust/find_weft.h"

#include <CL/cl.h>
#include <CL/cl_ext_weft.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* ---- the stage ------------------------------------------------------------------------------- */

static char root[64];

/* Folders end in a slash; "name -> target" is a link; else a header that defines its name. */
static const char *const things[] = {"inside/",
                                     "inside/sub/",
                                     "outside/",
                                     "inside/good.h",
                                     "inside/sub/deep.h",
                                     "inside/private.h",
                                     "outside/secret.h",
                                     "inside/in.h -> sub/deep.h",
                                     "inside/round.h -> sub/../good.h",
                                     "inside/back -> sub",
                                     "inside/out.h -> ../outside/secret.h",
                                     "inside/outer -> ../outside",
                                     "inside/absolute.h -> /etc/passwd",
                                     "inside/loop.h -> loop.h",
                                     "inside/uses.h",
                                     "named -> inside",
                                     NULL};

static bool make_thing(const char *what) {
    char path[256], target[128];
    const char *arrow = strstr(what, " -> ");
    snprintf(path, sizeof path, "%s/%.*s", root, arrow ? (int)(arrow - what) : (int)strlen(what),
             what);
    if (arrow) {
        snprintf(target, sizeof target, "%s", arrow + 4);
        return symlink(target, path) == 0;
    }
    if (what[strlen(what) - 1] == '/')
        return mkdir(path, 0755) == 0;
    FILE *file = fopen(path, "we");
    if (!file)
        return false;
    if (strcmp(what, "inside/uses.h") == 0)
        fputs("#include \"../outside/secret.h\"\n", file);
    else
        fputs("#define FOUND 1\n", file);
    return fclose(file) == 0;
}

/** Once: folders and files below `root`, which is the working directory from then on. */
static bool set_stage(void) {
    if (root[0])
        return true;
    strcpy(root, "/tmp/weft-untrusted-XXXXXX");
    if (!mkdtemp(root) || chdir(root) != 0)
        return false;
    for (size_t i = 0; things[i]; i++)
        if (!make_thing(things[i]))
            return false;
    return mkfifo("inside/pipe.h", 0600) == 0;
}

static void clear_stage(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    if (root[0] && system(command) != 0)
        printf("# %s is left\n", root);
    root[0] = 0;
}

/* ---- building -------------------------------------------------------------------------------- */

typedef struct site {
    cl_platform_id platform;
    cl_device_id device;
} site;

static bool find_site(site *site) {
    return find_weft(&site->platform, &site->device);
}

static cl_context new_context(const site *site, cl_context_properties untrusted) {
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)site->platform,
                                                CL_CONTEXT_UNTRUSTED_SOURCE_WEFT, untrusted, 0};
    return clCreateContext(properties, 1, &site->device, NULL, NULL, NULL);
}

static cl_int build(const site *site, cl_context context, const char *source, const char *options,
                    char log[4096]) {
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    if (!program)
        return status;
    status = clBuildProgram(program, 1, &site->device, options, NULL, NULL);
    log[0] = 0;
    clGetProgramBuildInfo(program, site->device, CL_PROGRAM_BUILD_LOG, 4096, log, NULL);
    clReleaseProgram(program);
    return status;
}

/* ---- what is found --------------------------------------------------------------------------- */

#define KERNEL "\nkernel void k(global int *p) { *p = FOUND; }\n"
#define PROBE(name)                                                                                \
    "#if __has_include(" name ")\n#define FOUND 1\n#endif\nkernel void k(global int *p) "          \
    "{ *p = FOUND; }\n"
#define EMBED(name)                                                                                \
    "constant uchar data[] = {\n#embed " name "\n};\nkernel void k(global int *p) "                \
    "{ *p = data[0]; }\n"

/** Whether a source is built in an ordinary context, and in one for strangers' text. `%s` is the
 *  folder of the stage. */
static const struct row {
    const char *what, *source, *options;
    bool trusted, untrusted;
} rows[] = {
    {"a header in a folder", "#include \"good.h\"" KERNEL, "-I %s/inside", true, true},
    {"in angle brackets", "#include <good.h>" KERNEL, "-I %s/inside", true, true},
    {"in a relative folder", "#include \"good.h\"" KERNEL, "-I inside", true, true},
    {"in a folder with a slash", "#include \"good.h\"" KERNEL, "-I inside/", true, true},
    {"in one by a way round", "#include \"good.h\"" KERNEL, "-I outside/../inside", true, true},
    {"in a link to a folder, named", "#include \"good.h\"" KERNEL, "-I named", true, true},
    {"in the second folder", "#include \"secret.h\"" KERNEL, "-I inside -I outside", true, true},
    {"in a folder of a folder", "#include \"sub/deep.h\"" KERNEL, "-I inside", true, true},
    {".. within", "#include \"sub/../good.h\"" KERNEL, "-I inside", true, true},
    {"a link within", "#include \"in.h\"" KERNEL, "-I inside", true, true},
    {"a link with .. within", "#include \"round.h\"" KERNEL, "-I inside", true, true},
    {"a folder's link within", "#include \"back/deep.h\"" KERNEL, "-I inside", true, true},
    {"by its whole name", "#include \"%s/inside/good.h\"" KERNEL, "-I %s/inside", true, true},
    {"the working directory, named", "#include \"inside/good.h\"" KERNEL, "-I .", true, true},
    {"everything, named", "#include \"%s/outside/secret.h\"" KERNEL, "-I /", true, true},
    {"data in a folder", EMBED("\"%s/inside/good.h\""), "-I %s/inside", true, true},
    {"data by a link within", EMBED("\"%s/inside/in.h\""), "-I %s/inside", true, true},
    {"a probe in a folder", PROBE("<good.h>"), "-I inside", true, true},

    {"the working directory", "#include \"inside/good.h\"" KERNEL, "", true, false},
    {"by its whole name, not named", "#include \"%s/inside/good.h\"" KERNEL, "", true, false},
    {"another file", "#include \"%s/outside/secret.h\"" KERNEL, "-I %s/inside", true, false},
    {"a folder whose name goes on", "#include \"%s/inside/good.h\"" KERNEL, "-I %s/ins", true,
     false},
    {".. out", "#include \"../outside/secret.h\"" KERNEL, "-I inside", true, false},
    {".. out and in", "#include \"../inside/good.h\"" KERNEL, "-I inside", true, false},
    {".. deeper", "#include \"sub/../../outside/secret.h\"" KERNEL, "-I inside", true, false},
    {".. in the folder's name", "#include \"%s/inside/../outside/secret.h\"" KERNEL, "-I %s/inside",
     true, false},
    {"a link out", "#include \"out.h\"" KERNEL, "-I inside", true, false},
    {"a folder's link out", "#include \"outer/secret.h\"" KERNEL, "-I inside", true, false},
    {"a header that goes out", "#include \"uses.h\"" KERNEL, "-I inside", true, false},
    {"a macro's name", "#define H \"../outside/secret.h\"\n#include H" KERNEL, "-I inside", true,
     false},
    {"a probe", PROBE("\"%s/outside/secret.h\""), "-I inside", true, false},
    {"a probe by ..", PROBE("<../outside/secret.h>"), "-I inside", true, false},
    {"a probe by a link", PROBE("<out.h>"), "-I inside", true, false},
    {"data", EMBED("\"%s/outside/secret.h\""), "-I inside", true, false},
    {"data by ..", EMBED("\"%s/inside/../outside/secret.h\""), "-I %s/inside", true, false},
    {"data by a link", EMBED("\"%s/inside/out.h\""), "-I %s/inside", true, false},
    {"data in the working directory", EMBED("\"inside/good.h\""), "", true, false},
    {"import", "#import \"%s/outside/secret.h\"" KERNEL, "-I inside", true, false},
    {"an option", "kernel void k(global int *p) {}", "-include %s/outside/secret.h", false, false},

    {"the kernel's files", EMBED("\"/proc/self/status\""), "", false, false},
    {"the kernel's files, named", EMBED("\"/proc/self/environ\""), "-I /proc", false, false},
    {"a pipe", "#include \"pipe.h\"" KERNEL, "-I inside", false, false},
    {"a folder", "#include \"sub\"" KERNEL, "-I inside", false, false},
    {"a link to itself", "#include \"loop.h\"" KERNEL, "-I inside", false, false},
    {"nothing", "#include \"absent.h\"" KERNEL, "-I inside", false, false},
};

/** `%s` stands for the folder of the stage. */
static const char *filled(const char *format, char text[1024]) {
    const char *at = strstr(format, "%s");
    if (at)
        snprintf(text, 1024, "%.*s%s%s", (int)(at - format), format, root, at + 2);
    else
        snprintf(text, 1024, "%s", format);
    return text;
}

/** Number of rows that came out wrong. */
static unsigned wrong_rows(const site *site, cl_context context, bool untrusted) {
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char source[1024], options[1024], log[4096];
        const struct row *row = &rows[i];
        cl_int status =
            build(site, context, filled(row->source, source), filled(row->options, options), log);
        bool wanted = untrusted ? row->untrusted : row->trusted;
        /* Where another context finds the file, this one says that there is none. */
        bool says = status == CL_SUCCESS || !row->trusted || strstr(row->source, "__has_include") ||
                    strstr(log, "file not found");
        if ((status == CL_SUCCESS) == wanted && says && !strstr(log, "weft: the"))
            continue;
        printf("# %s: status %d, %s\n", row->what, status, log);
        wrong++;
    }
    return wrong;
}

static int builds_rows(void *argument) {
    site site;
    cl_context_properties untrusted = *(const cl_context_properties *)argument;
    REQUIRE(find_site(&site));
    cl_context context = new_context(&site, untrusted);
    REQUIRE(context);
    unsigned wrong = wrong_rows(&site, context, untrusted);
    clReleaseContext(context);
    fflush(stdout);
    REQUIRE(wrong == 0);
    return 0;
}

TEST(every_file_in_an_ordinary_context) {
    CHECK(set_stage());
    CHECK_CHILD(builds_rows, &(cl_context_properties){CL_FALSE});
}

TEST(folders_in_a_context_for_strangers) {
    CHECK(set_stage());
    CHECK_CHILD(builds_rows, &(cl_context_properties){CL_TRUE});
}

/** "What the setting forbids, no application allows": a context that asks for CL_FALSE. */
static int set_by_setting(void *unused) {
    site site;
    (void)unused;
    setenv("WEFT_UNTRUSTED_SOURCE", "1", 1);
    REQUIRE(find_site(&site));
    cl_context context = new_context(&site, CL_FALSE);
    REQUIRE(context && wrong_rows(&site, context, true) == 0);
    clReleaseContext(context);
    fflush(stdout);
    return 0;
}

TEST(folders_by_setting) {
    CHECK(set_stage());
    CHECK_CHILD(set_by_setting, NULL);
}

/** The kernel without Landlock: what enforces then is the compiler's own look at the way. */
static int without_landlock(void *unused) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    (void)unused;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        return CHILD_SKIP;
    return builds_rows(&(cl_context_properties){CL_TRUE});
}

TEST(folders_without_landlock) {
    CHECK(set_stage());
    CHECK_CHILD(without_landlock, NULL);
}

/* ---- headers that are handed over -------------------------------------------------------------
 */

static cl_int compile_with(const site *site, cl_context context, const char *source,
                           const char *header, const char *name) {
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    cl_program given = clCreateProgramWithSource(context, 1, &header, NULL, &status);
    status = clCompileProgram(program, 1, &site->device, "", 1, &given, &name, NULL, NULL);
    clReleaseProgram(program);
    clReleaseProgram(given);
    return status;
}

static int takes_headers(void *unused) {
    static const struct {
        const char *source, *name;
        cl_int status;
    } cases[] = {
        {"#include \"given.h\"" KERNEL, "given.h", CL_SUCCESS},
        {"#include <a/given.h>" KERNEL, "a/given.h", CL_SUCCESS},
        {"#include \"../given.h\"" KERNEL, "../given.h", CL_SUCCESS},
        {"#include \"/given/abs.h\"" KERNEL, "/given/abs.h", CL_SUCCESS},
        {PROBE("\"given.h\""), "given.h", CL_SUCCESS},
        {"#include \"inside/good.h\"" KERNEL, "given.h", CL_COMPILE_PROGRAM_FAILURE},
        {"#include \"given.h\"\n#include \"/etc/passwd\"" KERNEL, "given.h",
         CL_COMPILE_PROGRAM_FAILURE},
    };
    site site;
    (void)unused;
    REQUIRE(find_site(&site));
    cl_context context = new_context(&site, CL_TRUE);
    REQUIRE(context);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cl_int status =
            compile_with(&site, context, cases[i].source, "#define FOUND 1\n", cases[i].name);
        if (status != cases[i].status)
            printf("# case %zu: %d\n", i, status);
        fflush(stdout);
        REQUIRE(status == cases[i].status);
    }
    clReleaseContext(context);
    return 0;
}

TEST(headers_that_are_handed_over) {
    CHECK(set_stage());
    CHECK_CHILD(takes_headers, NULL);
}

/** A module names no files, and is built as before. */
static int takes_spirv(void *unused) {
    static char module[1 << 16];
    char path[4096];
    const char *build_root = getenv("WEFT_BUILD_ROOT");
    cl_int status;
    site site;
    (void)unused;
    snprintf(path, sizeof path, "%s/tests/spirv/barrier.spv", build_root ? build_root : ".");
    FILE *file = fopen(path, "re");
    if (!file)
        return CHILD_SKIP; /* a build without SPIR-V */
    size_t bytes = fread(module, 1, sizeof module, file);
    fclose(file);
    REQUIRE(find_site(&site));
    cl_context context = new_context(&site, CL_TRUE);
    REQUIRE(context);
    cl_program program = clCreateProgramWithIL(context, module, bytes, &status);
    REQUIRE(program);
    REQUIRE(clBuildProgram(program, 1, &site.device, "", NULL, NULL) == CL_SUCCESS);
    clReleaseProgram(program);
    clReleaseContext(context);
    return 0;
}

TEST(spirv_as_before) {
    CHECK_CHILD(takes_spirv, NULL);
}

/* ---- caches -----------------------------------------------------------------------------------
 */

/** A result that was made with a file must not be given to those who may not read it, nor what was
 *  made without one to those who may; in memory, and on disk for another process. */
static int asks_caches(void *unused) {
    static const char *const sources[] = {
        "#include \"inside/good.h\"" KERNEL,
        PROBE("\"inside/good.h\""),
        "#if __has_include(\"inside/good.h\")\n#error there\n#endif\nkernel void k(global int *p) "
        "{ *p = 1; }",
    };
    static const bool built[][2] = {{true, false}, {true, false}, {false, true}};
    site site;
    char log[4096];
    (void)unused;
    REQUIRE(find_site(&site));
    cl_context contexts[2] = {new_context(&site, CL_FALSE), new_context(&site, CL_TRUE)};
    REQUIRE(contexts[0] && contexts[1]);
    for (int round = 0; round < 4; round++)
        for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
            int which = (round + (int)i) % 2;
            cl_int status = build(&site, contexts[which], sources[i], "", log);
            REQUIRE((status == CL_SUCCESS) == built[i][which]);
        }
    clReleaseContext(contexts[0]);
    clReleaseContext(contexts[1]);
    return 0;
}

TEST(caches_keep_them_apart) {
    char folder[128];
    CHECK(set_stage());
    snprintf(folder, sizeof folder, "%s/cache", root);
    CHECK(mkdir(folder, 0700) == 0);
    setenv("WEFT_CACHE", "1", 1);
    setenv("WEFT_CACHE_DIR", folder, 1);
    for (int process = 0; process < 3; process++)
        CHECK_CHILD(asks_caches, NULL);
    setenv("WEFT_CACHE", "0", 1);
}

/* ---- the property -----------------------------------------------------------------------------
 */

static int is_a_property(void *unused) {
    site site;
    char extensions[4096] = "";
    cl_int status;
    cl_context_properties given[5], got[5] = {0};
    (void)unused;
    REQUIRE(find_site(&site));
    clGetPlatformInfo(site.platform, CL_PLATFORM_EXTENSIONS, sizeof extensions, extensions, NULL);
    REQUIRE(strstr(extensions, CL_WEFT_UNTRUSTED_SOURCE_EXTENSION_NAME));
    cl_context context = new_context(&site, CL_TRUE);
    REQUIRE(context);
    REQUIRE(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof got, got, NULL) == CL_SUCCESS);
    REQUIRE(got[2] == CL_CONTEXT_UNTRUSTED_SOURCE_WEFT && got[3] == CL_TRUE && got[4] == 0);
    clReleaseContext(context);
    REQUIRE(!new_context(&site, 2));
    memcpy(given,
           (cl_context_properties[]){CL_CONTEXT_UNTRUSTED_SOURCE_WEFT, CL_TRUE,
                                     CL_CONTEXT_UNTRUSTED_SOURCE_WEFT, CL_TRUE, 0},
           sizeof given);
    REQUIRE(!clCreateContext(given, 1, &site.device, NULL, NULL, &status));
    REQUIRE(status == CL_INVALID_PROPERTY);
    return 0;
}

TEST(it_is_a_property_of_contexts) {
    CHECK_CHILD(is_a_property, NULL);
    clear_stage();
}

TEST_MAIN()

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* An application that loads an LLVM of its own, before or after it uses Weft, for itself or for
 * all: neither sees the other's. */
#include "robust/guest.h"

#include <dlfcn.h>

typedef struct llvm {
    const char *library;
    int flags;
    bool first; /* loaded before Weft is used */
} llvm;

/** A little work with its C interface: a module, verified and written as bitcode. */
static int use_llvm(void *library) {
    void *(*make_context)(void), *(*make_module)(const char *, void *), *(*write)(void *);
    int (*verify)(void *, int, char **);
    void (*free_buffer)(void *), (*free_module)(void *), (*free_context)(void *);
    *(void **)&make_context = dlsym(library, "LLVMContextCreate");
    *(void **)&make_module = dlsym(library, "LLVMModuleCreateWithNameInContext");
    *(void **)&write = dlsym(library, "LLVMWriteBitcodeToMemoryBuffer");
    *(void **)&verify = dlsym(library, "LLVMVerifyModule");
    *(void **)&free_buffer = dlsym(library, "LLVMDisposeMemoryBuffer");
    *(void **)&free_module = dlsym(library, "LLVMDisposeModule");
    *(void **)&free_context = dlsym(library, "LLVMContextDispose");
    REQUIRE(make_context && make_module && write && verify && free_buffer && free_module &&
            free_context);
    void *context = make_context();
    void *module = make_module("guest", context);
    REQUIRE(context && module && verify(module, 2, NULL) == 0);
    void *buffer = write(module);
    REQUIRE(buffer);
    free_buffer(buffer);
    free_module(module);
    free_context(context);
    return 0;
}

static int with_llvm(void *argument) {
    const llvm *how = argument;
    void *library = NULL;
    if (how->first && !(library = dlopen(how->library, how->flags)))
        return CHILD_SKIP;
    if (library)
        REQUIRE_DONE(use_llvm(library));
    REQUIRE_DONE(guest_life(NULL));
    if (!library && !(library = dlopen(how->library, how->flags)))
        return CHILD_SKIP;
    REQUIRE_DONE(use_llvm(library));
    REQUIRE_DONE(guest_life(NULL));
    static guest g;
    REQUIRE_DONE(guest_make(&g));
    REQUIRE_DONE(guest_hold(&g, NULL));
    REQUIRE(dlclose(library) == 0); /* in the middle of a kernel */
    g.word.stop = 1;
    REQUIRE_DONE(guest_use(&g));
    return guest_release(&g);
}

static void check_llvm(const char *library) {
    static const int flags[] = {RTLD_NOW | RTLD_LOCAL, RTLD_NOW | RTLD_GLOBAL};
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SKIP("an LLVM that is not instrumented, in a process that is, proves nothing");
#endif
    for (int i = 0; i < 4; i++) {
        llvm how = {library, flags[i / 2], i % 2};
        int failed = in_child(with_llvm, &how);
        if (failed == CHILD_SKIP)
            SKIP("%s is not installed", library);
        if (failed)
            FAIL("%s, %s, loaded %s: line or status %d", library, i / 2 ? "global" : "local",
                 i % 2 ? "first" : "second", failed);
    }
}

TEST(application_with_llvm_22) {
    check_llvm("libLLVM.so.22.1");
}

TEST(application_with_llvm_15) {
    check_llvm("libLLVM-15.so.1");
}

TEST(application_with_llvm_14) {
    check_llvm("libLLVM-14.so.1");
}

TEST_MAIN()

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Parsers, and passes over expressions, go as deep as the source does. Clang looks at how much of
 * the stack it has used and beyond 8 MiB goes on in a thread of its own, with 8 MiB more. A build
 * may not start threads (confine.cc); it has one stack instead, which is larger and, like all
 * memory, there only as far as it is used. So the linker puts a function in the place of Clang's
 * question (its option --wrap, see meson.build). What most of Clang's parser never asks, the page
 * behind the stack's end answers.
 */
#include "compiler/process/stack.h"

#include <csignal>
#include <cstdint>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

namespace weft {

/** Called by Clang for clang::isStackNearlyExhausted(). */
bool isStackNearlyExhausted() __asm__("__wrap__ZN5clang22isStackNearlyExhaustedEv");
bool isStackNearlyExhausted() {
    return false;
}

const char *const stackOverflowText =
    "the program is nested too deeply: the compiler's stack of 64 MiB is full";

namespace {

constexpr rlim_t stackBytes = rlim_t(64) << 20;
/* A frame is hardly larger: a fault so near to the stack pointer is one of the stack. */
constexpr uintptr_t near = uintptr_t(1) << 20;

void (*onOverflow)();
pid_t firstProcess;
alignas(16) char handlerStack[64 << 10];

void onFault(int, siginfo_t *info, void *context) {
    auto stack =
        static_cast<uintptr_t>(static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RSP]);
    auto fault = reinterpret_cast<uintptr_t>(info->si_addr);
    if (getpid() == firstProcess && fault - (stack - near) < 2 * near)
        onOverflow();
    signal(SIGSEGV, SIG_DFL); /* and the instruction faults again */
}

} // namespace

void useLargeStack(void (*overflown)()) {
    rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max < stackBytes ? limit.rlim_max : stackBytes;
        setrlimit(RLIMIT_STACK, &limit);
    }
    onOverflow = overflown;
    firstProcess = getpid();
    stack_t own = {};
    own.ss_sp = handlerStack;
    own.ss_size = sizeof handlerStack;
    sigaltstack(&own, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, nullptr);
}

} // namespace weft

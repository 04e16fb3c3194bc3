// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* WEFT_REMARKS=1: the build log says how each kernel was compiled (docs/debugging.md). */
#include "start.h"

static const char source[] =
    "kernel void plain(global float *o) { o[get_global_id(0)] *= 2; }\n"
    "kernel void alone(global int *o) { while (atomic_xchg(o, 1)) {} o[1] = 3; }\n";

static void check_log(cl_program program) {
    const char *log = weft_log_of(program, weft_device(0));

    CHECK(strstr(log, "remark: kernel 'plain': runs ") != NULL);
    CHECK(strstr(log, "remark: kernel 'plain': about ") != NULL);
    CHECK(strstr(log, "loads 4 and stores 4 bytes of global memory") != NULL);
    CHECK(strstr(log, "remark: kernel 'alone': runs one work-item at a time: a loop") != NULL);
}

/** The second build finds the first one's result, and its log. */
TEST(the_log_has_remarks) {
    weft_need_compiler();
    start s = begin();

    for (int build = 0; build < 2; build++) {
        cl_program program = weft_built(s.context, source, "");
        check_log(program);
        CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    }
    end(s);
}

TEST_MAIN()

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define WEFT_WAIT(space)                                                                           \
    WEFT_FN void wait_group_events(int count, space event_t *list) {                               \
        (void)count;                                                                               \
        (void)list;                                                                                \
        __weft_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);       \
    }
WEFT_WAIT(__private)
WEFT_WAIT(__generic)
WEFT_WAIT(__local)
WEFT_WAIT(__global)
#undef WEFT_WAIT

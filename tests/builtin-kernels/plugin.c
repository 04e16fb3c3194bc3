// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Plug-ins for tests/builtin-kernels/kernels.c, good and bad: PLUGIN says which. */

#include <CL/cl_ext_weft.h>

#define GOOD        0
#define BAD_VERSION 1
#define BAD_NAME    2
#define TAKEN_NAME  3
#define NO_SYMBOL   4

static void add(int *out, const int *in, int n) {
    for (int i = 0; i < n; i++)
        out[i] += in[i];
}

/* All types that a value can have. */
__attribute__((unused)) static void values(double *out, char a, unsigned char b, short c,
                                           unsigned short d, int e, unsigned f, long g,
                                           unsigned long h, float i, double j) {
    const double all[] = {a, b, c, d, e, f, (double)g, (double)h, i, j};
    for (int k = 0; k < 10; k++)
        out[k] = all[k];
}

/* One word for each group: where it is and how large. */
__attribute__((unused)) static void groups(const cl_built_in_group_weft *group, cl_ulong *out,
                                           unsigned tag) {
    size_t number =
        group->group_id[0] +
        group->num_groups[0] * (group->group_id[1] + group->num_groups[1] * group->group_id[2]);
    cl_ulong *to = out + 8 * number;

    for (int i = 0; i < 3; i++) {
        to[i] = group->first_item[i];
        to[3 + i] = group->local_size[i];
    }
    to[6] = group->work_dim + 100 * (group->enqueued_size[0] + 100 * group->global_size[0]);
    to[7] = tag + (group->local_memory ? 1000 : 0);
}

/* A pointer that comes back, local memory of two kinds, a result that nobody wants. */
__attribute__((unused)) static int *scratch(const cl_built_in_group_weft *group, int *out,
                                            int *mine, int n) {
    int *own = group->local_memory;

    for (int i = 0; i < n; i++) {
        mine[i] = (int)group->group_id[0] + i;
        own[i] = 2 * mine[i];
    }
    out[group->group_id[0]] = 0;
    for (int i = 0; i < n; i++)
        out[group->group_id[0]] += mine[i] + own[i];
    return out;
}

static const cl_built_in_kernel_weft kernels[] = {
#if PLUGIN == BAD_NAME
    {"two words", "int n", (void (*)(void))add, 0, 1, 0, {0, 0, 0}},
#elif PLUGIN == TAKEN_NAME
    {"test.unseen", "global int *out, global int *in, int n", (void (*)(void))add, 0, 1, 0, {0}},
    {"test.add", "global int *out, global int *in, int n", (void (*)(void))add, 0, 1, 0, {0}},
#else
    {"test.add",
     "global int *out, global const int *restrict in, int n",
     (void (*)(void))add,
     0,
     CL_MAKE_VERSION(1, 2, 3),
     0,
     {1, 1, 1}},
    {"test.values",
     "global double *out, char a, unsigned char b, short c, ushort d, signed e, unsigned f, long "
     "g, size_t h, float i, double j",
     (void (*)(void))values,
     0,
     1,
     0,
     {1, 1, 1}},
    {"test.groups",
     "global ulong *out, uint tag",
     (void (*)(void))groups,
     CL_BUILT_IN_KERNEL_GROUP_WEFT,
     1,
     0,
     {0, 0, 0}},
    {"test.scratch",
     "global int *out, local int *mine, int n",
     (void (*)(void))scratch,
     CL_BUILT_IN_KERNEL_GROUP_WEFT,
     1,
     1024,
     {1, 1, 1}},
#endif
};

#if PLUGIN == NO_SYMBOL
#define weft_built_in_kernels something_else
#endif

const cl_built_in_plugin_weft weft_built_in_kernels = {
    CL_BUILT_IN_KERNEL_ABI_WEFT + (PLUGIN == BAD_VERSION), sizeof(cl_built_in_kernel_weft),
    sizeof(kernels) / sizeof(kernels[0]), kernels};

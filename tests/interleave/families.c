// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Families (device-cpu/child.c): kernels enqueue kernels, markers and user events; a root ends
 * once, when all that it and its children have enqueued has, and then nothing of it is left. */

#include "explore.h"

#include "child.h"
#include "cpu.h"

#include <CL/cl.h>

enum { ROLES = 5, MOST_GROUPS = 2 };

/* What a kernel is in a scenario: its place in the tables below. Role 0 is the root. */
typedef struct role {
    weft_kernel_info info;
    weft_kernel_code code;
    int ran[MOST_GROUPS];
    void (*then)(const weft_launch *launch, weft_worker *worker, uint64_t group);
} role;

static const weft_device_ops *ops;
static weft_device *device;
static weft_device_queue *queue;
static role roles[ROLES];
static weft_work root;
static int begun, done;
static int32_t status;

static void on_begin(weft_work *work) {
    (void)work;
    begun++;
}

static void on_done(weft_work *work, int32_t with, weft_runner *runner) {
    (void)work;
    (void)runner;
    done++;
    status = with;
}

static bool is_done(void *unused) {
    (void)unused;
    return done;
}

static role *role_of(const weft_launch *launch) {
    return *(role *const *)launch->args;
}

static void kernel(const weft_launch *launch, weft_worker *worker, uint64_t first, uint64_t count) {
    role *mine = role_of(launch);

    EXPLORE_EQ(done, 0);
    for (uint64_t group = first; group < first + count; group++) {
        explore_point("in a kernel");
        if (mine->then)
            mine->then(launch, worker, group);
        mine->ran[group]++;
    }
}

static void setup(void) {
    const weft_cpu_settings settings = {.threads = 2, .chunk_groups = 1, .no_herald = true};

    ops = weft_cpu_ops();
    device = weft_cpu_create(&settings);
    EXPLORE_CHECK(device);
    queue = ops->queue_create(device, 4096);
    EXPLORE_CHECK(queue);
}

static void fill_launch(weft_launch *launch, role *const *which, uint64_t groups) {
    launch->abi_version = WEFT_ABI_VERSION;
    launch->work_dim = 1;
    launch->args = (void *)(uintptr_t)which;
    for (int i = 0; i < 3; i++)
        launch->global_size[i] = launch->local_size[i] = launch->num_groups[i] = 1;
    launch->global_size[0] = launch->num_groups[0] = groups;
}

static void make_roles(void) {
    memset(roles, 0, sizeof(roles));
    memset(&root, 0, sizeof(root));
    begun = done = 0;
    status = 1;
    for (int i = 0; i < ROLES; i++) {
        roles[i].info.width = 1;
        roles[i].code.info = &roles[i].info;
        roles[i].code.entry[WEFT_SHAPE_ROWS] = kernel;
    }
}

/* Submits the root; waits for it as clWaitForEvents does. */
static void run_root(void *groups) {
    static role *const which = &roles[0];

    root.kind = WEFT_WORK_KERNEL;
    root.kernel.code = &roles[0].code;
    root.begin = on_begin;
    root.done = on_done;
    fill_launch(&root.kernel.launch, &which, (uint64_t)(uintptr_t)groups);
    ops->submit(device, &root, NULL);
    if (!done)
        ops->help(device, &root, NULL);
    explore_await(is_done, NULL);
}

/* ---- what kernels do ---------------------------------------------------------------------------
 */

static weft_child *enqueue(weft_child_kind kind, const weft_launch *launch, weft_worker *worker,
                           int number, uint32_t flags, uint32_t count, void *const *list,
                           bool event) {
    weft_child_wish wish = {.kind = kind,
                            .parent = launch->command,
                            .queue = kind == WEFT_CHILD_USER ? NULL : queue,
                            .wait_count = count,
                            .wait_list = list,
                            .event = event || kind != WEFT_CHILD_KERNEL,
                            .extra = WEFT_BLOCK_ALIGN};
    int32_t error;
    void *extra;
    weft_child *child = weft_child_create(&wish, &extra, &error);

    EXPLORE_CHECK(child);
    if (kind == WEFT_CHILD_KERNEL) {
        *(role **)extra = &roles[number];
        child->node.has_work = true;
        child->work.kernel.code = &roles[number].code;
        fill_launch(&child->work.kernel.launch, extra, 1);
    }
    weft_child_commit(child, &wish, flags, weft_runner_of(worker));
    return child;
}

static void enqueue_plain(const weft_launch *launch, weft_worker *worker, int number,
                          uint32_t flags) {
    enqueue(WEFT_CHILD_KERNEL, launch, worker, number, flags, 0, NULL, false);
}

/* ---- what all scenarios must come to -----------------------------------------------------------
 */

static void check_family(int32_t wanted, int children) {
    const weft_pool *pool = &device->pool;
    long lasting = atomic_load(&pool->started);

    EXPLORE_EQ(begun, 1);
    EXPLORE_EQ(done, 1);
    EXPLORE_EQ(status, wanted);
    for (int i = 1; i < ROLES; i++)
        EXPLORE_EQ(roles[i].ran[0], i <= children);
    EXPLORE_CHECK(!atomic_load(&pool->inbox) && !pool->first);
    EXPLORE_EQ(atomic_load(&pool->listed), 0);
    EXPLORE_EQ(atomic_load(&queue->used), 0);
    for (int i = 0; i < WEFT_HELPERS; i++)
        lasting += atomic_load(&pool->helpers[i]) != NULL;
    EXPLORE_EQ(explore_live_blocks(), lasting);
}

/* ---- two groups at once, children and their children -------------------------------------------
 */

static void have_children(const weft_launch *launch, weft_worker *worker, uint64_t group) {
    enqueue_plain(launch, worker, group ? 2 : 1, WEFT_ENQUEUE_NO_WAIT);
}

/* Waits for the end of its parent, of one group. */
static void have_grandchild(const weft_launch *launch, weft_worker *worker, uint64_t group) {
    (void)group;
    enqueue_plain(launch, worker, 3, WEFT_ENQUEUE_WAIT_KERNEL);
}

static void parent_has_run(const weft_launch *launch, weft_worker *worker, uint64_t group) {
    (void)launch;
    (void)worker;
    (void)group;
    EXPLORE_EQ(roles[1].ran[0], 1);
}

static void two_groups(void) {
    make_roles();
    roles[0].then = have_children;
    roles[1].then = have_grandchild;
    roles[3].then = parent_has_run;
    explore_thread("host", run_root, (void *)2);
}

static void three_children(void) {
    check_family(CL_SUCCESS, 3);
}

/* ---- a child that waits for the whole kernel, and one for its group ----------------------------
 */

static void waits_for_parent(const weft_launch *launch, weft_worker *worker, uint64_t group) {
    enqueue_plain(launch, worker, (int)group + 1,
                  group ? WEFT_ENQUEUE_WAIT_KERNEL : WEFT_ENQUEUE_WAIT_WORK_GROUP);
}

static void group_has_run(const weft_launch *launch, weft_worker *worker, uint64_t group) {
    (void)launch;
    (void)worker;
    (void)group;
    EXPLORE_EQ(roles[0].ran[0], 1);
}

static void kernel_has_run(const weft_launch *launch, weft_worker *worker, uint64_t group) {
    (void)launch;
    (void)worker;
    (void)group;
    EXPLORE_EQ(roles[0].ran[0], 1);
    EXPLORE_EQ(roles[0].ran[1], 1);
}

static void waiting_for_parents(void) {
    make_roles();
    roles[0].then = waits_for_parent;
    roles[1].then = group_has_run;
    roles[2].then = kernel_has_run;
    explore_thread("host", run_root, (void *)2);
}

static void two_children(void) {
    check_family(CL_SUCCESS, 2);
}

/* ---- a user event is set while others wait for it ----------------------------------------------
 */

static weft_child *user;

static void set_user(const weft_launch *launch, weft_worker *worker, uint64_t group) {
    (void)launch;
    (void)group;
    weft_child_set_status(user, CL_COMPLETE, weft_runner_of(worker));
    weft_child_release(user);
}

/* Its first child sets the event; the second one waits for that, a marker for the second, and a
 * third child for the marker. */
static void have_chain(const weft_launch *launch, weft_worker *worker, uint64_t group) {
    (void)group;
    user = enqueue(WEFT_CHILD_USER, launch, worker, 0, 0, 0, NULL, true);
    weft_child_retain(user);
    enqueue_plain(launch, worker, 1, WEFT_ENQUEUE_NO_WAIT);
    void *list[] = {user};
    weft_child *second =
        enqueue(WEFT_CHILD_KERNEL, launch, worker, 2, WEFT_ENQUEUE_NO_WAIT, 1, list, true);
    void *after[] = {second};
    weft_child *marker =
        enqueue(WEFT_CHILD_MARKER, launch, worker, 0, WEFT_ENQUEUE_NO_WAIT, 1, after, true);
    void *last[] = {marker, user};
    enqueue(WEFT_CHILD_KERNEL, launch, worker, 3, WEFT_ENQUEUE_NO_WAIT, 2, last, false);
    weft_child_release(user);
    weft_child_release(second);
    weft_child_release(marker);
}

static void second_has_run(const weft_launch *launch, weft_worker *worker, uint64_t group) {
    (void)launch;
    (void)worker;
    (void)group;
    EXPLORE_EQ(roles[2].ran[0], 1);
}

static void chain(void) {
    make_roles();
    roles[0].then = have_chain;
    roles[1].then = set_user;
    roles[3].then = second_has_run;
    explore_thread("host", run_root, (void *)1);
}

/* ---- a user event that nobody sets -------------------------------------------------------------
 */

static void have_stuck(const weft_launch *launch, weft_worker *worker, uint64_t group) {
    if (group) {
        enqueue_plain(launch, worker, 1, WEFT_ENQUEUE_NO_WAIT);
        return;
    }
    user = enqueue(WEFT_CHILD_USER, launch, worker, 0, 0, 0, NULL, true);
    void *list[] = {user};
    enqueue(WEFT_CHILD_KERNEL, launch, worker, 2, WEFT_ENQUEUE_NO_WAIT, 1, list, false);
}

static void stuck(void) {
    make_roles();
    roles[0].then = have_stuck;
    explore_thread("host", run_root, (void *)2);
}

static void given_up(void) {
    check_family(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, 1);
}

static const explore_scenario scenarios[] = {
    {"children_and_grandchildren",
     NULL,
     two_groups,
     three_children,
     {{FAULT_SPLIT, "drop_active", "fetch_sub", "&family->active", 1,
       "who runs is counted by looking and then storing"},
      {FAULT_SPLIT, "family_of", "compare_exchange", "&work->kernel.family", 1,
       "two make a family of one kernel"},
      {FAULT_UNLOCKED, "join_family", "lock", "&family->lock", 1, "nodes join without the lock"}}},
    {"children_that_wait_for_parents", NULL, waiting_for_parents, two_children, {{0}}},
    {"a_user_event_is_set",
     NULL,
     chain,
     three_children,
     {{FAULT_RELAXED, "weft_edges_close", "exchange", "edges", 1, "who waits need not be seen"},
      {FAULT_SPLIT, "weft_edges_add", "compare_exchange", "edges", 1,
       "an edge is added to a list that may have been closed"}}},
    {"a_user_event_that_nobody_sets", NULL, stuck, given_up, {{0}}},
};

int main(int argc, char **argv) {
    return explore_main(argc, argv, setup, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The files of the disk cache: what is kept is found, what is damaged or not ours is a miss, and
 * nothing that goes wrong is more than that. */
#include "unit/store_test.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

/* ---- what is kept is found ------------------------------------------------------------------ */

TEST(round_trip) {
    int before = open_descriptors();
    open_store(LIMIT);
    weft_cache_keys keys = keys_of(1), other = keys_of(2);
    CHECK_EQ(find(1, 1000), ENOENT);
    CHECK(!weft_store_has_inputs(&store, &keys));
    CHECK_EQ(count_files(""), -1); /* nothing made by looking */
    CHECK_EQ(add(1, 1000), 0);
    CHECK_EQ(find(1, 1000), 0);
    CHECK_EQ(find(2, 1000), ENOENT);
    CHECK(weft_store_has_inputs(&store, &keys));
    CHECK(weft_store_has_inputs(&store, &other)); /* other options */
    other = keys_of(16);
    CHECK(!weft_store_has_inputs(&store, &other));
    CHECK_EQ(add(1, 1000), 0); /* again, over the first */
    CHECK_EQ(find(1, 1000), 0);
    CHECK_EQ(count_files("t"), 0);
    CHECK_EQ(count_files(""), 2);
    CHECK_EQ(add(3, 3000001), 0);
    CHECK_EQ(find(3, 3000001), 0);
    close_store();
    CHECK_EQ(open_descriptors(), before);
}

TEST(parts_may_be_missing_or_empty) {
    open_store(LIMIT);
    weft_cache_keys keys = keys_of(1);
    weft_job_result kept = {.is_library = true}, found = {0};
    kept.log = weft_blob_create("", 0);
    kept.ir = weft_blob_create("bitcode", 7);
    CHECK_EQ(weft_store_add(&store, &keys, &kept, false), 0);
    CHECK_EQ(count_files("s"), 0);
    CHECK_EQ(weft_store_find(&store, &keys, &found), 0);
    CHECK(same_result(&kept, &found) && found.is_library && !found.image);
    weft_job_result_finish(&found);
    weft_job_result_finish(&kept);
    close_store();
}

TEST(files_are_private) {
    struct stat status;
    open_store(LIMIT);
    mode_t mask = umask(0);
    CHECK_EQ(add(1, 10), 0);
    umask(mask);
    CHECK(stat(result_path(1), &status) == 0 && (status.st_mode & 07777) == 0600);
    CHECK(stat(store.folder, &status) == 0 && (status.st_mode & 07777) == 0700);
    close_store();
}

static int add_and_find(void *number) {
    return add(*(uint64_t *)number, 5000) == 0 && find(*(uint64_t *)number, 5000) == 0 ? 0 : 1;
}

TEST(another_process) {
    uint64_t number = 5;
    open_store(LIMIT);
    CHECK_EQ(in_child(add_and_find, &number), 0);
    CHECK_EQ(find(5, 5000), 0);
    close_store();
}

TEST(no_folder_no_limit) {
    weft_store_init(&store, NULL, LIMIT);
    CHECK(find(1, 1) == ENOENT && add(1, 1) == ENOENT && weft_store_trim(&store) == 0);
    weft_store_finish(&store);
    weft_store_init(&store, "/tmp", 0);
    CHECK(!store.folder);
    weft_store_finish(&store);
}

TEST(folder_that_is_none) {
    weft_store_init(&store, "/dev/null", LIMIT);
    CHECK(find(1, 1) == ENOTDIR && add(1, 1) == ENOTDIR && weft_store_trim(&store) == ENOTDIR);
    weft_store_finish(&store);
}

TEST(folder_of_the_environment) {
    char path[PATH_MAX], here[PATH_MAX], wanted[PATH_MAX + 8], name[PATH_MAX + 2];
    CHECK(getcwd(here, sizeof here));
    snprintf(wanted, sizeof wanted, "%s/sub", here);
    setenv("HOME", "/home/me", 1);
    setenv("XDG_CACHE_HOME", "/var/xdg", 1);
    CHECK(weft_store_folder("/mine", path) && !strcmp(path, "/mine"));
    CHECK(weft_store_folder("sub", path) && !strcmp(path, wanted));
    CHECK(weft_store_folder(NULL, path) && !strcmp(path, "/var/xdg/weft"));
    CHECK(weft_store_folder("", path) && !strcmp(path, "/var/xdg/weft"));
    setenv("XDG_CACHE_HOME", "relative", 1); /* "ignore it" */
    CHECK(weft_store_folder(NULL, path) && !strcmp(path, "/home/me/.cache/weft"));
    unsetenv("XDG_CACHE_HOME");
    if (geteuid() == 0) { /* sudo */
        char home[] = "/tmp/weft-home-XXXXXX";
        CHECK(mkdtemp(home));
        setenv("HOME", home, 1);
        bool own = weft_store_folder(NULL, path), other = true;
        if (chown(home, 1, 1) == 0)
            other = weft_store_folder(NULL, path);
        rmdir(home);
        CHECK(own && !other);
    }
    setenv("HOME", "", 1);
    CHECK(!weft_store_folder(NULL, path));
    unsetenv("HOME");
    CHECK(!weft_store_folder(NULL, path));
    memset(name, '/', sizeof name - 1);
    name[sizeof name - 1] = 0;
    CHECK(!weft_store_folder(name, path));
}

TEST(at_most_two_folders_are_made) {
    char path[256];
    open_store(LIMIT);
    weft_store_finish(&store);
    snprintf(path, sizeof path, "%s/no-home/.cache/weft", folder);
    weft_store_init(&store, path, LIMIT);
    CHECK_EQ(add(1, 10), ENOENT);
    snprintf(path, sizeof path, "%s/no-home", folder);
    CHECK(!there(path));
    CHECK_EQ(mkdir(path, 0700), 0);
    CHECK_EQ(add(1, 10), 0);
    CHECK_EQ(find(1, 10), 0);
    close_store();
}

/* ---- damage --------------------------------------------------------------------------------- */

static size_t read_file(const char *path, unsigned char *bytes, size_t room) {
    int fd = open(path, O_RDONLY);
    ssize_t length = read(fd, bytes, room);
    close(fd);
    return length < 0 ? 0 : (size_t)length;
}

static void write_file(const char *path, const unsigned char *bytes, size_t length) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(fd >= 0 && write(fd, bytes, length) == (ssize_t)length);
    close(fd);
}

static void check_damaged(uint64_t number, size_t image_bytes) {
    CHECK_EQ(find(number, image_bytes), EBADMSG);
    CHECK(!there(result_path(number)));
    CHECK_EQ(find(number, image_bytes), ENOENT);
}

TEST(every_truncation_is_a_miss) {
    unsigned char bytes[1024];
    int before = open_descriptors();
    open_store(LIMIT);
    CHECK_EQ(add(1, 100), 0);
    size_t length = read_file(result_path(1), bytes, sizeof bytes);
    CHECK(length > 100 && length < sizeof bytes);
    bytes[length] = 0;
    for (size_t shorter = 0; shorter < length; shorter++) {
        write_file(result_path(1), bytes, shorter);
        check_damaged(1, 100);
    }
    write_file(result_path(1), bytes, length + 1);
    check_damaged(1, 100);
    write_file(result_path(1), bytes, length);
    CHECK_EQ(find(1, 100), 0);
    close_store();
    CHECK_EQ(open_descriptors(), before);
}

TEST(every_flipped_bit_is_a_miss) {
    unsigned char bytes[1024];
    open_store(LIMIT);
    CHECK_EQ(add(1, 50), 0);
    size_t length = read_file(result_path(1), bytes, sizeof bytes);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        write_file(result_path(1), bytes, length);
        check_damaged(1, 50);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    close_store();
}

TEST(another_keys_file_is_a_miss) {
    char from[256];
    open_store(LIMIT);
    CHECK_EQ(add(1, 50), 0);
    snprintf(from, sizeof from, "%s", result_path(1));
    CHECK_EQ(rename(from, result_path(2)), 0);
    check_damaged(2, 50);
    close_store();
}

static void make_socket(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(strlen(path) < sizeof address.sun_path);
    strcpy(address.sun_path, path);
    CHECK_EQ(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    close(fd);
}

/* Two jobs of one key: XXH3 is no secret, and on e8e9dd5 a program that was compiled, not run,
 * could give its code to another, in memory and on disk. */
TEST(another_jobs_content_is_a_miss) {
    weft_cache_keys honest = keys_of(1), hostile = honest;
    weft_job_result result = make_result(1, 50), found = {0};
    weft_cache cache;
    open_store(LIMIT);
    weft_cache_init(&cache, 1 << 20);
    honest.content = weft_blob_create("honest!", 7);
    hostile.content = weft_blob_create("hostile", 7);
    CHECK_EQ(weft_store_add(&store, &hostile, &result, true), 0);
    weft_cache_add(&cache, &hostile, &result);
    CHECK_EQ(weft_store_find(&store, &honest, &found), ENOENT);
    CHECK(!weft_cache_find(&cache, &honest, &found));
    CHECK_EQ(weft_store_find(&store, &hostile, &found), 0);
    weft_job_result_finish(&found);
    CHECK(weft_cache_find(&cache, &hostile, &found));
    weft_job_result_finish(&found);
    /* On disk the last one stays, in memory both. */
    CHECK_EQ(weft_store_add(&store, &honest, &result, true), 0);
    weft_cache_add(&cache, &honest, &result);
    CHECK_EQ(weft_store_find(&store, &honest, &found), 0);
    weft_job_result_finish(&found);
    CHECK_EQ(weft_store_find(&store, &hostile, &found), ENOENT);
    CHECK_EQ(weft_store_verify(&store, honest.job), 0);
    for (int i = 0; i < 2; i++) {
        CHECK(weft_cache_find(&cache, i ? &honest : &hostile, &found));
        weft_job_result_finish(&found);
    }
    weft_cache_finish(&cache);
    weft_job_result_finish(&result);
    weft_blob_release(&honest.content);
    weft_blob_release(&hostile.content);
    close_store();
}

/* Every part of a job is part of its content, and where one ends. */
TEST(contents_tell_jobs_apart) {
    const weft_job_input one[] = {
        {.kind = WEFT_INPUT_SOURCE, .name = "a", .data = "xy", .bytes = 2}};
    const weft_job_input two[] = {
        {.kind = WEFT_INPUT_SOURCE, .name = "ax", .data = "y", .bytes = 1}};
    const weft_job jobs[] = {
        {.kind = WEFT_JOB_BUILD, .isa = "v3", .inputs = one, .input_count = 1},
        {.kind = WEFT_JOB_BUILD, .isa = "v3", .inputs = two, .input_count = 1},
        {.kind = WEFT_JOB_COMPILE, .isa = "v3", .inputs = one, .input_count = 1},
        {.kind = WEFT_JOB_BUILD, .isa = "v4", .inputs = one, .input_count = 1},
        {.kind = WEFT_JOB_BUILD, .isa = "v3", .inputs = one, .input_count = 1, .options = "-g"},
        {.kind = WEFT_JOB_BUILD, .isa = "v3", .inputs = one, .input_count = 1, .switches = "-g"},
        {.kind = WEFT_JOB_BUILD, .isa = "v3", .inputs = one, .input_count = 1, .untrusted = true},
        {.kind = WEFT_JOB_BUILD, .isa = "v3", .extensions = "v3", .inputs = one, .input_count = 1},
        {.kind = WEFT_JOB_BUILD, .isa = "v3"},
    };
    enum { COUNT = sizeof(jobs) / sizeof(*jobs) };
    weft_cache_keys keys[COUNT], again;
    for (int i = 0; i < COUNT; i++)
        CHECK(weft_cache_keys_of(&jobs[i], &keys[i]));
    for (int i = 0; i < COUNT; i++) {
        CHECK(weft_cache_keys_of(&jobs[i], &again));
        for (int j = 0; j < COUNT; j++) {
            CHECK_EQ(weft_cache_same_content(again.content, keys[j].content), i == j);
            CHECK_EQ(memcmp(&again.job, &keys[j].job, sizeof(again.job)) == 0, i == j);
        }
        weft_blob_release(&again.content);
    }
    for (int i = 0; i < COUNT; i++)
        weft_blob_release(&keys[i].content);
}

TEST(what_is_no_file_is_a_miss) {
    char good[256], inside[300];
    open_store(LIMIT);
    CHECK_EQ(add(1, 50), 0);
    snprintf(good, sizeof good, "%s", result_path(1));
    for (int round = 0; round < 5; round++) {
        const char *path = result_path(2);
        if (round == 0)
            CHECK_EQ(mkfifo(path, 0600), 0);
        else if (round == 1)
            CHECK_EQ(symlink(good, path), 0);
        else if (round == 2)
            CHECK_EQ(symlink("/dev/zero", path), 0);
        else if (round == 3)
            make_socket(path);
        else
            CHECK_EQ(mkdir(path, 0700), 0);
        check_damaged(2, 50);
        CHECK_EQ(find(1, 50), 0); /* a link's target stays */
    }
    CHECK_EQ(mkdir(result_path(2), 0700), 0); /* somebody's, with something in it */
    snprintf(inside, sizeof inside, "%s/x", result_path(2));
    CHECK_EQ(mkdir(inside, 0700), 0);
    CHECK_EQ(find(2, 50), EBADMSG);
    CHECK(there(inside));
    CHECK(add(2, 50) != 0);
    CHECK_EQ(count_files("t"), 0);
    close_store();
}

TEST(what_others_may_write_is_a_miss) {
    open_store(LIMIT);
    CHECK_EQ(add(1, 50), 0);
    CHECK_EQ(chmod(result_path(1), 0602), 0);
    check_damaged(1, 50);
    if (geteuid() == 0) {
        CHECK_EQ(add(1, 50), 0);
        CHECK_EQ(chown(result_path(1), 1, 1), 0);
        CHECK_EQ(find(1, 50), EBADMSG);
        CHECK(there(result_path(1)));
    }
    close_store();
}

/* The files' owner and mode were looked at on e8e9dd5, the folder's not. */
TEST(folder_that_others_may_write_to) {
    static const mode_t modes[] = {0720, 0702, 0777};
    open_store(LIMIT);
    CHECK_EQ(add(1, 50), 0);
    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
        CHECK_EQ(chmod(store.folder, modes[i]), 0);
        CHECK_EQ(find(1, 50), EPERM);
        CHECK_EQ(add(2, 50), EPERM);
        CHECK(there(result_path(1)) && !there(result_path(2)));
    }
    CHECK_EQ(chmod(store.folder, 0755), 0);
    CHECK_EQ(find(1, 50), 0);
    CHECK_EQ(chmod(store.folder, 01777), 0); /* nobody else can rename or remove what is ours */
    CHECK_EQ(find(1, 50), 0);
    if (geteuid() == 0) {
        CHECK_EQ(chown(store.folder, 1, 1), 0);
        CHECK_EQ(find(1, 50), EPERM);
        CHECK_EQ(add(2, 50), EPERM);
        CHECK_EQ(chown(store.folder, 0, 0), 0);
    }
    close_store();
}

/* ---- file systems --------------------------------------------------------------------------- */

static int without_permission(void *argument) {
    (void)argument;
    if (geteuid() == 0)
        REQUIRE(chown(folder, 65534, 65534) == 0 && chown(store.folder, 65534, 65534) == 0 &&
                seteuid(65534) == 0);
    REQUIRE(add(1, 10) == 0 && find(1, 10) == 0);
    REQUIRE(chmod(store.folder, 0500) == 0);
    REQUIRE(add(2, 10) == EACCES && find(1, 10) == 0 && find(2, 10) == ENOENT);
    REQUIRE(truncate(result_path(1), 20) == 0);
    REQUIRE(find(1, 10) == EBADMSG && there(result_path(1))); /* cannot be removed */
    REQUIRE(chmod(store.folder, 0) == 0);
    REQUIRE(add(1, 10) == EACCES && find(1, 10) == EACCES);
    REQUIRE(chmod(store.folder, 0700) == 0);
    REQUIRE(count_files("t") == 0 && find(1, 10) == EBADMSG && add(1, 10) == 0);
    REQUIRE(chmod(result_path(1), 0) == 0);
    REQUIRE(find(1, 10) == EBADMSG && find(1, 10) == ENOENT);
    return 0;
}

TEST(folder_without_permission) {
    open_store(LIMIT);
    CHECK_EQ(mkdir(store.folder, 0700), 0);
    CHECK_CHILD(without_permission, NULL);
    close_store();
}

/** Fills a file system of 256 KiB. */
static int full_file_system(void *argument) {
    uid_t user = geteuid();
    (void)argument;
    if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWNS | CLONE_NEWUSER) != 0)
        return CHILD_SKIP;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", folder, "tmpfs", 0, "size=256k,mode=0777") != 0)
        return CHILD_SKIP;
    REQUIRE(geteuid() == user || user != 0);
    uint64_t number = 0;
    while (number < 100 && add(number, 20000) == 0)
        number++;
    REQUIRE(number > 3 && number < 20);
    REQUIRE(add(number, 20000) == ENOSPC);
    REQUIRE(count_files("t") == 0 && count_files("r") == (int)number);
    for (uint64_t i = 0; i < number; i++)
        REQUIRE(find(i, 20000) == 0);
    REQUIRE(mount("none", folder, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL) == 0);
    REQUIRE(add(0, 10) == EROFS && find(0, 20000) == 0);
    return 0;
}

TEST(full_and_read_only_file_system) {
    open_store(LIMIT);
    int failed = in_child(full_file_system, NULL);
    close_store();
    if (failed == CHILD_SKIP)
        SKIP("no file system may be mounted here");
    CHECK_EQ(failed, 0);
}

static int limited(void *argument) {
    struct rlimit small = {4096, 4096}, none = {3, 3};
    (void)argument;
    REQUIRE(add(1, 100) == 0);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    REQUIRE(add(2, 100000) == EFBIG); /* and no SIGXFSZ, which would end this process */
    REQUIRE(add(3, 100) == 0);
    REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
    REQUIRE(find(1, 100) == EMFILE && add(4, 100) == EMFILE && there(result_path(1)));
    return 0;
}

TEST(limits_of_the_process) {
    open_store(LIMIT);
    CHECK_CHILD(limited, NULL);
    CHECK_EQ(count_files("t"), 0);
    close_store();
}

static int closed_streams(void *argument) {
    (void)argument;
    for (int fd = 0; fd < 3; fd++)
        close(fd);
    REQUIRE(add(1, 100) == 0 && find(1, 100) == 0 && weft_store_trim(&store) == 0);
    for (int fd = 0; fd < 64; fd++)
        REQUIRE(fcntl(fd, F_GETFD) < 0 || fd > 2);
    return 0;
}

TEST(standard_streams_closed) {
    open_store(LIMIT);
    CHECK_CHILD(closed_streams, NULL);
    close_store();
}

/* ---- size ----------------------------------------------------------------------------------- */

TEST(oldest_leave_first) {
    char foreign[128], abandoned[256], fresh[256];
    open_store(1 << 20);
    for (uint64_t i = 0; i < 12; i++) {
        CHECK_EQ(add(i, 60000), 0);
        set_age(result_path(i), 1000 - (long)i);
    }
    CHECK_EQ(find(0, 60000), 0); /* now the newest */
    snprintf(foreign, sizeof foreign, "%s/weft/mine", folder);
    write_file(foreign, (const unsigned char *)"x", 1);
    snprintf(abandoned, sizeof abandoned, "%s", path_of('t', (weft_cache_key){1, 1}));
    snprintf(fresh, sizeof fresh, "%s", path_of('t', (weft_cache_key){2, 2}));
    write_file(abandoned, (const unsigned char *)"x", 1);
    write_file(fresh, (const unsigned char *)"x", 1);
    set_age(abandoned, 7200);
    CHECK_EQ(weft_store_trim(&store), 0);
    CHECK_EQ(count_files("r"), 12); /* below the limit */
    CHECK(!there(abandoned) && there(fresh) && there(foreign));
    store.limit = 512 << 10;
    CHECK_EQ(weft_store_trim(&store), 0);
    CHECK_EQ(count_files("r"), 6); /* 7 * 61952 would be over three quarters */
    CHECK_EQ(find(0, 60000), 0);
    CHECK_EQ(find(1, 60000), ENOENT);
    CHECK_EQ(find(6, 60000), ENOENT);
    for (uint64_t i = 7; i < 12; i++)
        CHECK_EQ(find(i, 60000), 0);
    CHECK(there(fresh));
    CHECK_EQ(count_files("mine"), 1);
    close_store();
}

TEST(stays_below_the_limit) {
    open_store(1 << 20);
    for (uint64_t i = 0; i < 100; i++)
        CHECK_EQ(add(i, 50000), 0);
    CHECK(count_files("r") <= (1 << 20) / 50000 && count_files("r") >= 5);
    CHECK_EQ(find(99, 50000), 0);
    CHECK_EQ(add(100, 300000), EFBIG); /* one result for more than a quarter */
    close_store();
}

TEST(a_hit_renews_an_old_file) {
    struct stat before, after;
    open_store(LIMIT);
    CHECK_EQ(add(1, 10), 0);
    set_age(result_path(1), 30);
    CHECK_EQ(stat(result_path(1), &before), 0);
    CHECK_EQ(find(1, 10), 0);
    CHECK_EQ(stat(result_path(1), &after), 0);
    CHECK_EQ(before.st_mtime, after.st_mtime);
    set_age(result_path(1), 86400);
    set_age(path_of('s', keys_of(1).inputs), 86400);
    CHECK_EQ(find(1, 10), 0);
    CHECK_EQ(stat(result_path(1), &after), 0);
    CHECK(time(NULL) - after.st_mtime < 60);
    CHECK_EQ(stat(path_of('s', keys_of(1).inputs), &after), 0);
    CHECK(time(NULL) - after.st_mtime < 60);
    close_store();
}

/* ---- races ---------------------------------------------------------------------------------- */

/** Keeps, finds, damages and removes the same few files as all others. */
static int race(unsigned seed) {
    for (int i = 0; i < 300; i++) {
        uint64_t number = (seed = seed * 1103515245 + 12345) >> 16 & 3;
        int action = seed >> 20 & 15, error = 0;
        if (action < 5)
            error = add(number, 20000);
        else if (action < 13)
            error = find(number, 20000);
        else if (action == 13)
            weft_store_trim(&store);
        else if (action == 14)
            unlink(result_path(number));
        else if (truncate(result_path(number), 1000) != 0 && errno != ENOENT)
            return 2;
        if (error && !(action >= 5 && (error == ENOENT || error == EBADMSG)))
            return 1;
    }
    return 0;
}

TEST(racing_processes) {
    enum { PROCESSES = 8 };
    pid_t pids[PROCESSES];
    int wrong = 0, status;
    open_store(100 << 10);
    for (int i = 0; i < PROCESSES; i++)
        if ((pids[i] = fork()) == 0)
            _exit(race((unsigned)i * 77 + 1));
    for (int i = 0; i < PROCESSES; i++)
        wrong += waitpid(pids[i], &status, 0) != pids[i] || status != 0;
    CHECK_EQ(wrong, 0);
    CHECK_EQ(count_files("t"), 0);
    close_store();
}

/* ---- n-th failure --------------------------------------------------------------------------- */

#ifdef WEFT_FAULT_INJECTION

#include "weft/shim.h"

/** Each call that can fail fails once, in all that a store does. */
static bool life_of_a_store(void) {
    char path[128];
    weft_cache_keys keys = keys_of(1);
    weft_job_result found = {0};
    snprintf(path, sizeof path, "%s/weft", folder);
    weft_store_init(&store, path, LIMIT);
    weft_job_result kept = make_result(1, 0);
    bool good = kept.log && kept.ir && kept.image;
    if (good) {
        weft_store_add(&store, &keys, &kept, true);
        if (weft_store_find(&store, &keys, &found) == 0)
            good = same_result(&found, &kept) || !kept.image->bytes;
        weft_store_has_inputs(&store, &keys);
        weft_store_trim(&store);
    }
    weft_job_result_finish(&found);
    weft_job_result_finish(&kept);
    weft_store_finish(&store);
    return good;
}

TEST(every_failure_is_a_miss) {
    int before = open_descriptors();
    uint64_t n = 1;
    for (bool reached = true; reached; n++) {
        open_store(LIMIT);
        weft_store_finish(&store);
        uint64_t calls = weft_shim_calls();
        weft_shim_fail_at(n);
        life_of_a_store();
        weft_shim_fail_at(0);
        reached = weft_shim_calls() - calls >= n;
        CHECK(count_files("t") <= 0);
        CHECK(life_of_a_store());
        CHECK_EQ(open_descriptors(), before);
        close_store();
    }
    CHECK(n > 15);
}

#endif

TEST_MAIN()

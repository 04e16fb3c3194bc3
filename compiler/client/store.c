// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/client/store.h"

#include "compiler/client/process.h"
#include "compiler/shared/protocol.h"
#include "weft/shim.h"

#include <CL/cl.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define STORE_MAGIC UINT64_C(0x3173657274666557) /* "Weftres1"; another byte order differs */

enum {
    STORE_VERSION = 2,
    TOUCH_SECONDS = 600, /* a hit renews the time of a file that is older than this */
    TRIM_ONE_IN = 16,    /* so often a process that keeps one result looks at the folder's size */
    NAME_ATTEMPTS = 4,
    PIECES = 5 /* header, content, log, IR, image */
};

/** The file's first bytes; the job's content, log, IR and image follow. No padding inside. */
typedef struct store_header {
    uint64_t magic;
    uint32_t version;
    uint32_t is_library;
    weft_cache_key key;
    uint64_t content_bytes, log_bytes, ir_bytes, image_bytes;
    weft_cache_key checksum; /* of all before it and of what follows the header */
} store_header;

/* ---- folder and names ----------------------------------------------------------------------- */

void weft_store_name(int kind, weft_cache_key key, char name[WEFT_STORE_NAME]) {
    snprintf(name, WEFT_STORE_NAME, "%c-%016" PRIx64 "%016" PRIx64, kind, key.high, key.low);
}

/** False: too long for a path with a name behind it. */
static bool join(char folder[PATH_MAX], const char *first, const char *second) {
    int length = snprintf(folder, PATH_MAX, "%s%s", first, second);
    return length > 0 && length < PATH_MAX - WEFT_STORE_NAME - 1;
}

/** An absolute path; for the superuser also not another user's folder: with that user's HOME
 * (sudo), a folder made there would be closed to the one it is for. */
static bool base_is_usable(const char *base) {
    struct stat status;
    return base && base[0] == '/' &&
           (geteuid() != 0 || stat(base, &status) != 0 || status.st_uid == 0);
}

bool weft_store_folder(const char *setting, char folder[PATH_MAX]) {
    char here[PATH_MAX];
    if (setting && setting[0] == '/')
        return join(folder, setting, "");
    if (setting && setting[0]) {
        size_t length;
        if (!getcwd(here, sizeof here - 1) || here[0] != '/')
            return false;
        length = strlen(here);
        here[length] = '/';
        here[length + 1] = 0;
        return join(folder, here, setting);
    }
    /* XDG Base Directory Specification: "All paths set in these environment variables must be
     * absolute. If an implementation encounters a relative path [...] it should consider the path
     * invalid and ignore it." */
    const char *base = secure_getenv("XDG_CACHE_HOME");
    if (base && base[0] == '/')
        return base_is_usable(base) && join(folder, base, "/weft");
    base = secure_getenv("HOME");
    return base_is_usable(base) && join(folder, base, "/.cache/weft");
}

void weft_store_init(weft_store *store, const char *folder, uint64_t limit) {
    store->folder = folder && limit ? weft_strdup(folder) : NULL;
    store->limit = limit;
    atomic_init(&store->written, 0);
}

void weft_store_finish(weft_store *store) {
    weft_free(store->folder);
    store->folder = NULL;
}

/** 0 or errno. `at`: a folder's descriptor or AT_FDCWD. Never waits for what it opens and never
 *  gives the numbers of the standard streams. */
static int open_at(int at, const char *name, int flags, weft_descriptor *file) {
    file->fd = -1;
    if (weft_shim_fails())
        return EIO;
    int fd = openat(at, name, flags | O_NONBLOCK | O_CLOEXEC, 0600);
    return fd < 0 ? errno : weft_descriptor_take(file, fd);
}

/** A folder of this user's or of root's in which nobody else can take away or rename what is ours:
 * no other may write to it, or it is sticky, as /tmp is. EPERM: another one. */
static int open_folder(const weft_store *store, weft_descriptor *folder) {
    struct stat status;
    int error = open_at(AT_FDCWD, store->folder, O_PATH | O_DIRECTORY, folder);
    if (error)
        return error;
    if (fstat(folder->fd, &status) != 0)
        error = errno;
    else if ((status.st_uid != geteuid() && status.st_uid != 0) ||
             (status.st_mode & 022 && !(status.st_mode & S_ISVTX)))
        error = EPERM;
    if (error)
        weft_descriptor_close(folder);
    return error;
}

/** Makes the folder and the one that it lies in, not more: a home that does not exist is not to
 *  come into being. */
static int make_folder(const char *path) {
    char parent[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (weft_shim_fails())
        return EIO;
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return 0;
    if (errno != ENOENT || slash == path)
        return errno;
    snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
    if (mkdir(parent, 0700) != 0 && errno != EEXIST)
        return errno;
    return mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : errno;
}

/* ---- keys ----------------------------------------------------------------------------------- */

static weft_cache_key digest(const XXH3_state_t *state) {
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    return (weft_cache_key){hash.low64, hash.high64};
}

static bool same(weft_cache_key a, weft_cache_key b) {
    return a.low == b.low && a.high == b.high;
}

bool weft_store_maker(const char *path, weft_cache_key *maker) {
    XXH3_state_t state;
    struct stat now;
    if (!path[0] || stat(path, &now) != 0 || !S_ISREG(now.st_mode))
        return false;
    /* Packagers set the time of content to a constant; that of the inode they cannot set. */
    int64_t parts[5] = {now.st_size, now.st_mtim.tv_sec, now.st_mtim.tv_nsec, now.st_ctim.tv_sec,
                        now.st_ctim.tv_nsec};
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, parts, sizeof parts);
    XXH3_128bits_update(&state, path, strlen(path));
    *maker = digest(&state);
    return true;
}

static weft_cache_key key_with(weft_cache_key key, weft_cache_key maker) {
    const weft_cache_key both[2] = {key, maker};
    XXH128_hash_t hash = XXH3_128bits(both, sizeof both);
    return (weft_cache_key){hash.low64, hash.high64};
}

weft_cache_keys weft_store_keys(const weft_cache_keys *keys, weft_cache_key maker) {
    return (weft_cache_keys){.inputs = key_with(keys->inputs, maker),
                             .job = key_with(keys->job, maker),
                             .content = keys->content};
}

/* ---- file as pieces of memory --------------------------------------------------------------- */

static struct iovec piece_of(weft_blob *blob) {
    return blob ? (struct iovec){blob->data, blob->bytes} : (struct iovec){NULL, 0};
}

static void pieces_of(store_header *header, weft_blob *content, weft_job_result *result,
                      struct iovec pieces[PIECES]) {
    pieces[0] = (struct iovec){header, sizeof *header};
    pieces[1] = piece_of(content);
    pieces[2] = piece_of(result->log);
    pieces[3] = piece_of(result->ir);
    pieces[4] = piece_of(result->image);
}

static weft_cache_key checksum_of(const struct iovec pieces[PIECES]) {
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, pieces[0].iov_base, offsetof(store_header, checksum));
    for (int i = 1; i < PIECES; i++)
        if (pieces[i].iov_len)
            XXH3_128bits_update(&state, pieces[i].iov_base, pieces[i].iov_len);
    return digest(&state);
}

typedef ssize_t transfer(int fd, const struct iovec *pieces, int count);

/** All bytes of all pieces, which it changes. 0 or errno; EBADMSG: the file is shorter. The
 *  application may close our descriptor in any other thread: looked at before each use. */
static int transfer_all(const weft_descriptor *file, transfer *move, struct iovec *pieces,
                        int count) {
    for (;;) {
        while (count && !pieces->iov_len)
            pieces++, count--;
        if (!count)
            return 0;
        if (weft_shim_fails())
            return EIO;
        if (!weft_descriptor_valid(file))
            return EBADF;
        ssize_t done = move(file->fd, pieces, count);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : EBADMSG;
        for (size_t rest = (size_t)done; rest;) {
            size_t part = rest < pieces->iov_len ? rest : pieces->iov_len;
            pieces->iov_base = (char *)pieces->iov_base + part;
            pieces->iov_len -= part;
            rest -= part;
            if (!pieces->iov_len)
                pieces++, count--;
        }
    }
}

/* ---- reading -------------------------------------------------------------------------------- */

/** Room for `bytes`, none for 0. False: out of memory. */
static bool make_blob(weft_blob **blob, uint64_t bytes) {
    *blob = bytes ? weft_blob_create(NULL, bytes) : NULL;
    return *blob || !bytes;
}

static bool lengths_fit(const store_header *header, const struct stat *file) {
    uint64_t most = WEFT_WIRE_MAX_BYTES;
    return header->content_bytes <= most && header->log_bytes <= most && header->ir_bytes <= most &&
           header->image_bytes <= most &&
           sizeof *header + header->content_bytes + header->log_bytes + header->ir_bytes +
                   header->image_bytes ==
               (uint64_t)file->st_size;
}

/** ENOENT: it is of another job, whose key is the same. `keys->content` NULL: of any. */
static int read_result(const weft_descriptor *file, const struct stat *status,
                       const weft_cache_keys *keys, weft_job_result *result, weft_blob **content) {
    store_header header;
    struct iovec pieces[PIECES] = {{&header, sizeof header}}, moved[PIECES];
    int error = transfer_all(file, readv, pieces, 1);
    if (error)
        return error;
    if (header.magic != STORE_MAGIC || header.version != STORE_VERSION || header.is_library > 1 ||
        !same(header.key, keys->job) || !lengths_fit(&header, status))
        return EBADMSG;
    result->log = weft_blob_create(NULL, header.log_bytes);
    if (!result->log || !make_blob(&result->ir, header.ir_bytes) ||
        !make_blob(&result->image, header.image_bytes) || !make_blob(content, header.content_bytes))
        return ENOMEM;
    pieces_of(&header, *content, result, pieces);
    memcpy(moved, pieces, sizeof moved);
    error = transfer_all(file, readv, moved + 1, PIECES - 1);
    if (error)
        return error;
    if (!same(header.checksum, checksum_of(pieces)))
        return EBADMSG;
    if (keys->content && !weft_cache_same_content(*content, keys->content))
        return ENOENT;
    result->status = CL_SUCCESS;
    result->is_library = header.is_library != 0;
    result->cached = true;
    return 0;
}

/** A regular file of this user's that nobody else may write to. */
static bool is_ours(const struct stat *file) {
    return S_ISREG(file->st_mode) && file->st_uid == geteuid() && !(file->st_mode & 022);
}

/** What must not be there goes, if it is this user's; of folders only empty ones. */
static void discard(int folder, const char *name) {
    struct stat now;
    if (fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_uid == geteuid())
        unlinkat(folder, name, S_ISDIR(now.st_mode) ? AT_REMOVEDIR : 0);
}

/** There are results of these inputs, and they are in use. */
static int mark_inputs(int folder, weft_cache_key inputs) {
    char name[WEFT_STORE_NAME];
    weft_descriptor file;
    weft_store_name(WEFT_STORE_INPUTS, inputs, name);
    int error = open_at(folder, name, O_WRONLY | O_CREAT | O_NOFOLLOW, &file);
    if (!error && weft_descriptor_valid(&file))
        futimens(file.fd, NULL);
    weft_descriptor_close(&file);
    return error;
}

/** The files' times say what was used last; on network file systems each change of one costs. */
static void touch(int folder, const char *name, weft_cache_key inputs, const struct stat *file) {
    struct stat mark;
    time_t now = time(NULL);
    char mark_name[WEFT_STORE_NAME];
    if (file->st_mtime <= now && now - file->st_mtime < TOUCH_SECONDS)
        return;
    utimensat(folder, name, NULL, AT_SYMLINK_NOFOLLOW);
    weft_store_name(WEFT_STORE_INPUTS, inputs, mark_name);
    if (fstatat(folder, mark_name, &mark, AT_SYMLINK_NOFOLLOW) == 0)
        utimensat(folder, mark_name, NULL, AT_SYMLINK_NOFOLLOW);
}

/** Opens and reads one result; what is damaged goes. *status is the file's on success. */
static int read_in(int folder, const weft_cache_keys *keys, const char *name, struct stat *status,
                   weft_job_result *result) {
    weft_blob *content = NULL;
    weft_descriptor file;
    int error = open_at(folder, name, O_RDONLY | O_NOFOLLOW, &file);
    /* A link, unreadable, a socket; or nothing in this folder can be reached. */
    if ((error == ELOOP || error == EACCES || error == ENXIO) &&
        fstatat(folder, name, status, AT_SYMLINK_NOFOLLOW) == 0)
        error = EBADMSG;
    if (!error && fstat(file.fd, status) != 0)
        error = errno;
    if (!error)
        error = is_ours(status) ? read_result(&file, status, keys, result, &content) : EBADMSG;
    weft_blob_release(&content);
    weft_descriptor_close(&file);
    if (error == EBADMSG)
        discard(folder, name);
    return error;
}

static int find_in(int folder, const weft_cache_keys *keys, weft_job_result *result) {
    char name[WEFT_STORE_NAME];
    struct stat status;
    weft_store_name(WEFT_STORE_RESULT, keys->job, name);
    int error = read_in(folder, keys, name, &status, result);
    if (!error)
        touch(folder, name, keys->inputs, &status);
    return error;
}

int weft_store_verify(const weft_store *store, weft_cache_key key) {
    char name[WEFT_STORE_NAME];
    weft_job_result found = {0};
    weft_descriptor folder;
    struct stat status;
    if (!store->folder)
        return ENOENT;
    int error = open_folder(store, &folder);
    weft_store_name(WEFT_STORE_RESULT, key, name);
    const weft_cache_keys any = {.job = key};
    if (!error)
        error = read_in(folder.fd, &any, name, &status, &found);
    weft_descriptor_close(&folder);
    weft_job_result_finish(&found);
    return error;
}

int weft_store_find(const weft_store *store, const weft_cache_keys *keys, weft_job_result *result) {
    weft_job_result found = {0};
    weft_descriptor folder;
    if (!store->folder)
        return ENOENT;
    int error = open_folder(store, &folder);
    if (!error)
        error = find_in(folder.fd, keys, &found);
    weft_descriptor_close(&folder);
    if (error)
        weft_job_result_finish(&found);
    else
        *result = found;
    return error;
}

bool weft_store_has_inputs(const weft_store *store, const weft_cache_keys *keys) {
    char name[WEFT_STORE_NAME];
    weft_descriptor folder;
    struct stat status;
    if (!store->folder || open_folder(store, &folder) != 0)
        return false;
    weft_store_name(WEFT_STORE_INPUTS, keys->inputs, name);
    bool found = fstatat(folder.fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && is_ours(&status);
    weft_descriptor_close(&folder);
    return found;
}

/* ---- writing -------------------------------------------------------------------------------- */

/** A name that no other thread, process or machine uses: 128 bits of what tells them apart; O_EXCL
 *  for the rest. */
static int create_temporary(int folder, weft_cache_key key, char name[WEFT_STORE_NAME],
                            weft_descriptor *file) {
    int error = EEXIST;
    for (int i = 0; i < NAME_ATTEMPTS && error == EEXIST; i++) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        uint64_t parts[6] = {key.low,          (uint64_t)now.tv_sec, (uint64_t)now.tv_nsec,
                             (uintptr_t)&file, (uint64_t)getpid(),   (uint64_t)i};
        XXH128_hash_t hash = XXH3_128bits(parts, sizeof parts);
        weft_store_name(WEFT_STORE_TEMPORARY, (weft_cache_key){hash.low64, hash.high64}, name);
        error = open_at(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, file);
    }
    return error;
}

/** close(2): "the quota was exceeded" may only now be said (NFS). */
static int close_written(weft_descriptor *file) {
    int error = EBADF;
    if (weft_descriptor_valid(file))
        error = close(file->fd) == 0 || errno == EINTR ? 0 : errno;
    file->fd = -1;
    return error;
}

static int add_in(int folder, const weft_cache_keys *keys, struct iovec pieces[PIECES],
                  bool by_inputs) {
    char name[WEFT_STORE_NAME], temporary[WEFT_STORE_NAME];
    weft_descriptor file;
    int error = create_temporary(folder, keys->job, temporary, &file);
    if (error)
        return error;
    error = transfer_all(&file, writev, pieces, PIECES);
    int close_error = close_written(&file);
    error = error ? error : close_error;
    weft_store_name(WEFT_STORE_RESULT, keys->job, name);
    if (!error)
        error = weft_shim_fails() ? EIO : renameat(folder, temporary, folder, name) ? errno : 0;
    if (error)
        unlinkat(folder, temporary, 0);
    else if (by_inputs)
        mark_inputs(folder, keys->inputs);
    return error;
}

/** A write beyond this limit would not only fail: the application would get SIGXFSZ, and end. */
static bool over_file_limit(uint64_t bytes) {
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 ||
           (limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur);
}

int weft_store_add(weft_store *store, const weft_cache_keys *keys, const weft_job_result *result,
                   bool by_inputs) {
    store_header header = {.magic = STORE_MAGIC,
                           .version = STORE_VERSION,
                           .is_library = result->is_library,
                           .key = keys->job,
                           .content_bytes = keys->content ? keys->content->bytes : 0,
                           .log_bytes = result->log ? result->log->bytes : 0,
                           .ir_bytes = result->ir ? result->ir->bytes : 0,
                           .image_bytes = result->image ? result->image->bytes : 0};
    uint64_t bytes = sizeof header + header.content_bytes + header.log_bytes + header.ir_bytes +
                     header.image_bytes;
    weft_job_result written = *result;
    struct iovec pieces[PIECES];
    weft_descriptor folder;
    if (!store->folder)
        return ENOENT;
    if (bytes > store->limit / 4 || over_file_limit(bytes))
        return EFBIG;
    pieces_of(&header, keys->content, &written, pieces);
    header.checksum = checksum_of(pieces);
    int error = open_folder(store, &folder);
    if (error == ENOENT) {
        error = make_folder(store->folder);
        error = error ? error : open_folder(store, &folder);
    }
    if (!error)
        error = add_in(folder.fd, keys, pieces, by_inputs);
    weft_descriptor_close(&folder);
    if (error)
        return error;
    uint64_t since = atomic_fetch_add_explicit(&store->written, bytes, memory_order_relaxed);
    if (since + bytes > store->limit / TRIM_ONE_IN || keys->job.low % TRIM_ONE_IN == 0)
        weft_store_trim(store);
    return 0;
}

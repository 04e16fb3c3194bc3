// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* libFuzzer: files of the disk cache, as they are and once more with key and checksum made
 * right. */
#include "compiler/client/store.c"

#include <stdlib.h>

static void require(bool condition) {
    if (!condition)
        abort();
}

static weft_store store;
static const weft_cache_keys keys = {.job = {1, 2}, .inputs = {3, 4}};

static void open_store(void) {
    static char folder[] = "/dev/shm/weft-fuzz-XXXXXX";
    if (store.folder)
        return;
    require(mkdtemp(folder) != NULL);
    weft_store_init(&store, folder, 1 << 30);
}

static void write_file(const void *bytes, size_t size) {
    char path[PATH_MAX], name[WEFT_STORE_NAME];
    weft_store_name(WEFT_STORE_RESULT, keys.job, name);
    snprintf(path, sizeof path, "%s/%s", store.folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    require(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    close(fd);
}

static void find(void) {
    weft_job_result result = {0};
    int error = weft_store_find(&store, &keys, &result);
    require(error == 0 || error == EBADMSG);
    if (!error)
        require(result.log && result.log->data[result.log->bytes] == 0);
    weft_job_result_finish(&result);
}

static void mend(unsigned char *bytes, size_t size) {
    store_header header;
    if (size < sizeof header)
        return;
    memcpy(&header, bytes, sizeof header);
    header.magic = STORE_MAGIC;
    header.version = STORE_VERSION;
    header.key = keys.job;
    header.content_bytes %= size;
    header.log_bytes %= size;
    header.ir_bytes %= size;
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, &header, offsetof(store_header, checksum));
    XXH3_128bits_update(&state, bytes + sizeof header, size - sizeof header);
    header.checksum = digest(&state);
    memcpy(bytes, &header, sizeof header);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    unsigned char *copy = malloc(bytes + !bytes);
    open_store();
    memcpy(copy, data, bytes);
    write_file(copy, bytes);
    find();
    mend(copy, bytes);
    write_file(copy, bytes);
    find();
    free(copy);
    return 0;
}

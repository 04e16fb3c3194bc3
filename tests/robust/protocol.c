// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Hostile bytes: replies that are not of the protocol at the client, requests that are not at the
 * server. Neither may crash, hang, over-read or take what is wrong for right. */
#include "compiler/client/exchange.h"
#include "robust/client_test.h"

#include <CL/cl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* ---- replies -------------------------------------------------------------------------------- */

/** One packet that the other end sends: what its header says, and how much really follows. */
typedef struct packet {
    uint32_t kind, bytes;
    size_t sent; /* bytes after the header; SIZE_MAX: not even a whole header */
    const void *payload;
} packet;

typedef struct script {
    weft_descriptor socket;
    const packet *packets;
    size_t count;
} script;

static unsigned char filler[WEFT_WIRE_PAYLOAD + 4096];

static void send_packet(int fd, const packet *packet) {
    weft_wire_packet header = {packet->kind, packet->bytes};
    bool torn = packet->sent == SIZE_MAX;
    struct iovec parts[2] = {{&header, torn ? 3 : sizeof header},
                             {(void *)(packet->payload ? packet->payload : filler), packet->sent}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = torn ? 1 : 2};
    sendmsg(fd, &message, MSG_NOSIGNAL);
}

/** Reads the request's first packet, says its lines, closes. */
static void *play(void *argument) {
    script *script = argument;
    recv(script->socket.fd, filler, sizeof filler, 0);
    for (size_t i = 0; i < script->count; i++)
        send_packet(script->socket.fd, &script->packets[i]);
    weft_descriptor_close(&script->socket);
    return NULL;
}

static weft_exchange_end converse_with(const packet *packets, size_t count,
                                       weft_exchange_reply *reply) {
    weft_descriptor ours;
    script script = {.packets = packets, .count = count};
    pthread_t thread;
    weft_job_input input = {WEFT_INPUT_SOURCE, NULL, "source", 6};
    weft_job job = {WEFT_JOB_BUILD, "", "v1", "", &input, 1, NULL, false};
    if (weft_descriptor_pair(&ours, &script.socket) != 0)
        return WEFT_EXCHANGE_ERROR;
    pthread_create(&thread, NULL, play, &script);
    weft_exchange_end end =
        weft_exchange_run(&ours, &job, weft_client_now() + UINT64_C(5000000000), NULL, reply);
    weft_descriptor_close(&ours);
    pthread_join(thread, NULL);
    return end;
}

static const weft_wire_hello hello = {.version = WEFT_WIRE_VERSION};
static const weft_wire_hello old_hello = {.version = WEFT_WIRE_VERSION + 1};
static const weft_wire_result small = {.log_bytes = 3, .ir_bytes = 2, .image_bytes = 1};
static const weft_wire_result huge = {.ir_bytes = UINT64_MAX};
static const weft_wire_result wrap = {.log_bytes = UINT64_MAX - 8, .ir_bytes = 16};
static const weft_wire_result positive = {.status = 5, .log_bytes = 3};

#define HELLO_LINE {WEFT_WIRE_HELLO, sizeof hello, sizeof hello, &hello}
#define RESULT(of) {WEFT_WIRE_RESULT, sizeof(weft_wire_result), sizeof(weft_wire_result), &(of)}
#define LINES(...)                                                                                 \
    (const packet[]){__VA_ARGS__}, sizeof((const packet[]){__VA_ARGS__}) / sizeof(packet)

static const struct {
    const char *name;
    weft_exchange_end end;
    packet packets[6];
    size_t count;
} replies[] = {
    {"nothing", WEFT_EXCHANGE_UNHEARD, {{0}}, 0},
    {"hello only", WEFT_EXCHANGE_LOST, {HELLO_LINE}, 1},
    {"waits, then nothing", WEFT_EXCHANGE_UNHEARD, {{WEFT_WIRE_WAITING, 0, 0, NULL}}, 1},
    {"waits with a payload", WEFT_EXCHANGE_BROKEN, {{WEFT_WIRE_WAITING, 4, 4, NULL}}, 1},
    {"waits after it began",
     WEFT_EXCHANGE_BROKEN,
     {HELLO_LINE, {WEFT_WIRE_WAITING, 0, 0, NULL}},
     2},
    {"torn header", WEFT_EXCHANGE_BROKEN, {{0, 0, SIZE_MAX, NULL}}, 1},
    {"unknown kind", WEFT_EXCHANGE_BROKEN, {{99, 0, 0, NULL}}, 1},
    {"data first", WEFT_EXCHANGE_BROKEN, {{WEFT_WIRE_DATA, 8, 8, NULL}}, 1},
    {"hello too short", WEFT_EXCHANGE_BROKEN, {{WEFT_WIRE_HELLO, 4, 4, NULL}}, 1},
    {"hello lies about its size",
     WEFT_EXCHANGE_BROKEN,
     {{WEFT_WIRE_HELLO, sizeof hello, 4, NULL}},
     1},
    {"hello of another version",
     WEFT_EXCHANGE_BROKEN,
     {{WEFT_WIRE_HELLO, sizeof hello, sizeof hello, &old_hello}},
     1},
    {"two hellos", WEFT_EXCHANGE_BROKEN, {HELLO_LINE, HELLO_LINE}, 2},
    {"result without hello", WEFT_EXCHANGE_BROKEN, {RESULT(small)}, 1},
    {"result too long",
     WEFT_EXCHANGE_BROKEN,
     {HELLO_LINE, {WEFT_WIRE_RESULT, sizeof small + 8, sizeof small + 8, NULL}},
     2},
    {"huge result", WEFT_EXCHANGE_BROKEN, {HELLO_LINE, RESULT(huge)}, 2},
    {"lengths that wrap", WEFT_EXCHANGE_BROKEN, {HELLO_LINE, RESULT(wrap)}, 2},
    {"positive status", WEFT_EXCHANGE_BROKEN, {HELLO_LINE, RESULT(positive)}, 2},
    {"result, no data", WEFT_EXCHANGE_LOST, {HELLO_LINE, RESULT(small)}, 2},
    {"two results", WEFT_EXCHANGE_BROKEN, {HELLO_LINE, RESULT(small), RESULT(small)}, 3},
    {"part of the data",
     WEFT_EXCHANGE_LOST,
     {HELLO_LINE, RESULT(small), {WEFT_WIRE_DATA, 3, 3, NULL}, {WEFT_WIRE_DATA, 1, 1, NULL}},
     4},
    {"data beyond a part",
     WEFT_EXCHANGE_BROKEN,
     {HELLO_LINE, RESULT(small), {WEFT_WIRE_DATA, 4, 4, NULL}},
     3},
    {"far too much data",
     WEFT_EXCHANGE_BROKEN,
     {HELLO_LINE, RESULT(small), {WEFT_WIRE_DATA, 30000, 30000, NULL}},
     3},
    {"empty data",
     WEFT_EXCHANGE_BROKEN,
     {HELLO_LINE, RESULT(small), {WEFT_WIRE_DATA, 0, 0, NULL}},
     3},
    {"data lies about its size",
     WEFT_EXCHANGE_BROKEN,
     {HELLO_LINE, RESULT(small), {WEFT_WIRE_DATA, 3, 2, NULL}},
     3},
    {"failure at once", WEFT_EXCHANGE_FAILED, {{WEFT_WIRE_FAILED, 3, 3, "why"}}, 1},
    {"failure in the data",
     WEFT_EXCHANGE_FAILED,
     {HELLO_LINE, RESULT(small), {WEFT_WIRE_FAILED, 300, 300, NULL}},
     3},
    {"empty failure", WEFT_EXCHANGE_FAILED, {{WEFT_WIRE_FAILED, 0, 0, NULL}}, 1},
    {"failure too long", WEFT_EXCHANGE_BROKEN, {{WEFT_WIRE_FAILED, 5000, 5000, NULL}}, 1},
    {"a good reply",
     WEFT_EXCHANGE_DONE,
     {HELLO_LINE,
      RESULT(small),
      {WEFT_WIRE_DATA, 3, 3, "log"},
      {WEFT_WIRE_DATA, 2, 2, "ir"},
      {WEFT_WIRE_DATA, 1, 1, "i"}},
     5},
};

TEST(replies_of_all_kinds) {
    for (size_t i = 0; i < sizeof replies / sizeof *replies; i++) {
        weft_exchange_reply reply;
        weft_exchange_end end = converse_with(replies[i].packets, replies[i].count, &reply);
        if (end != replies[i].end)
            FAIL("%s: %d, not %d", replies[i].name, end, replies[i].end);
        bool done = end == WEFT_EXCHANGE_DONE;
        CHECK(done == (reply.log != NULL) && done == (reply.ir != NULL));
        if (done)
            CHECK_STR((char *)reply.log->data, "log");
        weft_blob_release(&reply.log);
        weft_blob_release(&reply.ir);
        weft_blob_release(&reply.image);
    }
}

TEST(random_replies) {
    unsigned seed = 1;
    for (int round = 0; round < 300; round++) {
        packet packets[4];
        unsigned char bytes[4][256];
        weft_exchange_reply reply;
        for (int i = 0; i < 4; i++) {
            for (size_t k = 0; k < sizeof bytes[i]; k++)
                bytes[i][k] = (unsigned char)(rand_r(&seed) % 7 ? 0 : rand_r(&seed));
            uint32_t size = (uint32_t)rand_r(&seed) % 256;
            packets[i] = (packet){(uint32_t)rand_r(&seed) % 6, size, size, bytes[i]};
        }
        if (round % 2)
            packets[0] = (packet)HELLO_LINE;
        if (round % 4 == 3) /* lengths at random */
            packets[1].kind = WEFT_WIRE_RESULT, packets[1].bytes = packets[1].sent = sizeof small;
        converse_with(packets, 4, &reply);
        weft_blob_release(&reply.log);
        weft_blob_release(&reply.ir);
        weft_blob_release(&reply.image);
    }
}

TEST(silence_ends_at_the_deadline) {
    weft_descriptor ours, theirs;
    weft_exchange_reply reply;
    weft_job_input input = {WEFT_INPUT_SOURCE, NULL, filler, sizeof filler};
    weft_job_input inputs[20];
    for (int i = 0; i < 20; i++)
        inputs[i] = input; /* more than the socket takes */
    weft_job job = {WEFT_JOB_BUILD, "", "v1", "", inputs, 20, NULL, false};
    CHECK_EQ(weft_descriptor_pair(&ours, &theirs), 0);
    double begin = seconds_now();
    CHECK_EQ(weft_exchange_run(&ours, &job, weft_client_now() + 300000000, NULL, &reply),
             WEFT_EXCHANGE_LATE);
    CHECK(seconds_now() - begin < 1);
    weft_descriptor_close(&ours);
    weft_descriptor_close(&theirs);
}

static void *say_waiting(void *argument) {
    const weft_wire_packet sign = {WEFT_WIRE_WAITING, 0};
    for (int i = 0; i < 4; i++) {
        usleep(200000);
        send(*(int *)argument, &sign, sizeof sign, MSG_NOSIGNAL);
    }
    return NULL;
}

/* A job's time begins when it is taken up: a server that says it waits puts the deadline off. */
TEST(waiting_puts_the_deadline_off) {
    weft_descriptor ours, theirs;
    weft_exchange_reply reply;
    weft_job_input input = {WEFT_INPUT_SOURCE, NULL, "x", 1};
    weft_job job = {
        .kind = WEFT_JOB_BUILD, .isa = "v1", .extensions = "", .inputs = &input, .input_count = 1};
    pthread_t thread;
    CHECK_EQ(weft_descriptor_pair(&ours, &theirs), 0);
    double begin = seconds_now();
    pthread_create(&thread, NULL, say_waiting, &theirs.fd);
    weft_exchange_end end =
        weft_exchange_run(&ours, &job, weft_client_now() + 400000000, NULL, &reply);
    double seconds = seconds_now() - begin;
    pthread_join(thread, NULL);
    CHECK_EQ(end, WEFT_EXCHANGE_LATE);
    CHECK(seconds > 1.1 && seconds < 3);
    weft_descriptor_close(&ours);
    weft_descriptor_close(&theirs);
}

/* ---- requests ------------------------------------------------------------------------------- */

static weft_process server;

static void start_server(void) {
    const char *step;
    char path[PATH_MAX];
    CHECK_EQ(weft_process_find(fake_compiler(), path), 0);
    server.control.fd = -1;
    CHECK_EQ(weft_process_start(&server, path, 60, &step), 0);
}

static weft_wire_job good_job(uint64_t bytes) {
    return (weft_wire_job){.magic = WEFT_WIRE_MAGIC,
                           .version = WEFT_WIRE_VERSION,
                           .user = geteuid(),
                           .group = getegid(),
                           .seconds = 5,
                           .megabytes = 64,
                           .request_bytes = bytes};
}

/** Sends `bytes` of a job with `count` descriptors, all of them the job's socket. */
static bool send_raw(const void *job, size_t bytes, int socket, size_t count) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(8 * sizeof(int))];
    } ancillary = {.room = {0}};
    struct iovec part = {(void *)job, bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count) {
        message.msg_control = &ancillary;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        ancillary.header.cmsg_level = SOL_SOCKET;
        ancillary.header.cmsg_type = SCM_RIGHTS;
        ancillary.header.cmsg_len = CMSG_LEN(count * sizeof(int));
        for (size_t i = 0; i < count; i++)
            memcpy(CMSG_DATA(&ancillary.header) + i * sizeof(int), &socket, sizeof(int));
    }
    return sendmsg(server.control.fd, &message, MSG_NOSIGNAL) == (ssize_t)bytes;
}

/** Receives until something else than HELLO comes: its kind, and its payload as text; 0: closed. */
static uint32_t answer(int fd, char text[WEFT_WIRE_TEXT + 1]) {
    for (;;) {
        struct {
            weft_wire_packet header;
            char payload[WEFT_WIRE_TEXT];
        } packet;
        struct timeval limit = {.tv_sec = 10};
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        ssize_t bytes = recv(fd, &packet, sizeof packet, 0);
        if (bytes < (ssize_t)sizeof packet.header)
            return 0;
        if (packet.header.kind == WEFT_WIRE_HELLO)
            continue;
        size_t length = (size_t)bytes - sizeof packet.header;
        memcpy(text, packet.payload, length);
        text[length] = 0;
        return packet.header.kind;
    }
}

static void check_refused(const weft_wire_job *job, size_t bytes, size_t count, const char *why) {
    weft_descriptor ours, theirs;
    char text[WEFT_WIRE_TEXT + 1] = "";
    CHECK_EQ(weft_descriptor_pair(&ours, &theirs), 0);
    CHECK(send_raw(job, bytes, theirs.fd, count));
    weft_descriptor_close(&theirs);
    uint32_t kind = answer(ours.fd, text);
    weft_descriptor_close(&ours);
    if (kind != WEFT_WIRE_FAILED || !strstr(text, why))
        FAIL("answer %u \"%.300s\", not \"%s\"", kind, text, why);
}

TEST(server_refuses_what_is_no_job) {
    start_server();
    weft_wire_job job = good_job(64);
    check_refused(&job, 3, 1, "not a job");
    check_refused(&job, sizeof job - 1, 1, "not a valid job");
    check_refused(&job, sizeof job, 2, "not a valid job"); /* a descriptor too many */
    job.magic++;
    check_refused(&job, sizeof job, 1, "not a job");
    job = good_job(64);
    job.version = 7;
    check_refused(&job, sizeof job, 1, "speaks protocol 7");
    check_refused(&job, 8, 1, "speaks protocol 7"); /* versions may have other sizes */
    job = good_job(64);
    job.user++;
    check_refused(&job, sizeof job, 1, "another user");
    job = good_job(UINT64_MAX);
    check_refused(&job, sizeof job, 1, "not a valid job");
    job = good_job(64);
    job.seconds = 0;
    check_refused(&job, sizeof job, 1, "not a valid job");
    job = good_job(64);
    CHECK(send_raw(&job, sizeof job, -1, 0)); /* nobody to answer to */
    job = good_job(0);
    job.has_directory = 1;
    check_refused(&job, sizeof job, 4, "of its protocol"); /* takes two, closes two */
}

/** Sends `packets` as the request of a job that announces `bytes`. */
static void check_request(uint64_t bytes, const packet *packets, size_t count, const char *why) {
    weft_descriptor ours, theirs;
    weft_wire_job job = good_job(bytes);
    char text[WEFT_WIRE_TEXT + 1] = "";
    CHECK_EQ(weft_descriptor_pair(&ours, &theirs), 0);
    CHECK(send_raw(&job, sizeof job, theirs.fd, 1));
    weft_descriptor_close(&theirs);
    for (size_t i = 0; i < count; i++)
        send_packet(ours.fd, &packets[i]);
    uint32_t kind = answer(ours.fd, text);
    weft_descriptor_close(&ours);
    if (kind != WEFT_WIRE_FAILED || !strstr(text, why))
        FAIL("answer %u \"%.300s\", not \"%s\"", kind, text, why);
}

typedef struct small_request {
    weft_wire_request header;
    weft_wire_input input;
    char strings[6][16];
} small_request;

static const small_request good_request = {
    {1, 1, 2, 2, 2, 9, 0}, {1, 0, 0, 6, 0}, {"-x", "v1", "ex", "reference", "", "source"}};

TEST(child_refuses_requests) {
    static const char why[] = "not of its protocol";
    uint64_t bytes = sizeof good_request;
    small_request request;
#define WHOLE {WEFT_WIRE_DATA, sizeof request, sizeof request, &request}
    check_request(64, LINES({WEFT_WIRE_DATA, 64, 60, NULL}), why);
    check_request(64, LINES({WEFT_WIRE_DATA, 100, 100, NULL}), why);
    check_request(64, LINES({WEFT_WIRE_DATA, 0, 0, NULL}), why);
    check_request(64, LINES({WEFT_WIRE_HELLO, 64, 64, NULL}), why);
    check_request(64, LINES({0, 0, SIZE_MAX, NULL}), why);
    check_request(0, NULL, 0, why);
    check_request(5, LINES({WEFT_WIRE_DATA, 5, 5, NULL}), why);
#define SPOILED(member, value)                                                                     \
    request = good_request;                                                                        \
    request.member = value;                                                                        \
    check_request(bytes, LINES(WHOLE), why)
    SPOILED(header.kind, 0);
    SPOILED(header.kind, 4);
    SPOILED(header.input_count, UINT32_MAX);
    SPOILED(header.input_count, 2);
    SPOILED(header.input_count, 0); /* bytes are left over */
    SPOILED(header.options_bytes, UINT64_MAX);
    SPOILED(header.options_bytes, UINT64_MAX - 15);
    SPOILED(header.isa_bytes, 1000);
    SPOILED(header.extensions_bytes, 3 + 16);
    SPOILED(header.switches_bytes, 1000);
    SPOILED(input.kind, 0);
    SPOILED(input.kind, 6);
    SPOILED(input.data_bytes, UINT64_MAX);
    SPOILED(input.data_bytes, 5); /* its NUL is not there */
    SPOILED(input.name_bytes, 1 << 30);
    check_request(UINT64_C(1) << 29, NULL, 0, "memory limit of 64 MiB");
}

/** After all that, the same process takes a good job. */
TEST(server_is_still_there) {
    weft_descriptor ours, theirs;
    weft_wire_job job = good_job(sizeof good_request);
    packet packet = {WEFT_WIRE_DATA, sizeof good_request, sizeof good_request, &good_request};
    char text[WEFT_WIRE_TEXT + 1] = "";
    CHECK_EQ(weft_descriptor_pair(&ours, &theirs), 0);
    CHECK(send_raw(&job, sizeof job, theirs.fd, 1));
    weft_descriptor_close(&theirs);
    send_packet(ours.fd, &packet);
    CHECK_EQ(answer(ours.fd, text), WEFT_WIRE_RESULT);
    weft_descriptor_close(&ours);
    weft_process_drop(&server);
}

TEST_MAIN()

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/client/exchange.h"

#include "weft/shim.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* ---- request -------------------------------------------------------------------------------- */

/** What is being sent: pieces of memory, one behind the other. */
typedef struct request {
    struct iovec *pieces;
    size_t count, next;
    size_t at;                 /* within pieces[next] */
    weft_wire_request *header; /* and the inputs' table behind it */
} request;

static const unsigned char zeros[WEFT_WIRE_ALIGN];

static uint64_t text_bytes(const char *text) {
    return text ? strlen(text) : 0;
}

static uint64_t header_bytes(const weft_job *job) {
    return sizeof(weft_wire_request) + job->input_count * sizeof(weft_wire_input);
}

uint64_t weft_exchange_request_bytes(const weft_job *job) {
    if (job->input_count > WEFT_WIRE_MAX_INPUTS)
        return 0;
    uint64_t total = header_bytes(job) + weft_wire_room(text_bytes(job->options)) +
                     weft_wire_room(text_bytes(job->isa)) +
                     weft_wire_room(text_bytes(job->extensions)) +
                     weft_wire_room(text_bytes(job->switches));
    for (size_t i = 0; i < job->input_count; i++) {
        if (job->inputs[i].bytes > WEFT_WIRE_MAX_BYTES)
            return 0;
        total +=
            weft_wire_room(text_bytes(job->inputs[i].name)) + weft_wire_room(job->inputs[i].bytes);
    }
    return total <= WEFT_WIRE_MAX_BYTES ? total : 0;
}

static void add_piece(request *request, const void *data, uint64_t bytes) {
    if (bytes)
        request->pieces[request->count++] =
            (struct iovec){.iov_base = (void *)data, .iov_len = bytes};
}

static void add_padded(request *request, const void *data, uint64_t bytes) {
    add_piece(request, data, bytes);
    add_piece(request, zeros, weft_wire_room(bytes) - bytes);
}

/** False: out of memory. */
static bool request_init(request *request, const weft_job *job) {
    *request = (struct request){0};
    request->pieces = weft_calloc(9 + 4 * job->input_count, sizeof *request->pieces);
    request->header = weft_calloc(1, header_bytes(job));
    if (!request->pieces || !request->header)
        return false;
    *request->header = (weft_wire_request){.kind = job->kind,
                                           .input_count = (uint32_t)job->input_count,
                                           .options_bytes = text_bytes(job->options),
                                           .isa_bytes = text_bytes(job->isa),
                                           .extensions_bytes = text_bytes(job->extensions),
                                           .switches_bytes = text_bytes(job->switches),
                                           .flags = job->untrusted ? WEFT_WIRE_UNTRUSTED : 0};
    weft_wire_input *table = (weft_wire_input *)(request->header + 1);
    add_piece(request, request->header, header_bytes(job));
    add_padded(request, job->options, text_bytes(job->options));
    add_padded(request, job->isa, text_bytes(job->isa));
    add_padded(request, job->extensions, text_bytes(job->extensions));
    add_padded(request, job->switches, text_bytes(job->switches));
    for (size_t i = 0; i < job->input_count; i++) {
        const weft_job_input *input = &job->inputs[i];
        table[i] = (weft_wire_input){
            .kind = input->kind, .name_bytes = text_bytes(input->name), .data_bytes = input->bytes};
        add_padded(request, input->name, text_bytes(input->name));
        add_padded(request, input->data, input->bytes);
    }
    return true;
}

static void request_finish(request *request) {
    weft_free(request->pieces);
    weft_free(request->header);
}

static bool request_sent(const request *request) {
    return request->next == request->count;
}

/** Sends one packet. 0 or errno (EAGAIN: no room now). */
static int request_send(request *request, int fd) {
    enum { PIECES = 16 };
    weft_wire_packet packet = {.kind = WEFT_WIRE_DATA};
    struct iovec parts[PIECES + 1] = {{&packet, sizeof packet}};
    size_t count = 1, next = request->next, at = request->at;
    while (count <= PIECES && next < request->count && packet.bytes < WEFT_WIRE_PAYLOAD) {
        size_t room = WEFT_WIRE_PAYLOAD - packet.bytes;
        size_t left = request->pieces[next].iov_len - at;
        size_t take = left < room ? left : room;
        parts[count++] = (struct iovec){(char *)request->pieces[next].iov_base + at, take};
        packet.bytes += (uint32_t)take;
        at = take == left ? 0 : at + take;
        next += take == left;
    }
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
    if (sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        return errno;
    request->next = next;
    request->at = at;
    return 0;
}

/* ---- reply ---------------------------------------------------------------------------------- */

/** Where the next byte of log, IR and image goes; NULL: all is here. */
static weft_blob *open_part(weft_exchange_reply *reply, size_t received, size_t *at) {
    weft_blob *const parts[] = {reply->log, reply->ir, reply->image};
    for (size_t i = 0; i < 3; i++) {
        if (!parts[i])
            continue;
        if (received < parts[i]->bytes) {
            *at = received;
            return parts[i];
        }
        received -= parts[i]->bytes;
    }
    return NULL;
}

static weft_exchange_end take_result(weft_exchange_reply *reply, const weft_wire_result *result) {
    if (result->log_bytes > WEFT_WIRE_MAX_BYTES || result->ir_bytes > WEFT_WIRE_MAX_BYTES ||
        result->image_bytes > WEFT_WIRE_MAX_BYTES || result->status > 0)
        return WEFT_EXCHANGE_BROKEN;
    reply->result = *result;
    reply->log = weft_blob_create(NULL, result->log_bytes);
    bool complete = reply->log != NULL;
    if (result->ir_bytes)
        complete &= (reply->ir = weft_blob_create(NULL, result->ir_bytes)) != NULL;
    if (result->image_bytes)
        complete &= (reply->image = weft_blob_create(NULL, result->image_bytes)) != NULL;
    return complete ? WEFT_EXCHANGE_DONE : WEFT_EXCHANGE_NO_MEMORY;
}

/** The text comes from another process: printable, and not longer than a line of the log. */
static void tell(const weft_exchange_watcher *watcher, const char *text, size_t bytes) {
    char line[400];
    size_t length = bytes < sizeof line - 1 ? bytes : sizeof line - 1;
    for (size_t i = 0; i < length; i++)
        line[i] = (char)(text[i] >= 32 && text[i] < 127 ? text[i] : '?');
    line[length] = 0;
    watcher->progress(watcher->user, line);
}

typedef struct receiver {
    const weft_exchange_watcher *watcher;
    size_t received; /* bytes of log, IR and image */
    bool has_result;
} receiver;

/** Takes what came while HELLO, RESULT, PROGRESS or FAILED may come. DONE means: go on. */
static weft_exchange_end take_packet(weft_exchange_reply *reply, receiver *receiver,
                                     weft_wire_packet packet, const void *payload) {
    switch (packet.kind) {
    case WEFT_WIRE_WAITING:
        if (packet.bytes || reply->heard)
            return WEFT_EXCHANGE_BROKEN;
        reply->lives = true;
        return WEFT_EXCHANGE_DONE;
    case WEFT_WIRE_PROGRESS:
        reply->lives = true;
        if (receiver->watcher && receiver->watcher->progress)
            tell(receiver->watcher, payload, packet.bytes);
        return WEFT_EXCHANGE_DONE;
    case WEFT_WIRE_HELLO:
        if (packet.bytes != sizeof reply->hello || reply->heard)
            return WEFT_EXCHANGE_BROKEN;
        memcpy(&reply->hello, payload, sizeof reply->hello);
        reply->heard = true;
        return reply->hello.version == WEFT_WIRE_VERSION ? WEFT_EXCHANGE_DONE
                                                         : WEFT_EXCHANGE_BROKEN;
    case WEFT_WIRE_RESULT: {
        weft_wire_result result;
        if (packet.bytes != sizeof result || !reply->heard || receiver->has_result)
            return WEFT_EXCHANGE_BROKEN;
        memcpy(&result, payload, sizeof result);
        receiver->has_result = true;
        return take_result(reply, &result);
    }
    case WEFT_WIRE_FAILED: {
        size_t bytes = packet.bytes < WEFT_WIRE_TEXT ? packet.bytes : WEFT_WIRE_TEXT;
        memmove(reply->text, payload, bytes); /* may be where it is already */
        reply->text[bytes] = 0;
        return WEFT_EXCHANGE_FAILED;
    }
    default:
        return WEFT_EXCHANGE_BROKEN;
    }
}

/** Receives one packet. DONE: go on. *again: nothing is there now. */
static weft_exchange_end receive(int fd, weft_exchange_reply *reply, receiver *receiver,
                                 bool *again) {
    size_t at = 0;
    weft_blob *part = receiver->has_result ? open_part(reply, receiver->received, &at) : NULL;
    weft_wire_packet packet;
    /* reply->text takes what is not a part of the result, and is as large as such a packet gets. */
    struct iovec parts[2] = {{&packet, sizeof packet}, {reply->text, WEFT_WIRE_TEXT}};
    if (part)
        parts[1] = (struct iovec){part->data + at, part->bytes - at};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    ssize_t bytes = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    *again = false;
    if (bytes < 0) {
        *again = errno == EAGAIN || errno == EINTR;
        reply->error = errno;
        if (*again)
            return WEFT_EXCHANGE_DONE;
        if (errno != ECONNRESET) /* closed before it had read all of our request */
            return WEFT_EXCHANGE_ERROR;
    }
    if (bytes <= 0)
        return reply->heard ? WEFT_EXCHANGE_LOST : WEFT_EXCHANGE_UNHEARD;
    if ((size_t)bytes < sizeof packet)
        return WEFT_EXCHANGE_BROKEN;
    size_t payload = (size_t)bytes - sizeof packet;
    bool says = packet.kind == WEFT_WIRE_FAILED || packet.kind == WEFT_WIRE_PROGRESS;
    if (part && says && payload <= packet.bytes) {
        /* Its text may be cut: it lies in what was free of this part. */
        packet.bytes = (uint32_t)payload;
        return take_packet(reply, receiver, packet, part->data + at);
    }
    if ((message.msg_flags & MSG_TRUNC) || payload != packet.bytes)
        return WEFT_EXCHANGE_BROKEN;
    if (!part)
        return take_packet(reply, receiver, packet, reply->text);
    if (packet.kind != WEFT_WIRE_DATA || payload == 0)
        return WEFT_EXCHANGE_BROKEN;
    receiver->received += payload;
    return WEFT_EXCHANGE_DONE;
}

/** No packet holds bytes of two parts: the sender cuts at their borders too. */
static bool reply_complete(weft_exchange_reply *reply, const receiver *receiver) {
    size_t at;
    return receiver->has_result && !open_part(reply, receiver->received, &at);
}

/* ---- both ----------------------------------------------------------------------------------- */

/** Waits for room or for a packet. DONE: look again. While the application is stopped (Ctrl-Z, a
 *  debugger), perhaps with the compiler, time does not count. */
static weft_exchange_end wait_socket(int fd, bool sending, uint64_t *deadline,
                                     weft_exchange_reply *reply) {
    const uint64_t longest = UINT64_C(5000000000); /* that a poll of a second takes, if not */
    uint64_t now = weft_client_now();
    if (now >= *deadline)
        return WEFT_EXCHANGE_LATE;
    uint64_t milliseconds = (*deadline - now) / 1000000 + 1;
    struct pollfd wait = {.fd = fd, .events = (short)(POLLIN | (sending ? POLLOUT : 0))};
    /* Wakes up once a second: the application may have closed the descriptor, and poll would not
     * tell us. */
    if (poll(&wait, 1, milliseconds > 1000 ? 1000 : (int)milliseconds) < 0 && errno != EINTR) {
        reply->error = errno;
        return WEFT_EXCHANGE_ERROR;
    }
    const uint64_t slept = weft_client_now() - now;
    if (slept > longest)
        *deadline += slept;
    return WEFT_EXCHANGE_DONE;
}

static weft_exchange_end converse(const weft_descriptor *socket, request *request,
                                  uint64_t deadline, const weft_exchange_watcher *watcher,
                                  weft_exchange_reply *reply) {
    receiver receiver = {.watcher = watcher};
    bool deaf = false; /* the other end takes no more, but may have said why */
    uint64_t now = weft_client_now(), allowed = deadline > now ? deadline - now : 0;
    while (!reply_complete(reply, &receiver)) {
        bool again = false;
        if (!weft_descriptor_valid(socket))
            return WEFT_EXCHANGE_CLOSED;
        int error = 0;
        while (!deaf && !error && !request_sent(request))
            error = request_send(request, socket->fd);
        if (error == EMSGSIZE || error == ENOBUFS || error == ENOMEM) {
            reply->error = error;
            return WEFT_EXCHANGE_ERROR;
        }
        deaf |= error && error != EAGAIN && error != EINTR;
        weft_exchange_end end = receive(socket->fd, reply, &receiver, &again);
        if (reply->lives)
            deadline = weft_client_now() + allowed;
        reply->lives = false;
        if (end == WEFT_EXCHANGE_DONE && again)
            end = wait_socket(socket->fd, !deaf && !request_sent(request), &deadline, reply);
        if (end != WEFT_EXCHANGE_DONE)
            return end;
    }
    return WEFT_EXCHANGE_DONE;
}

weft_exchange_end weft_exchange_run(const weft_descriptor *socket, const weft_job *job,
                                    uint64_t deadline, const weft_exchange_watcher *watcher,
                                    weft_exchange_reply *reply) {
    request request;
    memset(reply, 0, sizeof *reply);
    weft_exchange_end end = WEFT_EXCHANGE_NO_MEMORY;
    if (request_init(&request, job))
        end = converse(socket, &request, deadline, watcher, reply);
    request_finish(&request);
    if (end != WEFT_EXCHANGE_DONE) {
        weft_blob_release(&reply->log);
        weft_blob_release(&reply->ir);
        weft_blob_release(&reply->image);
    }
    return end;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * libFuzzer: what a compiler process may answer. The input is cut into packets (a length of two
 * bytes before each) that lie in the job's socket when the client reads; the other end is closed
 * behind them.
 */
#include "compiler/client/exchange.h"

#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void require(bool condition) {
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    weft_descriptor ours, theirs;
    weft_exchange_reply reply;
    weft_job_input input = {.kind = WEFT_INPUT_SOURCE, .data = "x", .bytes = 1};
    weft_job job = {.kind = WEFT_JOB_BUILD,
                    .options = "-w",
                    .isa = "x86-64-v1",
                    .extensions = "",
                    .inputs = &input,
                    .input_count = 1};
    require(weft_descriptor_pair(&ours, &theirs) == 0);
    for (int packets = 0; bytes >= 2 && packets < 64; packets++) {
        size_t length = data[0] | (size_t)data[1] << 8;
        data += 2;
        bytes -= 2;
        length = length < bytes ? length : bytes;
        if (send(theirs.fd, data, length, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
            break;
        data += length;
        bytes -= length;
    }
    shutdown(theirs.fd, SHUT_WR);
    weft_exchange_end end =
        weft_exchange_run(&ours, &job, weft_client_now() + UINT64_C(50000000), NULL, &reply);
    if (end == WEFT_EXCHANGE_DONE)
        require(reply.log && reply.heard && reply.result.status <= 0);
    else
        require(!reply.log && !reply.ir && !reply.image);
    if (end == WEFT_EXCHANGE_FAILED)
        require(memchr(reply.text, 0, sizeof reply.text) != NULL);
    weft_blob_release(&reply.log);
    weft_blob_release(&reply.ir);
    weft_blob_release(&reply.image);
    weft_descriptor_close(&ours);
    weft_descriptor_close(&theirs);
    return 0;
}

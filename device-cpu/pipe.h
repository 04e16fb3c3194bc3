// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Pipes: the services of abi.h for them. All functions are thread-safe. */
#ifndef WEFT_DEVICE_PIPE_H
#define WEFT_DEVICE_PIPE_H

#include "weft/abi.h"

/** Bytes of a pipe with its packets; to be zeroed, then packet_size and max_packets to be set. */
uint64_t weft_pipe_bytes(uint32_t packet_size, uint32_t max_packets);

/* As in weft_services. */
int32_t weft_pipe_read(weft_pipe *pipe, void *packet);
int32_t weft_pipe_write(weft_pipe *pipe, const void *packet);
uint64_t weft_pipe_reserve(weft_pipe *pipe, uint32_t packets, uint32_t is_write);
int32_t weft_pipe_access(weft_pipe *pipe, uint64_t reservation, uint32_t index, void *packet,
                         uint32_t is_write);
void weft_pipe_commit(weft_pipe *pipe, uint64_t reservation, uint32_t is_write);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Takes a request of the wire format (protocol.h) apart. */
#ifndef WEFT_REQUEST_H
#define WEFT_REQUEST_H

#include "compiler/job/job.h"

namespace weft {

/**
 * The request's strings and data point into `data`, which is aligned to WEFT_WIRE_ALIGN and may
 * hold anything: every length is checked. False: it is not a request of this protocol, and *request
 * is not to be used.
 */
bool parseRequest(const char *data, uint64_t bytes, JobRequest &request);

} // namespace weft

#endif

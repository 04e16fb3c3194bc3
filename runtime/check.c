// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/check.h"

#include "runtime/context.h"
#include "runtime/log.h"

#include <stdio.h>
#include <string.h>

cl_int weft_fail(cl_context context, const char *function, cl_int error, const char *sentence) {
    /* Checks live in functions called check_<API function>. */
    if (strncmp(function, "check_", 6) == 0)
        function += 6;
    if (strncmp(function, "weft_", 5) == 0)
        function += 5;
    weft_log(WEFT_LOG_ERROR, "%s: error %d: %s", function, (int)error, sentence);
    if (context && context->notify) {
        char message[512];
        snprintf(message, sizeof(message), "%s: error %d: %s", function, (int)error, sentence);
        context->notify(message, NULL, 0, context->notify_user);
    }
    return error;
}

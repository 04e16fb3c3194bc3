// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* libFuzzer: option strings. What is refused has a sentence, what is taken parses alike again. */
#include "compiler/shared/options.h"

#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

static void require(bool condition) {
    if (!condition)
        abort();
}

static void check_items(const weft_options *options, size_t bytes) {
    size_t total = 0;
    for (size_t i = 0; i < options->preprocessor_count; i++) {
        const weft_preprocessor_option *item = &options->preprocessor[i];
        require(item->kind == 'D' || item->kind == 'U' || item->kind == 'I');
        total += strlen(item->text) + 1;
        require(item->kind != 'D' || !strpbrk(item->text, "\r\n"));
    }
    require(total <= 2 * bytes + 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    static const struct {
        weft_options_use use;
        int32_t error;
    } uses[] = {{WEFT_OPTIONS_BUILD, CL_INVALID_BUILD_OPTIONS},
                {WEFT_OPTIONS_COMPILE, CL_INVALID_COMPILER_OPTIONS},
                {WEFT_OPTIONS_LINK, CL_INVALID_LINKER_OPTIONS}};
    char *text = malloc(bytes + 1);
    memcpy(text, data, bytes);
    text[bytes] = 0;
    for (size_t i = 0; i < 3; i++) {
        char error[WEFT_OPTIONS_ERROR_BYTES], again[WEFT_OPTIONS_ERROR_BYTES];
        weft_options first, second;
        int32_t status = weft_options_parse(uses[i].use, text, &first, error);
        require(status == CL_SUCCESS || status == uses[i].error);
        require((status != CL_SUCCESS) == (*error != 0));
        require(strlen(error) < sizeof error);
        if (status == CL_SUCCESS)
            check_items(&first, bytes);
        require(weft_options_parse(uses[i].use, text, &second, again) == status);
        require(first.flags == second.flags && first.std == second.std &&
                first.preprocessor_count == second.preprocessor_count);
        weft_options_finish(&first);
        weft_options_finish(&second);
    }
    free(text);
    return 0;
}

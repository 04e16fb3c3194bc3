// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers with halves in memory.

// Batch normalisation and ReLU of halves in planes of channels.
kernel void batch_norm(global const half *in, global half *out, global const float *scale,
                       global const float *shift, int plane, int channels)
{
    size_t i = get_global_id(0);
    int channel = (int)(i / plane) % channels;
    float x = vload_half(i, in);
    vstore_half(fmax(x * scale[channel] + shift[channel], 0.0f), i, out);
}

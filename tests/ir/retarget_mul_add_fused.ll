; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; fmuladd is one fma where the ISA has it.
; RUN: --stage retarget --isa x86-64-v3
; CHECK: %r = call float @llvm.fma.f32(float %a, float %b, float %c)
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare float @llvm.fmuladd.f32(float, float, float)
define spir_func float @f(float %a, float %b, float %c) {
  %r = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
  ret float %r
}

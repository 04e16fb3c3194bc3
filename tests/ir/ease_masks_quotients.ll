; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Divisions that may be by a reciprocal are estimated and corrected; what is no number then is as it
; was before, as of infinities and zeros. Divisions by one number, which code generation makes one of,
; are left alone, as are others and those of single numbers.
; RUN: --isa x86-64-v3 --stage ease-masks
; CHECK-LABEL: @one(
; CHECK: [[FIRST:%[0-9]+]] = fmul <8 x float> %x, %
; CHECK: [[GOOD:%[0-9]+]] = call <8 x float> @llvm.fma.v8f32(<8 x float> [[FIRST]],
; CHECK: [[ORD:%[0-9]+]] = fcmp ord <8 x float> [[GOOD]], [[GOOD]]
; CHECK: select <8 x i1> [[ORD]], <8 x float> [[GOOD]], <8 x float> [[FIRST]]
; CHECK-LABEL: @two(
; CHECK: fdiv arcp <8 x float> %x, %z
; CHECK: fdiv arcp <8 x float> %y, %z
; CHECK-LABEL: @others(
; CHECK: fdiv nsz <8 x float> %x, %y
; CHECK: fdiv arcp float %a, %b
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define <8 x float> @one(<8 x float> %x, <8 x float> %y) {
  %q = fdiv arcp <8 x float> %x, %y
  ret <8 x float> %q
}
define <8 x float> @two(<8 x float> %x, <8 x float> %y, <8 x float> %z) {
  %q = fdiv arcp <8 x float> %x, %z
  %r = fdiv arcp <8 x float> %y, %z
  %s = fadd <8 x float> %q, %r
  ret <8 x float> %s
}
define float @others(<8 x float> %x, <8 x float> %y, float %a, float %b, ptr %p) {
  %q = fdiv nsz <8 x float> %x, %y
  store <8 x float> %q, ptr %p
  %r = fdiv arcp float %a, %b
  ret float %r
}

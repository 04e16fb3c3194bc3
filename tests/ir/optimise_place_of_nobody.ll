; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; "The last lane that is on" may be asked for where none is, when a pass has moved the question in
; front of the branch. What LLVM 22 concludes from a place that is poison then (ctlz of zero) keeps
; code generation from bounding it: the read went past the stack (issue 16, the third kernel).
; RUN: --stage optimise
; CHECK-LABEL: define i32 @weft_kernel_f(
; CHECK: freeze i64
; CHECK: and i64 %{{[0-9]+}}, 15
; CHECK: extractelement <16 x i32> %x
; CHECK-LABEL: define <3 x i32> @weft_kernel_g(
; CHECK: freeze i32 %at
; CHECK: call i32 @llvm.umin.i32(i32 %{{[0-9]+}}, i32 2)
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define i32 @weft_kernel_f(<16 x i32> %x, i16 %lanes) {
  %zeros = call i16 @llvm.ctlz.i16(i16 %lanes, i1 true)
  %lane = sub nuw nsw i16 15, %zeros
  %place = zext nneg i16 %lane to i64
  %r = extractelement <16 x i32> %x, i64 %place
  ret i32 %r
}
define <3 x i32> @weft_kernel_g(<3 x i32> %x, i32 %at) {
  %r = insertelement <3 x i32> %x, i32 7, i32 %at
  ret <3 x i32> %r
}
declare i16 @llvm.ctlz.i16(i16, i1 immarg)

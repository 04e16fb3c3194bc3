; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A masked store of one lane is a plain one: LLVM 22's code generation would store the 64 bits that
; were cut down to 32 (kernel all_ids at width 2).
; RUN: --stage optimise
; CHECK-LABEL: @weft_kernel_f(
; CHECK-NOT: masked.store
; CHECK: [[LANE:%[0-9]+]] = extractelement <2 x i32> %{{[a-z0-9]+}}, i64 1
; CHECK: getelementptr i32, ptr %p, i64 1
; CHECK: store i32 [[LANE]], ptr %{{[0-9]+}}, align 4
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define void @weft_kernel_f(<2 x i64> %x, ptr %p) {
  %t = trunc <2 x i64> %x to <2 x i32>
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %t, ptr align 4 %p, <2 x i1> <i1 false, i1 true>)
  ret void
}
declare void @llvm.masked.store.v2i32.p0(<2 x i32>, ptr, <2 x i1>)

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where gathers are slow, lanes that go through memory in an order of their own load one by one, and
; those that are off read what is always there. Gathers from places that were loaded stay, and those
; where lanes seldom are; bytes have no instruction anywhere.
; RUN: --isa x86-64-v4~gather --stage ease-masks
; CHECK-LABEL: @weft_kernel_stream(
; CHECK-NOT: gather
; CHECK: [[PLACES:%[0-9]+]] = select <16 x i1> %m, <16 x ptr> %p, <16 x ptr> {{.*}}@weft.nothing
; CHECK: [[FIRST:%[0-9]+]] = extractelement <16 x ptr> [[PLACES]], i64 0
; CHECK: load float, ptr [[FIRST]], align 4
; CHECK: extractelement <16 x ptr> [[PLACES]], i64 15
; CHECK: ret
; CHECK-LABEL: @weft_kernel_all(
; CHECK-NOT: select
; CHECK-NOT: gather
; CHECK: ret
; CHECK-LABEL: @weft_kernel_off(
; CHECK: %v = select <16 x i1> %m, <16 x float> {{%[0-9]+}}, <16 x float> %other
; CHECK: ret
; CHECK-LABEL: @weft_kernel_indirect(
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK: ret
; CHECK-LABEL: @weft_kernel_seldom(
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK: ret
; CHECK-LABEL: @weft_kernel_bytes(
; CHECK-NOT: gather
; CHECK: ret
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define <16 x float> @weft_kernel_stream(<16 x i64> %i, ptr %base, <16 x i1> %m) "weft-width"="16" "target-cpu"="x86-64-v4" {
  %p = getelementptr [9 x float], ptr %base, <16 x i64> %i
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %p, <16 x i1> %m, <16 x float> poison)
  ret <16 x float> %v
}
define <16 x float> @weft_kernel_all(<16 x i64> %i, ptr %base) "weft-width"="16" "target-cpu"="x86-64-v4" {
  %p = getelementptr float, ptr %base, <16 x i64> %i
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %p, <16 x i1> splat (i1 true), <16 x float> poison)
  ret <16 x float> %v
}
define <16 x float> @weft_kernel_off(<16 x i64> %i, ptr %base, <16 x i1> %m, <16 x float> %other) "weft-width"="16" "target-cpu"="x86-64-v4" {
  %p = getelementptr float, ptr %base, <16 x i64> %i
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %p, <16 x i1> %m, <16 x float> %other)
  ret <16 x float> %v
}
define <16 x float> @weft_kernel_indirect(ptr %at, ptr %base, <16 x i1> %m) "weft-width"="16" "target-cpu"="x86-64-v4" {
  %i = load <16 x i32>, ptr %at
  %long = sext <16 x i32> %i to <16 x i64>
  %p = getelementptr float, ptr %base, <16 x i64> %long
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %p, <16 x i1> %m, <16 x float> poison)
  ret <16 x float> %v
}
define <16 x float> @weft_kernel_seldom(<16 x i64> %i, ptr %base, <16 x i1> %m, i1 %together) "weft-width"="16" "target-cpu"="x86-64-v4" {
  %p = getelementptr float, ptr %base, <16 x i64> %i
  br i1 %together, label %side, label %apart, !prof !0
side:
  %s = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %base, <16 x i1> %m, <16 x float> poison)
  ret <16 x float> %s
apart:
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %p, <16 x i1> %m, <16 x float> poison)
  ret <16 x float> %v
}
define <16 x i8> @weft_kernel_bytes(ptr %at, ptr %base, <16 x i1> %m) "weft-width"="16" "target-cpu"="x86-64-v4" {
  %i = load <16 x i32>, ptr %at
  %long = sext <16 x i32> %i to <16 x i64>
  %p = getelementptr i8, ptr %base, <16 x i64> %long
  %v = call <16 x i8> @llvm.masked.gather.v16i8.v16p0(<16 x ptr> align 1 %p, <16 x i1> %m, <16 x i8> poison)
  ret <16 x i8> %v
}
declare <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr>, <16 x i1>, <16 x float>)
declare <16 x i8> @llvm.masked.gather.v16i8.v16p0(<16 x ptr>, <16 x i1>, <16 x i8>)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr, <16 x i1>, <16 x float>)
!0 = !{!"branch_weights", i32 2000, i32 1}

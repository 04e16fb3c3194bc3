; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Without AVX-512 two stores of one mask ask once whether all lanes are on, then whether any is; a
; load that AVX can do under a mask does not ask. One of bytes, which it cannot, is done at once where
; all lanes are on, or some are and the rest of it is in the same page, whoever's it is; not where LLVM
; knows how large the object is.
; RUN: --isa x86-64-v3 --stage ease-masks
; CHECK-LABEL: @weft_kernel_f(
; CHECK: call <8 x i32> @llvm.masked.load.v8i32.p0(
; CHECK: [[BITS:%lanes.on[0-9]*]] = freeze i8
; CHECK: icmp eq i8 [[BITS]], -1
; CHECK: store <8 x i32> %x, ptr %p, align 4
; CHECK: store <8 x i32> %y, ptr %q, align 4
; CHECK: icmp ne i8 [[BITS]], 0
; CHECK: call void @llvm.masked.store.v8i32.p0(<8 x i32> %x
; CHECK-NOT: icmp
; CHECK: call void @llvm.masked.store.v8i32.p0(<8 x i32> %y
; CHECK: [[PLACE:%[0-9]+]] = and i64 {{.*}}, 4095
; CHECK: [[NEAR:%[0-9]+]] = icmp ule i64 [[PLACE]], 4088
; CHECK: select i1 [[NEAR]], i1 {{.*}}, i1
; CHECK: [[WHOLE:%[0-9]+]] = load <8 x i8>, ptr %b, align 1
; CHECK: select <8 x i1> %m, <8 x i8> [[WHOLE]], <8 x i8> %other
; CHECK: call <8 x i8> @llvm.masked.load.v8i8.p0(
; CHECK: phi <8 x i8>
; CHECK-LABEL: @weft_kernel_known(
; CHECK-NOT: 4095
; CHECK: ret <8 x i8>
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define <8 x i8> @weft_kernel_f(<8 x i32> %y, ptr %p, ptr %q, ptr %b, <8 x i1> %m, <8 x i8> %other) "weft-width"="8" "target-features"="+avx2" {
  %x = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %m, <8 x i32> poison)
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %x, ptr align 4 %p, <8 x i1> %m)
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %y, ptr align 4 %q, <8 x i1> %m)
  %c = call <8 x i8> @llvm.masked.load.v8i8.p0(ptr align 1 %b, <8 x i1> %m, <8 x i8> %other)
  ret <8 x i8> %c
}
define <8 x i8> @weft_kernel_known(<8 x i1> %m) "weft-width"="8" "target-features"="+avx2" {
  %v = alloca [12 x i8]
  %p = getelementptr i8, ptr %v, i64 8
  %c = call <8 x i8> @llvm.masked.load.v8i8.p0(ptr align 1 %p, <8 x i1> %m, <8 x i8> poison)
  ret <8 x i8> %c
}
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, <8 x i1>, <8 x i32>)
declare <8 x i8> @llvm.masked.load.v8i8.p0(ptr, <8 x i1>, <8 x i8>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, <8 x i1>)

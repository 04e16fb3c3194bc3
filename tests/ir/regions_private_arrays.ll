; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Of three arrays one outlives the barrier (per item, in the arena), one is too large for the frame
; (one copy, in the arena), one stays where it is.
; RUN: --stage regions
; CHECK: define internal i32 @k.region.0(
; CHECK: [[SMALL:%[0-9]+]] = alloca [4 x i32]
; CHECK: [[KEPT:%[0-9]+]] = getelementptr inbounds [32 x i8], ptr %context, i64 %unit
; CHECK: [[ARENA:%[0-9]+]] = call ptr @__weft_private_memory()
; CHECK: [[LARGE:%[0-9]+]] = getelementptr inbounds i8, ptr [[ARENA]], i64 0
; CHECK: ret i32 1
; CHECK: define internal i32 @k.region.1(
; CHECK-NOT: alloca
; CHECK: getelementptr inbounds [32 x i8], ptr %context, i64 %unit
; CHECK: ret i32 0
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @__weft_barrier(i32, i32) #1
declare void @llvm.lifetime.start.p0(ptr)
define internal void @k(ptr addrspace(1) %p, i64 %i) #0 {
  %kept = alloca [8 x i32], align 4
  %large = alloca [1500 x i32], align 4
  %small = alloca [4 x i32], align 4
  call void @llvm.lifetime.start.p0(ptr %kept)
  call void @llvm.lifetime.start.p0(ptr %large)
  call void @llvm.lifetime.start.p0(ptr %small)
  %a = getelementptr i32, ptr %kept, i64 %i
  %b = getelementptr i32, ptr %large, i64 %i
  %c = getelementptr i32, ptr %small, i64 %i
  store i32 1, ptr %a
  store volatile i32 2, ptr %b
  store volatile i32 3, ptr %c
  call void @__weft_barrier(i32 1, i32 1)
  %d = getelementptr i32, ptr %kept, i64 0
  %v = load i32, ptr %d
  store i32 %v, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "weft-kernel" }
attributes #1 = { convergent noduplicate nomerge nounwind }

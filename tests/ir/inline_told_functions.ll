; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that ask for ids may stay functions: kernels tell them. What has a barrier in it may not.
; A large variable is the kernel's. @plain asks for nothing.
; RUN: --stage inline-barriers --switches functions
; CHECK-LABEL: define internal i32 @plain(i32 %x) {
; CHECK-NOT: @meeting
; CHECK-LABEL: define internal void @k(ptr addrspace(1) %p)
; CHECK: %callee.frames = alloca [2048 x i8], align 128
; CHECK: call void @__weft_barrier(i32 0, i32 1)
; CHECK: [[SIZE:%.*]] = call i64 @__weft_local_size(i32 2)
; CHECK: [[BASE:%.*]] = call i64 @__weft_group_base(i32 1)
; CHECK: [[LOCAL:%.*]] = call i64 @__weft_local_id(i32 1)
; CHECK: [[GLOBAL:%.*]] = add nuw i64 [[BASE]], [[LOCAL]]
; CHECK: call void @llvm.lifetime.start.p0(ptr %callee.frames)
; CHECK: call i64 @outer(i64 [[SIZE]], i64 [[GLOBAL]], ptr %callee.frames)
; CHECK: call void @llvm.lifetime.end.p0(ptr %callee.frames)
; CHECK-LABEL: define internal i64 @inner(i64 noundef %weft_local_size, i64 noundef %weft_global_id)
; CHECK-NOT: call
; CHECK: ret i64
; CHECK-LABEL: define internal i64 @outer(
; CHECK: getelementptr inbounds i8, ptr %{{.*callee_frames}}, i64 0
; CHECK: call i64 @inner(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32)
declare i64 @__weft_group_base(i32)
declare i64 @__weft_local_size(i32)
declare void @__weft_barrier(i32, i32) convergent noduplicate
define internal i64 @inner() {
  %b = call i64 @__weft_group_base(i32 1)
  %l = call i64 @__weft_local_id(i32 1)
  %i = add nuw i64 %b, %l
  %s = call i64 @__weft_local_size(i32 2)
  %r = mul i64 %i, %s
  ret i64 %r
}
define internal i64 @outer() {
  %large = alloca [512 x i32]
  %a = call i64 @inner()
  %at = getelementptr i32, ptr %large, i64 %a
  store volatile i64 %a, ptr %at
  %b = load volatile i64, ptr %large
  ret i64 %b
}
define internal i64 @meeting() {
  call void @__weft_barrier(i32 0, i32 1) convergent
  %o = call i64 @outer()
  ret i64 %o
}
define internal i32 @plain(i32 %x) {
  %y = mul i32 %x, %x
  ret i32 %y
}
define internal void @k(ptr addrspace(1) %p) #0 {
  %o = call i64 @meeting()
  store i64 %o, ptr addrspace(1) %p
  %q = call i32 @plain(i32 4)
  store i32 %q, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "weft-kernel" }

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Enqueueing is a service; without -g any error is CLK_ENQUEUE_FAILURE.
; RUN: --stage lower-module-state
; CHECK: define internal void @k(ptr %q, ptr %out)
; CHECK: store i32 1, ptr
; CHECK: store i64 64, ptr
; CHECK: %[[E:[0-9]+]] = call i32 {{.*}}(ptr {{.*}}, ptr {{.*}}, ptr %q, i32 1, ptr %range, i32 0, ptr null, ptr null, ptr addrspacecast (ptr addrspace(2) @name to ptr), ptr {{.*}}, i64 {{.*}}, i32 0, ptr null)
; CHECK: icmp eq i32
; CHECK: select i1 {{.*}}, i32 {{.*}}, i32 -101
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@name = internal addrspace(2) constant [2 x i8] c"b\00"
declare i32 @__enqueue_kernel_basic(ptr, i32, ptr, ptr addrspace(4), ptr addrspace(4))
declare void @_Z10ndrange_1Dm(ptr sret([80 x i8]), i64)
define internal void @k(ptr %q, ptr %out) #0 {
  %range = alloca [80 x i8], align 8
  %block = alloca [16 x i8], align 8
  %literal = addrspacecast ptr %block to ptr addrspace(4)
  call void @_Z10ndrange_1Dm(ptr sret([80 x i8]) %range, i64 64)
  %e = call i32 @__enqueue_kernel_basic(ptr %q, i32 1, ptr %range, ptr addrspace(4) addrspacecast (ptr addrspace(2) @name to ptr addrspace(4)), ptr addrspace(4) %literal)
  store i32 %e, ptr %out, align 4
  ret void
}
attributes #0 = { "weft-kernel" }

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Reference execution: the kernel's code stays as it is, for one item, and a barrier is a call.
; RUN: --stage reference --switches reference
; CHECK: define hidden void @weft_item_k(ptr [[ITEM:%[0-9]+]])
; CHECK: [[AT:%[0-9]+]] = getelementptr inbounds i8, ptr [[ITEM]], i64 16
; CHECK-NEXT: load i64, ptr [[AT]]
; CHECK: load i32
; CHECK: call void @weft_rt_reference_barrier(ptr [[ITEM]])
; CHECK: store i32
; CHECK-NEXT: ret void
; CHECK: define internal void @k(ptr addrspace(1) %0, i64 %1, i64 %2)
; CHECK: call void @weft_rt_reference(ptr {{.*}}, ptr {{.*}}, i64 %1, i64 %2, ptr @weft_item_k)
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @__weft_barrier(i32, i32) #1
declare i64 @__weft_local_id(i32) #2
define internal void @k(ptr addrspace(1) %p) #0 {
  %i = call i64 @__weft_local_id(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %v = load i32, ptr addrspace(1) %a
  call void @__weft_barrier(i32 1, i32 1)
  store i32 %v, ptr addrspace(1) %a
  ret void
}
attributes #0 = { "weft-kernel" }
attributes #1 = { convergent noduplicate nomerge nounwind }
attributes #2 = { nounwind memory(none) }

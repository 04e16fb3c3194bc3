; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; One way through two barriers: straight code. Ids are computed again, other values are kept per item.
; RUN: --stage regions
; CHECK: define internal void @k(ptr addrspace(1) %p)
; CHECK: [[A:%[0-9]+]] = call ptr @__weft_private_memory()
; CHECK: call i32 @k.items.0(ptr addrspace(1) %p, ptr {{.*}}, ptr null, ptr null)
; CHECK-NEXT: br label %region.1
; CHECK: call i32 @k.items.1(
; CHECK-NEXT: br label %region.2
; CHECK: call i32 @k.items.2(
; CHECK-NEXT: br label %done
; CHECK: define internal i32 @k.region.0(ptr addrspace(1) %p, {{.*}} %lid.linear, i64 %items, i64 %lanes, i64 %unit, i64 %units, ptr noalias %context, ptr %group.values, ptr %group.results)
; CHECK-NEXT: [[SLOT:%[0-9]+]] = getelementptr inbounds i32, ptr %context, i64 %unit
; CHECK: %v = load i32, ptr addrspace(1)
; CHECK: store i32 %v, ptr [[SLOT]]
; CHECK-NEXT: ret i32 1
; CHECK: define internal i32 @k.region.1(
; CHECK-NOT: store
; CHECK: ret i32 2
; CHECK: define internal i32 @k.region.2(
; CHECK: getelementptr i32, ptr addrspace(1) %p, i64 %lid.x
; CHECK: load i32, ptr
; CHECK: ret i32 0
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @__weft_barrier(i32, i32) #1
declare i64 @__weft_local_id(i32) #2
define internal void @k(ptr addrspace(1) %p) #0 {
  %i = call i64 @__weft_local_id(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %v = load i32, ptr addrspace(1) %a
  call void @__weft_barrier(i32 1, i32 1)
  call void @__weft_barrier(i32 1, i32 1)
  store i32 %v, ptr addrspace(1) %a
  ret void
}
attributes #0 = { "weft-kernel" }
attributes #1 = { convergent noduplicate nomerge nounwind }
attributes #2 = { nounwind willreturn speculatable memory(none) }

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Some items return before the barrier: each keeps where it went, those behind run only who came.
; RUN: --stage regions
; CHECK: declare i32 @k.items.0({{.*}}) #[[FIRST:[0-9]+]]
; CHECK: declare i32 @k.items.1({{.*}}) #[[SECOND:[0-9]+]]
; CHECK: attributes #[[FIRST]] = { "weft-items"="k.region.0" "weft-state"="0" }
; CHECK: attributes #[[SECOND]] = { "weft-check" "weft-items"="k.region.1" "weft-state"="0" }
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @__weft_barrier(i32, i32) #1
declare i64 @__weft_local_id(i32) #2
define internal void @k(ptr addrspace(1) %p) #0 {
  %l = call i64 @__weft_local_id(i32 0)
  %out = icmp ugt i64 %l, 5
  br i1 %out, label %gone, label %go
gone:
  ret void
go:
  call void @__weft_barrier(i32 1, i32 1)
  store i32 1, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "weft-kernel" }
attributes #1 = { convergent noduplicate nomerge nounwind }
attributes #2 = { nounwind willreturn speculatable memory(none) }

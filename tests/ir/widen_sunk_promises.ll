; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; "Does not wrap" holds for lanes that are on. InstCombine sank the subtraction behind the branch,
; where all lanes are on, so the promise must go: the first lane's address decides for all.
; RUN: --stage widen
; CHECK-LABEL: define internal void @k(
; CHECK: %back = sub i32 %lane, 1
; CHECK-NOT: nuw
; CHECK: call <4 x i32> @llvm.masked.load.v4i32.p1
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
declare i32 @"__weft_lane_load.i32.p1"(ptr addrspace(1), i1, i1) #3
declare void @"__weft_lane_store.i32.p1"(i32, ptr addrspace(1), i1, i1) #3
define internal void @k(ptr addrspace(1) %o) #0 {
  %i = call i64 @__weft_local_id(i32 0)
  %lane = trunc i64 %i to i32
  %on = icmp sgt i32 %lane, 0
  %back = sub nuw nsw i32 %lane, 1, !annotation !0
  %index = zext nneg i32 %back to i64
  %p = getelementptr inbounds nuw i32, ptr addrspace(1) %o, i64 %index, !annotation !0
  %v = call i32 @"__weft_lane_load.i32.p1"(ptr addrspace(1) align 4 %p, i1 %on, i1 false)
  %q = getelementptr i32, ptr addrspace(1) %o, i64 %i
  call void @"__weft_lane_store.i32.p1"(i32 %v, ptr addrspace(1) align 4 %q, i1 %on, i1 false)
  ret void
}
attributes #0 = { nounwind "weft-kernel" "weft-width"="4" }
attributes #2 = { nounwind memory(none) }
attributes #3 = { nounwind }
!0 = !{!"weft.partial"}

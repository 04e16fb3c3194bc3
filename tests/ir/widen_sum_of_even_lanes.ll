; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Only even ids come here, so InstCombine wrote `id + 1` as `or disjoint`. The first lane stands for
; all of a strided value, and may be odd where it is off: 3 | 1 is not what lane 4 adds its 1 to.
; RUN: --stage widen
; CHECK-LABEL: define internal void @k(
; CHECK: %next = add i64 %i, 1
; CHECK-NOT: or i64
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_linear_id() #2
declare void @"__weft_lane_store.i32.p1"(i32, ptr addrspace(1), i1, i1) #3
define internal void @k(ptr addrspace(1) %o) #0 {
  %i = call i64 @__weft_local_linear_id()
  %bit = and i64 %i, 1
  %even = icmp eq i64 %bit, 0
  %next = or disjoint i64 %i, 1, !annotation !0
  %q = getelementptr i32, ptr addrspace(1) %o, i64 %next
  call void @"__weft_lane_store.i32.p1"(i32 5, ptr addrspace(1) align 4 %q, i1 %even, i1 false)
  ret void
}
attributes #0 = { nounwind "weft-kernel" "weft-width"="4" }
attributes #2 = { nounwind memory(none) }
attributes #3 = { nounwind }
!0 = !{!"weft.partial"}

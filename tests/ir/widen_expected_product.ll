; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A place times a size, as images have it: what is asked is asked of the place, in its 32 bits.
; RUN: --stage widen
; CHECK-LABEL: define internal void @k(
; CHECK: %[[F:.*]] = freeze <4 x i32>
; CHECK: icmp ne <4 x i32> %[[F]]
; CHECK: icmp ule i32 %{{.*}}, -4
; CHECK: br i1 %{{.*}}, label %[[T:.*]], label %[[G:.*]], !prof
; CHECK: [[T]]:
; CHECK: %[[W:.*]] = zext i32 %{{.*}} to i64
; CHECK: %[[P:.*]] = shl i64 %[[W]], 2
; CHECK: %[[S:.*]] = add i64 %[[P]], %{{.*}}
; CHECK: getelementptr i8, ptr addrspace(1) %in, i64 %[[S]]
; CHECK: call <4 x i32> @llvm.masked.load.v4i32.p1(
; CHECK: [[G]]:
; CHECK: call <4 x i32> @llvm.masked.gather.v4i32.v4p1(
; CHECK: ret void
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
declare i1 @__weft_active() #2
declare i32 @"__weft_lane_load.i32.p1"(ptr addrspace(1), i1, i1) #3
declare void @"__weft_lane_store.i32.p1"(i32, ptr addrspace(1), i1, i1) #3
define internal void @k(ptr addrspace(1) %o, ptr addrspace(1) %in, i32 %m, i64 %row) #0 {
  %a = call i1 @__weft_active()
  %i = call i64 @__weft_local_id(i32 0)
  %t = trunc i64 %i to i32
  %and = and i32 %t, %m
  %e = zext i32 %and to i64
  %x = shl nuw nsw i64 %e, 2
  %y = add i64 %x, %row
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %y
  %v = call i32 @"__weft_lane_load.i32.p1"(ptr addrspace(1) align 4 %p, i1 %a, i1 true)
  %q = getelementptr i32, ptr addrspace(1) %o, i64 %i
  call void @"__weft_lane_store.i32.p1"(i32 %v, ptr addrspace(1) align 4 %q, i1 %a, i1 true)
  ret void
}
attributes #0 = { "weft-kernel" "weft-width"="4" }
attributes #2 = { nounwind memory(none) }
attributes #3 = { nounwind }

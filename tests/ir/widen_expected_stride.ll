; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; `in[i & m]` is one vector where the mask leaves lanes side by side, which is asked of the index;
; lanes that are off do not count. An id cut down to 32 bits and widened again stays strided.
; RUN: --stage widen
; CHECK-LABEL: define internal void @k(
; CHECK: %[[F:.*]] = freeze <4 x i32>
; CHECK: icmp ne <4 x i32> %[[F]]
; CHECK: br i1 %{{.*}}, label %[[T:.*]], label %[[G:.*]], !prof
; CHECK: [[T]]:
; CHECK: call <4 x i32> @llvm.masked.load.v4i32.p1(
; CHECK: [[G]]:
; CHECK: call <4 x i32> @llvm.masked.gather.v4i32.v4p1(
; CHECK-NOT: masked.scatter
; CHECK: ret void
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
declare i64 @__weft_group_base(i32) #2
declare i1 @__weft_active() #2
declare i32 @"__weft_lane_load.i32.p1"(ptr addrspace(1), i1, i1) #3
declare void @"__weft_lane_store.i32.p1"(i32, ptr addrspace(1), i1, i1) #3
define internal void @k(ptr addrspace(1) %o, ptr addrspace(1) %in, i32 %m) #0 {
  %a = call i1 @__weft_active()
  %i = call i64 @__weft_local_id(i32 0)
  %t = trunc i64 %i to i32
  %and = and i32 %t, %m
  %e = sext i32 %and to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %e
  %v = call i32 @"__weft_lane_load.i32.p1"(ptr addrspace(1) align 4 %p, i1 %a, i1 true)
  %b = call i64 @__weft_group_base(i32 0)
  %sum = add i64 %i, %b
  %high = shl i64 %sum, 32
  %low = ashr exact i64 %high, 30
  %q = getelementptr i8, ptr addrspace(1) %o, i64 %low
  call void @"__weft_lane_store.i32.p1"(i32 %v, ptr addrspace(1) align 4 %q, i1 %a, i1 true)
  ret void
}
attributes #0 = { "weft-kernel" "weft-width"="4" }

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lane work becomes a loop over the lanes that are on; what is done with its result stays outside.
; RUN: --stage widen
; CHECK-LABEL: define internal void @k(
; CHECK: lane:
; CHECK: call i16 @llvm.cttz.i16
; CHECK-NOT: atomicrmw
; CHECK: cmpxchg
; CHECK-NOT: cmpxchg
; CHECK: call <16 x i32> @llvm.smin.v16i32
; CHECK: ret void
; CHECK-NOT: weft_lane_work
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
declare i1 @__weft_active() #2
declare i32 @llvm.smin.i32(i32, i32)
declare void @"__weft_lane_store.i32.p1"(i32, ptr addrspace(1), i1, i1) #3
define internal { i32, i1 } @__weft_lane_work(i1 %0, ptr addrspace(1) %1) #1 {
  %3 = cmpxchg ptr addrspace(1) %1, i32 5, i32 6 seq_cst seq_cst, align 4
  ret { i32, i1 } %3
}
define internal void @k(ptr addrspace(1) %o, ptr addrspace(1) %l) #0 {
  %a = call i1 @__weft_active()
  %i = call i64 @__weft_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %i
  %r = call { i32, i1 } @__weft_lane_work(i1 %a, ptr addrspace(1) %l)
  %w = extractvalue { i32, i1 } %r, 0
  %m = call i32 @llvm.smin.i32(i32 %w, i32 7)
  call void @"__weft_lane_store.i32.p1"(i32 %m, ptr addrspace(1) align 4 %p, i1 %a, i1 true)
  ret void
}
attributes #0 = { "weft-kernel" "weft-width"="16" }
attributes #1 = { "weft-lane-work" }
attributes #2 = { nounwind willreturn speculatable memory(none) }
attributes #3 = { nounwind willreturn memory(argmem: write) }

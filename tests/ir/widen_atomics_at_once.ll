; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Updates of one word by all lanes are one update, also if each wants a place of its own; what
; depends on the order of the lanes, as sums of floats do, stays a loop.
; RUN: --stage widen
; CHECK-LABEL: define internal void @k(
; CHECK: call i32 @llvm.vector.reduce.umax.v4i32
; CHECK: atomicrmw umax
; CHECK-NOT: atomicrmw
; CHECK: call i8 @llvm.ctpop.i8
; CHECK: atomicrmw sub
; CHECK: call <4 x i8> @llvm.ctpop.v4i8
; CHECK: sub <4 x i32>
; CHECK: phi i8
; CHECK: atomicrmw fadd
; CHECK: ret void
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
declare i1 @__weft_active() #2
declare i32 @"__weft_lane_load.i32.p1"(ptr addrspace(1), i1, i1) #4
declare void @"__weft_lane_store.i32.p1"(i32, ptr addrspace(1), i1, i1) #3
define internal i32 @__weft_lane_work(i1 %0, ptr addrspace(1) %1, i32 %2) #1 {
  %4 = atomicrmw umax ptr addrspace(1) %1, i32 %2 seq_cst, align 4
  ret i32 %4
}
define internal i32 @__weft_lane_work.1(i1 %0, ptr addrspace(1) %1) #1 {
  %3 = atomicrmw sub ptr addrspace(1) %1, i32 3 seq_cst, align 4
  ret i32 %3
}
define internal float @__weft_lane_work.2(i1 %0, ptr addrspace(1) %1) #1 {
  %3 = atomicrmw fadd ptr addrspace(1) %1, float 1.000000e+00 seq_cst, align 4
  ret float %3
}
define internal void @k(ptr addrspace(1) %o, ptr addrspace(1) %l) #0 {
  %a = call i1 @__weft_active()
  %i = call i64 @__weft_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %i
  %v = call i32 @"__weft_lane_load.i32.p1"(ptr addrspace(1) align 4 %p, i1 %a, i1 true)
  %m = call i32 @__weft_lane_work(i1 %a, ptr addrspace(1) %l, i32 %v)
  %r = call i32 @__weft_lane_work.1(i1 %a, ptr addrspace(1) %l)
  %f = call float @__weft_lane_work.2(i1 %a, ptr addrspace(1) %l)
  call void @"__weft_lane_store.i32.p1"(i32 %r, ptr addrspace(1) align 4 %p, i1 %a, i1 true)
  ret void
}
attributes #0 = { "weft-kernel" "weft-width"="4" }
attributes #1 = { "weft-lane-work" }
attributes #2 = { nounwind willreturn speculatable memory(none) }
attributes #3 = { nounwind willreturn memory(argmem: write) }
attributes #4 = { nounwind willreturn memory(argmem: read) }

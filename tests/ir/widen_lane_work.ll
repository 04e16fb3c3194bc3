; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An atomic update stays in its loop over the lanes that are on, with what was folded behind it,
; and lanes that are off keep what the PHI has for them.
; RUN: --stage widen
; CHECK-LABEL: define internal void @k(
; CHECK: lane:
; CHECK: phi <4 x i32> [ splat (i32 9), %{{.*}} ]
; CHECK: atomicrmw
; CHECK-NOT: atomicrmw
; CHECK: ret void
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
declare i1 @__weft_active() #2
declare void @"__weft_lane_store.i32.p1"(i32, ptr addrspace(1), i1, i1) #3
define internal void @k(ptr addrspace(1) %o, ptr addrspace(1) %l) #0 {
  %a = call i1 @__weft_active()
  %i = call i64 @__weft_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %i
  br i1 %a, label %lane, label %after, !weft.lanes !0
lane:
  %r = atomicrmw min ptr addrspace(1) %l, i32 5 seq_cst, align 4
  %m = call i32 @llvm.smin.i32(i32 %r, i32 7)
  br label %after
after:
  %x = phi i32 [ %m, %lane ], [ 9, %0 ]
  call void @"__weft_lane_store.i32.p1"(i32 %x, ptr addrspace(1) align 4 %p, i1 %a, i1 true)
  ret void
}
; A lane block whose pure work nobody wanted is empty.
define internal void @empty() #0 {
  %a = call i1 @__weft_active()
  br i1 %a, label %lane, label %after, !weft.lanes !0
lane:
  br label %after
after:
  ret void
}
declare i32 @llvm.smin.i32(i32, i32)
attributes #0 = { "weft-kernel" "weft-width"="4" }
attributes #2 = { nounwind willreturn speculatable memory(none) }
attributes #3 = { nounwind willreturn memory(argmem: write) }
!0 = !{}

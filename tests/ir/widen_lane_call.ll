; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function that is called lane by lane: its arguments come from memory, and its results go there. In registers all
; lanes' values would be stored and loaded around each call.
; RUN: --stage widen
; CHECK-LABEL: define internal void @k(
; CHECK: store <16 x ptr addrspace(1)>
; CHECK: lane:
; CHECK-NOT: phi <
; CHECK: load ptr addrspace(1)
; CHECK: call <2 x float> @texel
; CHECK-NOT: insertelement <16 x
; CHECK: store float
; CHECK: store float
; CHECK: load <16 x float>
; CHECK: ret void
; Bits of lanes do not lie one behind the other, so a structure, which may have some, stays in registers.
; CHECK-LABEL: define internal void @pair(
; CHECK: lane:
; CHECK: phi <16 x i1>
; CHECK: call { float, i1 } @both
; CHECK-NOT: load <16 x i1>
; CHECK: ret void
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
declare i1 @__weft_active() #2
declare <2 x float> @texel(ptr addrspace(1)) #3
declare void @"__weft_lane_store.f32.p1"(float, ptr addrspace(1), i1, i1) #4
define internal <2 x float> @__weft_lane_work(i1 %0, ptr addrspace(1) %1) #1 {
  %3 = call <2 x float> @texel(ptr addrspace(1) %1)
  ret <2 x float> %3
}
declare { float, i1 } @both(ptr addrspace(1)) #3
define internal { float, i1 } @__weft_lane_work.1(i1 %0, ptr addrspace(1) %1) #1 {
  %3 = call { float, i1 } @both(ptr addrspace(1) %1)
  ret { float, i1 } %3
}
define internal void @k(ptr addrspace(1) %o, ptr addrspace(1) %l, i64 %pitch) #0 {
  %a = call i1 @__weft_active()
  %i = call i64 @__weft_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %o, i64 %i
  %f = mul i64 %i, %pitch
  %q = getelementptr i8, ptr addrspace(1) %l, i64 %f
  %r = call <2 x float> @__weft_lane_work(i1 %a, ptr addrspace(1) %q)
  %x = extractelement <2 x float> %r, i64 0
  %y = extractelement <2 x float> %r, i64 1
  %s = fadd float %x, %y
  call void @"__weft_lane_store.f32.p1"(float %s, ptr addrspace(1) align 4 %p, i1 %a, i1 true)
  ret void
}
define internal void @pair(ptr addrspace(1) %o, ptr addrspace(1) %l, i64 %pitch) #0 {
  %a = call i1 @__weft_active()
  %i = call i64 @__weft_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %o, i64 %i
  %f = mul i64 %i, %pitch
  %q = getelementptr i8, ptr addrspace(1) %l, i64 %f
  %r = call { float, i1 } @__weft_lane_work.1(i1 %a, ptr addrspace(1) %q)
  %x = extractvalue { float, i1 } %r, 0
  %y = extractvalue { float, i1 } %r, 1
  %s = select i1 %y, float %x, float 0.0
  call void @"__weft_lane_store.f32.p1"(float %s, ptr addrspace(1) align 4 %p, i1 %a, i1 true)
  ret void
}
attributes #0 = { "weft-kernel" "weft-width"="16" }
attributes #1 = { "weft-lane-work" }
attributes #2 = { nounwind willreturn speculatable memory(none) }
attributes #3 = { nounwind willreturn memory(read) }
attributes #4 = { nounwind willreturn memory(argmem: write) }

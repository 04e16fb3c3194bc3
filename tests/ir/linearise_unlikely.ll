; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Cheap code that is said to be unlikely is jumped over, and what lanes have got that did so does not
; come from a blend behind it, which would wait for whatever is in its register.
; RUN: --stage linearise
; CHECK-LABEL: define internal void @k(
; CHECK: [[LOADED:%b]] = call float @__weft_lane_load
; CHECK: [[RESULT:%[a-z0-9.]+]] = phi float {{.*}}[ [[LOADED]], %then.guard ]
; CHECK: [[SOME:%[0-9]+]] = call i1 @__weft_any(i1
; CHECK: br i1 [[SOME]], label %then, label {{.*}}, !prof
; CHECK: then:
; CHECK: %q = fmul
; CHECK: select i1 {{.*}}, float %b, float %q
; CHECK: @__weft_lane_store.float.p1(float [[RESULT]],
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
define internal void @k(ptr addrspace(1) %o) #0 {
  %i = call i64 @__weft_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %o, i64 %i
  %b = load float, ptr addrspace(1) %p, align 4
  %usual = fcmp ole float %b, 1.0e2
  br i1 %usual, label %end, label %then, !prof !0
then:
  %q = fmul float %b, 3.0
  br label %end
end:
  %r = phi float [ %b, %0 ], [ %q, %then ]
  store float %r, ptr addrspace(1) %p, align 4
  ret void
}
attributes #0 = { "weft-kernel" "weft-width"="4" }
attributes #2 = { nounwind willreturn speculatable memory(none) }
!0 = !{!"branch_weights", i32 2000, i32 1}

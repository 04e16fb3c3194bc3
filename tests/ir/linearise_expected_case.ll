; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A switch becomes comparisons that say how often each is true, the likeliest case first: what a body
; costs is estimated by it.
; RUN: --stage linearise
; CHECK-LABEL: define internal void @k(
; CHECK: icmp eq i32 %format, 7
; CHECK: br i1 {{.*}}, !prof [[FIRST:![0-9]+]]
; CHECK: icmp eq i32 %format, 3
; CHECK: br i1 {{.*}}, !prof [[SECOND:![0-9]+]]
; CHECK-DAG: [[FIRST]] = !{!"branch_weights", i32 600, i32 402}
; CHECK-DAG: [[SECOND]] = !{!"branch_weights", i32 400, i32 2}
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
define internal void @k(ptr addrspace(1) %o, i32 %format) #0 {
  %i = call i64 @__weft_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %o, i64 %i
  %b = load float, ptr addrspace(1) %p, align 4
  switch i32 %format, label %end [
    i32 1, label %one
    i32 3, label %three
    i32 7, label %three
    i32 9, label %one
  ], !prof !0
one:
  %q = fmul float %b, 3.0
  store float %q, ptr addrspace(1) %p, align 4
  br label %end
three:
  %how = phi float [ 2.0, %0 ], [ 2.0, %0 ]
  %r = fadd float %b, %how
  store float %r, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}
attributes #0 = { "weft-kernel" "weft-width"="4" }
attributes #2 = { nounwind willreturn speculatable memory(none) }
!0 = !{!"branch_weights", i32 0, i32 1, i32 400, i32 600, i32 1}

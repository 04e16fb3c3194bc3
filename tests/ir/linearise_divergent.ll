; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A branch that lanes take apart becomes a mask and a guard; one that they take together stays.
; RUN: --stage linearise
; CHECK-LABEL: define internal void @k(
; CHECK: [[ON:%[0-9]+]] = call i1 @__weft_active()
; CHECK: br i1 {{.*}}, label %same
; CHECK: same:
; CHECK: [[MASK:%[0-9]+]] = select i1 [[ON]], i1 %part, i1 false
; CHECK: [[SOME:%[0-9]+]] = call i1 @__weft_any(i1 [[MASK]])
; CHECK: br i1 [[SOME]]
; CHECK: select i1 [[MASK]], i32 %b, i32 1
; CHECK: call void @__weft_lane_store.i32.p1(i32 {{.*}}, ptr addrspace(1) align 4 %p, i1 [[MASK]], i1 true)
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
define internal void @k(ptr addrspace(1) %o, i32 %n) #0 {
  %i = call i64 @__weft_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %i
  %uniform = icmp sgt i32 %n, 3
  br i1 %uniform, label %same, label %end
same:
  %b = load i32, ptr addrspace(1) %p, align 4
  %part = icmp sgt i32 %b, 5
  br i1 %part, label %then, label %end
then:
  %q = udiv i32 %n, %b
  store i32 %q, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}
attributes #0 = { "weft-kernel" "weft-width"="4" }
attributes #2 = { nounwind willreturn speculatable memory(none) }

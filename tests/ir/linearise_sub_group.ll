; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Sub-group functions get the mask of the lanes that come there, behind a guard; a result that is
; the same for all lanes decides a branch that stays.
; RUN: --stage linearise
; CHECK-LABEL: define internal void @k(
; CHECK: [[ON:%[0-9]+]] = call i1 @__weft_active()
; CHECK: [[MASK:%[0-9]+]] = select i1 [[ON]], i1 %part, i1 false
; CHECK: call i1 @__weft_any(i1 [[MASK]])
; CHECK: %sum = call i32 @__weft_sub_group.i32(i32 2, i32 0, i32 %v, i32 0, i1 [[MASK]])
; CHECK: br i1 {{.*}}, label %often, label
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
declare i32 @__weft_sub_group.i32(i32, i32, i32, i32, i1) #3
define internal void @k(ptr addrspace(1) %o) #0 {
  %i = call i64 @__weft_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %i
  %v = load i32, ptr addrspace(1) %p, align 4
  %part = icmp sgt i32 %v, 5
  br i1 %part, label %then, label %end
then:
  %sum = call i32 @__weft_sub_group.i32(i32 2, i32 0, i32 %v, i32 0, i1 true)
  %many = icmp sgt i32 %sum, 100
  br i1 %many, label %often, label %end
often:
  store i32 %sum, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}
attributes #0 = { nounwind "weft-kernel" "weft-width"="4" }
attributes #2 = { nounwind memory(none) }
attributes #3 = { convergent nomerge nounwind willreturn memory(none) }

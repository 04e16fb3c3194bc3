; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Work that is done lane by lane is a call of its own function with the lanes that are on: no other
; work, and nothing that uses its result, gets between it and its mask.
; RUN: --stage linearise
; CHECK-LABEL: define internal void @k(
; CHECK-NOT: atomicrmw
; CHECK: [[MASK:%[0-9]+]] = select i1 %{{[0-9]+}}, i1 %part, i1 false
; CHECK: %x = call i32 @__weft_lane_work(i1 [[MASK]], ptr addrspace(1) %l)
; CHECK: %y = call i32 @__weft_lane_work.1(i1 [[MASK]], ptr addrspace(1) %l, i32 %x)
; CHECK: define internal i32 @__weft_lane_work(
; CHECK: atomicrmw add {{.*}}, i32 1
; CHECK: define internal i32 @__weft_lane_work.1(
; CHECK: atomicrmw xchg
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
define internal void @k(ptr addrspace(1) %o, ptr addrspace(1) %l) #0 {
  %i = call i64 @__weft_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %i
  %b = load i32, ptr addrspace(1) %p, align 4
  %part = icmp sgt i32 %b, 5
  br i1 %part, label %then, label %end
then:
  %x = atomicrmw add ptr addrspace(1) %l, i32 1 seq_cst, align 4
  %y = atomicrmw xchg ptr addrspace(1) %l, i32 %x seq_cst, align 4
  store i32 %y, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}
attributes #0 = { "weft-kernel" "weft-width"="4" }
attributes #2 = { nounwind willreturn speculatable memory(none) }

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A value that leaves a loop at different times differs between items, though it is the same for all
; items inside of the loop: it is kept per item.
; RUN: --stage regions
; CHECK: define internal void @k(ptr addrspace(1) %p)
; CHECK: call i32 @k.items.0(ptr addrspace(1) %p, ptr {{%.*}}, ptr null, ptr null)
; CHECK: define internal i32 @k.region.0(
; CHECK: [[SLOT:%[0-9]+]] = getelementptr inbounds i32, ptr %context, i64 %unit
; CHECK: store i32 {{.*}}, ptr [[SLOT]]
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @__weft_barrier(i32, i32) #1
declare i64 @__weft_local_id(i32) #2
define internal void @k(ptr addrspace(1) %p) #0 {
entry:
  %l = call i64 @__weft_local_id(i32 0)
  %t = trunc i64 %l to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %i, %t
  br i1 %more, label %loop, label %end
end:
  call void @__weft_barrier(i32 1, i32 1)
  store i32 %i, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "weft-kernel" }
attributes #1 = { convergent noduplicate nomerge nounwind }
attributes #2 = { nounwind willreturn speculatable memory(none) }

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop around a barrier whose count is the same for all items: its counter is the group's, and
; nobody asks who is alive.
; RUN: --stage regions
; CHECK: define internal void @k(i32 %n)
; CHECK: %group.values = alloca { i32 }
; CHECK: switch i32 %next
; CHECK-NOT: weft-check
; CHECK: define internal i32 @k.region.1(
; CHECK: load i32, ptr
; CHECK: add i32 {{.*}}, 1
; CHECK-NOT: weft-state
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @__weft_barrier(i32, i32) #1
define internal void @k(i32 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  call void @__weft_barrier(i32 1, i32 1)
  %next = add i32 %i, 1
  br label %loop
end:
  ret void
}
attributes #0 = { "weft-kernel" }
attributes #1 = { convergent noduplicate nomerge nounwind }

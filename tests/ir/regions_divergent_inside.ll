; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Found with odd-even sort: a divergent branch that meets again before the loop decides does not make
; the loop's exit divergent.
; RUN: --stage regions
; CHECK: define internal void @k(i32 %n, ptr addrspace(3) %p)
; CHECK-NOT: weft-state
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @__weft_barrier(i32, i32) #1
declare i64 @__weft_local_id(i32) #2
define internal void @k(i32 %n, ptr addrspace(3) %p) #0 {
entry:
  %l = call i64 @__weft_local_id(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  call void @__weft_barrier(i32 1, i32 1)
  %odd = icmp ugt i64 %l, 3
  br i1 %odd, label %then, label %latch
then:
  %a = getelementptr i32, ptr addrspace(3) %p, i64 %l
  store i32 %i, ptr addrspace(3) %a
  br label %latch
latch:
  %next = add i32 %i, 1
  br label %loop
end:
  call void @__weft_barrier(i32 1, i32 1)
  ret void
}
attributes #0 = { "weft-kernel" }
attributes #1 = { convergent noduplicate nomerge nounwind }
attributes #2 = { nounwind willreturn speculatable memory(none) }

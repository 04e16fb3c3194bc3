; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Behind a barrier in a loop, one way leads to another barrier and one around the loop: the counter
; has another value on each, so that neither may be stored for both before the items run.
; RUN: --stage regions
; CHECK: define internal i32 @k.region.1({{.*}}
; CHECK-NEXT: getelementptr
; CHECK-NOT: store
; CHECK: more:
; CHECK-NEXT: store i32 %i, ptr
; CHECK: loop:
; CHECK: store i32 %i1, ptr
; CHECK: ret i32
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @__weft_barrier(i32, i32) #1
declare i64 @__weft_local_id(i32) #2
define internal void @k(ptr addrspace(1) %p, i32 %n, i32 %m) #0 {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  call void @__weft_barrier(i32 1, i32 1)
  %now = icmp ugt i32 %n, %i
  br i1 %now, label %more, label %latch
more:
  call void @__weft_barrier(i32 1, i32 1)
  br label %latch
latch:
  %next = add nuw i32 %i, 1
  %l = call i64 @__weft_local_id(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %l
  store i32 %next, ptr addrspace(1) %a
  %again = icmp ult i32 %next, %m
  br i1 %again, label %loop, label %end
end:
  ret void
}
attributes #0 = { "weft-kernel" }
attributes #1 = { convergent noduplicate nomerge nounwind }
attributes #2 = { nounwind memory(none) }

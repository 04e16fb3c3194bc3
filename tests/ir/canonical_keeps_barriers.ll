; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; No barrier is merged, sunk or copied: both branches keep theirs.
; RUN: --stage canonical
; CHECK: br i1
; CHECK: store i32 1, ptr addrspace(1)
; CHECK-NEXT: call void @__weft_barrier(i32 1, i32 1)
; CHECK-NEXT: br label
; CHECK: store i32 2, ptr addrspace(1)
; CHECK-NEXT: call void @__weft_barrier(i32 1, i32 1)
; CHECK-NEXT: br label
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @__weft_barrier(i32, i32) #1
define internal void @k(i1 %c, ptr addrspace(1) %p) #0 {
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr addrspace(1) %p
  call void @__weft_barrier(i32 1, i32 1)
  br label %end
b:
  store i32 2, ptr addrspace(1) %p
  call void @__weft_barrier(i32 1, i32 1)
  br label %end
end:
  ret void
}
attributes #0 = { "weft-kernel" }
attributes #1 = { convergent noduplicate nomerge nounwind }

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Reference execution: behind a trap the item ends; nothing runs into what lies there.
; RUN: --stage reference --switches reference
; CHECK: define hidden void @weft_item_k(
; CHECK-NOT: unreachable
; CHECK: call void {{.*}}(ptr %launch, ptr %worker, i32 1,
; CHECK-NEXT: ret void
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @__weft_fault(i32)
define internal void @k() #0 {
  call void @__weft_fault(i32 1)
  unreachable
}
attributes #0 = { "weft-kernel" }

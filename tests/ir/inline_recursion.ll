; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: --stage inline-barriers
; FAILS: the function 'deeper' calls itself
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @__weft_barrier(i32, i32)
define internal void @deeper.user(i32 %n) {
  call void @__weft_barrier(i32 1, i32 1)
  call void @deeper.user(i32 %n)
  ret void
}
define internal void @k() #0 {
  call void @deeper.user(i32 4)
  ret void
}
attributes #0 = { "weft-kernel" }

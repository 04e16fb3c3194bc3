; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: --stage lower-module-state
; FAILS: the __local variable 'x' has an initial value, which local memory cannot have
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@x = internal addrspace(3) global i32 3
define internal void @k() #0 {
  store i32 5, ptr addrspace(3) @x
  ret void
}
attributes #0 = { "weft-kernel" }

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a stage reads that is not as it must be is an error (it was a crash); unit/facts tries more.
; RUN: --stage group-loops
; FAILS: function 'k.items.0' runs region 'nowhere', which is not there
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i32 @k.items.0(ptr, ptr, ptr) "weft-items"="nowhere"
define void @k() "weft-kernel" {
  %next = call i32 @k.items.0(ptr null, ptr null, ptr null)
  ret void
}

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A variable behind an operation that is done lane by lane: in front, before the entry is split.
; RUN: --stage linearise
; CHECK-LABEL: define internal void @k(
; CHECK: alloca [4 x i32]
; CHECK: atomicrmw
; CHECK-NOT: alloca
; CHECK: ret void
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
define internal void @k(ptr addrspace(1) %o) #0 {
  %i = call i64 @__weft_local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %i
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst, align 4
  %a = alloca [4 x i32], align 4
  %at = getelementptr [4 x i32], ptr %a, i64 0, i32 %old
  store volatile i32 %old, ptr %at, align 4
  ret void
}
attributes #0 = { "weft-kernel" "weft-width"="4" }
attributes #2 = { nounwind willreturn speculatable memory(none) }

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nobody comes between the load and the exchange of a word in local memory: the loop
; runs once, and its load is like any other.
; RUN: --stage optimise
; CHECK-LABEL: define void @k(
; CHECK-NOT: br
; CHECK: load float, ptr addrspace(3) %l
; CHECK-NOT: cmpxchg
; CHECK: store float %new
; CHECK-NEXT: ret void
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define void @k(ptr addrspace(3) %l) {
entry:
  br label %again
again:
  %old = load volatile float, ptr addrspace(3) %l, align 4
  %bits = bitcast float %old to i32
  %new = fadd float %old, 1.0
  %more = bitcast float %new to i32
  %pair = cmpxchg volatile ptr addrspace(3) %l, i32 %bits, i32 %more seq_cst seq_cst, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %again
end:
  ret void
}

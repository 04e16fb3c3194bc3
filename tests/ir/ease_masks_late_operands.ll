; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Of three operands the one that is known last comes last (Blowfish: what a round looks up, behind key
; and other half). But not what one turn of a loop waits for in the other, however long a load takes, and
; no sum of floats whose order the program has not left to us.
; RUN: --isa x86-64-v3 --stage ease-masks
; CHECK-LABEL: @rounds(
; CHECK: [[FIRST:%[0-9]+]] = xor i32 %p, %r
; CHECK: %x = xor i32 [[FIRST]], %t
; CHECK-LABEL: @turns(
; CHECK: %ab = xor i32 %a, %b
; CHECK: %next = xor i32 %ab, %sum
; CHECK-LABEL: @floats(
; CHECK: %u = fadd float %t2, %p
; CHECK: fadd float %u, %r
; CHECK-LABEL: @fast(
; CHECK: [[PR:%[0-9]+]] = fadd fast float %p, %r
; CHECK: %x = fadd {{.*}}float [[PR]], %t2
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define i32 @rounds(ptr %table, ptr %key, i32 %l, i32 %r) {
  %place = getelementptr i32, ptr %table, i32 %l
  %s = load i32, ptr %place, align 4
  %t = add nsw i32 %s, %l
  %p = load i32, ptr %key, align 4
  %tp = xor i32 %t, %p
  %x = xor i32 %tp, %r
  ret i32 %x
}
define i32 @turns(ptr %a.place, ptr %places, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %inc, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  %b.place = load ptr, ptr %a.place, align 8
  %a = load i32, ptr %b.place, align 4
  %b = load i32, ptr %places, align 4
  %ab = xor i32 %a, %b
  %next = xor i32 %ab, %sum
  %inc = add i64 %i, 1
  %more = icmp ult i64 %inc, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %next
}
define float @floats(ptr %key, float %l, float %r) {
  %t = fmul float %l, %l
  %t2 = fmul float %t, %l
  %p = load float, ptr %key, align 4
  %u = fadd float %t2, %p
  %x = fadd float %u, %r
  ret float %x
}
define float @fast(float %l, float %p, float %r) {
  %t = fmul fast float %l, %l
  %t2 = fmul fast float %t, %l
  %u = fadd fast float %t2, %p
  %x = fadd fast float %u, %r
  ret float %x
}

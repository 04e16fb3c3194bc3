; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Selects that choose among several values by one say that no processor foretells them; others do not.
; RUN: --isa x86-64-v3 --stage optimise
; CHECK-LABEL: @chosen(
; CHECK: select i1 {{.*}}, !unpredictable
; CHECK: select i1 {{.*}}, !unpredictable
; CHECK: ret i32
; CHECK: @clamped(
; CHECK-NOT: !unpredictable
; CHECK: ret i32
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define i32 @chosen(i32 %x, i32 %y, i32 %z) {
  %a = icmp eq i32 %x, 65
  %b = icmp eq i32 %x, 67
  %s = select i1 %a, i32 %y, i32 9
  %t = select i1 %b, i32 %z, i32 %s
  ret i32 %t
}
define i32 @clamped(i32 %x, i32 %y, i32 %z) {
  %a = icmp slt i32 %x, %y
  %b = icmp eq i32 %x, 67
  %s = select i1 %a, i32 %y, i32 9
  %t = select i1 %b, i32 %z, i32 %s
  ret i32 %t
}

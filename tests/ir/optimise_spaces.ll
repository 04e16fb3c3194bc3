; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A store to a buffer changes nothing in local memory, which is nowhere else; it may change a buffer.
; RUN: --stage optimise
; CHECK-LABEL: define i32 @local(
; CHECK: store i32 7, ptr addrspace(1) %b
; CHECK-NOT: load
; CHECK: ret i32
; CHECK-LABEL: define i32 @buffer(
; CHECK: store i32 7, ptr addrspace(1) %b
; CHECK-NEXT: load i32, ptr addrspace(1) %l
; CHECK-LABEL: define i32 @generic(
; CHECK: store i32 7, ptr addrspace(1) %b
; CHECK-NEXT: load i32, ptr addrspace(4) %l
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define i32 @local(ptr addrspace(3) %l, ptr addrspace(1) %b) {
  %x = load i32, ptr addrspace(3) %l, align 4
  store i32 7, ptr addrspace(1) %b, align 4
  %y = load i32, ptr addrspace(3) %l, align 4
  %z = mul i32 %x, %y
  ret i32 %z
}
define i32 @buffer(ptr addrspace(1) %l, ptr addrspace(1) %b) {
  %x = load i32, ptr addrspace(1) %l, align 4
  store i32 7, ptr addrspace(1) %b, align 4
  %y = load i32, ptr addrspace(1) %l, align 4
  %z = mul i32 %x, %y
  ret i32 %z
}
define i32 @generic(ptr addrspace(4) %l, ptr addrspace(1) %b) {
  %x = load i32, ptr addrspace(4) %l, align 4
  store i32 7, ptr addrspace(1) %b, align 4
  %y = load i32, ptr addrspace(4) %l, align 4
  %z = mul i32 %x, %y
  ret i32 %z
}

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that reach an id or a barrier become part of their kernels; the others stay calls.
; RUN: --stage inline-barriers
; CHECK-NOT: @outer
; CHECK: define internal i32 @plain(i32 %x) {
; CHECK: define internal void @k(ptr addrspace(1) %p)
; CHECK: call i64 @__weft_local_id(i32 0)
; CHECK: call i64 @__weft_local_id(i32 0)
; CHECK: call i32 @plain(i32 4)
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32)
define internal i64 @inner() {
  %i = call i64 @__weft_local_id(i32 0)
  ret i64 %i
}
define internal i64 @outer() {
  %a = call i64 @inner()
  %b = call i64 @inner()
  %sum = add i64 %a, %b
  ret i64 %sum
}
define internal i32 @plain(i32 %x) {
  %y = mul i32 %x, %x
  ret i32 %y
}
define internal void @k(ptr addrspace(1) %p) #0 {
  %o = call i64 @outer()
  store i64 %o, ptr addrspace(1) %p
  %q = call i32 @plain(i32 4)
  ret void
}
attributes #0 = { "weft-kernel" }

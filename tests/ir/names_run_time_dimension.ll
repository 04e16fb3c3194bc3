; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; "For other values of dimindx, get_global_id() returns 0": also when they are known late.
; RUN: --stage name-builtins
; CHECK-LABEL: define i64 @constant
; CHECK-NEXT: [[B:%[0-9]+]] = call i64 @__weft_group_base(i32 1)
; CHECK-NEXT: [[L:%[0-9]+]] = call i64 @__weft_local_id(i32 1)
; CHECK-NEXT: [[G:%[0-9]+]] = add nuw i64 [[B]], [[L]]
; CHECK-NEXT: add i64 [[G]], 1
; CHECK-LABEL: define i64 @late
; CHECK: icmp eq i32 %d, 2
; CHECK: select i1 {{.*}}, i64 {{.*}}, i64 1
; CHECK: call i64 @__weft_local_size(i32 0)
; CHECK-NEXT: icmp eq i32 %d, 0
; CHECK-NEXT: [[R:%[0-9]+]] = select
; CHECK-NEXT: ret i64 [[R]]
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z14get_local_sizej(i32)
define i64 @constant() {
  %a = call i64 @_Z13get_global_idj(i32 1)
  %b = call i64 @_Z14get_local_sizej(i32 7)
  %sum = add i64 %a, %b
  ret i64 %sum
}
define i64 @late(i32 %d) {
  %a = call i64 @_Z14get_local_sizej(i32 %d)
  ret i64 %a
}

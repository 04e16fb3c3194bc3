; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops of code for one item at a time are unrolled in part, as there is nothing else to fill the
; processor with; not those of a second body beside a wide one, which would take longer to build.
; RUN: --stage optimise
; CHECK-LABEL: define i64 @alone(
; CHECK: mul i64
; CHECK: mul i64
; CHECK: icmp
; CHECK-LABEL: define i64 @second(
; CHECK: mul i64
; CHECK-NOT: mul i64
; CHECK: icmp
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define i64 @alone(ptr %x, i64 %y) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %c = phi i64 [ 0, %entry ], [ %c1, %loop ]
  %p = getelementptr i64, ptr %x, i64 %i
  %v = load i64, ptr %p
  %m = mul i64 %v, %c
  %h = lshr i64 %m, 32
  %c1 = add i64 %h, %y
  store i64 %c1, ptr %p
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i1, 64
  br i1 %more, label %loop, label %end
end:
  ret i64 %c1
}
define i64 @second(ptr %x, i64 %y) "weft-single" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %c = phi i64 [ 0, %entry ], [ %c1, %loop ]
  %p = getelementptr i64, ptr %x, i64 %i
  %v = load i64, ptr %p
  %m = mul i64 %v, %c
  %h = lshr i64 %m, 32
  %c1 = add i64 %h, %y
  store i64 %c1, ptr %p
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i1, 64
  br i1 %more, label %loop, label %end
end:
  ret i64 %c1
}

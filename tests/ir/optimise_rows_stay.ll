; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a loop over rows asks in each turn, whether a row has whole vectors and whether there is a rest, makes no copies of the loop;
; what a loop over items asks does.
; RUN: --isa x86-64-v3 --stage optimise
; CHECK-LABEL: @rows(
; CHECK: call void @rest(
; CHECK-NOT: call void @rest(
; CHECK-LABEL: @items(
; CHECK: call void @rest(
; CHECK: ret void
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @whole(i64) nounwind
declare void @rest(i64) nounwind
define void @rows(i64 %whole, i64 %left, i64 %rows) {
entry:
  br label %row
row:
  %n = phi i64 [ 0, %entry ], [ %next, %done ]
  %none = icmp eq i64 %whole, 0
  br i1 %none, label %tail, label %full
full:
  call void @whole(i64 %n)
  br label %tail
tail:
  %all = icmp eq i64 %left, 0
  br i1 %all, label %done, label %some
some:
  call void @rest(i64 %n)
  br label %done
done:
  %next = add nuw i64 %n, 1
  %end = icmp eq i64 %next, %rows
  br i1 %end, label %out, label %row, !llvm.loop !0
out:
  ret void
}
define void @items(i64 %whole, i64 %left, i64 %rows) {
entry:
  br label %row
row:
  %n = phi i64 [ 0, %entry ], [ %next, %done ]
  %none = icmp eq i64 %whole, 0
  br i1 %none, label %tail, label %full
full:
  call void @whole(i64 %n)
  br label %tail
tail:
  %all = icmp eq i64 %left, 0
  br i1 %all, label %done, label %some
some:
  call void @rest(i64 %n)
  br label %done
done:
  %next = add nuw i64 %n, 1
  %end = icmp eq i64 %next, %rows
  br i1 %end, label %out, label %row
out:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"weft.rows"}

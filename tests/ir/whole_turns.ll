; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that lanes leave in step is there twice: entered with all lanes it has neither mask nor blend,
; and what some lane does not take any more is a turn of the loop as it was. Not a loop that lanes
; leave by what they load.
; RUN: --isa x86-64-v3 --stage whole-turns
; CHECK-LABEL: @strided(
; CHECK: [[FULL:%[0-9]+]] = icmp eq i8 {{.*}}, -1
; CHECK: br i1 [[FULL]], label %usual, label %usual.parting
; CHECK: loop.parting:
; CHECK: %mask.parting = phi <8 x i1> [ %first, %usual.parting ], [ %next.mask.parting, %loop.parting ], [ %next.mask, %parting ]
; CHECK: %sum.parting = phi {{.*}}, [ %more, %parting ]
; CHECK: loop:
; CHECK-NEXT: %left = phi <8 x float> [ poison, %usual ], [ %left, %loop ]
; CHECK-NEXT: %i = phi
; CHECK-NEXT: %sum = phi
; CHECK: %x = call {{.*}}, <8 x i1> splat (i1 true), <8 x float> poison)
; CHECK: [[ALL:%[0-9]+]] = icmp eq i8 {{.*}}, -1
; CHECK: br i1 [[ALL]], label %loop, label %parting
; CHECK: parting:
; CHECK: br i1 %any, label %loop.parting, label %
; CHECK-LABEL: @by_data(
; CHECK-NOT: parting
; CHECK: ret void
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define <8 x float> @strided(ptr %p, i32 %id, i32 %size, i32 %n, <8 x i1> %first) "weft-kernel" "weft-width"="8" {
entry:
  %n.one = insertelement <8 x i32> poison, i32 %n, i64 0
  %n.all = shufflevector <8 x i32> %n.one, <8 x i32> poison, <8 x i32> zeroinitializer
  br label %loop
loop:
  %left = phi <8 x float> [ poison, %entry ], [ %result, %loop ]
  %mask = phi <8 x i1> [ %first, %entry ], [ %next.mask, %loop ]
  %i = phi i32 [ %id, %entry ], [ %next, %loop ]
  %sum = phi <8 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %long = sext i32 %i to i64
  %place = getelementptr float, ptr %p, i64 %long
  %x = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %place, <8 x i1> %mask, <8 x float> poison)
  %more = fadd <8 x float> %sum, %x
  %next = add i32 %i, %size
  %one = insertelement <8 x i32> poison, i32 %next, i64 0
  %all = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer
  %lanes = add <8 x i32> %all, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %on = icmp slt <8 x i32> %lanes, %n.all
  %off = xor <8 x i1> %on, splat (i1 true)
  %leave = select <8 x i1> %mask, <8 x i1> %off, <8 x i1> zeroinitializer
  %result = select <8 x i1> %leave, <8 x float> %more, <8 x float> %left
  %next.mask = select <8 x i1> %mask, <8 x i1> %on, <8 x i1> zeroinitializer
  %bits = bitcast <8 x i1> %next.mask to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %loop, label %done
done:
  ret <8 x float> %result
}
define void @by_data(ptr %p, i32 %size, <8 x i1> %first) "weft-kernel" "weft-width"="8" {
entry:
  br label %loop
loop:
  %mask = phi <8 x i1> [ %first, %entry ], [ %next.mask, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %long = sext i32 %i to i64
  %place = getelementptr float, ptr %p, i64 %long
  %x = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %place, <8 x i1> %mask, <8 x float> poison)
  %next = add i32 %i, %size
  %on = fcmp olt <8 x float> %x, splat (float 1.000000e+00)
  %next.mask = select <8 x i1> %mask, <8 x i1> %on, <8 x i1> zeroinitializer
  %bits = bitcast <8 x i1> %next.mask to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %loop, label %done
done:
  ret void
}
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, <8 x i1>, <8 x float>)

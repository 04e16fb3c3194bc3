; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Without AVX-512 a mask that lives across blocks is a vector of words, and its bit the sign; what
; compares and is used in one block stays a comparison.
; RUN: --isa x86-64-v3 --stage ease-masks
; CHECK-LABEL: @weft_kernel_f(
; CHECK: sext i1 %u to i32
; CHECK: loop:
; CHECK: [[LIVE:%[0-9]+]] = phi <8 x i32> [ splat (i32 -1), %entry ], [ [[NEXT:%[0-9]+]], %loop ]
; CHECK-NOT: phi <8 x i1>
; CHECK: %less = icmp slt <8 x i32> %i, %n
; CHECK: select <8 x i1> %less, <8 x i32> %n, <8 x i32> %i
; CHECK: icmp slt <8 x i32> [[NEXT]], zeroinitializer
; CHECK: bitcast <8 x i1> %{{.*}} to i8
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define <8 x i32> @weft_kernel_f(<8 x i32> %n, i1 %u) "weft-width"="8" "target-features"="+avx2" {
entry:
  %one = insertelement <8 x i1> poison, i1 %u, i64 0
  %same = shufflevector <8 x i1> %one, <8 x i1> poison, <8 x i32> zeroinitializer
  br label %loop
loop:
  %live = phi <8 x i1> [ splat (i1 true), %entry ], [ %next, %loop ]
  %i = phi <8 x i32> [ zeroinitializer, %entry ], [ %j, %loop ]
  %less = icmp slt <8 x i32> %i, %n
  %least = select <8 x i1> %less, <8 x i32> %n, <8 x i32> %i
  %j = add <8 x i32> %least, splat (i32 1)
  %both = and <8 x i1> %less, %same
  %next = select <8 x i1> %live, <8 x i1> %both, <8 x i1> zeroinitializer
  %bits = bitcast <8 x i1> %next to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %loop, label %end
end:
  ret <8 x i32> %j
}

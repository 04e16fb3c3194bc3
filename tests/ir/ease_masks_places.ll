; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A gather's places are found where it is, from a base and indices of 32 bits; not what it could not
; scale, and not of bytes, which no instruction gathers.
; RUN: --isa x86-64-v4 --stage ease-masks
; CHECK-LABEL: @weft_kernel_f(
; CHECK-NOT: getelementptr i32
; CHECK: getelementptr i8, ptr %p, <16 x i64>
; CHECK: getelementptr [3 x i32], ptr %p, <16 x i64>
; CHECK: then:
; CHECK: [[INDEX:%.*]] = sext <16 x i32> %i to <16 x i64>
; CHECK: [[PLACES:%.*]] = getelementptr i32, ptr %p, <16 x i64> [[INDEX]]
; CHECK: call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 [[PLACES]]
; CHECK-NOT: getelementptr
; CHECK: ret
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define <16 x i32> @weft_kernel_f(<16 x i32> %i, ptr %p, <16 x i1> %m, i1 %c, <16 x i32> %other) "weft-width"="16" "target-cpu"="x86-64-v4" {
  %long = zext nneg <16 x i32> %i to <16 x i64>
  %words = getelementptr i32, ptr %p, <16 x i64> %long
  %bytes = getelementptr i8, ptr %p, <16 x i64> %long
  %triples = getelementptr [3 x i32], ptr %p, <16 x i64> %long
  br i1 %c, label %then, label %else
then:
  %a = call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 %words, <16 x i1> %m, <16 x i32> poison)
  %b = call <16 x i8> @llvm.masked.gather.v16i8.v16p0(<16 x ptr> align 1 %bytes, <16 x i1> %m, <16 x i8> poison)
  %t = call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 %triples, <16 x i1> %m, <16 x i32> poison)
  %x = zext <16 x i8> %b to <16 x i32>
  %y = add <16 x i32> %a, %x
  %z = add <16 x i32> %y, %t
  ret <16 x i32> %z
else:
  ret <16 x i32> %other
}
declare <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr>, <16 x i1>, <16 x i32>)
declare <16 x i8> @llvm.masked.gather.v16i8.v16p0(<16 x ptr>, <16 x i1>, <16 x i8>)

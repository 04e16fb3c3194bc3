; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; InstCombine's one choice by two comparisons becomes a maximum and a choice by one. Not where the
; other is asked for a NaN, where equals are chosen too, or where somebody else has the condition. Of
; single values any such choice becomes choices by one comparison: by more it would be a branch.
; RUN: --isa x86-64-v3 --stage ease-masks
; CHECK-LABEL: @largest(
; CHECK: [[MAX:%[0-9]+]] = select <4 x i1> %order, <4 x float> %x, <4 x float> %y
; CHECK-NEXT: %r = select <4 x i1> %nan, <4 x float> %x, <4 x float> [[MAX]]
; CHECK-LABEL: @smallest(
; CHECK: [[MIN:%[0-9]+]] = select i1 %order, double %x, double %y
; CHECK-NEXT: %r = select i1 %nan, double %x, double [[MIN]]
; CHECK-LABEL: @others(
; CHECK: %a = select <4 x i1> %either,
; CHECK: %b = select <4 x i1> %equal.too,
; CHECK: %c = select <4 x i1> %twice,
; CHECK-LABEL: @single(
; CHECK: [[INNER:%[0-9]+]] = select i1 %below, float %x, float %y
; CHECK: [[BOTH:%[0-9]+]] = select i1 %above, float [[INNER]], float %y
; CHECK: %r = select i1 %equal, float %x, float [[BOTH]]
; CHECK-LABEL: @other_types(
; CHECK: select i1 %either, float
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define <4 x float> @largest(<4 x float> %x, <4 x float> %y) {
  %order = fcmp ogt <4 x float> %x, %y
  %nan = fcmp uno <4 x float> %y, zeroinitializer
  %either = or <4 x i1> %order, %nan
  %r = select <4 x i1> %either, <4 x float> %x, <4 x float> %y
  ret <4 x float> %r
}
define double @smallest(double %x, double %y) {
  %nan = fcmp uno double %y, %y
  %order = fcmp ogt double %y, %x
  %either = select i1 %nan, i1 true, i1 %order
  %r = select i1 %either, double %x, double %y
  ret double %r
}
define <4 x float> @others(<4 x float> %x, <4 x float> %y, ptr %p) {
  %order = fcmp ogt <4 x float> %x, %y
  %equal = fcmp oge <4 x float> %x, %y
  %nan.y = fcmp uno <4 x float> %y, zeroinitializer
  %nan.x = fcmp uno <4 x float> %x, zeroinitializer
  %either = or <4 x i1> %order, %nan.x
  %equal.too = or <4 x i1> %equal, %nan.y
  %twice = or <4 x i1> %order, %nan.y
  store <4 x i1> %twice, ptr %p
  %a = select <4 x i1> %either, <4 x float> %x, <4 x float> %y
  %b = select <4 x i1> %equal.too, <4 x float> %x, <4 x float> %y
  %c = select <4 x i1> %twice, <4 x float> %x, <4 x float> %y
  %s = fadd <4 x float> %a, %b
  %t = fadd <4 x float> %s, %c
  ret <4 x float> %t
}
define float @single(float %x, float %y, float %low, float %high) {
  %above = fcmp ogt float %x, %low
  %below = fcmp olt float %x, %high
  %equal = fcmp oeq float %low, %high
  %both = select i1 %above, i1 %below, i1 false
  %any = or i1 %equal, %both
  %r = select i1 %any, float %x, float %y
  ret float %r
}
define float @other_types(float %x, float %y, double %low, double %high) {
  %above = fcmp ogt double %high, %low
  %below = fcmp olt float %x, %y
  %either = or i1 %above, %below
  %r = select i1 %either, float %x, float %y
  ret float %r
}

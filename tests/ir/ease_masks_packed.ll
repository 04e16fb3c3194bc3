; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Bytes of pixels are shifted out of the lanes' integers and into them where what is computed is as
; long; what does not fit a byte does not reach the bytes beside it. Bytes of which shorter numbers
; are made are still picked, as are those that are put together as they are.
; RUN: --isa x86-64-v3 --stage ease-masks
; CHECK-LABEL: @weft_kernel_apart(
; CHECK: %z = shufflevector
; CHECK: [[ALL:%[0-9]+]] = bitcast <32 x i8> %p to <8 x i32>
; CHECK: [[DOWN:%[0-9]+]] = lshr <8 x i32> [[ALL]], splat (i32 8)
; CHECK: [[LOW:%[0-9]+]] = and <8 x i32> [[DOWN]], splat (i32 255)
; CHECK: sitofp <8 x i32> [[LOW]] to <8 x float>
; CHECK: [[UP:%[0-9]+]] = shl <8 x i32> {{.*}}, splat (i32 16)
; CHECK: ashr <8 x i32> [[UP]], splat (i32 24)
; CHECK: %short = zext <8 x i8> %z to <8 x i16>
; CHECK-LABEL: @weft_kernel_together(
; CHECK: [[X:%[0-9]+]] = and <8 x i32> %x, splat (i32 255)
; CHECK: [[Y:%[0-9]+]] = fptosi <8 x float> %y to <8 x i32>
; CHECK: [[MASKED:%[0-9]+]] = and <8 x i32> [[Y]], splat (i32 255)
; CHECK: [[MOVED:%[0-9]+]] = shl <8 x i32> [[MASKED]], splat (i32 8)
; CHECK: or <8 x i32> [[X]], [[MOVED]]
; CHECK: zext <8 x i8> %w to <8 x i32>
; CHECK: bitcast <8 x i32> {{.*}} to <32 x i8>
; CHECK-LABEL: @weft_kernel_as_they_are(
; CHECK: %all = shufflevector
; CHECK: ret <32 x i8> %all
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define <8 x i16> @weft_kernel_apart(<32 x i8> %p, ptr %out) "weft-width"="8" {
  %x = shufflevector <32 x i8> %p, <32 x i8> poison, <8 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29>
  %y = shufflevector <32 x i8> %p, <32 x i8> poison, <8 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29>
  %z = shufflevector <32 x i8> %p, <32 x i8> poison, <8 x i32> <i32 2, i32 6, i32 10, i32 14, i32 18, i32 22, i32 26, i32 30>
  %float = uitofp <8 x i8> %x to <8 x float>
  store <8 x float> %float, ptr %out
  %int = sext <8 x i8> %y to <8 x i32>
  store <8 x i32> %int, ptr %out
  %short = zext <8 x i8> %z to <8 x i16>
  ret <8 x i16> %short
}
define <32 x i8> @weft_kernel_together(<8 x i32> %x, <8 x float> %y, <8 x i32> %z, <8 x i8> %w) "weft-width"="8" {
  %a = trunc <8 x i32> %x to <8 x i8>
  %b = fptoui <8 x float> %y to <8 x i8>
  %c = trunc <8 x i32> %z to <8 x i8>
  %low = shufflevector <8 x i8> %a, <8 x i8> %b, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %high = shufflevector <8 x i8> %w, <8 x i8> %c, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %all = shufflevector <16 x i8> %low, <16 x i8> %high, <32 x i32> <i32 0, i32 8, i32 16, i32 24, i32 1, i32 9, i32 17, i32 25, i32 2, i32 10, i32 18, i32 26, i32 3, i32 11, i32 19, i32 27, i32 4, i32 12, i32 20, i32 28, i32 5, i32 13, i32 21, i32 29, i32 6, i32 14, i32 22, i32 30, i32 7, i32 15, i32 23, i32 31>
  ret <32 x i8> %all
}
define <32 x i8> @weft_kernel_as_they_are(<8 x i8> %a, <8 x i8> %b, <8 x i8> %c, <8 x i8> %w) "weft-width"="8" {
  %low = shufflevector <8 x i8> %a, <8 x i8> %b, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %high = shufflevector <8 x i8> %w, <8 x i8> %c, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %all = shufflevector <16 x i8> %low, <16 x i8> %high, <32 x i32> <i32 0, i32 8, i32 16, i32 24, i32 1, i32 9, i32 17, i32 25, i32 2, i32 10, i32 18, i32 26, i32 3, i32 11, i32 19, i32 27, i32 4, i32 12, i32 20, i32 28, i32 5, i32 13, i32 21, i32 29, i32 6, i32 14, i32 22, i32 30, i32 7, i32 15, i32 23, i32 31>
  ret <32 x i8> %all
}

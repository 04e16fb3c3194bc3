; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Integer division never traps; a divisor that is known to be harmless costs nothing.
; RUN: --stage retarget
; CHECK-LABEL: define internal i32 @signed.user
; CHECK-NEXT: [[B:%[0-9]+]] = freeze i32 %b
; CHECK-NEXT: [[ZERO:%[0-9]+]] = icmp eq i32 [[B]], 0
; CHECK-NEXT: [[A:%[0-9]+]] = freeze i32 %a
; CHECK-NEXT: [[ONES:%[0-9]+]] = icmp eq i32 [[B]], -1
; CHECK-NEXT: [[MIN:%[0-9]+]] = icmp eq i32 [[A]], -2147483648
; CHECK-NEXT: [[OVER:%[0-9]+]] = and i1 [[ONES]], [[MIN]]
; CHECK-NEXT: [[TRAPS:%[0-9]+]] = or i1 [[ZERO]], [[OVER]]
; CHECK-NEXT: [[SAFE:%[0-9]+]] = select i1 [[TRAPS]], i32 1, i32 [[B]]
; CHECK-NEXT: %q = sdiv i32 [[A]], [[SAFE]]
; CHECK-LABEL: define internal <2 x i8> @unsigned.user
; CHECK-NEXT: freeze <2 x i8> %b
; CHECK-NEXT: icmp eq <2 x i8> {{.*}}, zeroinitializer
; CHECK-NEXT: select <2 x i1> {{.*}}, <2 x i8> splat (i8 1),
; CHECK-NEXT: urem <2 x i8> %a,
; CHECK-LABEL: define internal i32 @constant.user
; CHECK-NEXT: %q = sdiv i32 %a, -7
; CHECK-NEXT: ret
; CHECK-LABEL: define internal <2 x i32> @partly.user
; CHECK-NEXT: freeze
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
define spir_func i32 @signed(i32 %a, i32 %b) {
  %q = sdiv i32 %a, %b
  ret i32 %q
}
define spir_func <2 x i8> @unsigned(<2 x i8> %a, <2 x i8> %b) {
  %q = urem <2 x i8> %a, %b
  ret <2 x i8> %q
}
define spir_func i32 @constant(i32 %a) {
  %q = sdiv i32 %a, -7
  ret i32 %q
}
define spir_func <2 x i32> @partly(<2 x i32> %a) {
  %q = sdiv <2 x i32> %a, <i32 3, i32 0>
  ret <2 x i32> %q
}

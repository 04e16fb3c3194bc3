; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A struct by value is each item's own: the argument block is read only.
; RUN: --stage retarget
; CHECK: define internal void @k(ptr addrspace(2) align 4 "weft-struct"="16" %s, i32 %x)
; CHECK-NEXT: [[COPY:%[a-z0-9.]+]] = alloca %struct.S, align 4
; CHECK-NEXT: call void @llvm.memcpy.p0.p2.i64(ptr align 4 [[COPY]], ptr addrspace(2) align 4 %s, i64 16, i1 false)
; CHECK-NEXT: store i32 %x, ptr [[COPY]]
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
%struct.S = type { i32, [3 x float] }
define spir_kernel void @k(ptr byval(%struct.S) align 4 %s, i32 %x) {
  store i32 %x, ptr %s
  ret void
}

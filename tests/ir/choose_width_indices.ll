; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Indices in 32 bits: what is the same for all lanes and what lies side by side are extended one by
; one, so that they become parts of an address. Not where the sum may wrap, nor where lanes are at
; places of their own: gathers take 32 bits.
; RUN: --dump-after choose-width --isa x86-64-v4
; CHECK-LABEL: define {{.*}}@signed(
; CHECK: [[FROM:%.*]] = sext i32 %from to i64
; CHECK: add nsw i64 [[FROM]], %1
; CHECK: [[STEP:%.*]] = sext i32 %step to i64
; CHECK: [[AT:%.*]] = sub nsw i64 {{.*}}, [[STEP]]
; CHECK: getelementptr {{.*}} i64 [[AT]]
; CHECK: ret void
; CHECK-LABEL: define {{.*}}@wraps(
; CHECK-NOT: add nsw i64
; CHECK: ret void
; CHECK-LABEL: define {{.*}}@apart(
; CHECK-NOT: add nsw i64
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @signed(ptr addrspace(1) %out, i32 %from, i32 %step) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %l = trunc i64 %id to i32
  %sum = add nsw i32 %from, %l
  %place = sub nsw i32 %sum, %step
  %at = sext i32 %place to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %at
  store i32 %l, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @wraps(ptr addrspace(1) %out, i32 %from) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %l = trunc i64 %id to i32
  %sum = add i32 %from, %l
  %at = sext i32 %sum to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %at
  store i32 %l, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @apart(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %from) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %row = load i32, ptr addrspace(1) %q
  %sum = add nsw i32 %row, %from
  %at = sext i32 %sum to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %at
  %x = load i32, ptr addrspace(1) %p
  store i32 %x, ptr addrspace(1) %q
  ret void
}

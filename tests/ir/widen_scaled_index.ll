; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pixel's place by a coordinate of 32 bits without a sign, as InstCombine writes it: lanes lie side by
; side. Not where an id was multiplied before, which wraps around where it likes; there only a guess says so.
; RUN: --dump-after widen --isa x86-64-v4
; CHECK-LABEL: define {{.*}}@k(
; CHECK-NOT: scatter
; CHECK: call void @llvm.masked.store.v16f32
; CHECK-NOT: scatter
; CHECK: ret void
; CHECK-LABEL: define {{.*}}@wraps(
; CHECK: icmp ne <16 x i
; CHECK: call void @llvm.masked.scatter.v16f32
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %out, float %v) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %scaled = shl i64 %id, 2
  %place = and i64 %scaled, 17179869180
  %p = getelementptr i8, ptr addrspace(1) %out, i64 %place
  store float %v, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @wraps(ptr addrspace(1) %out, float %v, i64 %by) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %far = add i64 %id, %by
  %scaled = shl i64 %far, 2
  %place = and i64 %scaled, 17179869180
  %p = getelementptr i8, ptr addrspace(1) %out, i64 %place
  store float %v, ptr addrspace(1) %p
  ret void
}

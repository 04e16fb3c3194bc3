; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Scalar accesses of an item side by side become one of a vector where lanes are apart, however the
; places are computed; not where what is stored in between is what they load, nor where the lanes are
; neighbours. Where it is only if buffers overlap, the part of the block is there twice.
; RUN: --dump-after choose-width --isa x86-64-v4
; CHECK-LABEL: define {{.*}}@together(
; CHECK: load <3 x float>
; CHECK: store <3 x float>
; CHECK-NOT: load
; CHECK-NOT: store
; CHECK: ret void
; CHECK: define {{.*}}@between(
; CHECK: br i1 {{.*}}, label %apart, label %apart.overlapping
; CHECK-LABEL: apart:
; CHECK: load <2 x float>
; CHECK: store <2 x float>
; CHECK-LABEL: apart.overlapping:
; CHECK-NOT: x float>
; CHECK: br label %together
; CHECK: define {{.*}}@touched(
; CHECK-NOT: x float>
; CHECK: ret void
; CHECK: define {{.*}}@neighbours(
; CHECK-NOT: x float>
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @together(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = mul i64 %id, 3
  %i1 = add i64 %i, 1
  %i2 = add i64 %i, 2
  %p = getelementptr float, ptr addrspace(1) %in, i64 %i
  %p1 = getelementptr float, ptr addrspace(1) %in, i64 %i1
  %p2 = getelementptr float, ptr addrspace(1) %in, i64 %i2
  %x2 = load float, ptr addrspace(1) %p2
  %x = load float, ptr addrspace(1) %p
  %x1 = load float, ptr addrspace(1) %p1
  %y = fadd float %x, %x1
  %y1 = fadd float %x1, %x2
  %y2 = fadd float %x2, %x
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 4
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 8
  store float %y1, ptr addrspace(1) %q1
  store float %y, ptr addrspace(1) %q
  store float %y2, ptr addrspace(1) %q2
  ret void
}
define spir_kernel void @between(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = mul i64 %id, 8
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %i
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 4
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %i
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 4
  %x = load float, ptr addrspace(1) %p
  store float %x, ptr addrspace(1) %q1
  %x1 = load float, ptr addrspace(1) %p1
  store float %x1, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @touched(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = mul i64 %id, 8
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %i
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 4
  %q = getelementptr i8, ptr addrspace(1) %p, i64 2
  %x = load float, ptr addrspace(1) %p
  store float 1.0, ptr addrspace(1) %q, align 2
  %x1 = load float, ptr addrspace(1) %p1
  %y = fadd float %x, %x1
  store float %y, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @neighbours(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %id
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 4
  %x = load float, ptr addrspace(1) %p
  %x1 = load float, ptr addrspace(1) %p1
  %y = fadd float %x, %x1
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %y, ptr addrspace(1) %q
  ret void
}

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Groups may have short rows and long columns: a body along columns is told the other dimension's ids
; and sizes. Not where linear ids are asked for, which count along rows.
; RUN: --dump-after choose-width --isa x86-64-v4
; CHECK-LABEL: define {{.*}}@k(
; CHECK: call {{.*}}i64 @__weft_local_id(i32 1)
; CHECK: call {{.*}}i64 @__weft_local_size(i32 0)
; CHECK: call {{.*}}i64 @__weft_group_id(i32 2)
; CHECK: ret void
; CHECK-LABEL: define {{.*}}@linear(
; CHECK-NOT: @linear.turned(
; CHECK-LABEL: define {{.*}}@k.turned(
; CHECK: call {{.*}}i64 @__weft_local_id(i32 0)
; CHECK: call {{.*}}i64 @__weft_local_size(i32 1)
; CHECK: call {{.*}}i64 @__weft_group_id(i32 2)
; CHECK: ret void
; CHECK-NOT: @linear.turned(
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func i64 @_Z19get_local_linear_idv()
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(3) %all) {
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %n = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %g = call spir_func i64 @_Z12get_group_idj(i32 2)
  %p = getelementptr i64, ptr addrspace(3) %all, i64 %y
  store volatile i64 %n, ptr addrspace(3) %p
  call spir_func void @_Z7barrierj(i32 1)
  %v = load volatile i64, ptr addrspace(3) %all
  %s = add i64 %v, %g
  %q = getelementptr i64, ptr addrspace(1) %out, i64 %y
  store i64 %s, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @linear(ptr addrspace(1) %out, ptr addrspace(3) %all) {
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %l = call spir_func i64 @_Z19get_local_linear_idv()
  %p = getelementptr i64, ptr addrspace(3) %all, i64 %y
  store volatile i64 %l, ptr addrspace(3) %p
  call spir_func void @_Z7barrierj(i32 1)
  %v = load volatile i64, ptr addrspace(3) %all
  %q = getelementptr i64, ptr addrspace(1) %out, i64 %y
  store i64 %v, ptr addrspace(1) %q
  ret void
}

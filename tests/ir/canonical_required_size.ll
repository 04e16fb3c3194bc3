; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Ids of a required group are taken apart and are there again; its size is a constant where no group
; at an edge may be smaller, as in programs of OpenCL 1.2 (loops_fixed_size.ll), and not here.
; RUN: --dump-after canonical
; CHECK-LABEL: define {{.*}}@k(
; CHECK: [[X:%[0-9]+]] = call range(i64 0, 8) i64 @__weft_local_id(i32 0)
; CHECK: call range(i64 0, 4) i64 @__weft_local_id(i32 1)
; CHECK-NOT: __weft_local_id
; CHECK-NOT: rem
; CHECK-NOT: div
; CHECK: call i64 @__weft_local_size(i32 0)
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
define spir_kernel void @k(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %z = call spir_func i64 @_Z12get_local_idj(i32 2)
  %row = mul i64 %y, 8
  %sum = add i64 %row, %x
  %short = trunc i64 %sum to i32
  %rest = srem i32 %short, 8
  %times = sdiv i32 %short, 8
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %rest
  store i32 %times, ptr addrspace(1) %a
  %size = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %e = add i64 %size, %z
  %b = getelementptr i64, ptr addrspace(1) %a, i64 %e
  store i64 %size, ptr addrspace(1) %b
  ret void
}
!0 = !{i32 8, i32 4, i32 1}

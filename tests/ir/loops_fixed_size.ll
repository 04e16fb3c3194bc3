; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; All groups have the required size: rows are two vectors, without a rest.
; RUN: --dump-after group-loops --isa x86-64-v3
; CHECK-LABEL: define {{.*}}@k(
; CHECK-NOT: row.rest
; CHECK: item.x:
; CHECK: call void @llvm.masked.store{{.*}}splat (i1 true)
; CHECK-NOT: row.rest
; CHECK: attributes
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %short = trunc i64 %x to i32
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %id
  store i32 %short, ptr addrspace(1) %a
  ret void
}
!0 = !{i32 16, i32 1, i32 1}
!llvm.module.flags = !{!1}
!1 = !{i32 1, !"weft.uniform-work-group-size", i32 1}

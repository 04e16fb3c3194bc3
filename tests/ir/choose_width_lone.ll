; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A group that is to be of one item waits for nobody; what others may read of it stays in its order,
; for the compiler where the scope is the group's, and for the processor where it is greater.
; RUN: --dump-after choose-width --isa x86-64-v4
; CHECK-LABEL: define {{.*}}@required(
; CHECK: [[ONE:%.*]] = trunc {{.*}}i64 1 to i32
; CHECK-NEXT: store volatile i32 [[ONE]], ptr addrspace(1) %out
; CHECK-NEXT: store volatile i32 2
; CHECK-NEXT: fence syncscope("singlethread") acq_rel
; CHECK-NEXT: store volatile i32 3
; CHECK-NEXT: fence acq_rel
; CHECK-NEXT: store volatile i32 4
; CHECK-NEXT: ret void
; Others have such a body beside their own.
; CHECK-LABEL: define {{.*}}@free(
; CHECK: call void @__weft_barrier
; CHECK: ret void
; CHECK-LABEL: define {{.*}}@free.lone(
; CHECK-NEXT: store volatile i32 1, ptr addrspace(1) %out
; CHECK-NEXT: store volatile i32 2, ptr addrspace(1) %out
; CHECK-NEXT: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func void @_Z7barrierj(i32)
declare spir_func void @_Z18work_group_barrierj12memory_scope(i32, i32)
define spir_kernel void @required(ptr addrspace(1) %out) !reqd_work_group_size !0 {
  %size = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %s = trunc i64 %size to i32
  store volatile i32 %s, ptr addrspace(1) %out
  call spir_func void @_Z7barrierj(i32 1)
  store volatile i32 2, ptr addrspace(1) %out
  call spir_func void @_Z7barrierj(i32 2)
  store volatile i32 3, ptr addrspace(1) %out
  call spir_func void @_Z18work_group_barrierj12memory_scope(i32 3, i32 2)
  store volatile i32 4, ptr addrspace(1) %out
  ret void
}
define spir_kernel void @free(ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %id
  %size = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %s = trunc i64 %size to i32
  store volatile i32 %s, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store volatile i32 2, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 1, i32 1, i32 1}

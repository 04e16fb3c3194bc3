; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; 32 items load 96 elements together: each three, whoever it is. 100 elements are no such number.
; RUN: --dump-after inline-library
; CHECK-LABEL: define {{.*}}@three(
; CHECK-NOT: phi
; CHECK: store i32
; CHECK: store i32
; CHECK: store i32
; CHECK-NOT: store
; CHECK: ret void
; CHECK-LABEL: define {{.*}}@three_or_four(
; CHECK: phi i32
; CHECK: store i32
; CHECK: br i1
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @three(ptr addrspace(3) %p) !reqd_work_group_size !0 {
entry:
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %row = mul i64 %y, 8
  %sum = add i64 %row, %x
  %id = trunc i64 %sum to i32
  br label %head
head:
  %i = phi i32 [ %id, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, 96
  br i1 %more, label %body, label %end
body:
  %q = getelementptr i32, ptr addrspace(3) %p, i32 %i
  store i32 %i, ptr addrspace(3) %q
  %next = add nsw i32 %i, 32
  br label %head
end:
  ret void
}
define spir_kernel void @three_or_four(ptr addrspace(3) %p) !reqd_work_group_size !0 {
entry:
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %row = mul i64 %y, 8
  %sum = add i64 %row, %x
  %id = trunc i64 %sum to i32
  br label %head
head:
  %i = phi i32 [ %id, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, 100
  br i1 %more, label %body, label %end
body:
  %q = getelementptr i32, ptr addrspace(3) %p, i32 %i
  store i32 %i, ptr addrspace(3) %q
  %next = add nsw i32 %i, 32
  br label %head
end:
  ret void
}
!0 = !{i32 8, i32 4, i32 1}

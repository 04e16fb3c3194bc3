; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What counts in local memory is wide: updates follow each other where all lanes are on, which they
; are in all turns but the last, since lanes begin side by side and go on by more than a vector.
; RUN: --dump-after estimate --isa x86-64-v4
; CHECK-LABEL: define {{.*}}@k(
; CHECK: br i1 {{.*}}, !prof [[LIKELY:![0-9]+]]
; CHECK: atomicrmw {{.*}}add ptr addrspace(3)
; CHECK: atomicrmw {{.*}}add ptr addrspace(3)
; CHECK: ret void
; CHECK: [[LIKELY]] = !{!"branch_weights"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(3) %bins, i32 %n) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %first = trunc i64 %id to i32
  %any = icmp slt i32 %first, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %j = sext i32 %i to i64
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %j
  %byte = load i8, ptr addrspace(1) %p
  %bin = zext i8 %byte to i64
  %q = getelementptr i32, ptr addrspace(3) %bins, i64 %bin
  %old = atomicrmw add ptr addrspace(3) %q, i32 1 seq_cst
  %next = add nsw i32 %i, 256
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

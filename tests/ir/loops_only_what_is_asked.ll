; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel that knows no y and z has rows of items; one that knows no id at all has one loop.
; RUN: --switches width=1 --dump-after group-loops
; CHECK-LABEL: define internal void @rows(
; CHECK: call void @weft_rt_group_first(
; CHECK: call void @weft_rt_group_next(
; CHECK: item.row:
; CHECK: item.x:
; CHECK: br i1 {{.*}}!llvm.loop
; CHECK-LABEL: define internal void @linear(
; CHECK-NOT: {{^item\.[xyzr]}}
; CHECK: item:
; CHECK-NOT: {{^item\.[xyzr]}}
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @rows(ptr addrspace(1) %p) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %a
  ret void
}
define spir_kernel void @linear(ptr addrspace(1) %p) {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

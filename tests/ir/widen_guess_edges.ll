; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A neighbour whose place is kept inside, `i ? i - 1 : 0` and its mirror abs(i - 1): lanes lie side by
; side but at the edge, which is asked at run time.
; RUN: --dump-after widen --isa x86-64-v3
; CHECK-LABEL: define {{.*}}@k(
; CHECK: icmp ne <8 x i64>
; CHECK: call <8 x float> @llvm.masked.load
; CHECK: call <8 x float> @llvm.masked.gather
; CHECK: icmp ne <8 x i32>
; CHECK: call <8 x float> @llvm.masked.load
; CHECK: call <8 x float> @llvm.masked.gather
; CHECK-NOT: masked.gather
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
declare i64 @llvm.usub.sat.i64(i64, i64)
declare i32 @llvm.abs.i32(i32, i1)
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %left = call i64 @llvm.usub.sat.i64(i64 %id, i64 1)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %left
  %x = load float, ptr addrspace(1) %p
  %short = trunc i64 %id to i32
  %before = add i32 %short, -1
  %mirror = call i32 @llvm.abs.i32(i32 %before, i1 true)
  %r = getelementptr float, ptr addrspace(1) %in, i32 %mirror
  %y = load float, ptr addrspace(1) %r
  %e = fadd float %x, %y
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %e, ptr addrspace(1) %q
  ret void
}

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes divide their ids by a number that only the launch knows: most are alike, which is asked at run
; time, though the divisor is another one in lanes that are off and where the division would trap.
; RUN: --dump-after widen --isa x86-64-v4 --switches width=16
; CHECK-LABEL: define {{.*}}@k(
; CHECK: icmp ne <16 x i64>
; CHECK: load float
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK: icmp ne <16 x i32>
; CHECK: load float
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i32 %m) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %a = udiv i64 %id, %n
  %p = getelementptr float, ptr addrspace(1) %in, i64 %a
  %x = load float, ptr addrspace(1) %p
  %short = trunc i64 %id to i32
  %b = sdiv i32 %short, %m
  %r = getelementptr float, ptr addrspace(1) %in, i32 %b
  %y = load float, ptr addrspace(1) %r
  %e = fadd float %x, %y
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %e, ptr addrspace(1) %q
  ret void
}

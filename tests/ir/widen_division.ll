; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes are divided in floating point, those of 64 bits where all are short enough; by a constant they
; stay as they are, since LLVM multiplies.
; RUN: --dump-after widen --isa x86-64-v4 --switches width=16
; CHECK-LABEL: define {{.*}}@k(
; CHECK: fdiv <16 x double>
; CHECK: fptosi <16 x double>
; CHECK: udiv <16 x i32> {{.*}} splat (i32 10)
; CHECK: call i64 @llvm.vector.reduce.or.v16i64
; CHECK: br i1 {{.*}}, !prof
; CHECK: fdiv <16 x double>
; CHECK: udiv <16 x i64>
; CHECK-NOT: div <16 x
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i64 %m) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %x = load i32, ptr addrspace(1) %p
  %a = sdiv i32 %x, %n
  %b = udiv i32 %a, 10
  %c = udiv i64 %id, %m
  %d = trunc i64 %c to i32
  %e = add i32 %b, %d
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %e, ptr addrspace(1) %q
  ret void
}

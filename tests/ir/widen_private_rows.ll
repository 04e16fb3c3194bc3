; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An element of a private array that all lanes have side by side needs no masks: what is stored for
; some of them is all of it, with what others had, so that it can become a register. Not at a place
; that is computed, where perhaps nobody is on.
; RUN: --dump-after widen --isa x86-64-v4
; CHECK-LABEL: define {{.*}}@k(
; CHECK: alloca {{.*}}!weft.side-by-side
; CHECK: [[OLD:%[0-9]+]] = load <16 x float>, ptr
; CHECK: [[NEW:%[0-9]+]] = select <16 x i1> {{.*}}, <16 x float> {{.*}}, <16 x float> [[OLD]]
; CHECK: store <16 x float> [[NEW]], ptr
; CHECK: [[PLACE:%[0-9]+]] = getelementptr i8, ptr %a, i64 192
; CHECK: load <16 x float>, ptr [[PLACE]]
; CHECK: store <16 x float> {{%[0-9]+}}, ptr [[PLACE]]
; CHECK: call void @llvm.masked.store.v16f32.p0(
; CHECK: load <16 x float>, ptr
; CHECK: call void @llvm.masked.store.v16f32.p1
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i32 %m) {
entry:
  %a = alloca [9 x float]
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr float, ptr addrspace(1) %in, i64 %id
  %v = load float, ptr addrspace(1) %from
  %i = sext i32 %n to i64
  %j = sext i32 %m to i64
  %p = getelementptr inbounds [9 x float], ptr %a, i64 0, i64 %i
  %q = getelementptr inbounds [9 x float], ptr %a, i64 0, i64 3
  %r = getelementptr inbounds [9 x float], ptr %a, i64 0, i64 %j
  store float %v, ptr %p
  %c = fcmp olt float %v, 1.0
  br i1 %c, label %then, label %end
then:
  %w = fmul float %v, 3.0
  store float %w, ptr %q
  store float %w, ptr %r
  br label %end
end:
  %x = load float, ptr %p
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %x, ptr addrspace(1) %to
  ret void
}

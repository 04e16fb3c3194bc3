; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Sums of float4 times a float: sixteen floats are a register as they lie in memory, and there is no
; shuffle in the loop but what takes a load apart into registers.
; RUN: --dump-after widen --isa x86-64-v4 --switches width=8
; CHECK-LABEL: define {{.*}}@k(
; CHECK: phi <16 x float>
; CHECK-NEXT: phi <16 x float>
; CHECK-NOT: phi <8 x float>
; CHECK: masked.load.v32f32
; CHECK-NEXT: shufflevector <32 x float> {{.*}}, <16 x i32>
; CHECK-NEXT: shufflevector <32 x float> {{.*}}, <16 x i32>
; CHECK-NOT: <8 x i32> <
; CHECK: call <16 x float> @llvm.fma.v16f32
; CHECK: call <16 x float> @llvm.fma.v16f32
; CHECK: br
; CHECK-NOT: fma
; CHECK: call void @llvm.masked.store.v32f32
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %out, i64 %n, i64 %m) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %row = mul i64 %k, %m
  %at = add i64 %row, %id
  %p = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %at
  %v = load <4 x float>, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %b, i64 %k
  %s = load float, ptr addrspace(1) %q
  %one = insertelement <4 x float> poison, float %s, i64 0
  %all = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> zeroinitializer
  %more = call <4 x float> @llvm.fma.v4f32(<4 x float> %v, <4 x float> %all, <4 x float> %sum)
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  %r = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %id
  store <4 x float> %more, ptr addrspace(1) %r
  ret void
}

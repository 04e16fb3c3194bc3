; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What is read from a short private array that is filled before becomes a choice: of places that are
; the same for all lanes, and where lanes read different elements. Not where something is stored
; again, nor of floats that all lanes read at one place: memory is as good for them.
; RUN: --dump-after inline-library --isa x86-64-v4
; CHECK-LABEL: define {{.*}}@places(
; CHECK-NOT: alloca
; CHECK: [[FIRST:%.*]] = icmp eq i32 %n, 1
; CHECK: select i1 [[FIRST]], ptr addrspace(1) %b, ptr addrspace(1) %a
; CHECK: ret void
; CHECK-LABEL: define {{.*}}@lanes(
; CHECK-NOT: alloca
; CHECK: select i1 {{.*}}, float %x, float %y
; CHECK: ret void
; CHECK-LABEL: define {{.*}}@again(
; CHECK: alloca
; CHECK: ret void
; CHECK-LABEL: define {{.*}}@floats(
; CHECK: alloca
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @places(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
  %array = alloca [2 x ptr addrspace(1)], align 8
  store ptr addrspace(1) %a, ptr %array, align 8
  %second = getelementptr i8, ptr %array, i64 8
  store ptr addrspace(1) %b, ptr %second, align 8
  %at = getelementptr [2 x ptr addrspace(1)], ptr %array, i64 0, i32 %n
  %p = load ptr addrspace(1), ptr %at, align 8
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  store i32 %n, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @lanes(ptr addrspace(1) %out, float %x) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = uitofp i64 %id to float
  %array = alloca [2 x float], align 4
  store float %x, ptr %array, align 4
  %second = getelementptr float, ptr %array, i64 1
  store float %y, ptr %second, align 4
  %place = and i64 %id, 1
  %at = getelementptr float, ptr %array, i64 %place
  %v = load i32, ptr %at, align 4
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %v, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @again(ptr addrspace(1) %out, i32 %x, i32 %n) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = trunc i64 %id to i32
  %array = alloca [2 x i32], align 4
  store i32 %x, ptr %array, align 4
  %second = getelementptr i32, ptr %array, i64 1
  store i32 %y, ptr %second, align 4
  %place = and i64 %id, 1
  %at = getelementptr i32, ptr %array, i64 %place
  store i32 %n, ptr %at, align 4
  %mirrored = xor i64 %place, 1
  %from = getelementptr i32, ptr %array, i64 %mirrored
  %v = load i32, ptr %from, align 4
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %v, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @floats(ptr addrspace(1) %out, float %x, float %z, i32 %n) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %array = alloca [2 x float], align 4
  store float %x, ptr %array, align 4
  %second = getelementptr float, ptr %array, i64 1
  store float %z, ptr %second, align 4
  %at = getelementptr [2 x float], ptr %array, i64 0, i32 %n
  %v = load float, ptr %at, align 4
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %v, ptr addrspace(1) %q
  ret void
}

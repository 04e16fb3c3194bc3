; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vectors begin with items whose numbers are multiples of sixteen: bits of x + 16 * y are side by side
; or the same for all lanes, without asking.
; RUN: --dump-after widen --isa x86-64-v4
; CHECK-LABEL: define {{.*}}@k(
; CHECK-NOT: gather
; CHECK: masked.load.v16i32
; CHECK: load i32
; CHECK: load i32
; CHECK: masked.store.v16i32
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %row = mul i64 %y, 16
  %sum = add i64 %row, %x
  %short = trunc i64 %sum to i32
  %low = and i32 %short, 31
  %high = lshr i32 %short, 4
  %some = lshr i32 %short, 2
  %middle = and i32 %some, 28
  %a = getelementptr i32, ptr addrspace(1) %in, i32 %low
  %b = getelementptr i32, ptr addrspace(1) %in, i32 %high
  %c = getelementptr i32, ptr addrspace(1) %in, i32 %middle
  %va = load i32, ptr addrspace(1) %a
  %vb = load i32, ptr addrspace(1) %b
  %vc = load i32, ptr addrspace(1) %c
  %ab = mul i32 %va, %vb
  %abc = xor i32 %ab, %vc
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %abc, ptr addrspace(1) %q
  ret void
}

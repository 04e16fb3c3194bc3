; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nobody can look at an item's own variable: an integer that is written once is a value. One that a
; loop writes takes its time, floats round, and others may have the address.
; RUN: --dump-after canonical
; CHECK-LABEL: define {{.*}}@k(
; CHECK: store volatile i32 0
; CHECK: %x = load float
; CHECK: store volatile float
; CHECK: load volatile i32
; CHECK: store volatile i32
; CHECK-NOT: volatile
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %once = alloca i32
  %counter = alloca i32
  %real = alloca float
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %short = trunc i64 %id to i32
  store volatile i32 %short, ptr %once
  store volatile i32 0, ptr %counter
  %x = load float, ptr addrspace(1) %p
  store volatile float %x, ptr %real
  br label %loop
loop:
  %c = load volatile i32, ptr %counter
  %next = add i32 %c, 1
  store volatile i32 %next, ptr %counter
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %i = load volatile i32, ptr %once
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %q
  ret void
}

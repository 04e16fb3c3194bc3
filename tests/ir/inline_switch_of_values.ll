; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A switch that only chooses values becomes comparisons and selects, also of several cases with one
; value and of two values for each case; one with something to do on its ways stays.
; RUN: --dump-after inline-library --isa x86-64-v3
; CHECK-LABEL: define {{.*}}@values(
; CHECK-NOT: switch
; CHECK: select
; CHECK-NOT: switch
; CHECK: ret void
; CHECK: define {{.*}}@work(
; CHECK: switch i32
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @values(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %x = load i32, ptr addrspace(1) %p
  switch i32 %x, label %other [
    i32 65, label %a
    i32 97, label %a
    i32 67, label %end
    i32 71, label %g
  ]
a:
  br label %end
g:
  br label %end
other:
  br label %end
end:
  %code = phi i32 [ 0, %a ], [ 1, %entry ], [ 2, %g ], [ 3, %other ]
  %weight = phi i32 [ %x, %a ], [ 40, %entry ], [ 17, %g ], [ -1, %other ]
  %sum = mul i32 %code, %weight
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %sum, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @work(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %x = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %id
  switch i32 %x, label %other [
    i32 65, label %a
    i32 67, label %end
    i32 71, label %g
  ]
a:
  store i32 7, ptr addrspace(1) %p
  br label %end
g:
  br label %end
other:
  br label %end
end:
  %code = phi i32 [ 0, %a ], [ 1, %entry ], [ 2, %g ], [ 3, %other ]
  store i32 %code, ptr addrspace(1) %q
  ret void
}

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Clang 22 emits each kernel twice. The copy's body is kept, in the kernel; a kernel that calls
; another one calls a function of its own.
; RUN: --stage retarget
; CHECK-NOT: spir_
; CHECK: target triple = "x86_64-unknown-linux-gnu"
; CHECK: define internal void @helped.user(
; CHECK: define internal void @__clang_ocl_kern_imp_first.user(
; CHECK: define internal void @first(ptr addrspace(1) noundef align 4 %p) #[[KERNEL:[0-9]+]]
; CHECK-NEXT: store i32 1, ptr addrspace(1) %p
; CHECK: define internal void @second(ptr addrspace(1) noundef align 4 %p) #[[KERNEL]]
; CHECK-NEXT: call void @__clang_ocl_kern_imp_first.user
; CHECK-NEXT: call void @helped.user
; CHECK: attributes #[[KERNEL]] = {{.*"weft-kernel"}}
; CHECK-NOT: uniform-work-group-size
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
define dso_local spir_func void @helped(ptr addrspace(1) %p) {
  store i32 2, ptr addrspace(1) %p
  ret void
}
define dso_local spir_kernel void @first(ptr addrspace(1) noundef align 4 %p) #0 {
  call spir_func void @__clang_ocl_kern_imp_first(ptr addrspace(1) %p)
  ret void
}
define dso_local spir_func void @__clang_ocl_kern_imp_first(ptr addrspace(1) noundef align 4 %p) #1 {
  store i32 1, ptr addrspace(1) %p
  ret void
}
define dso_local spir_kernel void @second(ptr addrspace(1) noundef align 4 %p) #0 {
  call spir_func void @__clang_ocl_kern_imp_second(ptr addrspace(1) %p)
  ret void
}
define dso_local spir_func void @__clang_ocl_kern_imp_second(ptr addrspace(1) noundef align 4 %p) #1 {
  call spir_func void @__clang_ocl_kern_imp_first(ptr addrspace(1) %p)
  call spir_func void @helped(ptr addrspace(1) %p)
  ret void
}
attributes #0 = { convergent "uniform-work-group-size"="true" }
attributes #1 = { alwaysinline convergent }

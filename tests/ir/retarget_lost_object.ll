; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Clang registers the destructor of an object in global memory without the object: nothing is guessed.
; RUN: --stage retarget
; FAILS: which object the destructor 'destroy' is for, is lost
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
@__dso_handle = external hidden addrspace(1) global i8
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @make, ptr null }]
declare spir_func i32 @__cxa_atexit(ptr, ptr, ptr addrspace(1))
define internal spir_kernel void @make() {
  %1 = call spir_func i32 @__cxa_atexit(ptr @destroy, ptr null, ptr addrspace(1) @__dso_handle)
  ret void
}
define internal spir_func void @destroy(ptr addrspace(4) %object) {
  store i32 0, ptr addrspace(4) %object
  ret void
}

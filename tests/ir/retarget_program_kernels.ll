; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Constructors become one kernel in the order of their numbers, destructors another one in the
; opposite order, those first that constructors register; neither list nor registration stays.
; RUN: --stage retarget
; CHECK-NOT: llvm.global_
; CHECK-NOT: __cxa_atexit
; CHECK-NOT: __dso_handle
; CHECK: define internal void @weft.init() #[[KERNEL:[0-9]+]]
; CHECK-NEXT: call void @early.user()
; CHECK-NEXT: call void @make.user()
; CHECK-NEXT: ret void
; CHECK: define internal void @weft.fini() #[[KERNEL]]
; CHECK-NEXT: call void @__cxx_global_array_dtor.1.user(ptr null)
; CHECK-NEXT: call void @__cxx_global_array_dtor.user(ptr null)
; CHECK-NEXT: call void @late.user()
; CHECK-NEXT: ret void
; CHECK: attributes #[[KERNEL]] = {{.*}}"weft-kernel"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
@__dso_handle = external hidden addrspace(1) global i8
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @make, ptr null }, { i32, ptr, ptr } { i32 100, ptr @early, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @late, ptr null }]
declare spir_func i32 @__cxa_atexit(ptr, ptr, ptr addrspace(1))
define internal spir_kernel void @make() {
  %1 = call spir_func i32 @__cxa_atexit(ptr @__cxx_global_array_dtor, ptr null, ptr addrspace(1) @__dso_handle)
  %2 = call spir_func i32 @__cxa_atexit(ptr @__cxx_global_array_dtor.1, ptr null, ptr addrspace(1) @__dso_handle)
  ret void
}
define internal spir_func void @early() {
  ret void
}
define internal spir_func void @late() {
  ret void
}
define internal spir_func void @__cxx_global_array_dtor(ptr %0) {
  ret void
}
define internal spir_func void @__cxx_global_array_dtor.1(ptr %0) {
  ret void
}

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A block that is enqueued: its kernel's name where its address was, no address of code in the literal,
; captures in constant memory.
; RUN: --stage retarget
; CHECK: @weft.block.f_block_invoke_kernel.user = internal unnamed_addr addrspace(2) constant [22 x i8] c"f_block_invoke_kernel\00"
; CHECK: define internal void @f(
; CHECK: store ptr addrspace(4) null, ptr
; CHECK: call i32 @__enqueue_kernel_basic(ptr {{.*}}, i32 0, ptr {{.*}}, ptr addrspace(4) addrspacecast (ptr addrspace(2) @weft.block.f_block_invoke_kernel.user to ptr addrspace(4)), ptr addrspace(4)
; CHECK: define internal void @f_block_invoke_kernel(ptr addrspace(2) %0)
; CHECK-NEXT: addrspacecast ptr addrspace(2) %0 to ptr addrspace(4)
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
define spir_kernel void @f(target("spirv.Queue") %q, ptr %range) {
  %literal = alloca <{ i32, i32, ptr addrspace(4), i32 }>, align 8
  %code = getelementptr inbounds <{ i32, i32, ptr addrspace(4), i32 }>, ptr %literal, i32 0, i32 2
  store ptr addrspace(4) addrspacecast (ptr @f_block_invoke to ptr addrspace(4)), ptr %code, align 8
  %block = addrspacecast ptr %literal to ptr addrspace(4)
  %e = call spir_func i32 @__enqueue_kernel_basic(target("spirv.Queue") %q, i32 0, ptr %range, ptr addrspace(4) addrspacecast (ptr @f_block_invoke_kernel to ptr addrspace(4)), ptr addrspace(4) %block)
  ret void
}
define internal spir_func void @f_block_invoke(ptr addrspace(4) %0) {
  ret void
}
define internal spir_kernel void @f_block_invoke_kernel(ptr addrspace(4) %0) {
  call spir_func void @f_block_invoke(ptr addrspace(4) %0)
  ret void
}
declare spir_func i32 @__enqueue_kernel_basic(target("spirv.Queue"), i32, ptr, ptr addrspace(4), ptr addrspace(4))

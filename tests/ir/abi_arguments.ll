; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Arguments come from the block, local ones are offsets, structs stay where they are.
; RUN: --dump-after abi
; CHECK: define hidden void @weft_kernel_k(ptr noundef nonnull dereferenceable({{[0-9]+}}) %launch, ptr noundef nonnull dereferenceable({{[0-9]+}}) %worker, i64 %first, i64 %count)
; CHECK-NOT: call {{.*}}@__weft_
; CHECK: %args = load ptr, ptr
; CHECK: getelementptr inbounds i8, ptr %args, i64 0
; CHECK: %c = load i8, ptr
; CHECK: load ptr addrspace(3), ptr
; CHECK: getelementptr inbounds i8, ptr %args, i64 8
; CHECK: %l = getelementptr inbounds i8, ptr addrspace(3)
; CHECK: getelementptr inbounds i8, ptr %args, i64 16
; CHECK: addrspacecast ptr {{.*}} to ptr addrspace(2)
; CHECK: getelementptr inbounds i8, ptr %args, i64 32
; CHECK: %v = load <3 x float>, ptr
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
%struct.S = type { i32, i32, i32 }
define spir_kernel void @k(i8 %c, ptr addrspace(3) align 8 %l, ptr byval(%struct.S) align 4 %s, <3 x float> %v) {
  %x = load i32, ptr %s
  store i32 %x, ptr addrspace(3) %l
  %q = getelementptr i8, ptr addrspace(3) %l, i64 16
  store <3 x float> %v, ptr addrspace(3) %q
  %r = getelementptr i8, ptr addrspace(3) %l, i64 32
  store i8 %c, ptr addrspace(3) %r
  ret void
}

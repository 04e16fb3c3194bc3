; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A trap and unreachable code report a fault; stage regions ends the item there.
; RUN: --stage retarget
; CHECK-NOT: call void @llvm.trap
; CHECK: define internal void @k(i32 %x)
; CHECK: call void @__weft_fault(i32 1)
; CHECK-NEXT: unreachable
; CHECK: call void @__weft_fault(i32 1)
; CHECK-NEXT: unreachable
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare void @llvm.trap()
define spir_kernel void @k(i32 %x) {
entry:
  switch i32 %x, label %end [ i32 1, label %trap
                              i32 2, label %never ]
trap:
  call void @llvm.trap()
  br label %end
never:
  unreachable
end:
  ret void
}

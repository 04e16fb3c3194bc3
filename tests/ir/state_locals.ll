; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; __local variables are places in the group's memory; one that two kernels share has one place.
; RUN: --stage lower-module-state
; CHECK-NOT: = internal addrspace(3)
; CHECK-LABEL: define internal void @a()
; CHECK: [[M:%[0-9]+]] = call ptr addrspace(3) @__weft_local_memory()
; CHECK: getelementptr inbounds i8, ptr addrspace(3) [[M]], i64 16
; CHECK-LABEL: define internal void @b()
; CHECK-NEXT: [[N:%[0-9]+]] = call ptr addrspace(3) @__weft_local_memory()
; CHECK-NEXT: [[W:%[0-9]+]] = getelementptr inbounds i8, ptr addrspace(3) [[N]], i64 0
; CHECK-NEXT: store i64 3, ptr addrspace(3) [[W]]
; CHECK-LABEL: define internal void @shared()
; CHECK: getelementptr inbounds i8, ptr addrspace(3) {{.*}}, i64 8
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@wide = internal addrspace(3) global i64 undef, align 8
@both = internal addrspace(3) global [2 x i32] undef, align 4
@only = internal addrspace(3) global [4 x i8] undef, align 1
define internal void @a() #0 {
  store i8 1, ptr addrspace(3) getelementptr inbounds ([4 x i8], ptr addrspace(3) @only, i64 0, i64 2)
  call void @shared()
  ret void
}
define internal void @b() #0 {
  store i64 3, ptr addrspace(3) @wide
  call void @shared()
  ret void
}
define internal void @shared() {
  store i32 5, ptr addrspace(3) @both
  ret void
}
attributes #0 = { "weft-kernel" }

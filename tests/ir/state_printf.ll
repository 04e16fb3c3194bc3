; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; printf is one function per list of types: a record, or -1.
; RUN: --stage lower-module-state
; CHECK: define internal void @k(<3 x float> %v)
; CHECK-NEXT: call ptr @__weft_launch()
; CHECK-NEXT: call ptr @__weft_worker()
; CHECK-NEXT: call i32 @printf.record(ptr {{.*}}, ptr {{.*}}, ptr addrspace(2) @format, <3 x float> %v, i32 5)
; CHECK: define internal i32 @printf.record(
; CHECK: call ptr {{.*}}(ptr %0, ptr %1, i32 56)
; CHECK: fill:
; CHECK: store i32 56, ptr
; CHECK: store i32 2, ptr
; CHECK: store ptr addrspace(2) %2, ptr
; CHECK: store i64 197633, ptr
; CHECK: store float {{.*}}, align 8
; CHECK: store float {{.*}}, align 4
; CHECK: store i64 66560, ptr
; CHECK: ret i32 0
; CHECK: ret i32 -1
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@format = internal addrspace(2) constant [9 x i8] c"%v3f %d\0A\00"
declare i32 @__weft_printf(ptr addrspace(2), ...)
define internal void @k(<3 x float> %v) #0 {
  %r = call i32 (ptr addrspace(2), ...) @__weft_printf(ptr addrspace(2) @format, <3 x float> %v, i32 5)
  ret void
}
attributes #0 = { "weft-kernel" }

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Writable variables live in the program's block: initial bytes in the image, pointers into the block
; are fix-ups, pointers into the image relocations; a constant that points to one moves with it.
; RUN: --stage lower-module-state
; CHECK-NOT: addrspace(1) global
; CHECK: @table = internal addrspace(2) constant [2 x i32] [i32 7, i32 8]
; CHECK: @weft_program_data_initial = hidden constant <{ [16 x i8], ptr addrspace(2), [8 x i8] }> <{ [16 x i8] c"\03\00{{.*}}", ptr addrspace(2) getelementptr (i8, ptr addrspace(2) @table, i64 4), [8 x i8] zeroinitializer }>, align 8
; CHECK: define internal void @k()
; CHECK-NEXT: [[B:%[0-9]+]] = call ptr @__weft_program_data()
; CHECK-NEXT: getelementptr inbounds i8, ptr [[B]], i64 24
; CHECK-NEXT: addrspacecast ptr {{.*}} to ptr addrspace(2)
; CHECK: getelementptr inbounds i8, ptr {{.*}}, i64 32
; CHECK-NEXT: addrspacecast ptr {{.*}} to ptr addrspace(1)
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@counter = internal addrspace(1) global i32 3, align 4
@pointer = internal addrspace(1) global ptr addrspace(1) @counter, align 8
@fixed = internal addrspace(2) constant ptr addrspace(1) @counter, align 8
@image = internal addrspace(1) global ptr addrspace(2) getelementptr (i8, ptr addrspace(2) @table, i64 4), align 8
@zero = internal addrspace(1) global [4 x i64] zeroinitializer, align 8
@table = internal addrspace(2) constant [2 x i32] [i32 7, i32 8]
define internal void @k() #0 {
  store i64 1, ptr addrspace(1) @zero
  %p = load ptr addrspace(1), ptr addrspace(2) @fixed
  store i32 1, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "weft-kernel" }

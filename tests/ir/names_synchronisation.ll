; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Barriers are internal calls that nothing may move, fences are fences; nothing else is convergent.
; RUN: --stage name-builtins
; CHECK: declare float @_Z3sinf(float){{$}}
; CHECK: define void @f(i32 %order) {
; CHECK-NEXT: call void @__weft_barrier(i32 1, i32 1)
; CHECK-NEXT: call void @__weft_barrier(i32 2, i32 2)
; CHECK-NEXT: fence acq_rel
; CHECK-NEXT: fence release
; CHECK-NEXT: fence seq_cst
; CHECK-NEXT: call float @_Z3sinf(float 0.000000e+00)
; CHECK-NEXT: ret void
; CHECK: declare void @__weft_barrier(i32, i32) #[[A:[0-9]+]]
; CHECK: attributes #[[A]] = { convergent noduplicate nomerge nounwind }
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @_Z7barrierj(i32) #0
declare void @_Z18work_group_barrierj12memory_scope(i32, i32) #0
declare void @_Z9mem_fencej(i32) #0
declare void @_Z15write_mem_fencej(i32) #0
declare void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32, i32, i32) #0
declare float @_Z3sinf(float) #0
define void @f(i32 %order) #0 {
  call void @_Z7barrierj(i32 1)
  call void @_Z18work_group_barrierj12memory_scope(i32 2, i32 2)
  call void @_Z9mem_fencej(i32 3)
  call void @_Z15write_mem_fencej(i32 1)
  call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 1, i32 %order, i32 1)
  call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 1, i32 0, i32 1)
  %s = call float @_Z3sinf(float 0.0) #0
  ret void
}
attributes #0 = { convergent }

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A value of arguments stands in front of a variable, where InstCombine put it: places of lanes must
; come behind the variable all the same. (The address was used in front of its definition, in five
; kernels of issue 16 with vectors as arguments: wrong results, or a crash of the compiler.)
; RUN: --stage widen --verify
; CHECK-LABEL: define internal void @k(
; CHECK-NEXT: %variable = alloca [64 x i8], align 64
; CHECK: getelementptr i8, ptr %variable
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__weft_local_id(i32) #2
declare i1 @__weft_active() #2
declare i64 @"__weft_lane_load.i64.p0"(ptr, i1, i1) #3
declare void @"__weft_lane_store.i64.p0"(i64, ptr, i1, i1) #3
declare void @"__weft_lane_store.i64.p1"(i64, ptr addrspace(1), i1, i1) #3
define internal void @k(ptr addrspace(1) %o, i64 %n) #0 {
  %value = mul i64 %n, 3
  %variable = alloca [2 x i64], align 8
  %on = call i1 @__weft_active()
  %i = call i64 @__weft_local_id(i32 0)
  %at = and i64 %i, 1
  %p = getelementptr i64, ptr %variable, i64 %at
  call void @"__weft_lane_store.i64.p0"(i64 %value, ptr align 8 %p, i1 %on, i1 true)
  %v = call i64 @"__weft_lane_load.i64.p0"(ptr align 8 %variable, i1 %on, i1 true)
  %q = getelementptr i64, ptr addrspace(1) %o, i64 %i
  call void @"__weft_lane_store.i64.p1"(i64 %v, ptr addrspace(1) align 8 %q, i1 %on, i1 true)
  ret void
}
attributes #0 = { nounwind "weft-kernel" "weft-width"="4" }
attributes #2 = { nounwind memory(none) }
attributes #3 = { nounwind }

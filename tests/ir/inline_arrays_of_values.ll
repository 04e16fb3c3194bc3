; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops over a private array are unrolled, also triangular ones and those that take the places from a
; table, if that makes values of the array; not the loop around them, and no array of too many.
; RUN: --dump-after inline-library
; CHECK-LABEL: define {{.*}}@short(
; CHECK-NOT: alloca
; CHECK: phi i32
; CHECK-NOT: alloca
; CHECK: ret void
; CHECK: define {{.*}}@long(
; CHECK: alloca [130 x i32]
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
@table = internal addrspace(2) constant [12 x i32] [i32 5, i32 3, i32 9, i32 1, i32 7, i32 0, i32 2, i32 4, i32 6, i32 8, i32 11, i32 10]
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @short(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %v = alloca [12 x i32]
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %fill
fill:
  %k = phi i64 [ 0, %entry ], [ %k1, %fill ]
  %entry_of_table = getelementptr i32, ptr addrspace(2) @table, i64 %k
  %place = load i32, ptr addrspace(2) %entry_of_table
  %place64 = sext i32 %place to i64
  %to = getelementptr [12 x i32], ptr %v, i64 0, i64 %place64
  %far = mul i64 %k, 1000
  %at = add i64 %far, %id
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %at
  %x = load i32, ptr addrspace(1) %from
  store i32 %x, ptr %to
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, 12
  br i1 %more, label %fill, label %round
round:
  %r = phi i32 [ 0, %fill ], [ %r1, %round.end ]
  br label %a
a:
  %i = phi i64 [ 0, %round ], [ %i1, %a.end ]
  %i1 = add i64 %i, 1
  br label %b
b:
  %j = phi i64 [ %i1, %a ], [ %j1, %b.end ]
  %pi = getelementptr [12 x i32], ptr %v, i64 0, i64 %i
  %pj = getelementptr [12 x i32], ptr %v, i64 0, i64 %j
  %vi = load i32, ptr %pi
  %vj = load i32, ptr %pj
  %less = icmp ult i32 %vj, %vi
  br i1 %less, label %swap, label %b.end
swap:
  store i32 %vi, ptr %pj
  store i32 %vj, ptr %pi
  br label %b.end
b.end:
  %j1 = add i64 %j, 1
  %moreb = icmp ult i64 %j1, 12
  br i1 %moreb, label %b, label %a.end
a.end:
  %morea = icmp ult i64 %i1, 3
  br i1 %morea, label %a, label %round.end
round.end:
  %r1 = add i32 %r, 1
  %morer = icmp ult i32 %r1, %n
  br i1 %morer, label %round, label %end
end:
  %first = load i32, ptr %v
  %result = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %first, ptr addrspace(1) %result
  ret void
}
define spir_kernel void @long(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %v = alloca [130 x i32]
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %fill
fill:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %to = getelementptr [130 x i32], ptr %v, i64 0, i64 %k
  %far = mul i64 %k, 1000
  %at = add i64 %far, %id
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %at
  %x = load i32, ptr addrspace(1) %from
  %bad = icmp eq i32 %x, %n
  br i1 %bad, label %other, label %next
other:
  store i32 %n, ptr addrspace(1) %from
  br label %next
next:
  store i32 %x, ptr %to
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, 130
  br i1 %more, label %fill, label %sum
sum:
  %l = phi i64 [ 0, %next ], [ %l1, %sum ]
  %s = phi i32 [ 0, %next ], [ %s1, %sum ]
  %p = getelementptr [130 x i32], ptr %v, i64 0, i64 %l
  %y = load i32, ptr %p
  %t = mul i32 %s, 3
  %s1 = add i32 %t, %y
  %l1 = add i64 %l, 1
  %again = icmp ult i64 %l1, 130
  br i1 %again, label %sum, label %end
end:
  %result = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %s1, ptr addrspace(1) %result
  ret void
}

; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A private array of which all lanes are at one place is no reason for one register: each access is
; that of a vector. One of which they are at different places is. One that is short may become
; registers: two are enough (SHA-256 ran at 0.84 with four).
; RUN: --dump-after choose-width --isa x86-64-v4
; CHECK: define {{.*}}@same({{.*}} [[SAME:#[0-9]+]]
; CHECK: define {{.*}}@short({{.*}} [[SHORT:#[0-9]+]]
; CHECK: define {{.*}}@apart({{.*}} [[APART:#[0-9]+]]
; CHECK: attributes [[SAME]] = {{.*}}"weft-width"="64"
; CHECK: attributes [[SHORT]] = {{.*}}"weft-width"="32"
; CHECK: attributes [[APART]] = {{.*}}"weft-width"="16"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @same(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %v = alloca [64 x float]
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %id
  %x = load float, ptr addrspace(1) %p
  br label %fill
fill:
  %k = phi i64 [ 0, %entry ], [ %k1, %fill ]
  %f = phi float [ %x, %entry ], [ %f1, %fill ]
  %place = and i64 %k, 63
  %to = getelementptr [64 x float], ptr %v, i64 0, i64 %place
  store float %f, ptr %to
  %f1 = fmul float %f, %x
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, 64
  br i1 %more, label %fill, label %round
round:
  %r = phi i32 [ 0, %fill ], [ %r1, %round ]
  %s = phi float [ 0.0, %fill ], [ %s1, %round ]
  %at = zext i32 %r to i64
  %from = getelementptr [64 x float], ptr %v, i64 0, i64 %at
  %y = load float, ptr %from
  %t = fmul float %s, %x
  %s1 = fadd float %t, %y
  %r1 = add i32 %r, 1
  %again = icmp ult i32 %r1, %n
  br i1 %again, label %round, label %end
end:
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %s1, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @short(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %v = alloca [16 x float]
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %id
  %x = load float, ptr addrspace(1) %p
  br label %fill
fill:
  %k = phi i64 [ 0, %entry ], [ %k1, %fill ]
  %f = phi float [ %x, %entry ], [ %f1, %fill ]
  %place = and i64 %k, 15
  %to = getelementptr [16 x float], ptr %v, i64 0, i64 %place
  store float %f, ptr %to
  %f1 = fmul float %f, %x
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, 16
  br i1 %more, label %fill, label %round
round:
  %r = phi i32 [ 0, %fill ], [ %r1, %round ]
  %s = phi float [ 0.0, %fill ], [ %s1, %round ]
  %at = zext i32 %r to i64
  %from = getelementptr [16 x float], ptr %v, i64 0, i64 %at
  %y = load float, ptr %from
  %t = fmul float %s, %x
  %s1 = fadd float %t, %y
  %r1 = add i32 %r, 1
  %again = icmp ult i32 %r1, %n
  br i1 %again, label %round, label %end
end:
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %s1, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @apart(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %v = alloca [64 x float]
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %id
  %x = load float, ptr addrspace(1) %p
  br label %fill
fill:
  %k = phi i64 [ 0, %entry ], [ %k1, %fill ]
  %f = phi float [ %x, %entry ], [ %f1, %fill ]
  %place = xor i64 %k, %id
  %to = getelementptr [64 x float], ptr %v, i64 0, i64 %place
  store float %f, ptr %to
  %f1 = fmul float %f, %x
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, 64
  br i1 %more, label %fill, label %round
round:
  %r = phi i32 [ 0, %fill ], [ %r1, %round ]
  %s = phi float [ 0.0, %fill ], [ %s1, %round ]
  %at = zext i32 %r to i64
  %from = getelementptr [64 x float], ptr %v, i64 0, i64 %at
  %y = load float, ptr %from
  %t = fmul float %s, %x
  %s1 = fadd float %t, %y
  %r1 = add i32 %r, 1
  %again = icmp ult i32 %r1, %n
  br i1 %again, label %round, label %end
end:
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %s1, ptr addrspace(1) %q
  ret void
}

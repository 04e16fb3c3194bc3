; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Seventeen values alive in a loop: with 32 registers two for each value pay though some are spilled.
; RUN: --dump-after choose-width --isa x86-64-v4
; CHECK: "weft-width"="32"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i0 = add i64 %id, 0
  %p0 = getelementptr float, ptr addrspace(1) %in, i64 %i0
  %x0 = load float, ptr addrspace(1) %p0
  %i1 = add i64 %id, 1000
  %p1 = getelementptr float, ptr addrspace(1) %in, i64 %i1
  %x1 = load float, ptr addrspace(1) %p1
  %i2 = add i64 %id, 2000
  %p2 = getelementptr float, ptr addrspace(1) %in, i64 %i2
  %x2 = load float, ptr addrspace(1) %p2
  %i3 = add i64 %id, 3000
  %p3 = getelementptr float, ptr addrspace(1) %in, i64 %i3
  %x3 = load float, ptr addrspace(1) %p3
  %i4 = add i64 %id, 4000
  %p4 = getelementptr float, ptr addrspace(1) %in, i64 %i4
  %x4 = load float, ptr addrspace(1) %p4
  %i5 = add i64 %id, 5000
  %p5 = getelementptr float, ptr addrspace(1) %in, i64 %i5
  %x5 = load float, ptr addrspace(1) %p5
  %i6 = add i64 %id, 6000
  %p6 = getelementptr float, ptr addrspace(1) %in, i64 %i6
  %x6 = load float, ptr addrspace(1) %p6
  %i7 = add i64 %id, 7000
  %p7 = getelementptr float, ptr addrspace(1) %in, i64 %i7
  %x7 = load float, ptr addrspace(1) %p7
  %i8 = add i64 %id, 8000
  %p8 = getelementptr float, ptr addrspace(1) %in, i64 %i8
  %x8 = load float, ptr addrspace(1) %p8
  %i9 = add i64 %id, 9000
  %p9 = getelementptr float, ptr addrspace(1) %in, i64 %i9
  %x9 = load float, ptr addrspace(1) %p9
  %i10 = add i64 %id, 10000
  %p10 = getelementptr float, ptr addrspace(1) %in, i64 %i10
  %x10 = load float, ptr addrspace(1) %p10
  %i11 = add i64 %id, 11000
  %p11 = getelementptr float, ptr addrspace(1) %in, i64 %i11
  %x11 = load float, ptr addrspace(1) %p11
  %i12 = add i64 %id, 12000
  %p12 = getelementptr float, ptr addrspace(1) %in, i64 %i12
  %x12 = load float, ptr addrspace(1) %p12
  %i13 = add i64 %id, 13000
  %p13 = getelementptr float, ptr addrspace(1) %in, i64 %i13
  %x13 = load float, ptr addrspace(1) %p13
  %i14 = add i64 %id, 14000
  %p14 = getelementptr float, ptr addrspace(1) %in, i64 %i14
  %x14 = load float, ptr addrspace(1) %p14
  %i15 = add i64 %id, 15000
  %p15 = getelementptr float, ptr addrspace(1) %in, i64 %i15
  %x15 = load float, ptr addrspace(1) %p15
  %i16 = add i64 %id, 16000
  %p16 = getelementptr float, ptr addrspace(1) %in, i64 %i16
  %x16 = load float, ptr addrspace(1) %p16
  br label %loop
loop:
  %r = phi i32 [ 0, %entry ], [ %r1, %loop ]
  %y0 = phi float [ %x0, %entry ], [ %z0, %loop ]
  %y1 = phi float [ %x1, %entry ], [ %z1, %loop ]
  %y2 = phi float [ %x2, %entry ], [ %z2, %loop ]
  %y3 = phi float [ %x3, %entry ], [ %z3, %loop ]
  %y4 = phi float [ %x4, %entry ], [ %z4, %loop ]
  %y5 = phi float [ %x5, %entry ], [ %z5, %loop ]
  %y6 = phi float [ %x6, %entry ], [ %z6, %loop ]
  %y7 = phi float [ %x7, %entry ], [ %z7, %loop ]
  %y8 = phi float [ %x8, %entry ], [ %z8, %loop ]
  %y9 = phi float [ %x9, %entry ], [ %z9, %loop ]
  %y10 = phi float [ %x10, %entry ], [ %z10, %loop ]
  %y11 = phi float [ %x11, %entry ], [ %z11, %loop ]
  %y12 = phi float [ %x12, %entry ], [ %z12, %loop ]
  %y13 = phi float [ %x13, %entry ], [ %z13, %loop ]
  %y14 = phi float [ %x14, %entry ], [ %z14, %loop ]
  %y15 = phi float [ %x15, %entry ], [ %z15, %loop ]
  %y16 = phi float [ %x16, %entry ], [ %z16, %loop ]
  %z0 = fadd float %y0, %y1
  %z1 = fadd float %y1, %y2
  %z2 = fadd float %y2, %y3
  %z3 = fadd float %y3, %y4
  %z4 = fadd float %y4, %y5
  %z5 = fadd float %y5, %y6
  %z6 = fadd float %y6, %y7
  %z7 = fadd float %y7, %y8
  %z8 = fadd float %y8, %y9
  %z9 = fadd float %y9, %y10
  %z10 = fadd float %y10, %y11
  %z11 = fadd float %y11, %y12
  %z12 = fadd float %y12, %y13
  %z13 = fadd float %y13, %y14
  %z14 = fadd float %y14, %y15
  %z15 = fadd float %y15, %y16
  %z16 = fadd float %y16, %y0
  %r1 = add i32 %r, 1
  %more = icmp ult i32 %r1, %n
  br i1 %more, label %loop, label %end
end:
  %s0 = fmul float %z0, %z0
  %s1 = fmul float %s0, %z1
  %s2 = fmul float %s1, %z2
  %s3 = fmul float %s2, %z3
  %s4 = fmul float %s3, %z4
  %s5 = fmul float %s4, %z5
  %s6 = fmul float %s5, %z6
  %s7 = fmul float %s6, %z7
  %s8 = fmul float %s7, %z8
  %s9 = fmul float %s8, %z9
  %s10 = fmul float %s9, %z10
  %s11 = fmul float %s10, %z11
  %s12 = fmul float %s11, %z12
  %s13 = fmul float %s12, %z13
  %s14 = fmul float %s13, %z14
  %s15 = fmul float %s14, %z15
  %s16 = fmul float %s15, %z16
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %s16, ptr addrspace(1) %q
  ret void
}

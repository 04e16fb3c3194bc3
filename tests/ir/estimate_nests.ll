; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In a nest of loops that lanes leave at different times, waiting for the last of them counts once, so
; the kernel stays wide.
; RUN: --dump-after estimate --isa x86-64-v3
; CHECK-LABEL: define {{.*}}@newton(
; CHECK: phi <4 x double>
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @newton(ptr addrspace(1) %in, ptr addrspace(1) %lengths, ptr addrspace(1) %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr double, ptr addrspace(1) %in, i64 %id
  %x = load double, ptr addrspace(1) %p
  %l = getelementptr i32, ptr addrspace(1) %lengths, i64 %id
  %n = load i32, ptr addrspace(1) %l
  br label %outer
outer:
  %y = phi double [ 0.05, %entry ], [ %y1, %next ]
  %one = fadd double %y, 1.0
  %d = fdiv double 1.0, %one
  br label %inner
inner:
  %t = phi i32 [ 1, %outer ], [ %t1, %inner ]
  %f = phi double [ 1.0, %outer ], [ %f1, %inner ]
  %v = phi double [ 0.0, %outer ], [ %v1, %inner ]
  %w = phi double [ 0.0, %outer ], [ %w1, %inner ]
  %f1 = fmul double %f, %d
  %v1 = fadd double %v, %f1
  %td = sitofp i32 %t to double
  %tf = fmul double %td, %f1
  %tfd = fmul double %tf, %d
  %w1 = fsub double %w, %tfd
  %t1 = add i32 %t, 1
  %more = icmp sle i32 %t1, %n
  br i1 %more, label %inner, label %next
next:
  %off = fsub double %v1, %x
  %change = fdiv double %off, %w1
  %y1 = fsub double %y, %change
  %big = fcmp ogt double %change, 1.0e-12
  br i1 %big, label %outer, label %end
end:
  %q = getelementptr double, ptr addrspace(1) %out, i64 %id
  store double %y1, ptr addrspace(1) %q
  ret void
}

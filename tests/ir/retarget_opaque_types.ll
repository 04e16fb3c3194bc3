; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Events, images and pipes are pointers, samplers are 32 bits; sampler literals are translated.
; RUN: --stage retarget
; CHECK-NOT: target("spirv
; CHECK: define internal void @k(ptr %image, i32 %sampler)
; CHECK-NEXT: %event = alloca ptr, align 8
; CHECK-NEXT: %many = alloca [2 x ptr], align 8
; CHECK-NEXT: %e = call ptr @_Z4copy9ocl_event(ptr null)
; CHECK-NEXT: store ptr %e, ptr %event
; CHECK-NEXT: call void @_Z4read14ocl_image2d_ro11ocl_sampler(ptr %image, i32 %sampler)
; CHECK-NEXT: call void @_Z4read14ocl_image2d_ro11ocl_sampler(ptr %image, i32 35)
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func target("spirv.Event") @_Z4copy9ocl_event(target("spirv.Event"))
declare spir_func target("spirv.Sampler") @__translate_sampler_initializer(i32)
declare spir_func void @_Z4read14ocl_image2d_ro11ocl_sampler(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), target("spirv.Sampler"))
define spir_kernel void @k(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, target("spirv.Sampler") %sampler) {
  %event = alloca target("spirv.Event"), align 8
  %many = alloca [2 x target("spirv.Event")], align 8
  %e = call spir_func target("spirv.Event") @_Z4copy9ocl_event(target("spirv.Event") zeroinitializer)
  store target("spirv.Event") %e, ptr %event
  call spir_func void @_Z4read14ocl_image2d_ro11ocl_sampler(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, target("spirv.Sampler") %sampler)
  ; CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR
  %s = call spir_func target("spirv.Sampler") @__translate_sampler_initializer(i32 37)
  call spir_func void @_Z4read14ocl_image2d_ro11ocl_sampler(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, target("spirv.Sampler") %s)
  ret void
}

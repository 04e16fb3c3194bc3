; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Look-ups in small constant tables are permutations: of bytes as many as the index' bits reach, a
; string's zero at the end is not among them; of more words than two registers have two permutations,
; and a choice. What is larger is gathered.
; RUN: --dump-after widen --isa x86-64-v4
; CHECK-LABEL: define {{.*}}@k(
; CHECK: [[WORD:%.*]] = lshr <16 x i32>
; CHECK: call <16 x i32> @llvm.x86.avx512.permvar.si.512(<16 x i32> <i32 {{[0-9]+}}, {{.*}}>, <16 x i32> [[WORD]])
; CHECK: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
; CHECK: call <16 x i32> @llvm.x86.avx512.permvar.si.512(
; CHECK: select <16 x i1>
; CHECK: call <16 x i32> @llvm.masked.gather
; CHECK-NOT: gather
; CHECK: ret void
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
@digits = internal addrspace(2) constant [65 x i8] c"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/\00"
@words = internal addrspace(2) constant [34 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34]
@large = internal addrspace(2) constant [260 x i8] c"\44\20\82\3C\FD\E6\F1\C2\6B\30\F9\0E\C7\DD\01\E4\88\75\34\A2\0F\0B\0D\04\C3\6E\D8\0E\71\E0\FD\77\B0\76\70\EB\94\0B\D5\33\5F\97\3D\AA\D8\61\9B\91\FF\C9\11\F5\7C\CE\D4\58\BB\BF\2C\E0\37\53\C9\BD\FA\0F\F0\16\9D\C9\57\56\74\06\66\76\CF\B0\B4\EB\89\02\C4\42\69\DA\1C\F6\BA\66\D3\F8\B6\D4\B1\00\A9\EA\0E\75\5A\5C\2E\82\10\24\2A\08\E7\07\8F\7F\89\38\5E\B0\94\23\55\51\82\56\8B\96\E8\A4\FE\F2\3A\0C\9F\C5\AF\D7\60\84\37\81\6B\DD\0A\73\09\CB\4A\12\52\E4\DA\70\E6\72\0F\CA\A4\DA\1E\98\40\6C\18\9C\24\27\9E\98\51\D5\81\42\04\13\6F\EB\57\13\C1\66\B1\32\69\DD\63\FC\35\C7\97\FF\08\A6\CD\90\09\50\66\A7\45\AD\DB\6D\88\31\C2\B0\F8\78\21\14\2B\44\56\55\6D\89\AA\82\BC\AD\AE\3A\95\78\FA\45\35\A4\14\D0\25\C2\4B\40\AE\3A\C1\27\72\29\88\BA\97\3A\EA\8D\37\17\97\06\07\2E\D3\3A\14\60\7A\D7\52\3B\E6\55", align 4
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %x = load i32, ptr addrspace(1) %p
  %low = and i32 %x, 63
  %i = zext i32 %low to i64
  %a = getelementptr [65 x i8], ptr addrspace(2) @digits, i64 0, i64 %i
  %digit = load i8, ptr addrspace(2) %a
  %s = zext i8 %digit to i32
  %j = sext i32 %x to i64
  %b = getelementptr i32, ptr addrspace(2) @words, i64 %j
  %t = load i32, ptr addrspace(2) %b
  %c = getelementptr i32, ptr addrspace(2) @large, i64 %j
  %u = load i32, ptr addrspace(2) %c
  %v = add i32 %s, %t
  %w = add i32 %v, %u
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %w, ptr addrspace(1) %q
  ret void
}

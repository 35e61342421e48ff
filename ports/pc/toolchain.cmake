# SPDX-License-Identifier: MIT
# Code for any IA-32 processor since the Pentium Pro, that runs where it was linked for and calls no C library.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
set(CMAKE_ASM_COMPILER i686-linux-gnu-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "-mtune=generic -march=i686 -mmemcpy-strategy=rep_byte:-1:noalign -mmemset-strategy=rep_byte:-1:noalign -maccumulate-outgoing-args -fno-pie -fno-stack-protector -fcf-protection=none -fno-asynchronous-unwind-tables")

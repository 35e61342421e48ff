# SPDX-License-Identifier: MIT
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR avr)
set(CMAKE_C_COMPILER avr-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(WHIT_AVR_MCU atmega1284p CACHE STRING "processor, as avr-gcc names it")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WHIT_AVR_MCU)
# Registers are saved by the library's code, calls are short where they reach, and loops stay as they are written: a tenth of the flash.
set(small "-mcall-prologues -mrelax -mstrict-X -fno-move-loop-invariants -fno-tree-loop-optimize -fno-gcse -fno-tree-fre")
set(CMAKE_C_FLAGS_INIT "-mmcu=${WHIT_AVR_MCU} ${small} -gdwarf-2")    # Debian's default is stabs, which the proof of the stack does not read

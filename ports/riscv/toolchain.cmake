# SPDX-License-Identifier: MIT
# Without small data: nothing sets the global pointer.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "--param=max-jump-thread-duplication-stmts=0 -march=rv32imac -mabi=ilp32 -msmall-data-limit=0 --specs=picolibc.specs")

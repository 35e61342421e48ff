# SPDX-License-Identifier: MIT
# How everything is compiled.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_C_FLAGS_RELEASE "")

add_compile_options(${WHIT_OPTIMIZE} -g -Wall -Wextra -Wshadow -ffunction-sections -fdata-sections -fno-common
    -Werror=implicit-function-declaration -Werror=int-conversion)
if(CMAKE_CROSSCOMPILING)
    add_compile_options(-fstack-usage)    # tests hold the proof of the stack (tools/whit/image/stack) against it
endif()
if(CMAKE_CROSSCOMPILING AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND WHIT_OPTIMIZE STREQUAL "-Os")
    add_compile_options(-fno-move-loop-invariants -fno-schedule-insns2)    # which make code longer even so
endif()
if(WHIT_PORT STREQUAL "inprocess")
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
    add_compile_options(-g1)    # dozens of them are built for the tests
endif()
if(WHIT_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")    # bounds of an array that ends a struct, too
        add_compile_options(-fsanitize=bounds-strict)
        add_compile_options(--param=asan-instrumentation-with-call-threshold=0)    # a sixth less time for the compiler
    endif()
endif()
if(WHIT_LOG)
    add_compile_definitions(WHIT_HAS_LOG=1)
endif()
if(WHIT_PAGES)
    add_compile_definitions(WHIT_HAS_PAGES=1)
endif()
if(WHIT_METER)
    add_compile_definitions(WHIT_METER=1)
endif()

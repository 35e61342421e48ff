# SPDX-License-Identifier: MIT
set(port_heads code)
set(port_checksum wide)
set(port_segment template)
set(port_keyed_hash unrolled)
if(CMAKE_SIZEOF_VOID_P EQUAL 8 AND CMAKE_C_BYTE_ORDER STREQUAL "LITTLE_ENDIAN")
    set(port_crypto wide)
endif()
find_package(PkgConfig REQUIRED)
pkg_check_modules(SLIRP REQUIRED IMPORTED_TARGET slirp)
pkg_check_modules(SECCOMP REQUIRED IMPORTED_TARGET libseccomp)

add_executable(whit_image
    ports/linux/main.c ports/linux/options.c ports/linux/confine.c ports/linux/persistent.c ports/linux/persistent_file.c ports/linux/counters.c ports/linux/charges.c
    drivers/host.c drivers/later.c drivers/fair.c drivers/frames.c drivers/promised.c drivers/joined.c drivers/slirp.c drivers/tap.c drivers/pcap.c drivers/signals.c drivers/console.c drivers/crash.c)
set_target_properties(whit_image PROPERTIES OUTPUT_NAME whit-${WHIT_APP_NAME})
target_compile_definitions(whit_image PRIVATE _GNU_SOURCE)
if(WHIT_SANITIZE)
    target_compile_definitions(whit_image PRIVATE WHIT_SANITIZED)
endif()
target_include_directories(whit_image PRIVATE ports/linux drivers)
target_link_libraries(whit_image PRIVATE whit_headers whit_engine whit_application PkgConfig::SLIRP PkgConfig::SECCOMP)
target_link_options(whit_image PRIVATE -Wl,--gc-sections -Wl,-Map=${CMAKE_BINARY_DIR}/image.map)

# The template that new drivers start from must go on compiling.
add_library(whit_driver_template OBJECT drivers/template.c)
target_link_libraries(whit_driver_template PRIVATE whit_headers)
target_compile_definitions(whit_engine PRIVATE
    WHIT_KEEPS_FRAMES=1
    WHIT_GIVES_TURNS=1
    WHIT_CLOSES_IDLE=1
    WHIT_HOLDS_FRAMES=1
    WHIT_HAS_LARGE=1
    WHIT_REPEATS_USUAL=64
    WHIT_KEEPS_WINDOW_USUAL=1
    WHIT_HASHES_KEPT=64
    WHIT_WSS_SEEN=256
    WHIT_WSS_STEP_S=1
    WHIT_ECHO_OWN=1472
    WHIT_TLS_RECORD=1460
    WHIT_TLS_BUFFER=24576
    WHIT_TLS_KEYS=1024
    WHIT_HTTPS_IDLE_USUAL=1024)
target_compile_definitions(whit_headers INTERFACE WHIT_HAS_UNREACHABLE=1)
if(WHIT_TLS OR WHIT_REPLIES)
    target_sources(whit_image PRIVATE ports/linux/key.c)
endif()

# What stops an overflow that somebody finds: a word before each return, lengths that the compiler knows, tables of the linker that
# nobody writes to. With clang and lld, a call by a pointer goes to a function of its type or ends the process.
set(hardened -fstack-protector-strong)
if(NOT WHIT_SANITIZE AND NOT WHIT_OPTIMIZE STREQUAL "-O0")    # which has its own, or looks at nothing
    list(APPEND hardened -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
endif()
find_program(WHIT_LLD ld.lld)
if(CMAKE_C_COMPILER_ID STREQUAL "Clang" AND WHIT_LLD AND NOT WHIT_SANITIZE)
    list(APPEND hardened -flto -fvisibility=hidden -fsanitize=cfi)
    target_link_options(whit_image PRIVATE -fuse-ld=lld -flto -fsanitize=cfi)
endif()
foreach(target whit_engine whit_application whit_image)
    target_compile_options(${target} PRIVATE ${hardened})
endforeach()
target_link_options(whit_image PRIVATE -Wl,-z,relro,-z,now)

# SPDX-License-Identifier: MIT
# The engine: every file of engine/ but for the links, the look-up and the recovery from loss that this image does not have.
file(GLOB engine_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/engine/*.c ${CMAKE_SOURCE_DIR}/engine/*/*.c)
if(WHIT_LINK STREQUAL "ethernet")
    list(FILTER engine_sources EXCLUDE REGEX "/(engine_|net/)slip\\.c$")
else()
    list(FILTER engine_sources EXCLUDE REGEX "/(engine_|net/)ethernet\\.c$")
endif()
if(WHIT_TABLE STREQUAL "scan")
    list(FILTER engine_sources EXCLUDE REGEX "/table_hash\\.c$")
else()
    list(FILTER engine_sources EXCLUDE REGEX "/table_scan\\.c$")
endif()

if(WHIT_RECOVERY STREQUAL "small")
    list(FILTER engine_sources EXCLUDE REGEX "/recovery/(recovery_full|timer)\\.c$")
else()
    list(FILTER engine_sources EXCLUDE REGEX "/recovery_small\\.c$")
endif()

# Of these, the port says which (kinds.cmake).
list(FILTER engine_sources EXCLUDE REGEX "/(head_(octets|code)|checksum_(small|wide)|segment_(plain|template)|keyed_hash_(small|unrolled))\\.c$")

if(NOT WHIT_TLS)
    list(FILTER engine_sources EXCLUDE REGEX "/engine/(tls/|.*_tls\\.c$)")
endif()
if(NOT WHIT_WSS)
    list(FILTER engine_sources EXCLUDE REGEX "/engine/wss/")
elseif(NOT WHIT_WSS STREQUAL "signed")
    list(FILTER engine_sources EXCLUDE REGEX "/wss/(c14n|signature)\\.c$")
endif()
if(NOT WHIT_WSS STREQUAL "signed")
    list(FILTER engine_sources EXCLUDE REGEX "/service_signed\\.c$")
endif()
if(NOT WHIT_CLIENTS)
    list(FILTER engine_sources EXCLUDE REGEX "/engine/outgoing/")
endif()
if(NOT WHIT_LOG)
    list(FILTER engine_sources EXCLUDE REGEX "/response/log(_line)?\\.c$")
endif()

# What public headers and generated ones need, for everybody: a port whose constants are not ordinary memory brings its own
# whit_flash.h.
if(EXISTS ${CMAKE_SOURCE_DIR}/ports/${WHIT_PORT}/whit_flash.h)
    set(flash_access ${CMAKE_SOURCE_DIR}/ports/${WHIT_PORT})
else()
    set(flash_access ${CMAKE_SOURCE_DIR}/ports/flat)
endif()

add_library(whit_headers INTERFACE)
target_include_directories(whit_headers INTERFACE ${CMAKE_SOURCE_DIR}/include ${WHIT_GENERATED}
    ${flash_access})

add_library(whit_engine OBJECT ${engine_sources})
# By -iquote, so that nobody's <limits.h> becomes the engine's.
target_compile_options(whit_engine PRIVATE -iquote ${CMAKE_SOURCE_DIR}/engine)
if(NOT CMAKE_CROSSCOMPILING)    # which sees all of it; where an int has 16 bits, much more is a conversion
    target_compile_options(whit_engine PRIVATE -Wconversion)
endif()
target_link_libraries(whit_engine PRIVATE whit_headers)

# As one translation unit: a tenth of the flash, and a third of the time to build it. For this, the names of static functions
# and macros differ between the engine's files.
if(WHIT_ONE_UNIT)
    set_target_properties(whit_engine PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    if(WHIT_PORT STREQUAL "inprocess" AND NOT WHIT_SANITIZE)    # dozens of them are built for the tests
        target_compile_options(whit_engine PRIVATE -w -g0)
    endif()
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT WHIT_PORT MATCHES "inprocess")    # tests look inside
        target_compile_options(whit_engine PRIVATE -fwhole-program)
    endif()
endif()

# Small memcpy() and its like, for ports whose C library has large ones. The compiler must not make a loop in memcpy() a call of it.
add_library(whit_memory OBJECT EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/ports/common/memory.c)
target_compile_options(whit_memory PRIVATE -ffreestanding -fno-tree-loop-distribute-patterns)

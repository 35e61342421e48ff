# SPDX-License-Identifier: MIT
# The application: its files as tables, its generators, its helpers. The compiler lists them in sources.cmake.
include(${WHIT_GENERATED}/sources.cmake)

add_library(whit_application OBJECT ${WHIT_APP_SOURCES})
# Generated sources include "tables.h" of the engine, and <handlers.c> of the application. Nobody's header of the C
# library is hidden by either.
target_compile_options(whit_application PRIVATE -iquote ${CMAKE_SOURCE_DIR}/engine -idirafter ${WHIT_APP_DIR})
# Headers of the C library, with errors for what is not there: by -I, as picolibc puts its own before those of -isystem.
# GCC would make calls of others of these functions.
set(WHIT_LIBC ${CMAKE_SOURCE_DIR}/ports/libc)
target_compile_options(whit_application PRIVATE "SHELL:-I ${WHIT_LIBC}"
    -fno-builtin-printf -fno-builtin-vprintf -fno-builtin-fprintf -fno-builtin-vfprintf -fno-builtin-fputs)
if(NOT WHIT_PORT MATCHES "^avr")
    target_compile_options(whit_application PRIVATE "SHELL:-I ${WHIT_LIBC}/posix")
endif()
if(CMAKE_CROSSCOMPILING)
    target_compile_definitions(whit_application PRIVATE WHIT_IS_DEVICE=1)
endif()
if(WHIT_RUN_PORT)    # ./whit run, of sources that name it
    target_compile_definitions(whit_application PRIVATE WHIT_RUN_PORT=${WHIT_RUN_PORT})
endif()
# To the compiler, what is found by -idirafter is a system's header, of which it says nothing by itself.
target_compile_options(whit_application PRIVATE
    -Wsystem-headers -Wno-unused-parameter -Werror=return-type -Werror=incompatible-pointer-types)
target_link_libraries(whit_application PRIVATE whit_headers)

# Who asks a database has its client, with hashes and signatures of others for the login (tools/whit/setup/libraries.py).
if(WHIT_DATABASE)
    if(NOT WHIT_BEARSSL OR NOT WHIT_MONOCYPHER)
        message(FATAL_ERROR "WHIT_BEARSSL, WHIT_MONOCYPHER: expected the directories of their sources, which ./whit build fetches")
    endif()
    file(GLOB database_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/database/*.c)
    file(GLOB library_sources ${WHIT_BEARSSL}/*.c ${WHIT_MONOCYPHER}/*.c)
    if(WHIT_TLS)    # whose unit of X25519 has all of it
        list(FILTER library_sources EXCLUDE REGEX "/monocypher\\.c$")
    endif()
    target_sources(whit_application PRIVATE ${database_sources} ${library_sources})
    set_source_files_properties(${WHIT_GENERATED}/whit_database.c PROPERTIES COMPILE_OPTIONS "-iquote;${CMAKE_SOURCE_DIR}")
    set_source_files_properties(${database_sources} PROPERTIES COMPILE_OPTIONS "-isystem;${WHIT_BEARSSL};-isystem;${WHIT_MONOCYPHER}")
    set_source_files_properties(${library_sources} PROPERTIES COMPILE_OPTIONS "-w;-I${WHIT_BEARSSL}")
endif()

# What goes into a device, made from the image: hex, or the plain octets of flash.
function(whit_flashable suffix format)
    add_custom_command(TARGET whit_image POST_BUILD VERBATIM
        COMMAND ${CMAKE_OBJCOPY} -O ${format} ${ARGN} $<TARGET_FILE:whit_image> ${CMAKE_BINARY_DIR}/whit-${WHIT_APP_NAME}${suffix})
endfunction()

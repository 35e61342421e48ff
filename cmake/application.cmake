# SPDX-License-Identifier: MIT
# The application: its files as tables, its generators, its helpers. The compiler lists them in sources.cmake.
include(${WHIT_GENERATED}/sources.cmake)

add_library(whit_application OBJECT ${WHIT_APP_SOURCES})
# Generated sources include "tables.h" of the engine, and <handlers.c> of the application. Nobody's header of the C
# library is hidden by either.
target_compile_options(whit_application PRIVATE -iquote ${CMAKE_SOURCE_DIR}/engine -idirafter ${WHIT_APP_DIR})
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

# HTTPS: its cryptography, and the place of its key, which ports of this machine have elsewhere.
if(WHIT_TLS)
    if(NOT WHIT_MONOCYPHER OR NOT WHIT_P256M)
        message(FATAL_ERROR "WHIT_MONOCYPHER, WHIT_P256M: expected the directories of their sources, which ./whit build fetches")
    endif()
    file(GLOB crypto_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ports/common/crypto/*.c)
    target_sources(whit_application PRIVATE ${crypto_sources})
    set_source_files_properties(${crypto_sources} PROPERTIES COMPILE_OPTIONS
        "-isystem;${WHIT_MONOCYPHER};-isystem;${WHIT_P256M};-I${CMAKE_SOURCE_DIR}/ports/common/crypto/p256_m;-Wno-system-headers")
    if(WHIT_METER)
        target_sources(whit_application PRIVATE ${CMAKE_SOURCE_DIR}/ports/common/nonces.c)
    endif()
    if(NOT WHIT_PORT MATCHES "^(linux|inprocess)$")
        target_sources(whit_application PRIVATE ${CMAKE_SOURCE_DIR}/ports/common/key.c)
    endif()
endif()

# WS-Security: its cryptography. A clock is what some ports have.
if(WHIT_WSS)
    if(NOT WHIT_TLS)
        set(crypto_sources ${CMAKE_SOURCE_DIR}/ports/common/crypto/sha1.c ${CMAKE_SOURCE_DIR}/ports/common/crypto/sha256.c)
        if(WHIT_P256M)    # signatures are verified
            list(APPEND crypto_sources ${CMAKE_SOURCE_DIR}/ports/common/crypto/p256.c ${CMAKE_SOURCE_DIR}/ports/common/crypto/rsa.c)
        endif()
        target_sources(whit_application PRIVATE ${crypto_sources})
        set_source_files_properties(${crypto_sources} PROPERTIES COMPILE_OPTIONS
            "-isystem;${WHIT_P256M};-I${CMAKE_SOURCE_DIR}/ports/common/crypto/p256_m;-Wno-system-headers")
    endif()
    if(WHIT_REPLIES AND NOT WHIT_TLS AND NOT WHIT_PORT MATCHES "^(linux|inprocess)$")
        target_sources(whit_application PRIVATE ${CMAKE_SOURCE_DIR}/ports/common/key.c)
    endif()
    if(NOT WHIT_PORT MATCHES "^(linux|inprocess)$")
        target_sources(whit_application PRIVATE ${CMAKE_SOURCE_DIR}/ports/common/no_clock.c)
    endif()
endif()

# What goes into a device, made from the image: hex, or the plain octets of flash.
function(whit_flashable suffix format)
    add_custom_command(TARGET whit_image POST_BUILD VERBATIM
        COMMAND ${CMAKE_OBJCOPY} -O ${format} ${ARGN} $<TARGET_FILE:whit_image> ${CMAKE_BINARY_DIR}/whit-${WHIT_APP_NAME}${suffix})
endfunction()

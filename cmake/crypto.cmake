# SPDX-License-Identifier: MIT
# Cryptography (whit/crypto.h) comes small, or wide, by products of 128 bits: a port whose processor has them says set(port_crypto wide).
if(WHIT_CRYPTO)
    set(crypto ${WHIT_CRYPTO})
elseif(DEFINED port_crypto)
    set(crypto ${port_crypto})
else()
    set(crypto small)
endif()
if(NOT crypto MATCHES "^(small|wide)$")
    message(FATAL_ERROR "WHIT_CRYPTO=${crypto}: expected one of small;wide")
endif()

# The sources of these, and where they find what others wrote.
function(whit_crypto)
    foreach(part IN LISTS ARGN)
        if(crypto STREQUAL "wide" AND NOT part STREQUAL "sha1")
            set(part wide/${part}_wide)
        endif()
        list(APPEND sources ${CMAKE_SOURCE_DIR}/ports/common/crypto/${part}.c)
    endforeach()
    foreach(place IN LISTS WHIT_MONOCYPHER WHIT_P256M WHIT_BEARSSLAES)
        list(APPEND found -isystem ${place})
    endforeach()
    target_sources(whit_application PRIVATE ${sources})
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS
        "${found};-I${CMAKE_SOURCE_DIR}/ports/common/crypto/p256_m;-Wno-system-headers")
endfunction()

# HTTPS: its cryptography, and the place of its key, which ports of this machine have elsewhere.
if(WHIT_TLS)
    if(NOT WHIT_MONOCYPHER OR NOT WHIT_P256M)
        message(FATAL_ERROR "WHIT_MONOCYPHER, WHIT_P256M: expected the directories of their sources, which ./whit build fetches")
    endif()
    if(crypto STREQUAL "small")
        whit_crypto(p256 rsa sha1 sha256 x25519_chacha)    # in this order flash is the least
    else()
        whit_crypto(p256 rsa sha1 sha256 x25519 aead)
        if(WHIT_DATABASE)    # whose logins are by Monocypher; the small kind's unit has all of it
            target_sources(whit_application PRIVATE ${WHIT_MONOCYPHER}/monocypher.c)
            set_source_files_properties(${WHIT_MONOCYPHER}/monocypher.c PROPERTIES COMPILE_OPTIONS -w)
        endif()
    endif()
    if(WHIT_BEARSSLAES)    # https.aes
        whit_crypto(gcm)
    endif()
    if(WHIT_METER AND NOT WHIT_PORT STREQUAL "linux")    # whose processes may seal more than tests remember
        target_sources(whit_application PRIVATE ${CMAKE_SOURCE_DIR}/ports/common/nonces.c)
    endif()
    if(NOT WHIT_PORT MATCHES "^(linux|inprocess)$")
        target_sources(whit_application PRIVATE ${CMAKE_SOURCE_DIR}/ports/common/key.c)
    endif()
endif()

# WS-Security: its cryptography. A clock is what some ports have.
if(WHIT_WSS)
    if(NOT WHIT_TLS)
        if(WHIT_P256M)
            whit_crypto(sha1 sha256 p256 rsa)
        else()    # no signatures are verified
            whit_crypto(sha1 sha256)
        endif()
    endif()
    if(WHIT_REPLIES AND NOT WHIT_TLS AND NOT WHIT_PORT MATCHES "^(linux|inprocess)$")
        target_sources(whit_application PRIVATE ${CMAKE_SOURCE_DIR}/ports/common/key.c)
    endif()
    if(NOT WHIT_PORT MATCHES "^(linux|inprocess)$")
        target_sources(whit_application PRIVATE ${CMAKE_SOURCE_DIR}/ports/common/no_clock.c)
    endif()
endif()

# SPDX-License-Identifier: MIT
# Parts of the engine that come small or fast. The first kind is small; a port whose processor is fast names the other in its
# port.cmake: set(port_heads code), set(port_checksum wide), set(port_segment template), set(port_keyed_hash unrolled).
foreach(part "heads;http/head;octets;code" "checksum;core/checksum;small;wide" "segment;tcp/segment;plain;template"
        "keyed_hash;core/keyed_hash;small;unrolled")
    list(POP_FRONT part name file)
    string(TOUPPER "WHIT_${name}" choice)
    if(NOT "${${choice}}" STREQUAL "")
        set(kind ${${choice}})
    elseif(DEFINED port_${name})
        set(kind ${port_${name}})
    else()
        list(GET part 0 kind)
    endif()
    if(NOT kind IN_LIST part)
        message(FATAL_ERROR "${choice}=${kind}: expected one of ${part}")
    endif()
    target_sources(whit_engine PRIVATE ${CMAKE_SOURCE_DIR}/engine/${file}_${kind}.c)
    if(kind STREQUAL "template")    # and with it the few other places where that goes faster by more code
        target_compile_definitions(whit_engine PRIVATE WHIT_FAST=1)
        target_compile_definitions(whit_headers INTERFACE WHIT_DATABASE_FAST=1)
    endif()
endforeach()

if(WHIT_ALIGNMENT)
    target_compile_definitions(whit_headers INTERFACE WHIT_ALIGNMENT=${WHIT_ALIGNMENT})
elseif(DEFINED port_alignment)
    target_compile_definitions(whit_headers INTERFACE WHIT_ALIGNMENT=${port_alignment})
endif()

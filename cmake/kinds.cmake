# SPDX-License-Identifier: MIT
# Parts of the engine that come small or fast. A port whose processor is fast says so in its port.cmake: set(port_heads code).
if(NOT DEFINED port_heads)
    set(port_heads octets)
endif()
if(WHIT_HEADS STREQUAL "")
    set(WHIT_HEADS ${port_heads})
endif()
if(NOT WHIT_HEADS MATCHES "^(octets|code)$")
    message(FATAL_ERROR "WHIT_HEADS=${WHIT_HEADS}: expected one of octets;code")
endif()
target_sources(whit_engine PRIVATE ${CMAKE_SOURCE_DIR}/engine/http_head_${WHIT_HEADS}.c)

# SPDX-License-Identifier: MIT
# Clock and line speed come from app.toml: avr.clock_hz and link.baud.
if(NOT WHIT_LINK STREQUAL "slip")
    message(FATAL_ERROR "WHIT_LINK=${WHIT_LINK}: expected slip, the AVR's link is its UART")
endif()
add_executable(whit_image
    ports/avr/start.c ports/avr/clock.c ports/avr/entropy.c ports/avr/eeprom.c ports/avr/persistent.c ports/avr/uart.c
    ports/avr/console.c ports/common/console.c ports/common/quiet.c)
set_target_properties(whit_image PROPERTIES OUTPUT_NAME whit-${WHIT_APP_NAME} SUFFIX .elf
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/ports/avr/reach.ld)
target_include_directories(whit_image PRIVATE ports/common)
target_link_libraries(whit_image PRIVATE whit_headers whit_engine whit_application)
target_link_options(whit_image PRIVATE ${CMAKE_SOURCE_DIR}/ports/avr/reach.ld -Wl,--gc-sections -Wl,-Map=${CMAKE_BINARY_DIR}/image.map)
whit_flashable(.hex ihex -R .eeprom)
# A call is shorter than what it calls.
target_compile_options(whit_engine PRIVATE -fno-inline-small-functions -fno-partial-inlining
    -fira-algorithm=priority -fno-tree-dominator-opts -fno-tree-sra -fno-tree-sink -fno-tree-forwprop -fno-tree-copy-prop -fno-forward-propagate -fno-shrink-wrap -fno-ssa-phiopt)    # shorter by trial
target_compile_definitions(whit_engine PRIVATE WHIT_DRIVER_COPIES=1 WHIT_STARTS_ONCE=1)

# SPDX-License-Identifier: MIT
add_executable(whit_image ports/gba/start.c ports/gba/main.c ports/gba/clock.c ports/gba/entropy.c ports/gba/save.c ports/gba/serial.c
    ports/gba/board.c ports/gba/log.c ports/common/quiet.c)
set_target_properties(whit_image PROPERTIES OUTPUT_NAME whit-${WHIT_APP_NAME} SUFFIX .elf
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/ports/gba/gba.ld)
target_link_libraries(whit_image PRIVATE whit_headers whit_engine whit_application whit_memory)
target_link_options(whit_image PRIVATE -nostartfiles -T ${CMAKE_SOURCE_DIR}/ports/gba/gba.ld
    -Wl,--gc-sections -Wl,-Map=${CMAKE_BINARY_DIR}/image.map)
whit_flashable(.gba binary)
# A call is shorter than what it calls.
target_compile_options(whit_engine PRIVATE -fno-inline-small-functions -fno-partial-inlining)
target_compile_definitions(whit_engine PRIVATE WHIT_DRIVER_COPIES=1 WHIT_STARTS_ONCE=1)

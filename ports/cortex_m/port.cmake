# SPDX-License-Identifier: MIT
add_executable(whit_image ports/cortex_m/start.c ports/cortex_m/port.c drivers/size_probe.c)
set_target_properties(whit_image PROPERTIES OUTPUT_NAME whit-${WHIT_APP_NAME} SUFFIX .elf
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/ports/cortex_m/mps2_an385.ld)
target_link_libraries(whit_image PRIVATE whit_headers whit_engine whit_application whit_memory)
target_link_options(whit_image PRIVATE -nostartfiles -T ${CMAKE_SOURCE_DIR}/ports/cortex_m/mps2_an385.ld
    -Wl,--gc-sections -Wl,-Map=${CMAKE_BINARY_DIR}/image.map)
whit_flashable(.bin binary)

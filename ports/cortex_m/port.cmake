# SPDX-License-Identifier: MIT
if(NOT WHIT_LINK STREQUAL ethernet)
    message(FATAL_ERROR "WHIT_LINK=${WHIT_LINK}: expected ethernet, the link of port ${WHIT_PORT}")
endif()
add_executable(whit_image
    ports/cortex_m/start.c ports/cortex_m/board.c ports/cortex_m/semihosting.c ports/cortex_m/entropy.c ports/cortex_m/nor.c
    ports/common/serve.c ports/common/clock.c ports/common/flash_log.c drivers/lan9118.c)
set_target_properties(whit_image PROPERTIES OUTPUT_NAME whit-${WHIT_APP_NAME} SUFFIX .elf
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/ports/cortex_m/mps2_an385.ld)
target_include_directories(whit_image PRIVATE ports/common ports/cortex_m)
target_link_libraries(whit_image PRIVATE whit_headers whit_engine whit_application whit_memory)
target_link_options(whit_image PRIVATE -nostartfiles -T ${CMAKE_SOURCE_DIR}/ports/cortex_m/mps2_an385.ld
    -Wl,--gc-sections -Wl,-Map=${CMAKE_BINARY_DIR}/image.map)
whit_flashable(.bin binary)

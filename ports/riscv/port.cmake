# SPDX-License-Identifier: MIT
set(port_heads code)
set(port_checksum wide)
set(port_segment template)
set(port_keyed_hash unrolled)
if(NOT WHIT_LINK STREQUAL "ethernet")
    message(FATAL_ERROR "WHIT_LINK=${WHIT_LINK}: expected ethernet, the link of port ${WHIT_PORT}")
endif()
add_executable(whit_image
    ports/riscv/start.c ports/riscv/board.c ports/riscv/entropy.c ports/riscv/nor.c
    ports/common/serve.c ports/common/clock.c ports/common/flash_log.c ports/common/console.c drivers/virtio.c drivers/virtio_net.c)
set_target_properties(whit_image PROPERTIES OUTPUT_NAME whit-${WHIT_APP_NAME} SUFFIX .elf
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/ports/riscv/virt.ld)
target_include_directories(whit_image PRIVATE ports/common ports/riscv drivers)
target_link_libraries(whit_image PRIVATE whit_headers whit_engine whit_application whit_memory)
target_link_options(whit_image PRIVATE -nostartfiles -T ${CMAKE_SOURCE_DIR}/ports/riscv/virt.ld
    -Wl,--gc-sections -Wl,-Map=${CMAKE_BINARY_DIR}/image.map)
whit_flashable(.bin binary)
target_compile_definitions(whit_engine PRIVATE WHIT_KEEPS_FRAMES=1 WHIT_CLOSES_IDLE=1)
# A call is shorter than what it calls.
target_compile_options(whit_engine PRIVATE -fno-inline-small-functions -fno-partial-inlining)

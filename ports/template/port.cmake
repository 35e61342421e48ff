# SPDX-License-Identifier: MIT
set(port ${CMAKE_SOURCE_DIR}/ports/${WHIT_PORT})
add_executable(whit_image ${port}/start.c ${port}/board.c ${port}/entropy.c ${port}/nor.c
    ports/common/serve.c ports/common/clock.c ports/common/flash_log.c ports/common/console.c drivers/template.c)
set_target_properties(whit_image PROPERTIES OUTPUT_NAME whit-${WHIT_APP_NAME} SUFFIX .elf LINK_DEPENDS ${port}/template.ld)
target_include_directories(whit_image PRIVATE ports/common ${port})
target_link_libraries(whit_image PRIVATE whit_headers whit_engine whit_application whit_memory)
target_link_options(whit_image PRIVATE -nostartfiles -T ${port}/template.ld
    -Wl,--gc-sections -Wl,-Map=${CMAKE_BINARY_DIR}/image.map)
whit_flashable(.bin binary)

# SPDX-License-Identifier: MIT
add_executable(whit_image ports/avr_inprocess/port.c)
set_target_properties(whit_image PROPERTIES OUTPUT_NAME whit-${WHIT_APP_NAME} SUFFIX .elf)
target_link_libraries(whit_image PRIVATE whit_headers whit_engine whit_application)
target_link_options(whit_image PRIVATE -Wl,--gc-sections -Wl,-Map=${CMAKE_BINARY_DIR}/image.map)
target_compile_definitions(whit_engine PRIVATE WHIT_KEEPS_FRAMES=1 WHIT_HOLDS_FRAMES=1)
target_compile_definitions(whit_headers INTERFACE WHIT_HAS_UNREACHABLE=1)

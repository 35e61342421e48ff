# SPDX-License-Identifier: MIT
add_library(whit_image SHARED ports/inprocess/inprocess.c)
set_target_properties(whit_image PROPERTIES OUTPUT_NAME whit-${WHIT_APP_NAME} PREFIX "")
target_include_directories(whit_image PRIVATE ports/inprocess)
target_link_libraries(whit_image PRIVATE whit_headers whit_engine whit_application)
target_link_options(whit_image PRIVATE -Wl,--no-undefined -Wl,-Map=${CMAKE_BINARY_DIR}/image.map)
set(port_alignment 4)    # as on a device, so that tests see what finds room there
target_compile_definitions(whit_engine PRIVATE WHIT_DRIVER_COPIES=1 WHIT_CHECKED=1 WHIT_HASHES_KEPT=64 WHIT_HAS_LARGE=1)
target_compile_definitions(whit_headers INTERFACE WHIT_HAS_UNREACHABLE=1)
if(WHIT_DROPS)    # a driver that keeps no frame: build(drops=True)
    target_compile_definitions(whit_engine PRIVATE WHIT_LEAVES_SLOTS=1)
else()
    target_compile_definitions(whit_engine PRIVATE WHIT_KEEPS_FRAMES=1 WHIT_HOLDS_FRAMES=1)
endif()

# SPDX-License-Identifier: MIT
# The board's link is Ethernet. Over SLIP the image can be linked, so that its size may be told, but not run.
if(WHIT_LINK STREQUAL "ethernet")
    set(driver drivers/lan9118.c)
else()
    set(driver drivers/size_probe.c)
endif()
add_executable(whit_image
    ports/cortex_m/start.c ports/cortex_m/board.c ports/cortex_m/semihosting.c ports/cortex_m/entropy.c ports/cortex_m/nor.c
    ports/common/serve.c ports/common/clock.c ports/common/flash_log.c ports/common/console.c ${driver})
set_target_properties(whit_image PROPERTIES OUTPUT_NAME whit-${WHIT_APP_NAME} SUFFIX .elf
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/ports/cortex_m/mps2_an385.ld)
target_include_directories(whit_image PRIVATE ports/common ports/cortex_m)
target_link_libraries(whit_image PRIVATE whit_headers whit_engine whit_application whit_memory)
target_link_options(whit_image PRIVATE -nostartfiles -T ${CMAKE_SOURCE_DIR}/ports/cortex_m/mps2_an385.ld
    -Wl,--gc-sections -Wl,-Map=${CMAKE_BINARY_DIR}/image.map)
whit_flashable(.bin binary)
# What these make faster becomes longer: 430 octets of the address book's engine.
target_compile_options(whit_engine PRIVATE -fno-ipa-cp -fno-tree-forwprop -fno-tree-dominator-opts -fno-partial-inlining
    -fno-tree-loop-im -fno-tree-sra -fno-store-merging -ffinite-loops -flive-range-shrinkage)
target_compile_definitions(whit_engine PRIVATE WHIT_DRIVER_COPIES=1 WHIT_STARTS_ONCE=1)
if(WHIT_LINK STREQUAL "ethernet")
    target_compile_definitions(whit_engine PRIVATE WHIT_LEAVES_SLOTS=1)
endif()

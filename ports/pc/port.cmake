# SPDX-License-Identifier: MIT
set(port_heads code)
set(port_checksum wide)
set(port_segment template)
set(port_keyed_hash unrolled)
if(NOT WHIT_LINK STREQUAL "ethernet")
    message(FATAL_ERROR "WHIT_LINK=${WHIT_LINK}: expected ethernet, the link of port ${WHIT_PORT}")
endif()
enable_language(ASM)
add_executable(whit_image
    ports/pc/boot.S ports/pc/start.S ports/pc/main.c ports/pc/board.c ports/pc/interrupts.c ports/pc/clock.c ports/pc/entropy.c ports/pc/aes.c ports/pc/hash.c ports/pc/screen.c
    ports/pc/pci.c ports/pc/disk.c ports/pc/memory.c ports/common/flash_log.c ports/pc/log.c
    drivers/card.c drivers/e1000.c drivers/virtio_pci.c drivers/later.c drivers/fair.c drivers/frames.c drivers/promised.c)
# The compiler must not make a loop in strlen() a call of it.
set_source_files_properties(ports/pc/memory.c PROPERTIES COMPILE_OPTIONS "-ffreestanding;-fno-tree-loop-distribute-patterns")
set_target_properties(whit_image PROPERTIES OUTPUT_NAME whit-${WHIT_APP_NAME} SUFFIX .elf
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/ports/pc/pc.ld)
target_include_directories(whit_image PRIVATE ports/common ports/pc drivers)
target_compile_definitions(whit_image PRIVATE WHIT_APP_NAME="${WHIT_APP_NAME}")
target_link_libraries(whit_image PRIVATE whit_headers whit_engine whit_application -lgcc)
target_link_options(whit_image PRIVATE -static -nostdlib -no-pie -T ${CMAKE_SOURCE_DIR}/ports/pc/pc.ld -Wl,-z,max-page-size=4096
    -Wl,--build-id=none -Wl,--gc-sections -Wl,-Map=${CMAKE_BINARY_DIR}/image.map)
# The disk's octets are those of memory, the boot sector first. seal.py writes their sum into both files.
whit_flashable(.img binary)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_custom_command(TARGET whit_image POST_BUILD VERBATIM
    COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/tools/whit/image/seal.py $<TARGET_FILE:whit_image> ${CMAKE_BINARY_DIR}/whit-${WHIT_APP_NAME}.img)
target_compile_definitions(whit_engine PRIVATE WHIT_KEEPS_FRAMES=1 WHIT_GIVES_TURNS=1 WHIT_CLOSES_IDLE=1 WHIT_HAS_PORT_HASH=1 WHIT_HAS_LARGE=1 WHIT_HASHES_KEPT=256 WHIT_ECHO_OWN=1472)
target_compile_definitions(whit_headers INTERFACE WHIT_HAS_UNREACHABLE=1)

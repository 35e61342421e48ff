# SPDX-License-Identifier: MIT
# A whole program of the application: of this machine, or, with a toolchain file, of the board in board/.
set(CMAKE_C_STANDARD 11)
add_compile_options(-ffunction-sections -fdata-sections)

function(whit_program directory)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${directory}/*.c)
    add_executable(whit_program ${sources})
    set_target_properties(whit_program PROPERTIES OUTPUT_NAME whit-@IMAGE@)
    target_include_directories(whit_program PRIVATE ${PROJECT_SOURCE_DIR}/${directory})
    target_link_libraries(whit_program PRIVATE Whit::app)
    target_link_options(whit_program PRIVATE -Wl,--gc-sections)
endfunction()

if(CMAKE_CROSSCOMPILING)
    whit_program(board)
    set_target_properties(whit_program PROPERTIES SUFFIX .elf LINK_DEPENDS ${PROJECT_SOURCE_DIR}/board/template.ld)
    target_link_options(whit_program PRIVATE -nostartfiles -T ${PROJECT_SOURCE_DIR}/board/template.ld)
    # The compiler must not make a loop in memcpy() a call of it.
    set_source_files_properties(${PROJECT_SOURCE_DIR}/board/memory.c PROPERTIES
        COMPILE_OPTIONS "-ffreestanding;-fno-tree-loop-distribute-patterns")
elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND "@LINK@" STREQUAL "ethernet")
    find_package(PkgConfig)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(SLIRP IMPORTED_TARGET slirp)
        pkg_check_modules(SECCOMP IMPORTED_TARGET libseccomp)
    endif()
    if(SLIRP_FOUND AND SECCOMP_FOUND)
        whit_program(linux)
        target_compile_definitions(whit_program PRIVATE _GNU_SOURCE)
        target_compile_definitions(whit_app PUBLIC WHIT_HAS_UNREACHABLE=1)    # as this machine's memory allows it
        target_link_libraries(whit_program PRIVATE PkgConfig::SLIRP PkgConfig::SECCOMP)
    else()
        message(NOTICE "Whit: the program of this machine is left out: it needs pkg-config, libslirp-dev and libseccomp-dev")
    endif()
endif()

# SPDX-License-Identifier: MIT
# Defines Whit::app from the sources here, compiled as the project is that asks for it.
# Who links it defines the functions of whit/port.h and whit/driver.h.
get_property(whit_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT C IN_LIST whit_languages)
    message(FATAL_ERROR "Whit: expected a project with the language C, such as project(thing LANGUAGES C CXX)")
endif()

set(whit_src ${CMAKE_CURRENT_LIST_DIR}/src)
add_library(whit_app STATIC
@SOURCES@
)
add_library(Whit::app ALIAS whit_app)
set_target_properties(whit_app PROPERTIES EXPORT_NAME app C_STANDARD 11 C_STANDARD_REQUIRED ON)
target_include_directories(whit_app PUBLIC $<BUILD_INTERFACE:${whit_src}> $<INSTALL_INTERFACE:include>)
# So that a link with -Wl,--gc-sections leaves out what this application does not use.
target_compile_options(whit_app PRIVATE $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-ffunction-sections -fdata-sections>)
# Its functions have no types, at which a link with -flto would wonder.
set_source_files_properties(${whit_src}/generated/left_out.c PROPERTIES
    COMPILE_OPTIONS $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-fno-lto>)

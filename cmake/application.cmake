# SPDX-License-Identifier: MIT
# The application: its files as tables, its generators, its helpers. The compiler lists them in sources.cmake.
include(${WHIT_GENERATED}/sources.cmake)

add_library(whit_application OBJECT ${WHIT_APP_SOURCES})
target_include_directories(whit_application PRIVATE ${CMAKE_SOURCE_DIR}/engine ${WHIT_APP_DIR})
target_link_libraries(whit_application PRIVATE whit_headers)

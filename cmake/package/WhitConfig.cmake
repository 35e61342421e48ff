# SPDX-License-Identifier: MIT
# For find_package(Whit): where it was installed, the library; where it was exported to, the sources.
if(NOT TARGET Whit::app)
    if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/WhitTargets.cmake)
        include(${CMAKE_CURRENT_LIST_DIR}/WhitTargets.cmake)
    else()
        include(${CMAKE_CURRENT_LIST_DIR}/whit.cmake)
    endif()
endif()

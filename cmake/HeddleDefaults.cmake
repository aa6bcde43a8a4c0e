# SPDX-License-Identifier: Apache-2.0
# What a developer of heddle would have to type on each configure. Not for a project that adds heddle as a subdirectory: there these are its own to choose.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(HEDDLE_CCACHE ccache DOC "Speeds up repeated builds, if there")
  if(HEDDLE_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${HEDDLE_CCACHE})
  endif()
endif()

# g++ clears up its memory as soon as it has 128 MiB, again and again in files as large as these: a tenth of its time, which more memory
# saves where each of the compilers that run side by side may have a gigabyte and a half.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR mib_each "${memory_mib} / (${cores} + 2)")
  if(mib_each GREATER 1500)
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=786432>")
  endif()
endif()

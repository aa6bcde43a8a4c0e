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

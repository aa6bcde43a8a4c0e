# SPDX-License-Identifier: Apache-2.0
# cmake -D STATUS=<n> -D OUT=<regex> -D ERR=<regex> -P expect.cmake -- <command> …: runs the command and fails unless it ends with
# this status and its streams match. An empty regex asks for an empty stream.
set(command "")
set(found FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(found)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(found TRUE)
  endif()
endforeach()

execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
foreach(stream IN ITEMS OUT ERR)
  if("${${stream}}" STREQUAL "")
    set(${stream} "^$")
  endif()
endforeach()
if(NOT status STREQUAL STATUS OR NOT out MATCHES "${OUT}" OR NOT err MATCHES "${ERR}")
  message(FATAL_ERROR "status ${status}, expected ${STATUS}\n--- out, expected ${OUT}\n${out}\n--- err, expected ${ERR}\n${err}")
endif()

# SPDX-License-Identifier: Apache-2.0
# cmake -D HEDDLE=<command> -D MAN=<man> -P man_page_test.cmake: man renders heddle's man page without a warning, with lines that fit.
execute_process(COMMAND ${HEDDLE} manual OUTPUT_FILE heddle.1 RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "heddle manual: status ${status}")
endif()
foreach(locale IN ITEMS C C.UTF-8)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=${locale} MANWIDTH=80 MAN_KEEP_FORMATTING= ${MAN} --warnings=w -l heddle.1
    RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 0 OR NOT err STREQUAL "" OR NOT out MATCHES "heddle run COLLECTIVE" OR NOT out MATCHES "--topo SPEC")
    message(FATAL_ERROR "man in ${locale}: status ${status}\n${err}\n${out}")
  endif()
endforeach()

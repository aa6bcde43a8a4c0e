# SPDX-License-Identifier: Apache-2.0
# heddle_add_tests(<folder> SOURCES … [THREADED …] DEPENDS …): the tests of one folder as one program, each file one CTest test,
# <folder>/<file without _test>, labelled with the folder. How many cases run is not decided here: HEDDLE_TEST_EFFORT, which the
# program reads, says that. ThreadSanitizer gets the files THREADED alone, where there are some: it has nothing to look for in others.
function(heddle_add_tests folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;THREADED;DEPENDS")
  if(arg_THREADED)
    if(HEDDLE_SANITIZE STREQUAL "thread")
      list(FILTER arg_SOURCES EXCLUDE REGEX "_test\\.cpp$")
    endif()
    list(APPEND arg_SOURCES ${arg_THREADED})
  endif()
  set(target heddle_${folder}_tests)
  add_executable(${target} ${arg_SOURCES})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 50)
  target_link_libraries(${target} PRIVATE heddle_flags heddle_test_main ${arg_DEPENDS})
  if(TARGET heddle_test_headers)
    target_precompile_headers(${target} REUSE_FROM heddle_test_headers)
  endif()
  foreach(source IN LISTS arg_SOURCES)
    if(source MATCHES "^(.*)_test\\.cpp$")
      set(name "${folder}/${CMAKE_MATCH_1}")
      get_filename_component(file ${source} NAME_WE)
      # By the file's name as a tag: a filter by names would take commas and brackets in them for its own. Hidden cases ([.]) are
      # children of others. A file without a case fails, as a misspelt filter would otherwise pass.
      add_test(NAME "${name}" COMMAND ${target} --filenames-as-tags "[#${file}]~[.]" --warn NoTests)
      # What hangs is stopped by the preset's limit, or by tools/test --thorough's longer one.
      set_tests_properties("${name}" PROPERTIES LABELS ${folder})
    endif()
  endforeach()
endfunction()

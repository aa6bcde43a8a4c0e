# SPDX-License-Identifier: Apache-2.0
# heddle_add_tests(<folder> SOURCES … DEPENDS … [RC_PARAMS …]): the tests of one folder as one program, each case one CTest test,
# labelled with the folder. CTest fixes the seed of property tests (or sets all RC_PARAMS that are given); the program run by
# hand draws a new one and prints it (RC_PARAMS="seed=…").
include(Catch)

function(heddle_add_tests folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "RC_PARAMS" "SOURCES;DEPENDS")
  if(NOT arg_RC_PARAMS)
    set(arg_RC_PARAMS "seed=1")
  endif()
  set(target heddle_${folder}_tests)
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE heddle_test_main heddle_flags ${arg_DEPENDS})
  # g++ takes three times as long to optimise a file of assertions as to compile it, longer still with its sanitizers' code. The
  # libraries under test keep the preset's level.
  if(HEDDLE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
    set(timeout 900)  # arithmetic on memory that ThreadSanitizer watches is twenty times slower
  else()
    # At -O1 g++ 12 takes the members of braced temporaries for uninitialised.
    target_compile_options(${target} PRIVATE -O1 -Wno-maybe-uninitialized)
    set(timeout 300)  # for what hangs, in seconds
  endif()
  catch_discover_tests(${target} TEST_PREFIX "${folder}/"
    PROPERTIES TIMEOUT ${timeout} LABELS ${folder} ENVIRONMENT "RC_PARAMS=${arg_RC_PARAMS}")
endfunction()

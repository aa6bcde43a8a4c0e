# SPDX-License-Identifier: Apache-2.0
# heddle as others use it: the project in consumer/ builds and runs against an installed heddle and with heddle as a subdirectory,
# and each public header compiles when included alone. They compile much of heddle once more: only ctest -C ci runs them (labelled
# packaging: ctest -C ci -L packaging).
set(consumer_source ${CMAKE_CURRENT_SOURCE_DIR}/consumer)
set(consumer_binary ${CMAKE_CURRENT_BINARY_DIR}/consumer)
set(prefix ${consumer_binary}/prefix)

# heddle_add_consumer_test(<name> <cache entries>…)
function(heddle_add_consumer_test name)
  add_test(NAME "packaging/${name}" CONFIGURATIONS ci
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${consumer_source} ${consumer_binary}/${name}
      --build-generator ${CMAKE_GENERATOR}
      --build-options -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER} ${ARGN}
      --test-command ${consumer_binary}/${name}/consumer)
  set_tests_properties("packaging/${name}" PROPERTIES LABELS packaging TIMEOUT 900)
endfunction()

if(HEDDLE_INSTALL)
  # Static libraries built with a sanitizer link only with it.
  if(HEDDLE_SANITIZE)
    set(sanitize -DCMAKE_CXX_FLAGS=-fsanitize=${HEDDLE_SANITIZE})
  endif()
  add_test(NAME "packaging/clear" CONFIGURATIONS ci COMMAND ${CMAKE_COMMAND} -E rm -rf ${prefix} ${consumer_binary}/find_package)
  add_test(NAME "packaging/install" CONFIGURATIONS ci COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
  heddle_add_consumer_test(find_package -DCMAKE_PREFIX_PATH=${prefix} ${sanitize})
  set_tests_properties("packaging/clear" PROPERTIES LABELS packaging FIXTURES_SETUP cleared)
  set_tests_properties("packaging/install" PROPERTIES LABELS packaging FIXTURES_REQUIRED cleared FIXTURES_SETUP installed)
  set_tests_properties("packaging/find_package" PROPERTIES FIXTURES_REQUIRED installed)
endif()

# These compile the project once more, to the same effect in each build: only where it is cheapest.
if(NOT HEDDLE_SANITIZE)
  heddle_add_consumer_test(add_subdirectory -DHEDDLE_SOURCE_DIR=${PROJECT_SOURCE_DIR} -DCMAKE_UNITY_BUILD=ON)
  add_test(NAME "packaging/headers compile alone" CONFIGURATIONS ci
    COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target all_verify_interface_header_sets)
  set_tests_properties("packaging/headers compile alone" PROPERTIES LABELS packaging TIMEOUT 900)
endif()

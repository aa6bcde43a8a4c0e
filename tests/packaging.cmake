# SPDX-License-Identifier: Apache-2.0
# heddle as others use it: the project in consumer/ builds and runs against an installed heddle and with heddle as a subdirectory,
# each header compiles alone, and each source, and the installed documents and examples are whole. Some compile much of heddle once
# more: ctest -C ci runs them, but for the sources (labelled packaging: ctest -C ci -L packaging), and ctest -C thorough the last two.
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
  add_test(NAME "packaging/clear" CONFIGURATIONS ci COMMAND ${CMAKE_COMMAND} -E rm -rf ${prefix} ${consumer_binary}/find_package ${consumer_binary}/examples)
  add_test(NAME "packaging/install" CONFIGURATIONS ci COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
  heddle_add_consumer_test(find_package -DCMAKE_PREFIX_PATH=${prefix} ${sanitize})
  set_tests_properties("packaging/clear" PROPERTIES LABELS packaging FIXTURES_SETUP cleared)
  set_tests_properties("packaging/install" PROPERTIES LABELS packaging FIXTURES_REQUIRED cleared FIXTURES_SETUP installed)
  set_tests_properties("packaging/find_package" PROPERTIES FIXTURES_REQUIRED installed)
  if(HEDDLE_BUILD_COMMAND)
    add_test(NAME "packaging/installed files" CONFIGURATIONS ci
      COMMAND ${CMAKE_COMMAND} -D PREFIX=${prefix} -D BIN=${CMAKE_INSTALL_BINDIR} -D MAN=${CMAKE_INSTALL_MANDIR}
        -D DATA=${CMAKE_INSTALL_DATADIR} -D DOC=${CMAKE_INSTALL_DOCDIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/installed_files.cmake)
    find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
    add_test(NAME "packaging/MPI programs" CONFIGURATIONS ci
      COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/mpi/installed_package.py ${prefix} ${CMAKE_INSTALL_BINDIR} ${consumer_binary}/mpi)
    set_tests_properties("packaging/installed files" "packaging/MPI programs" PROPERTIES LABELS packaging FIXTURES_REQUIRED installed)
  endif()
endif()

# These compile the project, or some of it, once more, to the same effect in each build: only where it is cheapest.
if(NOT HEDDLE_SANITIZE)
  if(HEDDLE_INSTALL)
    add_test(NAME "packaging/installed examples" CONFIGURATIONS ci
      COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${prefix}/${CMAKE_INSTALL_DOCDIR}/examples ${consumer_binary}/examples
        --build-generator ${CMAKE_GENERATOR} --build-options -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
        -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER} -DCMAKE_PREFIX_PATH=${prefix}
      --test-command ${consumer_binary}/examples/my_first_collective)
    set_tests_properties("packaging/installed examples" PROPERTIES LABELS packaging TIMEOUT 900 FIXTURES_REQUIRED installed)
  endif()
  # With the flags of this build, so that what it has compiled by the same commands need not be compiled again.
  string(TOUPPER "CMAKE_CXX_FLAGS_${CMAKE_BUILD_TYPE}" flags)
  heddle_add_consumer_test(add_subdirectory -DHEDDLE_SOURCE_DIR=${PROJECT_SOURCE_DIR} -DCMAKE_UNITY_BUILD=${CMAKE_UNITY_BUILD}
    -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -D${flags}=${${flags}}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CURRENT_SOURCE_DIR}/consumer/built_already.py)
  set_tests_properties("packaging/add_subdirectory" PROPERTIES ENVIRONMENT HEDDLE_BUILT=${PROJECT_BINARY_DIR})
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
  set(alone ${CMAKE_CURRENT_BINARY_DIR}/alone)
  add_test(NAME "packaging/configure file by file" CONFIGURATIONS ci thorough
    COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR} -B ${alone} -G ${CMAKE_GENERATOR} --log-level=WARNING
      -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DHEDDLE_BUILD_TESTS=OFF)
  # Sources take six minutes on two cores.
  foreach(kind_and_configurations IN ITEMS "headers;ci;thorough" "sources;thorough")
    list(POP_FRONT kind_and_configurations kind)
    add_test(NAME "packaging/${kind} compile alone" CONFIGURATIONS ${kind_and_configurations}
      COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/compile_alone.py ${kind} ${PROJECT_SOURCE_DIR} ${alone}/compile_commands.json)
    set_tests_properties("packaging/${kind} compile alone"
      PROPERTIES LABELS packaging TIMEOUT 1800 FIXTURES_REQUIRED file_by_file PROCESSORS 2)
  endforeach()
  set_tests_properties("packaging/configure file by file" PROPERTIES LABELS packaging FIXTURES_SETUP file_by_file)
endif()

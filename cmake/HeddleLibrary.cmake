# SPDX-License-Identifier: Apache-2.0
# heddle_add_library(<name> [SOURCES …] [DEPENDS …] [PRIVATE_DEPENDS …])
# One static library per folder: target heddle_<name>, alias heddle::<name>. Headers are included from the project's root
# ("core/printable.hpp"); only those of include/heddle are installed. DEPENDS are the layout's arrows: what is not named cannot be
# linked. Shared libraries may be made of them, as a Python module is; nobody puts a function of his own in place of heddle's, so
# that calls stay as direct as they are.
function(heddle_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS;PRIVATE_HEADERS;DEPENDS;PRIVATE_DEPENDS")
  set(target heddle_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(heddle::${name} ALIAS ${target})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS} $<BUILD_INTERFACE:heddle_flags>)
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON UNITY_BUILD_BATCH_SIZE 40)
  if(HEDDLE_INSTALL)
    install(TARGETS ${target} EXPORT heddleTargets)
  endif()
endfunction()

# What is not hot is compiled with these: g++ takes up to three times as long to optimise texts and tables. -Og leaves out what takes a
# fifth of -O1's time. Below -O2 g++ 12 takes the members of braced temporaries for uninitialised; what it asks of a whole file about
# pointers takes a twentieth of the time.
set(heddle_light_options -Wno-maybe-uninitialized "$<IF:$<CXX_COMPILER_ID:GNU>,-Og;-fno-ipa-modref,-O1>")

# heddle_compile_lightly(<target>): for a target that is not hot.
function(heddle_compile_lightly target)
  if(HEDDLE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  else()
    target_compile_options(${target} PRIVATE ${heddle_light_options})
  endif()
endfunction()

# heddle_add_sources(<target> <group> [COLD] [LIGHT|PLAIN] <file>…): files that are compiled as one where files are (CMAKE_UNITY_BUILD; without,
# as ever). Most of the time goes into headers and into what templates of the libraries become, once for each group: a group has what
# includes the same, and no more than compiles in some twenty seconds, which a changed line costs. A sanitizer's build is made as a whole and
# seldom again: there a target has one group.
# COLD: with a sanitizer, not optimised. That takes a third of the time, and the tests of these files are no slower for it.
# LIGHT: without one, compiled as what is not hot. PLAIN: at -O1, where -O2 takes a third longer and no run is faster for it. All files
# of a group are, or none.
function(heddle_add_sources target group)
  cmake_parse_arguments(PARSE_ARGV 2 arg "COLD;LIGHT;PLAIN" "" "")
  set(files ${arg_UNPARSED_ARGUMENTS})
  set(options)
  if(HEDDLE_SANITIZE)
    set(group all)
    if(arg_COLD)
      set(group cold)
      set(options -O0)
    endif()
  elseif(arg_LIGHT)
    set(options ${heddle_light_options})
  elseif(arg_PLAIN)
    set(options -O1 -Wno-maybe-uninitialized)
  endif()
  target_sources(${target} PRIVATE ${files})
  set_source_files_properties(${files} PROPERTIES UNITY_GROUP ${group})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  if(options)
    # Of the file that includes them all: one with options of its own is not compiled with others.
    set(compiled ${files})
    if(CMAKE_UNITY_BUILD)
      set(compiled ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${group}_cxx.cxx)
    endif()
    set_source_files_properties(${compiled} PROPERTIES COMPILE_OPTIONS "${options}")
  endif()
endfunction()

# heddle_add_table(<target> <group> <table> NAMESPACE <namespace> TYPE <type> [SEVERAL] HEADER <header> FUNCTIONS <function>…)
# Writes and compiles, in that group, the function `std::vector<type> table()`, which the header declares: what the functions return,
# each a row or, with SEVERAL, some. So what is one of many is in its own file, and in one list of CMake's.
function(heddle_add_table target group table)
  cmake_parse_arguments(PARSE_ARGV 3 arg "SEVERAL" "NAMESPACE;TYPE;HEADER" "FUNCTIONS")
  set(returned ${arg_TYPE})
  if(arg_SEVERAL)
    set(returned "std::vector<${arg_TYPE}>")
  endif()
  foreach(function IN LISTS arg_FUNCTIONS)
    string(APPEND declarations "${returned} ${function}();\n")
    if(arg_SEVERAL)
      string(APPEND rows "  for (${arg_TYPE}& row : ${function}()) rows.push_back(std::move(row));\n")
    else()
      string(APPEND rows "  rows.push_back(${function}());\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${table}.cpp @ONLY CONTENT [[
// SPDX-License-Identifier: Apache-2.0
// Written by CMake (heddle_add_table).
#include "@arg_HEADER@"

#include <utility>
#include <vector>

namespace @arg_NAMESPACE@ {

@declarations@
std::vector<@arg_TYPE@> @table@() {
  std::vector<@arg_TYPE@> rows;
@rows@  return rows;
}

}  // namespace @arg_NAMESPACE@
]])
  heddle_add_sources(${target} ${group} ${CMAKE_CURRENT_BINARY_DIR}/${table}.cpp)
endfunction()

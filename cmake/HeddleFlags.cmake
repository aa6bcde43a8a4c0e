# SPDX-License-Identifier: Apache-2.0
# Warnings and sanitizers, in a private interface target: none of it reaches a consumer.
add_library(heddle_flags INTERFACE)
target_compile_options(heddle_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Wconversion -Wno-sign-conversion
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # g++ 12 sees overlaps in std::string's own operator+ (GCC bug 105651)
  -ffp-contract=off  # the same bytes on machines with and without fused multiply-add
  $<$<BOOL:${HEDDLE_WARNINGS_AS_ERRORS}>:-Werror>)
# Without consteval g++ does not check fmt's format strings, which takes a twelfth: Clang does in the sanitizers' builds, and what those do
# not compile keeps it (-UFMT_CONSTEVAL).
target_compile_definitions(heddle_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:FMT_CONSTEVAL=>)
if(HEDDLE_SANITIZE)
  target_compile_options(heddle_flags INTERFACE -fsanitize=${HEDDLE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)  # the sanitizers' code hides initialisations from g++: it warns of the standard library's
  # An index beyond a vector's size, within what it has reserved, is no fault to AddressSanitizer.
  target_compile_definitions(heddle_flags INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(heddle_flags INTERFACE -fsanitize=${HEDDLE_SANITIZE})
endif()
if(HEDDLE_BUILD_FUZZERS)
  target_compile_options(heddle_flags INTERFACE -fsanitize=fuzzer-no-link)  # libFuzzer sees which ways the code takes
endif()

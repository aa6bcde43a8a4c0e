// SPDX-License-Identifier: Apache-2.0
// Pasted tests of other frameworks as they stand, with stand-ins for these; and one that is a program of its own.
#include "tests/fuzz/pasted/catch2_v3.txt"
#include "tests/fuzz/pasted/googletest.txt"
#define main pasted_main
#include "tests/fuzz/pasted/plain.txt"
#undef main

TEST_CASE("the test that is a program of its own ends with 0 where the case is right") { CHECK(pasted_main() == 0); }

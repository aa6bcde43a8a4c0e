// SPDX-License-Identifier: Apache-2.0
// What a pasted test takes of GoogleTest, by Catch2 v2.
#pragma once

#include <catch2/catch.hpp>

#define TEST(suite, name) TEST_CASE(#suite "." #name)
#define EXPECT_NO_THROW(statement) CHECK_NOTHROW(statement)

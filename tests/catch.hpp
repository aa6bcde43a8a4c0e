// SPDX-License-Identifier: Apache-2.0
// The one place that names Catch2's version: v2 has a single header, v3 another.
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

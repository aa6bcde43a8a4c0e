// SPDX-License-Identifier: Apache-2.0
// What a pasted test takes of Catch2 v3, by Catch2 v2.
#pragma once

#include <catch2/catch.hpp>

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// FNV-1a of 64 bits (Fowler, Noll, Vo: draft-eastlake-fnv) as 16 digits: texts that differ in one byte never have the same.
std::string checksum_of(std::string_view text);

}  // namespace heddle

// SPDX-License-Identifier: Apache-2.0
// Many numbers in few words: "32B:128MiB:x4", "1KiB:16KiB:+1KiB", "2:64", "7,13,64", or several of these with commas.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"

namespace heddle {

/// Ascending, each once. A range needs its step: x4 (each four times the last) or +1KiB. Throws InputError.
std::vector<Bytes> parse_sizes(std::string_view text);

/// The same for numbers of ranks; a range without a step is every number.
std::vector<int> parse_rank_counts(std::string_view text);

/// nccl-tests' flags for sizes, as written.
struct NcclSizes {
  std::optional<std::string> least;   ///< -b
  std::optional<std::string> most;    ///< -e
  std::optional<std::string> factor;  ///< -f
  std::optional<std::string> step;    ///< -i

  bool any() const { return least || most || factor || step; }
};

/// What nccl-tests would run: -b alone is one size; from -b to -e by 1 MiB unless -f or -i says otherwise. Throws InputError
/// that names the flag.
std::vector<Bytes> sizes_of(const NcclSizes& flags);

}  // namespace heddle

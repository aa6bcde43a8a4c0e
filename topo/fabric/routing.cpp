// SPDX-License-Identifier: Apache-2.0
#include "topo/fabric/routing.hpp"

#include <fmt/format.h>

#include <array>

#include "core/nearest_name.hpp"
#include "core/pair_key.hpp"
#include "core/random.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"

namespace heddle {

std::int32_t Routing::choice(std::int32_t from, std::int32_t to, int stage, std::int32_t ways) const {
  if (way_ == Way::deterministic || ways == 1) return 0;
  SplitMix64 hash(SplitMix64(seed_ + static_cast<std::uint64_t>(stage)).next() ^ pair_key(from, to));
  return static_cast<std::int32_t>(hash.below(static_cast<std::uint64_t>(ways)));
}

std::string to_string(Routing routing) {
  switch (routing.way()) {
    case Routing::Way::split:
      return "adaptive";
    case Routing::Way::deterministic:
      return "deterministic";
    case Routing::Way::ecmp:
      return fmt::format("ecmp:{}", routing.seed());
  }
  return {};
}

Routing parse_routing(std::string_view text) {
  if (text == "adaptive") return Routing::split();
  if (text == "deterministic") return Routing::deterministic();
  if (text == "ecmp") return Routing::ecmp();
  constexpr std::string_view kSeeded = "ecmp:";
  if (text.starts_with(kSeeded)) {
    if (const auto seed = read_number<std::uint64_t>(text.substr(kSeeded.size()))) return Routing::ecmp(*seed);
    throw InputError(fmt::format("routing '{}': the seed is not a whole number; try ecmp:7", text));
  }
  static constexpr std::array<std::string_view, 3> kNames = {"adaptive", "deterministic", "ecmp"};
  throw InputError(unknown_name_message("routing", text, kNames));
}

}  // namespace heddle

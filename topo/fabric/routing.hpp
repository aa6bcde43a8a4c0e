// SPDX-License-Identifier: Apache-2.0
// What becomes of a message where several shortest ways lead to one place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

class Routing {
 public:
  enum class Way : std::uint8_t {
    split,          ///< over all of them evenly: adaptive routing among shortest ways
    deterministic,  ///< all of it the first way: dimension order, the increasing way round, the first switch up
    ecmp,           ///< all of it one way that a hash of the flow (its two endpoints) chooses
  };

  constexpr Routing() = default;  ///< split
  static constexpr Routing split() { return {Way::split, 0}; }
  static constexpr Routing deterministic() { return {Way::deterministic, 0}; }
  static constexpr Routing ecmp(std::uint64_t seed = 1) { return {Way::ecmp, seed}; }

  constexpr Way way() const { return way_; }
  constexpr std::uint64_t seed() const { return seed_; }
  constexpr bool splits() const { return way_ == Way::split; }

  /// Which of `ways` ≥ 1 equal ways a message takes that is not split: 0 if deterministic. `stage` distinguishes the choices
  /// along one route.
  std::int32_t choice(std::int32_t from, std::int32_t to, int stage, std::int32_t ways) const;

  friend constexpr bool operator==(Routing, Routing) = default;

 private:
  constexpr Routing(Way way, std::uint64_t seed) : way_(way), seed_(seed) {}

  Way way_ = Way::split;
  std::uint64_t seed_ = 0;
};

/// "adaptive", "deterministic", "ecmp" (seed 1) or "ecmp:SEED".
std::string to_string(Routing routing);
/// The same backwards. Throws InputError.
Routing parse_routing(std::string_view text);

}  // namespace heddle

// SPDX-License-Identifier: Apache-2.0
// What memory holds of ranks' contributions, without the data: by stretches of addresses.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace heddle::emu {

/// Which ranks' contributions are combined in a byte, each as often as it was.
using TermsId = std::uint32_t;

/// Consecutive ranks, each once: of many ranks' sums there are few of them.
struct RankRange {
  int first = 0;
  int last = 0;
  friend constexpr auto operator<=>(RankRange, RankRange) = default;
};

/// Consecutive bytes: byte i is position + i of the contributions of these terms. Nothing that is known: kUnknown.
struct Stretch {
  static constexpr TermsId kUnknown = 0;

  std::int64_t bytes = 0;
  TermsId terms = kUnknown;
  std::int64_t position = 0;
};

/// Memory of the process. Memory that was freed keeps what it held until something else comes there.
class Contents {
 public:
  Contents();

  /// The rank's own contribution alone.
  TermsId term(int rank);
  TermsId all_of(int ranks);
  /// In order; a rank that is in two of them is there twice.
  std::span<const RankRange> ranks_of(TermsId terms) const { return terms_[terms]; }

  /// What lies in memory, in order; what nothing is known of is there as kUnknown.
  std::vector<Stretch> read(const std::byte* at, std::int64_t bytes) const;
  void write(const std::byte* at, std::span<const Stretch> stretches);
  /// Combined with what is there. Where one of the two is unknown, or they are of different positions, the result is unknown.
  void combine(const std::byte* at, std::span<const Stretch> stretches);

 private:
  struct Held {
    std::int64_t bytes;
    TermsId terms;
    std::int64_t position;
  };
  using Address = std::uintptr_t;

  using Ranks = std::vector<RankRange>;

  TermsId id_of(Ranks ranks);
  TermsId both(TermsId a, TermsId b);
  /// From here on a stretch begins at `at`, if one lies there.
  void split(Address at);

  std::map<Address, Held> held_;
  std::vector<Ranks> terms_;  ///< by id
  std::map<Ranks, TermsId> ids_;
};

}  // namespace heddle::emu

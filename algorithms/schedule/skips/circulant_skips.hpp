// SPDX-License-Identifier: Apache-2.0
// The skips of the circulant algorithms: by how much each round's messages go round the circle of p ranks.
//
//   halving        p halved, rounded up, until 1            p = 22:  11 6 3 2 1         ⌈log2 p⌉ rounds
//   power_of_two   the powers of two below p                        16 8 4 2 1         ⌈log2 p⌉ rounds
//   sqrt           down in steps of ⌈√p⌉, then halving              17 12 7 4 2 1      about √p + ½·log2 p rounds
//   linear         all of them                                      21 20 19 … 2 1     p-1 rounds, rank order can be kept
//   a list         as given, but those of p or more
//
// Any list will do in which every distance 0 < i < p is a sum of skips, one of each at most and modulo p.
// Source: Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §2.1, Corollary 2 and the examples after it.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/schedule/blocks/paper_round.hpp"
#include "algorithms/schedule/skips/skip_schedule.hpp"
#include "core/communicator.hpp"

namespace heddle::schedule {

/// How skips follow from p. A value.
class CirculantSkips {
 public:
  enum class Kind : std::uint8_t { halving, power_of_two, sqrt, linear, list };

  /// Not a list.
  explicit CirculantSkips(Kind kind = Kind::halving) : kind_(kind) {}
  /// "halving", "power_of_two", "sqrt", "linear", "5+3+2+1". Throws InputError.
  static CirculantSkips parse(std::string_view text);

  Kind kind() const { return kind_; }
  /// As parse() takes it.
  std::string name() const;
  /// One per round; falling unless a list is not.
  std::vector<int> for_ranks(int ranks) const;
  /// Only a list may not.
  bool reach_everyone(int ranks) const;
  /// Rounds of a reduce-scatter in which anything is sent; 0 where not everyone is reached.
  int rounds(int ranks) const;

 private:
  Kind kind_;
  std::vector<int> list_;
};

/// The reduce-scatter on these skips: Träff's Algorithm 1 where its choice of rounds works, that is, where each offset can go
/// in the first round whose skip is not above it; else each in the last round that it can. Throws std::logic_error where the
/// skips do not reach everyone.
SkipSchedule circulant_schedule(int ranks, const CirculantSkips& skips);

/// The same, made once for all ranks. Throws UsageError where the skips do not reach everyone.
std::shared_ptr<const SkipSchedule> circulant_plan(Communicator& comm, const CirculantSkips& skips);

/// The paper's rounds, on skips that halve, for any p ≥ 2: what circulant_schedule sends as well; tests compare the two.
namespace paper {

/// s before round k: p halved k times, each time rounded up. Round k has the skip s_{k+1}. Träff §2, Algorithm 1.
constexpr int circulant_skip(int k, int p) { return k == 0 ? p : (circulant_skip(k - 1, p) + 1) / 2; }

/// Round k of the reduce-scatter: with s' = s_k and s = s_{k+1}, rank r sends R[s … s'-1] to r + s, where R[i] is its sum for
/// block r + i, all modulo p. Rounds 0 … ⌈log2 p⌉ - 1. Träff §2.1, Algorithm 1.
inline Round circulant_round(int r, int k, int p) {
  const int before = circulant_skip(k, p);
  const int skip = circulant_skip(k + 1, p);
  std::set<int> blocks;
  for (int i = skip; i < before; ++i) blocks.insert((r + i) % p);
  return {{(r + skip) % p, blocks}};
}

/// What undoes round k in the allgather, which takes the rounds backwards: R[0 … s'-s-1] to r - s. Träff §2.2, Algorithm 2.
inline Round circulant_round_back(int r, int k, int p) {
  const int before = circulant_skip(k, p);
  const int skip = circulant_skip(k + 1, p);
  std::set<int> blocks;
  for (int i = 0; i < before - skip; ++i) blocks.insert((r + i) % p);
  return {{(r - skip + p) % p, blocks}};
}

}  // namespace paper

}  // namespace heddle::schedule

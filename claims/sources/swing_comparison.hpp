// SPDX-License-Identifier: Apache-2.0
// Swing against the best of the others at one size on one fabric, as each point of the paper's figures shows it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "claims/compared_rows.hpp"

namespace heddle::claims::swing {

enum class Rings : std::uint8_t {
  none,
  run,
  closed_form,  ///< as swing/rings finds them to run: thousands of rounds on a 2D torus at 400 Gb/s without start-up
};

/// 2(p-1) rounds of one hop and of a block of one of four slices.
double rings_microseconds(double ranks, double bytes);

struct Setting {
  std::string topology;
  std::string flags = "--preset swing-nsdi24 --data-memory 1MiB";
  Rings rings = Rings::none;
  bool latency_optimal_always = true;  ///< else up to 2 MiB only
  bool mirrored_doubling = false;      ///< torus_recursive_doubling_multiport runs too
};

struct Entry {
  std::string algorithm;
  std::string family;  ///< "Swing", "recursive doubling", "bucket", "rings"
  double microseconds;
  int rounds;
};

/// Every algorithm's run at one size.
struct Comparison {
  Setting setting;
  std::string size;
  std::vector<Entry> entries;

  /// The fastest of a family; of the others than Swing's (rings and bucket included) if `family` is "others".
  const Entry& best(std::string_view family) const;
  const Entry& winner() const;
  /// Swing's goodput over that of the best of the others, less 1.
  double gain() const { return best("others").microseconds / best("Swing").microseconds - 1; }
  /// heddle run … of these algorithms.
  std::string command(const std::vector<std::string>& algorithms) const;
};

Comparison run_comparison(Lab& lab, const Setting& setting, const std::string& size);
/// All of them, side by side on all cores; at 4,096 ranks and more one after the other, since a run has a task for each port
/// of each rank, and the stacks of two such runs at once may be more than a system maps.
std::vector<Comparison> run_comparisons(Lab& lab, const Setting& setting, const std::vector<std::string>& sizes);
const Comparison& largest_gain(const std::vector<Comparison>& comparisons);

/// That `family` is the fastest, or less than five per cent behind. Where it is not, but would be with a start-up of up to two
/// microseconds a message, which the paper does not print: a run with that start-up stands beside it. Else `quote`, a reason's name,
/// has what the run contradicts.
Finding first_is(Lab& lab, const ClaimData& data, const Comparison& comparison, const std::string& family,
                 std::string_view quote);

/// The finding as an illustration: it is measured on so few nodes instead of the figure's, and says nothing of the paper.
Finding illustrate(Finding finding, const std::string& why);

/// The fabric, with what `data` shares: `rings` ("run" or "closed form"), and `large` where latency-optimal variants run up to 2 MiB
/// only.
Setting setting_on(const ClaimData& data, std::string topology);

/// Goodput on one fabric after another, then Swing's gain on each. `fabrics`: the panel's title (none: gains only), the topology, the
/// name of its gain, further flags. `gains` and `most gains` are printed gains.
pictures::Chart goodput_by_size(Lab& lab, const ClaimData& data);

/// "+13 %".
std::string percent(double part);

}  // namespace heddle::claims::swing

// SPDX-License-Identifier: Apache-2.0
// What a sweep measured, as plain values: the table, CSV, JSON and pictures are made of these alone, whether a run was just
// made or read back from a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "core/units.hpp"
#include "emu/report/critical_path.hpp"
#include "lab/tune/twins.hpp"

namespace heddle {

/// Of a run of which every check passed.
struct SweepMeasurement {
  Time time;                    ///< completion of the last rank
  std::optional<double> algbw;  ///< bytes per second, as Rates says; no value where no time passed, and for a barrier
  std::optional<double> busbw;
  int rounds = 0;
  std::int64_t messages = 0;
  std::optional<std::uint64_t> messages_digest;  ///< as a report has it; no value: not known
  Bytes sent_max;                                ///< by the rank that sent most
  int peak_flows = 0;                            ///< the most messages in one link at once
  /// Where `time` went, and what it would be without contention (emu/report/report.hpp). All 0: not known.
  PathParts path;
  Time contention_free;
  double payload_scale = 1;
  bool scale_assumed =
      false;  ///< `time` is of a part of the vector, by an algorithm that does not say that it is independent of size
  std::optional<std::string> switch_precision;  ///< "f16": what the switches took f32 as

  bool operator==(const SweepMeasurement&) const = default;
};

/// One algorithm at one point of a sweep: one fabric (with its speeds, ranks and placement) and one size.
struct SweepResult {
  int run = 0;  ///< its number in the whole sweep, from 1: by fabric, then by size, then by algorithm
  /// The fabric as legends and captions show it, with whatever differs within the sweep: "torus:8x8", or
  /// "ring:64, 13 ranks, 400Gbps". One text for each.
  std::string fabric;
  std::string topology;  ///< "torus:8x8"
  int ranks = 0;
  std::string placement;                     ///< "random:7"
  std::string algorithm;                     ///< "chain:segments=8"
  std::int64_t bytes = 0;                    ///< of the whole vector, rounded down to whole elements; 0 for a barrier
  std::int64_t count = 0;                    ///< elements
  std::optional<SweepMeasurement> measured;  ///< no value: `failure` says why
  std::optional<Failure> failure;
  std::string remark = {};  ///< what else is to be said of the call (Algorithm::remark); empty: nothing

  bool operator==(const SweepResult&) const = default;
};

/// Where one algorithm takes over from another as the best of a fabric, in a sweep over sizes.
struct Crossing {
  std::string fabric;
  std::string from;        ///< the best at `below`
  std::string to;          ///< the best at `above`, the next size
  std::int64_t below = 0;  ///< bytes
  std::int64_t above = 0;
  /// Bytes where both take as long, if times between the two sizes lie on straight lines, as an alpha-beta model has it; the
  /// middle where one of the two was not measured at both.
  double at = 0;
};

/// Whether both were measured and do the same (lab/tune/twins.hpp). Both are of one point.
bool are_twins(const SweepResult& a, const SweepResult& b);

/// What a tuned sweep shows: of each row (bare_name) at each point the best of its variants, of several the one that was planned
/// first; where none was measured, the first. In the order of `results`, which is that of `run`.
std::vector<SweepResult> best_of_rows(const std::vector<SweepResult>& results);

/// The result that takes least time, of several the one listed first; nullptr if none was measured. `results` are one point's.
const SweepResult* best_of(const std::vector<const SweepResult*>& results);

/// Of all fabrics, in the order in which they come. `results` in the order of `run`; sizes ascend.
std::vector<Crossing> crossings_of(const std::vector<SweepResult>& results);

}  // namespace heddle

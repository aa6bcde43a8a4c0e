// SPDX-License-Identifier: Apache-2.0
// What a sweep measured, as plain values: the table, CSV, JSON and pictures are made of these alone, whether a run was just
// made or read back from a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emu/record/critical_path.hpp"
#include "heddle/errors.hpp"
#include "heddle/units.hpp"
#include "lab/describe/equal_runs.hpp"

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
  /// Where `time` went, and what it would be without contention (emu/record/report.hpp). All 0: not known.
  PathParts path;
  Time contention_free;
  double byte_scale = 1;
  bool scale_assumed =
      false;  ///< `time` is of a part of the vector, by an algorithm that does not say that it is independent of size
  std::optional<std::string> switch_precision;  ///< "f16": what the switches took f32 as
  // Of runs with faults, as a report has them.
  std::vector<std::string> idle_faults = {};
  std::vector<std::string> idle_reasons = {};
  std::vector<std::string> faults_gone_round = {};
  std::optional<std::string> worst_link = {};  ///< the fault that link:worst came to: "link:0->1,slow=4"

  bool operator==(const SweepMeasurement&) const = default;
};

/// Times of runs that differ in the seed of ECMP alone; quartiles between two of them are interpolated.
struct SeedSpread {
  int seeds = 0;
  Time least;
  Time first_quartile;
  Time median;
  Time third_quartile;
  Time most;

  bool operator==(const SeedSpread&) const = default;
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
  std::string remark = {};                ///< what else is to be said of the call (Algorithm::remark); empty: nothing
  std::optional<SeedSpread> spread = {};  ///< of a result over many seeds (lab/sweep/sweep_axes.hpp): `measured` is the median

  bool operator==(const SweepResult&) const = default;
};

/// Where one algorithm takes over from another as the best of a fabric. It is the best from there on to the next crossing.
struct Crossing {
  std::string fabric;
  std::string from;
  std::string to;
  std::int64_t below = 0;  ///< bytes: the sizes next to each other that were measured, and between which it is
  std::int64_t above = 0;
  /// Bytes where both take as long, if times between the two sizes lie on straight lines, as an alpha-beta model has it. No
  /// value: somewhere between the two, as one of the algorithms that come into it sends other messages at one of the sizes than
  /// at the other, or was not measured at one of them.
  std::optional<double> at = {};
};

/// Whether both were measured and do the same (lab/describe/equal_runs.hpp). Both are of one point.
bool are_equivalent(const SweepResult& a, const SweepResult& b);

/// What a tuned sweep shows: of each row (bare_name) at each point the best of its variants, of several the one that was planned
/// first; where none was measured, the first. In the order of `results`, which is that of `run`.
std::vector<SweepResult> best_of_rows(const std::vector<SweepResult>& results);

/// The result that takes least time, of several the one listed first; nullptr if none was measured. `results` are one point's.
const SweepResult* best_of(const std::vector<const SweepResult*>& results);

/// The times of one algorithm at two sizes next to each other; nullptr: not measured. They are straight between these if it sends
/// as many messages in as many rounds at both: then each message grows with the size.
TimeLine time_line(const SweepMeasurement* below, const SweepMeasurement* above);

/// Of all fabrics, in the order in which they come. `results` in the order of `run`; sizes ascend. What was not measured at a size
/// is neither the best there nor beaten. Of several that are equally fast, the best stays the best.
std::vector<Crossing> crossings_of(const std::vector<SweepResult>& results);

/// "225KiB": a size that is estimated, to three digits.
std::string rough_size_text(double bytes);

}  // namespace heddle

// SPDX-License-Identifier: Apache-2.0
// From a sweep's results to what a target should take at each number of ranks and size: the fastest of those algorithms that were
// measured there and that the target has, if it is clearly the fastest; and between two sizes the one that is the lowest of all
// lines (lab/describe/equal_runs.hpp). A value; what files are made of it is in show/reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heddle/units.hpp"
#include "lab/decisions/target.hpp"
#include "lab/sweep/sweep_document.hpp"

namespace heddle::decisions {

/// An algorithm that the target has, as it was measured.
struct Choice {
  const Mapping* mapping = nullptr;
  std::string algorithm = {};  ///< heddle's name: "chain:segments=8"
  Time time = {};
  Bytes segment = {};  ///< of a row that cuts into segments that the target is told; 0: the whole vector at once
};

/// Whether the target does the same.
bool is_same(const Choice& a, const Choice& b);

/// The fastest of all, where the target does not have it.
struct Missed {
  std::string algorithm = {};
  Time time = {};
  std::string why = {};  ///< "has no Swing", the target being the subject
};

/// The next best that the target has, if it would do something else by it.
struct NextBest {
  std::string algorithm = {};
  Time time = {};
};

/// How much longer the next best takes, as a part of the choice's time.
double lead_of(const Choice& choice, const NextBest& next);

/// At one size.
struct Decision {
  std::int64_t bytes = 0;             ///< of the whole vector
  std::optional<Choice> choice = {};  ///< no value: the target decides by itself
  std::optional<NextBest> next = {};  ///< of the choice or of what is `close`; no value: nothing else was measured that it has
  /// What would be the choice, were it further ahead of the next best. No value: it is, or nothing was measured that the target has.
  std::optional<Choice> close = {};
  std::optional<Missed> missed = {};  ///< no value: the choice, or what is `close`, is the fastest of all
  bool is_estimated = false;          ///< nothing was measured at this size, but at the sizes next to it
};

struct RankDecisions {
  int ranks = 1;
  std::string fabric = {};           ///< as SweepResult has it
  std::vector<Decision> sizes = {};  ///< ascending, those that were measured
  /// Where the fastest that the target has changes between two of these, each of which has a choice: ascending, estimated.
  std::vector<Decision> between = {};
};

struct CollectiveDecisions {
  const TargetCollective* collective = nullptr;
  std::vector<RankDecisions> ranks = {};  ///< ascending
};

struct Decisions {
  const Target* target = nullptr;
  std::vector<CollectiveDecisions> collectives = {};  ///< in the target's order, those with results
  /// Whether the fabrics' speeds were fitted to measured runs, a sentence for each kind of fabric.
  std::vector<std::string> speeds = {};
  double margin = 0;                     ///< as asked for
  std::vector<std::string> failed = {};  ///< runs that count for nothing, and why: "allreduce p=8 64KiB: ring failed a check"
};

/// A sweep and the file that it was read from, for errors.
struct NamedSweep {
  std::string path;
  SweepDocument document;
};

/// Reads a sweep's JSON. Throws InputError that names `path` if it is none, a part (`--shard`), or not complete.
NamedSweep read_whole_sweep(const std::string& path);

/// What is less than this part of its time ahead of the next best is left to the target: other overheads than the model's would
/// have it the other way round.
constexpr double kMargin = 0.05;

/// Of results on `fabric` alone, unless it is empty. `margin`: 0 leaves nothing to the target that was measured. Throws InputError if there are none for the target; if two fabrics have
/// results for one collective and number of ranks; if element types or operations differ; and for what a decision cannot be
/// about: groups at once, uneven blocks, an operation that does not commute. The same sweeps in any order: the same decisions.
Decisions decide(const Target& target, const std::vector<NamedSweep>& sweeps, const std::string& fabric = "",
                 double margin = kMargin);

/// A decision with the size from which on it holds.
struct SizeRule {
  std::int64_t from = 0;  ///< bytes of the whole vector
  const Decision* decision = nullptr;
};

/// What was decided at a size, measured or between two of these, holds from there up to the next one; the first also below, the
/// last also above. Neighbours that are the same are one. At least one, and the first is from 0.
std::vector<SizeRule> size_rules(const RankDecisions& decisions);

}  // namespace heddle::decisions

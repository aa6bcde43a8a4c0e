// SPDX-License-Identifier: Apache-2.0
// From a sweep's results to what a target should take at each number of ranks and size: the fastest of those algorithms that were
// measured there and that the target has. A value; what files are made of it is in show/decisions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units.hpp"
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

/// At one size.
struct Decision {
  std::int64_t bytes = 0;             ///< of the whole vector
  std::optional<Choice> choice = {};  ///< no value: the target has nothing that was measured there, and decides by itself
  std::optional<Missed> missed = {};  ///< no value: the choice is the fastest of all
};

struct RankDecisions {
  int ranks = 1;
  std::string fabric = {};           ///< as SweepResult has it
  std::vector<Decision> sizes = {};  ///< ascending
};

struct CollectiveDecisions {
  const TargetCollective* collective = nullptr;
  std::vector<RankDecisions> ranks = {};  ///< ascending
};

struct Decisions {
  const Target* target = nullptr;
  std::vector<CollectiveDecisions> collectives = {};  ///< in the target's order, those with results
  std::vector<std::string> failed = {};  ///< runs that count for nothing, and why: "allreduce p=8 64KiB: ring failed a check"
};

/// A sweep and the file that it was read from, for errors.
struct NamedSweep {
  std::string path;
  SweepDocument document;
};

/// Reads a sweep's JSON. Throws InputError that names `path` if it is none, a part (`--shard`), or not complete.
NamedSweep read_whole_sweep(const std::string& path);

/// Of results on `fabric` alone, unless it is empty. Throws InputError if there are none for the target; if two fabrics have
/// results for one collective and number of ranks; if element types or operations differ; and for what a decision cannot be
/// about: groups at once, uneven blocks, an operation that does not commute. The same sweeps in any order: the same decisions.
Decisions decide(const Target& target, const std::vector<NamedSweep>& sweeps, const std::string& fabric = "");

/// A decision with the size from which on it holds.
struct SizeRule {
  std::int64_t from = 0;  ///< bytes of the whole vector
  const Decision* decision = nullptr;
};

/// What was decided at a size holds from there up to the next size that was measured; the first also below, the last also above.
/// Neighbours that are the same are one. At least one, and the first is from 0.
std::vector<SizeRule> size_rules(const RankDecisions& decisions);

}  // namespace heddle::decisions

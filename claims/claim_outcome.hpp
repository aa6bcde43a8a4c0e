// SPDX-License-Identifier: Apache-2.0
// Claims that are asked for, and what came of each.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "claims/claim.hpp"

namespace heddle::claims {

/// One of the claims that a command is about.
struct Selected {
  const Source* source;
  const Claim* claim;
  bool runs = true;  ///< false: only listed
};

/// What came of it: findings, or why there are none.
struct Outcome {
  Selected selected;
  std::vector<Finding> findings = {};  ///< those before an error stay
  std::string error = {};  ///< its check threw, found nothing, leaves a verdict without its reason, or cannot be drawn
  std::optional<pictures::Chart> chart = {};  ///< if asked for, of a claim with a figure

  bool has_verdict() const { return selected.runs && error.empty(); }
  /// "holds"; of findings that differ, how many hold and what the others do: "5 of 6 hold; 1 does not hold: a run shows
  /// otherwise". Only if has_verdict().
  std::string verdict() const;
  int count(Verdict verdict) const;
};

/// The claims that are called so: all of a name that has them ("traeff/theorem-1"), else all whose names begin so ("traeff",
/// "swing/fig"); of no names, all. In the order of the sources, each once. Those on 4,096 ranks and more run if `full` or if
/// called by their whole name. Throws InputError that names the nearest for what no claim is called.
std::vector<Selected> select_claims(std::span<const Source> sources, std::span<const std::string> names, bool full);

/// Gets each outcome when it and all before it are there; calls do not overlap.
using OutcomeObserver = std::function<void(const Outcome&)>;

/// Called whenever a claim begins or ends, with how many have ended; calls do not overlap.
using ClaimProgress = std::function<void(std::size_t ended, const Claim& latest)>;

enum class Figures : std::uint8_t { left_out, drawn };

/// Runs them on all cores: those of fewer than 4,096 ranks side by side, then the others one after the other, each on all cores
/// by itself. Outcomes in the order of `selected`, whatever the number of cores. A check that throws ends its claim only.
/// Figures, which need runs of their own, are drawn on request.
std::vector<Outcome> run_claims(std::span<const Selected> selected, Lab& lab, Figures figures = Figures::left_out,
                                const OutcomeObserver& observe = {}, const ClaimProgress& progress = {});

}  // namespace heddle::claims

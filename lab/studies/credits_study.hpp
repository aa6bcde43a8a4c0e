// SPDX-License-Identifier: Apache-2.0
// Many searches for the least credits: which there are, and what came of each.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "emu/studies/least_credits.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/run/algorithm_choice.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

/// One algorithm on so many ranks.
struct CreditsCase {
  std::shared_ptr<const Setup> setup;
  Algorithm algorithm;
  RunCost cost = {};                                               ///< of the search: at least about so much
  std::optional<std::variant<LeastCredits, Failure>> result = {};  ///< no value: not searched yet

  const LeastCredits* found() const { return result ? std::get_if<LeastCredits>(&*result) : nullptr; }
  const Failure* failure() const { return result ? std::get_if<Failure>(&*result) : nullptr; }
};

/// An algorithm that does not fit, for one reason, so many ranks each.
struct CreditsLeftOut {
  LeftOut what;
  std::vector<int> ranks;
};

struct CreditsStudy {
  std::string topology;            ///< as asked for: "star:{p}"
  std::string ranks;               ///< as asked for: "2:128"
  std::vector<CreditsCase> cases;  ///< by algorithm, then by ranks
  std::vector<CreditsLeftOut> left_out;
};

/// What to search for.
struct CreditsQuestion {
  Experiment base;                 ///< its topology may have {p}, which becomes the number of ranks; empty: star:{p}
  std::string algorithms = "all";  ///< names with commas
  std::vector<int> ranks;          ///< empty: those that the fabric or the placement has
  std::string ranks_text;          ///< how they were asked for: "2:128"
};

/// Throws InputError that names the flag of `heddle credits`, before anything has run.
CreditsStudy plan_credits(const CreditsQuestion& question);

/// Searches over all cores. The results are the same with any number of them. Blocks until all are done; throws InputError for
/// a call that cannot be made, the first one's. `ended_one` is called after each case, from any thread.
void search(
    CreditsStudy& study, const std::function<void()>& ended_one = [] {});

}  // namespace heddle

// SPDX-License-Identifier: Apache-2.0
// Many searches for the least credits: which there are, and what came of each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/algorithm_choice.hpp"
#include "cli/run_options.hpp"
#include "cli/run_outcome.hpp"
#include "cli/run_plan.hpp"
#include "emu/least_credits.hpp"

namespace heddle {

/// One algorithm on so many ranks.
struct CreditsCase {
  std::shared_ptr<const RunPlan> plan;
  Algorithm algorithm;
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

/// `options.fabric.topology` may have {p}, which becomes the number of ranks; empty: star:{p}. `options.ranks` is a list of
/// numbers (cli/sweep/number_range.hpp). Throws InputError that names the flag, before anything has run.
CreditsStudy plan_credits(const RunOptions& options);

/// Searches over all cores. The results are the same with any number of them. Blocks until all are done; throws InputError for
/// a call that cannot be made, the first one's.
void search(CreditsStudy& study);

}  // namespace heddle

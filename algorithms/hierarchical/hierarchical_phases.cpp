// SPDX-License-Identifier: Apache-2.0
#include "algorithms/hierarchical/hierarchical_phases.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "core/errors.hpp"
#include "core/once.hpp"

namespace heddle {

using schedule::Hierarchy;
using schedule::Membership;

namespace {

/// "chain/segments=8" is the row "chain:segments=8": colons are taken by the options themselves.
Algorithm find_phase(Collective phase, std::string_view option, const std::string& text) {
  std::string name = text;
  std::replace(name.begin(), name.end(), '/', ':');
  if (name.substr(0, name.find(':')) == "hierarchical")
    throw InputError(
        fmt::format("option {}={}: a phase is not hierarchical itself; tiers=… says how many levels there are", option, text));
  try {
    return find_algorithm(phase, name);
  } catch (const InputError& error) {
    throw InputError(fmt::format("option {}={}: {}", option, text, error.what()));
  }
}

/// "inner reduce-scatter"
std::string phase_name(Collective phase, int level, int levels) {
  std::string place = level + 1 == levels ? "outer" : level == 0 ? "inner" : "middle";
  if (place == "middle" && levels > 3) place += fmt::format(" {}", level);
  std::string name = fmt::format("{} {}", place, to_string(phase));
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

}  // namespace

std::vector<Collective> collectives_on(Collective whole, bool is_outermost) {
  if (whole == Collective::allreduce && !is_outermost) return {Collective::reduce_scatter, Collective::allgather};
  return {whole};
}

struct HierarchicalPhases::Rows {
  struct Level {
    std::string_view option;
    std::vector<Algorithm> rows;  ///< one for each of its collectives
  };
  Once once;
  Level inner{"inner", {}};
  Level middle{"middle", {}};
  Level outer{"outer", {}};
};

HierarchicalPhases::HierarchicalPhases(Collective whole, const Options& options)
    : whole_(whole),
      options_(options),
      most_levels_(options.text("tiers") == "all" ? std::numeric_limits<int>::max()
                                                  : static_cast<int>(options.number("tiers", 1, 1000))),
      rows_(std::make_unique<Rows>()) {}

HierarchicalPhases::~HierarchicalPhases() = default;

const HierarchicalPhases::Rows& HierarchicalPhases::rows() const {
  rows_->once([this] {
    for (Rows::Level* level : {&rows_->inner, &rows_->middle, &rows_->outer}) {
      std::string text = options_.text(level->option);
      if (level == &rows_->middle && text == "inner") text = options_.text("inner");
      level->rows.clear();
      for (const Collective phase : collectives_on(whole_, level == &rows_->outer))
        level->rows.push_back(find_phase(phase, level->option, text));
    }
  });
  return *rows_;
}

bool HierarchicalPhases::tasks_share_credits() const {
  const Rows& all = rows();
  return std::ranges::any_of(std::array{&all.inner, &all.middle, &all.outer}, [](const Rows::Level* level) {
    return std::ranges::any_of(level->rows, &Algorithm::tasks_share_credits);
  });
}

bool HierarchicalPhases::same_bits() const { return std::ranges::all_of(rows().outer.rows, &Algorithm::same_bits); }

const Algorithm& HierarchicalPhases::row(Collective phase, int level, int levels) const {
  const Rows& all = rows();
  const std::vector<Algorithm>& choice = (level + 1 == levels ? all.outer : level == 0 ? all.inner : all.middle).rows;
  return *std::find_if(choice.begin(), choice.end(), [phase](const Algorithm& row) { return row.collective == phase; });
}

void HierarchicalPhases::run(Communicator& comm, Communicator& group, Collective phase, int level, int levels,
                             const CollectiveArguments& call) const {
  if (levels > 1) comm.phase(phase_name(phase, level, levels));
  row(phase, level, levels).run(group, call);
}

SubCommunicators::SubCommunicators(Communicator& comm, const Hierarchy& hierarchy,
                                   const std::function<Membership(int)>& membership) {
  if (hierarchy.levels() == 1) {
    levels_.push_back(&comm);
    return;
  }
  for (int level = 0; level < hierarchy.levels(); ++level) {
    const Membership mine = membership(level);
    made_.push_back(comm.split(mine.color, mine.key));
    levels_.push_back(made_.back().get());
  }
}

std::shared_ptr<const Hierarchy> hierarchy_of(Communicator& comm, const HierarchicalPhases& phases) {
  const int most = phases.most_levels();
  return comm.shared_plan<Hierarchy>(fmt::format("hierarchical/{}", most),
                                     [&comm, most] { return Hierarchy(comm.tiers(), comm.size(), most); });
}

}  // namespace heddle

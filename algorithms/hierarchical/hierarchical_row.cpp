// SPDX-License-Identifier: Apache-2.0
// Formulas and requirements of a composed algorithm: those of its phases, put together.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "algorithms/hierarchical/hierarchical_phases.hpp"

namespace heddle {

using schedule::Hierarchy;
using schedule::Membership;

namespace {

/// One collective on the ranks of one sub-communicator.
struct Phase {
  int level;
  const Algorithm* row;
  Shape shape;
};

/// The phases of a call, those that differ.
class Plan {
 public:
  Plan(Collective whole, const HierarchicalPhases& phases, const Shape& shape)
      : whole_(whole), phases_(phases), shape_(shape), hierarchy_(shape.tiers, shape.ranks, phases.most_levels()) {
    for (int level = 0; level < hierarchy_.levels(); ++level) add_level(level);
  }

  const std::vector<Phase>& phases() const { return all_; }
  bool even() const { return hierarchy_.even(); }
  int levels() const { return hierarchy_.levels(); }

  /// Σ over the levels and their collectives of the greatest that `number` says of a sub-communicator.
  template <class Number>
  auto sum(const Number& number) const {
    decltype(number(all_.front())) sum = 0;
    for (std::size_t i = 0; i < all_.size();) {
      auto most = number(all_[i]);
      const std::size_t first = i;
      for (++i; i < all_.size() && all_[i].row == all_[first].row && all_[i].level == all_[first].level; ++i)
        most = std::max(most, number(all_[i]));
      sum += most;
    }
    return sum;
  }

  /// Rounds in which surplus ranks' blocks change hands.
  int handing_over() const { return has_blocks(whole_) && !even() ? 1 : 0; }

  /// Cuts every block of every phase evenly.
  std::int64_t granule() const {
    std::int64_t granule = has_blocks(whole_) ? shape_.ranks : 1;
    for (const Phase& phase : all_) {
      const std::int64_t beneath = cut_beneath(phase.level);
      granule = std::lcm(granule, beneath);
      if (phase.shape.equal_blocks) granule = std::lcm(granule, beneath * phase.row->granule(phase.shape));
      if (!has_root(whole_) && phase.level + 1 < levels())
        granule = std::lcm(granule, beneath * hierarchy_.indices(phase.level));
    }
    return granule;
  }

 private:
  /// Into how many slices the levels beneath have cut the vector.
  int cut_beneath(int level) const { return has_root(whole_) ? 1 : hierarchy_.indices_beneath(level); }

  void add_level(int level) {
    std::vector<Membership> memberships;
    for (int rank = 0; rank < shape_.ranks; ++rank)
      memberships.push_back(has_root(whole_) ? hierarchy_.by_leader(level, rank, shape_.root)
                                             : hierarchy_.by_index(level, rank));
    std::vector<Shape> shapes;
    for (const std::vector<int>& members : hierarchy_.sub_communicators(memberships)) {
      Shape shape = shape_of(level, members);
      // Groups of one size are alike, but for what the switches do for them.
      const auto is_same = [&](const Shape& other) {
        return !shape.in_network && other.ranks == shape.ranks && other.root == shape.root;
      };
      if (std::none_of(shapes.begin(), shapes.end(), is_same)) shapes.push_back(std::move(shape));
    }
    for (const Collective phase : collectives_on(whole_, level + 1 == levels())) {
      for (const Shape& shape : shapes) all_.push_back({level, &phases_.row(phase, level, levels()), shape});
    }
  }

  Shape shape_of(int level, const std::vector<int>& members) const {
    if (levels() == 1) return shape_;
    const bool is_cut = whole_ == Collective::allreduce && level + 1 < levels();
    return {.ranks = static_cast<int>(members.size()),
            .count = shape_.count / cut_beneath(level),
            .bytes = shape_.bytes / cut_beneath(level),
            .root = hierarchy_.leader(level, members.front(), shape_.root),
            .equal_blocks = is_cut ? static_cast<int>(members.size()) == hierarchy_.indices(level)
                                   : !has_blocks(whole_) || (shape_.equal_blocks && hierarchy_.even()),
            .cost = shape_.cost,
            .in_network = switches_under(level, members)};
  }

  /// What the switches say of some of the ranks, where a phase of the level is theirs to do.
  decltype(Shape::in_network) switches_under(int level, const std::vector<int>& members) const {
    const std::vector<Collective> collectives = collectives_on(whole_, level + 1 == levels());
    const auto is_theirs = [&](Collective phase) { return phases_.row(phase, level, levels()).needs.in_network; };
    if (!shape_.in_network || std::none_of(collectives.begin(), collectives.end(), is_theirs)) return nullptr;
    return [all = shape_.in_network, members](Collective collective, std::int64_t count, const ReduceOp& op,
                                              std::span<const int> some) {
      if (some.empty()) return all(collective, count, op, members);
      std::vector<int> ranks;
      for (const int rank : some) ranks.push_back(members[static_cast<std::size_t>(rank)]);
      return all(collective, count, op, ranks);
    };
  }

  Collective whole_;
  const HierarchicalPhases& phases_;
  const Shape& shape_;
  Hierarchy hierarchy_;
  std::vector<Phase> all_;
};

std::string_view level_name(int level, int levels) { return level + 1 == levels ? "outer" : level == 0 ? "inner" : "middle"; }

std::string refusal(const Plan& plan, const ReduceOp& op) {
  for (const Phase& phase : plan.phases()) {
    const std::string reason = why_not(*phase.row, phase.shape, op);
    if (reason.empty()) continue;
    if (plan.levels() == 1) return fmt::format("its only phase, '{}', cannot serve: {}", phase.row->name, reason);
    return fmt::format("its {} {}, '{}', cannot serve a group of {}: {}", level_name(phase.level, plan.levels()),
                       to_string(phase.row->collective), phase.row->name, phase.shape.ranks, reason);
  }
  return {};
}

bool is_exact(const Plan& plan) {
  if (plan.levels() == 1) return formulas_are_exact(*plan.phases().front().row, plan.phases().front().shape);
  return plan.even() &&
         std::all_of(plan.phases().begin(), plan.phases().end(), [](const Phase& phase) { return phase.row->uniform; });
}

std::vector<Parameter> parameters_of(const HierarchicalRow& row) {
  const auto examples = [](std::string_view example) { return std::vector<std::string_view>{example}; };
  return {
      {"inner", row.default_phase,
       "the algorithm within the innermost groups; its own options behind slashes, as in chain/segments=8",
       examples(row.inner_example)},
      {"middle", "inner", "the algorithm of the levels between the innermost and the outermost", {}},
      {"outer", row.default_phase, "the algorithm between the outermost groups, alone where the fabric is flat",
       examples(row.outer_example)},
      {"tiers", "all", "how many of the fabric's innermost tiers are levels, the outermost then of all ranks: 1 is flat", {}}};
}

Algorithm with_phases(const HierarchicalRow& row, const std::shared_ptr<const HierarchicalPhases>& phases) {
  const Collective whole = row.collective;
  const auto plan = [whole, phases](const Shape& shape) { return Plan(whole, *phases, shape); };
  return {.collective = whole,
          .name = "hierarchical",
          .summary = row.summary,
          .source = row.source,
          .needs = {.commutative = reduces(whole),
                    .refusal = [plan](const Shape& shape, const ReduceOp& op) { return refusal(plan(shape), op); }},
          .rounds = {row.rounds_text,
                     [plan](const Shape& shape) {
                       const Plan phases_there = plan(shape);
                       return phases_there.sum([](const Phase& phase) { return phase.row->rounds(phase.shape); }) +
                              phases_there.handing_over();
                     }},
          .bytes = {row.bytes_text,
                    [plan](const Shape& shape) {
                      return plan(shape).sum([](const Phase& phase) { return phase.row->bytes(phase.shape); });
                    }},
          .granule = [plan](const Shape& shape) { return plan(shape).granule(); },
          .run = row.run(phases),
          .is_exact = [plan](const Shape& shape) { return is_exact(plan(shape)); },
          .parameters = parameters_of(row),
          .configured =
              [row](const Options& options) {
                const auto chosen = std::make_shared<const HierarchicalPhases>(row.collective, options);
                Algorithm composed = with_phases(row, chosen);
                composed.tasks_share_credits = chosen->tasks_share_credits();
                composed.same_bits = chosen->same_bits();
                return composed;
              }};
}

}  // namespace

Algorithm hierarchical_row(const HierarchicalRow& row) {
  const std::vector<Parameter> parameters = parameters_of(row);
  return with_phases(row, std::make_shared<const HierarchicalPhases>(row.collective, Options(parameters)));
}

}  // namespace heddle

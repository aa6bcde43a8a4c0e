// SPDX-License-Identifier: Apache-2.0
#include "algorithms/hierarchical/phase_plan.hpp"

#include <fmt/core.h>

#include <numeric>
#include <string_view>
#include <utility>

namespace heddle {

using schedule::Hierarchy;
using schedule::Membership;

namespace {

std::string_view level_name(int level, int levels) { return level + 1 == levels ? "outer" : level == 0 ? "inner" : "middle"; }

}  // namespace

PhasePlan::PhasePlan(Collective whole, const HierarchicalPhases& phases, const Shape& shape)
    : whole_(whole), phases_(phases), shape_(shape), hierarchy_(shape.tiers, shape.ranks, phases.most_levels()) {
  for (int level = 0; level < hierarchy_.levels(); ++level) add_level(level);
}

int PhasePlan::rounds() const {
  return sum([](const Phase& phase) { return phase.row->rounds(phase.shape); }) + handing_over();
}

std::int64_t PhasePlan::bytes() const {
  return sum([](const Phase& phase) { return phase.row->bytes(phase.shape); });
}

std::int64_t PhasePlan::granule() const {
  std::int64_t granule = has_blocks(whole_) ? shape_.ranks : 1;
  for (const Phase& phase : all_) {
    const std::int64_t beneath = cut_beneath(phase.level);
    granule = std::lcm(granule, beneath);
    if (phase.shape.equal_blocks) granule = std::lcm(granule, beneath * phase.row->granule(phase.shape));
    if (!has_root(whole_) && phase.level + 1 < levels()) granule = std::lcm(granule, beneath * hierarchy_.indices(phase.level));
  }
  return granule;
}

std::string PhasePlan::refusal(const ReduceOp& op) const {
  for (const Phase& phase : all_) {
    const std::string reason = why_not(*phase.row, phase.shape, op);
    if (reason.empty()) continue;
    if (levels() == 1) return fmt::format("its only phase, '{}', cannot serve: {}", phase.row->name, reason);
    return fmt::format("its {} {}, '{}', cannot serve a group of {}: {}", level_name(phase.level, levels()),
                       to_string(phase.row->collective), phase.row->name, phase.shape.ranks, reason);
  }
  return {};
}

bool PhasePlan::is_exact() const {
  if (levels() == 1) return formulas_are_exact(*all_.front().row, all_.front().shape);
  return even() && std::all_of(all_.begin(), all_.end(), [](const Phase& phase) { return phase.row->uniform; });
}

void PhasePlan::add_level(int level) {
  std::vector<Membership> memberships;
  for (int rank = 0; rank < shape_.ranks; ++rank)
    memberships.push_back(has_root(whole_) ? hierarchy_.by_leader(level, rank, shape_.root) : hierarchy_.by_index(level, rank));
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

Shape PhasePlan::shape_of(int level, const std::vector<int>& members) const {
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

decltype(Shape::in_network) PhasePlan::switches_under(int level, const std::vector<int>& members) const {
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

}  // namespace heddle

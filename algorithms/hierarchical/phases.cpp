// SPDX-License-Identifier: Apache-2.0
#include "algorithms/hierarchical/phases.hpp"

#include <fmt/core.h>

#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/once.hpp"
#include "heddle/errors.hpp"

namespace heddle {

using plans::Hierarchy;
using plans::Membership;

namespace {

/// "chain/segments=8" is the entry "chain:segments=8": colons are taken by the options themselves.
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

struct HierarchicalPhases::Entries {
  struct Level {
    std::string_view option;
    std::vector<Algorithm> entries;  ///< one for each of its collectives
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
      entries_(std::make_shared<Entries>()) {}

const HierarchicalPhases::Entries& HierarchicalPhases::entries() const {
  entries_->once([this] {
    for (Entries::Level* level : {&entries_->inner, &entries_->middle, &entries_->outer}) {
      std::string text = options_.text(level->option);
      if (level == &entries_->middle && text == "inner") text = options_.text("inner");
      level->entries.clear();
      for (const Collective phase : collectives_on(whole_, level == &entries_->outer))
        level->entries.push_back(find_phase(phase, level->option, text));
    }
  });
  return *entries_;
}

bool HierarchicalPhases::tasks_share_credits() const {
  const Entries& all = entries();
  return std::ranges::any_of(std::array{&all.inner, &all.middle, &all.outer}, [](const Entries::Level* level) {
    return std::ranges::any_of(level->entries, &Algorithm::tasks_share_credits);
  });
}

bool HierarchicalPhases::same_bits() const { return std::ranges::all_of(entries().outer.entries, &Algorithm::same_bits); }

const Algorithm& HierarchicalPhases::entry(Collective phase, int level, int levels) const {
  const Entries& all = entries();
  const std::vector<Algorithm>& choice = (level + 1 == levels ? all.outer : level == 0 ? all.inner : all.middle).entries;
  return *std::find_if(choice.begin(), choice.end(), [phase](const Algorithm& entry) { return entry.collective == phase; });
}

void HierarchicalPhases::run(Communicator& comm, Communicator& group, Collective phase, int level, int levels,
                             const CollectiveArguments& call) const {
  if (levels > 1) comm.phase(phase_name(phase, level, levels));
  entry(phase, level, levels).run(group, call);
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

namespace {

std::string_view level_name(int level, int levels) { return level + 1 == levels ? "outer" : level == 0 ? "inner" : "middle"; }

}  // namespace

PhasePlan::PhasePlan(Collective whole, const HierarchicalPhases& phases, const Shape& shape)
    : whole_(whole), phases_(phases), shape_(shape), hierarchy_(shape.tiers, shape.ranks, phases.most_levels()) {
  for (int level = 0; level < hierarchy_.levels(); ++level) add_level(level);
}

int PhasePlan::rounds() const {
  return sum([](const Phase& phase) { return phase.entry->rounds(phase.shape); }) + handing_over();
}

std::int64_t PhasePlan::bytes() const {
  return sum([](const Phase& phase) { return phase.entry->bytes(phase.shape); });
}

std::int64_t PhasePlan::block_count() const {
  std::int64_t block_count = has_blocks(whole_) ? shape_.ranks : 1;
  for (const Phase& phase : all_) {
    const std::int64_t beneath = cut_beneath(phase.level);
    block_count = std::lcm(block_count, beneath);
    if (phase.shape.equal_blocks) block_count = std::lcm(block_count, beneath * phase.entry->block_count(phase.shape));
    if (!has_root(whole_) && phase.level + 1 < levels())
      block_count = std::lcm(block_count, beneath * hierarchy_.indices(phase.level));
  }
  return block_count;
}

std::string PhasePlan::refusal(const ReduceOp& op) const {
  for (const Phase& phase : all_) {
    const std::string reason = why_not(*phase.entry, phase.shape, op);
    if (reason.empty()) continue;
    if (levels() == 1) return fmt::format("its only phase, '{}', cannot serve: {}", phase.entry->name, reason);
    return fmt::format("its {} {}, '{}', cannot serve a group of {}: {}", level_name(phase.level, levels()),
                       to_string(phase.entry->collective), phase.entry->name, phase.shape.ranks, reason);
  }
  return {};
}

bool PhasePlan::is_exact() const {
  if (levels() == 1) return formulas_are_exact(*all_.front().entry, all_.front().shape);
  return even() && std::all_of(all_.begin(), all_.end(), [](const Phase& phase) { return phase.entry->uniform; });
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
    for (const Shape& shape : shapes) all_.push_back({level, &phases_.entry(phase, level, levels()), shape});
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
  const auto is_theirs = [&](Collective phase) { return phases_.entry(phase, level, levels()).needs.in_network; };
  if (!shape_.in_network || std::none_of(collectives.begin(), collectives.end(), is_theirs)) return nullptr;
  return [all = shape_.in_network, members](Collective collective, std::int64_t count, const ReduceOp& op,
                                            std::span<const int> some) {
    if (some.empty()) return all(collective, count, op, members);
    std::vector<int> ranks;
    for (const int rank : some) ranks.push_back(members[static_cast<std::size_t>(rank)]);
    return all(collective, count, op, ranks);
  };
}

namespace {

constexpr std::string_view kInner = "inner";
constexpr std::string_view kMiddle = "middle";

/// The place of the level that an option is for; no value: the hierarchy has none.
std::optional<int> level_of(std::string_view option, int levels) {
  if (option == kInner) return levels > 1 ? std::optional(0) : std::nullopt;
  if (option == kMiddle) return levels > 2 ? std::optional(1) : std::nullopt;
  return levels > 1 ? std::optional(levels - 1) : std::nullopt;
}

/// The composed algorithm with one option that is not at its default.
class Composed {
 public:
  Composed(Collective whole, std::span<const Parameter> parameters, std::string_view option, std::string_view value,
           const Shape& shape)
      : phases_(whole, Options(parameters, value.empty() ? "" : fmt::format("{}={}", option, value))),
        plan_(whole, phases_, shape) {}

  const PhasePlan& plan() const { return plan_; }

 private:
  HierarchicalPhases phases_;
  PhasePlan plan_;
};

/// Entries of that name, one for each collective; empty if one has none.
std::vector<const Algorithm*> entries_named(std::string_view name, const std::vector<Collective>& collectives) {
  std::vector<const Algorithm*> entries;
  for (const Collective collective : collectives) {
    const std::vector<const Algorithm*> all = algorithms_of(collective);
    const auto entry = std::ranges::find(all, name, &Algorithm::name);
    if (entry == all.end()) return {};
    entries.push_back(*entry);
  }
  return entries;
}

/// Names that all of these collectives know, as the first one lists them. A phase is not composed itself.
std::vector<std::string> common_names(const std::vector<Collective>& collectives) {
  std::vector<std::string> names;
  for (const Algorithm* entry : algorithms_of(collectives.front()))
    if (entry->name != "hierarchical" && !entries_named(entry->name, collectives).empty()) names.push_back(entry->name);
  return names;
}

bool is_known(std::string_view name, const std::vector<Collective>& collectives) {
  try {
    for (const Collective collective : collectives) find_algorithm(collective, name);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// "chain/segments=8": with each value that tuning would try of one of the entry's own options.
std::vector<std::string> with_own_options(const std::string& name, const std::vector<Collective>& collectives,
                                          const Shape& shape) {
  std::vector<std::string> texts;
  for (const Parameter& parameter : entries_named(name, collectives).front()->parameters) {
    if (parameter.candidates == nullptr) continue;
    for (const std::string& value : parameter.candidates(shape)) {
      const std::string option = fmt::format("{}={}", parameter.name, value);
      if (value != parameter.default_value && is_known(name + ':' + option, collectives)) texts.push_back(name + '/' + option);
    }
  }
  return texts;
}

}  // namespace

std::vector<std::string> phase_candidates(Collective whole, std::span<const Parameter> parameters, std::string_view level,
                                          const Shape& shape) {
  const Composed by_default(whole, parameters, level, "", shape);
  const int levels = by_default.plan().levels();
  const std::optional<int> place = level_of(level, levels);
  if (!place) return {};
  Shape largest;
  for (const Phase& phase : by_default.plan().phases())
    if (phase.level == *place && phase.shape.ranks > largest.ranks) largest = phase.shape;
  if (largest.ranks == 1) return {};

  const std::vector<Collective> collectives = collectives_on(whole, *place + 1 == levels);
  std::vector<std::pair<double, std::string>> promises;
  for (const std::string& name : common_names(collectives)) {
    const Composed composed(whole, parameters, level, name, shape);
    const PhasePlan& plan = composed.plan();
    if (!plan.refusal(ReduceOp::sum()).empty()) continue;
    promises.emplace_back(plan.rounds() * shape.cost.latency + static_cast<double>(plan.bytes()) * shape.cost.seconds_per_byte,
                          name);
  }
  std::ranges::stable_sort(promises, {}, &std::pair<double, std::string>::first);

  std::vector<std::string> candidates;
  for (const auto& [seconds, name] : promises) candidates.push_back(name);
  if (level == kMiddle) return candidates;
  for (const auto& [seconds, name] : promises) {
    for (std::string& text : with_own_options(name, collectives, largest)) candidates.push_back(std::move(text));
  }
  return candidates;
}

std::vector<std::string> tier_candidates(const Shape& shape) {
  std::vector<std::string> values;
  for (int levels = Hierarchy(shape.tiers, shape.ranks, std::numeric_limits<int>::max()).levels() - 1; levels > 1; --levels)
    values.push_back(std::to_string(levels));
  return values;
}

// Formulas and requirements of a composed algorithm: those of its phases, put together.

namespace {

std::vector<Parameter> parameters_of(Collective whole, const HierarchicalFacts& facts) {
  const auto candidates = [whole, facts](std::string_view level) -> Candidates {
    return [=](const Shape& shape) { return phase_candidates(whole, parameters_of(whole, facts), level, shape); };
  };
  return {{"inner",
           facts.default_phase,
           "the algorithm within the innermost groups; its own options behind slashes, as in chain/segments=8",
           {facts.inner_example},
           candidates("inner")},
          {"middle", "inner", "the algorithm of the levels between the innermost and the outermost", {}, candidates("middle")},
          {"outer",
           facts.default_phase,
           "the algorithm between the outermost groups, alone where the fabric is flat",
           {facts.outer_example},
           candidates("outer")},
          {"tiers",
           "all",
           "how many of the fabric's innermost tiers are levels, the outermost then of all ranks: 1 is flat",
           {},
           tier_candidates}};
}

}  // namespace

Algorithm hierarchical_entry(Collective whole, const HierarchicalFacts& facts,
                             Algorithm (*complete)(Algorithm facts, const HierarchicalPhases& phases)) {
  const auto composed = [=](const HierarchicalPhases& phases) {
    const auto plan = [whole, phases](const Shape& shape) { return PhasePlan(whole, phases, shape); };
    return complete({.name = "hierarchical",
                     .summary = facts.summary,
                     .source = "[explainer-03] §2.1",
                     .needs = {.commutative = reduces(whole),
                               .refusal = [plan](const Shape& shape, const ReduceOp& op) { return plan(shape).refusal(op); }},
                     .rounds = {facts.rounds_text, [plan](const Shape& shape) { return plan(shape).rounds(); }},
                     .bytes = {facts.bytes_text, [plan](const Shape& shape) { return plan(shape).bytes(); }},
                     .block_count = [plan](const Shape& shape) { return plan(shape).block_count(); },
                     .is_exact = [plan](const Shape& shape) { return plan(shape).is_exact(); }},
                    phases);
  };
  const std::vector<Parameter> parameters = parameters_of(whole, facts);
  Algorithm entry = composed(HierarchicalPhases(whole, Options(parameters)));
  entry.parameters = parameters;
  entry.configured = [=](const Options& options) {
    const HierarchicalPhases chosen(whole, options);
    Algorithm other = composed(chosen);
    other.tasks_share_credits = chosen.tasks_share_credits();
    other.same_bits = chosen.same_bits();
    return other;
  };
  return entry;
}

}  // namespace heddle

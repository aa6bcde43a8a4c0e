// SPDX-License-Identifier: Apache-2.0
// Formulas and requirements of a composed algorithm: those of its phases, put together.
#include "algorithms/hierarchical/hierarchical_phases.hpp"
#include "algorithms/hierarchical/phase_candidates.hpp"
#include "algorithms/hierarchical/phase_plan.hpp"

namespace heddle {

namespace {

std::vector<Parameter> parameters_of(const HierarchicalRow& row) {
  const auto examples = [](std::string_view example) { return std::vector<std::string_view>{example}; };
  const auto candidates = [row](std::string_view level) -> Candidates {
    return [row, level](const Shape& shape) { return phase_candidates(row.collective, parameters_of(row), level, shape); };
  };
  return {{"inner", row.default_phase,
           "the algorithm within the innermost groups; its own options behind slashes, as in chain/segments=8",
           examples(row.inner_example), candidates("inner")},
          {"middle", "inner", "the algorithm of the levels between the innermost and the outermost", {}, candidates("middle")},
          {"outer", row.default_phase, "the algorithm between the outermost groups, alone where the fabric is flat",
           examples(row.outer_example), candidates("outer")},
          {"tiers",
           "all",
           "how many of the fabric's innermost tiers are levels, the outermost then of all ranks: 1 is flat",
           {},
           tier_candidates}};
}

Algorithm with_phases(const HierarchicalRow& row, const std::shared_ptr<const HierarchicalPhases>& phases) {
  const Collective whole = row.collective;
  const auto plan = [whole, phases](const Shape& shape) { return PhasePlan(whole, *phases, shape); };
  return {.collective = whole,
          .name = "hierarchical",
          .summary = row.summary,
          .source = row.source,
          .needs = {.commutative = reduces(whole),
                    .refusal = [plan](const Shape& shape, const ReduceOp& op) { return plan(shape).refusal(op); }},
          .rounds = {row.rounds_text, [plan](const Shape& shape) { return plan(shape).rounds(); }},
          .bytes = {row.bytes_text, [plan](const Shape& shape) { return plan(shape).bytes(); }},
          .granule = [plan](const Shape& shape) { return plan(shape).granule(); },
          .run = row.run(phases),
          .is_exact = [plan](const Shape& shape) { return plan(shape).is_exact(); },
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

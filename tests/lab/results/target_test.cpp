// SPDX-License-Identifier: Apache-2.0
// The tables of targets against the registry: nothing of heddle's is forgotten, and nothing stands there that heddle does not have.
#include "lab/decisions/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "heddle/registry.hpp"
#include "tests/catch.hpp"

namespace heddle::decisions {

namespace {

const Target& target_of(std::string_view name) {
  for (const Target* target : {&openmpi_target(), &mpich_target(), &nccl_target()})
    if (target->name == name) return *target;
  throw std::logic_error("no such target");
}

constexpr std::string_view kTargets[] = {"openmpi", "mpich", "nccl"};

}  // namespace

TEST_CASE("every row is mapped or has a reason, for each target") {
  for (const std::string_view name : kTargets)
    for (const Algorithm& row : registry())
      for (const TargetCollective* collective : collectives_of(target_of(name), row.collective)) {
        INFO(fmt::format("{}: {} {}", name, collective->name, row.name));
        if (mapping_of(target_of(name), *collective, row.name) != nullptr) continue;
        const std::string why = why_not_mapped(target_of(name), *collective, row.name);
        CHECK(why != "does not know it");
      }
}

TEST_CASE("every mapping is of a row that there is, and knows whether it cuts into segments") {
  for (const std::string_view name : kTargets)
    for (const Mapping& mapping : target_of(name).mappings) {
      INFO(fmt::format("{}: {} {}", name, mapping.collective, mapping.row));
      const auto collective = std::ranges::find(target_of(name).collectives, mapping.collective, &TargetCollective::name);
      REQUIRE(collective != target_of(name).collectives.end());
      const Algorithm row = find_algorithm(collective->collective, mapping.row);
      CHECK(mapping_of(target_of(name), *collective, row.name) == &mapping);
      const bool has_segments = std::ranges::find(row.parameters, "segments", &Parameter::name) != row.parameters.end();
      CHECK(has_segments == (mapping.segments != Segments::none));
      CHECK((mapping.limit == Limit::none) == mapping.instead.empty());
    }
}

TEST_CASE("every reason is of a row that the target does not have") {
  for (const std::string_view name : kTargets)
    for (const Absence& absence : target_of(name).absences) {
      INFO(fmt::format("{}: {}", name, absence.rows));
      bool is_said = false;
      for (const Algorithm& row : registry())
        for (const TargetCollective* collective : collectives_of(target_of(name), row.collective))
          is_said = is_said || (mapping_of(target_of(name), *collective, row.name) == nullptr &&
                                why_not_mapped(target_of(name), *collective, row.name) == absence.why);
      CHECK(is_said);
    }
}

TEST_CASE("Open MPI's and MPICH's collectives are all of heddle's") {
  for (const std::string_view name : {"openmpi", "mpich"})
    for (const Collective collective : all_collectives())
      CHECK(collectives_of(target_of(name), collective).size() == (collective == Collective::reduce_scatter ? 2U : 1U));
}

TEST_CASE("options make another algorithm, segments do not") {
  const Target& target = openmpi_target();
  const TargetCollective& bcast = *collectives_of(target, Collective::broadcast).front();
  CHECK(mapping_of(target, bcast, "scatter_allgather")->id == 9);
  CHECK(mapping_of(target, bcast, "scatter_allgather:allgather=doubling") == nullptr);
  CHECK(mapping_of(target, bcast, "chain:segments=8")->id == 3);
  CHECK(mapping_of(target, bcast, "binomial_doubling:segments=8") == nullptr);
  CHECK(mapping_of(target, bcast, "mine") == nullptr);
  CHECK(why_not_mapped(target, bcast, "mine") == "does not know it");
  CHECK(why_not_mapped(target, bcast, "scatter_allgather:allgather=doubling") ==
        "has scatter_allgather with other options alone");
  CHECK(why_not_mapped(target, bcast, "bine_doubling") == "has no Bine trees");
}

TEST_CASE("limits say where an algorithm serves") {
  const auto is_served = [](Limit limit, int ranks, std::int64_t count) { return serves(limit, {ranks, count, "star:9"}); };
  CHECK(is_served(Limit::power_of_two_ranks, 8, 1));
  CHECK_FALSE(is_served(Limit::power_of_two_ranks, 6, 1));
  CHECK(is_served(Limit::even_ranks, 6, 1));
  CHECK_FALSE(is_served(Limit::even_ranks, 7, 1));
  CHECK(is_served(Limit::element_for_each_rank, 7, 7));
  CHECK_FALSE(is_served(Limit::element_for_each_rank, 7, 6));
  CHECK(is_served(Limit::element_for_each_of_power_of_two, 7, 4));
  CHECK_FALSE(is_served(Limit::element_for_each_of_power_of_two, 7, 3));
  CHECK(serves(Limit::one_switch, {8, 1, "star:8,alu"}));
  CHECK_FALSE(serves(Limit::one_switch, {8, 1, "clos:hosts=2,leaves=4"}));
}

TEST_CASE("rounds tell the number of segments, as the formulas of the rows have it") {
  for (const int p : {2, 3, 8, 13})
    for (const int segments : {1, 2, 9}) {
      const Shape shape{.ranks = p, .count = 64};
      const auto rounds = [&](Collective collective, std::string_view name) {
        return find_algorithm(collective, fmt::format("{}:segments={}", name, segments)).rounds(shape);
      };
      CHECK(segments_of(Segments::on_chain, p, rounds(Collective::broadcast, "chain")) == segments);
      CHECK(segments_of(Segments::on_chain, p, rounds(Collective::reduce, "chain")) == segments);
      CHECK(segments_of(Segments::on_binomial_tree, p, rounds(Collective::reduce, "binomial_pipelined")) == segments);
    }
  CHECK(segments_of(Segments::on_chain, 1, 0) == 1);
}

}  // namespace heddle::decisions

// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/vectors.hpp"
#include "algorithms/families/swing.hpp"

#include <optional>
#include <string>
#include <vector>

#include "tests/algorithms/numbers.hpp"
#include "tests/catch.hpp"

namespace heddle::plans {

using testing::index_of;

namespace {

using Role = FoldPart::Role;

/// Adds what `from` has to what `into` has, contribution by contribution; false if one is there already.
bool add(std::vector<bool>& into, const std::vector<bool>& from) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    if (into[i] && from[i]) return false;
    if (from[i]) into[i] = true;
  }
  return true;
}

/// Runs the plans of all ranks on sets of contributions; what is wrong, in words, or "".
std::string failure_of(const std::vector<VectorPlan>& ranks, int dimensions) {
  std::vector<std::vector<bool>> has(ranks.size(), std::vector<bool>(ranks.size()));
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) has[rank][rank] = true;

  for (int i = 0; i < dimensions; ++i) {
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      const auto& folds = ranks[rank].folds;
      if (folds.size() <= index_of(i) || folds[index_of(i)].role != Role::extra) continue;
      const VectorPlan& partner = ranks[index_of(folds[index_of(i)].other.value())];
      if (partner.folds.size() <= index_of(i) || partner.folds[index_of(i)].role != Role::partner)
        return "an extra rank without a partner";
      if (partner.folds[index_of(i)].other.value() != static_cast<int>(rank)) return "a partner of another extra rank";
      if (!add(has[index_of(folds[index_of(i)].other.value())], has[rank])) return "a fold adds twice";
    }
  }

  std::optional<std::size_t> steps;
  for (const VectorPlan& rank : ranks) {
    const bool is_extra = rank.folds.back().role == Role::extra;
    if (is_extra && !rank.partners.empty()) return "an extra rank has partners";
    if (!is_extra && steps.value_or(rank.partners.size()) != rank.partners.size()) return "steps differ";
    if (!is_extra) steps = rank.partners.size();
  }
  for (std::size_t step = 0; step < *steps; ++step) {
    const auto before = has;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      if (ranks[rank].partners.empty()) continue;
      const std::size_t partner = index_of(ranks[rank].partners[step].value());
      if (ranks[partner].partners.empty()) return "a partner is an extra rank";
      if (ranks[partner].partners[step].value() != static_cast<int>(rank)) return "a partner has another partner";
      if (!add(has[rank], before[partner])) return "a step adds twice";
    }
  }
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const bool is_extra = ranks[rank].folds.back().role == Role::extra;
    if (!is_extra && has[rank] != std::vector<bool>(ranks.size(), true)) return "a sum is not complete";
  }
  return {};
}

std::vector<VectorPlan> plans(const Lattice& lattice, int port) {
  std::vector<VectorPlan> all;
  for (int rank = 0; rank < lattice.ranks(); ++rank) {
    all.push_back(swing_vector_plan(lattice, swing_port(port, lattice.dimensions()), Rank(rank)));
  }
  return all;
}

std::vector<int> values(const std::vector<Rank>& ranks) {
  std::vector<int> numbers;
  for (const Rank rank : ranks) numbers.push_back(rank.value());
  return numbers;
}

}  // namespace

TEST_CASE("partners on a 4x4 torus take turns over the dimensions") {
  // Swing Fig. 4, first step: rank 0 = (0,0) exchanges with ranks 1 and 4, mirrored with 3 and 12.
  const Grid grid({4, 4}, true);
  const Lattice lattice(&grid, 16);
  const auto partners = [&](int port) { return values(swing_vector_plan(lattice, swing_port(port, 2), Rank(0)).partners); };
  CHECK(partners(0) == std::vector{4, 1, 12, 3});
  CHECK(partners(1) == std::vector{1, 4, 3, 12});
  CHECK(partners(2) == std::vector{12, 3, 4, 1});
  CHECK(partners(3) == std::vector{3, 12, 1, 4});
}

TEST_CASE("a dimension that is left out has no turn and no fold") {
  const Grid grid({6, 4}, true);
  const Lattice lattice(&grid, 24);
  const VectorPlan mine = swing_vector_plan(lattice, swing_port(0, 2), Rank(0), swings_by_windows);
  CHECK(values(mine.partners) == std::vector{1, 3});
  CHECK(mine.folds.front().role == Role::bystander);
}

TEST_CASE("of five ranks one folds, four swing") {
  // Positions 0 1 2 3 are ranks 0 2 3 4; partners by position are ρ = 1, -1 away.
  const Lattice lattice(nullptr, 5);
  const auto all = plans(lattice, 0);
  CHECK(all[1].folds.front().role == Role::extra);
  CHECK(all[1].partners.empty());
  CHECK(values(all[0].partners) == std::vector{2, 4});
  CHECK(values(all[2].partners) == std::vector{0, 3});
  CHECK(values(all[3].partners) == std::vector{4, 2});
  CHECK(values(all[4].partners) == std::vector{3, 0});
}

TEST_CASE("whole vectors: every contribution is added exactly once, for every p") {
  for (int p = 2; p <= 64; ++p) {
    for (const int port : {0, 1}) {
      INFO("p " << p << ", port " << port);
      REQUIRE_THAT(failure_of(plans(Lattice(nullptr, p), port), 1), Catch::Equals(""));
    }
  }
}

TEST_CASE("whole vectors: every contribution is added exactly once, in several dimensions") {
  for (const std::vector<int>& dims :
       {std::vector{2, 2}, {3, 3}, {2, 4}, {3, 5}, {6, 4}, {1, 7}, {8, 8}, {3, 3, 3}, {2, 5, 4}}) {
    const Grid grid(dims, true);
    const Lattice lattice(&grid, grid.size());
    for (int port = 0; port < 2 * lattice.dimensions(); ++port) {
      INFO("dims " << Catch::Detail::stringify(dims) << ", port " << port);
      REQUIRE_THAT(failure_of(plans(lattice, port), lattice.dimensions()), Catch::Equals(""));
    }
  }
}

}  // namespace heddle::plans

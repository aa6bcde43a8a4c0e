// SPDX-License-Identifier: Apache-2.0
// Does fuzzing find what is wrong, and make it small? Faults are planted into copies of heddle's rows; each copy is fuzzed.
#include <fmt/format.h>

#include <iostream>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/fuzz/mutated_row.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using testing::Fault;
using testing::kFaults;
using testing::kPositions;
using testing::mutate;
using testing::MutatedRow;
using testing::Position;

// What heddle fuzz runs in a second.
constexpr auto kCasesPerMutant = testing::sampled<std::int64_t>(1000, 1000, 60);
constexpr int kMostRanksPerMutant = testing::sampled(64, 64, 9);
constexpr int kSmallRanks = 5;

struct MutantTally {
  int planted = 0;
  int small = 0;
  std::int64_t most_cases = 0;  ///< until the fault was found
  std::vector<std::string> missed = {};
  std::vector<std::string> large = {};
};

/// Whether the row can have the occasion at all.
bool can_make(const Algorithm& row, Fault fault) {
  if (fault == Fault::missing_reduction || fault == Fault::doubled_reduction) return reduces(row.collective);
  const bool needs_elements = fault == Fault::swapped_blocks || fault == Fault::dropped_segment || fault == Fault::stale_buffer;
  return row.collective != Collective::barrier || !needs_elements;
}

void fuzz_mutant(const Algorithm& original, Fault fault, Position position, int operation, MutantTally& tally) {
  if (!can_make(original, fault)) return;
  const MutatedRow mutated = mutate(original, fault, position, operation);
  // A seed of its own for each: what finds one fault need not find the next.
  FuzzSettings settings{.seed = static_cast<std::uint64_t>(tally.planted) + 1,
                        .rows = {mutated.row},
                        .cases = kCasesPerMutant,
                        .most_ranks = kMostRanksPerMutant,
                        .workers = 1};
  FuzzOutcome outcome = fuzz(settings);
  // A fault that so many cases never made is one that the row cannot make. More of them would be half of this test's time.
  if (outcome.passed() && !*mutated.was_made) return;
  if (outcome.passed() && operation > 0) {
    settings.cases = kCasesPerMutant * (operation + 1);
    outcome = fuzz(settings);
  }
  ++tally.planted;
  const std::string name = fmt::format("{} {}: {}, operation {}, position {}", to_string(original.collective), original.name,
                                       to_string(fault), operation, static_cast<int>(position));
  if (outcome.passed()) return tally.missed.push_back(name);
  tally.most_cases = std::max(tally.most_cases, outcome.coverage.cases());
  const Experiment& smallest = outcome.findings.front().smallest;
  const int ranks = smallest.ranks ? *smallest.ranks : parse_topology(smallest.fabric.topology)->endpoints();
  if (ranks <= kSmallRanks)
    ++tally.small;
  else
    tally.large.push_back(name + ": " + smallest.text());
}

/// Where faults are early: a later operation is one that only calls of many ranks have.
void check_small(const MutantTally& tally) { CHECK(tally.small * 10 >= tally.planted * 9); }

void check(const MutantTally& tally) {
  std::cout << fmt::format("{} planted, {} missed, {} shrunk to at most {} ranks; found after at most {} cases\n",
                           tally.planted, tally.missed.size(), tally.small, kSmallRanks, tally.most_cases);
  for (const std::string& name : tally.missed) std::cout << "  missed: " << name << '\n';
  for (const std::string& name : tally.large) std::cout << "  more ranks: " << name << '\n';
  CHECK(tally.missed.empty());
}

}  // namespace

// The sample goes through all faults, positions and operations while it goes through the rows: the step has no divisor in
// common with their numbers. Kernel threads, which ThreadSanitizer needs, are a hundred times slower.
TEST_CASE("fuzzing finds a fault planted into any row and makes it small") {
  const std::size_t step = testing::sampled<std::size_t>(testing::sample(7, 1), 11, 23);
  MutantTally tally;
  const std::span<const Algorithm> rows = registry();
  for (std::size_t i = 0; i < rows.size(); i += step)
    fuzz_mutant(rows[i], static_cast<Fault>(i % kFaults), static_cast<Position>(i % kPositions),
                static_cast<int>(i / kFaults % 2), tally);
  CHECK(tally.planted >= 3);
  check(tally);
  check_small(tally);
}

// Takes half an hour. With a sanitizer it would be a day, and what is found is the same.
TEST_CASE("fuzzing finds every fault that the mutation test plants") {
  if (testing::effort() == testing::Effort::quick || testing::kUnderAddressSanitizer || testing::kUnderThreadSanitizer) return;
  const int operation = GENERATE(0, 1, 2, 5);
  MutantTally tally;
  for (const Algorithm& row : registry()) {
    for (int fault = 0; fault < kFaults; ++fault) {
      for (int position = 0; position < kPositions; ++position)
        fuzz_mutant(row, static_cast<Fault>(fault), static_cast<Position>(position), operation, tally);
    }
  }
  check(tally);
  if (operation <= 1) check_small(tally);
}

}  // namespace heddle

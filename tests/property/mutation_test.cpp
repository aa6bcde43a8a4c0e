// SPDX-License-Identifier: Apache-2.0
// Are the checks good for anything? Faults are planted, one by one, into the schedule of every row, and each must be caught.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/cases/case_data.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/every_row.hpp"
#include "tests/property/mutant_communicator.hpp"
#include "tests/registry_rows.hpp"

namespace heddle::mutation_property {

namespace {

using testing::Fault;
using testing::kFaults;
using testing::MutantCommunicator;
using testing::Mutation;
using testing::Occasion;
using testing::registry_entries;

using Fabrics = std::vector<std::pair<std::string, int>>;
const Fabrics kFabrics = {{"torus:2x3", 6}, {"ring:7", 7}, {"torus:2x4", 8}, {"star:6,alu,multicast,a2a", 6}};
const std::vector<int> kOperations = {0, 1, 2, 5};
const std::vector<double> kWhere = {0, 0.5, 1};  ///< of all ranks
constexpr int kLeastOfAKind = 50;

enum class Verdict { not_planted, caught, escaped };

/// Runs a copy of the row that makes one mistake, in both calls of the check.
Verdict verdict_on(Experiment what, Algorithm row, const Mutation& mutation) {
  std::deque<Occasion> occasions;
  std::mutex mutex;
  row.run = [&, original = row.run](Communicator& comm, const CollectiveArguments& arguments) {
    Occasion* occasion = nullptr;
    {
      const std::lock_guard lock(mutex);
      occasion = &occasions.emplace_back(mutation, comm.rank().value());
    }
    MutantCommunicator mutant(comm, occasion->concerns() ? occasion : nullptr);
    original(mutant, arguments);
  };
  row.rounds = {}, row.bytes = {};  // what a run checks is to catch it, not what the row promises
  what.algorithm = row.name = "mutant";
  what.own = std::make_shared<const std::vector<Algorithm>>(1, row);
  bool caught = false;
  try {
    testing::run(what);
  } catch (const CheckError&) {
    caught = true;
  }
  const bool made = std::any_of(occasions.begin(), occasions.end(), [](const Occasion& o) { return o.made(); });
  if (!made) return Verdict::not_planted;
  return caught ? Verdict::caught : Verdict::escaped;
}

struct Tally {
  int planted = 0;
  std::vector<std::string> escaped;
};
using Tallies = std::map<Fault, Tally>;

/// Whether there was the occasion.
bool plant(const Experiment& what, const Algorithm& row, const Mutation& mutation, Tallies& tallies) {
  const Verdict verdict = verdict_on(what, row, mutation);
  if (verdict == Verdict::not_planted) return false;
  Tally& tally = tallies[mutation.fault];
  ++tally.planted;
  if (verdict == Verdict::escaped) tally.escaped.push_back(mutation.name() + ": " + what.text());
  return true;
}

/// A place of a fault in the schedule: on the first rank, a middle one or the last; one of its first operations or a later one.
struct Place {
  Experiment what;
  int rank;
  int operation;
};

std::vector<Place> places_in(const Algorithm& algorithm) {
  std::vector<Place> places;
  for (const auto& [topology, ranks] : kFabrics) {
    Experiment what = testing::call_of(algorithm, testing::where_all_takes_time(topology));
    what.type = Datatype::i64();
    what.root = 1;
    if (!what.why_not().empty()) continue;
    const bool has_switches = topology.starts_with("star");  // for those that need them
    if (algorithm.needs.in_network != has_switches) continue;
    // At least two elements in each block: one element has nothing to swap with.
    if (algorithm.collective != Collective::barrier) set_count(what, 2 * ranks * algorithm.block_count(what.shape()));
    for (const double where : kWhere)
      for (const int operation : kOperations)
        places.push_back({what, std::min(static_cast<int>(where * ranks), ranks - 1), operation});
  }
  return places;
}

/// In every row of the collectives that reduce, or of those that do not, each fault: in all places, or in one. Which one moves
/// on from row to row and from fault to fault.
Tallies plant_into_all(bool reducing) {
  const bool everywhere = testing::effort() == testing::Effort::thorough;
  Tallies tallies;
  std::size_t row = 0;
  std::uint64_t seed = 1;
  for (const Algorithm& algorithm : registry_entries()) {
    if (reduces(algorithm.collective) != reducing) continue;
    std::vector<Place> places = places_in(algorithm);
    for (int f = 0; f < kFaults; ++f) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        Place& place = places[(7 * row + 5 * static_cast<std::size_t>(f) + i) % places.size()];
        // Data of its own each time: freed memory that is used again must not hold the right answer.
        place.what.seed = ++seed;
        if (plant(place.what, algorithm, {static_cast<Fault>(f), place.rank, place.operation}, tallies) && !everywhere) break;
      }
    }
    ++row;
  }
  return tallies;
}

/// All of these kinds, each of them often enough to say so.
void check_caught(const Tallies& tallies, std::size_t kinds) {
  CHECK(tallies.size() == kinds);
  int planted = 0;
  std::vector<std::string> escaped;
  for (const auto& [fault, tally] : tallies) {
    std::cout << fmt::format("{:5} planted, {} escaped: {}\n", tally.planted, tally.escaped.size(), to_string(fault));
    CHECK(tally.planted >= kLeastOfAKind);
    planted += tally.planted;
    escaped.insert(escaped.end(), tally.escaped.begin(), tally.escaped.end());
  }
  std::cout << fmt::format("{:5} planted, {} escaped\n", planted, escaped.size());
  for (const std::string& one : escaped) std::cout << "  escaped: " << one << '\n';
  CHECK(escaped.empty());
}

}  // namespace

TEST_CASE("every fault planted into any schedule that reduces is caught") { check_caught(plant_into_all(true), kFaults); }

// All but the two faults of reductions.
TEST_CASE("every fault planted into any schedule that only moves data is caught") {
  check_caught(plant_into_all(false), kFaults - 2);
}

}  // namespace heddle::mutation_property

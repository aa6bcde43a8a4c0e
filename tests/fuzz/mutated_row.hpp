// SPDX-License-Identifier: Apache-2.0
// A row with a fault planted into its order.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "heddle/registry.hpp"
#include "tests/property/mutant_communicator.hpp"

namespace heddle::testing {

/// Who makes the mistake, whatever the number of ranks.
enum class Position : std::uint8_t { first, middle, last };
inline constexpr int kPositions = 3;

struct MutatedRow {
  Algorithm row;
  /// Whether the fault was ever made: a barrier has no blocks to swap.
  std::shared_ptr<std::atomic<bool>> was_made = std::make_shared<std::atomic<bool>>(false);
};

/// A copy of `original` in which the rank at `position` makes the fault at its occasion number `operation` of each call.
inline MutatedRow mutate(const Algorithm& original, Fault fault, Position position, int operation) {
  MutatedRow mutated{original};
  const auto run_with = [fault, position, operation, made = mutated.was_made](const CollectiveFunction& run) {
    return [=](Communicator& comm, const CollectiveArguments& arguments) {
      const int p = comm.size();
      const int rank = position == Position::first ? 0 : position == Position::middle ? p / 2 : p - 1;
      Occasion occasion({fault, rank, operation}, comm.rank().value());
      {
        MutantCommunicator mutant(comm, occasion.concerns() ? &occasion : nullptr);
        run(mutant, arguments);
      }
      if (occasion.made()) *made = true;
    };
  };
  mutated.row.run = run_with(original.run);
  if (original.configured != nullptr) {
    mutated.row.configured = [run_with, configured = original.configured](const Options& options) {
      Algorithm row = configured(options);
      row.run = run_with(row.run);
      return row;
    };
  }
  return mutated;
}

}  // namespace heddle::testing

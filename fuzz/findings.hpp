// SPDX-License-Identifier: Apache-2.0
// Runs a finding's case again, makes it small, and finds out what it depends on.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/case_runner.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/processes/case_process.hpp"
#include "fuzz/results.hpp"
#include "fuzz/shrink.hpp"

namespace heddle {

/// So long is waited at first, while a case that was endless is made smaller, or one of a row that had one is run.
inline constexpr std::chrono::duration<double> kShrinkPatience = std::chrono::seconds(1);

/// The same with few elements on fewer ranks, some numbers of them, the least first. A row may serve none of them.
std::vector<Experiment> on_fewer_ranks(const Experiment& what);

/// All that it is given outlives it. Blocks; ends early when stopped.
class Findings {
 public:
  Findings(const FuzzSettings& settings, const CaseRunner& runner, RunBounds& bounds)
      : settings_(settings), runner_(runner), bounds_(bounds), server_(runner.server()) {}

  /// Of a saved case, made small; none: it is right.
  std::vector<FuzzFinding> try_saved(const SavedCase& saved, std::uint64_t number) const;
  /// The finding, made small. Behind it, if there is one, what was met meanwhile: a simpler case that fails in a graver way, or the way in which
  /// the case fails alone. Not of the kinds of `known`, which are findings of the row by themselves.
  std::vector<FuzzFinding> explain(Found found, const std::set<CheckError::Kind>& known = {}) const;
  /// Of a case that was given up: the same on fewer ranks, if that is endless.
  std::optional<Found> on_fewer_ranks(const Found& slow) const;

 private:
  bool is_stopped() const { return settings_.is_stopped != nullptr && settings_.is_stopped(); }
  CaseEnd run(Experiment what, CheckError::Kind kind, std::chrono::duration<double> patience, std::uint32_t layout = 0) const;
  std::optional<Shrunk::Other> make_small(FuzzFinding& finding) const;
  void keep(FuzzFinding& finding, Shrunk shrunk) const;
  std::function<bool()> until(std::optional<std::chrono::duration<double>> time) const;
  std::string what_it_depends_on(const Found& found) const;
  std::optional<std::string> earlier_calls(const Found& found, const std::function<bool()>& is_over) const;
  std::optional<std::string> fails_after(const Found& found, std::size_t first, std::size_t end) const;
  std::optional<CaseReply> next_reply(CaseProcess& process) const;

  const FuzzSettings& settings_;
  const CaseRunner& runner_;
  RunBounds& bounds_;
  const CaseServer server_;
};

}  // namespace heddle

// SPDX-License-Identifier: Apache-2.0
// Runs a finding's case again, makes it small, and finds out what it depends on.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "fuzz/case_runner.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/processes/case_process.hpp"
#include "fuzz/results.hpp"
#include "fuzz/shrink.hpp"

namespace heddle {

/// What takes so long is for ever, while a case that was endless is made smaller, or one of a row that had one is run.
inline constexpr std::chrono::duration<double> kShrinkPatience = std::chrono::seconds(1);

/// All that it is given outlives it. Blocks; ends early when stopped.
class Findings {
 public:
  Findings(const FuzzSettings& settings, const CaseRunner& runner)
      : settings_(settings), runner_(runner), server_(runner.server()) {}

  /// Of a saved case; no value: it is right.
  std::optional<FuzzFinding> try_saved(const SavedCase& saved, std::uint64_t number) const;
  FuzzFinding explain(Found found) const;

 private:
  bool is_stopped() const { return settings_.is_stopped != nullptr && settings_.is_stopped(); }
  std::optional<Failure> run(Experiment what, CheckError::Kind kind, std::chrono::duration<double> patience,
                             std::uint32_t layout = 0) const;
  void make_small(FuzzFinding& finding) const;
  static void keep(FuzzFinding& finding, Shrunk shrunk);
  std::string what_it_depends_on(const Found& found) const;
  std::optional<std::string> earlier_calls(const Found& found, const std::function<bool()>& is_over) const;
  std::optional<std::string> fails_after(const Found& found, std::size_t first, std::size_t end) const;
  std::optional<CaseReply> next_reply(CaseProcess& process) const;

  const FuzzSettings& settings_;
  const CaseRunner& runner_;
  const CaseServer server_;
};

}  // namespace heddle

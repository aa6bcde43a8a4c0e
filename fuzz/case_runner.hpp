// SPDX-License-Identifier: Apache-2.0
// Draws cases and runs them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/draw/draw_case.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/processes/address_layout.hpp"
#include "fuzz/processes/case_message.hpp"
#include "fuzz/processes/case_process.hpp"

namespace heddle {

/// All in the calling thread. `settings` outlives it.
class CaseRunner {
 public:
  explicit CaseRunner(const FuzzSettings& settings)
      : settings_(settings), rows_(std::make_shared<const std::vector<Algorithm>>(settings.rows)) {}

  Experiment draw(std::uint64_t index) const {
    Experiment what = draw_case(settings_.seed, index, rows_, bounds());
    what.stack = settings_.stack;
    return what;
  }
  FuzzCoverage::Row row_of_case(std::uint64_t index) const {
    const Algorithm& row = heddle::row_of_case(settings_.seed, index, *rows_, bounds());
    return {row.collective, row.name};
  }
  Experiment parse(const std::string& text) const {
    Experiment what = Experiment::parse(text);
    what.own = rows_;
    return what;
  }
  /// Whether it is a case of one of the rows.
  bool has_row_of(const SavedCase& saved) const {
    const FuzzCoverage::Row row = row_of(parse(saved.text));
    return std::ranges::any_of(*rows_,
                               [&row](const Algorithm& one) { return row == FuzzCoverage::Row(one.collective, one.name); });
  }
  bool is_twice(std::uint64_t index) const {
    return settings_.twice_once_in > 0 && index % static_cast<std::uint64_t>(settings_.twice_once_in) == 0;
  }
  /// Of a case that fails while orders are explored, `what` becomes the one with its order. `index`: of a drawn case as it was
  /// drawn, of which not each is compared with the usual order.
  CaseEnd run(Experiment& what, bool twice, std::optional<std::uint64_t> index = {}) const {
    if (settings_.explore) return explore_case(what, *settings_.explore);
    return end_of(what, twice, !index || *index % static_cast<std::uint64_t>(settings_.compared_once_in) == 0);
  }
  /// In a process of its own.
  CaseServer server() const {
    return [this](const CaseRequest& request, const std::function<void(const Experiment&)>& is_at) {
      Experiment what = request.index ? draw(*request.index) : parse(request.text);
      is_at(what);
      if (request.layout > 0) shift_addresses(request.layout);
      CaseReply reply{.row = row_of(what), .end = run(what, request.twice, request.index)};
      if (reply.end.failure || !reply.end.slow.empty()) reply.text = what.text();
      return reply;
    };
  }

 private:
  DrawBounds bounds() const {
    return {.most_ranks = settings_.most_ranks,
            .fault_once_in = settings_.fault_once_in,
            .large_once_in = settings_.large_once_in,
            .most_large_ranks = settings_.most_large_ranks,
            .only = settings_.only};
  }

  const FuzzSettings& settings_;
  const std::shared_ptr<const std::vector<Algorithm>> rows_;
};

}  // namespace heddle

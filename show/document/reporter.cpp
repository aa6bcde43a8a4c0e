// SPDX-License-Identifier: Apache-2.0
#include "show/document/reporter.hpp"

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "lab/documents/run_json.hpp"
#include "show/document/document.hpp"

namespace heddle {

void BestOfRowsReporter::add(const Setup&, const Outcome& outcome) {
  const std::string_view row = bare_name(outcome.algorithm->name);
  const auto is_of_row = [&](const Outcome& other) {
    return other.report() != nullptr && bare_name(other.algorithm->name) == row;
  };
  const auto best = std::ranges::find_if(kept_, is_of_row);
  if (outcome.report() == nullptr || best == kept_.end())
    kept_.push_back(outcome);
  else if (outcome.report()->completion < best->report()->completion)
    *best = outcome;
}

void BestOfRowsReporter::add_stopped(const Setup&, const Algorithm& algorithm, const RunStopped& stopped) {
  stopped_.push_back({algorithm, stopped});
}

void BestOfRowsReporter::end(const Setup& plan) {
  Setup shown = plan;
  shown.algorithms.chosen.clear();
  for (const Outcome& outcome : kept_) shown.algorithms.chosen.push_back(*outcome.algorithm);
  for (const Stopped& stopped : stopped_) shown.algorithms.chosen.push_back(stopped.algorithm);
  shown_.begin(shown);
  for (const Outcome& outcome : kept_) shown_.add(shown, outcome);
  for (const Stopped& stopped : stopped_) shown_.add_stopped(shown, stopped.algorithm, stopped.what);
  shown_.end(shown);
}

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

void JsonReporter::begin(const Setup& plan) {
  document_["context"] = json_of_context(plan);
  if (const auto& tuning = plan.algorithms.tuning)
    document_["context"]["tuning"] = json_of_tuning(plan.algorithms.variants, *tuning);
  document_["complete"] = plan.algorithms.chosen.empty();
  document_["runs"] = Json::array();
  document_["left_out"] = Json::array();
  for (const LeftOut& left : plan.algorithms.left_out)
    document_["left_out"].push_back({{"algorithm", left.algorithm}, {"reason", left.reason}});
}

void JsonReporter::add(const Setup& plan, const Outcome& outcome) {
  Json run = json_of_run(plan, outcome);
  if (const Report* report = outcome.report(); report != nullptr && !outcome.wall) {
    if (std::string twin = twins_.add(outcome.algorithm->name, RunLikeness(*report)); !twin.empty())
      run["same_messages_as"] = std::move(twin);
  }
  add_run(plan, std::move(run), true);
}

void JsonReporter::add_stopped(const Setup& plan, const Algorithm& algorithm, const RunStopped& stopped) {
  add_run(plan, json_of_stopped(plan, algorithm, stopped), false);
}

void JsonReporter::add_run(const Setup& plan, Json run, bool is_whole) {
  document_["runs"].push_back(std::move(run));
  are_whole_ = are_whole_ && is_whole;
  document_["complete"] = are_whole_ && document_["runs"].size() == plan.algorithms.chosen.size();
  if (file_ && !file_->is_stream()) file_->write(json_text(document_));
}

void JsonReporter::end(const Setup&) {
  if (out_ != nullptr) *out_ << json_text(document_) << std::flush;
  if (file_ && file_->is_stream()) file_->write(json_text(document_));
}

}  // namespace heddle

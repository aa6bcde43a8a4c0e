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

void BestOfRowsReporter::end(const Setup& setup) {
  Setup shown = setup;
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

void JsonReporter::begin(const Setup& setup) {
  document_["context"] = json_of_context(setup);
  if (const auto& tuning = setup.algorithms.tuning)
    document_["context"]["tuning"] = json_of_tuning(setup.algorithms.variants, *tuning);
  document_["complete"] = setup.algorithms.chosen.empty();
  document_["runs"] = Json::array();
  document_["left_out"] = Json::array();
  for (const LeftOut& left : setup.algorithms.left_out)
    document_["left_out"].push_back({{"algorithm", left.algorithm}, {"reason", left.reason}});
}

void JsonReporter::add(const Setup& setup, const Outcome& outcome) {
  Json run = json_of_run(setup, outcome);
  if (const Report* report = outcome.report(); report != nullptr && !outcome.wall) {
    if (std::string equivalent = equivalents_.add(outcome.algorithm->name, RunLikeness(*report)); !equivalent.empty())
      run["same_messages_as"] = std::move(equivalent);
  }
  add_run(setup, std::move(run), true);
}

void JsonReporter::add_stopped(const Setup& setup, const Algorithm& algorithm, const RunStopped& stopped) {
  add_run(setup, json_of_stopped(setup, algorithm, stopped), false);
}

void JsonReporter::add_run(const Setup& setup, Json run, bool is_whole) {
  document_["runs"].push_back(std::move(run));
  are_whole_ = are_whole_ && is_whole;
  document_["complete"] = are_whole_ && document_["runs"].size() == setup.algorithms.chosen.size();
  if (file_ && !file_->is_stream()) file_->write(json_text(document_));
}

void JsonReporter::end(const Setup&) {
  if (out_ != nullptr) *out_ << json_text(document_) << std::flush;
  if (file_ && file_->is_stream()) file_->write(json_text(document_));
}

}  // namespace heddle

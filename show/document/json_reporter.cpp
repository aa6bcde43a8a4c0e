// SPDX-License-Identifier: Apache-2.0
#include "show/document/json_reporter.hpp"

#include <ostream>
#include <string>
#include <utility>

#include "lab/documents/run_json.hpp"
#include "show/document/document.hpp"

namespace heddle {

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
    if (std::string twin = twins_.add(outcome.algorithm->name, RunLikeness(*report)); !twin.empty())
      run["same_messages_as"] = std::move(twin);
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

// SPDX-License-Identifier: Apache-2.0
#include "show/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "heddle/errors.hpp"
#include "heddle/version.hpp"
#include "lab/documents/fabric_report.hpp"
#include "lab/documents/run_json.hpp"
#include "lab/studies/block_steps.hpp"
#include "show/page/page_data.hpp"
#include "show/reports/explanation.hpp"

namespace heddle::pages {

namespace {

using Json = nlohmann::ordered_json;

// What a page has room for: some megabytes in all.
constexpr std::size_t kMessages = 24'000;
constexpr std::size_t kMostMessages = 4096;  // of one algorithm
constexpr std::size_t kFewestMessages = 128;
constexpr std::size_t kLoadCells = 400'000;
constexpr std::size_t kMostLoadCells = 250'000;
constexpr std::size_t kBytesOfSteps = 4'000'000;

std::string title_of(const Setup& setup) {
  std::string title = fmt::format("{} on {}", to_string(setup.asked.collective), setup.fabric.topology().spec());
  if (setup.asked.collective != Collective::barrier) title += fmt::format(", {}", to_string(Bytes(setup.bytes())));
  return title;
}

Json or_why(const auto& make) {
  try {
    return make();
  } catch (const InputError& error) {
    return {{"why_not", error.what()}};
  }
}

std::string path_text(const Setup& setup, const Outcome& outcome) {
  const Report& report = *outcome.report();
  if (outcome.timeline) return explanation(setup, *outcome.algorithm, report, *outcome.timeline);
  const auto chain = outcome.sample->chain(report.critical_path);
  if (!chain) return "";
  const Timeline timeline = timeline_of(*outcome.sample, *chain);
  Report ending = report;
  ending.critical_path.last_record = chain->empty() ? CriticalPath::kNoRecord : static_cast<std::uint32_t>(chain->size() - 1);
  return explanation_of_path(setup, *outcome.algorithm, ending, timeline);
}

}  // namespace

void RunPageReporter::begin(const Setup& setup) {
  data_ = {{"kind", "run"},
           {"title", title_of(setup)},
           {"version", std::string(version())},
           {"command", command_},
           {"speeds", describe_speeds(setup.fabric)},
           {"context", json_of_context(setup)},
           {"planned", setup.algorithms.chosen.size()}};
  data_["left_out"] = Json::array();
  for (const LeftOut& left : setup.algorithms.left_out)
    data_["left_out"].push_back({{"algorithm", left.algorithm}, {"reason", left.reason}});
  data_["fabric"] = or_why([&] {
    drawing_ = pictures::draw_loads(setup.fabric.topology(), setup.placement);
    links_ = links_of(*drawing_);
    return json_of_drawing(*drawing_, setup.fabric);
  });
  data_["legend"] = explanation_legend(setup);
  data_["notes"] = Json::array();
  data_["runs"] = Json::array();
  room_for_steps_ = kBytesOfSteps;
}

void RunPageReporter::add(const Setup& setup, const Outcome& outcome) {
  Json run = json_of_run(setup, outcome);
  run["about"] = outcome.algorithm->summary;
  if (run.contains("scale_assumed")) {
    run["algorithm"] = marked_name(outcome.algorithm->name);
    data_["notes"].push_back(part_run_note(outcome.algorithm->name, {part_text(setup.bytes(), outcome.report()->byte_scale)}) +
                             '.');
  }
  if (const Report* report = outcome.report(); report != nullptr && !outcome.wall) {
    if (std::string equivalent = equivalents_.add(outcome.algorithm->name, RunLikeness(*report)); !equivalent.empty())
      run["same_messages_as"] = std::move(equivalent);
    run["peak_flows"] = peak_flows(*report);
  }
  if (outcome.report() != nullptr && outcome.sample) {
    add_sample(setup, outcome, run);
    run["steps"] = steps(setup, *outcome.algorithm);
  }
  data_["runs"].push_back(std::move(run));
}

void RunPageReporter::add_sample(const Setup& setup, const Outcome& outcome, Json& run) const {
  const std::size_t algorithms = std::max<std::size_t>(1, setup.algorithms.chosen.size());
  const std::size_t messages = std::clamp(kMessages / algorithms, kFewestMessages, kMostMessages);
  const Report& report = *outcome.report();
  const RunSample& sample = *outcome.sample;
  run["completion_ps"] = report.completion.ps();
  run["explanation"] = path_text(setup, outcome);
  run["path"] = json_of_chain(sample, report.critical_path);
  run["sample"] = {{"messages", json_of_messages(sample, messages)},
                   {"waits", json_of_waits(sample, messages)},
                   {"phases", json_of_phases(sample, messages)}};
  if (drawing_)
    run["loads"] = json_of_loads(sample, report, setup.fabric.topology(), links_, link_faults_of(setup, outcome),
                                 std::min(kMostLoadCells, kLoadCells / algorithms));
}

Json RunPageReporter::steps(const Setup& setup, const Algorithm& algorithm) {
  return or_why([&] {
    if (room_for_steps_ == 0)
      throw InputError("the page is full of the steps of those before; run it alone, as in --algo " + algorithm.name);
    Json found = json_of_steps(block_steps(setup, algorithm));
    const std::size_t bytes = found.dump().size();
    room_for_steps_ -= std::min(room_for_steps_, bytes);
    return found;
  });
}

void RunPageReporter::add_stopped(const Setup& setup, const Algorithm& algorithm, const RunStopped& stopped) {
  data_["runs"].push_back(json_of_stopped(setup, algorithm, stopped));
}

void RunPageReporter::end(const Setup&) {
  file_->write_by([&](std::ostream& out) { write_page(data_, out); });
}

}  // namespace heddle::pages

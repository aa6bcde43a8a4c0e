// SPDX-License-Identifier: Apache-2.0
#include "cli/table_reporter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "cli/explanation.hpp"
#include "cli/fabric_report.hpp"
#include "cli/group_lines.hpp"
#include "cli/version.hpp"

namespace heddle {

namespace {

constexpr std::size_t kAlgorithmColumn = 5;

Table make_table(const RunPlan& plan) {
  Table table({{"size", "(B)", Table::Align::right, 11},
               {"count", "(elements)", Table::Align::right, 11},
               {"type", "", Table::Align::right, 5},
               {"redop", "", Table::Align::right, 5},
               {"root", "", Table::Align::right, 4},
               {"algorithm", "", Table::Align::left, 9},
               {"time", "(us)", Table::Align::right, 11},
               {"algbw", "(GB/s)", Table::Align::right, 7},
               {"busbw", "(GB/s)", Table::Align::right, 7},
               {"#wrong", "", Table::Align::right, 6},
               {"rounds", "", Table::Align::right, 6},
               {"messages", "", Table::Align::right, 8},
               {"max sent", "(B/rank)", Table::Align::right, 10},
               {"peak", "flows/link", Table::Align::right, 4},
               {"conten-", "tion (x)", Table::Align::right, 7},
               {"scale", "", Table::Align::right, 5}});
  for (const Algorithm& algorithm : plan.algorithms.chosen) table.fit(kAlgorithmColumn, algorithm.name);
  return table;
}

std::string gigabytes_per_second(std::optional<double> rate) { return rate ? fmt::format("{:.2f}", *rate / 1e9) : "-"; }

/// What was called; the same in each row, as nccl-tests has it.
std::vector<std::string> call_cells(const RunPlan& plan, const Algorithm& algorithm) {
  return {fmt::format("{}", plan.bytes()),
          fmt::format("{}", plan.count),
          plan.type_name,
          plan.op_name,
          fmt::format("{}", plan.shown_root()),
          algorithm.name};
}

/// What contention makes of the time: that of the run over that of one in which nobody shares a link.
std::string contention_text(const RunPlan& plan, const Report& report) {
  if (report.contention_free == Time() || plan.settings.model != Model::fluid || plan.clock.is_wall) return "-";
  return fmt::format("{:.2f}", static_cast<double>(report.completion.ps()) / static_cast<double>(report.contention_free.ps()));
}

void append_measured_cells(std::vector<std::string>& cells, const RunPlan& plan, const Report& report) {
  const Rates rates = rates_of(plan, report);
  cells.insert(cells.end(),
               {microseconds(report.completion), gigabytes_per_second(rates.algbw), gigabytes_per_second(rates.busbw), "0",
                fmt::format("{}", report.rounds_max()), fmt::format("{}", report.messages()),
                fmt::format("{}", report.sent_max().count()), fmt::format("{}", peak_flows(report)),
                contention_text(plan, report), fmt::format("{:g}", report.payload_scale)});
}

std::string plural(int count, std::string_view noun) { return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s"); }

/// "4 groups of 4 ranks (rows)", "3 groups of 2 to 5 ranks (0-4;1-2;3-5)"
std::string groups_text(const RunPlan& plan) {
  const std::vector<int> sizes = plan.group_sizes();
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  const std::string size = *least == *most ? plural(*most, "rank") : fmt::format("{} to {} ranks", *least, *most);
  return fmt::format("{} of {} ({})", plural(static_cast<int>(sizes.size()), "group"), size, plan.groups_text);
}

std::string clock_line(const RunPlan& plan) {
  if (plan.in_memory)
    return fmt::format(
        "# wall clock, no limits: ranks copy straight from each other's memory; time is the median of {} after {} "
        "to warm up\n",
        plural(static_cast<int>(plan.iterations), "run"), plan.warmup);
  const std::string dilation =
      plan.clock.dilation ? fmt::format("dilated {:g} times", *plan.clock.dilation)
                          : fmt::format("dilated so that lateness and computing add about {:g} %", 100 * kDilationError);
  return fmt::format("# wall clock, {}: times are measured, and differ from run to run\n", dilation);
}

/// Of a dilation that had to stay below what was aimed at: "# ring: threads go on 52ms late here: …"; else nothing.
std::string lateness_line(const RunOutcome& outcome) {
  const WallClockOutcome& wall = *outcome.wall;
  if (wall.expected_error <= kDilationError * 1.001) return "";
  return fmt::format(
      "# {}: threads go on {} late here, and auto stretches to {:g} s at most: expect {:+.1f} %, not {:g} %; --dilate sets "
      "more\n",
      outcome.algorithm->name, to_string(Time::from_seconds(wall.lateness)), kLongestDilated, 100 * wall.expected_error,
      100 * kDilationError);
}

/// "# ring: 12.3us in 0.0741 s of wall time, dilated 6022 times; the virtual clock says 12.1us: +1.7 %"
std::string wall_line(const RunOutcome& outcome) {
  const Report& measured = *outcome.report();
  if (const std::vector<double>& runs = outcome.wall->in_memory; !runs.empty()) {
    const auto [least, most] = std::minmax_element(runs.begin(), runs.end());
    return fmt::format("# {}: {} in memory, {} to {}\n", outcome.algorithm->name, plural(static_cast<int>(runs.size()), "run"),
                       to_string(Time::from_seconds(*least)), to_string(Time::from_seconds(*most)));
  }
  const std::optional<double> error = outcome.wall->error(measured);
  return fmt::format("# {}: {} in {:.3g} s of wall time, dilated {:.4g} times; the virtual clock says {}{}\n",
                     outcome.algorithm->name, to_string(measured.completion),
                     measured.completion.seconds() * measured.host.dilation, measured.host.dilation,
                     to_string(outcome.wall->virtually.completion), error ? fmt::format(": {:+.1f} %", 100 * *error) : "");
}

}  // namespace

void TableReporter::begin(const RunPlan& plan) {
  table_ = make_table(plan);
  out_ << fmt::format("# heddle {}: {} on {}, {}, placement {}, buffering {}\n", version(), to_string(plan.collective),
                      plan.fabric.topology().spec(), plural(plan.ranks(), "rank"), plan.placement_text,
                      to_string(plan.settings.buffering));
  if (plan.settings.model != Model::fluid)
    out_ << fmt::format("# model {}: no message is slowed by another\n", to_string(plan.settings.model));
  if (plan.clock.is_wall) out_ << clock_line(plan);
  if (!plan.groups.empty()) out_ << fmt::format("# {} at once; time is that of the last\n", groups_text(plan));
  if (!plan.background.empty()) out_ << background_line(plan);
  if (!plan.faults.empty()) out_ << fmt::format("# faults: {}\n", fmt::join(plan.faults, " "));
  const std::string preset = plan.preset.empty() ? "" : fmt::format("preset {}: ", plan.preset);
  out_ << fmt::format("# {}{}\n", preset, describe_speeds(plan.fabric));
  out_ << fmt::format("# payload {}, seed {}", plan.payload ? to_string(*plan.payload) : "full", plan.seed);
  if (plan.settings.schedule_seed) out_ << fmt::format(", schedule seed {}", *plan.settings.schedule_seed);
  if (!plan.settings.schedule.is_usual()) out_ << fmt::format(", schedule {}", to_string(plan.settings.schedule));
  if (plan.blocks_text != "even") out_ << fmt::format("; blocks {}", plan.blocks_text);
  if (!plan.destinations.empty()) out_ << fmt::format("; skew {}", plan.skew_text);
  if (plan.collective != Collective::barrier) out_ << (plan.in_place ? "; in place" : "; out of place");
  out_ << "; a time is printed only if every check passed\n#\n";
  out_ << '#' << table_->titles() << '\n' << '#' << table_->units() << '\n' << std::flush;
}

void TableReporter::add(const RunPlan& plan, const RunOutcome& outcome) {
  std::vector<std::string> cells = call_cells(plan, *outcome.algorithm);
  if (const Report* report = outcome.report()) {
    append_measured_cells(cells, plan, *report);
    ++right_;
  } else {
    cells.push_back("FAILED " + to_string(outcome.failure()->kind));
    ++failed_;
  }
  out_ << ' ' << table_->row(cells) << '\n';
  if (outcome.report() != nullptr && outcome.wall) out_ << wall_line(outcome) << lateness_line(outcome);
  if (outcome.exploration) out_ << fmt::format("# {}: {}\n", outcome.algorithm->name, outcome.exploration->text());
  if (outcome.report() != nullptr && outcome.report()->switch_precision)
    out_ << fmt::format("# {}: the switches took {} as {}\n", outcome.algorithm->name, plan.type_name,
                        to_string(*outcome.report()->switch_precision));
  if (outcome.report() != nullptr && !outcome.report()->idle_faults.empty())
    out_ << fmt::format("# {}: never struck: {}\n", outcome.algorithm->name, fmt::join(outcome.report()->idle_faults, " "));
  if (plan.explain && outcome.report() != nullptr)
    out_ << explanation(plan, *outcome.algorithm, *outcome.report(), *outcome.timeline);
  if (!plan.destinations.empty() && outcome.report() != nullptr) out_ << hottest_link_line(plan, *outcome.report());
  out_ << group_lines(plan, outcome);
  out_ << std::flush;
}

void TableReporter::add_stopped(const RunPlan& plan, const Algorithm& algorithm, const RunStopped& stopped) {
  std::vector<std::string> cells = call_cells(plan, algorithm);
  cells.emplace_back("STOPPED");
  out_ << ' ' << table_->row(cells) << '\n' << fmt::format("# {}: {}\n", algorithm.name, stopped.what()) << std::flush;
  ++stopped_;
}

void TableReporter::end(const RunPlan& plan) {
  for (const LeftOut& left : plan.algorithms.left_out) out_ << fmt::format("# left out: {}: {}\n", left.algorithm, left.reason);
  out_ << fmt::format("# {} right", plural(right_, "result"));
  if (failed_ > 0) out_ << fmt::format(", {} FAILED", failed_);
  if (stopped_ > 0) out_ << fmt::format(", {} STOPPED", stopped_);
  out_ << '\n' << std::flush;
}

}  // namespace heddle

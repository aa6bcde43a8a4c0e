// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/run_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emu/check/checked_run.hpp"
#include "heddle/errors.hpp"

namespace heddle {

void check_promises(const Setup& setup, const Algorithm& row, const Report& report) {
  if (setup.groups.size() > 1 || !setup.blocks.empty() || !setup.sends.empty() || setup.asked.placement != "linear") return;
  const Shape shape = setup.shape();
  const std::int64_t block_count = row.block_count == nullptr ? 1 : row.block_count(shape);
  if (setup.count < block_count || !formulas_are_exact(row, shape)) return;
  const auto require = [&row](std::string_view what_of, std::int64_t counted, std::int64_t promised, std::string_view formula) {
    if (counted == promised) return;
    throw CheckError(CheckError::Kind::formula,
                     fmt::format("{} {}: the run counted {} {}, its formula says {} ({})", to_string(row.collective), row.name,
                                 counted, what_of, promised, formula));
  };
  if (row.rounds) require("rounds", report.rounds_max(), row.rounds(shape), row.rounds.text);
  if (report.switch_precision || block_count == 0 || setup.count % block_count != 0) return;
  if (row.bytes) require("bytes sent by the busiest rank", report.sent_max().count(), row.bytes(shape), row.bytes.text);
}

namespace {

constexpr std::int64_t kTimes = 16;

bool is_registered(const Algorithm& row) {
  const auto name = bare_name(row.name);
  return std::ranges::any_of(registry(),
                             [&](const Algorithm& known) { return known.collective == row.collective && known.name == name; });
}

/// Of so many times the call's elements; how many of them are held, the scale says.
Report run_larger(const Setup& setup, const Algorithm& row, std::int64_t scale) {
  CollectiveCall call = setup.call(row);
  call.count *= kTimes;
  call.sampled = call.count / scale;
  call.calls = 1;
  EmulationSettings settings = setup.settings;
  settings.order = {};
  return run_checked(setup.fabric, setup.placement, call, settings);
}

std::string text_of(const Report& report) {
  return fmt::format("{} messages in {} rounds, {}", report.messages(), report.rounds_max(), to_string(report.completion));
}

}  // namespace

void check_independence_of_size(const Setup& setup, const Algorithm& row) {
  if (!row.independent_of_size || setup.count == 0 || !setup.groups.empty() || !setup.blocks.empty() || !setup.sends.empty() ||
      !setup.settings.faults.empty() || is_registered(row))
    return;
  Shape larger = setup.shape();
  larger.count *= kTimes;
  larger.bytes *= kTimes;
  const std::int64_t block_count = std::max<std::int64_t>(1, block_count_of(row, larger));
  if (setup.count % block_count != 0 || !why_not(row, larger, *setup.asked.op).empty()) return;
  if (has_blocks(setup.asked.collective) && setup.count % setup.ranks() != 0) return;
  const auto differs = [&](const std::string& on_part, const std::string& whole) {
    throw CheckError(
        CheckError::Kind::formula,
        fmt::format(
            "{0} {1} says that it is independent of size, and is not: {2} elements, all held: {3}; {4} of them held, each "
            "byte charged {5} times: {6}\n  who cuts or chooses by bytes or elements reckons with byte_scale(), and says "
            "below what .block_count nothing is left to cut; or leave .independent_of_size out: it is then run whole",
            to_string(row.collective), row.name, kTimes * setup.count, whole, setup.count, kTimes, on_part));
  };
  const Report whole = run_larger(setup, row, 1);
  try {
    const Report part = run_larger(setup, row, kTimes);
    if (part.messages_digest != whole.messages_digest || part.completion != whole.completion)
      differs(text_of(part), text_of(whole));
  } catch (const CheckError& error) {
    if (error.kind() == CheckError::Kind::formula) throw;
    differs(fmt::format("{}: {}", to_string(error.kind()), error.what()), text_of(whole));
  }
}

}  // namespace heddle

// SPDX-License-Identifier: Apache-2.0
// Rows of the sources' tables, and what they are compared with. A row begins with its subject and what is printed; behind the
// fields that are named here it may have a reason, then a relative tolerance.
#include <fmt/format.h>

#include <cmath>

#include "claims/compared_rows.hpp"
#include "heddle/units.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::claims {

namespace {

/// 2^13 · 9 · 125 elements of 4 bytes: whole blocks for every number of ranks and segments that the rows use.
constexpr double kBytes = 36'864'000;
constexpr double kBytesPerMicrosecond = 100e3;

std::string without_bytes(const std::string& call, const std::string& step) {
  return fmt::format("{} --size 36864kB --latency 0 {} --bw inf", call, step);
}
std::string without_latency(const std::string& call) {
  return fmt::format("{} --size 36864kB --latency 0 --alpha 0 --bw 100GB/s", call);
}
std::string step_of(const ClaimData& row) { return row.text("step", "--alpha 1us"); }

/// A time in microseconds; `heddle run` of field 2. The tolerance is 1 %: sources sum terms that they have rounded, and whole blocks
/// round sizes.
Finding times(Lab& lab, const ClaimData& row) {
  const std::string run = row.run(2);
  return compare(row.text(0), row.printed(1), lab.microseconds(run), "us", row.number(4, 0.01), command_of(run), row.unless(3));
}

/// n_α, n_β and the call, without size and speeds: a cost n_α·α + n_β·M/BW. `step` is what α is, "--switch-latency 1us" where one message makes
/// several steps.
Finding costs(Lab& lab, const ClaimData& row) {
  const double n_alpha = row.number(1);
  const auto [n_beta, decimals] = row.printed(2);
  const double tolerance = row.number(5, 0);
  const Cost measured = cost_of(lab, row.run(3), step_of(row));
  const bool steps = std::abs(measured.n_alpha - n_alpha) < 1e-6;
  const bool exactly = std::abs(measured.n_beta - n_beta) <= 0.5 * std::pow(10.0, -decimals) * (1 + 1e-9);
  Finding finding =
      compare_words(row.text(0), fmt::format("{:g} α + {:.{}f} M/BW", n_alpha, n_beta, decimals),
                    fmt::format("{:g} α + {:.{}f} M/BW", measured.n_alpha, measured.n_beta, decimals + 1), steps && exactly,
                    command_of(without_bytes(row.run(3), step_of(row))) + "  # n_β: --alpha 0 --bw 100GB/s", row.unless(4));
  if (steps && !exactly && std::abs(measured.n_beta / n_beta - 1) <= tolerance) {
    finding.verdict = Verdict::holds_within;
    finding.why = fmt::format("within {:g} %", 100 * tolerance);
  }
  return finding;
}

/// How many times as long the run of field 2 takes as that of field 3. The tolerance is 3 %.
Finding ratios(Lab& lab, const ClaimData& row) {
  const std::string slower = row.run(2);
  const std::string faster = row.run(3);
  return compare(row.text(0), row.printed(1), lab.microseconds(slower) / lab.microseconds(faster), "times", row.number(5, 0.03),
                 command_of(slower) + " && " + command_of(faster), row.unless(4));
}

/// The time of a pipeline: a run in the best number of segments, one in one segment in which bytes take no time, and one in many in
/// which only bytes do. No run has the steps of the second and the bytes of the third at once: their sum may be what is printed.
Finding limits(Lab& lab, const ClaimData& row) {
  const double steps = lab.microseconds(row.run(3));
  const double bytes = lab.microseconds(row.run(4));
  const bool sum_is_printed = std::abs((steps + bytes) / row.printed(1).value - 1) <= 0.03;
  return compare(row.text(0), row.printed(1), lab.microseconds(row.run(2)), "us", 0.01, command_of(row.run(2)),
                 sum_is_printed ? row.reason("limits apart", steps + bytes, steps, bytes) : row.reason("neither limit"));
}

/// What is counted on the fabric of field 2, as built: its "bisection", "diameter" or "endpoints".
Finding counts(Lab&, const ClaimData& row) {
  const TopologyProperties built = parse_topology(row.text(2))->properties();
  const std::string what = row.text(3);
  const int counted = what == "bisection" ? built.bisection : what == "diameter" ? built.diameter : built.endpoints;
  return compare_exactly(row.text(0), row.integer(1), counted, "heddle topo " + row.text(2), row.unless(4));
}

/// Rounds that the run of field 2 needs: the longest chain of messages.
Finding rounds(Lab& lab, const ClaimData& row) {
  return compare_exactly(row.text(0), row.integer(1), lab.run(row.run(2)).rounds_max(), command_of(row.run(2)), row.unless(3));
}

/// What no run can refute: `why` says whose definition it is.
Finding definitions(Lab&, const ClaimData& row) { return define(row.text(0), row.text(1), row.text("why")); }

/// What no run has tested, and why.
Finding untested_rows(Lab&, const ClaimData& row) { return leave_untested(row.text(0), row.text(1), row.text("why")); }

}  // namespace

std::string command_of(const std::string& run) { return "heddle run " + run; }

std::string bytes_only(const std::string& call) {
  return command_of(call + " --size 36864kB --alpha 0 --latency 0 --bw 100GB/s");
}

Cost cost_of(Lab& lab, const std::string& call, const std::string& step) {
  return {.n_alpha = lab.microseconds(without_bytes(call, step)),
          .n_beta = lab.microseconds(without_latency(call)) * kBytesPerMicrosecond / kBytes};
}

Finding compare(std::string subject, Printed printed, double measured, std::string unit, double tolerance, std::string command,
                Unless unless) {
  return compare(std::move(subject), printed.value, printed.decimals, measured, std::move(unit), tolerance, std::move(command),
                 std::move(unless));
}

double crossing(Lab& lab, const std::string& first, const std::string& second, double most) {
  const auto first_is_faster = [&](double bytes) {
    const std::string size = fmt::format(" --size {}", 4 * std::llround(bytes / 4));
    return lab.microseconds(first + size) < lab.microseconds(second + size);
  };
  if (first_is_faster(most)) return most;
  double low = 1e3;
  double high = most;
  while (high / low > 1.02) {
    const double middle = std::sqrt(low * high);
    (first_is_faster(middle) ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

std::string size_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.3g} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.3g} MB", bytes / 1e6);
  return fmt::format("{:.3g} KB", bytes / 1e3);
}

double bytes_of(const std::string& size) { return static_cast<double>(parse_bytes(size).count()); }

pictures::ChartAxis axis_by_size() {
  return {.title = "Size of the vector", .is_log = true, .labels = pictures::ChartAxis::Labels::bytes};
}

std::vector<pictures::ChartMark> marks_of(const ClaimData& data, const char* name) {
  using Bound = pictures::ChartMark::Bound;
  std::vector<pictures::ChartMark> marks;
  for (const ClaimData& mark : data.parts(name)) {
    pictures::ChartPoint at{.x = bytes_of(mark.text(1)), .y = mark.number(2)};
    if (mark.has(3)) at = {.x = at.x, .y = (at.y + mark.number(3)) / 2, .low = at.y, .high = mark.number(3)};
    const std::string bound = mark.text(4, "");
    marks.push_back({.line = mark.text(0),
                     .at = at,
                     .bound = bound == "at least"  ? Bound::at_least
                              : bound == "at most" ? Bound::at_most
                                                   : Bound::none});
  }
  return marks;
}

void print_marks(pictures::ChartPanel& panel, const ClaimData& data) {
  panel.printed = marks_of(data, "printed");
  for (const ClaimData& first : data.parts("first"))
    for (const std::string& size : first.texts(1)) panel.printed_first.push_back({bytes_of(size), first.text(0)});
}

Vocabulary row_vocabulary() {
  return {.rows = {{"times", times},
                   {"costs", costs},
                   {"ratios", ratios},
                   {"limits", limits},
                   {"counts", counts},
                   {"rounds", rounds},
                   {"definitions", definitions},
                   {"untested", untested_rows}}};
}

}  // namespace heddle::claims

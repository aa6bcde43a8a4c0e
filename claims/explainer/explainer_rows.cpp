// SPDX-License-Identifier: Apache-2.0
#include "claims/explainer/explainer_rows.hpp"
#include "topo/spec/topology_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heddle::claims::explainer_notes {

namespace {

/// 2^13 · 9 · 125 elements of 4 bytes: whole blocks for every number of ranks and segments that the notes use.
constexpr double kBytes = 36'864'000;
constexpr double kBytesPerMicrosecond = 100e3;

std::string without_bytes(const CostRow& row) {
  return fmt::format("{} --size 36864kB --latency 0 {} --bw inf", row.call, row.step);
}
std::string without_latency(const CostRow& row) {
  return fmt::format("{} --size 36864kB --latency 0 --alpha 0 --bw 100GB/s", row.call);
}

template <class Row, class Runs>
std::vector<std::string> runs_of(const std::vector<Row>& rows, Runs runs) {
  std::vector<std::string> all;
  for (const Row& row : rows)
    for (std::string run : runs(row)) all.push_back(std::move(run));
  return all;
}

Finding compare_cost(Lab& lab, const CostRow& row) {
  const Cost measured = cost_of(lab, row);
  const bool steps = std::abs(measured.n_alpha - row.n_alpha) < 1e-6;
  const bool exactly = std::abs(measured.n_beta - row.n_beta) <= 0.5 * std::pow(10.0, -row.decimals) * (1 + 1e-9);
  const bool nearly = std::abs(measured.n_beta / row.n_beta - 1) <= row.tolerance;
  Finding finding =
      compare_words(row.subject, fmt::format("{:g} α + {:.{}f} M/BW", row.n_alpha, row.n_beta, row.decimals),
                    fmt::format("{:g} α + {:.{}f} M/BW", measured.n_alpha, measured.n_beta, row.decimals + 1), steps && exactly,
                    command_of(without_bytes(row)) + "  # n_β: --alpha 0 --bw 100GB/s", row.unless);
  if (steps && !exactly && nearly) {
    finding.verdict = Verdict::holds_within;
    finding.why = fmt::format("within {:g} %", 100 * row.tolerance);
  }
  return finding;
}

constexpr const char* kLimits =
    "The printed time is the sum of two limits, as the source says (note 02, §5.1: `All BW terms assume asymptotic "
    "pipelining`; "
    "01, §3.1: `neither limit is physical`): the steps of the uncut schedule and the bytes of one in many segments. A run that "
    "is cut as well as can be takes about 2√((L-1)·α·M/BW) longer (01, App. C.3).";

Unless limits_apart(double steps, double bytes) {
  return assumed(fmt::format("{:.1f} us: {:.1f} uncut, without bytes, and {:.1f} in many segments, without α", steps + bytes,
                             steps, bytes),
                 kLimits);
}

Unless neither_limit() {
  return refuted("`L α + M/BW` (01, App. C: `asymptotic form`)",
                 "Neither the best run takes so long, nor the sum of the steps "
                 "of an uncut run and the bytes of one in many segments.");
}

}  // namespace

std::string command_of(const std::string& run) { return "heddle run " + run; }

Cost cost_of(Lab& lab, const CostRow& row) {
  return {.n_alpha = lab.microseconds(without_bytes(row)),
          .n_beta = lab.microseconds(without_latency(row)) * kBytesPerMicrosecond / kBytes};
}

Check times(std::vector<TimeRow> rows) {
  return [rows = std::move(rows)](Lab& lab) {
    lab.prepare(runs_of(rows, [](const TimeRow& row) { return std::vector{row.run}; }));
    std::vector<Finding> findings;
    for (const TimeRow& row : rows)
      findings.push_back(compare(row.subject, row.printed, row.decimals, lab.microseconds(row.run), "us", row.tolerance,
                                 command_of(row.run), row.unless));
    return findings;
  };
}

Check costs(std::vector<CostRow> rows) {
  return [rows = std::move(rows)](Lab& lab) {
    lab.prepare(runs_of(rows, [](const CostRow& row) { return std::vector{without_bytes(row), without_latency(row)}; }));
    std::vector<Finding> findings;
    for (const CostRow& row : rows) findings.push_back(compare_cost(lab, row));
    return findings;
  };
}

Check ratios(std::vector<RatioRow> rows) {
  return [rows = std::move(rows)](Lab& lab) {
    lab.prepare(runs_of(rows, [](const RatioRow& row) { return std::vector{row.slower, row.faster}; }));
    std::vector<Finding> findings;
    for (const RatioRow& row : rows)
      findings.push_back(compare(row.subject, row.printed, row.decimals,
                                 lab.microseconds(row.slower) / lab.microseconds(row.faster), "times", row.tolerance,
                                 command_of(row.slower) + " && " + command_of(row.faster), row.unless));
    return findings;
  };
}

Check limits(std::vector<LimitRow> rows) {
  return [rows = std::move(rows)](Lab& lab) {
    lab.prepare(runs_of(rows, [](const LimitRow& row) { return std::vector{row.run, row.uncut, row.cut}; }));
    std::vector<Finding> findings;
    for (const LimitRow& row : rows) {
      const double steps = lab.microseconds(row.uncut);
      const double bytes = lab.microseconds(row.cut);
      const bool sum_is_printed = std::abs((steps + bytes) / row.printed - 1) <= row.tolerance;
      findings.push_back(compare(row.subject, row.printed, row.decimals, lab.microseconds(row.run), "us", 0.01,
                                 command_of(row.run), sum_is_printed ? limits_apart(steps, bytes) : neither_limit()));
    }
    return findings;
  };
}

Check definitions(std::vector<std::pair<std::string, std::string>> rows, const std::string& why) {
  return [=](Lab&) {
    std::vector<Finding> findings;
    for (const auto& [subject, printed] : rows) findings.push_back(define(subject, printed, why));
    return findings;
  };
}

Check counts(std::vector<CountRow> rows) {
  return [rows = std::move(rows)](Lab&) {
    std::vector<Finding> findings;
    for (const CountRow& row : rows)
      findings.push_back(compare_exactly(row.subject, row.printed, parse_topology(row.topology)->properties().*row.what,
                                         "heddle topo " + row.topology, row.unless));
    return findings;
  };
}

Check rounds(std::vector<RoundsRow> rows) {
  return [rows = std::move(rows)](Lab& lab) {
    lab.prepare(runs_of(rows, [](const RoundsRow& row) { return std::vector{row.run}; }));
    std::vector<Finding> findings;
    for (const RoundsRow& row : rows)
      findings.push_back(
          compare_exactly(row.subject, row.printed, lab.run(row.run).rounds_max(), command_of(row.run), row.unless));
    return findings;
  };
}

Check all_of(std::vector<Check> checks) {
  return [checks = std::move(checks)](Lab& lab) {
    std::vector<Finding> findings;
    for (const Check& check : checks) std::ranges::move(check(lab), std::back_inserter(findings));
    return findings;
  };
}

Check one(std::function<Finding(Lab&)> finding) {
  return [finding = std::move(finding)](Lab& lab) { return std::vector{finding(lab)}; };
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

}  // namespace heddle::claims::explainer_notes

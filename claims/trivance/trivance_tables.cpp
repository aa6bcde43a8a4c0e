// SPDX-License-Identifier: Apache-2.0
// Tables 1 and 2: optimality factors, from what runs count and from the time of runs that have bandwidth only.
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "claims/trivance/trivance_claims.hpp"

namespace heddle::claims::trivance_parts {

namespace {

// Bytes on a rank: for each block of each of 2D slices some elements, so that nothing is rounded.
constexpr std::int64_t kBytesPerRank = 96;

double log2_of(int n) { return std::log2(n); }
double log3_of(int n) { return std::log(n) / std::log(3); }

std::string run_on(const char* algorithm, const std::string& topology, int ranks) {
  return fmt::format("allreduce --algo {} --topo {} --size {}B --alpha 0 --latency 0 --bw 1GB/s --routing deterministic",
                     algorithm, topology, ranks * kBytesPerRank);
}

/// Of a measured run: Θ against m·β/D, β = 1 ns/B.
double theta_of(Lab& lab, const std::string& arguments, int ranks, int dimensions) {
  const double bytes = static_cast<double>(ranks * kBytesPerRank);
  return lab.microseconds(arguments) * 1e3 / bytes * dimensions;
}

const char* const kOnePort =
    "Of one port against one port's optimum, 2m·β, since `torus_rabenseifner` uses one at a time; there the table's factor is "
    "right. "
    "It is printed against m·β/D, the optimum of all 2D ports, with a mirrored copy on each further port: App. B counts the "
    "congestion "
    "of each copy by itself. But partners exchange, so that each copy uses both directions of its links, and the mirrored "
    "one's "
    "busiest links are one beside the other's. On ring:256 the whole-vector variant shows it: 255 m·β on one port, 251.5 with "
    "half of the "
    "vector mirrored (`torus_recursive_doubling_multiport`). Copies in other dimensions do help: 28 and 12 m·β/D on torus:8x8.";

// ---- Table 1 ----

struct RingRow {
  const char* name;
  const char* algorithm;
  int ranks;
  std::function<double(int)> latency;
  std::function<double(int)> bandwidth;
  std::function<double(int)> delay;
  const char* delay_form;
  double ports = 1;  ///< Θ is taken against the optimum of one of so many ports
  std::string why = {};
  bool goes_another_way = false;  ///< the table's messages all go one way round, a run's the shorter way
};

std::vector<RingRow> ring_rows() {
  const auto one = [](int) { return 1.0; };
  const auto log2_by_log3 = [](int n) { return log2_of(n) / log3_of(n); };
  const auto twice = [=](int n) { return 2 * log2_by_log3(n); };
  const auto half_log2 = [](int n) { return log2_of(n) / 2; };
  return {
      {"Ring", "ring_bidirectional", 256, [](int n) { return 2.0 * n / log3_of(n); }, one, one, "1", 1, ""},
      {"Rec.Doub. (B)", "torus_rabenseifner", 256, twice, one, half_log2, "½·log₂n", 2, kOnePort},
      {"Swing (B)", "swing_bandwidth", 256, twice, one, [](int n) { return log2_of(n) / 3; }, "⅓·log₂n", 1,
       "The leading term of App. B.1's sum Σ (2^(k+1) − (−1)^(k+1))/3 / 2^(k+1), which is ⅓·log₂n + 1/9 in the limit: 2.777 at "
       "n = 256, as "
       "the run shows."},
      {"Bruck (B)", "bruck_bandwidth", 243, [](int) { return 2.0; }, one, [](int n) { return 2 * log3_of(n); }, "2·log₃n", 1,
       "The table has all messages go one way round. §6 has Bruck take the shorter way: in the last step the peers at n/3 and "
       "2n/3 "
       "are n/3 away on either side, which loads both directions with a third each in place of one with all: 2·(4 + 1/3) = "
       "8.667 at n = 243.",
       true},
      {"Trivance (B)", "trivance_bandwidth", 243, [](int) { return 2.0; }, one, [](int n) { return 2 * log3_of(n) / 3; },
       "⅔·log₃n", 1, ""},
      {"Rec.Doub. (L)", "torus_recursive_doubling", 256, log2_by_log3, half_log2, [](int n) { return double(n); }, "n", 1, ""},
      {"Swing (L)", "swing_latency", 256, log2_by_log3, half_log2, [](int n) { return n / 3.0; }, "n/3", 1,
       "The limit of App. B.1's sum Σ ⌈(2^(k+1) − (−1)^(k+1))/6⌉, which is 1 + 1 + 2 + 3 + 6 + 11 + 22 + 43 = 89 at n = 256."},
      {"Bruck (L)", "bruck_latency", 243, [](int) { return 1.0; }, log3_of, [](int n) { return 1.5 * n; }, "3n/2", 1,
       "As for Bruck (B): on the shorter way round the last step's messages load each direction with n/3 = 81, not one with "
       "243. "
       "3·(1 + 3 + 9 + 27) + 81 = 201; 5n/6 in the limit.",
       true},
      {"Trivance (L)", "trivance_latency", 243, [](int) { return 1.0; }, log3_of, [](int n) { return n / 2.0; }, "n/2", 1, ""},
  };
}

/// compare() with a reason that is shown where it holds within the tolerance, too.
Finding explained(std::string subject, double printed, int decimals, double measured, double tolerance, std::string command,
                  const std::string& why, bool goes_another_way) {
  Finding finding = compare(std::move(subject), printed, decimals, measured, "", tolerance, std::move(command),
                            goes_another_way ? untested(why) : refuted("Table 1, Table 2", why));
  if (finding.verdict != Verdict::holds) finding.why = why;
  return finding;
}

std::vector<Finding> table_1(Lab& lab) {
  const std::vector<RingRow> rows = ring_rows();
  const auto run_of = [](const RingRow& row) { return run_on(row.algorithm, fmt::format("ring:{}", row.ranks), row.ranks); };
  std::vector<std::string> runs;
  for (const RingRow& row : rows) runs.push_back(run_of(row));
  lab.prepare(runs);
  std::vector<Finding> findings;
  for (const RingRow& row : rows) {
    const int n = row.ranks;
    const Report& report = lab.run(run_of(row));
    const auto bytes = static_cast<double>(n * kBytesPerRank);
    const std::string ring = fmt::format("{}, ring:{}", row.name, n);
    const std::string command = "heddle run " + run_of(row);
    findings.push_back(explained(ring + ": Λ", row.latency(n), 2, report.rounds_max() / log3_of(n), 0.01, command,
                                 "2(n−1) steps, not 2n.", false));
    findings.push_back(explained(ring + ": Δ", row.bandwidth(n), 2,
                                 static_cast<double>(report.sent_max().count()) / (2 * bytes), 0.01, command,
                                 "2m(n−1)/n, not 2m.", false));
    findings.push_back(explained(fmt::format("{}: Θ = {}", ring, row.delay_form), row.delay(n), 2,
                                 theta_of(lab, run_of(row), n, 1) / row.ports, 0.05, command,
                                 row.why.empty() ? "n − 1 where the table prints n." : row.why, row.goes_another_way));
    if (row.ports > 1) findings.back().why = row.why;
  }
  return findings;
}

// ---- Table 2 ----

/// Σ_d Σ_k base^−(1+d+D·k)·congestion(k): what a bandwidth-optimal algorithm loads its links with, phase by phase (App. B.2).
double bandwidth_sum(int dimensions, int steps, int base, const std::function<double(int)>& congestion) {
  double sum = 0;
  for (int d = 0; d < dimensions; ++d)
    for (int k = 0; k < steps; ++k) sum += std::pow(base, -(1 + d + dimensions * k)) * congestion(k);
  return sum;
}

double swing_distance(int k) { return (std::pow(2, k + 1) - std::pow(-1, k + 1)) / 3; }

/// How many terms stand for infinitely many.
constexpr int kInfinitelyMany = 60;
/// Of sums that grow: as many as a whole number in a double can distinguish.
constexpr int kManySteps = 30;

struct Fabric {
  int dimensions;
  int steps;  ///< log of a side
  const char* topology;
  int ranks;
};

const std::vector<Fabric>& fabrics_of(int base) {
  static const std::vector<Fabric> twos = {
      {2, 5, "torus:32x32", 1024}, {3, 3, "torus:8x8x8", 512}, {4, 2, "torus:4x4x4x4", 256}};
  static const std::vector<Fabric> threes = {
      {2, 3, "torus:27x27", 729}, {3, 2, "torus:9x9x9", 729}, {4, 1, "torus:3x3x3x3", 81}};
  return base == 2 ? twos : threes;
}

struct TorusRow {
  const char* name;
  const char* algorithm;
  int base;                                              ///< of the sides that it likes: 2 or 3
  std::function<double(int dimensions, int steps)> sum;  ///< Θ at this size, by App. B
  /// Of the table's columns D = 2, 3, 4: of L variants in units of n^(1/D), with as many decimals as that takes.
  std::vector<double> columns;
  int decimals;
  bool grows;  ///< with n^(1/D)
  bool has_one_port = false;
  std::string why_sum = {};
  std::string slip = {};  ///< what is wrong in the columns, where they are not the limits of the row's own closed form
  std::string quote = {};
};

const char* const kBruckTorus =
    "App. B.2 has all messages go one way round. On the shorter way, as §6 has it, the last step of each dimension, to peers "
    "at a third "
    "and two thirds of the ring, loads each direction a third as much. In bandwidth-optimal variants that step carries ever "
    "less as n "
    "grows, so that the limit is the table's; in latency-optimal ones it is the heaviest: "
    "D/2·(5/3)·n^(1/D) in the limit instead of 3D/2·n^(1/D).";

std::vector<TorusRow> torus_rows() {
  const auto power = [](int base) { return [base](int k) { return std::pow(base, k); }; };
  return {
      {"Rec.Doub. (L)",
       "torus_recursive_doubling",
       2,
       [](int d, int steps) { return d * d * (std::pow(2, steps) - 1); },
       {4, 6, 8},
       0,
       true,
       false,
       "",
       "The columns for D = 3 and 4 print 2D·n^(1/D); the closed form beside them, D²·n^(1/D), is 9 and 16, and runs agree "
       "with that.",
       "Rec.Doub. (L) | D²·n^(1/D) | 4√n | 6n^(1/3) | 8n^(1/4)"},
      {"Swing (L)",
       "swing_latency",
       2,
       [](int d, int steps) {
         double sum = 0;
         for (int k = 0; k < steps; ++k) sum += std::ceil(swing_distance(k) / 2);
         return d * d * sum;
       },
       {4.0 / 3, 3, 16.0 / 3},
       2,
       true,
       false,
       "",
       ""},
      {"Bruck (L)",
       "bruck_latency",
       3,
       [](int d, int steps) { return 3 * d * (std::pow(3, steps) - 1) / 2; },
       {3, 4.5, 6},
       1,
       true,
       false,
       kBruckTorus,
       ""},
      {"Trivance (L)",
       "trivance_latency",
       3,
       [](int d, int steps) { return d * (std::pow(3, steps) - 1) / 2; },
       {1, 1.5, 2},
       1,
       true,
       false,
       "",
       ""},
      {"Bucket", "bucket", 2, [](int, int) { return 1.0; }, {1, 1, 1}, 0, false, false, "(n−1)/n.", ""},
      {"Swing (B)",
       "swing_bandwidth",
       2,
       [](int d, int steps) { return bandwidth_sum(d, steps, 2, swing_distance); },
       {1.2, 1.04, 1.01},
       2,
       false,
       false,
       "",
       ""},
      {"Trivance (B)",
       "trivance_bandwidth",
       3,
       [=](int d, int steps) { return 2 * bandwidth_sum(d, steps, 3, power(3)); },
       {1.33, 1.08, 1.02},
       2,
       false,
       false,
       "",
       "",
       ""},
      {"Rec.Doub. (B)",
       "torus_rabenseifner",
       2,
       [=](int d, int steps) { return bandwidth_sum(d, steps, 2, power(2)); },
       {1.5, 1.17, 1.07},
       2,
       false,
       true,
       "",
       ""},
      {"Bruck (B)",
       "bruck_bandwidth",
       3,
       [=](int d, int steps) { return 6 * bandwidth_sum(d, steps, 3, power(3)); },
       {4, 3.25, 3.06},
       2,
       false,
       false,
       kBruckTorus,
       "3·(3⁴−1)/(3⁴−3) = 240/78 = 3.077: a slip of a digit.",
       "Bruck (B) | 3·(3^D−1)/(3^D−3) | 4 | 3.25 | 3.06"},
  };
}

/// A column beside the limit of the row's sum. What agrees is algebra and no measurement: the finite sums are measured.
Finding limit_of(const TorusRow& row, int dimensions, std::size_t column, double limit) {
  Finding finding = compare(
      fmt::format("{}, D = {}, n → ∞, of App. B's sum{}", row.name, dimensions, row.grows ? ", by n^(1/D)" : ""),
      row.columns[column], row.decimals, limit, "", row.slip.empty() ? 0.01 : 0, "", contradiction(row.quote, row.slip));
  if (!does_not_hold(finding.verdict))
    return define(finding.subject, finding.printed,
                  "The limit of App. B's sum, which is the paper's own. Runs measure the sum at a finite size.");
  return finding;
}

std::vector<Finding> table_2(Lab& lab) {
  const std::vector<TorusRow> rows = torus_rows();
  std::vector<std::string> runs;
  for (const TorusRow& row : rows)
    for (const Fabric& fabric : fabrics_of(row.base)) runs.push_back(run_on(row.algorithm, fabric.topology, fabric.ranks));
  lab.prepare(runs);
  std::vector<Finding> findings;
  for (const TorusRow& row : rows) {
    for (std::size_t column = 0; column < row.columns.size(); ++column) {
      const Fabric& fabric = fabrics_of(row.base)[column];
      const std::string arguments = run_on(row.algorithm, fabric.topology, fabric.ranks);
      const double ports = row.has_one_port ? 2.0 * fabric.dimensions : 1;
      const int many = row.grows ? kManySteps : kInfinitelyMany;
      const double limit = row.sum(fabric.dimensions, many) / (row.grows ? std::pow(row.base, many) : 1);
      findings.push_back(limit_of(row, fabric.dimensions, column, limit));
      findings.push_back(explained(
          fmt::format("{}, {}: Θ by App. B's sum{}", row.name, fabric.topology, row.has_one_port ? ", of one port" : ""),
          row.sum(fabric.dimensions, fabric.steps), 2, theta_of(lab, arguments, fabric.ranks, fabric.dimensions) / ports, 0.01,
          "heddle run " + arguments, row.why_sum.empty() ? "As measured." : row.why_sum, row.why_sum == kBruckTorus));
      if (row.has_one_port) findings.back().why = kOnePort;
    }
  }
  return findings;
}

/// The rows whose factor grows towards its limit, on sides three times as long.
std::vector<Finding> table_2_large(Lab& lab) {
  constexpr int kRanks = 81 * 81;
  std::vector<Finding> findings;
  for (const TorusRow& row : torus_rows()) {
    if (row.base != 3 || row.grows) continue;
    const std::string arguments = run_on(row.algorithm, "torus:81x81", kRanks);
    findings.push_back(explained(fmt::format("{}, torus:81x81: Θ by App. B's sum", row.name), row.sum(2, 4), 3,
                                 theta_of(lab, arguments, kRanks, 2), 0.01, "heddle run " + arguments, row.why_sum,
                                 row.why_sum == kBruckTorus));
  }
  return findings;
}

}  // namespace

std::vector<Claim> table_claims() {
  return {
      {.name = "trivance/table-1",
       .section = "§2.3, Table 1; App. B.1",
       .statement = "On a ring of n, how many times the optimum each algorithm takes in steps (Λ), bytes (Δ) and transmission "
                    "delay (Θ).",
       .check = table_1},
      {.name = "trivance/table-2",
       .section = "§5, Table 2; App. B.2",
       .statement =
           "On tori of D dimensions, how many times the ideal m·β/D the messages of each algorithm take on the busiest links, "
           "as n grows: B variants near 1, L variants in proportion to n^(1/D).",
       .check = table_2},
      {.name = "trivance/table-2-large",
       .section = "§5, Table 2; App. B.2",
       .statement = "The same on 6,561 ranks, where the B variants have come nearer to their limits, 1.33 and 4.",
       .full = true,
       .check = table_2_large},
  };
}

}  // namespace heddle::claims::trivance_parts

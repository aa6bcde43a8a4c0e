// SPDX-License-Identifier: Apache-2.0
// Trivance's Tables 1 and 2: optimality factors, from what runs count and from the time of runs that have bandwidth only.
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "claims/compared_rows.hpp"

namespace heddle::claims {

namespace trivance {

namespace {

// Bytes on a rank: for each block of each of 2D slices some elements, so that nothing is rounded.
constexpr std::int64_t kBytesPerRank = 96;

double log2_of(int n) { return std::log2(n); }
double log3_of(int n) { return std::log(n) / std::log(3); }

std::string bandwidth_run(const std::string& algorithm, const std::string& topology, int ranks) {
  return fmt::format("allreduce --algo {} --topo {} --size {}B --alpha 0 --latency 0 --bw 1GB/s --routing deterministic",
                     algorithm, topology, ranks * kBytesPerRank);
}

/// Of a measured run: Θ against m·β/D, β = 1 ns/B.
double theta_of(Lab& lab, const std::string& arguments, int ranks, int dimensions) {
  const double bytes = static_cast<double>(ranks * kBytesPerRank);
  return lab.microseconds(arguments) * 1e3 / bytes * dimensions;
}

/// compare() with a reason that is shown where it holds within the tolerance, too.
Finding explained(std::string subject, Printed printed, double measured, double tolerance, std::string command,
                  const Unless& reason) {
  Finding finding = compare(std::move(subject), printed, measured, "", tolerance, std::move(command),
                            reason.verdict == Verdict::not_tested ? reason : refuted("Table 1, Table 2", reason.why));
  if (finding.verdict != Verdict::holds) finding.why = reason.why;
  return finding;
}

// ---- Table 1 ----

/// A factor on a ring of n, as the table prints it.
double factor(const std::string& form, int n) {
  using Factor = double (*)(int);
  static const std::map<std::string, Factor> factors = {
      {"1", [](int) { return 1.0; }},
      {"2", [](int) { return 2.0; }},
      {"log₃n", log3_of},
      {"2·log₃n", [](int m) { return 2 * log3_of(m); }},
      {"⅔·log₃n", [](int m) { return 2 * log3_of(m) / 3; }},
      {"½·log₂n", [](int m) { return log2_of(m) / 2; }},
      {"⅓·log₂n", [](int m) { return log2_of(m) / 3; }},
      {"log₂n/log₃n", [](int m) { return log2_of(m) / log3_of(m); }},
      {"2·log₂n/log₃n", [](int m) { return 2 * (log2_of(m) / log3_of(m)); }},
      {"2n/log₃n", [](int m) { return 2.0 * m / log3_of(m); }},
      {"n", [](int m) { return double(m); }},
      {"n/2", [](int m) { return m / 2.0; }},
      {"n/3", [](int m) { return m / 3.0; }},
      {"3n/2", [](int m) { return 1.5 * m; }},
  };
  return factors.at(form)(n);
}

/// Name, algorithm, ranks, Λ, Δ, Θ, why Θ is another, and of how many ports the optimum of one is what Θ is taken against. No test
/// of Θ where the table's messages all go one way round, a run's the shorter way.
void table_1(Lab& lab, const ClaimData& check, Findings& findings) {
  const auto run_of = [](const ClaimData& row) {
    return bandwidth_run(row.text(1), fmt::format("ring:{}", row.integer(2)), row.integer(2));
  };
  std::vector<std::string> runs;
  for (const ClaimData& row : check.rows()) runs.push_back(run_of(row));
  lab.prepare(runs);
  for (const ClaimData& row : check.rows()) {
    const int n = row.integer(2);
    const Report& report = lab.run(run_of(row));
    const auto bytes = static_cast<double>(n * kBytesPerRank);
    const std::string ring = fmt::format("{}, ring:{}", row.text(0), n);
    const std::string command = command_of(run_of(row));
    const double ports = row.number(7, 1);
    findings.push_back(explained(ring + ": Λ", {factor(row.text(3), n), 2}, report.rounds_max() / log3_of(n), 0.01, command,
                                 "2(n−1) steps, not 2n."));
    findings.push_back(explained(ring + ": Δ", {factor(row.text(4), n), 2},
                                 static_cast<double>(report.sent_max().count()) / (2 * bytes), 0.01, command,
                                 "2m(n−1)/n, not 2m."));
    findings.push_back(explained(fmt::format("{}: Θ = {}", ring, row.text(5)), {factor(row.text(5), n), 2},
                                 theta_of(lab, run_of(row), n, 1) / ports, 0.05, command,
                                 row.has(6) ? row.unless(6) : "n − 1 where the table prints n."));
    if (ports > 1) findings.back().why = row.unless(6).why;
  }
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
double power_of_two(int k) { return std::pow(2, k); }
double power_of_three(int k) { return std::pow(3, k); }

/// Θ on D dimensions whose sides are so many steps, by App. B.
double theta_sum(const std::string& algorithm, int dimensions, int steps_of_side) {
  using Sum = double (*)(int, int);
  static const std::map<std::string, Sum> sums = {
      {"torus_recursive_doubling", [](int d, int steps) { return d * d * (std::pow(2, steps) - 1); }},
      {"swing_latency",
       [](int d, int steps) {
         double sum = 0;
         for (int k = 0; k < steps; ++k) sum += std::ceil(swing_distance(k) / 2);
         return d * d * sum;
       }},
      {"bruck_latency", [](int d, int steps) { return 3 * d * (std::pow(3, steps) - 1) / 2; }},
      {"trivance_latency", [](int d, int steps) { return d * (std::pow(3, steps) - 1) / 2; }},
      {"bucket", [](int, int) { return 1.0; }},
      {"swing_bandwidth", [](int d, int steps) { return bandwidth_sum(d, steps, 2, swing_distance); }},
      {"trivance_bandwidth", [](int d, int steps) { return 2 * bandwidth_sum(d, steps, 3, power_of_three); }},
      {"torus_rabenseifner", [](int d, int steps) { return bandwidth_sum(d, steps, 2, power_of_two); }},
      {"bruck_bandwidth", [](int d, int steps) { return 6 * bandwidth_sum(d, steps, 3, power_of_three); }},
  };
  return sums.at(algorithm)(dimensions, steps_of_side);
}

struct Torus {
  int dimensions;
  int steps;  ///< log of a side
  const char* topology;
  int ranks;
};

/// Of 2, 3 and 4 dimensions, with sides that are powers of `base`.
const std::vector<Torus>& tori_of(int base) {
  static const std::vector<Torus> twos = {
      {2, 5, "torus:32x32", 1024}, {3, 3, "torus:8x8x8", 512}, {4, 2, "torus:4x4x4x4", 256}};
  static const std::vector<Torus> threes = {
      {2, 3, "torus:27x27", 729}, {3, 2, "torus:9x9x9", 729}, {4, 1, "torus:3x3x3x3", 81}};
  return base == 2 ? twos : threes;
}

/// A column beside the limit of the row's sum. What agrees is algebra and no measurement: the finite sums are measured. Sums that
/// grow are divided by n^(1/D).
Finding limit_of(const ClaimData& row, int dimensions, Printed column) {
  // Sums that grow: of as many steps as a whole number in a double can distinguish; else of as many as stand for infinitely many.
  const bool grows = row.has("grows");
  const int many = grows ? 30 : 60;
  const double limit = theta_sum(row.text(1), dimensions, many) / (grows ? std::pow(row.integer(2), many) : 1);
  Finding finding =
      compare(fmt::format("{}, D = {}, n → ∞, of App. B's sum{}", row.text(0), dimensions, grows ? ", by n^(1/D)" : ""), column,
              limit, "", row.has(5) ? 0 : 0.01, "", row.unless(5));
  if (!does_not_hold(finding.verdict))
    return define(finding.subject, finding.printed,
                  "The limit of App. B's sum, which is the paper's own. Runs measure the sum at a finite size.");
  return finding;
}

/// Name, algorithm, the sides that it likes (2 or 3), the table's columns D = 2, 3, 4, why the sum is another, what is wrong in the
/// columns where they are not the limits of the row's own closed form, and why Θ is taken against the optimum of one port.
void table_2(Lab& lab, const ClaimData& check, Findings& findings) {
  std::vector<std::string> runs;
  for (const ClaimData& row : check.rows())
    for (const Torus& torus : tori_of(row.integer(2))) runs.push_back(bandwidth_run(row.text(1), torus.topology, torus.ranks));
  lab.prepare(runs);
  for (const ClaimData& row : check.rows()) {
    for (int column = 0; column < 3; ++column) {
      const Torus& torus = tori_of(row.integer(2))[static_cast<std::size_t>(column)];
      const std::string arguments = bandwidth_run(row.text(1), torus.topology, torus.ranks);
      const double ports = row.has(6) ? 2.0 * torus.dimensions : 1;
      findings.push_back(limit_of(row, torus.dimensions, row.printed_in(3, column)));
      findings.push_back(
          explained(fmt::format("{}, {}: Θ by App. B's sum{}", row.text(0), torus.topology, row.has(6) ? ", of one port" : ""),
                    {theta_sum(row.text(1), torus.dimensions, torus.steps), 2},
                    theta_of(lab, arguments, torus.ranks, torus.dimensions) / ports, 0.01, command_of(arguments),
                    row.has(4) ? row.unless(4) : "As measured."));
      if (row.has(6)) findings.back().why = row.unless(6).why;
    }
  }
}

/// Name, algorithm and why the sum is another, of rows whose factor grows towards its limit: on sides three times as long.
Finding table_2_large(Lab& lab, const ClaimData& row) {
  constexpr int kRanks = 81 * 81;
  const std::string arguments = bandwidth_run(row.text(1), "torus:81x81", kRanks);
  return explained(row.text(0) + ", torus:81x81: Θ by App. B's sum", {theta_sum(row.text(1), 2, 4), 3},
                   theta_of(lab, arguments, kRanks, 2), 0.01, command_of(arguments), row.unless(2));
}

}  // namespace

}  // namespace trivance

Vocabulary trivance_table_vocabulary() {
  using namespace trivance;
  return {.rows = {{"table 2, large", table_2_large}}, .checks = {{"table 1", table_1}, {"table 2", table_2}}};
}

}  // namespace heddle::claims

// SPDX-License-Identifier: Apache-2.0
// A ring's allreduce of M bytes on a star of p takes
//
//     T = 2(p-1)·(2o + 2ℓ + M/(pB)) + (p-1)·γM/p
//
// With o = 3 µs, ℓ = 5 µs, B = 1 GB/s, γ = 0.2 ns/B, p = 4, M = 64 KiB: 6·(6 + 10 + 16.384) + 3·3.2768 = 204.1344 µs. A fit has to
// find the four of them in such times.
#include "lab/results/fabric_fit.hpp"

#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "heddle/errors.hpp"
#include "lab/run/run_algorithm.hpp"
#include "tests/catch.hpp"
#include "tests/cli/temporary_directory.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

using namespace literals;

constexpr double kOverhead = 3e-6;
constexpr double kLatency = 5e-6;
constexpr double kBandwidth = 1e9;
constexpr double kGamma = 0.2e-9;
constexpr const char* kSpeeds = "--latency 5us --bw 1GB/s --gamma 0.2ns --send-overhead 3us --recv-overhead 3us";

/// As an emulated run takes with kSpeeds.
MeasuredRun measured(const std::string& call) {
  const Outcome outcome = Experiment::parse(call + " --topo star:4 " + kSpeeds).run();
  const Report* report = outcome.report();
  REQUIRE(report != nullptr);
  MeasuredRun run;
  run.place = "results.json:1";
  run.experiment = Experiment::parse(call);
  run.time = report->completion;
  run.network = "a network";
  run.experiment.ranks = 4;
  run.rounds = report->rounds_max();
  run.messages = report->messages();
  return run;
}

std::vector<MeasuredRun> measured_all(const std::vector<std::string>& calls) {
  std::vector<MeasuredRun> runs;
  for (const std::string& call : calls)
    for (const char* size : {"1KiB", "16KiB", "256KiB"}) runs.push_back(measured(call + " --size " + size));
  return runs;
}

/// The time of each run is another by a part that has mean 0 and this standard deviation.
void add_noise(std::vector<MeasuredRun>& runs, double deviation, std::uint64_t seed) {
  SplitMix64 random(seed);
  for (MeasuredRun& run : runs) {
    const double uniform = static_cast<double>(random.next() >> 11) * 0x1p-53;
    run.time = Time::from_seconds(run.time.seconds() * (1 + deviation * std::sqrt(12.0) * (uniform - 0.5)));
  }
}

double value_of(const FabricFit& fit, FabricParameter parameter) {
  const FittedParameter& of = fit.parameters[static_cast<std::size_t>(parameter)];
  REQUIRE(of.parameter == parameter);
  REQUIRE(of.value.has_value());
  return *of.value;
}

FabricFit fit_of(const std::vector<MeasuredRun>& runs, const char* algorithms) {
  return fit_fabric(parse_topology("star:4"), runs, choose_fitted(runs, algorithms));
}

}  // namespace

TEST_CASE("a ring on a star takes 2(p-1)(2o + 2l + M/(pB)) + (p-1)yM/p") {
  CHECK(measured("allreduce --algo ring --size 64KiB").time == Time::ps(204'134'400));
}

TEST_CASE("times of known parameters give these back, and predict algorithms that were not fitted") {
  // A linear alltoall posts all its messages at once, which overlap their latencies and not their overheads.
  const std::vector<MeasuredRun> runs =
      measured_all({"allreduce --algo ring", "allreduce --algo recursive_doubling", "alltoall --algo linear",
                    "allreduce --algo rabenseifner", "allreduce --algo swing_bandwidth", "broadcast --algo binomial_halving"});
  const FabricFit fit = fit_of(runs, "ring,recursive_doubling,linear");
  constexpr double kOnePercent = 0.01;
  CHECK(value_of(fit, FabricParameter::overhead) == Approx(kOverhead).epsilon(kOnePercent));
  CHECK(value_of(fit, FabricParameter::gamma) == Approx(kGamma).epsilon(kOnePercent));
  CHECK(value_of(fit, FabricParameter::latency) == Approx(kLatency).epsilon(kOnePercent));
  CHECK(value_of(fit, FabricParameter::bandwidth) == Approx(kBandwidth).epsilon(kOnePercent));
  CHECK(fit.errors(false)->worst < 1e-3);
  CHECK(fit.errors(true)->worst < 1e-3);
  CHECK(fit.errors(false, "rabenseifner")->worst <= fit.errors(false)->worst);
  CHECK_FALSE(fit.errors(true, "rabenseifner").has_value());
}

TEST_CASE("what the runs do not tell apart is not determined, and the rest predicts as well") {
  // One message at a time: 2o + 2ℓ alone is seen, so that ℓ stands for ℓ + o = 8 µs.
  const std::vector<MeasuredRun> runs =
      measured_all({"allreduce --algo ring", "allreduce --algo recursive_doubling", "allreduce --algo rabenseifner"});
  const FabricFit fit = fit_of(runs, "");
  CHECK_FALSE(fit.parameters.front().value.has_value());
  CHECK(fit.settings.send_overhead == Time());
  CHECK(value_of(fit, FabricParameter::latency) == Approx(8e-6).epsilon(1e-3));
  CHECK(fit.errors(false)->worst < 1e-3);
  CHECK(fit.errors(false, "rabenseifner").has_value());
}

TEST_CASE("without local work gamma is not determined") {
  const std::vector<MeasuredRun> runs = measured_all({"allgather --algo ring", "allgather --algo pairwise"});
  const FabricFit fit = fit_of(runs, "ring,pairwise");
  CHECK_FALSE(fit.parameters[static_cast<std::size_t>(FabricParameter::gamma)].value.has_value());
  CHECK(fit.settings.gamma == 0);
  CHECK(value_of(fit, FabricParameter::bandwidth) == Approx(kBandwidth).epsilon(1e-3));
  CHECK_FALSE(fit.errors(false).has_value());
}

TEST_CASE("noise of three per cent leaves predictions within five") {
  const std::vector<MeasuredRun> exact =
      measured_all({"allreduce --algo ring", "allreduce --algo recursive_doubling", "alltoall --algo linear",
                    "allreduce --algo rabenseifner", "allreduce --algo swing_bandwidth"});
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    std::vector<MeasuredRun> runs = exact;
    add_noise(runs, 0.03, seed);
    const FabricFit fit = fit_of(runs, "ring,recursive_doubling,linear");
    for (std::size_t i = 0; i < runs.size(); ++i) {
      INFO("seed " << seed << ", " << runs[i].experiment.algorithm << " of " << runs[i].experiment.size->count());
      CHECK(fit.runs[i].emulated.seconds() == Approx(exact[i].time.seconds()).epsilon(0.05));
    }
    CHECK(fit.parameters.back().error > 0.001);
    CHECK(fit.parameters.back().error < 0.1);
  }
}

TEST_CASE("a fit refuses runs that the topology cannot have had") {
  const std::vector<MeasuredRun> runs = measured_all({"allreduce --algo ring"});
  const std::vector<bool> fitted(runs.size(), true);
  CHECK_THROWS_WITH(fit_fabric(parse_topology("star:3"), runs, fitted),
                    "--topo star:3: 3 endpoints, and the run at results.json:1 has 4 ranks");
  CHECK_THROWS_WITH(fit_fabric(parse_topology("star:8"), runs, fitted),
                    "--topo star:8: 8 endpoints, and no run has as many ranks; runs have 4");
  CHECK_THROWS_WITH(fit_fabric(parse_topology("star:4"), runs, {true, true, false}),
                    Catch::StartsWith("2 runs to fit, and 3 are"));
}

TEST_CASE("least squares find the minimum, and no spread where nothing depends on a part") {
  // y = a·exp(b·t) with a = 2, b = -0.5, at t = 0 … 4.
  const Residuals residuals = [](const std::vector<double>& x) {
    std::vector<double> differences;
    for (int t = 0; t < 5; ++t) differences.push_back(x[0] * std::exp(x[1] * t) - 2 * std::exp(-0.5 * t));
    return differences;
  };
  const LeastSquares found = least_squares(residuals, {1, 0}, 1e-6, 10);
  CHECK(found.x[0] == Approx(2).epsilon(1e-6));
  CHECK(found.x[1] == Approx(-0.5).epsilon(1e-6));
  CHECK(found.sum < 1e-12);
  const LeastSquares flat = least_squares(
      [](const std::vector<double>& x) {
        return std::vector<double>{x[0] - 1, 2 * x[0] - 2};
      },
      {5, 5}, 1e-6, 10);
  CHECK(flat.x[0] == Approx(1).epsilon(1e-6));
  CHECK(std::isinf(flat.spread[1]));
}

TEST_CASE("a positive definite system is solved, another is not") {
  const std::vector<double> x = solve_positive({{4, 2}, {2, 3}}, {10, 9});
  REQUIRE(x.size() == 2);
  CHECK(x[0] == Approx(1.5));
  CHECK(x[1] == Approx(2));
  CHECK(solve_positive({{1, 1}, {1, 1}}, {1, 1}).empty());
  CHECK(solve_positive({{0}}, {1}).empty());
}

// A ring of 4 on a star takes T = 6·(2ℓ + M/(4B)) with ℓ = 2 us, B = 20 GB/s. The table has it with up to 3 % of noise, at every
// other size. The fit says how far sizes are off that it was not given, and the sizes between are within that.
TEST_CASE("a fit of an nccl-tests table predicts sizes that it was not given within the error that it states") {
  const auto exact = [](double bytes) { return 6 * (2 * 2e-6 + bytes / (4 * 20e9)); };
  SplitMix64 random(7);
  std::string log =
      "# Collective test starting: all_reduce_perf\n"
      "#       size         count      type   redop    root     time   algbw   busbw #wrong\n";
  for (double bytes = 64; bytes < 1e8; bytes *= 4) {
    const double noise = 0.06 * (static_cast<double>(random.next() >> 11) / static_cast<double>(1ULL << 53) - 0.5);
    const double us = exact(bytes) * (1 + noise) * 1e6;
    log += fmt::format("{:.0f} {:.0f} float sum -1 {:.2f} {:.2f} {:.2f} 0\n", bytes, bytes / 4, us, bytes / us / 1e3,
                       bytes / us / 1e3 * 1.5);
  }
  const test::TemporaryDirectory directory("fit-log");
  const std::vector<std::string> files = {directory / "log.txt"};
  std::ofstream(files.front()) << log;
  const std::vector<MeasuredRun> runs = read_measurements(files, MeasuredTime::median, {.algorithm = "ring", .ranks = 4}).runs;
  const FabricFit fit = fit_of(runs, "");
  REQUIRE(fit.left_out);
  CHECK(fit.left_out->worst < 0.07);
  for (double bytes = 128; bytes < 1e8; bytes *= 4) {
    Experiment call = runs.front().experiment;
    call.size = Bytes(static_cast<std::int64_t>(bytes));
    call.fabric.topology = "star:4";
    call.fabric.bandwidth = {fit.settings.tiers.front().bandwidth};
    call.fabric.latency = {fit.settings.tiers.front().latency};
    const Outcome outcome = call.run();
    REQUIRE(outcome.report() != nullptr);
    INFO(bytes << " bytes");
    CHECK(std::abs(outcome.report()->completion.seconds() / exact(bytes) - 1) <= fit.left_out->worst);
  }
}

}  // namespace heddle

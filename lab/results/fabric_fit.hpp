// SPDX-License-Identifier: Apache-2.0
// The speeds of a fabric with which emulated runs take what measured ones took: LogGP's parameters (docs/sources.md,
// alexandrov-1995) and γ, for the model of docs/model.md.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/registry.hpp"
#include "heddle/units.hpp"
#include "lab/measurements/measured_run.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

/// By run, whether it is fitted: `algorithms` are names with commas, as the files have them. Empty: runs on 2 ranks of one message
/// or of one round, and all runs of the first two other algorithms. Throws InputError for an algorithm of which there is no run.
std::vector<bool> choose_fitted(std::span<const MeasuredRun> runs, std::string_view algorithms);

/// In the order in which they are given up where runs do not tell them apart.
enum class FabricParameter : std::uint8_t {
  overhead,   ///< o of each send and of each receive: seconds
  gamma,      ///< γ: seconds of local work per byte
  latency,    ///< ℓ of each link: seconds
  bandwidth,  ///< B of each link: bytes per second
};
inline constexpr std::array<FabricParameter, 4> kFabricParameters = {FabricParameter::overhead, FabricParameter::gamma,
                                                                     FabricParameter::latency, FabricParameter::bandwidth};

struct FittedParameter {
  FabricParameter parameter;
  /// Four digits. No value: the runs fitted do not determine it; it counts as 0, a bandwidth as unlimited.
  std::optional<double> value;
  double error = 0;  ///< the standard error, as a part of the value
};

struct FittedRun {
  const MeasuredRun* run;
  bool is_fitted;  ///< the parameters come of it, among others
  Time emulated;
  /// By how much the emulated time differs, as a part of the measured one.
  double error() const;
};

/// Of several runs, without signs.
struct FitErrors {
  double median;
  double worst;
};

struct FabricFit {
  std::vector<FittedParameter> parameters;  ///< all four, as they are listed above
  FabricSettings settings;                  ///< what they make
  std::vector<FittedRun> runs;              ///< in the order given
  /// Where all runs are fitted, of sizes that are left out in turn, a quarter each time, and predicted from the others. No value:
  /// others are predicted, or there are fewer than eight sizes.
  std::optional<FitErrors> left_out = {};

  /// Of the runs that are fitted, or of those that are not, of one algorithm or (empty) of all; no value where there are none.
  std::optional<FitErrors> errors(bool of_fitted, std::string_view algorithm = {}) const;
};

/// Least squares of ln(emulated / measured) over the runs that are fitted, on `topology`; all its links have the same speed. A
/// parameter without which the sum of squares grows no further than noise explains is not determined. `runs` outlive the result.
/// `own` are algorithms besides the registry's. Emulates on all cores; the result is the same on any number of them. Throws
/// InputError for runs that cannot be on the topology, of algorithms that there are not, and for fewer than three to fit;
/// CheckError for an emulated run that fails.
FabricFit fit_fabric(std::shared_ptr<const Topology> topology, std::span<const MeasuredRun> runs,
                     const std::vector<bool>& fitted, std::shared_ptr<const std::vector<Algorithm>> own = nullptr);

// Least squares of a function that is not linear: Levenberg's and Marquardt's method (docs/sources.md, marquardt-1963).

/// Residuals at x: as many at each x, at least as many as x has parts.
using Residuals = std::function<std::vector<double>(const std::vector<double>& x)>;

struct LeastSquares {
  std::vector<double> x;
  std::vector<double> residuals;
  double sum = 0;  ///< of their squares
  /// The diagonal of (JᵀJ)⁻¹ at x: times the variance of a residual, the variance of each part of x. Infinity where the
  /// residuals do not depend on it.
  std::vector<double> spread;
};

/// A minimum of the sum of squares that is reached from `start`; J by differences of `step`, and no step changes a part of x by
/// more than `longest`. Deterministic. Passes on what `residuals` throws.
LeastSquares least_squares(const Residuals& residuals, std::vector<double> start, double step, double longest);

/// The solution of a·x = b for a symmetric positive definite a, by rows (Cholesky's method); empty if it is none.
std::vector<double> solve_positive(std::vector<std::vector<double>> a, std::vector<double> b);

}  // namespace heddle

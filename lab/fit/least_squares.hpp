// SPDX-License-Identifier: Apache-2.0
// Least squares of a function that is not linear: Levenberg's and Marquardt's method (docs/sources.md, marquardt-1963).
#pragma once

#include <functional>
#include <vector>

namespace heddle {

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

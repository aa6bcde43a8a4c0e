// SPDX-License-Identifier: Apache-2.0
#include "lab/fit/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace heddle {

namespace {

using Matrix = std::vector<std::vector<double>>;

double sum_of_squares(const std::vector<double>& values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

/// By part of x, then by residual.
Matrix jacobian(const Residuals& residuals, const std::vector<double>& x, const std::vector<double>& at_x, double step) {
  Matrix columns;
  for (std::size_t j = 0; j < x.size(); ++j) {
    std::vector<double> moved = x;
    moved[j] += step;
    std::vector<double> column = residuals(moved);
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = (column[i] - at_x[i]) / step;
    columns.push_back(std::move(column));
  }
  return columns;
}

/// JᵀJ.
Matrix normal_matrix(const Matrix& columns) {
  Matrix normal(columns.size(), std::vector<double>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t k = 0; k < columns.size(); ++k)
      normal[j][k] = std::inner_product(columns[j].begin(), columns[j].end(), columns[k].begin(), 0.0);
  return normal;
}

/// Marquardt's: the diagonal grows by a factor, so that the units of x's parts have no say.
std::vector<double> damped_step(Matrix normal, const Matrix& columns, const std::vector<double>& residuals, double damping,
                                double longest) {
  std::vector<double> downhill;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    normal[j][j] += damping * std::max(normal[j][j], 1e-12);
    downhill.push_back(-std::inner_product(columns[j].begin(), columns[j].end(), residuals.begin(), 0.0));
  }
  std::vector<double> step = solve_positive(std::move(normal), std::move(downhill));
  for (double& part : step) part = std::clamp(part, -longest, longest);
  return step;
}

std::vector<double> diagonal_of_inverse(const Matrix& normal) {
  std::vector<double> diagonal;
  for (std::size_t j = 0; j < normal.size(); ++j) {
    std::vector<double> unit(normal.size());
    unit[j] = 1;
    const std::vector<double> column = solve_positive(normal, std::move(unit));
    diagonal.push_back(column.empty() ? std::numeric_limits<double>::infinity() : column[j]);
  }
  return diagonal;
}

}  // namespace

std::vector<double> solve_positive(Matrix a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {  // a = L·Lᵀ; L takes the lower half
    const double before = a[j][j];
    for (std::size_t k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
    if (!(a[j][j] > 1e-13 * before)) return {};
    a[j][j] = std::sqrt(a[j][j]);
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

LeastSquares least_squares(const Residuals& residuals, std::vector<double> start, double step, double longest) {
  constexpr int kMostSteps = 100;
  constexpr double kMostDamping = 1e9;
  constexpr double kSettled = 1e-9;  // of the sum
  LeastSquares best{.x = std::move(start), .residuals = {}, .sum = 0, .spread = {}};
  best.residuals = residuals(best.x);
  best.sum = sum_of_squares(best.residuals);
  double damping = 1e-3;
  Matrix columns = jacobian(residuals, best.x, best.residuals, step);
  for (int i = 0; i < kMostSteps && damping < kMostDamping; ++i) {
    const std::vector<double> move = damped_step(normal_matrix(columns), columns, best.residuals, damping, longest);
    std::vector<double> x = best.x;
    for (std::size_t j = 0; j < move.size(); ++j) x[j] += move[j];
    std::vector<double> there = residuals(x);
    const double sum = sum_of_squares(there);
    if (!(sum < best.sum)) {
      damping *= 10;
      continue;
    }
    const bool is_settled = best.sum - sum <= kSettled * best.sum;
    best.x = std::move(x);
    best.residuals = std::move(there);
    best.sum = sum;
    damping = std::max(damping / 10, 1e-9);
    columns = jacobian(residuals, best.x, best.residuals, step);
    if (is_settled) break;
  }
  best.spread = diagonal_of_inverse(normal_matrix(columns));
  return best;
}

}  // namespace heddle

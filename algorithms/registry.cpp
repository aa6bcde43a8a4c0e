// SPDX-License-Identifier: Apache-2.0
#include "algorithms/registry.hpp"

#include <algorithm>

#include "algorithms/allreduce/rows.hpp"
#include "algorithms/requirements.hpp"
#include "core/errors.hpp"
#include "core/nearest_name.hpp"

namespace heddle {

std::span<const Algorithm> registry() {
  static const std::vector<Algorithm> rows = allreduce::rows();
  return rows;
}

std::vector<const Algorithm*> algorithms_of(Collective collective) {
  std::vector<const Algorithm*> rows;
  for (const Algorithm& row : registry()) {
    if (row.collective == collective) rows.push_back(&row);
  }
  return rows;
}

const Algorithm& find_algorithm(Collective collective, std::string_view name) {
  const std::vector<const Algorithm*> rows = algorithms_of(collective);
  const auto found = std::find_if(rows.begin(), rows.end(), [name](const Algorithm* row) { return row->name == name; });
  if (found != rows.end()) return **found;

  std::vector<std::string_view> names;
  for (const Algorithm* row : rows) names.push_back(row->name);
  throw InputError(unknown_name_message(to_string(collective) + " algorithm", name, names));
}

std::string why_not(const Algorithm& algorithm, const Shape& shape, const ReduceOp& op) {
  if (algorithm.needs.grid && shape.dims.empty()) return needs_grid();
  if (algorithm.needs.commutative && !op.commutative()) return needs_commutative(op);
  return {};
}

}  // namespace heddle

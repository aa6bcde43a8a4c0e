// SPDX-License-Identifier: Apache-2.0
// A case with its fabric built, its ranks placed and its row found.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "emu/faults/faults.hpp"
#include "emu/orders/explored_order.hpp"
#include "emu/report/report.hpp"
#include "fuzz/fuzz_case.hpp"
#include "topo/fabric.hpp"
#include "topo/placement.hpp"

namespace heddle {

class PlacedCase {
 public:
  /// Throws InputError for a topology, a placement, a row or a fault that there is not.
  PlacedCase(const FuzzCase& what, std::span<const Algorithm> rows);
  PlacedCase(const FuzzCase& what, Algorithm row);

  const Algorithm& row() const { return row_; }
  /// Of each group.
  int ranks() const { return static_cast<int>(groups_.front().size()); }
  /// The variables of the row's formulas in the first group, for this count, type, root and these blocks of a call.
  Shape shape(const FuzzCase& what) const { return shape(what, groups_.front()); }
  /// The case's, of the ranks of all groups.
  const Faults& faults() const { return faults_; }
  const Topology& topology() const { return fabric_.topology(); }
  /// Empty if the row serves the call in every group.
  std::string refusal(const FuzzCase& what) const;

  /// Throws CheckError; InputError for what is refused. `what` is of the fabric, placement and row that this was made of.
  /// `met_points`: as in EmulationSettings.
  Report run(const FuzzCase& what, std::vector<MetPoint>* met_points = nullptr) const;

 private:
  Shape shape(const FuzzCase& what, const std::vector<int>& group) const;
  void check_formulas(const FuzzCase& what, const Shape& shape, const Report& report) const;

  Algorithm row_;
  Fabric fabric_;
  Placement placement_;
  std::vector<std::vector<int>> groups_;
  Faults faults_;
};

}  // namespace heddle

// SPDX-License-Identifier: Apache-2.0
// A case with its fabric built, its ranks placed and its row found.
#pragma once

#include <span>
#include <string>

#include "algorithms/registry.hpp"
#include "emu/report.hpp"
#include "fuzz/fuzz_case.hpp"
#include "topo/fabric.hpp"
#include "topo/placement.hpp"

namespace heddle {

class PlacedCase {
 public:
  /// Throws InputError for a topology, a placement or a row that there is not.
  PlacedCase(const FuzzCase& what, std::span<const Algorithm> rows);
  PlacedCase(const FuzzCase& what, Algorithm row);

  const Algorithm& row() const { return row_; }
  int ranks() const { return static_cast<int>(placement_.size()); }
  /// The variables of the row's formulas, for this count, type, root and these blocks of a call on the fabric.
  Shape shape(const FuzzCase& what) const;
  /// Empty if the row serves the call.
  std::string refusal(const FuzzCase& what) const { return why_not(row_, shape(what), *what.op); }

  /// Throws CheckError; InputError for what is refused. `what` is of the fabric, placement and row that this was made of.
  Report run(const FuzzCase& what) const;

 private:
  void check_formulas(const FuzzCase& what, const Shape& shape, const Report& report) const;

  Algorithm row_;
  Fabric fabric_;
  Placement placement_;
};

}  // namespace heddle

// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/experiment.hpp"

#include "core/affine.hpp"
#include "lab/experiment/outcome.hpp"
#include "lab/experiment/run_algorithm.hpp"
#include "lab/experiment/setup.hpp"

namespace heddle {

Shape Experiment::shape() const { return set_up(*this, Unfitting::left_out).shape(); }

std::string Experiment::why_not() const {
  const Setup setup = set_up(*this, Unfitting::left_out);
  return setup.algorithms.left_out.empty() ? "" : setup.algorithms.left_out.front().reason;
}

Outcome Experiment::run() const {
  const Setup setup = set_up(*this);
  return run_algorithm(setup, setup.algorithms.chosen.front());
}

bool is_in_place_by_default(Collective collective) { return collective != Collective::alltoall; }

Datatype type_of(const Experiment& experiment) {
  if (experiment.type) return *experiment.type;
  return reduces(experiment.collective) && experiment.op == &affine_op() ? affine_type() : Datatype::i32();
}

}  // namespace heddle

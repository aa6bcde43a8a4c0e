// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/experiment.hpp"

#include "core/errors.hpp"
#include "lab/experiment/outcome.hpp"
#include "lab/experiment/run_algorithm.hpp"
#include "lab/experiment/setup.hpp"

namespace heddle {

namespace {

/// Of the one algorithm, or of why it does not fit.
Setup set_up_one(const Experiment& experiment) {
  if (experiment.algorithm.empty() || experiment.algorithm == "all")
    throw InputError("an experiment has one algorithm; name it, as in --algo ring");
  Setup setup = set_up(experiment, experiment.algorithm, build_fabric(experiment.fabric), Unfitting::left_out);
  if (setup.algorithms.chosen.size() + setup.algorithms.left_out.size() != 1)
    throw InputError("an experiment has one algorithm; --algo names several");
  return setup;
}

}  // namespace

Shape Experiment::shape() const { return set_up_one(*this).shape(); }

std::string Experiment::why_not() const {
  const Setup setup = set_up_one(*this);
  return setup.algorithms.left_out.empty() ? "" : setup.algorithms.left_out.front().reason;
}

Outcome Experiment::run() const {
  const Setup setup = set_up_one(*this);
  if (!setup.algorithms.left_out.empty())
    throw InputError(algorithm + " does not fit: " + setup.algorithms.left_out.front().reason);
  return run_algorithm(setup, setup.algorithms.chosen.front());
}

}  // namespace heddle

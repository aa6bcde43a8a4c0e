// SPDX-License-Identifier: Apache-2.0
// Fabrics that a program in Python has as values.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/describe/experiment.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle::python {

/// A fabric that is given as a value: what the text of a file says of it.
struct GivenFabric {
  std::string name;
  std::string text;
  std::shared_ptr<const Topology> topology;
};

/// The experiment knows these from now on. Throws InputError: two of a name.
void give(Experiment& experiment, const std::vector<GivenFabric>& fabrics);

}  // namespace heddle::python

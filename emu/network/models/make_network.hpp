// SPDX-License-Identifier: Apache-2.0
// The one place that knows which network models there are. A new one is a class, a value of Model and a row in make_network.cpp.
#pragma once

#include <memory>

#include "emu/engine/engine.hpp"
#include "emu/network/models/model.hpp"
#include "emu/network/network.hpp"
#include "topo/fabric.hpp"

namespace heddle::emu {

/// All references must outlive the network. Throws InputError for a load that the model does not know.
std::unique_ptr<Network> make_network(Model model, const Fabric& fabric, Engine& engine, NetworkClient& client,
                                      const NetworkLoad& load);

/// Whether links may be slow or down under this model.
bool knows_link_faults(Model model);

}  // namespace heddle::emu

// SPDX-License-Identifier: Apache-2.0
// The table of network models. A model's file ends with its row, in <name>_model(); CMake writes the table from its list of them
// (emu/CMakeLists.txt).
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "emu/engine/engine.hpp"
#include "emu/network/network.hpp"
#include "emu/network/network_recorder.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::emu {

struct NetworkModel {
  Model model;
  std::string_view summary;  ///< how messages share links: "max-min fair"
  /// Why it does not serve this: what it lacks, after "the … model "; empty: it does.
  std::string_view (*why_not)(ModelNeed);
  /// Likewise of a fabric; nullptr: it serves all.
  std::string (*why_not_on)(const Fabric&, const Model&);
  /// As make_network.
  std::unique_ptr<Network> (*make)(const Fabric&, Engine&, NetworkClient&, NetworkRecorder&, const NetworkLoad&);
};

/// A row's `make` for a class with this constructor.
template <class OneNetwork>
std::unique_ptr<Network> make_one(const Fabric& fabric, Engine& engine, NetworkClient& client, NetworkRecorder& recorder,
                                  const NetworkLoad& load) {
  return std::make_unique<OneNetwork>(fabric, engine, client, recorder, load);
}

/// All of them, the usual one first.
std::vector<NetworkModel> network_models();

/// All references must outlive the network. The model serves the load (why_not).
std::unique_ptr<Network> make_network(Model model, const Fabric& fabric, Engine& engine, NetworkClient& client,
                                      NetworkRecorder& recorder, const NetworkLoad& load);

}  // namespace heddle::emu

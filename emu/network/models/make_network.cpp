// SPDX-License-Identifier: Apache-2.0
#include "emu/network/models/make_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/errors.hpp"
#include "emu/network/alpha_beta/alpha_beta_network.hpp"
#include "emu/network/fluid/fluid_network.hpp"

namespace heddle {

namespace {

template <class OneNetwork>
std::unique_ptr<emu::Network> make(const Fabric& fabric, emu::Engine& engine, emu::NetworkClient& client,
                                   const emu::NetworkLoad& load) {
  return std::make_unique<OneNetwork>(fabric, engine, client, load);
}

struct KnownModel {
  Model model;
  const char* name;
  bool knows_link_faults;
  decltype(&make<emu::FluidNetwork>) make;
};

constexpr std::array kModels = {
    KnownModel{Model::fluid, "fluid", true, &make<emu::FluidNetwork>},
    KnownModel{Model::alpha_beta, "alpha-beta", false, &make<emu::AlphaBetaNetwork>},
};

const KnownModel& known(Model model) { return *std::ranges::find(kModels, model, &KnownModel::model); }

}  // namespace

Model parse_model(std::string_view text) {
  const auto* const found = std::ranges::find(kModels, text, &KnownModel::name);
  if (found != kModels.end()) return found->model;
  std::string names;
  for (const KnownModel& each : kModels) names += fmt::format("{}{}", names.empty() ? "" : " or ", each.name);
  throw InputError(fmt::format("'{}' is no model; {}", text, names));
}

std::string to_string(Model model) { return known(model).name; }

namespace emu {

std::unique_ptr<Network> make_network(Model model, const Fabric& fabric, Engine& engine, NetworkClient& client,
                                      const NetworkLoad& load) {
  return known(model).make(fabric, engine, client, load);
}

bool knows_link_faults(Model model) { return known(model).knows_link_faults; }

}  // namespace emu

}  // namespace heddle

// SPDX-License-Identifier: Apache-2.0
#include "emu/network/make_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

const std::vector<emu::NetworkModel>& models() {
  static const std::vector<emu::NetworkModel> all = emu::network_models();
  return all;
}

const emu::NetworkModel& row_of(Model model) {
  const auto found = std::ranges::find(models(), model.name(), [](const emu::NetworkModel& row) { return row.model.name(); });
  if (found == models().end()) throw InputError(fmt::format("'{}' is no network model", model.name()));
  return *found;
}

}  // namespace

Model parse_model(std::string_view text) {
  std::string names;
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, colon);
  for (const emu::NetworkModel& row : models()) {
    if (row.model.name() == name && colon == text.size()) return row.model;
    if (row.model.name() == name && row.model == Model::packets)
      return Model(row.model.name(), parse_packet_settings(text.substr(colon + 1)));
    names += fmt::format("{}{}", names.empty() ? "" : " or ", row.model.name());
  }
  throw InputError(fmt::format("'{}' is no model; {}", text, names));
}

std::string to_string(Model model) {
  const std::string settings = to_string(model.packet_settings());
  return std::string(model.name()) + (settings.empty() ? "" : ":" + settings);
}

std::vector<Model> all_models() {
  std::vector<Model> all;
  for (const emu::NetworkModel& row : models()) all.push_back(row.model);
  return all;
}

std::string_view summary_of(Model model) { return row_of(model).summary; }

std::string_view why_not(Model model, ModelNeed need) { return row_of(model).why_not(need); }

std::string why_not(const Model& model, const Fabric& fabric) {
  const emu::NetworkModel& row = row_of(model);
  return row.why_not_on == nullptr ? "" : row.why_not_on(fabric, model);
}

namespace emu {

std::unique_ptr<Network> make_network(Model model, const Fabric& fabric, Engine& engine, NetworkClient& client,
                                      NetworkRecorder& recorder, const NetworkLoad& load) {
  NetworkLoad with_settings = load;
  with_settings.packets = model.packet_settings();
  return row_of(model).make(fabric, engine, client, recorder, with_settings);
}

}  // namespace emu

}  // namespace heddle

namespace heddle::emu {

Time drained_at(Time now, double bytes, double rate) {
  const double drain = bytes / rate;
  if (static_cast<double>(now.ps()) + drain > static_cast<double>(kLatestTime.ps()))
    throw InputError("the run would take over 46 days of emulated time: raise the bandwidth or send less");
  return now + Time::ps(std::llround(drain));
}

}  // namespace heddle::emu

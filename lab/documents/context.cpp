// SPDX-License-Identifier: Apache-2.0
#include "lab/documents/context.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "heddle/errors.hpp"
#include "heddle/version.hpp"
#include "lab/describe/flag_table.hpp"

namespace heddle {

namespace {

std::string describe_tier(const LinkSpeed& speed) {
  std::string text = fmt::format("{}, {}", to_string(speed.bandwidth), to_string(speed.latency));
  if (speed.eta_alpha != 1 || speed.eta_beta != 1)
    text += fmt::format(" (eta_alpha {}, eta_beta {})", speed.eta_alpha, speed.eta_beta);
  return text;
}

}  // namespace

std::vector<NamedSpeed> speeds_by_tier(const Fabric& fabric) {
  const std::vector<LinkSpeed>& speeds = fabric.settings().tiers;
  std::vector<NamedSpeed> tiers;
  for (const TierProperties& tier : fabric.topology().properties().tiers)
    tiers.push_back({tier.name, speeds[std::min(tiers.size(), speeds.size() - 1)]});
  return tiers;
}

std::string tier_name(const std::vector<NamedSpeed>& tiers, const Topology& topology, LinkId link) {
  const auto tier = static_cast<std::size_t>(topology.tier(link));
  return tier < tiers.size() ? tiers[tier].name : fmt::format("tier {}", tier);
}

namespace {

/// `tiers`: one for each that has a speed of its own. `has_host_links`: whether hosts have links of their own.
std::string speeds_text(const FabricSettings& settings, const std::vector<NamedSpeed>& tiers, bool has_host_links) {
  std::string text;
  for (const NamedSpeed& tier : tiers) text += fmt::format("{} {}; ", tier.name, describe_tier(tier.speed));
  text += fmt::format("hop {}; alpha {}", to_string(settings.hop), to_string(settings.alpha));
  if (has_host_links) text += fmt::format("; host link {}", to_string(settings.host_link));
  if (settings.gamma != 0) text += fmt::format("; gamma {:g}s per byte", settings.gamma);
  if (settings.send_overhead != Time()) text += fmt::format("; send overhead {}", to_string(settings.send_overhead));
  if (settings.recv_overhead != Time()) text += fmt::format("; receive overhead {}", to_string(settings.recv_overhead));
  return text + fmt::format("; routing {}", to_string(settings.routing));
}

}  // namespace

std::string describe_speeds(const Fabric& fabric) {
  const FabricSettings& settings = fabric.settings();
  if (settings.tiers.size() == 1)
    return speeds_text(settings, {{"links", settings.tiers.front()}}, fabric.host_links() != Time());
  return speeds_text(settings, speeds_by_tier(fabric), fabric.host_links() != Time());
}

std::string describe_speeds(const FabricSettings& settings) {
  std::vector<NamedSpeed> tiers;
  for (const LinkSpeed& speed : settings.tiers)
    tiers.push_back({settings.tiers.size() == 1 ? "links" : fmt::format("tier {}", tiers.size()), speed});
  return speeds_text(settings, tiers, settings.host_link != Time());
}

void append_speeds(nlohmann::ordered_json& object, const Fabric& fabric) {
  const FabricSettings& settings = fabric.settings();
  nlohmann::ordered_json tiers = nlohmann::ordered_json::array();
  for (const auto& [name, speed] : speeds_by_tier(fabric))
    tiers.push_back({{"name", name},
                     {"bandwidth_Bps", bandwidth_for_json(speed.bandwidth)},
                     {"latency_s", seconds_for_json(speed.latency)},
                     {"eta_alpha", speed.eta_alpha},
                     {"eta_beta", speed.eta_beta}});
  object["tiers"] = tiers;
  object["hop_s"] = seconds_for_json(settings.hop);
  if (fabric.host_links() != Time()) object["host_link_s"] = seconds_for_json(settings.host_link);
  object["alpha_s"] = seconds_for_json(settings.alpha);
  object["gamma_s_per_byte"] = settings.gamma;
  object["send_overhead_s"] = seconds_for_json(settings.send_overhead);
  object["recv_overhead_s"] = seconds_for_json(settings.recv_overhead);
  object["routing"] = to_string(settings.routing);
}

std::string ranges_text(std::span<const int> numbers) {
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < numbers.size(); begin = end) {
    for (end = begin + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;) ++end;
    text += fmt::format("{}{}", begin == 0 ? "" : ", ", numbers[begin]);
    if (end - begin > 1) text += fmt::format("-{}", numbers[end - 1]);
  }
  return text;
}

double seconds_for_json(Time time) { return static_cast<double>(time.ps()) / 1e12; }

Time time_from_json(double seconds) {
  constexpr double kMostSeconds = 9e6;
  if (!(seconds >= 0 && seconds <= kMostSeconds))
    throw InputError(fmt::format("a time of {:g} s; 0 to {:g} s are possible", seconds, kMostSeconds));
  return Time::from_seconds(seconds);
}

nlohmann::ordered_json bandwidth_for_json(Bandwidth bandwidth) {
  if (bandwidth.is_unlimited()) return nullptr;
  return bandwidth.bytes_per_second();
}

std::span<const NamedPart> path_parts() {
  static constexpr NamedPart kParts[] = {{"startup_s", &PathParts::startup},
                                         {"propagation_s", &PathParts::propagation},
                                         {"serialisation_s", &PathParts::serialisation},
                                         {"contention_s", &PathParts::contention},
                                         {"local_work_s", &PathParts::local_work},
                                         {"waiting_s", &PathParts::waiting}};
  return kParts;
}

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

namespace {

using Json = nlohmann::ordered_json;

/// What its row says that a context has of it, unless that is there.
void append_flag(Json& context, const Experiment& asked, const ExperimentFlag& flag) {
  const auto& [key, value] = flag.context;
  if (key.empty() || context.contains(key)) return;
  if (value) {
    context[key] = value(asked);
  } else if (const std::vector<std::string> texts = flag.value.get(asked); !texts.empty()) {
    context[key] = flag.takes == ExperimentFlag::Takes::values ? Json(texts) : Json(texts.front());
  }
}

}  // namespace

Json json_of_context(const Setup& setup) {
  const auto& program = setup.program;
  Json context = {{"version", version()}};
  if (program)
    context.update({{"program", program->path}, {"arguments", program->arguments}});
  else
    context["collective"] = to_string(setup.asked.collective);
  context.update({{"topology", setup.fabric.topology().spec()}, {"ranks", setup.ranks()}});
  const auto append = [&](std::initializer_list<std::string_view> flags) {
    for (const std::string_view flag : flags) append_flag(context, setup.asked, *find_experiment_flag(flag));
  };
  append({"--preset"});
  if (setup.fitted)
    context["fitted"] = {
        {"topology", setup.fitted->topology}, {"runs", setup.fitted->runs}, {"predicted", setup.fitted->predicted}};
  append_speeds(context, setup.fabric);
  append({"--model", "--clock", "--buffering", "--placement"});
  for (const std::shared_ptr<const Setup>& other : setup.under_models)
    context["model"] = fmt::format("{},{}", context["model"].get<std::string>(), to_string(other->settings.model));
  if (program) {
    append({"--background", "--fault", "--order-seed", "--order"});
    return context;
  }
  append({"--groups", "--background", "--fault"});
  context["bytes"] = setup.bytes();
  if (setup.rounded_up_from) context["bytes_asked"] = setup.rounded_up_from->count();
  append({"--datatype", "--values", "--op", "--root", "--in-place", "--blocks", "--skew", "--counts", "--data-memory", "--seed",
          "--order-seed", "--order"});
  for (const ExperimentFlag& flag : experiment_flags()) append_flag(context, setup.asked, flag);
  return context;
}

Json json_of_tuning(const VariantCount& count, const Tuning& tuning) {
  Json left_out = Json::object();
  for (const auto& [row, number] : count.left_out) left_out[row] = number;
  return {{"tune", "options"},
          {"budget", tuning.budget},
          {"points", count.points},
          {"rows", count.rows},
          {"combinations", count.combinations},
          {"tried", count.tried},
          {"unfit", count.unfit},
          {"left_out", std::move(left_out)}};
}

std::string tuning_text(const Json& json) {
  VariantCount count{.points = json.at("points"),
                     .rows = json.at("rows"),
                     .combinations = json.at("combinations"),
                     .tried = json.at("tried"),
                     .unfit = json.at("unfit")};
  for (const auto& [row, number] : json.at("left_out").items()) count.left_out.emplace_back(row, number);
  return tuning_text(count, Tuning{.budget = json.at("budget")});
}

std::int64_t bytes_run(std::int64_t bytes, double byte_scale) { return std::llround(static_cast<double>(bytes) / byte_scale); }

std::string marked_name(std::string_view algorithm) { return fmt::format("~{}", algorithm); }

std::string part_text(std::int64_t bytes, double byte_scale) {
  return fmt::format("{} of {}", to_string(Bytes(bytes_run(bytes, byte_scale))), to_string(Bytes(bytes)));
}

std::string part_run_note(std::string_view algorithm, const std::vector<std::string>& parts) {
  return fmt::format(
      "{} ran a part of its vector, {}, for the whole: its entry does not say that it is independent of size; if it cuts or "
      "chooses by size, the whole takes another time (--data-memory full)",
      marked_name(algorithm), fmt::join(parts, ", "));
}

}  // namespace heddle

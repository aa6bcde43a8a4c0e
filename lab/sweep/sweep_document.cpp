// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/sweep_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "core/checksum.hpp"
#include "heddle/registry.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/documents/context.hpp"
#include "lab/documents/failure_facts.hpp"
#include "lab/documents/json_members.hpp"
#include "lab/sweep/sweep_axes.hpp"

namespace heddle {

namespace {

/// The measured results of one fabric and size.
struct Point {
  std::int64_t bytes;
  std::vector<const SweepResult*> measured;
};

const SweepMeasurement* find(const Point& point, const std::string& algorithm) {
  for (const SweepResult* result : point.measured)
    if (result->algorithm == algorithm) return &*result->measured;
  return nullptr;
}

/// The points of one fabric at which anything was measured, by size.
std::vector<Point> points_of(std::span<const SweepResult> results) {
  std::vector<Point> points;
  for (const SweepResult& result : results) {
    if (!result.measured) continue;
    if (points.empty() || points.back().bytes != result.bytes) points.push_back({result.bytes, {}});
    points.back().measured.push_back(&result);
  }
  return points;
}

/// The algorithms of either point, those of the first one first.
std::vector<std::string> names_of(const Point& below, const Point& above) {
  std::vector<std::string> names;
  for (const SweepResult* result : below.measured) names.push_back(result->algorithm);
  for (const SweepResult* result : above.measured)
    if (find(below, result->algorithm) == nullptr) names.push_back(result->algorithm);
  return names;
}

/// Of one fabric between two sizes. `best` is the best at the lower one and becomes that at the upper one.
void append_crossings(const Point& below, const Point& above, std::string& best, std::vector<Crossing>& crossings) {
  const std::vector<std::string> names = names_of(below, above);
  std::vector<TimeLine> lines;
  for (const std::string& name : names) lines.push_back(time_line(find(below, name), find(above, name)));
  const auto first = static_cast<std::size_t>(std::ranges::find(names, best) - names.begin());
  for (const LeastChange& change : changes_of_least(lines, first)) {
    Crossing crossing{below.measured.front()->fabric, names[change.from], names[change.to], below.bytes, above.bytes};
    if (change.part)
      crossing.at = static_cast<double>(below.bytes) + *change.part * static_cast<double>(above.bytes - below.bytes);
    best = crossing.to;
    crossings.push_back(std::move(crossing));
  }
}

void append_crossings(std::span<const SweepResult> results, std::vector<Crossing>& crossings) {
  const std::vector<Point> points = points_of(results);
  if (points.empty()) return;
  std::string best = best_of(points.front().measured)->algorithm;
  for (std::size_t i = 1; i < points.size(); ++i) append_crossings(points[i - 1], points[i], best, crossings);
}

bool are_of_one_row(const SweepResult& a, const SweepResult& b) {
  return a.fabric == b.fabric && a.bytes == b.bytes && bare_name(a.algorithm) == bare_name(b.algorithm);
}

bool is_better(const SweepResult& a, const SweepResult& b) {
  return a.measured && (!b.measured || a.measured->time < b.measured->time);
}

}  // namespace

bool are_equivalent(const SweepResult& a, const SweepResult& b) {
  if (!a.measured || !b.measured || !a.measured->messages_digest || !b.measured->messages_digest) return false;
  const auto likeness = [](const SweepMeasurement& of) { return RunLikeness(of.messages, *of.messages_digest, of.time); };
  return are_equivalent(likeness(*a.measured), likeness(*b.measured));
}

std::vector<SweepResult> best_of_rows(const std::vector<SweepResult>& results) {
  std::vector<SweepResult> best;
  for (const SweepResult& result : results) {
    // Variants of a row stand together; of two that were named, each with variants of its own, they do as well.
    if (best.empty() || !are_of_one_row(best.back(), result))
      best.push_back(result);
    else if (is_better(result, best.back()))
      best.back() = result;
  }
  return best;
}

const SweepResult* best_of(const std::vector<const SweepResult*>& results) {
  const SweepResult* best = nullptr;
  for (const SweepResult* result : results)
    if (result->measured && (best == nullptr || result->measured->time < best->measured->time)) best = result;
  return best;
}

TimeLine time_line(const SweepMeasurement* below, const SweepMeasurement* above) {
  const auto picoseconds = [](const SweepMeasurement* of) -> std::optional<double> {
    if (of == nullptr) return std::nullopt;
    return static_cast<double>(of->time.ps());
  };
  const bool is_straight =
      below != nullptr && above != nullptr && below->messages == above->messages && below->rounds == above->rounds;
  return {picoseconds(below), picoseconds(above), is_straight};
}

std::vector<Crossing> crossings_of(const std::vector<SweepResult>& results) {
  std::vector<Crossing> crossings;
  for (std::size_t begin = 0, end = 0; begin < results.size(); begin = end) {
    while (end < results.size() && results[end].fabric == results[begin].fabric) ++end;
    append_crossings(std::span(results).subspan(begin, end - begin), crossings);
  }
  return crossings;
}

std::span<const SpreadPart> spread_parts() {
  static constexpr SpreadPart kParts[] = {{"least_s", "least", &SeedSpread::least},
                                          {"first_quartile_s", "1st quarter", &SeedSpread::first_quartile},
                                          {"median_s", "median", &SeedSpread::median},
                                          {"third_quartile_s", "3rd quarter", &SeedSpread::third_quartile},
                                          {"most_s", "most", &SeedSpread::most}};
  return kParts;
}

std::string rough_size_text(double bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.3g}{}", bytes, kUnits.at(unit));
}

namespace {

using Json = nlohmann::ordered_json;

// What a run's JSON has of it, in its order, for writing and for reading.

/// Which run it is. `fabric`: its member of the context's fabrics; not looked at by who reads.
template <class Run, class Visit>
void visit_identity(Run& run, const Json* fabric, const Visit& visit) {
  visit.always("run", run.run);
  visit.always("fabric", run.fabric);
  visit.derived("collective", [&] { return fabric->at("collective"); });
  visit.always("algorithm", run.algorithm);
  visit.always("topology", run.topology);
  visit.always("ranks", run.ranks);
  visit.always("placement", run.placement);
  visit.always("bytes", run.bytes);
  visit.always("count", run.count);
}

/// In hexadecimal digits.
template <class Digest, class Visit>
void visit_digest(Digest& digest, const Visit& visit) {
  constexpr auto kKey = "messages_digest";
  std::optional<std::string> text;
  if (digest) text = fmt::format("{:016x}", *digest);
  visit.if_any(kKey, text);
  if constexpr (!std::is_const_v<Digest>) {
    if (!text) return;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), digest.emplace(), 16);
    if (error != std::errc() || end != text->data() + text->size())
      throw InputError(fmt::format("{} '{}': not a hexadecimal number", kKey, *text));
  }
}

/// `bytes`: of the run.
template <class Measurement, class Visit>
void visit_measured(Measurement& measured, std::int64_t bytes, const Visit& visit) {
  visit.always("time_s", measured.time);
  visit.always("algbw_Bps", measured.algbw);
  visit.always("busbw_Bps", measured.busbw);
  visit.derived("wrong", [] { return 0; });
  visit.always("rounds", measured.rounds);
  visit.always("messages", measured.messages);
  visit_digest(measured.messages_digest, visit);
  visit.always("sent_bytes_max", measured.sent_max);
  visit.always("peak_flows", measured.peak_flows);
  visit.always("critical_path", measured.path);
  visit.always("contention_free_s", measured.contention_free);
  visit.always("payload_scale", measured.byte_scale);
  visit.if_any("scale_assumed", measured.scale_assumed);
  if (measured.scale_assumed) visit.derived("bytes_run", [&] { return bytes_run(bytes, measured.byte_scale); });
  visit.if_any("switch_precision", measured.switch_precision);
  visit.if_any("error_ulp_mean", measured.error_ulp_mean);
  visit.if_any("error_ulp_worst", measured.error_ulp_worst);
  visit.if_any("packets", measured.packets);
  visit.if_any("idle_faults", measured.idle_faults);
  visit.if_any("idle_fault_reasons", measured.idle_reasons);
  visit.if_any("faults_gone_round", measured.faults_gone_round);
  visit.if_any("worst_link", measured.worst_link);
}

Json json_of(const SeedSpread& spread) {
  Json json = {{"seeds", spread.seeds}};
  for (const SpreadPart& part : spread_parts()) json[part.key] = seconds_for_json(spread.*part.time);
  return json;
}

/// By run: the first one before it, at its point, that it is equivalent to; nullptr: none.
std::vector<const SweepResult*> first_equivalents(const std::vector<SweepResult>& runs) {
  std::vector<const SweepResult*> equivalents;
  auto begin = runs.begin();  // of its point, whose runs stand together
  for (auto run = runs.begin(); run != runs.end(); ++run) {
    if (run->bytes != begin->bytes || run->fabric != begin->fabric) begin = run;
    const auto first = std::find_if(begin, run, [&](const SweepResult& other) { return are_equivalent(other, *run); });
    equivalents.push_back(first == run ? nullptr : &*first);
  }
  return equivalents;
}

Json json_of(const Crossing& crossing) {
  return {{"fabric", crossing.fabric}, {"from", crossing.from},   {"to", crossing.to},
          {"below", crossing.below},   {"above", crossing.above}, {"at", or_null(crossing.at)}};
}

/// A key of the outer object, as the pretty printer has it.
std::string member(std::string_view key, const Json& value) {
  const std::string text = value.dump(2, ' ', false, Json::error_handler_t::replace);
  std::string indented;
  for (const char c : text) indented += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return fmt::format("  \"{}\": {},\n", key, indented);
}

}  // namespace

Shard parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  try {
    if (slash == text.npos) throw InputError("");
    const auto of = static_cast<int>(parse_integer(text.substr(slash + 1), 1, 1'000'000));
    return {.index = static_cast<int>(parse_integer(text.substr(0, slash), 1, of)), .of = of};
  } catch (const InputError&) {
    throw InputError(fmt::format("'{}': not a part of a whole; try 1/4 (up to 4/4)", text));
  }
}

std::string to_string(const Shard& shard) { return fmt::format("{}/{}", shard.index, shard.of); }
void to_json(Json& json, const Shard& shard) { json = to_string(shard); }
void from_json(const Json& json, Shard& shard) { shard = parse_shard(json.get<std::string>()); }

int runs_of(const Shard& shard, int planned) { return planned / shard.of + (shard.index <= planned % shard.of ? 1 : 0); }

SweepDocument with_marked_names(SweepDocument document) {
  std::set<std::string> marked;
  for (const SweepResult& run : document.runs)
    if (run.measured && run.measured->scale_assumed) marked.insert(run.algorithm);
  for (SweepResult& run : document.runs)
    if (marked.contains(run.algorithm)) run.algorithm = marked_name(run.algorithm);
  return document;
}

std::vector<std::string> part_run_notes(const SweepDocument& document) {
  std::vector<std::pair<std::string, std::vector<std::string>>> parts;  // by algorithm, as they come
  for (const SweepResult& run : document.runs) {
    if (!run.measured || !run.measured->scale_assumed) continue;
    auto of = std::ranges::find(parts, run.algorithm, [](const auto& known) { return known.first; });
    if (of == parts.end()) of = parts.insert(of, {run.algorithm, {}});
    std::string text = part_text(run.bytes, run.measured->byte_scale);
    if (std::ranges::find(of->second, text) == of->second.end()) of->second.push_back(std::move(text));
  }
  std::vector<std::string> notes;
  for (const auto& [algorithm, texts] : parts) notes.push_back(part_run_note(algorithm, texts));
  return notes;
}

bool is_complete(const SweepDocument& document) {
  return static_cast<int>(std::ranges::count_if(document.runs, is_finished)) == runs_of(document.shard, document.planned);
}

const Json& fabric_of(const SweepDocument& document, const SweepResult& run) {
  for (const Json& fabric : document.context.at("fabrics"))
    if (fabric.at("fabric") == run.fabric) return fabric;
  throw InputError(fmt::format("run {} is on '{}', which is no fabric of this sweep", run.run, run.fabric));
}

Json json_of_header(const SweepDocument& document) {
  return {{"context", document.context},
          {"planned", document.planned},
          {"shard", document.shard.is_whole() ? Json(nullptr) : Json(document.shard)},
          {"left_out", document.left_out}};
}

SweepDocument header_from_json(const Json& json) {
  SweepDocument document{
      .context = json.at("context"), .left_out = json.at("left_out"), .planned = json.at("planned"), .shard = {}, .runs = {}};
  if (const Json& shard = json.at("shard"); !shard.is_null()) document.shard = shard;
  return document;
}

Json json_of(const SweepResult& run, const Json& fabric, const RunsBeside& beside) {
  Json json;
  const MemberWriter writer(json);
  visit_identity(run, &fabric, writer);
  for (const auto* key : {"datatype", "op", "root", "seed"}) json[key] = fabric.at(key);
  for (const auto* axis : {"preset", "bandwidth", "latency", "routing", "fault"})
    if (fabric.contains(axis) && !fabric.at(axis).is_null()) json[axis] = fabric.at(axis);
  if (run.measured) visit_measured(*run.measured, run.bytes, writer);
  if (beside.equivalent != nullptr) json["same_messages_as"] = beside.equivalent->algorithm;
  if (beside.ratio_to_base) json["time_to_base"] = *beside.ratio_to_base;
  if (beside.spread) json["over_seeds"] = json_of(*beside.spread);
  if (run.failure) json["error"] = *run.failure;
  if (!run.remark.empty()) json["remark"] = run.remark;
  return with_checksum(std::move(json));
}

SweepResult result_from_json(const Json& json) {
  require_checksum(json);
  SweepResult run;
  const MemberReader reader(json);
  visit_identity(run, nullptr, reader);
  reader.if_any("remark", run.remark);
  if (json.contains("error")) {
    reader.always("error", run.failure);
  } else {
    SweepMeasurement& measured = run.measured.emplace();
    visit_measured(measured, run.bytes, reader);
    if (measured.idle_reasons.size() != measured.idle_faults.size())
      throw InputError("idle_fault_reasons: not as many as idle_faults");
  }
  return run;
}

std::vector<Crossing> crossings_of(const SweepDocument& document) {
  if (!document.shard.is_whole()) return {};
  std::set<std::pair<std::string, std::int64_t>> open;
  for (const SweepResult& run : document.runs)
    if (!is_finished(run)) open.emplace(run.fabric, run.bytes);
  std::vector<SweepResult> settled;
  std::ranges::copy_if(document.runs, std::back_inserter(settled), [&](const SweepResult& run) {
    return !open.contains({run.fabric, run.bytes});
  });
  return crossings_of(settled);
}

Json json_of_crossings(const SweepDocument& document) {
  Json crossings = Json::array();
  for (const Crossing& crossing : crossings_of(document)) crossings.push_back(json_of(crossing));
  return crossings;
}

Json checked_members_of(const Json& document) {
  Json members;
  for (const auto* key : {"context", "planned", "shard", "complete", "left_out"}) members[key] = document.at(key);
  if (document.contains("check")) members["check"] = document.at("check");
  return members;
}

std::string json_text_of(const SweepDocument& document) {
  Json header = json_of_header(document);
  header["complete"] = is_complete(document);
  header = with_checksum(checked_members_of(header));
  std::string text = "{\n";
  for (const auto& [key, value] : header.items()) text += member(key, value);
  text += member("crossings", json_of_crossings(document));
  text += "  \"runs\": [";
  bool is_first = true;
  const std::vector<const SweepResult*> equivalents = first_equivalents(document.runs);
  const std::vector<std::optional<double>> ratios = ratios_to_base(document);
  const std::vector<std::optional<SeedSpread>> spreads = spreads_of(document);
  for (std::size_t i = 0; i < document.runs.size(); ++i) {
    const SweepResult& run = document.runs[i];
    if (!is_finished(run)) continue;
    const RunsBeside beside = {equivalents[i], ratios.empty() ? std::nullopt : ratios[i], spreads[i]};
    text += fmt::format("{}\n    {}", is_first ? "" : ",", line_of(json_of(run, fabric_of(document, run), beside)));
    is_first = false;
  }
  return text + (is_first ? "]\n}\n" : "\n  ]\n}\n");
}

namespace {

constexpr auto kChecksum = "check";

}  // namespace

std::string line_of(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json with_checksum(nlohmann::ordered_json object) {
  object.erase(kChecksum);
  object[kChecksum] = checksum_of(line_of(object));
  return object;
}

void require_checksum(const nlohmann::ordered_json& object) {
  if (!object.is_object() || !object.contains(kChecksum))
    throw InputError("no checksum: an older heddle wrote it, or it is damaged; run the sweep again");
  if (with_checksum(object).at(kChecksum) != object.at(kChecksum))
    throw InputError("damaged: its checksum is not that of what it says; run the sweep again");
}

}  // namespace heddle

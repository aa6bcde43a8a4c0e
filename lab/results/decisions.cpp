// SPDX-License-Identifier: Apache-2.0
#include "lab/results/decisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>
#include <utility>

#include "heddle/communicator.hpp"
#include "heddle/errors.hpp"
#include "lab/documents/context.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "lab/sweep/sweep_journal.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/graph/narrowest_cut.hpp"
#include "topo/placement/placement.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::decisions {

namespace {

using Json = nlohmann::ordered_json;

/// What was measured of one collective at one number of ranks and one size.
struct SweepCell {
  std::size_t sweep = 0;  ///< the first that has it
  Collective collective = Collective::allreduce;
  int ranks = 1;
  std::int64_t bytes = 0;
  std::string fabric = {};
  std::vector<const SweepResult*> fastest_first = {};   ///< those measured, never none; of equals by name
  const nlohmann::ordered_json* fabric_json = nullptr;  ///< as the sweep describes it
};

[[noreturn]] void refuse_sweep(const std::string& path, const std::string& what) {
  throw InputError(fmt::format("'{}': {}", path, what));
}

/// What a rule for one call on one communicator can say nothing about.
void require_plain(const std::string& path, const Json& fabric) {
  if (!fabric.at("groups").is_null())
    refuse_sweep(path, "its runs are of several groups at once (--groups); a decision is about one communicator");
  if (!fabric.at("skew").is_null() || fabric.at("blocks") != "even" || fabric.contains("counts"))
    refuse_sweep(path, "its blocks are uneven (--blocks, --skew, --counts); a decision is about equal ones");
  if (fabric.at("op") == "affine")
    refuse_sweep(path, "its operation does not commute; a decision is about one that does, as sum");
}

/// That sweeps of one collective are of one element type and operation.
class Agreement {
 public:
  void require(const std::string& path, const Json& fabric) {
    const std::string collective = fabric.at("collective");
    const auto [first, is_new] = first_.try_emplace(collective, First{path, fabric.at("datatype"), fabric.at("op")});
    if (is_new) return;
    compare(path, "elements", first->second.path, first->second.datatype, fabric.at("datatype"));
    compare(path, "operation", first->second.path, first->second.op, fabric.at("op"));
  }

 private:
  struct First {
    std::string path, datatype, op;
  };
  static void compare(const std::string& path, std::string_view what, const std::string& first, const std::string& there,
                      const std::string& here) {
    if (there != here)
      refuse_sweep(path, fmt::format("its {} are '{}', those of '{}' are '{}'; give sweeps of one", what, here, first, there));
  }

  std::map<std::string, First> first_;
};

/// "allreduce p=8 64KiB"
std::string text_of(Collective collective, const SweepResult& run) {
  const std::string size = collective == Collective::barrier ? "" : " " + to_string(Bytes(run.bytes));
  return fmt::format("{} p={}{}", to_string(collective), run.ranks, size);
}

bool is_faster(const SweepResult* a, const SweepResult* b) {
  return std::tie(a->measured->time, a->algorithm) < std::tie(b->measured->time, b->algorithm);
}

/// Where a collective was first met at a number of ranks.
struct Place {
  std::size_t sweep;
  const SweepResult* run;
  const Json* fabric;
};

/// Two sweeps may call one fabric by two names: a name has what differs within its sweep.
bool is_one_fabric(const Place& a, const Place& b) {
  if (a.sweep == b.sweep) return a.run->fabric == b.run->fabric;
  Json of_a = *a.fabric;
  Json of_b = *b.fabric;
  of_a.erase("fabric");
  of_b.erase("fabric");
  return of_a == of_b;
}

void require_one_fabric(const std::vector<NamedSweep>& sweeps, Collective collective, const Place& first, const Place& here) {
  if (is_one_fabric(first, here)) return;
  const std::string what = fmt::format("{} at {} ranks is on two fabrics", to_string(collective), here.run->ranks);
  if (first.run->fabric == here.run->fabric)
    throw InputError(fmt::format("{}, both called '{}': those of '{}' and '{}'; give one of these files", what,
                                 here.run->fabric, sweeps[first.sweep].path, sweeps[here.sweep].path));
  throw InputError(fmt::format("{}, '{}' and '{}'; choose one: --fabric '{}'", what, first.run->fabric, here.run->fabric,
                               first.run->fabric));
}

/// "star:4" and "speeds links 50GB/s, …" as far as the document has it.
std::string speeds_sentence(const Json& fabric) {
  const std::string topology = fabric.at("topology");
  const std::string speeds = fabric.contains("speeds") ? fmt::format(" ({})", fabric.at("speeds").get<std::string>()) : "";
  if (!fabric.contains("fitted")) {
    const bool has_preset = fabric.contains("preset") && fabric.at("preset").is_string();
    const std::string preset = has_preset ? fabric.at("preset").get<std::string>() : "";
    if (preset.starts_with("file:"))
      return fmt::format("nothing says that the speeds of {} were fitted to measured runs (heddle fit): {}{}", topology, preset,
                         speeds);
    return fmt::format("the speeds of {} are assumed, not fitted to measured runs (heddle fit){}", topology, speeds);
  }
  const Json& fitted = fabric.at("fitted");
  const std::string on = fitted.at("topology");
  const std::string predicted = fitted.value("predicted", std::string());
  return fmt::format("the speeds of {} were fitted{} to {}{}", topology,
                     on == topology ? "" : fmt::format(" on another fabric, {},", on), fitted.at("runs").get<std::string>(),
                     predicted.empty() ? "; no run that was not fitted was predicted"
                                       : fmt::format("; others are predicted within {}", predicted));
}

/// By collective, ranks and bytes. Notes in `failed` what failed a check, or has a time of a part of its vector alone. Throws InputError as decide() says.
std::vector<SweepCell> cells_of(const std::vector<NamedSweep>& sweeps, const std::string& fabric,
                                std::vector<std::string>& failed) {
  Agreement agreement;
  std::map<std::tuple<Collective, int, std::int64_t>, SweepCell> cells;
  std::map<std::tuple<Collective, int>, Place> first_places;
  std::vector<std::string> fabrics;
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    for (const SweepResult& run : sweeps[i].document.runs) {
      if (std::ranges::find(fabrics, run.fabric) == fabrics.end()) fabrics.push_back(run.fabric);
      if (!fabric.empty() && run.fabric != fabric) continue;
      const Place place{i, &run, &fabric_of(sweeps[i].document, run)};
      require_plain(sweeps[i].path, *place.fabric);
      agreement.require(sweeps[i].path, *place.fabric);
      const Collective collective = parse_collective(place.fabric->at("collective").get<std::string>());
      if (!run.measured) {
        failed.push_back(fmt::format("{}: {} failed a check", text_of(collective, run), run.algorithm));
        continue;
      }
      if (run.measured->scale_assumed) {
        failed.push_back(
            fmt::format("{}: {} was timed on a part of its vector ({}), though it does not say that it is "
                        "independent of size,",
                        text_of(collective, run), run.algorithm, part_text(run.bytes, run.measured->byte_scale)));
        continue;
      }
      require_one_fabric(sweeps, collective, first_places.try_emplace({collective, run.ranks}, place).first->second, place);
      const SweepCell empty{i, collective, run.ranks, run.bytes, run.fabric, {}, place.fabric};
      cells.try_emplace({collective, run.ranks, run.bytes}, empty).first->second.fastest_first.push_back(&run);
    }
  }
  if (cells.empty() && !fabric.empty())
    throw InputError(fmt::format("--fabric '{}': no result is on it; there are: {}", fabric, fmt::join(fabrics, "; ")));
  if (cells.empty()) throw InputError(fmt::format("'{}': holds no result that was right", sweeps.front().path));
  std::vector<SweepCell> sorted;
  for (auto& [key, cell] : cells) {
    std::ranges::sort(cell.fastest_first, is_faster);
    sorted.push_back(std::move(cell));
  }
  std::ranges::sort(failed);
  return sorted;
}

/// Decisions::speeds of the fabrics that the cells are of.
std::vector<std::string> speeds_of_cells(const std::vector<SweepCell>& cells, const std::vector<NamedSweep>& sweeps) {
  std::vector<std::string> sentences;
  for (const SweepCell& cell : cells) {
    const std::string sentence = speeds_sentence(fabric_of(sweeps[cell.sweep].document, *cell.fastest_first.front()));
    if (std::ranges::find(sentences, sentence) == sentences.end()) sentences.push_back(sentence);
  }
  return sentences;
}

/// The size of a segment that makes as many of so many elements as a run of these rounds had, of equal ones but for the last.
Bytes segment_of(const Mapping& mapping, int ranks, int rounds, std::int64_t count, std::int64_t element) {
  if (mapping.segments == Segments::own || count == 0) return {};
  const std::int64_t segments = segments_of(mapping.segments, ranks, rounds);
  if (segments <= 1) return {};
  return Bytes((count + segments - 1) / segments * element);
}

/// A result as the target's limits see it.
Cell cell_of(const SweepResult& result, int channels_needed) {
  return {result.ranks, result.count, result.topology, channels_in(result.algorithm), channels_needed};
}

/// What the target does by a result's algorithm; no value: it does not have it, or runs something else there.
/// `channels_needed`: as in Cell.
std::optional<Choice> choice_of(const Target& target, const TargetCollective& collective, const SweepResult& result,
                                int channels_needed) {
  const Mapping* mapping = mapping_of(target, collective, result.algorithm);
  if (mapping == nullptr || !why_not_served(*mapping, cell_of(result, channels_needed)).empty()) return std::nullopt;
  const std::int64_t element = result.count == 0 ? 0 : result.bytes / result.count;
  return Choice{mapping, result.algorithm, result.measured->time,
                segment_of(*mapping, result.ranks, result.measured->rounds, result.count, element)};
}

/// The results of a cell that the target has, by algorithm.
struct Served {
  std::string algorithm;
  const SweepResult* below = nullptr;
  const SweepResult* above = nullptr;
};

std::vector<Served> served_at(const Target& target, const TargetCollective& collective, const SweepCell& below,
                              const SweepCell& above, int channels_needed) {
  std::vector<Served> served;
  const auto add = [&](const SweepCell& cell, const SweepResult* Served::*place) {
    for (const SweepResult* result : cell.fastest_first) {
      if (!choice_of(target, collective, *result, channels_needed)) continue;
      auto at = std::ranges::find(served, result->algorithm, &Served::algorithm);
      if (at == served.end()) at = served.insert(at, {result->algorithm});
      (*at).*place = result;
    }
  };
  add(below, &Served::below);
  add(above, &Served::above);
  return served;
}

/// How far the line is ahead of all others where it is furthest ahead, between two parts of the way; `rest` are the others' lines.
double furthest_lead(const TimeLine& line, const std::vector<TimeLine>& rest, std::size_t first, double from, double to) {
  double lead = 0;
  // Between two changes of the rest's least both are straight, and what they are to each other is greatest at an end.
  for (const LeastChange& change : changes_of_least(rest, first)) {
    if (!change.part || *change.part < from || *change.part > to) continue;
    if (const std::optional<double> other = least_but_for(rest, rest.size(), *change.part); other && line.at(*change.part) > 0)
      lead = std::max(lead, *other / line.at(*change.part) - 1);
  }
  return lead;
}

/// The changes without third lines that are nowhere ahead by the margin.
std::vector<LeastChange> clear_changes(std::vector<TimeLine> lines, std::size_t first, double margin) {
  while (true) {
    std::vector<LeastChange> changes = changes_of_least(lines, first);
    bool is_clear = true;
    for (std::size_t i = 0; i + 1 < changes.size() && is_clear; ++i) {
      const std::size_t third = changes[i].to;
      std::vector<TimeLine> rest = lines;
      rest[third] = {};
      if (furthest_lead(lines[third], rest, first, *changes[i].part, *changes[i + 1].part) >= margin) continue;
      lines = std::move(rest);
      is_clear = false;
    }
    if (is_clear) return changes;
  }
}

/// Where, between two sizes of one number of ranks that are next to each other, the fastest that the target has changes, from
/// `first` on, which is the choice at the lower one. A third one counts that is somewhere ahead of all others by `margin`. None
/// where nobody knows the sizes: then what was decided at the lower size holds up to the upper one.
std::vector<Decision> decisions_between(const Target& target, const TargetCollective& collective, const SweepCell& below,
                                        const SweepCell& above, const Choice& first, double margin, int channels_needed) {
  const std::vector<Served> served = served_at(target, collective, below, above, channels_needed);
  std::vector<TimeLine> lines;
  for (const Served& of : served)
    lines.push_back(time_line(of.below ? &*of.below->measured : nullptr, of.above ? &*of.above->measured : nullptr));
  const auto at = static_cast<std::size_t>(std::ranges::find(served, first.algorithm, &Served::algorithm) - served.begin());
  std::vector<Decision> decisions;
  for (const LeastChange& change : clear_changes(lines, at, margin)) {
    if (!change.part) return {};
    const SweepResult& result = *served[change.to].below;
    const std::int64_t element = result.bytes / std::max<std::int64_t>(1, result.count);
    const double where = static_cast<double>(below.bytes) + *change.part * static_cast<double>(above.bytes - below.bytes);
    const std::int64_t count = std::max<std::int64_t>(
        static_cast<std::int64_t>(std::ceil(where / static_cast<double>(std::max<std::int64_t>(1, element)))),
        result.count + 1);
    const std::int64_t bytes = count * element;
    if (bytes >= above.bytes || bytes <= below.bytes) continue;
    Choice choice = *choice_of(target, collective, result, channels_needed);
    choice.time = Time::ps(std::llround(lines[change.to].at(*change.part)));
    choice.segment = segment_of(*choice.mapping, result.ranks, result.measured->rounds, count, element);
    Decision decision{.bytes = bytes, .choice = std::move(choice), .is_estimated = true};
    if (!decisions.empty() && decisions.back().bytes == bytes) decisions.pop_back();
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

FabricSettings settings_of(const nlohmann::ordered_json& fabric) {
  FabricSettings settings;
  if (fabric.contains("routing")) settings.routing = parse_routing(fabric.at("routing").get<std::string>());
  if (!fabric.contains("tiers") || fabric.at("tiers").empty()) return settings;
  settings.tiers.clear();
  for (const auto& tier : fabric.at("tiers"))
    settings.tiers.push_back(
        {.bandwidth = Bandwidth(tier.at("bandwidth_Bps").get<double>()), .eta_beta = tier.at("eta_beta").get<double>()});
  return settings;
}

/// The first rank that has another one in its node, and these two and one of another node.
struct Three {
  std::size_t here, beside, elsewhere;
};
std::optional<Three> three_ranks(const std::vector<int>& node) {
  for (std::size_t here = 0; here < node.size(); ++here) {
    const auto beside = std::find(node.begin() + static_cast<std::ptrdiff_t>(here) + 1, node.end(), node[here]);
    if (beside == node.end()) continue;
    const auto elsewhere = std::ranges::find_if(node, [&](int other) { return other != node[here]; });
    return Three{here, static_cast<std::size_t>(beside - node.begin()), static_cast<std::size_t>(elsewhere - node.begin())};
  }
  return std::nullopt;
}

/// Bytes a second that can leave a node for all others at once.
double out_of_node(const Fabric& fabric, const Placement& placement, const std::vector<int>& node, int which) {
  std::vector<bool> is_elsewhere(static_cast<std::size_t>(fabric.topology().endpoints()), true);
  for (std::size_t rank = 0; rank < node.size(); ++rank)
    if (node[rank] == which) is_elsewhere[static_cast<std::size_t>(placement[rank])] = false;
  return flow_between_parts(fabric.topology(), is_elsewhere,
                            [&fabric](LinkId link) { return fabric.bandwidth(link).bytes_per_second(); });
}

/// How many channels a ring or tree needs to enter each node by all of its network cards, on a fabric as a sweep's JSON describes it:
/// the ranks of the largest node, where one message between nodes is slower than one within and two or more such messages fit
/// out of a node at once; elsewhere 1. Throws InputError if its topology is a file that cannot be read.
int channels_needed(const nlohmann::ordered_json& fabric) {
  const std::shared_ptr<const Topology> topology = parse_topology(fabric.at("topology").get<std::string>());
  const std::string placed = fabric.contains("placement") ? fabric.at("placement").get<std::string>() : "linear";
  const Placement placement = parse_placement(placed, fabric.at("ranks").get<int>(), *topology);
  const Tiers tiers = tiers_of(placement, *topology);
  if (tiers.group.size() < 2) return 1;
  const std::vector<int>& node = tiers.group.front();
  const std::optional<Three> ranks = three_ranks(node);
  if (!ranks) return 1;

  const Fabric whole(topology, settings_of(fabric));
  const auto seconds_per_byte = [&](std::size_t to) {
    return message_cost(whole, placement[ranks->here], placement[to]).seconds_per_byte;
  };
  const double between = seconds_per_byte(ranks->elsewhere);
  constexpr double kSame = 1.001;
  if (between <= kSame * seconds_per_byte(ranks->beside)) return 1;
  constexpr double kTwo = 1.999;
  if (out_of_node(whole, placement, node, node[ranks->here]) * between < kTwo) return 1;
  std::vector<int> sizes(node.size());
  for (const int group : node) ++sizes[static_cast<std::size_t>(group)];
  return *std::ranges::max_element(sizes);
}

/// As channels_needed(), where the target asks.
int channels_for(const Target& target, const TargetCollective& collective, const SweepCell& cell,
                 const std::vector<NamedSweep>& sweeps) {
  const auto asks = [&](const Mapping& mapping) {
    return mapping.collective == collective.name && mapping.limit == Limit::every_nic;
  };
  if (std::ranges::none_of(target.mappings, asks)) return 1;
  try {
    return channels_needed(*cell.fabric_json);
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("'{}': how many NICs a node of its fabric has is not known: {}", sweeps[cell.sweep].path, error.what()));
  }
}

/// The fastest that the target has and that serves there, of equals the first by name; and the next by which it does something
/// else.
Decision best_at(const Target& target, const TargetCollective& collective, const SweepCell& cell, int channels_needed) {
  Decision decision{.bytes = cell.bytes};
  for (const SweepResult* result : cell.fastest_first) {
    const std::optional<Choice> choice = choice_of(target, collective, *result, channels_needed);
    if (!choice) continue;
    if (!decision.choice)
      decision.choice = choice;
    else if (!is_same(*decision.choice, *choice)) {
      decision.next = NextBest{choice->algorithm, choice->time};
      break;
    }
  }
  return decision;
}

Missed missed_of(const Target& target, const TargetCollective& collective, const SweepResult& fastest, int channels_needed) {
  const Mapping* mapping = mapping_of(target, collective, fastest.algorithm);
  return {.algorithm = fastest.algorithm,
          .time = fastest.measured->time,
          .why = mapping == nullptr ? why_not_mapped(target, collective, fastest.algorithm)
                                    : why_not_served(*mapping, cell_of(fastest, channels_needed))};
}

RankDecisions decide_at(const Target& target, const TargetCollective& collective, std::span<const SweepCell> cells,
                        const std::vector<NamedSweep>& sweeps, double margin) {
  const int needed = channels_for(target, collective, cells.front(), sweeps);  // all cells are on one fabric
  RankDecisions decisions{.ranks = cells.front().ranks, .fabric = cells.front().fabric};
  for (const SweepCell& cell : cells) {
    Decision decision = best_at(target, collective, cell, needed);
    const SweepResult& fastest = *cell.fastest_first.front();
    if (!decision.choice || fastest.measured->time < decision.choice->time)
      decision.missed = missed_of(target, collective, fastest, needed);
    if (decision.next && lead_of(*decision.choice, *decision.next) < margin)
      decision.close = std::exchange(decision.choice, {});
    decisions.sizes.push_back(std::move(decision));
  }
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (!decisions.sizes[i - 1].choice || !decisions.sizes[i].choice) continue;
    for (Decision& decision :
         decisions_between(target, collective, cells[i - 1], cells[i], *decisions.sizes[i - 1].choice, margin, needed))
      decisions.between.push_back(std::move(decision));
  }
  return decisions;
}

/// "broadcast, reduce, allreduce"
std::string known_collectives(const Target& target) {
  std::vector<std::string> names;
  for (const TargetCollective& one : target.collectives) {
    const std::string name = to_string(one.collective);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void require_known(const Target& target, const std::vector<SweepCell>& cells, const std::vector<NamedSweep>& sweeps) {
  for (const SweepCell& cell : cells)
    if (collectives_of(target, cell.collective).empty())
      throw InputError(fmt::format("'{}': {} has no decisions about {}; it has: {}", sweeps[cell.sweep].path, target.title,
                                   to_string(cell.collective), known_collectives(target)));
}

CollectiveDecisions decide_collective(const Target& target, const TargetCollective& collective,
                                      const std::vector<SweepCell>& cells, const std::vector<NamedSweep>& sweeps,
                                      double margin) {
  CollectiveDecisions decisions{.collective = &collective};
  for (std::size_t begin = 0, end = 0; begin < cells.size(); begin = end) {
    while (end < cells.size() && cells[end].collective == cells[begin].collective && cells[end].ranks == cells[begin].ranks)
      ++end;
    if (cells[begin].collective == collective.collective)
      decisions.ranks.push_back(decide_at(target, collective, std::span(cells).subspan(begin, end - begin), sweeps, margin));
  }
  return decisions;
}

}  // namespace

NamedSweep read_whole_sweep(const std::string& path) {
  SweepFile file = read_sweep_file(path);
  if (!file.has_header || file.whole_bytes > 0)
    refuse_sweep(path,
                 fmt::format("is the journal of a sweep that has not ended; finish it with: heddle sweep --resume {}", path));
  const SweepDocument& document = file.document;
  if (!document.shard.is_whole())
    refuse_sweep(path, fmt::format("is part {} of a sweep; make it whole with: heddle merge", to_string(document.shard)));
  if (!is_complete(document))
    refuse_sweep(path, fmt::format("is not complete: it has {} of {} runs; run the sweep to its end", document.runs.size(),
                                   document.planned));
  return {path, over_seeds(document)};
}

bool is_same(const Choice& a, const Choice& b) {
  return a.mapping->algorithm == b.mapping->algorithm && a.segment == b.segment;
}

double lead_of(const Choice& choice, const NextBest& next) {
  if (choice.time <= Time()) return next.time > Time() ? 1 : 0;
  return static_cast<double>(next.time.ps()) / static_cast<double>(choice.time.ps()) - 1;
}

Decisions decide(const Target& target, const std::vector<NamedSweep>& sweeps, const std::string& fabric, double margin) {
  Decisions decisions{.target = &target, .margin = margin};
  const std::vector<SweepCell> cells = cells_of(sweeps, fabric, decisions.failed);
  require_known(target, cells, sweeps);
  decisions.speeds = speeds_of_cells(cells, sweeps);
  for (const TargetCollective& collective : target.collectives) {
    CollectiveDecisions decided = decide_collective(target, collective, cells, sweeps, margin);
    if (!decided.ranks.empty()) decisions.collectives.push_back(std::move(decided));
  }
  return decisions;
}

std::vector<SizeRule> size_rules(const RankDecisions& decisions) {
  std::vector<SizeRule> rules;
  const auto goes_on = [](const Decision& before, const Decision& next) {
    if (!before.choice || !next.choice) return before.choice.has_value() == next.choice.has_value();
    return is_same(*before.choice, *next.choice);
  };
  std::vector<const Decision*> all;
  for (const std::vector<Decision>* some : {&decisions.sizes, &decisions.between})
    for (const Decision& decision : *some) all.push_back(&decision);
  std::ranges::stable_sort(all, {}, [](const Decision* decision) { return decision->bytes; });
  for (const Decision* decision : all)
    if (rules.empty() || !goes_on(*rules.back().decision, *decision))
      rules.push_back({rules.empty() ? 0 : decision->bytes, decision});
  return rules;
}

}  // namespace heddle::decisions

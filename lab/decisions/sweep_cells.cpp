// SPDX-License-Identifier: Apache-2.0
#include "lab/decisions/sweep_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/errors.hpp"
#include "lab/documents/part_run.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "lab/sweep/sweep_journal.hpp"

namespace heddle::decisions {

namespace {

using Json = nlohmann::ordered_json;

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
                        text_of(collective, run), run.algorithm, part_text(run.bytes, run.measured->payload_scale)));
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

std::vector<std::string> speeds_of_cells(const std::vector<SweepCell>& cells, const std::vector<NamedSweep>& sweeps) {
  std::vector<std::string> sentences;
  for (const SweepCell& cell : cells) {
    const std::string sentence = speeds_sentence(fabric_of(sweeps[cell.sweep].document, *cell.fastest_first.front()));
    if (std::ranges::find(sentences, sentence) == sentences.end()) sentences.push_back(sentence);
  }
  return sentences;
}

}  // namespace heddle::decisions

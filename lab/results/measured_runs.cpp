// SPDX-License-Identifier: Apache-2.0
#include "lab/results/measured_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "heddle/errors.hpp"
#include "lab/describe/flag_table.hpp"
#include "topo/files/file_fields.hpp"

namespace heddle {

namespace {

constexpr double kMostBytes = 1e15;
constexpr double kMostSeconds = 1e5;

/// Reads one file.
class MeasuredFile : private FileFields {
 public:
  MeasuredFile(std::string path, MeasuredTime which) : FileFields(std::move(path)), which_(which) {}

  std::vector<MeasuredRun> read() {
    const LocatedJson root = read_root();
    if (root.kind == LocatedJson::Kind::array)
      for (const LocatedJson& document : root.parts) read_document(document);
    else
      read_document(root);
    return std::move(runs_);
  }

 private:
  void read_document(const LocatedJson& document) {
    require_kind(document, LocatedJson::Kind::object, "a run's document");
    const LocatedJson& context = object_in(document, "context", "the document");
    const LocatedJson& runs = required(document, "runs", "the document");
    require_kind(runs, LocatedJson::Kind::array, "'runs'");
    require_one_group(context);
    for (const LocatedJson& run : runs.parts) {
      require_kind(run, LocatedJson::Kind::object, "a run");
      if (run.find("error") == nullptr && run.find("stopped") == nullptr) add(run, context);
    }
  }

  const LocatedJson& object_in(const LocatedJson& parent, std::string_view name, std::string_view what) const {
    const LocatedJson& value = required(parent, name, what);
    require_kind(value, LocatedJson::Kind::object, fmt::format("'{}'", name));
    return value;
  }

  /// What no process of a real network does.
  void require_one_group(const LocatedJson& context) const {
    for (const char* name : {"groups", "background", "faults", "skew", "counts"}) {
      const LocatedJson* value = context.find(name);
      if (value != nullptr && value->kind != LocatedJson::Kind::null)
        fail(*value, fmt::format("'{}': a fit takes calls of all ranks, alone on the network", name));
    }
  }

  double positive(const LocatedJson& run, std::string_view name) const {
    const LocatedJson& value = required(run, name, "a run");
    const double given = number(value, fmt::format("'{}'", name));
    if (!(given > 0)) fail(value, fmt::format("'{}' must be more than 0, not {}", name, given));
    return given;
  }

  std::int64_t bytes(const LocatedJson& run, std::string_view name) const {
    const LocatedJson& value = required(run, name, "a run");
    const double given = number(value, fmt::format("'{}'", name));
    if (!(given >= 0 && given <= kMostBytes))
      fail(value, fmt::format("'{}' must be 0 to {:g}, not {:g}", name, kMostBytes, given));
    return static_cast<std::int64_t>(given);
  }

  /// As the flag of `heddle run` reads it.
  void set(Experiment& experiment, const LocatedJson& object, std::string_view name, std::string_view flag) const {
    const LocatedJson* value = object.find(name);
    if (value == nullptr) return;
    parsed(*value, fmt::format("'{}'", name), [&](const std::string& text) {
      set_flag(experiment, flag, text);
      return 0;
    });
  }

  Experiment call_of(const LocatedJson& run, const LocatedJson& context) const {
    Experiment call;
    call.collective = parsed(required(run, "collective", "a run"), "'collective'",
                             [](const std::string& name) { return parse_collective(name); });
    call.algorithm = text(required(run, "algorithm", "a run"), "'algorithm'");
    call.ranks = count(required(run, "ranks", "a run"), "'ranks'");
    if (call.collective != Collective::barrier) call.size = Bytes(bytes(run, "bytes"));
    set(call, run, "datatype", "--datatype");
    if (reduces(call.collective)) set(call, run, "op", "--op");
    if (has_root(call.collective)) call.root = count(required(run, "root", "a run"), "'root'", 0);
    set(call, context, "blocks", "--blocks");
    set(call, context, "placement", "--placement");
    if (const LocatedJson* in_place = context.find("in_place")) call.in_place = truth(*in_place, "'in_place'");
    return call;
  }

  Time time_of(const LocatedJson& run, const LocatedJson& clock) const {
    double seconds = positive(run, "time_s");
    if (which_ == MeasuredTime::least) {
      const LocatedJson& times = required(clock, "times_s", "'wall_clock'");
      require_kind(times, LocatedJson::Kind::array, "'times_s'");
      for (const LocatedJson& time : times.parts) seconds = std::min(seconds, number(time, "a time"));
    }
    const Time time = Time::from_seconds(seconds);
    if (time <= Time() || seconds > kMostSeconds)
      fail(run, fmt::format("a time must be from 1ps to {:g} s, not {:g} s", kMostSeconds, seconds));
    return time;
  }

  void add(const LocatedJson& run, const LocatedJson& context) {
    MeasuredRun measured;
    measured.experiment = call_of(run, context);
    const LocatedJson* clock = run.find("wall_clock");
    const LocatedJson* over = clock == nullptr ? nullptr : clock->find("over");
    if (over == nullptr)
      fail(run,
           fmt::format("{} was emulated, not measured; what 'heddle run --transport mpi|tcp --json FILE' writes can be fitted",
                       measured.experiment.algorithm));
    measured.messages = count(required(run, "messages", "a run"), "'messages'", 0);
    if (measured.messages == 0) return;
    measured.place = fmt::format("{}:{}", path(), run.line);
    measured.network = text(*over, "'over'");
    measured.time = time_of(run, *clock);
    measured.rounds = count(required(run, "rounds", "a run"), "'rounds'");
    measured.sent = Bytes(bytes(run, "sent_bytes_max"));
    runs_.push_back(std::move(measured));
  }

  MeasuredTime which_;
  std::vector<MeasuredRun> runs_;
};

/// Each once, in the order of their first runs.
std::vector<std::string> names_in(std::span<const MeasuredRun> runs) {
  std::vector<std::string> names;
  for (const MeasuredRun& run : runs)
    if (std::ranges::find(names, run.experiment.algorithm) == names.end()) names.push_back(run.experiment.algorithm);
  return names;
}

/// Of names that may have commas themselves: "chain:segments=2,x=1,ring".
std::vector<std::string> names_of_list(std::string_view list, const std::vector<std::string>& known) {
  std::vector<std::string> names;
  while (!list.empty()) {
    std::string_view longest;
    for (const std::string& name : known)
      if (list.starts_with(name) && (list.size() == name.size() || list[name.size()] == ',') && name.size() > longest.size())
        longest = name;
    if (longest.empty())
      throw InputError(
          fmt::format("'{}': no run of it was measured; there are {}", list.substr(0, list.find(',')), fmt::join(known, ", ")));
    names.emplace_back(longest);
    list.remove_prefix(std::min(list.size(), longest.size() + 1));
  }
  return names;
}

/// What shows latency and bandwidth by themselves.
bool is_point_to_point(const MeasuredRun& run) { return run.experiment.ranks == 2 && (run.messages == 1 || run.rounds == 1); }

}  // namespace

std::vector<MeasuredRun> read_measured_runs(std::span<const std::string> files, MeasuredTime which) {
  std::vector<MeasuredRun> runs;
  for (const std::string& file : files) {
    std::vector<MeasuredRun> more = MeasuredFile(file, which).read();
    if (more.empty()) throw InputError(fmt::format("{}: no run that sends messages was measured", file));
    runs.insert(runs.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  return runs;
}

std::vector<bool> choose_fitted(std::span<const MeasuredRun> runs, std::string_view algorithms) {
  constexpr std::size_t kUsual = 2;
  std::vector<std::string> names;
  if (algorithms.empty()) {
    std::vector<MeasuredRun> others;
    std::ranges::remove_copy_if(runs, std::back_inserter(others), is_point_to_point);
    names = names_in(others.empty() ? runs : others);
    names.resize(std::min(names.size(), kUsual));
  } else {
    names = names_of_list(algorithms, names_in(runs));
  }
  std::vector<bool> fitted;
  for (const MeasuredRun& run : runs)
    fitted.push_back(std::ranges::find(names, run.experiment.algorithm) != names.end() ||
                     (algorithms.empty() && is_point_to_point(run)));
  return fitted;
}

}  // namespace heddle

// SPDX-License-Identifier: Apache-2.0
// Which program wrote a file, and heddle's own documents.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "core/read_file.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_table.hpp"
#include "lab/measurements/log_lines.hpp"
#include "lab/measurements/measured_run.hpp"
#include "topo/files/file_fields.hpp"

namespace heddle {

namespace {

constexpr double kMostBytes = 1e15;
constexpr double kMostSeconds = 1e5;

/// Reads one of heddle's.
class MeasuredFile : private FileFields {
 public:
  MeasuredFile(std::string path, MeasuredTime which) : FileFields(std::move(path)), which_(which) {}

  std::vector<MeasuredRun> read(std::string_view text) {
    const LocatedJson root = read_located_json(text, path());
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
    runs_.push_back(std::move(measured));
  }

  MeasuredTime which_;
  std::vector<MeasuredRun> runs_;
};

using logs::Log;

struct Program {
  std::string_view name;
  bool (*wrote)(std::string_view line);
  void (*read)(Log& log);
};

constexpr Program kPrograms[] = {
    {"nccl-tests",
     [](std::string_view line) {
       return line.starts_with('#') && line.find("algbw") != line.npos && line.find("busbw") != line.npos;
     },
     logs::read_nccl_tests},
    {"OSU's benchmarks", [](std::string_view line) { return line.starts_with("# OSU MPI"); }, logs::read_osu},
    {"Intel's benchmarks", [](std::string_view line) { return line.starts_with("# Benchmarking "); }, logs::read_imb},
    {"a CSV", logs::is_csv_header, logs::read_csv},
};

/// nullptr: none that is known.
const Program* program_of(const std::string& path, const Log& log) {
  const Program* found = nullptr;
  for (const logs::Line& line : log.lines())
    for (const Program& program : kPrograms) {
      if (!program.wrote(line.text) || &program == found) continue;
      if (found != nullptr)
        throw InputError(fmt::format("{}:{}: {} begins here, and {} before; a file is of one program", path, line.number,
                                     program.name, found->name));
      found = &program;
    }
  return found;
}

/// A document, or a list of some: not what a launcher marks, "[1,0]<stdout>:" or "[0] ".
bool is_json(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos || text[first] != '[') return first != text.npos && text[first] == '{';
  const std::size_t next = text.find_first_not_of(kBlanks, first + 1);
  return next == text.npos || text[next] == '{' || text[next] == ']';
}

MeasuredRuns read_log(const std::string& path, std::string_view text, MeasuredTime which, const LogFacts& facts) {
  Log log(path, text, facts);
  const Program* program = program_of(path, log);
  if (program == nullptr)
    throw InputError(
        fmt::format("{}: neither what 'heddle run --transport mpi|tcp --json' writes, nor a table of nccl-tests, OSU's or "
                    "Intel's benchmarks, "
                    "nor a CSV with collective, ranks, bytes, seconds",
                    path));
  if (!facts.program.empty() && facts.program != program->name)
    throw InputError(fmt::format("{}: the table is of {}, not of {}", path, program->name, facts.program));
  if (which == MeasuredTime::least)
    throw InputError(
        fmt::format("{}: least: {} prints averages of all iterations alone; leave --times out", path, program->name));
  program->read(log);
  return log.take();
}

}  // namespace

MeasuredRuns read_measurements(const std::string& file, const std::string& text, MeasuredTime which, const LogFacts& facts) {
  MeasuredRuns runs;
  if (is_measured_log(text) || !is_json(text))
    runs = read_log(file, text, which, facts);
  else if (!facts.program.empty())
    throw InputError(fmt::format("{}: the file is JSON, not a table of {}", file, facts.program));
  else
    runs.runs = MeasuredFile(file, which).read(text);
  if (runs.runs.empty()) {
    const std::string why = runs.left_out.empty() ? "" : "; left out: " + runs.left_out.front();
    throw InputError(fmt::format("{}: no run that sends messages was measured{}", file, why));
  }
  return runs;
}

MeasuredRuns read_measurements(std::span<const std::string> files, MeasuredTime which, const LogFacts& facts) {
  MeasuredRuns all;
  for (const std::string& file : files) {
    MeasuredRuns more = read_measurements(file, read_named_file(file), which, facts);
    all.has_logs = all.has_logs || more.has_logs;
    std::ranges::move(more.runs, std::back_inserter(all.runs));
    std::ranges::move(more.left_out, std::back_inserter(all.left_out));
  }
  return all;
}

bool is_measured_log(const std::string& text) {
  if (is_json(text)) return false;
  static const LogFacts kNone;
  const Log log("", text, kNone);
  return std::ranges::any_of(log.lines(), [](const logs::Line& line) {
    return std::ranges::any_of(kPrograms, [&](const Program& program) { return program.wrote(line.text); });
  });
}

}  // namespace heddle

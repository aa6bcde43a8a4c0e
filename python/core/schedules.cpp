// SPDX-License-Identifier: Apache-2.0
// Schedules: written by hand, read, or recorded from a run.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"
#include "lab/documents/failure_facts.hpp"
#include "lab/studies/schedule_picture.hpp"
#include "python/core/bindings.hpp"
#include "python/core/rank_rows.hpp"
#include "python/core/stop.hpp"
#include "schedules/build/schedule_builder.hpp"
#include "schedules/files/msccl.hpp"
#include "schedules/files/write_goal.hpp"
#include "schedules/run/compiled_schedule.hpp"
#include "schedules/run/run_schedule.hpp"

namespace heddle::python {

namespace {

constexpr std::array<std::string_view, 3> kBuffers = {"input", "output", "scratch"};

/// "input" or MSCCL's "i".
ChunkBuffer parse_buffer(const std::string& name) {
  for (std::size_t i = 0; i < kBuffers.size(); ++i)
    if (name == kBuffers[i] || name == kBuffers[i].substr(0, 1)) return static_cast<ChunkBuffer>(i);
  throw InputError(unknown_name_message("buffer", name, kBuffers));
}

std::string buffer_name(ChunkBuffer buffer) { return std::string(kBuffers[static_cast<std::size_t>(buffer)]); }

/// A schedule that does not change, with what follows from it.
class MadeSchedule {
 public:
  explicit MadeSchedule(ScheduleProgram program) : compiled_(std::make_shared<const CompiledSchedule>(std::move(program))) {}

  const ScheduleProgram& program() const { return compiled_->program(); }
  const CompiledSchedule& compiled() const { return *compiled_; }
  PythonRow row(const std::string& name) const {
    return {to_string(program().collective), name, nullptr, schedule_row(name, compiled_)};
  }

  /// Round which cycle its threads wait with so many slots; empty: it comes to its end.
  std::string stuck(std::optional<int> slots) const {
    if (slots && *slots < 0) throw InputError(fmt::format("slots {}: a channel holds 0 messages or more", *slots));
    return execute(program(), Connections(program()), slots).stuck;
  }

  /// Steps that send: a message each, to another rank.
  std::int64_t messages() const {
    std::int64_t messages = 0;
    for (const RankSchedule& rank : program().ranks)
      for (const Strand& strand : rank.strands)
        for (const Step& step : strand.steps) messages += sends(step.kind) ? 1 : 0;
    return messages;
  }

  std::string xml() const {
    std::ostringstream text;
    write_msccl(program(), text);
    return text.str();
  }

  /// Of a call of the experiment's size and type.
  std::string goal(const Experiment& call, double gamma) const {
    const auto element = static_cast<std::int64_t>(type_of(call).size());
    const std::int64_t parts = has_blocks(program().collective) ? program().size() : 1;
    const std::int64_t count = call.size ? call.size->count() / element : program().chunks;
    if (count % parts != 0)
      throw InputError(fmt::format("size {}: {} elements make no {} equal blocks; try {}", to_string(Bytes(count * element)),
                                   count, parts, to_string(Bytes((count / parts + 1) * parts * element))));
    std::ostringstream text;
    write_goal(*compiled_, count, element, gamma, text);
    return text.str();
  }

  /// By rank: chunks of scratch, and its threads.
  py::list ranks() const {
    py::list ranks;
    for (const RankSchedule& rank : program().ranks) {
      py::list threads;
      for (const Strand& strand : rank.strands)
        threads.append(
            py::make_tuple(strand.id, peer(strand.send_to), peer(strand.receive_from), strand.channel, steps(rank, strand)));
      ranks.append(py::make_tuple(rank.scratch_chunks, threads));
    }
    return ranks;
  }

 private:
  static py::object peer(std::int32_t rank) { return rank < 0 ? py::object(py::none()) : py::int_(rank); }

  /// What it waits for is named as its thread is, not by place.
  static py::list steps(const RankSchedule& rank, const Strand& strand) {
    py::list steps;
    for (const Step& step : strand.steps) {
      const auto place = [](bool is_used, ChunkPlace where) {
        return is_used ? py::object(py::make_tuple(buffer_name(where.buffer), where.first)) : py::object(py::none());
      };
      py::object after = py::none();
      if (step.after_strand >= 0)
        after = py::make_tuple(rank.strands[static_cast<std::size_t>(step.after_strand)].id, step.after_step);
      steps.append(py::make_tuple(std::string(code_of(step.kind)), place(reads_source(step.kind), step.source),
                                  place(writes_target(step.kind), step.target), step.chunks, after));
    }
    return steps;
  }

  std::shared_ptr<const CompiledSchedule> compiled_;
};

/// What the ranks of an experiment's algorithm did.
MadeSchedule record(const Experiment& experiment, const std::vector<PythonRow>& rows) {
  const auto stop = make_locked<StopQuestion>();
  const CalledRows called(rows, stop);
  std::optional<ScheduleProgram> program;
  const std::optional<Failure> failure =
      failure_of(called, stop, experiment, [&](const Experiment& what) { program = record_schedule(what).program; });
  if (failure) {
    const std::optional<int> rank = failure->facts.rank;
    raise_failure(*failure, rank ? called.exception_of(experiment.algorithm, *rank) : py::none());
  }
  return MadeSchedule(*std::move(program));
}

ScheduleBuilder make_builder(std::string name, const std::string& collective, int ranks, std::int32_t chunks,
                             std::optional<bool> in_place, int root) {
  return ScheduleBuilder({.name = std::move(name),
                          .collective = parse_collective(collective),
                          .ranks = ranks,
                          .chunks = chunks,
                          .in_place = in_place,
                          .root = root});
}

OperationChoice choice_of(std::int32_t channel, std::int32_t send_tb, std::int32_t receive_tb, std::string where) {
  return {.channel = channel, .send_tb = send_tb, .receive_tb = receive_tb, .where = std::move(where)};
}

void add_builder(py::module_& module) {
  py::class_<ChunkRef>(module, "ChunkRef")
      .def_property_readonly("rank", &ChunkRef::rank)
      .def_property_readonly("buffer", [](const ChunkRef& chunk) { return buffer_name(chunk.place().buffer); })
      .def_property_readonly("index", [](const ChunkRef& chunk) { return chunk.place().first; })
      .def_property_readonly("count", &ChunkRef::count)
      .def("copy",
           [](const ChunkRef& chunk, int rank, const std::string& buffer, std::int32_t index, std::int32_t channel,
              std::int32_t send_tb, std::int32_t receive_tb, std::string where) {
             return chunk.copy(rank, parse_buffer(buffer), index, choice_of(channel, send_tb, receive_tb, std::move(where)));
           })
      .def("reduce",
           [](const ChunkRef& chunk, const ChunkRef& other, std::int32_t channel, std::int32_t send_tb, std::int32_t receive_tb,
              std::string where) { return chunk.reduce(other, choice_of(channel, send_tb, receive_tb, std::move(where))); });
  py::class_<ScheduleBuilder>(module, "ScheduleBuilder")
      .def(py::init(&make_builder), py::arg("name"), py::arg("collective"), py::arg("ranks"), py::arg("chunks"),
           py::arg("in_place"), py::arg("root"))
      .def("chunk", [](const ScheduleBuilder& builder, int rank, const std::string& buffer, std::int32_t index,
                       std::int32_t count) { return builder.chunk(rank, parse_buffer(buffer), index, count); })
      .def("build", [](const ScheduleBuilder& builder, bool fuse, int slots, int instances) {
        return MadeSchedule(builder.build({.fuse = fuse, .slots = slots, .instances = instances}));
      });
}

}  // namespace

void add_schedules(py::module_& module) {
  py::class_<MadeSchedule>(module, "Schedule")
      .def_static("read",
                  [](std::string text, const std::string& file, const std::optional<std::string>& collective) {
                    const auto of = collective ? std::optional(parse_collective(*collective)) : std::nullopt;
                    return MadeSchedule(read_msccl(std::move(text), file, of));
                  })
      .def_static("read_file",
                  [](const std::string& file, const std::optional<std::string>& collective) {
                    return MadeSchedule(
                        read_msccl_file(file, collective ? std::optional(parse_collective(*collective)) : std::nullopt));
                  })
      .def_static("record", &record)
      .def_property_readonly("name", [](const MadeSchedule& schedule) { return schedule.program().name; })
      .def_property_readonly("collective",
                             [](const MadeSchedule& schedule) { return to_string(schedule.program().collective); })
      .def_property_readonly("size", [](const MadeSchedule& schedule) { return schedule.program().size(); })
      .def_property_readonly("chunks", [](const MadeSchedule& schedule) { return schedule.program().chunks; })
      .def_property_readonly("root", [](const MadeSchedule& schedule) { return schedule.program().root; })
      .def_property_readonly("least_slots", [](const MadeSchedule& schedule) { return schedule.compiled().least_slots(); })
      .def_property_readonly("messages", &MadeSchedule::messages)
      .def("stuck", &MadeSchedule::stuck, py::call_guard<py::gil_scoped_release>())
      .def("race", [](const MadeSchedule& schedule, bool in_place) { return schedule.compiled().race(in_place); })
      .def("contents",
           [](const MadeSchedule& schedule, bool in_place) { return schedule.compiled().explain(std::nullopt, in_place); })
      .def("is_looked_through",
           [](const MadeSchedule& schedule, bool in_place) { return schedule.compiled().is_looked_through(in_place); })
      .def("row", &MadeSchedule::row)
      .def("ranks", &MadeSchedule::ranks)
      .def("xml", &MadeSchedule::xml)
      .def("goal", &MadeSchedule::goal);
  add_builder(module);
}

}  // namespace heddle::python

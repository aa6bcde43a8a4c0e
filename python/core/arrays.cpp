// SPDX-License-Identifier: Apache-2.0
#include "python/core/arrays.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::python {

namespace {

struct RankRow {
  std::int64_t completion_ps;
  std::int64_t messages;
  std::int64_t sent_bytes;
  std::int64_t received_bytes;
  std::int32_t rounds;
};

struct RoundRow {
  std::int64_t messages;
  std::int64_t bytes;
  std::int32_t peak_flows;
};

struct LinkRow {
  std::int32_t source;  ///< vertices: endpoints, then switches
  std::int32_t dest;
  std::int64_t bytes;
  std::int64_t busy_ps;
  std::int32_t peak_flows;
  double utilisation;
};

template <class Row>
py::array array_of(const std::vector<Row>& rows) {
  return py::array_t<Row>(static_cast<py::ssize_t>(rows.size()), rows.data());
}

/// A member of a message's record.
struct Field {
  const char* name;
  const char* type;
  std::size_t offset;
};

py::dtype message_type() {
  using M = MessageRecord;
  static_assert(sizeof(Time) == sizeof(std::int64_t));
  py::list names;
  py::list formats;
  py::list offsets;
  for (const Field& field : {Field{"source", "i4", offsetof(M, source)},
                             {"dest", "i4", offsetof(M, dest)},
                             {"tag", "i4", offsetof(M, tag)},
                             {"round", "i4", offsetof(M, round)},
                             {"bytes", "i8", offsetof(M, bytes)},
                             {"posted_ps", "i8", offsetof(M, posted)},
                             {"started_ps", "i8", offsetof(M, started)},
                             {"entered_ps", "i8", offsetof(M, entered)},
                             {"drained_ps", "i8", offsetof(M, drained)},
                             {"arrived_ps", "i8", offsetof(M, arrived)},
                             {"alone_ps", "i8", offsetof(M, full_rate)}}) {
    names.append(field.name);
    formats.append(py::dtype(field.type));
    offsets.append(field.offset);
  }
  return {std::move(names), std::move(formats), std::move(offsets), sizeof(M)};
}

}  // namespace

void add_arrays() {
  PYBIND11_NUMPY_DTYPE(RankRow, completion_ps, messages, sent_bytes, received_bytes, rounds);
  PYBIND11_NUMPY_DTYPE(RoundRow, messages, bytes, peak_flows);
  PYBIND11_NUMPY_DTYPE(LinkRow, source, dest, bytes, busy_ps, peak_flows, utilisation);
}

py::array ranks_array(const Report& report) {
  std::vector<RankRow> rows;
  for (const RankReport& rank : report.ranks)
    rows.push_back({rank.completion.ps(), rank.messages, rank.sent.count(), rank.received.count(), rank.rounds});
  return array_of(rows);
}

py::array rounds_array(const Report& report) {
  std::vector<RoundRow> rows;
  for (const RoundReport& round : report.rounds) rows.push_back({round.messages, round.bytes.count(), round.peak_flows});
  return array_of(rows);
}

py::array links_array(const Report& report, const Fabric& fabric) {
  std::vector<LinkRow> rows;
  for (const LinkReport& link : report.links) {
    const LinkEnds ends = fabric.topology().ends(link.link);
    rows.push_back({ends.from, ends.to, link.bytes.count(), link.busy.ps(), link.peak_flows,
                    utilisation(link, fabric, report.completion)});
  }
  return array_of(rows);
}

py::array messages_array(const std::shared_ptr<const Timeline>& timeline) {
  auto kept = std::make_unique<std::shared_ptr<const Timeline>>(timeline);
  const py::capsule owner(kept.get(), [](void* owned) { delete static_cast<std::shared_ptr<const Timeline>*>(owned); });
  const std::vector<MessageRecord>& messages = (*kept.release())->messages;
  py::array view(message_type(), {static_cast<py::ssize_t>(messages.size())}, {}, messages.data(), owner);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

}  // namespace heddle::python

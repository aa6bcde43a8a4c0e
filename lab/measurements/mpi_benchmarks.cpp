// SPDX-License-Identifier: Apache-2.0
// Tables of OSU's micro-benchmarks and of Intel's (IMB-MPI1). Both say how long the fastest rank, the slowest and a rank on average
// took; heddle's time is the slowest rank's. Without it (osu_allreduce without -f) the average is taken. Both name an allgather, an
// alltoall, a gather and a scatter by the bytes of one block, all others by the whole vector.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/printable.hpp"
#include "heddle/datatype.hpp"
#include "lab/measurements/log_lines.hpp"

namespace heddle::logs {

namespace {

/// What a ping-pong's half is: one message from a rank to another.
constexpr std::string_view kOneMessage = "binomial_doubling";

constexpr std::array<NamedCollective, 11> kOsu = {{{"Allreduce", Collective::allreduce},
                                                   {"Allgather", Collective::allgather, SizeOf::block},
                                                   {"Broadcast", Collective::broadcast},
                                                   {"Bcast", Collective::broadcast},
                                                   {"Reduce", Collective::reduce},
                                                   {"Reduce_scatter", Collective::reduce_scatter},
                                                   {"All-to-All Personalized Exchange", Collective::alltoall, SizeOf::block},
                                                   {"Alltoall", Collective::alltoall, SizeOf::block},
                                                   {"Gather", Collective::gather, SizeOf::block},
                                                   {"Scatter", Collective::scatter, SizeOf::block},
                                                   {"Barrier", Collective::barrier}}};

constexpr std::array<NamedCollective, 9> kImb = {{{"Allreduce", Collective::allreduce},
                                                  {"Allgather", Collective::allgather, SizeOf::block},
                                                  {"Bcast", Collective::broadcast},
                                                  {"Reduce", Collective::reduce},
                                                  {"Reduce_scatter", Collective::reduce_scatter},
                                                  {"Alltoall", Collective::alltoall, SizeOf::block},
                                                  {"Gather", Collective::gather, SizeOf::block},
                                                  {"Scatter", Collective::scatter, SizeOf::block},
                                                  {"Barrier", Collective::barrier}}};

template <std::size_t n>
const NamedCollective* find(const std::array<NamedCollective, n>& known, std::string_view name) {
  const auto found = std::ranges::find(known, name, &NamedCollective::name);
  return found == known.end() ? nullptr : &*found;
}

/// A message of two ranks' ping-pong.
Experiment one_message(Bytes size) {
  Experiment call;
  call.collective = Collective::broadcast;
  call.algorithm = kOneMessage;
  call.ranks = 2;
  call.size = size;
  call.type = Datatype::user(1);
  return call;
}

/// That a line ends with, a full stop behind it or not. No value: heddle has none to reduce.
std::optional<Datatype> type_of_mpi(std::string_view line) {
  if (line.ends_with('.')) line.remove_suffix(1);
  if (line.ends_with(" MPI_FLOAT")) return Datatype::f32();
  if (line.ends_with(" MPI_DOUBLE")) return Datatype::f64();
  if (line.ends_with(" MPI_INT")) return Datatype::i32();
  return std::nullopt;
}

/// Of vectors that are reduced as floats, those with an element or more; else any.
bool set_elements(Experiment& call, std::optional<Datatype> type) {
  call.in_place = false;
  call.type = reduces(call.collective) ? type.value_or(Datatype::f32()) : Datatype::user(1);
  return !reduces(call.collective) || call.size->count() >= static_cast<std::int64_t>(call.type->size());
}

class Osu {
 public:
  explicit Osu(Log& log) : log_(log) {}

  void read() {
    for (const Line& line : log_.lines()) {
      const std::string_view text = line.text;
      if (text.starts_with('#') && text.find("OSU MPI") != text.npos)
        begin(line);
      else if (text.starts_with("# Datatype:"))
        type_ = type_of_mpi(text);
      else if (text.starts_with('#') && text.find("(us)") != text.npos)
        columns_ = titles_of(text);
      else if (is_row(text))
        read_row(line);
    }
  }

 private:
  /// "# OSU MPI-CUDA Allreduce Latency Test v7.0"
  void begin(const Line& line) {
    collective_ = nullptr;
    columns_.clear();
    type_ = std::nullopt;
    is_message_ = false;
    const std::size_t begin = std::min(line.text.find(' ', line.text.find("MPI")), line.text.size());
    const std::size_t end = std::min(line.text.find(" Test"), line.text.size());
    const std::string_view title = begin < end ? line.text.substr(begin + 1, end - begin - 1) : "";
    constexpr std::string_view kLatency = " Latency";
    is_message_ = title == kLatency.substr(1);
    if (title.ends_with(kLatency)) collective_ = find(kOsu, title.substr(0, title.size() - kLatency.size()));
    if (collective_ != nullptr || is_message_) return;
    const bool is_rate = title.find("Bandwidth") != title.npos || title.find("Message Rate") != title.npos;
    log_.leave_out(line, is_rate ? fmt::format("{}: many messages at once, not the time of one, which osu_latency has", title)
                                 : fmt::format("{}: no collective of heddle", title));
  }

  void read_row(const Line& line) {
    if (collective_ == nullptr && !is_message_) return;
    const std::vector<std::string_view> words = words_of(line.text);
    if (columns_.empty() || words.size() != columns_.size())
      log_.fail(line, fmt::format("{} words, and the table has {} columns", words.size(), columns_.size()));
    const auto column = [&](std::string_view name) {
      return static_cast<std::size_t>(std::ranges::find(columns_, name) - columns_.begin());
    };
    if (const std::size_t valid = column("Validation"); valid < words.size() && words[valid] != "Pass")
      log_.fail(line, fmt::format("validation says '{}': the row's time counts for nothing", printable(words[valid])));
    const std::size_t slowest = column("Max Latency(us)");
    std::size_t average = column("Avg Latency(us)");
    if (average == words.size() && is_message_) average = column("Latency (us)");  // before version 7.4
    const std::size_t time = slowest < words.size() ? slowest : average;
    if (time >= words.size()) log_.fail(line, "no column has the time: Avg Latency(us) or Max Latency(us)");
    const double seconds = log_.number(line, words[time], columns_[time]) * 1e-6;
    if (is_message_) return add_message(line, words[0], seconds);
    Experiment call;
    call.collective = log_.collective(line, collective_->collective);
    call.ranks = log_.ranks(line, std::nullopt);
    if (call.collective != Collective::barrier)
      call.size = whole_size(log_, line, log_.whole(line, words[0], "Size"), collective_->size, *call.ranks);
    if (!set_elements(call, type_)) return log_.leave_out(line, "vectors shorter than an element that heddle reduces");
    log_.add(line, call, seconds,
             fmt::format("OSU's benchmarks, {} ranks, {}", *call.ranks, time == slowest ? "slowest rank" : "average of ranks"));
  }

  void add_message(const Line& line, std::string_view size, double seconds) {
    log_.add(line, one_message(whole_size(log_, line, log_.whole(line, size, "Size"), SizeOf::whole, 2)), seconds,
             "OSU's benchmarks, a message between 2 ranks", true);
  }

  Log& log_;
  const NamedCollective* collective_ = nullptr;
  bool is_message_ = false;
  std::optional<Datatype> type_;
  std::vector<std::string_view> columns_;
};

class Imb {
 public:
  explicit Imb(Log& log) : log_(log) {}

  void read() {
    for (const Line& line : log_.lines()) {
      const std::string_view text = line.text;
      if (text.starts_with('#'))
        read_head(line);
      else if (is_row(text))
        read_row(line);
    }
  }

 private:
  void read_head(const Line& line) {
    constexpr std::string_view kProcesses = "#processes =";
    const std::string_view text = line.text;
    const std::vector<std::string_view> words = words_of(text.substr(1));
    if (words.size() > 1 && words[0] == "Benchmarking") {
      begin(line, words[1]);
    } else if (const std::size_t at = text.find(kProcesses); at != text.npos) {
      const std::vector<std::string_view> rest = words_of(text.substr(at + kProcesses.size()));
      if (rest.empty()) log_.fail(line, "a number is missing behind '#processes ='");
      ranks_ = static_cast<int>(std::min<std::int64_t>(log_.whole(line, rest[0], "#processes"), 1 << 30));
    } else if (words.size() > 2 && words[0] == "(" && words[2] == "groups" && !is_skipped_) {
      log_.leave_out(line, fmt::format("{} in several groups at once: a log is of all ranks, alone", name_));
      is_skipped_ = true;
    } else if (words.size() > 3 && words[0] == "MPI_Datatype" && text.find("reductions") != text.npos) {
      type_ = type_of_mpi(text);
    } else if (text.find("[usec]") != text.npos) {
      columns_ = words_of(text);
    }
  }

  void begin(const Line& line, std::string_view name) {
    name_ = name;
    columns_.clear();
    ranks_ = std::nullopt;
    collective_ = find(kImb, name);
    is_message_ = name == "PingPong";
    is_skipped_ = collective_ == nullptr && !is_message_;
    if (is_skipped_) log_.leave_out(line, fmt::format("{}: no collective of heddle", name));
  }

  void read_row(const Line& line) {
    if (is_skipped_ || name_.empty()) return;
    const std::vector<std::string_view> words = words_of(line.text);
    if (columns_.empty() || words.size() != columns_.size())
      log_.fail(line, fmt::format("{} words, and the table has {} columns", words.size(), columns_.size()));
    const auto column = [&](std::string_view name) {
      return static_cast<std::size_t>(std::ranges::find(columns_, name) - columns_.begin());
    };
    const std::size_t time = column(is_message_ ? "t[usec]" : "t_max[usec]");
    const std::size_t size = column("#bytes");
    const bool has_size = is_message_ || collective_->collective != Collective::barrier;
    if (time >= words.size() || (has_size && size >= words.size()))
      log_.fail(line, "no column has the time or the bytes: #bytes, t_max[usec]");
    if (const std::size_t wrong = column("defects"); wrong < words.size() && log_.number(line, words[wrong], "defects") > 0)
      log_.fail(line, "defects: the row's time counts for nothing");
    const double seconds = log_.number(line, words[time], columns_[time]) * 1e-6;
    if (is_message_)
      return log_.add(line, one_message(whole_size(log_, line, log_.whole(line, words[size], "#bytes"), SizeOf::whole, 2)),
                      seconds, "Intel's benchmarks, a message between 2 ranks", true);
    Experiment call;
    call.collective = collective_->collective;
    if (log_.facts().collective && *log_.facts().collective != call.collective)
      return log_.leave_out(line, fmt::format("{}: --log-collective says another", name_));
    if (!ranks_) log_.fail(line, "no line '# #processes = …' stands before the row");
    if (log_.facts().ranks && *log_.facts().ranks != *ranks_)
      return log_.leave_out(line, fmt::format("{} on {} ranks: --log-ranks says another number", name_, *ranks_));
    call.ranks = log_.ranks(line, ranks_);
    if (has_size) call.size = whole_size(log_, line, log_.whole(line, words[size], "#bytes"), collective_->size, *call.ranks);
    if (has_size && call.size == Bytes(0)) return;
    if (has_size && !set_elements(call, type_))
      return log_.leave_out(line, "vectors shorter than an element that heddle reduces");
    log_.add(line, call, seconds, fmt::format("Intel's benchmarks, {} ranks, slowest rank", *call.ranks));
  }

  Log& log_;
  std::string_view name_;
  const NamedCollective* collective_ = nullptr;
  bool is_message_ = false;
  bool is_skipped_ = false;
  std::optional<int> ranks_;
  std::optional<Datatype> type_;
  std::vector<std::string_view> columns_;
};

}  // namespace

void read_osu(Log& log) { Osu(log).read(); }

void read_imb(Log& log) { Imb(log).read(); }

}  // namespace heddle::logs

// SPDX-License-Identifier: Apache-2.0
// nccl-tests' tables. Lines of its head begin with #: one may name the program ("# Collective test starting: all_reduce_perf"),
// one for each rank its device, and two the columns:
//
//   #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
//   #        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
//
// redop and root are not in every version, nor in every program; a row may leave them out too. The columns behind them are there
// twice, out of place and in place. size is what the rank that has more holds: the whole vector of each collective, as heddle's.
// `error` of old versions is how far a sum is off, `#wrong` how many elements are not right.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

#include "core/printable.hpp"
#include "core/read_number.hpp"
#include "heddle/datatype.hpp"
#include "heddle/errors.hpp"
#include "heddle/reduce_op.hpp"
#include "lab/describe/flag_table.hpp"
#include "lab/measurements/log_lines.hpp"

namespace heddle::logs {

namespace {

struct Program {
  std::string_view name;
  std::optional<Collective> collective;  ///< no value: none of heddle's
};

constexpr std::array<Program, 9> kPrograms = {{{"all_reduce_perf", Collective::allreduce},
                                               {"all_gather_perf", Collective::allgather},
                                               {"broadcast_perf", Collective::broadcast},
                                               {"reduce_scatter_perf", Collective::reduce_scatter},
                                               {"reduce_perf", Collective::reduce},
                                               {"alltoall_perf", Collective::alltoall},
                                               {"gather_perf", Collective::gather},
                                               {"scatter_perf", Collective::scatter},
                                               {"hypercube_perf", Collective::allgather}}};

struct Columns {
  std::size_t before = 0;  ///< those before the first time
  std::vector<std::string> group;
  std::size_t groups = 0;
};

class Reader {
 public:
  explicit Reader(Log& log) : log_(log) {}

  void read() {
    for (const Line& line : log_.lines()) {
      if (line.text.starts_with('#'))
        read_head(line);
      else if (is_row(line.text) && columns_)
        read_row(line);
    }
    if (!columns_) log_.fail(log_.lines().back(), "no line names the columns: size, count, type, …, time, algbw, busbw");
  }

 private:
  void read_head(const Line& line) {
    std::vector<std::string_view> words = words_of(line.text.substr(1));
    if (words.size() > 3 && words[0] == "Rank" && words[2] == "Group") {
      note_rank(line, words);
    } else if (words.size() > 2 && words[0] == "Rank" && words[2] == "Pid") {
      note_rank(line, words);
    } else if (line.text.find("test starting:") != line.text.npos) {
      begin_program(line, words.back());
    } else if (words.size() > 1 && words[0] == "nThread") {
      ranks_.clear();
    } else if (std::ranges::find(words, "size") != words.end() && std::ranges::find(words, "time") != words.end()) {
      columns_ = columns_of(line, words);
    } else if (line.text.find("Out of bounds values") != line.text.npos && line.text.find("FAILED") != line.text.npos) {
      log_.fail(line, "nccl-tests found results that are not right: their times count for nothing");
    }
  }

  void begin_program(const Line& line, std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const auto program = std::ranges::find_if(kPrograms, [&](const Program& known) { return name.starts_with(known.name); });
    is_skipped_ = program == kPrograms.end();
    said_ = is_skipped_ ? std::nullopt : program->collective;
    if (is_skipped_) log_.leave_out(line, fmt::format("{}: no collective of heddle", name));
    ranks_.clear();
  }

  void note_rank(const Line& line, const std::vector<std::string_view>& words) {
    const auto rank = static_cast<int>(std::min<std::int64_t>(log_.whole(line, words[1], "a rank"), 1 << 24));
    if (words[2] == "Group" && words[3] != "0")
      log_.fail(line, fmt::format("group {}: several groups ran at once (NCCL_TESTS_SPLIT); one log is of all ranks, alone",
                                  printable(words[3])));
    if (!ranks_.insert(rank).second)
      log_.fail(line, fmt::format("rank {} twice: nccl-tests was built without MPI, and each process ran alone", rank));
  }

  Columns columns_of(const Line& line, const std::vector<std::string_view>& words) const {
    Columns columns;
    const auto first = std::ranges::find(words, "time");
    columns.before = static_cast<std::size_t>(first - words.begin());
    columns.groups = static_cast<std::size_t>(std::ranges::count(words, "time"));
    const auto all = static_cast<std::size_t>(words.end() - first);
    if (columns.before < 3 || words[0] != "size" || words[1] != "count" || words[2] != "type" || columns.groups > 2 ||
        all % columns.groups != 0)
      log_.fail(line, "columns of nccl-tests are size, count, type, …, and time, algbw, busbw, … once or twice");
    columns.group.assign(first, first + static_cast<std::ptrdiff_t>(all / columns.groups));
    if (columns.group.size() < 3 || columns.group[1] != "algbw" || columns.group[2] != "busbw")
      log_.fail(line, "behind time there must be algbw and busbw");
    if (log_.facts().in_place && columns.groups < 2) log_.fail(line, "--log-place in: the table has no second time, in place");
    return columns;
  }

  /// Of a row, those of one group.
  struct Values {
    std::vector<std::string_view> before;
    std::vector<std::string_view> group;
  };
  Values values_of(const Line& line) const {
    const std::vector<std::string_view> words = words_of(line.text);
    const std::size_t behind = columns_->group.size() * columns_->groups;
    if (words.size() < behind + 3 || words.size() > behind + columns_->before)
      log_.fail(line, fmt::format("{} words, and the table has {} columns", words.size(), behind + columns_->before));
    const auto split = static_cast<std::ptrdiff_t>(words.size() - behind);
    const auto many = static_cast<std::ptrdiff_t>(columns_->group.size());
    const auto group = words.begin() + split + (log_.facts().in_place ? many : 0);
    return {{words.begin(), words.begin() + split}, {group, group + many}};
  }

  void read_row(const Line& line) {
    if (is_skipped_) return;
    const Values row = values_of(line);
    require_right(line, row);
    Experiment call;
    call.collective = log_.collective(line, said_);
    call.ranks = log_.ranks(line, ranks_.empty() ? std::nullopt : std::optional(static_cast<int>(ranks_.size())));
    call.size = whole_size(log_, line, log_.whole(line, row.before[0], "size"), SizeOf::whole, *call.ranks);
    call.in_place = log_.facts().in_place;
    set_elements(line, call, row);
    require_factor(line, call, row);
    log_.add(line, call, log_.number(line, row.group[0], "time") * 1e-6,
             fmt::format("nccl-tests, {} ranks, {}", *call.ranks, log_.facts().in_place ? "in place" : "out of place"));
  }

  void require_right(const Line& line, const Values& row) const {
    for (std::size_t i = 3; i < row.group.size(); ++i) {
      const std::string& name = columns_->group[i];
      if (name != "#wrong" && name != "wrong") continue;
      const auto wrong = read_number<std::int64_t>(row.group[i]);
      if (wrong && *wrong > 0) log_.fail(line, fmt::format("{} elements are wrong: the row's time counts for nothing", *wrong));
    }
  }

  void set_elements(const Line& line, Experiment& call, const Values& row) const {
    const std::string_view type = row.before[2];
    const bool is_byte = type == "int8" || type == "uint8" || type == "char";
    try {
      if (is_byte && !reduces(call.collective))
        call.type = Datatype::user(1);
      else
        call.type = parse_datatype(type);
      // Of an average the division is not heddle's; all else is the sum.
      const std::string_view op = row.before.size() > 3 ? row.before[3] : "";
      const bool is_sum = op.empty() || op == "avg" || op == "mulsum" || op == "none" || read_number<int>(op);
      if (reduces(call.collective) && !is_sum) set_flag(call, "--op", op);
    } catch (const InputError& error) {
      log_.fail(line, error.what());
    }
    if (has_root(call.collective) && row.before.size() > 3) {
      const auto root = read_number<int>(row.before.back());
      call.root = root && *root > 0 && *root < *call.ranks ? *root : 0;
    }
  }

  /// busbw over algbw is known for each collective (its doc/PERFORMANCE.md): flags that are not the log's are found by it.
  void require_factor(const Line& line, const Experiment& call, const Values& row) const {
    constexpr double kShown = 1;  // GB/s: two digits behind the point are printed
    constexpr double kRounding = 0.02;
    const double algbw = log_.number(line, row.group[1], "algbw");
    const double busbw = log_.number(line, row.group[2], "busbw");
    if (algbw < kShown || busbw < kShown) return;
    const double p = *call.ranks;
    const bool is_allreduce = call.collective == Collective::allreduce;
    const bool moves_all = call.collective == Collective::broadcast || call.collective == Collective::reduce;
    const double expected = is_allreduce ? 2 * (p - 1) / p : moves_all ? 1 : (p - 1) / p;
    // Of an allgather, a reduce_scatter and so on the first versions had algbw without the rank's own part.
    const bool is_old = !is_allreduce && !moves_all && std::abs(busbw / algbw - 1) < kRounding;
    if (is_old || std::abs(busbw / algbw / expected - 1) < kRounding) return;
    log_.fail(line,
              fmt::format("busbw is {:.3g} times algbw, and {} on {} ranks has {:.3g}: another collective or number of ranks",
                          busbw / algbw, to_string(call.collective), *call.ranks, expected));
  }

  Log& log_;
  std::optional<Collective> said_;
  bool is_skipped_ = false;
  std::set<int> ranks_;
  std::optional<Columns> columns_;
};

}  // namespace

void read_nccl_tests(Log& log) { Reader(log).read(); }

}  // namespace heddle::logs

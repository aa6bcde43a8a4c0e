// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/run_case.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>

#include "core/random.hpp"
#include "emu/engine/tasks.hpp"
#include "lab/run/run_algorithm.hpp"
#include "mpi/run/function_algorithm.hpp"

namespace heddle {

std::vector<Algorithm> registry_copy() { return {registry().begin(), registry().end()}; }

namespace {

const Algorithm& served_by(const Setup& setup, const Experiment& what) {
  if (!setup.algorithms.left_out.empty())
    throw InputError(fmt::format("{} algorithm '{}' cannot serve the case: {}", to_string(what.collective), what.algorithm,
                                 setup.algorithms.left_out.front().reason));
  return setup.algorithms.chosen.front();
}

Setup set_up_case(const Experiment& what) {
  Setup setup = set_up(what, Unfitting::left_out);
  setup.watch_whole_inputs = true;
  return setup;
}

/// In a drawn case it may cost no more than many usual ones.
constexpr PositionsBound kPositionsOfCase = {.actions = 200'000, .seconds = 5};

/// `call` is the row's.
Report run_checked(CallOfGroups& call, const Setup& setup, const Algorithm& row, const EmulationSettings& settings) {
  Report report = call.run(settings).report;
  check_promises(setup, row, report);
  return report;
}

/// What a call must leave as it is: standard input, output and error of the process.
class StandardFiles {
 public:
  StandardFiles() { were_open(); }
  /// Throws CheckError if some are closed now that were open. Those are open again then, and lead nowhere: the next file that is opened must not
  /// be taken for one of them.
  void require_open() const {
    const Open are_open = ask();
    if (are_open == were_open()) return;
    std::vector<std::string_view> closed;
    for (std::size_t file = 0; file < kNames.size(); ++file) {
      if (!were_open()[file] || are_open[file]) continue;
      closed.push_back(kNames[file]);
      const int nowhere = open("/dev/null", file == 0 ? O_RDONLY : O_WRONLY);
      if (nowhere < 0 || nowhere == static_cast<int>(file)) continue;
      dup2(nowhere, static_cast<int>(file));
      close(nowhere);
    }
    if (closed.empty()) return;
    std::string names(closed.front());
    for (std::size_t i = 1; i < closed.size(); ++i)
      names += fmt::format("{}{}", i + 1 < closed.size() ? ", " : " and ", closed[i]);
    throw CheckError(CheckError::Kind::hygiene, fmt::format("the call closed {} of the process, which are not its own", names));
  }

 private:
  static constexpr std::array<std::string_view, 3> kNames = {"standard input", "standard output", "standard error"};
  using Open = std::array<bool, kNames.size()>;

  /// Of all at once: a case is short, and a call of the system takes a hundredth of it.
  static Open ask() {
    std::array<pollfd, kNames.size()> files{};
    for (std::size_t file = 0; file < files.size(); ++file) files[file].fd = static_cast<int>(file);
    poll(files.data(), files.size(), 0);
    Open open{};
    for (std::size_t file = 0; file < files.size(); ++file) open[file] = (files[file].revents & POLLNVAL) == 0;
    return open;
  }

  /// Before the first call, and before all others: what a call has closed is open again.
  static const Open& were_open() {
    static const Open kOpen = ask();
    return kOpen;
  }
};

Report run_checked(const Setup& setup, const Algorithm& row, bool compared) {
  if (setup.asked.positions) {
    check_positions(setup, row, kPositionsOfCase);  // what cannot be followed is no finding
    return {};
  }
  const StandardFiles files;
  if (compared) {
    CallOfGroups call(setup, row);
    Report report = run_checked(call, setup, row, setup.settings);
    check_independence_of_size(setup, row);
    files.require_open();
    return report;
  }
  Report report = run_call(setup, row, setup.settings).report;
  check_promises(setup, row, report);
  check_independence_of_size(setup, row);
  files.require_open();
  return report;
}

/// What two runs of one call differ in; empty: nothing. What the host spent may differ.
std::string difference(const Report& first, const Report& second) {
  const auto differ = [](std::string_view what, const auto& one, const auto& other) {
    return one == other ? std::string() : fmt::format("{} first and {} then", fmt::format("{} {}", one, what), other);
  };
  if (std::string text = differ("messages", first.messages(), second.messages()); !text.empty()) return text;
  if (std::string text = differ("sent", to_string(first.sent_total()), to_string(second.sent_total())); !text.empty())
    return text;
  if (std::string text = differ("rounds", first.rounds_max(), second.rounds_max()); !text.empty()) return text;
  if (std::string text = differ("at its end", to_string(first.completion), to_string(second.completion)); !text.empty())
    return text;
  for (std::size_t i = 0; i < first.ranks.size(); ++i) {
    const RankReport& one = first.ranks[i];
    const RankReport& other = second.ranks[i];
    const std::string of_rank = fmt::format(" of rank {}", i);
    if (std::string text = differ("messages" + of_rank, one.messages, other.messages); !text.empty()) return text;
    if (std::string text = differ("sent" + of_rank, to_string(one.sent), to_string(other.sent)); !text.empty()) return text;
    if (std::string text = differ("at the end" + of_rank, to_string(one.completion), to_string(other.completion));
        !text.empty())
      return text;
  }
  if (std::string text = differ("messages, those of the second call included", first.host.messages, second.host.messages);
      !text.empty())
    return text;
  const auto [one, other] = std::ranges::mismatch(first.result_bits, second.result_bits);
  if (one == first.result_bits.end()) return "";
  return fmt::format("other bits in the result of rank {} after call {}, each time within what roundings allow", one->rank,
                     one->call + 1);
}

/// While it lives, the heap's blocks lie elsewhere. How many are in the way differs for each size and from case to case: what is the
/// same each time may move a block by what an algorithm that goes by its address does not see.
class BlocksInTheWay {
 public:
  explicit BlocksInTheWay(SplitMix64& random) {
    constexpr std::size_t kStep = 16;  // of what an allocator hands out apart, and what small blocks lie apart
    constexpr std::size_t kSmall = 512;
    for (std::size_t bytes = kStep / 2; bytes < kSmall; bytes += kStep) take(bytes, random.below(6));
    for (std::size_t bytes = kSmall; bytes <= std::size_t{96} * 1024; bytes += bytes / 2)
      take(bytes + kStep * random.below(8), random.below(3));
  }

 private:
  void take(std::size_t bytes, std::uint64_t blocks) {
    for (std::uint64_t i = 0; i < blocks; ++i) blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

/// The same once more, on stacks of another size and with the heap's blocks elsewhere.
void require_same_again(const Setup& setup, const Algorithm& row, const Report& first) {
  SplitMix64 random(setup.asked.seed ^ static_cast<std::uint64_t>(setup.count));  // the same when the case is repeated
  const BlocksInTheWay in_the_way(random);
  EmulationSettings settings = setup.settings;
  // An odd number of pages, so that each rank's stack is moved by another number of them; two, as a thread keeps stacks for later runs.
  settings.stack_bytes += (random.below(2) == 0 ? 5 : 7) * std::size_t{4096};
  std::string what;
  try {
    what = difference(first, run_call(setup, row, settings).report);
  } catch (const CheckError& error) {
    what = fmt::format("right first, and then {}: {}", to_string(error.kind()), error.what());
  }
  if (what.empty()) return;
  throw CheckError(CheckError::Kind::not_repeatable, "the same call, made again, goes another way: " + what +
                                                         "\nit depends on earlier calls, addresses, time or chance");
}

FaultEnd end_of_right(const Faults& faults, const Report& report) {
  // A spec can be several faults: both ways of a cable.
  const std::size_t all =
      faults.links.size() + faults.ranks.size() + faults.messages.size() + (faults.unreliable ? 1 : 0) + faults.switches.size();
  return all > 0 && report.idle_faults.size() == all ? FaultEnd::never_struck : FaultEnd::right;
}

}  // namespace

Report run_case(const Experiment& what) {
  const Setup setup = set_up_case(what);
  return run_checked(setup, served_by(setup, what), true);
}

namespace {

/// Elements that are followed without data cost nothing.
RunLength size_of(const Setup& setup) { return {.ranks = setup.ranks(), .count = setup.asked.positions ? 0 : setup.count}; }

/// Of what is run while it lives.
class Measured {
 public:
  CaseEnd add_to(CaseEnd end) const {
    end.length.slices = emu::slices_of_tasks - slices_;
    end.length.seconds = std::chrono::steady_clock::now() - start_;
    return end;
  }

 private:
  std::uint64_t slices_ = emu::slices_of_tasks;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

CaseEnd end_of_attempt(const Experiment& what, bool twice, bool compared) {
  const Setup setup = set_up_case(what);
  const Faults& faults = setup.settings.faults;
  CaseEnd end{.ranks = setup.group_sizes().front(), .length = size_of(setup)};
  if (!faults.empty()) end.fault_kind = kind_of_faults(faults);
  const Algorithm* row = nullptr;
  try {
    row = &served_by(setup, what);
    const Report report = run_checked(setup, *row, compared);
    if (twice && !setup.asked.positions) require_same_again(setup, *row, report);
    end.fault_end = end_of_right(faults, report);
    end.note = mpi::take_leftovers(*row);
  } catch (const CheckError& error) {
    end.fault_end = FaultEnd::named;
    if (faults.empty() || !names_cause(error, faults, setup.fabric.topology()))
      end.failure = row == nullptr ? error.failure() : explained(setup, *row, error.failure());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const ResourceError&) {
    throw;
  } catch (const InputError& refusal) {
    end.fault_end = FaultEnd::refused;
    if (!names_cause(refusal, faults, setup.fabric.topology())) throw;
  } catch (const std::exception& error) {
    end.failure = {CheckError::Kind::exception, error.what()};
  }
  return end;
}

/// So that what an algorithm was refused cannot be the machine's poverty.
bool has_plenty_of_memory() {
  constexpr std::size_t kPlenty = std::size_t{1} << 30;
  void* const memory = mmap(nullptr, kPlenty, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, kPlenty);
  return true;
}

}  // namespace

CaseEnd end_of(const Experiment& what, bool twice, bool compared) {
  const Measured measured;
  try {
    return measured.add_to(end_of_attempt(what, twice, compared));
  } catch (const std::bad_alloc&) {
  } catch (const ResourceError&) {
  }
  // What was refused for a moment is no finding.
  try {
    return measured.add_to(end_of_attempt(what, twice, compared));
  } catch (const OutOfMemory&) {
    if (!has_plenty_of_memory()) throw;
    CaseEnd end{.ranks = what.ranks.value_or(topology_of(what.fabric)->endpoints())};
    end.failure = {
        CheckError::Kind::rank_failed,
        "memory is refused to it each time (std::bad_alloc), and 1GiB more can be had: a rank asks for more than there is"};
    return end;
  }
}

std::optional<Failure> failure_of(const Experiment& what) { return end_of(what).failure; }

CaseEnd explore_case(Experiment& what, const ExploreBound& bound) {
  if (what.positions) return end_of(what, false, true);
  const Measured measured;
  const Setup setup = set_up_case(what);
  const Algorithm& row = served_by(setup, what);
  CaseEnd end{.ranks = setup.group_sizes().front(), .length = size_of(setup)};
  Experiment ordered = what;
  CallOfGroups call(setup, row);
  const auto run = [&](const EmulationSettings& settings) {
    ordered.order_seed = settings.order_seed;
    ordered.order = settings.order;
    run_checked(call, setup, row, settings);
  };
  EmulationSettings settings = setup.settings;
  settings.order = {};
  try {
    const Exploration exploration = explore(run, settings, bound);
    if (exploration.passed()) return measured.add_to(std::move(end));
    end.failure = exploration.failure->failure;
    for (const Deviation& delay : ordered.order.delays) end.failure->explanation += '\n' + describe(delay);
  } catch (const InputError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    end.failure = {CheckError::Kind::exception, error.what()};
  }
  what = std::move(ordered);
  return measured.add_to(std::move(end));
}

}  // namespace heddle

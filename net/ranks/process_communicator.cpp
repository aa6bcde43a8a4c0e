// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "core/argument_checks.hpp"
#include "emu/messages/context_path.hpp"
#include "emu/messages/payload.hpp"
#include "heddle/errors.hpp"
#include "net/ranks/process_rank.hpp"
#include "net/ranks/run_rank.hpp"

namespace heddle::net {

namespace {

std::uint64_t context_of(emu::ContextPath path) {
  if (path) return *path;
  throw UsageError("communicators are nested too deeply: the path to one, with its tasks and splits, must fit in 64 bits");
}

}  // namespace

std::uint64_t branch_context(std::uint64_t parent, std::uint32_t call, int n, int i) {
  return context_of(emu::branch_path(parent, call, n, i));
}

std::uint64_t part_context(std::uint64_t parent, std::uint32_t split) { return context_of(emu::part_path(parent, split)); }

namespace {

/// Numbered 0, 1, … in the order in which they come.
std::vector<int> renumbered(const std::vector<int>& groups) {
  std::vector<int> names;
  std::vector<int> numbers;
  for (const int group : groups) {
    const auto found = std::ranges::find(names, group);
    numbers.push_back(static_cast<int>(found - names.begin()));
    if (found == names.end()) names.push_back(group);
  }
  return numbers;
}

ProcessGroup part_of(const ProcessGroup& whole, const std::vector<int>& ranks) {
  ProcessGroup part;
  part.ranks.assign(whole.ranks.size(), -1);
  for (const int rank : ranks) {
    const int process = whole.members[static_cast<std::size_t>(rank)];
    part.ranks[static_cast<std::size_t>(process)] = static_cast<int>(part.members.size());
    part.members.push_back(process);
  }
  for (const std::vector<int>& tier : whole.tiers.group) {
    std::vector<int> groups;
    for (const int rank : ranks) groups.push_back(tier[static_cast<std::size_t>(rank)]);
    std::vector<int> numbers = renumbered(groups);
    const bool is_whole = std::ranges::all_of(numbers, [](int number) { return number == 0; });
    part.tiers.group.push_back(std::move(numbers));
    if (is_whole) break;  // the outermost tier there is
  }
  return part;
}

/// Of all processes.
std::shared_ptr<const ProcessGroup> make_world(const Transport& transport, const RankSettings& settings) {
  auto world = std::make_shared<ProcessGroup>();
  const auto size = static_cast<std::size_t>(transport.size());
  world->members.resize(size);
  std::iota(world->members.begin(), world->members.end(), 0);
  world->ranks = world->members;
  world->grid = settings.grid;
  if (settings.tiers) {
    world->tiers = *settings.tiers;
    return world;
  }
  std::vector<int> machines = renumbered(transport.machines());
  const bool is_one = std::ranges::all_of(machines, [](int machine) { return machine == 0; });
  world->tiers.group.push_back(std::move(machines));
  if (!is_one) world->tiers.group.emplace_back(size, 0);
  return world;
}

/// The Communicator of a rank that is a process. Times are the wall clock's of this machine.
class ProcessCommunicator final : public emu::MeasuredCommunicator {
 public:
  ProcessCommunicator(ProcessRank& process, ProcessRank::Task& task, std::shared_ptr<const ProcessGroup> group,
                      std::uint64_t context)
      : process_(process), task_(task), group_(std::move(group)), context_(context) {
    rank_ = Rank(group_->ranks[static_cast<std::size_t>(process_.transport().rank())]);
  }

  Rank rank() const override { return rank_; }
  Rank world_rank() const override { return Rank(process_.transport().rank()); }
  int size() const override { return static_cast<int>(group_->members.size()); }

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;

  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override {
    process_.require_caller(task_, "isend");
    require_rank(dest, size(), "isend to rank");
    const std::int64_t count = elements_of(pieces, "isend");
    return process_.begin_send(task_, *group_, dest, {context_, tag.value()}, pieces, count);
  }

  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override {
    process_.require_caller(task_, "irecv");
    if (source != kAnySource) require_rank(source, size(), "irecv from rank");
    const std::int64_t count = elements_of(pieces, "irecv");
    return process_.begin_receive(task_, *group_, source, {context_, tag.value()}, pieces, count);
  }

  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override {
    process_.require_caller(task_, "wait_all");
    process_.wait_all(task_, requests, statuses);
  }

  void measure_concurrently(int n, emu::MessageSpace space,
                            const std::function<void(int, emu::MeasuredCommunicator&)>& body) override {
    process_.require_caller(task_, "concurrently");
    if (n < 0) throw UsageError(fmt::format("concurrently({}, …): the number of tasks must not be negative", n));
    require_own_messages(task_.shares_messages, "concurrently()");
    if (n == 0) return;
    const bool is_shared = space == emu::MessageSpace::shared;
    const std::uint32_t call = is_shared ? 0 : concurrently_calls_++;
    process_.run_branches(task_, n, is_shared, [&](int i, ProcessRank::Task& task) {
      ProcessCommunicator communicator(process_, task, group_, is_shared ? context_ : branch_context(context_, call, n, i));
      body(i, communicator);
    });
  }

  std::unique_ptr<emu::MeasuredCommunicator> split_measured(int color, int key) override {
    process_.require_caller(task_, "split");
    require_own_messages(task_.shares_messages, "split()");
    const std::uint64_t context = part_context(context_, split_calls_++);
    const std::vector<Wish> wishes = gather_wishes({color, key}, context);
    if (color < 0) return nullptr;
    std::vector<int> ranks;
    for (int rank = 0; rank < size(); ++rank)
      if (wishes[static_cast<std::size_t>(rank)].color == color) ranks.push_back(rank);
    std::ranges::stable_sort(ranks, {}, [&](int rank) { return wishes[static_cast<std::size_t>(rank)].key; });
    // In their order, all of them are what they were, the grid that they fill included.
    const bool is_whole = std::ssize(ranks) == size() && std::ranges::is_sorted(ranks);
    return std::make_unique<ProcessCommunicator>(process_, task_,
                                                 is_whole ? group_ : process_.keep_group(part_of(*group_, ranks)), context);
  }

  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override {
    process_.require_caller(task_, "reduce_into");
    process_.require_usable(task_, "reduce_into", into, from);
    op.apply(into, from, side);
  }

  void copy(VectorView into, ConstVectorView from) override {
    process_.require_caller(task_, "copy");
    if (into.data() != from.data()) process_.require_usable(task_, "copy", into, from);
    emu::copy_vector(into, from, task_.names);
  }

  const Grid* grid() const override { return group_->grid ? &*group_->grid : nullptr; }
  const Tiers& tiers() const override { return group_->tiers; }

  Time now() const override {
    const auto spent = std::chrono::steady_clock::now() - begin_;
    return Time::ps(std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count() * 1000);
  }

  std::optional<Datatype> switch_precision() const override { return std::nullopt; }
  void let_watch(emu::BlockingWatch*) override {}
  void name_memory(const MemoryNames* names) override { task_.names = names; }
  void require_all_waited_for() override { process_.require_all_waited_for(task_); }
  void begin_second_call() override {}
  void delay() override { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }
  /// All processes meet.
  void start_line() override {
    process_.transport().barrier();
    begin_ = std::chrono::steady_clock::now();
  }

  Time finish_line() override {
    const Time end = now();
    process_.transport().barrier();
    return end;
  }

 protected:
  std::shared_ptr<const void> shared_plan_erased(const std::string& key,
                                                 const std::function<std::shared_ptr<const void>()>& make) override {
    return process_.shared_plan(fmt::format("{}/{}", group_->number, key), make);
  }

  const MemoryNames* memory_names() const override { return task_.names; }

 private:
  /// What each rank of this communicator wants of a split.
  struct Wish {
    int color;
    int key;
  };

  /// Where all processes call and nothing else of this one could go on, the transport does it, unseen by profilers; else messages do, by
  /// way of rank 0. They go before all others of the new communicator.
  std::vector<Wish> gather_wishes(Wish mine, std::uint64_t context) {
    std::vector<Wish> wishes(static_cast<std::size_t>(size()));
    if (size() == process_.transport().size() && process_.is_alone(task_)) {
      const auto all = process_.transport().gather_all(std::as_bytes(std::span(&mine, 1)));
      for (int rank = 0; rank < size(); ++rank) {
        const auto process = static_cast<std::size_t>(group_->members[static_cast<std::size_t>(rank)]);
        std::memcpy(&wishes[static_cast<std::size_t>(rank)], all[process].data(), sizeof(Wish));
      }
      return wishes;
    }
    ProcessCommunicator part(process_, task_, group_, context);
    const auto piece = [](Wish* first, std::size_t count) {
      return VectorView(reinterpret_cast<std::byte*>(first), static_cast<std::int64_t>(count), Datatype::user(sizeof(Wish)));
    };
    if (rank_ != Rank(0)) {
      part.send(Rank(0), piece(&mine, 1));
      part.recv(Rank(0), piece(wishes.data(), wishes.size()));
      return wishes;
    }
    wishes.front() = mine;
    for (int rank = 1; rank < size(); ++rank) part.recv(Rank(rank), piece(&wishes[static_cast<std::size_t>(rank)], 1));
    for (int rank = 1; rank < size(); ++rank) part.send(Rank(rank), piece(wishes.data(), wishes.size()));
    return wishes;
  }

  ProcessRank& process_;
  ProcessRank::Task& task_;
  std::shared_ptr<const ProcessGroup> group_;
  Rank rank_;
  std::uint64_t context_;
  std::uint32_t concurrently_calls_ = 0;
  std::uint32_t split_calls_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

void run_measured_rank(Transport& transport, const emu::MeasuredFunction& body, const RankSettings& settings) {
  ProcessRank process(transport, settings);
  const std::shared_ptr<const ProcessGroup> world = make_world(transport, settings);
  process.run([&](ProcessRank::Task& task) {
    ProcessCommunicator communicator(process, task, world, kWorldContext);
    body(communicator);
  });
}

void run_rank(Transport& transport, const std::function<void(Communicator&)>& body, const RankSettings& settings) {
  run_measured_rank(
      transport, [&body](emu::MeasuredCommunicator& communicator) { body(communicator); }, settings);
}

void run_program(Transport& transport, const std::function<void(Communicator&)>& body, const RankSettings& settings) {
  try {
    run_rank(transport, body, settings);
  } catch (const std::exception& error) {
    transport.abort(fmt::format("heddle: rank {} of {}: {}", transport.rank(), transport.size(), error.what()));
  }
}

}  // namespace heddle::net

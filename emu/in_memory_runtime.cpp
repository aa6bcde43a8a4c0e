// SPDX-License-Identifier: Apache-2.0
#include "emu/in_memory_runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <system_error>
#include <thread>

#include "emu/deadlock.hpp"
#include "emu/fault_text.hpp"
#include "emu/in_memory_communicator.hpp"
#include "emu/split_parts.hpp"

namespace heddle::emu {

namespace {

/// Before it sleeps, a strand gives way to the others so many times: a hand-over between threads that sleep takes longer.
constexpr int kYields = 50;

bool is_for(const ChannelKey& message, const ChannelKey& receive) {
  return message.context == receive.context && message.tag == receive.tag && message.dest == receive.dest &&
         (receive.source == kAnySource.value() || message.source == receive.source);
}

std::string text_of(const InMemoryRuntime::Send& message) {
  return message_text(message.count, message.type, message.source, message.dest, message.key.tag);
}

std::string wait_text(const InMemoryRuntime::Slot& slot) {
  if (slot.send) return request_text(true, slot.send->count, slot.send->type, slot.send->dest, slot.send->key.tag);
  const InMemoryRuntime::Receive& receive = *slot.receive;
  return request_text(false, receive.count, receive.type, receive.peer, receive.key.tag);
}

bool is_pending(const InMemoryRuntime::Slot& slot) {
  if (slot.send) return slot.send->state != InMemoryRuntime::Send::State::done && !slot.send->is_kept;
  return slot.receive && !slot.receive->is_done;
}

/// From pieces to pieces, which have room.
void copy_pieces(std::span<const ConstVectorView> from, std::span<const VectorView> into) {
  std::size_t piece = 0, filled = 0;
  for (const ConstVectorView& source : from) {
    for (std::size_t taken = 0; taken < source.size_bytes();) {
      while (filled == into[piece].size_bytes()) ++piece, filled = 0;
      const std::size_t bytes = std::min(source.size_bytes() - taken, into[piece].size_bytes() - filled);
      std::memcpy(into[piece].data() + filled, source.data() + taken, bytes);
      taken += bytes;
      filled += bytes;
    }
  }
}

}  // namespace

InMemoryRuntime::InMemoryRuntime(const Fabric& fabric, const Placement& placement, bool can_buffer)
    : fabric_(fabric),
      placement_(placement),
      can_buffer_(can_buffer),
      mailboxes_(placement.size()),
      strands_made_(placement.size()) {
  auto world = std::make_shared<Group>();
  world->members.resize(placement.size());
  std::iota(world->members.begin(), world->members.end(), 0);
  describe_place(*world);
  world_ = std::move(world);
}

void InMemoryRuntime::run(const std::function<void(Communicator&)>& function) {
  const int ranks = static_cast<int>(placement_.size());
  std::vector<std::thread> threads;
  std::exception_ptr no_threads;
  {
    const std::lock_guard lock(mutex_);
    live_ = placement_.size();  // nobody is asleep alone while others are still to come
  }
  for (int rank = 0; rank < ranks; ++rank) {
    Strand& strand = new_strand(rank);
    try {
      threads.emplace_back([this, &strand, &function, rank] {
        run_strand(strand, [&] {
          InMemoryCommunicator communicator(*this, strand, world_, rank, 0);
          function(communicator);
        });
        ended();
      });
    } catch (const std::system_error& error) {
      no_threads = std::make_exception_ptr(InputError(
          fmt::format("the system has no more kernel threads than {} for ranks ({})", rank, error.code().message())));
      fail(CheckError::Kind::rank_failed, "");
      break;
    }
  }
  for (std::thread& thread : threads) thread.join();
  if (no_threads) std::rethrow_exception(no_threads);
  if (!failure_) check_all_received();
  if (failure_) throw *failure_;
}

// ---- strands ----

InMemoryRuntime::Strand& InMemoryRuntime::new_strand(int rank) {
  const std::lock_guard lock(mutex_);
  Strand& strand = strands_.emplace_back();
  strand.rank = rank;
  strand.number = strands_made_[static_cast<std::size_t>(rank)]++;
  strand.id = static_cast<std::uint32_t>(strands_.size() - 1);
  return strand;
}

void InMemoryRuntime::run_strand(Strand& strand, const std::function<void()>& body) {
  try {
    body();
  } catch (const Released&) {
    return;
  } catch (...) {
    const std::exception_ptr failure = std::current_exception();
    withdraw_sends(strand);
    return fail(is_usage_error(failure) ? CheckError::Kind::usage : CheckError::Kind::rank_failed,
                fmt::format("rank {} failed: {}", strand.rank, what_of(failure)));
  }
  const auto left = strand.slots.size() - strand.free_slots.size();
  if (left == 0) return;
  const auto first = std::find_if(strand.slots.begin(), strand.slots.end(),
                                  [](const Slot& slot) { return slot.send != nullptr || slot.receive != nullptr; });
  const std::string text = fmt::format("rank {} returned without waiting for {} of its requests, one of them {}", strand.rank,
                                       left, wait_text(*first));
  withdraw_sends(strand);
  fail(CheckError::Kind::hygiene, text);
}

void InMemoryRuntime::ended() {
  const std::lock_guard lock(mutex_);
  --live_;
  if (live_ > 0 && asleep_ == live_) all_asleep();
}

void InMemoryRuntime::concurrently(Strand& strand, int n, const std::function<void(int, Strand&)>& body) {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    strand.children_left = n;
    live_ += static_cast<std::size_t>(n);
  }
  const auto end_child = [this, &strand] {
    {
      const std::lock_guard lock(mutex_);
      --strand.children_left;
      wake(strand);
    }
    ended();
  };
  for (int i = 0; i < n; ++i) {
    Strand& child = new_strand(strand.rank);
    try {
      threads.emplace_back([this, &child, &body, i, end_child] {
        run_strand(child, [&] { body(i, child); });
        end_child();
      });
    } catch (const std::system_error& error) {
      fail(CheckError::Kind::rank_failed, fmt::format("the system has no more kernel threads ({})", error.code().message()));
      for (int missing = i; missing < n; ++missing) end_child();
      break;
    }
  }
  {
    std::unique_lock lock(mutex_);
    while (strand.children_left > 0) fall_asleep(strand, lock);
  }
  for (std::thread& thread : threads) thread.join();
  require_running(strand);
}

std::uint32_t InMemoryRuntime::first_context(std::uint32_t parent, std::uint32_t call, int strands) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = branch_contexts_.try_emplace({parent, call}, contexts_, strands);
  if (is_new) contexts_ += static_cast<std::uint32_t>(strands);
  if (place->second.second != strands)
    throw UsageError(
        fmt::format("concurrently({}, …) where another rank called concurrently({}, …)", strands, place->second.second));
  return place->second.first;
}

// ---- sleeping ----

void InMemoryRuntime::require_running(Strand& strand) {
  if (!is_over_) return;
  withdraw_sends(strand);
  throw Released{};
}

void InMemoryRuntime::signal(Strand& strand) {
  strand.signals.fetch_add(1);
  if (!strand.may_sleep) return;
  const std::lock_guard lock(mutex_);
  wake(strand);
}

void InMemoryRuntime::wake(Strand& strand) {
  if (!strand.is_asleep) return;
  strand.is_asleep = false;
  --asleep_;
  strand.woken.notify_one();
}

void InMemoryRuntime::fall_asleep(Strand& strand, std::unique_lock<std::mutex>& lock) {
  strand.is_asleep = true;
  ++asleep_;
  if (asleep_ == live_) all_asleep();
  strand.woken.wait(lock, [&strand] { return !strand.is_asleep; });
}

void InMemoryRuntime::sleep(Strand& strand, std::uint32_t seen) {
  for (int i = 0; i < kYields; ++i) {
    if (strand.signals != seen) return;
    std::this_thread::yield();
  }
  require_running(strand);
  {
    std::unique_lock lock(mutex_);
    strand.may_sleep = true;
    if (strand.signals == seen && !is_over_) fall_asleep(strand, lock);
    strand.may_sleep = false;
  }
  require_running(strand);
}

/// Nobody is left to signal anybody.
void InMemoryRuntime::all_asleep() {
  if (is_over_) {
    for (Strand& strand : strands_) {
      if (strand.children_left == 0) wake(strand);
    }
    return;
  }
  bool has_woken = false;
  if (can_buffer_) {
    for (Strand& strand : strands_) has_woken |= keep_sends(strand);
  }
  if (has_woken) return;
  for (Strand& strand : strands_) {
    if (!strand.is_lagging) continue;
    strand.is_lagging = false;
    wake(strand);
    has_woken = true;
  }
  if (!has_woken) fail_now(CheckError::Kind::deadlock, explain_deadlock());
}

bool InMemoryRuntime::keep_sends(Strand& strand) {
  if (!strand.is_asleep) return false;
  bool has_kept = false;
  for (const Slot& slot : strand.slots) {
    if (!slot.is_awaited || !slot.send || !is_pending(slot)) continue;
    slot.send->kept.assign(slot.send->from.span());
    slot.send->is_kept = true;
    has_kept = true;
  }
  if (has_kept) {
    ++strand.signals;
    wake(strand);
  }
  return has_kept;
}

void InMemoryRuntime::lag(Strand& strand) {
  {
    std::unique_lock lock(mutex_);
    strand.is_lagging = true;
    while (strand.is_lagging && !is_over_) fall_asleep(strand, lock);
  }
  require_running(strand);
}

void InMemoryRuntime::meet(Strand& strand) {
  {
    std::unique_lock lock(mutex_);
    if (++met_ == placement_.size()) {
      met_ = 0;
      ++meetings_;
      for (Strand& other : strands_) wake(other);
    } else {
      const std::uint64_t before = meetings_;
      while (meetings_ == before && !is_over_) fall_asleep(strand, lock);
    }
  }
  require_running(strand);
}

// ---- messages ----

std::uint32_t InMemoryRuntime::take_slot(Strand& strand) {
  if (strand.free_slots.empty()) {
    strand.slots.emplace_back();
    return static_cast<std::uint32_t>(strand.slots.size() - 1);
  }
  const std::uint32_t slot = strand.free_slots.back();
  strand.free_slots.pop_back();
  return slot;
}

void InMemoryRuntime::post(const std::shared_ptr<Send>& send) {
  Mailbox& mailbox = mailboxes_[static_cast<std::size_t>(send->dest)];
  std::shared_ptr<Receive> receive;
  {
    const std::lock_guard lock(mailbox.mutex);
    const auto place = std::find_if(mailbox.receives.begin(), mailbox.receives.end(),
                                    [&](const auto& posted) { return is_for(send->key, posted->key); });
    if (place == mailbox.receives.end()) {
      mailbox.sends.push_back(send);
      return;
    }
    receive = std::move(*place);
    mailbox.receives.erase(place);
  }
  receive->message = send;
  receive->is_matched = true;
  signal(*receive->receiver);
}

void InMemoryRuntime::post(const std::shared_ptr<Receive>& receive) {
  Mailbox& mailbox = mailboxes_[static_cast<std::size_t>(receive->rank)];
  const std::lock_guard lock(mailbox.mutex);
  const auto place = std::find_if(mailbox.sends.begin(), mailbox.sends.end(),
                                  [&](const auto& posted) { return is_for(posted->key, receive->key); });
  if (place == mailbox.sends.end()) {
    mailbox.receives.push_back(receive);
    return;
  }
  receive->message = std::move(*place);
  receive->is_matched = true;
  mailbox.sends.erase(place);
}

bool InMemoryRuntime::progress(Strand& strand) {
  bool has_copied = false;
  for (const Slot& slot : strand.slots) {
    if (!slot.receive || slot.receive->is_done || !slot.receive->is_matched) continue;
    copy(*slot.receive);
    has_copied = true;
  }
  return has_copied;
}

void InMemoryRuntime::copy(Receive& receive) {
  Send& message = *receive.message;
  const std::size_t bytes = message.from.size_bytes();
  if (bytes > static_cast<std::size_t>(receive.count) * receive.type.size()) {
    fail(CheckError::Kind::truncation, fmt::format("{} is longer than its receive: rank {} asked for {}", text_of(message),
                                                   receive.rank, count_text(receive.count, receive.type)));
    require_running(*receive.receiver);
  }
  if (message.type != receive.type && message.count > 0 && receive.count > 0) {
    fail(CheckError::Kind::usage, fmt::format("{} meets a receive of another type: rank {} asked for {}", text_of(message),
                                              receive.rank, count_text(receive.count, receive.type)));
    require_running(*receive.receiver);
  }
  receive.status = {Rank(message.key.source), Tag(message.key.tag), message.count};
  if (message.is_kept) {
    message.kept.scatter(receive.into.span());
  } else {
    Send::State open = Send::State::open;
    if (!message.state.compare_exchange_strong(open, Send::State::taken)) {  // its sender has failed, and is about to say so
      while (!is_over_) std::this_thread::yield();
      require_running(*receive.receiver);
    }
    if (bytes > 0) copy_pieces(message.from.span(), receive.into.span());
    message.state = Send::State::done;
    signal(*message.sender);
  }
  receive.is_done = true;
}

/// Before the memory goes that they are to be copied from.
void InMemoryRuntime::withdraw_sends(Strand& strand) {
  for (const Slot& slot : strand.slots) {
    if (!slot.send || slot.send->is_kept) continue;
    Send::State open = Send::State::open;
    if (slot.send->state.compare_exchange_strong(open, Send::State::withdrawn)) continue;
    while (slot.send->state == Send::State::taken) std::this_thread::yield();
  }
}

// ---- groups and plans ----

void InMemoryRuntime::describe_place(Group& group) const {
  Placement endpoints;
  for (const int rank : group.members) endpoints.push_back(placement_[static_cast<std::size_t>(rank)]);
  group.grid = grid_under(endpoints, fabric_.topology());
  group.tiers = tiers_of(endpoints, fabric_.topology());
  if (endpoints.size() > 1) group.message_cost = heddle::message_cost(fabric_, endpoints[0], endpoints[1]);
}

void InMemoryRuntime::split(Strand& strand, const SplitPost& post) {
  {
    std::unique_lock lock(mutex_);
    strand.part.reset();
    strand.has_split = false;
    const auto place = splits_.try_emplace({post.parent_context, post.call}).first;
    place->second.posts.push_back(post);
    place->second.strands.push_back(&strand);
    if (place->second.posts.size() == post.group->members.size()) {
      make_groups(place->second);
      splits_.erase(place);
    }
    while (!strand.has_split && !is_over_) fall_asleep(strand, lock);
  }
  require_running(strand);
}

void InMemoryRuntime::make_groups(SplitCall& call) {
  for (const std::vector<std::size_t>& indices : split_parts(call.posts)) {
    auto group = std::make_shared<Group>();
    group->id = groups_++;
    for (const std::size_t i : indices) group->members.push_back(call.strands[i]->rank);
    describe_place(*group);
    const std::uint32_t context = contexts_++;
    for (std::size_t rank = 0; rank < indices.size(); ++rank)
      call.strands[indices[rank]]->part.emplace(group, std::pair(static_cast<int>(rank), context));
  }
  for (Strand* strand : call.strands) {
    strand->has_split = true;
    wake(*strand);
  }
}

std::shared_ptr<const void> InMemoryRuntime::shared_plan(const std::string& key,
                                                         const std::function<std::shared_ptr<const void>()>& make) {
  const std::lock_guard lock(plans_mutex_);
  std::shared_ptr<const void>& plan = plans_[key];
  if (!plan) plan = make();
  return plan;
}

// ---- faults ----

void InMemoryRuntime::fail(CheckError::Kind kind, const std::string& explanation) {
  const std::lock_guard lock(mutex_);
  fail_now(kind, explanation);
}

void InMemoryRuntime::fail_now(CheckError::Kind kind, const std::string& explanation) {
  if (!failure_) failure_.emplace(kind, explanation);
  is_over_ = true;
  for (Strand& strand : strands_) {
    ++strand.signals;
    // Who waits for its branches waits until they have gone.
    if (strand.children_left == 0) wake(strand);
  }
}

std::string InMemoryRuntime::explain_deadlock() const {
  std::vector<BlockedOperation> blocked;
  for (const Strand& strand : strands_) {
    for (const Slot& slot : strand.slots) {
      if (!slot.is_awaited || !is_pending(slot)) continue;
      blocked.push_back({strand.rank, strand.number, slot.send ? slot.send->dest : slot.receive->peer, wait_text(slot)});
    }
  }
  for (const auto& [id, call] : splits_) {
    for (const Strand* strand : call.strands)
      blocked.push_back({strand->rank, strand->number, -1, "in split() for ranks that have not called it"});
  }
  std::stable_sort(blocked.begin(), blocked.end(), [](const BlockedOperation& a, const BlockedOperation& b) {
    return std::pair(a.rank, a.strand) < std::pair(b.rank, b.strand);
  });
  std::vector<std::string> unreceived;
  for (const Mailbox& mailbox : mailboxes_) {
    for (const auto& message : mailbox.sends) unreceived.push_back(text_of(*message));
  }
  return emu::explain_deadlock(static_cast<int>(placement_.size()), blocked, unreceived);
}

void InMemoryRuntime::check_all_received() {
  std::string text;
  std::size_t count = 0;
  for (const Mailbox& mailbox : mailboxes_) {
    for (const auto& message : mailbox.sends) {
      if (++count <= 8) text += "\n  " + text_of(*message);
    }
  }
  if (count == 0) return;
  fail(CheckError::Kind::hygiene, fmt::format("{} message{} nobody received:{}", count, count == 1 ? " that" : "s that", text));
}

}  // namespace heddle::emu

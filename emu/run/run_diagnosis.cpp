// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "emu/record/failure.hpp"
#include "emu/run/call_places.hpp"
#include "emu/run/emulation.hpp"
#include "emu/run/task_runner.hpp"

namespace heddle::emu {

namespace {

/// Of a list, the most that are named.
constexpr std::size_t kMostShown = 8;

Envelope placed(Envelope message, const PlaceDescriber* describer, const PlacedCall& call) {
  if (describer == nullptr || call.place == nullptr) return message;
  message.is_of_collective = describer->is_collective(call);
  message.call = [describer, call] { return describe_place(describer, call); };
  return message;
}

bool is_awaited(const RequestSlot& slot) { return slot.state == RequestSlot::State::pending && slot.awaited; }

}  // namespace

void RunDiagnosis::fail_rank(const TaskState& task) {
  if (is_refusal(task.failure)) return run_.failure.fail(task.failure);
  const std::string what = what_of(task.failure);
  run_.failure.fail(kind_of(task.failure),
                    failed_text(task.rank, task.failure, " at " + to_string(run_.engine.now())) +
                        (run_.injected == nullptr ? "" : "; " + who_waits_for(task.rank)),
                    {.rank = task.rank, .exception = what});
}

void RunDiagnosis::check_all_waited_for(const TaskState& task) {
  const LeftRequests left = left_requests(run_.describer, task);
  if (left.count > 0) run_.failure.fail(CheckError::Kind::hygiene, left.text, {.rank = task.rank, .left = left.count});
}

void RunDiagnosis::check_all_received() {
  const std::vector<MessageId> waiting = flow_.unreceived();
  if (waiting.empty()) return;
  const std::vector<MessageId>& taken = flow_.taken();
  std::string text = fmt::format("{} message{} nobody received:", waiting.size(), waiting.size() == 1 ? " that" : "s that");
  for (std::size_t i = 0; i < std::min(waiting.size(), kMostShown); ++i) {
    const Message& message = run_.messages[waiting[i]];
    text += "\n  " + flow_.text_of(message);
    if (std::ranges::find(taken, waiting[i]) != taken.end())
      text += fmt::format(", which rank {} has taken by a matched probe", message.dest);
  }
  if (waiting.size() > kMostShown) text += fmt::format("\n  … and {} more", waiting.size() - kMostShown);
  run_.failure.fail(CheckError::Kind::hygiene, text + injected_causes(), {.left = std::ssize(waiting)});
}

// ---- deadlock ----

void RunDiagnosis::add_blocked(const TaskState& task, std::vector<BlockedOperation>& blocked) const {
  if (task.blocked == TaskState::Blocked::split)
    blocked.push_back(
        {{task.rank, task.number, -1, meeting_text(run_.describer, task, "split()") + " for ranks that have not called it"}});
  if (task.blocked == TaskState::Blocked::in_network) {
    int peer = -1;
    std::string waits_for = switches_.describe_wait(task, peer);
    blocked.push_back({{task.rank, task.number, peer, std::move(waits_for)}});
  }
  if (task.blocked == TaskState::Blocked::form) {
    blocked.push_back({{task.rank, task.number, -1,
                        fmt::format("{} with ranks {}{} for those that have not called it",
                                    meeting_text(run_.describer, task, "form()"), fmt::join(task.special->form->members, ", "),
                                    task.special->form->key == 0 ? "" : fmt::format(" and key {}", task.special->form->key))}});
  }
  if (task.blocked == TaskState::Blocked::probe)
    add_probe(task, {Rank(task.special->probe->key.source), Tag(task.special->probe->key.tag)}, *task.special->probe->group,
              false, blocked);
  if (task.blocked == TaskState::Blocked::doze) add_polling(task, blocked);
  if (task.blocked != TaskState::Blocked::requests) return;
  const std::optional<int> credits = flow_.credits_per_pair();
  for (std::uint32_t i = 0; i < task.slots.size(); ++i) {
    const RequestSlot& slot = task.slots[i];
    if (!is_awaited(slot)) continue;
    std::string waits_for = wait_text(run_.describer, task, i);
    const bool is_taken = std::ranges::any_of(flow_.taken(), [&](MessageId id) {
      const Message& message = run_.messages[id];
      return &run_.tasks[message.sender] == &task && message.sender_slot == i;
    });
    if (slot.is_send && credits == 0)
      waits_for +=
          is_taken ? fmt::format(": synchronous, and rank {} has taken it by a matched probe, and not received it", slot.peer)
                   : ": synchronous, and no receive is posted";
    if (slot.is_send && credits.value_or(0) > 0) waits_for += fmt::format(": {} of {} credits are taken", *credits, *credits);
    blocked.push_back({{task.rank, task.number, slot.peer, std::move(waits_for)}});
    blocked.back().receives = asked_for(task, i);
  }
}

/// What a request of the task asks for, if it is a receive from one rank.
std::optional<Envelope> RunDiagnosis::asked_for(const TaskState& task, std::uint32_t index) const {
  const RequestSlot& slot = task.slots[index];
  if (slot.is_send || slot.peer < 0) return std::nullopt;
  return placed({slot.peer, task.rank, slot.key.context, slot.key.tag, slot.count, slot.type}, run_.describer,
                placed_call(task, index));
}

/// Of a task that probes for this, or polls for it.
void RunDiagnosis::add_probe(const TaskState& task, const MessagePattern& probe, const Group& group, bool is_polled,
                             std::vector<BlockedOperation>& blocked) const {
  const int peer = probe.source == kAnySource ? -1 : group.members[static_cast<std::size_t>(probe.source.value())];
  blocked.push_back({{task.rank, task.number, peer, probe_text(run_.describer, task, probe, peer, is_polled)}});
}

/// Of a task that dozes between its questions.
void RunDiagnosis::add_polling(const TaskState& task, std::vector<BlockedOperation>& blocked) const {
  const Polling& polling = *task.special->doze->polling;
  for (const Request request : polling.requests) {
    const auto slot = static_cast<std::uint32_t>(request.id() >> 20 & 0xfffff);
    blocked.push_back({{task.rank, task.number, task.slots[slot].peer, "by polling " + wait_text(run_.describer, task, slot)}});
    blocked.back().receives = asked_for(task, slot);
  }
  for (const MessagePattern& probe : polling.probes) add_probe(task, probe, *task.special->doze->group, true, blocked);
  if (polling.requests.empty() && polling.probes.empty())
    blocked.push_back({{task.rank, task.number, -1, "by polling for something that it does not name"}});
}

void RunDiagnosis::fail_with_deadlock() {
  std::vector<BlockedOperation> blocked;
  for (TaskId id = 0; id < run_.tasks.size(); ++id) {
    if (run_.tasks.is_live(id)) add_blocked(run_.tasks[id], blocked);
  }
  std::stable_sort(blocked.begin(), blocked.end(), [](const BlockedOperation& a, const BlockedOperation& b) {
    return std::pair(a.rank, a.task) < std::pair(b.rank, b.task);
  });
  // Without a fault that stops one, whoever has not ended is blocked.
  if (blocked.empty()) {
    return run_.failure.fail(CheckError::Kind::rank_failed, "all ranks have ended but those that stopped" + injected_causes());
  }
  std::vector<Envelope> unreceived;
  const std::vector<MessageId>& taken = flow_.taken();
  for (const MessageId id : flow_.unreceived()) {
    const Message& message = run_.messages[id];
    const bool is_behind_lost = run_.injected != nullptr && run_.injected->has_lost_on(message.key);
    if (is_behind_lost) continue;
    const Envelope sent{message.source, message.dest, message.key.context, message.key.tag, message.count, message.type()};
    unreceived.push_back(placed(sent, run_.describer, flow_.call_of(id)));
    unreceived.back().is_taken = std::ranges::find(taken, id) != taken.end();
  }
  Failure failure = explain_deadlock(run_.ranks.count(), blocked, unreceived);
  run_.failure.fail(failure.kind, failure.explanation + injected_causes(), std::move(failure.facts));
}

void RunDiagnosis::add_thrown_before() {
  std::string text;
  for (TaskId id = 0; id < run_.tasks.size(); ++id) {
    const TaskState& task = run_.tasks[id];
    if (!run_.tasks.is_live(id) || !task.is_unwinding || !task.has_failed) continue;
    text +=
        fmt::format("\n  rank {} waits in a destructor, after its function had thrown: {}", task.rank, what_of(task.failure));
  }
  run_.failure.add(text);
}

void RunDiagnosis::fail_endless(std::span<const TaskId> tasks) {
  std::set<int> numbers;
  bool second_call = false;
  for (const TaskId id : tasks) {
    numbers.insert(run_.tasks[id].rank);
    second_call = second_call || run_.tasks[id].second_call;
  }
  const std::vector<Rank> ranks(numbers.begin(), numbers.end());
  run_.failure.fail(CheckError::Kind::endless,
                    fmt::format("{} {} on for ever: messages are exchanged, and at {} emulated time has stopped{}{}",
                                ranks_text(ranks), ranks.size() == 1 ? "goes" : "go", to_string(run_.engine.now()),
                                second_call ? " (in the second call, whose messages take no time)" : "", injected_causes()),
                    {.rank = ranks.front().value()});
}

void RunDiagnosis::fail_polling() {
  std::vector<BlockedOperation> blocked;
  for (TaskId id = 0; id < run_.tasks.size(); ++id) {
    if (run_.tasks.is_live(id)) add_blocked(run_.tasks[id], blocked);
  }
  std::string text =
      fmt::format("ranks poll for ever: nothing is on its way, and at {} those that read the clock or sleep go on polling",
                  to_string(run_.engine.now()));
  for (std::size_t i = 0; i < std::min(blocked.size(), kMostShown); ++i)
    text += fmt::format("\n  rank {} waits {}", blocked[i].rank, blocked[i].waits_for);
  if (blocked.size() > kMostShown) text += fmt::format("\n  … and {} more", blocked.size() - kMostShown);
  run_.failure.fail(CheckError::Kind::endless, text + injected_causes(), {.rank = blocked.front().rank});
}

// ---- injected faults ----

bool RunDiagnosis::waits_for(const TaskState& task, int rank) const {
  if (task.blocked == TaskState::Blocked::in_network) return switches_.wait_for(task, rank);
  return task.blocked == TaskState::Blocked::requests &&
         std::ranges::any_of(task.slots, [rank](const RequestSlot& slot) { return is_awaited(slot) && slot.peer == rank; });
}

/// Ranks that wait for something of this one, each once, in their order.
std::vector<int> RunDiagnosis::waiting_for(int rank) const {
  std::set<int> waiting;
  for (TaskId id = 0; id < run_.tasks.size(); ++id) {
    const TaskState& task = run_.tasks[id];
    if (run_.tasks.is_live(id) && task.rank != rank && waits_for(task, rank)) waiting.insert(task.rank);
  }
  for (const auto& [key, call] : communicators_.splits().under_way()) {
    const std::vector<int>& members = call.calls.front().group->members;
    const bool has_called = std::ranges::any_of(call.members, [&](TaskId id) { return run_.tasks[id].rank == rank; });
    if (has_called || std::ranges::find(members, rank) == members.end()) continue;
    for (const TaskId id : call.members) waiting.insert(run_.tasks[id].rank);
  }
  return {waiting.begin(), waiting.end()};
}

std::string RunDiagnosis::who_waits_for(int rank) const {
  const std::vector<int> waiting = waiting_for(rank);
  if (waiting.empty()) return "nobody waits for it yet";
  if (waiting.size() == 1) return fmt::format("rank {} waits for it", waiting.front());
  const std::size_t named = std::min(waiting.size(), kMostShown);
  return fmt::format("ranks {}{} wait for it",
                     fmt::join(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(named), ", "),
                     waiting.size() > named ? fmt::format(" and {} more", waiting.size() - named) : "");
}

/// Lines below an explanation: what has been done to a run that cannot go on.
std::string RunDiagnosis::injected_causes() const {
  if (run_.injected == nullptr) return "";
  std::vector<std::string> causes;
  for (TaskId id = 0; id < run_.tasks.size(); ++id) {
    const TaskState& task = run_.tasks[id];
    if (run_.tasks.is_live(id) && task.blocked == TaskState::Blocked::stopped)
      causes.push_back(fmt::format("rank {} stopped at {} ({}); {}", task.rank, to_string(task.stopped_at),
                                   injection_text(task.calls, task.stopped_in, *task.stopped_by), who_waits_for(task.rank)));
  }
  causes.insert(causes.end(), run_.injected->lost().begin(), run_.injected->lost().end());
  std::string text;
  for (std::size_t i = 0; i < std::min(causes.size(), kMostShown); ++i) text += "\n  cause: " + causes[i];
  if (causes.size() > kMostShown) text += fmt::format("\n  … and {} more causes", causes.size() - kMostShown);
  return text;
}

}  // namespace heddle::emu

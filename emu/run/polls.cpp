// SPDX-License-Identifier: Apache-2.0
#include "emu/run/polls.hpp"

#include <algorithm>
#include <utility>

#include "core/pair_key.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

/// Dozes in vain in a row, after which a rank is taken for one that waits. Programs collect a thousand updates between two messages,
/// with a test for each (HPCC RandomAccess), and some give up after thousands. Most of so many have no time slice.
constexpr std::int64_t kVainDozes = 100'000;
/// Or so long: eleven days, well before the latest time that there is.
constexpr Time kVainTime = Time::ps(1'000'000'000'000'000'000);
/// After which one that reads the clock is taken for one that never ends, or sooner if they have taken so long.
constexpr std::int64_t kEndlessDozes = 200'000;
constexpr Time kEndlessTime = Time::ps(10'000'000'000'000'000);

}  // namespace

SpecialCalls& Polls::note_asker(TaskId id) {
  TaskState& task = run_.tasks[id];
  SpecialCalls& special = task.special_calls();
  if (special.is_asker) return special;
  if (askers_.empty()) {
    flow_.let_watch(*this);
    run_.let_watch_completions(*this);
    run_.makes_special_calls = true;
  }
  std::erase_if(askers_, [&](const Asker& asker) { return asker.task == id; });  // of a task before it that had its number
  askers_.push_back({id, task.rank});
  special.is_asker = true;
  return special;
}

// ---- questions ----

void Polls::take(TaskId id, const PendingQuestion& operation) {
  SpecialCalls& special = note_asker(id);
  TaskState& task = run_.tasks[id];
  run_.recorder.note_saw_order(task.rank, OrderSeen::question);
  special.looked = special.happened;
  Question& question = *operation.question;
  const RequestSlot& slot = task.slots[question.slot];
  if (question.kind == Question::Kind::cancel) {
    question.answer = slot.is_send ? flow_.withdraw_send(id, question.slot)
                                   : slot.state == RequestSlot::State::pending && flow_.withdraw(id, question.slot);
  } else {
    question.answer = slot.state == RequestSlot::State::complete;
    // That a request is complete is no news the second time.
    if (!question.answer)
      special.answer_in_vain();
    else if (special.happened != special.seen)
      special.end_vain_dozes();
  }
  run_.wakes.resume(id);
}

void Polls::take(TaskId id, const PendingFree& operation) {
  note_asker(id);
  TaskState& task = run_.tasks[id];
  if (task.slots[operation.slot].state == RequestSlot::State::complete)
    task.give_back_slot(operation.slot);
  else
    task.special->requests[operation.slot].is_freed = true;
}

// ---- probes ----

bool Polls::try_probe(TaskId id, Probe& probe) {
  probe.has_found = probe.takes ? flow_.take_out(id, probe) : flow_.look(id, probe);
  return probe.has_found;
}

void Polls::take(TaskId id, const PendingProbe& operation) {
  SpecialCalls& special = note_asker(id);
  const bool is_from_any = operation.probe->key.source == kAnySource.value();
  if (is_from_any || !operation.probe->waits)
    run_.recorder.note_saw_order(run_.tasks[id].rank, is_from_any ? OrderSeen::any_source : OrderSeen::question);
  if (try_probe(id, *operation.probe)) {
    special.end_vain_dozes();
    return run_.wakes.resume(id);
  }
  if (run_.failure.has_failed()) return;
  if (operation.probe->waits) {
    special.waits_to_find = operation.probe;
  } else {
    special.answer_in_vain();
    run_.wakes.resume(id);
  }
}

void Polls::message_came(int rank, const Cause& cause) {
  for (std::size_t i = 0; i < askers_.size(); ++i) {
    const Asker asker = askers_[i];
    if (asker.rank != rank || !run_.tasks.is_live(asker.task)) continue;
    SpecialCalls* const special = run_.tasks[asker.task].special.get();
    if (special == nullptr || !special->is_asker) continue;
    ++special->happened;
    wake_dozing(asker.task, cause);
    Probe* const probe = std::exchange(special->waits_to_find, nullptr);
    if (probe == nullptr) continue;
    if (!try_probe(asker.task, *probe)) {
      special->waits_to_find = probe;
      continue;
    }
    special->end_vain_dozes();
    TaskState& task = run_.tasks[asker.task];
    task.contention_free = std::max(task.contention_free, cause.contention_free);
    run_.wakes.wake(asker.task, cause);
  }
}

// ---- sleep ----

void Polls::take(TaskId id, const PendingDoze& operation) {
  SpecialCalls& special = note_asker(id);
  Doze& doze = *operation.doze;
  if (special.happened != special.seen && !doze.polling->sleeps) {
    special.answer_in_vain();
    doze.has_happened = true;
    return run_.wakes.resume(id);
  }
  TaskState& task = run_.tasks[id];
  const Time now = run_.engine.now();
  if (doze.limit > kLatestTime - run_.ranks.free_from(task.rank, now))
    throw InputError("the run would take over 46 days of emulated time: doze for less");
  Ranks::Begin begin{now, task.contention_free};
  if (doze.polling->sleeps) begin = run_.ranks.occupy(task.rank, begin, doze.limit);
  task.contention_free = begin.contention_free;
  if (special.vain_dozes == 0) special.vain_since = now;
  special.doze_number = ++dozes_;
  special.dozes_since = now;
  special.dozes = &doze;
  ++dozing_;
  ++timers_;
  run_.engine.at(begin.time + doze.limit, *this, pair_key(id, special.doze_number));
}

void Polls::end_doze(TaskState& task) {
  task.special->dozes = nullptr;
  --dozing_;
}

void Polls::on_timer(std::uint64_t payload) {
  --timers_;
  const auto id = static_cast<TaskId>(payload >> 32);
  TaskState& task = run_.tasks[id];
  SpecialCalls* const special = task.special.get();
  const bool is_its = run_.tasks.is_live(id) && special != nullptr && special->dozes != nullptr &&
                      special->doze_number == static_cast<std::uint32_t>(payload);
  if (!is_its) return;
  task.path.parts.waiting += run_.engine.now() - special->dozes_since;
  task.contention_free += special->dozes->limit;
  end_doze(task);
  if (special->happened == special->seen)
    ++special->vain_dozes;
  else
    special->end_vain_dozes();
  run_.wakes.resume(id);
}

void Polls::wake_dozing(TaskId id, const Cause& cause) {
  TaskState& task = run_.tasks[id];
  SpecialCalls& special = *task.special;
  if (special.dozes == nullptr || special.dozes->polling->sleeps) return;
  special.dozes->has_happened = true;
  special.answer_in_vain();
  end_doze(task);
  task.contention_free = std::max(task.contention_free, cause.contention_free);
  run_.wakes.wake(id, cause);
}

void Polls::completed_unawaited(TaskId id, std::uint32_t slot, const Cause& cause) {
  TaskState& task = run_.tasks[id];
  if (task.special == nullptr) return;
  ++task.special->happened;
  if (task.slots[slot].kind == RequestSlot::Kind::special && task.special->requests[slot].is_freed) task.give_back_slot(slot);
  wake_dozing(id, cause);
}

Polls::Verdict Polls::verdict() {
  // A time slice for each of thousands of dozes in vain would take long on kernel threads: so some dozens have one.
  constexpr std::int64_t kLongDozes = 16;
  bool has_patience = false;
  bool reads_clock = false;
  bool is_endless = false;
  for (const Asker& asker : askers_) {
    if (!run_.tasks.is_live(asker.task)) continue;
    SpecialCalls* const special = run_.tasks[asker.task].special.get();
    if (special == nullptr || special->dozes == nullptr) continue;
    const Time in_vain = run_.engine.now() - special->vain_since;
    if (special->vain_dozes < kVainDozes && in_vain < kVainTime) {
      has_patience = true;
      if (special->vain_dozes >= kLongDozes) special->short_dozes = special->vain_dozes / 4;
    }
    const Polling& polling = *special->dozes->polling;
    reads_clock = reads_clock || polling.reads_clock || polling.sleeps;
    is_endless = is_endless || special->vain_dozes >= kEndlessDozes || in_vain >= kEndlessTime;
  }
  if (has_patience) return Verdict::go_on;
  if (!reads_clock) return Verdict::deadlock;
  return is_endless ? Verdict::endless : Verdict::go_on;
}

// ---- requests that nobody waits for ----

void Polls::let_go(TaskId id) {
  TaskState& task = run_.tasks[id];
  if (task.special == nullptr) return;
  bool has_tasks = false;
  for (std::uint32_t slot = 0; slot < task.slots.size(); ++slot) {
    if (task.slots[slot].state != RequestSlot::State::pending || task.slots[slot].kind != RequestSlot::Kind::special) continue;
    if (task.special->requests[slot].is_task)
      has_tasks = true;
    else
      flow_.let_go(id, slot);
  }
  if (!has_tasks) return;
  for (TaskId child = 0; child < run_.tasks.size(); ++child) {
    const TaskState& its = run_.tasks[child];
    if (run_.tasks.is_live(child) && its.parent == id && its.special != nullptr) its.special->ends_request.reset();
  }
}

}  // namespace heddle::emu

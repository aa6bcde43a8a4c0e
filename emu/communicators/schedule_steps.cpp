// SPDX-License-Identifier: Apache-2.0
#include "emu/communicators/schedule_steps.hpp"

#include "core/argument_checks.hpp"

namespace heddle::emu {

ScheduleSteps::ScheduleSteps(const Endpoint& endpoint, ExchangeSchedule& schedule) : endpoint_(endpoint), schedule_(schedule) {
  task().steps = this;
}

ScheduleSteps::~ScheduleSteps() { task().steps = nullptr; }

TaskState& ScheduleSteps::task() const { return endpoint_.host.task(endpoint_.task); }

bool ScheduleSteps::begin_next() {
  const Reduction& reduction = schedule_.reduction();
  requests_made_ = 0;
  while (next_ < schedule_.steps() && requests_made_ == 0) {
    const Exchange step = schedule_.at(next_++);
    sums_ = {};
    // The receive first: the peer's message finds its place on arrival.
    if (const std::int64_t gotten = elements_of(step.into, "irecv"); gotten > 0) {
      if (reduction.op) {
        require_reducible(step.data, step.into, gotten, reduction.scratch, task().names);
        sums_ = step.into;
        incoming_ = reduction.scratch.slice(0, gotten);
        requests_[requests_made_++] = endpoint_.irecv(step.source, std::span(&incoming_, 1), gotten, {});
      } else {
        requests_[requests_made_++] = endpoint_.irecv(step.source, step.into, gotten, {});
      }
    }
    if (const std::int64_t given = elements_of(step.data, "isend"); given > 0)
      requests_[requests_made_++] = endpoint_.isend(step.dest, step.data, given, {});
  }
  if (requests_made_ > 0) endpoint_.begin_wait_for_new(requests());
  return requests_made_ > 0;
}

void ScheduleSteps::end() {
  if (sums_.empty()) return endpoint_.end_wait(requests(), {});
  const Status came = endpoint_.status(requests_[0]);
  endpoint_.end_wait(requests(), {});
  require_whole_message(came.count, incoming_.count(), came.peer);
  task().reduced = sums_[0].data();
  const Reduction& reduction = schedule_.reduction();
  if (task().open.has_any()) {
    for (const VectorView& sum : sums_) endpoint_.require_usable("exchange", sum, sum);
  }
  // Nearly always: no slice of a slice.
  if (sums_.size() == 1) return reduction.op->apply(sums_[0], incoming_, reduction.side);
  std::int64_t used = 0;
  for (const VectorView& sum : sums_) {
    reduction.op->apply(sum, incoming_.slice(used, sum.count()), reduction.side);
    used += sum.count();
  }
}

bool ScheduleSteps::go_on() noexcept {
  try {
    end();
    return begin_next();
  } catch (...) {
    failure_ = std::current_exception();
    return false;
  }
}

void ScheduleSteps::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace heddle::emu

// SPDX-License-Identifier: Apache-2.0
#include "emu/messages/exchange_steps.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/argument_checks.hpp"
#include "emu/messages/open_memory.hpp"

namespace heddle::emu {

ExchangeSteps::ExchangeSteps(const Endpoint& endpoint, ExchangePlan& plan) : endpoint_(endpoint), plan_(&plan) {
  task().steps = this;
}

ExchangeSteps::ExchangeSteps(const Endpoint& endpoint, ExchangePlans plans)
    : endpoint_(endpoint), plan_(plans.front().get()), plans_(std::move(plans)) {
  task().steps = this;
}

ExchangeSteps::~ExchangeSteps() { task().steps = nullptr; }

TaskState& ExchangeSteps::task() const { return endpoint_.host.task(endpoint_.task); }

bool ExchangeSteps::look_up() noexcept {
  state_ = State::none_left;
  if (failure_) [[unlikely]]
    return false;
  try {
    for (;;) {
      while (next_ < plan_->steps()) {
        step_ = plan_->at(next_++);
        gotten_ = elements_of(step_.into, "irecv");
        given_ = elements_of(step_.data, "isend");
        if (gotten_ == 0 && given_ == 0) continue;
        state_ = State::looked_up;
        return true;
      }
      if (next_plan_ >= plans_.size()) return false;
      plan_ = plans_[next_plan_++].get();
      next_ = 0;
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
  return false;
}

bool ExchangeSteps::post() noexcept {
  const Reduction& reduction = plan_->reduction();
  requests_made_ = 0;
  state_ = State::none_left;
  try {
    // The receive first: the peer's message finds its place on arrival.
    if (gotten_ > 0) {
      if (reduction.op) {
        const VectorView scratch = room();
        if (!reduction.after_sending) require_reducible(step_.data, step_.into, gotten_, scratch, task().names);
        const VectorView incoming = scratch.slice(0, gotten_);
        requests_[requests_made_++] = endpoint_.irecv(step_.source, std::span(&incoming, 1), gotten_, {}, true);
      } else {
        requests_[requests_made_++] = endpoint_.irecv(step_.source, step_.into, gotten_, {}, true);
      }
    }
    if (given_ > 0) requests_[requests_made_++] = endpoint_.isend(step_.dest, step_.data, given_, {}, true);
    endpoint_.begin_wait_for_new(requests());
  } catch (...) {
    failure_ = std::current_exception();
    return false;
  }
  state_ = State::posted;
  return true;
}

/// For the message of the step at hand, until it is combined.
VectorView ExchangeSteps::room() {
  const VectorView scratch = plan_->reduction().scratch;
  if (!scratch.empty()) return scratch;
  const Datatype type = step_.into.front().type();
  if (!room_ || room_->view().count() < gotten_ || room_->view().type() != type)
    room_ = std::make_unique<Buffer>(type, gotten_);
  return room_->view();
}

void ExchangeSteps::end() {
  const Reduction& reduction = plan_->reduction();
  if (gotten_ == 0 || !reduction.op) return endpoint_.end_wait(requests(), std::span(&came_, plan_->steps() == 1 ? 1 : 0));
  const Status came = endpoint_.status(requests_[0]);
  endpoint_.end_wait(requests(), {});
  require_whole_message(came.count, gotten_, came.peer);
  if (task().open.has_any()) {
    for (const VectorView& sum : step_.into) endpoint_.require_usable("exchange", sum, sum);
  }
  combine(step_.into, room().slice(0, gotten_));
}

void ExchangeSteps::combine(std::span<const VectorView> sums, ConstVectorView incoming) const {
  const Reduction& reduction = plan_->reduction();
  // Nearly always: no slice of a slice.
  if (sums.size() == 1) return reduction.op->apply(sums[0], incoming, step_.side);
  std::int64_t used = 0;
  for (const VectorView& sum : sums) {
    reduction.op->apply(sum, incoming.slice(used, sum.count()), step_.side);
    used += sum.count();
  }
}

bool ExchangeSteps::go_on() noexcept {
  if (state_ != State::posted) return is_looked_up();
  try {
    end();
  } catch (...) {
    failure_ = std::current_exception();
  }
  return look_up();
}

void ExchangeSteps::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

bool ExchangeSteps::is_in_order() const {
  const Reduction& reduction = plan_->reduction();
  if (reduction.op && !reduction.scratch.empty() && !reduction.after_sending) {
    try {
      require_reducible(step_.data, step_.into, gotten_, reduction.scratch, nullptr);
    } catch (...) {
      return false;  // who posts it says why
    }
    return true;
  }
  if (!are_apart(step_.into)) return false;
  if (combines_late()) return true;
  return !range_of(step_.into).meets(range_of(step_.data)) || !share_memory(step_.data, step_.into);
}

namespace {

/// Whether two lists have pieces of the same lengths.
bool are_cut_alike(std::span<const ConstVectorView> a, std::span<const VectorView> b) {
  return std::ranges::equal(a, b, {}, &ConstVectorView::count, &VectorView::count);
}

/// What the pieces of `from` hold, to those of `into`: as many elements, cut in any way.
void copy_pieces(std::span<const VectorView> into, std::span<const ConstVectorView> from) {
  std::size_t piece = 0, offset = 0;  // in `from`
  for (const VectorView& to : into) {
    for (std::size_t done = 0; done < to.size_bytes();) {
      while (offset == from[piece].size_bytes()) ++piece, offset = 0;
      const std::size_t bytes = std::min(to.size_bytes() - done, from[piece].size_bytes() - offset);
      std::memcpy(to.data() + done, from[piece].data() + offset, bytes);
      done += bytes;
      offset += bytes;
    }
  }
}

}  // namespace

void ExchangeSteps::receive_from(const ExchangeSteps& sender) noexcept {
  came_ = {Rank(sender.endpoint_.rank), {}, gotten_};
  if (!reduces()) return copy_pieces(step_.into, sender.step_.data);
  guarded([&] { combine_from(sender); });
}

void ExchangeSteps::combine_from(const ExchangeSteps& sender) {
  if (sender.step_.data.size() == 1) return combine(step_.into, sender.step_.data[0]);
  if (are_cut_alike(sender.step_.data, step_.into)) {
    for (std::size_t i = 0; i < step_.into.size(); ++i)
      plan_->reduction().op->apply(step_.into[i], sender.step_.data[i], step_.side);
    return;
  }
  keep(sender);
  combine_kept();
}

void ExchangeSteps::keep(const ExchangeSteps& sender) noexcept {
  guarded([&] {
    const VectorView incoming = room().slice(0, gotten_);
    copy_pieces(std::span(&incoming, 1), sender.step_.data);
  });
}

void ExchangeSteps::combine_kept() noexcept {
  if (!failure_) guarded([&] { combine(step_.into, room().slice(0, gotten_)); });
}

void ExchangeSteps::swap_sums(ExchangeSteps& other, std::vector<std::byte>& aside) noexcept {
  const VectorView sums = step_.into[0];
  guarded([&] { aside.resize(std::max(aside.size(), sums.size_bytes())); });
  if (failure_) return;
  std::memcpy(aside.data(), sums.data(), sums.size_bytes());
  guarded([&] { combine(step_.into, other.step_.data[0]); });
  other.guarded([&] { other.combine(other.step_.into, ConstVectorView(aside.data(), sums.count(), sums.type())); });
}

/// Of what it throws, the plan ends.
template <class Work>
void ExchangeSteps::guarded(const Work& work) noexcept {
  try {
    work();
  } catch (...) {
    failure_ = std::current_exception();
  }
}

}  // namespace heddle::emu

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <atomic>
#include <deque>
#include <semaphore>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "emu/strands.hpp"

namespace heddle::emu {

namespace {

/// Every strand a thread that waits for its turn. All of a batch run at once, so that a data race between ranks is a race
/// that a sanitizer can see.
class KernelStrands final : public Strands {
 public:
  ~KernelStrands() override {
    for (Strand& strand : strands_) {
      if (!strand.thread.joinable()) continue;
      strand.abandoned = !strand.begun;
      strand.turn.release();
      strand.thread.join();
    }
  }

  StrandId create(std::function<void()> body) override {
    const StrandId id = new_id();
    Strand& strand = strands_[id];
    strand.begun = false;
    strand.ended = false;
    try {
      strand.thread = std::thread([this, &strand, body = std::move(body)] {
        strand.turn.acquire();
        if (strand.abandoned) return;
        body();
        strand.ended = true;
        yield_to_scheduler();
      });
    } catch (const std::system_error& error) {
      throw InputError(fmt::format("the system has no more kernel threads than {} for ranks ({}); use --threads user",
                                   strands_.size() - 1, error.code().message()));
    }
    return id;
  }

  void run(std::span<const StrandId> batch) override {
    if (batch.empty()) return;
    running_.store(static_cast<std::int64_t>(batch.size()), std::memory_order_relaxed);
    for (const StrandId id : batch) {
      strands_[id].begun = true;
      strands_[id].turn.release();
    }
    all_stopped_.acquire();
  }

  bool side_by_side() const override { return true; }

  void block(StrandId self) override {
    Strand& strand = strands_[self];  // before yielding: from then on the scheduler may add strands
    yield_to_scheduler();
    strand.turn.acquire();
  }

  bool has_ended(StrandId strand) const override { return strands_[strand].ended; }

  void release(StrandId id) override {
    strands_[id].thread.join();
    free_ids_.push_back(id);
  }

 private:
  struct Strand {
    std::thread thread;
    std::binary_semaphore turn{0};
    bool begun = false;
    bool ended = false;
    bool abandoned = false;  ///< never begun, and never to be
  };

  StrandId new_id() {
    if (!free_ids_.empty()) {
      const StrandId id = free_ids_.back();
      free_ids_.pop_back();
      return id;
    }
    strands_.emplace_back();
    return static_cast<StrandId>(strands_.size() - 1);
  }

  void yield_to_scheduler() {
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) all_stopped_.release();
  }

  std::deque<Strand> strands_;  ///< a deque: a strand's own thread holds a reference to it
  std::vector<StrandId> free_ids_;
  std::atomic<std::int64_t> running_{0};
  std::binary_semaphore all_stopped_{0};
};

}  // namespace

std::unique_ptr<Strands> make_kernel_strands() { return std::make_unique<KernelStrands>(); }

}  // namespace heddle::emu

// SPDX-License-Identifier: Apache-2.0
// A communicator over another one. A class of it overrides what it changes; messages, tasks and local work are its own.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "heddle/communicator.hpp"

namespace heddle {

/// Its phases, switches and composed calls (exchange, sendrecv_reduce) are those of any communicator, made of its own messages.
class ForwardingCommunicator : public Communicator {
 public:
  Rank rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  Rank world_rank() const override { return inner_.world_rank(); }
  void wait_for_room(Rank dest, Tag tag) override { inner_.wait_for_room(dest, tag); }
  const Grid* grid() const override { return inner_.grid(); }
  const Tiers& tiers() const override { return inner_.tiers(); }
  MessageCost message_cost() const override { return inner_.message_cost(); }
  double byte_scale() const override { return inner_.byte_scale(); }

 protected:
  explicit ForwardingCommunicator(Communicator& inner) : inner_(inner) {}  ///< which outlives it
  explicit ForwardingCommunicator(std::unique_ptr<Communicator> inner) : owned_(std::move(inner)), inner_(*owned_) {}

  std::shared_ptr<const void> shared_plan_erased(const std::string& key,
                                                 const std::function<std::shared_ptr<const void>()>& make) override {
    return *inner_.shared_plan<std::shared_ptr<const void>>(key, make);
  }
  Communicator& inner() { return inner_; }

 private:
  std::unique_ptr<Communicator> owned_;
  Communicator& inner_;
};

}  // namespace heddle

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "emu/diagnosis/message_observer.hpp"

namespace heddle::emu {

/// Sees who receives from any source.
class AnySourceObserver final : public MessageObserver {
 public:
  void posted(const PostedMessage&) override {}
  void received(std::uint64_t, bool, Time, std::span<const VectorView>) override {}
  void posted_receive(const PostedReceive& receive) override {
    if (receive.from_any && !rank_) rank_ = receive.rank;
  }
  std::optional<int> first_rank() const { return rank_; }

 private:
  std::optional<int> rank_;
};

}  // namespace heddle::emu

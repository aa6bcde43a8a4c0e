// SPDX-License-Identifier: Apache-2.0
// Looks at a rank's input whenever the rank blocks: an algorithm that writes to it and puts back what was there has changed
// it all the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "emu/data/expected_call.hpp"
#include "emu/messages/measured_communicator.hpp"

namespace heddle::emu {

/// Of one rank in one call. Tasks of the rank may look at once.
class InputWatch final : public BlockingWatch {
 public:
  /// `input` is what call.fill_input made; both outlive this. `whole`: all of it is compared each time; else all of a short one
  /// a number of times, and of others some elements in turn, once in so many times that the rank blocks.
  InputWatch(const ExpectedCall& call, Rank rank, VectorView input, bool whole);

  std::uint32_t look() override;

  /// Of an input that is not short nobody knows: its data have to be made again to be compared.
  bool is_known_as_it_was() const;

  struct Change {
    std::int64_t element = 0;
    std::string was;
    std::string became;
  };
  /// The first that was seen.
  const std::optional<Change>& change() const { return change_; }

 private:
  void compare(std::int64_t first, std::int64_t count);

  const ExpectedCall& call_;
  const Rank rank_;
  const ConstVectorView input_;
  const bool whole_;
  std::vector<std::byte> copy_;  ///< of an input that is compared as a whole
  std::mutex mutex_;             ///< of what follows
  std::int64_t bytes_left_;      ///< that may still be compared as a whole
  std::int64_t next_ = 0;        ///< the element that is looked at next
  std::optional<Change> change_;
};

}  // namespace heddle::emu

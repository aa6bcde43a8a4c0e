// SPDX-License-Identifier: Apache-2.0
#include "emu/data/input_watch.hpp"

#include <algorithm>
#include <cstring>

#include "emu/data/element_text.hpp"

namespace heddle::emu {

namespace {

/// What looks may compare as a whole, in all, before they turn to some elements each.
constexpr std::int64_t kWholeBytes = std::int64_t{32} * 1024;
constexpr std::int64_t kLookBytes = 128;
/// A look takes about as long as a message.
constexpr std::uint32_t kUnseen = 15;

}  // namespace

InputWatch::InputWatch(const ExpectedCall& call, Rank rank, VectorView input, bool whole)
    : call_(call), rank_(rank), input_(input), whole_(whole), bytes_left_(kWholeBytes) {
  if (whole_ || static_cast<std::int64_t>(input_.size_bytes()) <= kWholeBytes / 2)
    copy_.assign(input_.data(), input_.data() + input_.size_bytes());
}

std::uint32_t InputWatch::look() {
  const std::lock_guard lock(mutex_);
  if (change_) return kUnseen;
  const auto bytes = static_cast<std::int64_t>(input_.size_bytes());
  if (!copy_.empty() && (whole_ || bytes <= bytes_left_)) {
    bytes_left_ -= bytes;
    if (std::memcmp(copy_.data(), input_.data(), copy_.size()) != 0) compare(0, input_.count());
    return 0;
  }
  const std::int64_t length = std::max<std::int64_t>(1, kLookBytes / static_cast<std::int64_t>(input_.type().size()));
  const std::int64_t count = std::min(length, input_.count() - next_);
  if (!call_.is_input_element(input_.slice(next_, count), rank_, next_)) compare(next_, count);
  next_ = next_ + count == input_.count() ? 0 : next_ + count;
  return kUnseen;
}

bool InputWatch::is_known_as_it_was() const {
  return !copy_.empty() && std::memcmp(copy_.data(), input_.data(), copy_.size()) == 0;
}

void InputWatch::compare(std::int64_t first, std::int64_t count) {
  for (std::int64_t i = first; i < first + count && !change_; ++i) {
    if (!call_.is_input_element(input_.slice(i, 1), rank_, i))
      change_ = Change{i, call_.describe_input(rank_, i), element_text(input_, i)};
  }
}

}  // namespace heddle::emu

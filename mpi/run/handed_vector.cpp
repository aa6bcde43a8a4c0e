// SPDX-License-Identifier: Apache-2.0
#include "mpi/run/handed_vector.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/mix.hpp"

namespace heddle::mpi {

BlockPlaces::BlockPlaces(const BlockPartition& blocks, Displacements displacements, int turn)
    : blocks_(blocks), displacements_(static_cast<std::size_t>(blocks.blocks())) {
  std::vector<std::int64_t> order(displacements_.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  // Any order of blocks, and gaps of any length, the same each time.
  const auto key = [turn](std::int64_t block) {
    return mix(static_cast<std::uint64_t>(turn) << 32 | static_cast<std::uint64_t>(block));
  };
  if (displacements == Displacements::scattered) std::ranges::sort(order, {}, key);
  const bool has_gaps = displacements != Displacements::packed;
  for (const std::int64_t block : order) {
    if (has_gaps) length_ += 1 + static_cast<std::int64_t>(key(block) % 3);
    displacements_[static_cast<std::size_t>(block)] = length_;
    length_ += blocks.size(block);
    if (blocks.size(block) > 0) in_order_.push_back(block);
  }
  if (has_gaps) ++length_;
}

HandedVector::HandedVector(BlockPlaces places, std::size_t element_size, ElementPlace element, const VectorWords& words,
                           int rank)
    : places_(std::move(places)),
      element_size_(static_cast<std::int64_t>(element_size)),
      element_(element),
      words_(words),
      rank_(rank),
      // A lower bound above 0 moves the last element on.
      bytes_(places_.length() * element.extent + std::max<std::int64_t>(element.begin + element_size_ - element.extent, 0)),
      memory_(std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes_ + 2 * kMargin))) {
  for (std::int64_t at = -kMargin; at < bytes_ + kMargin; ++at) data()[at] = untouched(at);
}

std::byte HandedVector::untouched(std::int64_t at) const {
  return static_cast<std::byte>(mix(static_cast<std::uint64_t>(rank_) << 40 ^ static_cast<std::uint64_t>(at + kMargin)));
}

template <class Visit>
void HandedVector::for_each_element(const Visit& visit) const {
  const BlockPartition& blocks = places_.blocks();
  for (const std::int64_t block : places_.in_order()) {
    for (std::int64_t i = 0; i < blocks.size(block); ++i)
      visit((blocks.offset(block) + i) * element_size_, (places_.displacement(block) + i) * element_.extent + element_.begin);
  }
}

void HandedVector::take(ConstVectorView from) {
  for_each_element([&](std::int64_t there, std::int64_t here) {
    std::memcpy(data() + here, from.data() + there, static_cast<std::size_t>(element_size_));
  });
}

void HandedVector::give(VectorView to) const {
  for_each_element([&](std::int64_t there, std::int64_t here) {
    std::memcpy(to.data() + there, memory_.get() + kMargin + here, static_cast<std::size_t>(element_size_));
  });
}

bool HandedVector::holds(ConstVectorView from) const {
  bool is_same = true;
  for_each_element([&](std::int64_t there, std::int64_t here) {
    is_same &= std::memcmp(from.data() + there, memory_.get() + kMargin + here, static_cast<std::size_t>(element_size_)) == 0;
  });
  return is_same;
}

std::string HandedVector::neighbours(std::int64_t byte) const {
  const auto place = [&](std::int64_t block) {
    return fmt::format("block {} has {}[{}] = {} and {}[{}] = {}", block, words_.displacements, block,
                       places_.displacement(block), words_.counts, block, places_.blocks().size(block));
  };
  const auto behind = std::ranges::find_if(
      places_.in_order(), [&](std::int64_t block) { return places_.displacement(block) * element_.extent > byte; });
  std::string text;
  if (behind != places_.in_order().begin()) text = "before it, " + place(*std::prev(behind));
  if (behind != places_.in_order().end()) text += fmt::format("{}behind it, {}", text.empty() ? "" : "; ", place(*behind));
  return text;
}

Process::KnownMemory HandedVector::known() {
  Process::KnownMemory all{.begin = data(), .size = bytes_, .name = words_.vector};
  if (places_.blocks().blocks() == 1 || places_.in_order().empty()) return all;
  std::int64_t end = 0;
  const auto add_gap = [&](std::int64_t until) {
    if (until > end) all.gaps.push_back({end, until, neighbours(end)});
  };
  for (const std::int64_t block : places_.in_order()) {
    add_gap(places_.displacement(block) * element_.extent + element_.begin);
    end = (places_.displacement(block) + places_.blocks().size(block) - 1) * element_.extent + element_.begin + element_size_;
  }
  add_gap(bytes_);
  return all;
}

std::string HandedVector::written_outside() const {
  std::vector<bool> is_element(static_cast<std::size_t>(bytes_));
  for_each_element([&](std::int64_t, std::int64_t here) { std::fill_n(is_element.begin() + here, element_size_, true); });
  for (std::int64_t at = -kMargin; at < bytes_ + kMargin; ++at) {
    const bool is_within = at >= 0 && at < bytes_;
    if ((is_within && is_element[static_cast<std::size_t>(at)]) ||
        memory_[static_cast<std::size_t>(at + kMargin)] == untouched(at))
      continue;
    if (!is_within) return fmt::format("byte {} of {}, of {} bytes", at, words_.vector, bytes_);
    const std::int64_t element = at / element_.extent;
    const auto block = std::ranges::find_if(places_.in_order(), [&](std::int64_t b) {
      return element >= places_.displacement(b) && element < places_.displacement(b) + places_.blocks().size(b);
    });
    if (block != places_.in_order().end())
      return fmt::format(
          "byte {} of {}, which is in no element: the type has a size of {} bytes, an extent of {} and a lower "
          "bound of {}, and the first element begins at byte {}",
          at, words_.vector, element_size_, element_.extent, element_.begin,
          places_.displacement(places_.in_order().front()) * element_.extent + element_.begin);
    return fmt::format("byte {} of {}, which is in no block: {}", at, words_.vector, neighbours(at));
  }
  return {};
}

}  // namespace heddle::mpi

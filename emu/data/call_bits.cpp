// SPDX-License-Identifier: Apache-2.0
#include "emu/data/call_bits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/mix.hpp"
#include "emu/data/element_text.hpp"
#include "emu/data/expected_call.hpp"
#include "emu/record/failure.hpp"

namespace heddle::emu {

namespace {

bool are_equal(ConstVectorView one, ConstVectorView other) {
  return one.empty() || std::memcmp(one.data(), other.data(), one.size_bytes()) == 0;
}

Buffer copy_of(ConstVectorView vector) {
  Buffer copy(vector.type(), vector.count());
  if (!vector.empty()) std::memcpy(copy.view().data(), vector.data(), vector.size_bytes());
  return copy;
}

}  // namespace

std::string bits_text(ConstVectorView element) {
  const auto text = [element]<class T>(std::type_identity<T>) {
    BitsOf<T> bits;
    std::memcpy(&bits, element.data(), sizeof bits);
    return fmt::format("{} (0x{:0{}x})", element_text(element, 0), bits, 2 * sizeof bits);
  };
  return visit_element_type(element.type(), text, [element] { return element_text(element, 0); });
}

std::string different_bits_text(const DifferentBits& different, std::int64_t elements) {
  constexpr std::size_t kMostValues = 4;
  std::string text = fmt::format("{} of {} elements; the first is element {}:", different.count, elements, different.element);
  for (std::size_t v = 0; v < different.values.size(); ++v) {
    if (v == kMostValues) return text + fmt::format(", and {} values more", different.values.size() - v);
    text += fmt::format("{} {} on {}", v == 0 ? "" : ",", different.values[v].text, ranks_text(different.values[v].ranks));
  }
  return text;
}

std::uint64_t hash_of_bits(ConstVectorView vector) {
  constexpr std::size_t kLanes = 4;  // which do not wait for each other's multiplications
  constexpr std::size_t kStep = kLanes * sizeof(std::uint64_t);
  std::array<std::uint64_t, kLanes> lanes = {1, 2, 3, 4};
  const auto take = [&lanes](const std::array<std::uint64_t, kLanes>& words) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = mix_bits(lanes[lane] ^ words[lane]);
  };
  std::array<std::uint64_t, kLanes> words;
  std::size_t done = 0;
  for (; done + kStep <= vector.size_bytes(); done += kStep) {
    std::memcpy(words.data(), vector.data() + done, kStep);
    take(words);
  }
  words = {};
  if (done < vector.size_bytes()) std::memcpy(words.data(), vector.data() + done, vector.size_bytes() - done);
  take(words);
  std::uint64_t hash = vector.size_bytes();
  for (const std::uint64_t lane : lanes) hash = mix(hash ^ lane);
  return hash;
}

CallBits::CallBits(const CallLayout& layout, Datatype type, const ReduceOp& op)
    : type_(type), elements_(layout.count()), shared_(false) {
  if (!reduces(layout.collective()) || !rounds(type, op) || layout.count() == 0) return;
  const auto ranks = static_cast<std::size_t>(layout.ranks());
  hashes_.resize(ranks);
  shared_ = layout.collective() == Collective::allreduce;
  if (!shared_) return;
  has_returned_.resize(ranks);
  different_.resize(ranks);
}

void CallBits::note(ConstVectorView output, Rank rank) {
  if (hashes_.empty()) return;
  const auto r = static_cast<std::size_t>(rank.value());
  hashes_[r] = hash_of_bits(output);
  if (!shared_) return;
  has_returned_[r] = 1;
  first_has_come_([&] { first_ = copy_of(output); });
  if (!are_equal(output, first_->view())) note_difference(output, rank);
}

void CallBits::note_difference(ConstVectorView output, Rank rank) {
  const ConstVectorView first = std::as_const(*first_).view();
  Different& different = different_[static_cast<std::size_t>(rank.value())];
  const std::lock_guard lock(mutex_);
  is_different_.resize(static_cast<std::size_t>(elements_));
  for (std::int64_t i = 0; i < elements_; ++i) {
    const ConstVectorView element = output.slice(i, 1);
    if (are_equal(element, first.slice(i, 1))) continue;
    if (different.element < 0) {
      different.element = i;
      std::memcpy(different.value.data(), element.data(), element.size_bytes());
    }
    is_different_[static_cast<std::size_t>(i)] = true;
  }
}

std::optional<DifferentBits> CallBits::difference() const {
  const auto first = std::find(is_different_.begin(), is_different_.end(), true);
  if (first == is_different_.end()) return std::nullopt;
  DifferentBits found;
  found.element = first - is_different_.begin();
  found.count = std::count(is_different_.begin(), is_different_.end(), true);
  const ConstVectorView others = std::as_const(*first_).view().slice(found.element, 1);
  for (std::size_t r = 0; r < different_.size(); ++r) {
    if (has_returned_[r] == 0) continue;
    const ConstVectorView own(different_[r].value.data(), 1, type_);
    const std::string text = bits_text(different_[r].element == found.element ? own : others);
    auto value = std::ranges::find(found.values, text, &DifferentBits::Value::text);
    if (value == found.values.end()) value = found.values.insert(value, {text, {}});
    value->ranks.emplace_back(static_cast<int>(r));
  }
  return found;
}

}  // namespace heddle::emu

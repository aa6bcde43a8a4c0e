// SPDX-License-Identifier: Apache-2.0
#include "emu/explain/name_words.hpp"

#include <algorithm>
#include <cstring>

#include "core/wide_vectors.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

/// Elements that are compared together.
constexpr std::uint32_t kBatch = 64;

// Elements of one or two words; the compiler makes eight at once of them.

template <std::uint32_t kWords>
[[gnu::always_inline]] inline void write_batch(std::byte* elements, std::uint32_t count, Names names) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t code = names.code(i);
    for (std::uint32_t word = 0; word < kWords; ++word)
      std::memcpy(elements + kWord * (std::size_t{i} * kWords + word), &code, kWord);
  }
}

template <std::uint32_t kWords>
[[gnu::always_inline]] inline bool has_batch(const std::byte* elements, Names names) {
  std::uint32_t differ = 0;
  for (std::uint32_t i = 0; i < kBatch; ++i) {
    const std::uint32_t code = names.code(i);
    for (std::uint32_t word = 0; word < kWords; ++word) {
      std::uint32_t there = 0;
      std::memcpy(&there, elements + kWord * (std::size_t{i} * kWords + word), kWord);
      differ |= there ^ code;
    }
  }
  return differ == 0;
}

template <std::uint32_t kWords>
HEDDLE_WIDELY void write_widely(std::byte* elements, std::uint32_t count, Names names) {
  write_batch<kWords>(elements, count, names);
}

template <std::uint32_t kWords>
HEDDLE_WIDELY bool has_widely(const std::byte* elements, Names names) {
  return has_batch<kWords>(elements, names);
}

template <std::uint32_t kWords>
void write_all(std::byte* elements, std::uint32_t count, Names names) {
  has_wide_vectors() ? write_widely<kWords>(elements, count, names) : write_batch<kWords>(elements, count, names);
}

template <std::uint32_t kWords>
bool has_all(const std::byte* elements, Names names) {
  return has_wide_vectors() ? has_widely<kWords>(elements, names) : has_batch<kWords>(elements, names);
}

/// Of any size, one word after the other.
bool has_name(const std::byte* element, std::size_t size, std::uint32_t code) {
  for (std::size_t at = 0; at < size; at += kWord)
    if (std::memcmp(element + at, &code, std::min(kWord, size - at)) != 0) return false;
  return true;
}

}  // namespace

void write_names(std::byte* elements, std::size_t count, std::size_t size, Names names) {
  if (size == kWord) return write_all<1>(elements, static_cast<std::uint32_t>(count), names);
  if (size == 2 * kWord) return write_all<2>(elements, static_cast<std::uint32_t>(count), names);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t code = names.code(static_cast<std::uint32_t>(i));
    for (std::size_t at = 0; at < size; at += kWord) std::memcpy(elements + i * size + at, &code, std::min(kWord, size - at));
  }
}

std::size_t count_names(const std::byte* elements, std::size_t count, std::size_t size, Names names) {
  std::size_t have = 0;
  const auto next = [&] {
    return Names{names.first + (names.follow ? static_cast<std::uint32_t>(have) : 0), names.follow, names.mask};
  };
  const auto has_more = [&] {
    return size == kWord ? has_all<1>(elements + have * size, next())
                         : size == 2 * kWord && has_all<2>(elements + have * size, next());
  };
  while (have + kBatch <= count && has_more()) have += kBatch;
  while (have < count && has_name(elements + have * size, size, next().code(0))) ++have;
  return have;
}

}  // namespace heddle::emu

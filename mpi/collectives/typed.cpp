// SPDX-License-Identifier: Apache-2.0
#include "mpi/collectives/typed.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "mpi/types/packing.hpp"

namespace heddle::mpi {

TypedBuffer typed(const void* base, std::int64_t count, const TypePtr& type) {
  return {static_cast<std::byte*>(const_cast<void*>(base)), count, type};
}

BlockPartition TypedBlocks::partition() const {
  if (is_even()) return BlockPartition(bytes(), std::max(1, number));
  std::vector<std::int64_t> sizes;
  sizes.reserve(counts.size());
  for (const std::int64_t count : counts) sizes.push_back(count * type->size());
  return mpi::partition(sizes);
}

std::int64_t TypedBlocks::bytes() const {
  return (is_even() ? each * number : std::accumulate(counts.begin(), counts.end(), std::int64_t{0})) * type->size();
}

BlockPartition partition(std::span<const std::int64_t> sizes) {
  if (std::ranges::adjacent_find(sizes, std::not_equal_to<>()) != sizes.end()) return BlockPartition::of_sizes(sizes);
  return BlockPartition(sizes.front() * static_cast<std::int64_t>(sizes.size()), static_cast<std::int64_t>(sizes.size()));
}

namespace {

constexpr Datatype kByte = Datatype::user(1);

/// Where the blocks lie side by side in the order of their numbers.
bool is_one_piece(const TypedBlocks& blocks) {
  if (!blocks.type->is_contiguous()) return false;
  if (blocks.is_even()) return true;
  std::int64_t next = -1;
  for (int i = 0; i < blocks.number; ++i) {
    if (blocks.count(i) == 0) continue;
    if (next >= 0 && blocks.displacement(i) != next) return false;
    next = blocks.displacement(i) + blocks.count(i);
  }
  return true;
}

std::byte* first_byte(const TypedBlocks& blocks) {
  for (int i = 0; i < blocks.number; ++i) {
    if (blocks.count(i) > 0) return blocks.block(i).base;
  }
  return blocks.base;
}

}  // namespace

Staged::Staged(const TypedBuffer& buffer, Fill fill, bool is_apart) {
  const std::int64_t bytes = buffer.bytes();
  if (buffer.type->is_contiguous() && !is_apart) {
    view_ = {buffer.base, bytes, kByte};
    return;
  }
  copy_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
  if (fill == Fill::contents) pack(*buffer.type, buffer.count, buffer.base, bytes, copy_.get());
  view_ = {copy_.get(), bytes, kByte};
  parts_.push_back(buffer);
}

Staged::Staged(const TypedBlocks& blocks, Fill fill) {
  const std::int64_t bytes = blocks.bytes();
  if (is_one_piece(blocks)) {
    view_ = {first_byte(blocks), bytes, kByte};
    return;
  }
  copy_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
  std::byte* at = copy_.get();
  // Blocks one behind the other are one buffer.
  const int parts = blocks.is_even() ? 1 : blocks.number;
  for (int i = 0; i < parts; ++i) {
    const TypedBuffer part = blocks.is_even() ? blocks.whole() : blocks.block(i);
    if (fill == Fill::contents) pack(*part.type, part.count, part.base, part.bytes(), at);
    at += part.bytes();
    parts_.push_back(part);
  }
  view_ = {copy_.get(), bytes, kByte};
}

void Staged::give_back() const {
  const std::byte* at = copy_.get();
  for (const TypedBuffer& part : parts_) {
    unpack(*part.type, part.count, at, part.bytes(), part.base);
    at += part.bytes();
  }
}

Reducible::Reducible(const TypedBuffer& contents, Datatype element, Staged::Fill fill) : buffer_(contents) {
  if (contents.type->is_contiguous() && static_cast<std::int64_t>(element.size()) == contents.type->size()) {
    view_ = {contents.base, contents.count, element};
    return;
  }
  const std::size_t bytes = static_cast<std::size_t>(contents.count) * element.size();
  // Holes are the same on every rank, so that nothing depends on what a program leaves there.
  copy_ = std::make_unique<std::byte[]>(bytes);
  view_ = {copy_.get(), contents.count, element};
  if (fill == Staged::Fill::contents) {
    const Type& type = *contents.type;
    copy_elements(type, contents.count, contents.base, type, contents.count, copy_.get() - type.lower_bound());
  }
}

void Reducible::give_back(std::int64_t first, std::int64_t count, const TypedBuffer& to) const {
  const Type& type = *to.type;
  if (!copy_) {
    const std::byte* const from = view_.data() + first * type.size();
    if (from != to.base) std::memcpy(to.base, from, static_cast<std::size_t>(count * type.size()));
    return;
  }
  copy_elements(type, count, copy_.get() - type.lower_bound() + first * type.extent(), type, count, to.base);
}

}  // namespace heddle::mpi

// SPDX-License-Identifier: Apache-2.0
#include "mpi/collectives/typed.hpp"

#include <cstring>
#include <numeric>

#include "mpi/types/packing.hpp"

namespace heddle::mpi {

TypedBuffer typed(const void* base, std::int64_t count, const TypePtr& type) {
  return {static_cast<std::byte*>(const_cast<void*>(base)), count, type};
}

std::vector<std::int64_t> TypedBlocks::sizes() const {
  std::vector<std::int64_t> sizes;
  for (const std::int64_t count : counts) sizes.push_back(count * type->size());
  return sizes;
}

std::int64_t TypedBlocks::bytes() const {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) * type->size();
}

TypedBlocks equal_blocks(const void* base, std::int64_t count, const TypePtr& type, int blocks) {
  TypedBlocks all{.base = static_cast<std::byte*>(const_cast<void*>(base)), .type = type};
  for (std::int64_t i = 0; i < blocks; ++i) {
    all.counts.push_back(count);
    all.displacements.push_back(i * count);
  }
  return all;
}

namespace {

constexpr Datatype kByte = Datatype::user(1);

/// Where the blocks lie side by side in the order of their numbers.
bool is_one_piece(const TypedBlocks& blocks) {
  if (!blocks.type->is_contiguous()) return false;
  std::int64_t next = -1;
  for (std::size_t i = 0; i < blocks.counts.size(); ++i) {
    if (blocks.counts[i] == 0) continue;
    if (next >= 0 && blocks.displacements[i] != next) return false;
    next = blocks.displacements[i] + blocks.counts[i];
  }
  return true;
}

std::byte* first_byte(const TypedBlocks& blocks) {
  for (std::size_t i = 0; i < blocks.counts.size(); ++i) {
    if (blocks.counts[i] > 0) return blocks.block(i).base;
  }
  return blocks.base;
}

}  // namespace

Staged::Staged(const TypedBuffer& buffer, Fill fill) {
  const std::int64_t bytes = buffer.bytes();
  if (buffer.type->is_contiguous()) {
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
  for (std::size_t i = 0; i < blocks.counts.size(); ++i) {
    const TypedBuffer part = blocks.block(i);
    if (fill == Fill::contents) pack(*part.type, part.count, part.base, part.bytes(), at);
    at += part.bytes();
    parts_.push_back(part);
  }
  view_ = {copy_.get(), bytes, kByte};
}

void Staged::give_back() const {
  for (std::size_t i = 0; i < parts_.size(); ++i) give_back(i);
}

void Staged::give_back(std::size_t block) const {
  if (parts_.empty()) return;
  const std::byte* at = copy_.get();
  for (std::size_t i = 0; i < block; ++i) at += parts_[i].bytes();
  const TypedBuffer& part = parts_[block];
  unpack(*part.type, part.count, at, part.bytes(), part.base);
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

// SPDX-License-Identifier: Apache-2.0
// A vector of heddle's call as a function of MPI's signature gets it: its blocks at displacements of their own, its elements at a
// type's extent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heddle/collective.hpp"
#include "mpi/objects/process.hpp"
#include "mpi/run/function_options.hpp"

namespace heddle::mpi {

/// Where blocks lie in a vector, in elements. Displacements that are not packed leave at least one element before, between and behind
/// blocks.
class BlockPlaces {
 public:
  /// `turn`: another order of blocks for each, where they have any order.
  BlockPlaces(const BlockPartition& blocks, Displacements displacements, int turn);

  const BlockPartition& blocks() const { return blocks_; }
  std::int64_t displacement(std::int64_t block) const { return displacements_[static_cast<std::size_t>(block)]; }
  /// Of the vector, what lies in no block included.
  std::int64_t length() const { return length_; }
  /// The blocks with elements, in the order in which they lie.
  std::span<const std::int64_t> in_order() const { return in_order_; }

 private:
  BlockPartition blocks_;
  std::vector<std::int64_t> displacements_;
  std::vector<std::int64_t> in_order_;
  std::int64_t length_ = 0;
};

/// The bytes of an element, from the address that a call is given on: MPI's extent, and where the data begins in it.
struct ElementPlace {
  std::int64_t extent;
  std::int64_t begin;
};

/// How a function's vector is called: "the output of the call", "recvcounts", "displs".
struct VectorWords {
  const char* vector;
  const char* counts;
  const char* displacements;
};

/// Memory of its own for a vector that the function gets laid out otherwise than heddle has it. What belongs to no element has bytes
/// that tell rank and place.
class HandedVector {
 public:
  HandedVector(BlockPlaces places, std::size_t element_size, ElementPlace element, const VectorWords& words, int rank);

  /// What the function is given.
  std::byte* data() { return memory_.get() + kMargin; }
  /// Elements from and to where heddle has them.
  void take(ConstVectorView from);
  void give(VectorView to) const;
  /// Whether its elements are those of `from`.
  bool holds(ConstVectorView from) const;
  Process::KnownMemory known();
  /// The first byte that the function has written where no element is, in words: "byte 4 of the output of the call, …"; empty: none.
  std::string written_outside() const;

 private:
  static constexpr std::int64_t kMargin = Process::kGuardOfVectors;

  template <class Visit>
  void for_each_element(const Visit& visit) const;
  std::byte untouched(std::int64_t at) const;
  /// Of a byte in no block: which blocks are before and behind it.
  std::string neighbours(std::int64_t byte) const;

  BlockPlaces places_;
  std::int64_t element_size_;
  ElementPlace element_;
  VectorWords words_;
  int rank_;
  std::int64_t bytes_;
  std::unique_ptr<std::byte[]> memory_;
};

}  // namespace heddle::mpi

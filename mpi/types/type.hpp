// SPDX-License-Identifier: Apache-2.0
// Datatypes of MPI (MPI 5.0, chapter 5): where the bytes of an element lie, what basic types they are, and how the type was made.
// A type is made once and does not change. Types share those that they are made of. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mpi/image/table.hpp"
#include "mpi/types/basic_types.hpp"
#include "mpi/types/layout.hpp"

namespace heddle::mpi {

class Type;
using TypePtr = std::shared_ptr<const Type>;

/// What MPI_Type_get_contents gives: the arguments of the call that made the type, in MPI's order.
struct Contents {
  int combiner = MPI_COMBINER_NAMED;
  std::vector<std::int64_t> integers = {};   ///< counts and sizes that an int holds
  std::vector<std::int64_t> addresses = {};  ///< displacements and extents in bytes
  std::vector<TypePtr> types = {};
  bool has_large_counts = false;  ///< made by a large-count function: MPI_Type_get_contents cannot say it in int
};

class Type {
 public:
  // Sizes and places in bytes. Bounds are those of MPI's extent; true ones are where bytes lie.

  std::int64_t size() const { return size_; }
  std::int64_t lower_bound() const { return lower_; }
  std::int64_t extent() const { return upper_ - lower_; }
  std::int64_t true_lower_bound() const { return layout_->first; }
  std::int64_t true_extent() const { return layout_->last - layout_->first; }

  const LayoutPtr& layout() const { return layout_; }
  const Signature& signature() const { return *signature_; }
  const Contents& contents() const { return contents_; }
  /// The basic type that it is, if it is a predefined one.
  std::optional<BasicId> basic() const { return basic_; }
  /// Elements in a row are one piece without holes, from the address that a call is given.
  bool is_contiguous() const {
    return size_ == 0 || (layout_->pieces == 1 && layout_->first == 0 && extent() == size_ && layout_->last == size_);
  }

 private:
  friend class TypeBuilder;
  Type() = default;

  std::int64_t size_ = 0;
  std::int64_t lower_ = 0;
  std::int64_t upper_ = 0;
  std::int64_t alignment_ = 1;
  /// Set by MPI_Type_create_resized, an array, MPI_LB or MPI_UB, here or inside.
  bool has_own_lower_ = false;
  bool has_own_upper_ = false;
  LayoutPtr layout_;
  SignaturePtr signature_;
  Contents contents_;
  std::optional<BasicId> basic_;
};

/// The type of a predefined handle's number; nullptr where there is none.
TypePtr predefined_type(BasicId id);
/// The same basic type without a name: what a function that asks for a Fortran kind gives.
TypePtr make_unnamed(BasicId id, Contents contents);
// ---- constructors (MPI 5.0, §5.1) ----
// Displacements, strides and extents are in bytes. Counts are not negative: the caller has looked.

TypePtr make_duplicate(const TypePtr& of);
TypePtr make_contiguous(std::int64_t count, const TypePtr& of, bool large);
/// `stride` in elements (MPI_Type_vector).
TypePtr make_vector(std::int64_t count, std::int64_t block, std::int64_t stride, const TypePtr& of, bool large);
TypePtr make_hvector(std::int64_t count, std::int64_t block, std::int64_t stride, const TypePtr& of, bool large);
/// `displacements` in elements.
TypePtr make_indexed(std::span<const std::int64_t> blocks, std::span<const std::int64_t> displacements, const TypePtr& of,
                     bool large);
TypePtr make_hindexed(std::span<const std::int64_t> blocks, std::span<const std::int64_t> displacements, const TypePtr& of,
                      bool large);
/// `displacements` in elements.
TypePtr make_indexed_block(std::int64_t block, std::span<const std::int64_t> displacements, const TypePtr& of, bool large);
TypePtr make_hindexed_block(std::int64_t block, std::span<const std::int64_t> displacements, const TypePtr& of, bool large);
/// The extent is rounded up to the alignment of what is inside, as compilers do it.
TypePtr make_struct(std::span<const std::int64_t> blocks, std::span<const std::int64_t> displacements,
                    std::span<const TypePtr> types, bool large);
TypePtr make_resized(std::int64_t lower, std::int64_t extent, const TypePtr& of, bool large);
/// `order` is MPI_ORDER_C or MPI_ORDER_FORTRAN.
TypePtr make_subarray(std::span<const std::int64_t> sizes, std::span<const std::int64_t> subsizes,
                      std::span<const std::int64_t> starts, int order, const TypePtr& of, bool large);

/// One process' part of an array that is dealt out over a grid of processes (MPI_Type_create_darray).
struct DistributedArray {
  int processes;
  int rank;
  std::span<const std::int64_t> sizes;
  std::span<const int> distributions;  ///< MPI_DISTRIBUTE_…
  std::span<const int> arguments;      ///< block sizes, or MPI_DISTRIBUTE_DFLT_DARG
  std::span<const int> grid;           ///< processes along each dimension
  int order;
};
TypePtr make_darray(const DistributedArray& array, const TypePtr& of, bool large);

/// "vector of 3 x MPI_INT": how a type is called in texts.
std::string to_string(const Type& type);

}  // namespace heddle::mpi

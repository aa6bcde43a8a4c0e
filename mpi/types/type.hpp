// SPDX-License-Identifier: Apache-2.0
// Datatypes of MPI (MPI 5.0, chapter 5): where the bytes of an element lie, what basic types they are, and how the type was made.
// A type is made once and does not change. Types share those that they are made of. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/datatype.hpp"
#include "mpi/image/table.hpp"

namespace heddle::mpi {

/// A predefined type by the number of its handle: 0x209 is MPI_INT.
using BasicId = std::uint16_t;

/// Bytes of an element that lie side by side, from the address that a call is given.
struct Piece {
  std::int64_t at;
  std::int64_t bytes;
  friend bool operator==(const Piece&, const Piece&) = default;
};

struct Layout;
using LayoutPtr = std::shared_ptr<const Layout>;

/// Pieces that are alike, at equal distances: one of `bytes` bytes or, if `of` is there, all of `of`, `count` times.
struct PieceRun {
  std::int64_t at;  ///< the first
  std::int64_t bytes;
  std::int64_t count = 1;
  std::int64_t stride = 0;  ///< 0 where there is one
  LayoutPtr of = nullptr;
};

/// Where the bytes of an element lie, in the order of the type map. It grows with the blocks that a program names one by one, not
/// with those that are repeated.
struct Layout {
  std::vector<PieceRun> runs = {};
  std::int64_t pieces = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;  ///< exclusive

  void add(const PieceRun& run);
};

/// Calls visit(at, bytes) for the pieces in order, until it returns false. Some that touch are two. Returns whether all were visited.
template <class Visit>
bool for_each_piece(const Layout& layout, std::int64_t from, const Visit& visit) {
  for (const PieceRun& run : layout.runs) {
    for (std::int64_t i = 0, at = from + run.at; i < run.count; ++i, at += run.stride) {
      if (!(run.of ? for_each_piece(*run.of, at, visit) : visit(at, run.bytes))) return false;
    }
  }
  return true;
}

struct Signature;
using SignaturePtr = std::shared_ptr<const Signature>;

/// Equal basic types or, if `of` is there, equal sequences of them, one after the other.
struct BasicRun {
  BasicId basic;
  std::int64_t count;
  SignaturePtr of = nullptr;
  friend bool operator==(const BasicRun&, const BasicRun&) = default;
};

/// How much a sequence of basic types is.
struct BasicExtent {
  std::int64_t basics = 0;
  std::int64_t bytes = 0;
};

/// Equal for equal sequences, however they are written down: a polynomial in a number for each basic type, and its base to the length.
struct SequenceDigest {
  std::uint64_t sum = 0;
  std::uint64_t power = 1;

  SequenceDigest followed_by(const SequenceDigest& next) const;
  SequenceDigest repeated(std::int64_t times) const;
};

/// The basic types of an element in order: the runs, so many times one after the other.
struct Signature {
  std::vector<BasicRun> runs = {};
  std::int64_t times = 1;
  BasicExtent once = {};  ///< the runs one time, as the digest
  SequenceDigest digest = {};

  void add(const BasicRun& run);
  BasicExtent all() const { return {once.basics * times, once.bytes * times}; }
};

/// Calls visit(basic, count) for the runs of basic types in order, until it returns false. Returns whether all were visited.
template <class Visit>
bool for_each_run(const Signature& signature, const Visit& visit) {
  for (std::int64_t time = 0; time < signature.times; ++time) {
    for (const BasicRun& run : signature.runs) {
      if (!run.of && !visit(run.basic, run.count)) return false;
      for (std::int64_t i = 0; run.of && i < run.count; ++i) {
        if (!for_each_run(*run.of, visit)) return false;
      }
    }
  }
  return true;
}

/// As many whole basic types of a sequence, from its first on, as do not exceed `limit`.
BasicExtent beginning_of(const Signature& signature, const BasicExtent& limit);

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
  bool has_own_bounds_ = false;  ///< set by MPI_Type_create_resized or an array, here or inside
  LayoutPtr layout_;
  SignaturePtr signature_;
  Contents contents_;
  std::optional<BasicId> basic_;
};

// ---- predefined types ----

/// `quadruple`: Fortran's reals of 16 bytes, which are not C's long double.
enum class BasicKind : std::uint8_t {
  signed_integer,
  unsigned_integer,
  floating,
  complex,
  logical,
  character,
  byte,
  pair,
  quadruple,
};

struct BasicFacts {
  BasicId id;
  std::string_view name;  ///< "MPI_INT"
  BasicKind kind;
  std::int64_t size;       ///< in bytes; of a pair, without the hole between its parts
  std::int64_t alignment;  ///< its extent is a multiple of that
  BasicId first = 0;       ///< of a pair
  BasicId second = 0;
};

/// In the order of the handles. Fortran's types that no C type of this machine stands for (MPI_REAL2, MPI_REAL16) are moved, and no
/// operation is defined on them.
std::span<const BasicFacts> basic_types();
/// Nullptr where the number is no predefined type's.
const BasicFacts* find_basic(BasicId id);
/// The type of a predefined handle's number; nullptr where there is none.
TypePtr predefined_type(BasicId id);
/// heddle's datatype of the same kind and size: MPI_INT is i32. No value for what heddle's own operations do not reduce.
std::optional<Datatype> heddle_datatype(BasicId id);

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

// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/type.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace heddle::mpi {

/// Puts a type together from blocks of others.
class TypeBuilder {
 public:
  explicit TypeBuilder(Contents contents) : type_(new Type()) { type_->contents_ = std::move(contents); }

  /// `count` elements of `of` in a row, the first at `at`; all that `rows` times, at distances of `stride`.
  void add(std::int64_t at, std::int64_t count, const Type& of, std::int64_t rows = 1, std::int64_t stride = 0) {
    if (count == 0 || rows == 0) return;
    const std::int64_t row = times(count - 1, of.extent());
    const std::int64_t all = times(rows - 1, stride);
    // Of MPI_LB and what is nothing else there is no upper bound, and the other way round.
    const bool is_empty = of.size_ == 0 && of.has_own_lower_ != of.has_own_upper_;
    if (!is_empty || of.has_own_lower_)
      bound_below(plus(plus(at, std::min<std::int64_t>(0, row)), plus(std::min<std::int64_t>(0, all), of.lower_)),
                  of.has_own_lower_);
    if (!is_empty || of.has_own_upper_)
      bound_above(plus(plus(at, std::max<std::int64_t>(0, row)), plus(std::max<std::int64_t>(0, all), of.upper_)),
                  of.has_own_upper_);
    add_layout(repeated(repeated(of.layout_, at, count, of.extent()), rows, stride), times(count, rows), of);
  }
  /// The bytes of `count` elements of `of`; whoever calls it sets the bounds.
  void add_layout(const PieceRun& run, std::int64_t count, const Type& of) {
    type_->alignment_ = std::max(type_->alignment_, of.alignment_);
    if (of.size_ == 0) return;
    type_->size_ = plus(type_->size_, times(count, of.size_));
    layout_.add(run);
    add_signature(of.signature_, count);
  }

  /// Whatever lies inside.
  void set_bounds(std::int64_t lower, std::int64_t upper) {
    type_->has_own_lower_ = type_->has_own_upper_ = true;
    type_->lower_ = lower;
    type_->upper_ = upper;
  }
  void set_basic(const BasicFacts& facts) {
    type_->basic_ = facts.id;
    type_->size_ = facts.size;
    type_->alignment_ = facts.alignment;
    type_->has_own_lower_ = facts.id == kLowerBound;
    type_->has_own_upper_ = facts.id == kUpperBound;
    if (facts.kind == BasicKind::bound) return;
    layout_.add({0, facts.size});
    signature_.add({facts.id, 1});
    bound_below(0, false);
    bound_above(facts.size, false);
  }
  void set_pair(BasicId id) { type_->basic_ = id; }
  /// As compilers round structs; but who has set bounds gets those.
  void round_extent_up() {
    if (type_->has_own_upper_) return;
    const std::int64_t over = minus(type_->upper_, type_->lower_) % type_->alignment_;
    if (over != 0) type_->upper_ = plus(type_->upper_, type_->alignment_ - over);
  }
  TypePtr take() {
    minus(layout_.last, layout_.first);
    minus(type_->upper_, type_->lower_);
    type_->layout_ = std::make_shared<Layout>(std::move(layout_));
    type_->signature_ = std::make_shared<Signature>(std::move(signature_));
    return TypePtr(std::move(type_));
  }

 private:
  /// Bounds that were set have precedence over those of bytes (MPI 5.0, §5.1.6).
  void bound_below(std::int64_t lower, bool was_set) {
    if (type_->has_own_lower_ && !was_set) return;
    if (was_set && !std::exchange(type_->has_own_lower_, true)) has_lower_ = false;
    type_->lower_ = std::exchange(has_lower_, true) ? std::min(type_->lower_, lower) : lower;
  }
  void bound_above(std::int64_t upper, bool was_set) {
    if (type_->has_own_upper_ && !was_set) return;
    if (was_set && !std::exchange(type_->has_own_upper_, true)) has_upper_ = false;
    type_->upper_ = std::exchange(has_upper_, true) ? std::max(type_->upper_, upper) : upper;
  }
  /// Of one basic type alone all is one run. What has several is repeated as a whole where nothing else stands before it.
  void add_signature(const SignaturePtr& of, std::int64_t count) {
    const bool is_one_run = of->runs.size() == 1 && !of->runs[0].of;
    if (!is_one_run && (signature_.runs.empty() || signature_.runs == of->runs)) {
      const std::int64_t before = signature_.runs.empty() ? 0 : signature_.times;
      signature_ = *of;
      signature_.times = before + of->times * count;
      return;
    }
    if (signature_.times != 1) {
      Signature outer;
      outer.add({0, 1, std::make_shared<Signature>(std::move(signature_))});
      signature_ = std::move(outer);
    }
    if (is_one_run)
      signature_.add({of->runs[0].basic, of->all().basics * count});
    else if (of->times * count == 1 && of->runs.size() <= kFewRuns)
      for (const BasicRun& run : of->runs) signature_.add(run);
    else
      signature_.add({0, count, of});
  }

  std::unique_ptr<Type> type_;
  Layout layout_;
  Signature signature_;
  bool has_lower_ = false;
  bool has_upper_ = false;
};

// ---- predefined types ----

namespace {

std::size_t place_of(BasicId id) { return static_cast<std::size_t>(find_basic(id) - basic_types().data()); }

/// In the order of the table. Pairs are made of types that are no pairs.
std::vector<TypePtr> make_predefined() {
  std::vector<TypePtr> types(basic_types().size());
  for (const bool are_pairs : {false, true}) {
    for (std::size_t i = 0; i < types.size(); ++i) {
      const BasicFacts& facts = basic_types()[i];
      if ((facts.kind == BasicKind::pair) != are_pairs) continue;
      TypeBuilder builder(Contents{});
      if (are_pairs) {
        const Type& first = *types[place_of(facts.first)];
        const Type& second = *types[place_of(facts.second)];
        const std::int64_t alignment = find_basic(facts.second)->alignment;
        builder.add(0, 1, first);
        builder.add((first.size() + alignment - 1) / alignment * alignment, 1, second);
        builder.round_extent_up();
        builder.set_pair(facts.id);
      } else {
        builder.set_basic(facts);
      }
      types[i] = builder.take();
    }
  }
  return types;
}

}  // namespace

TypePtr predefined_type(BasicId id) {
  static const std::vector<TypePtr> types = make_predefined();
  const BasicFacts* const facts = find_basic(id);
  return facts == nullptr ? nullptr : types[static_cast<std::size_t>(facts - basic_types().data())];
}

TypePtr make_unnamed(BasicId id, Contents contents) {
  TypeBuilder builder(std::move(contents));
  builder.set_basic(*find_basic(id));
  return builder.take();
}

// ---- constructors ----

namespace {

std::vector<std::int64_t> joined(std::initializer_list<std::span<const std::int64_t>> parts) {
  std::vector<std::int64_t> all;
  for (const auto part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<std::int64_t> scaled(std::span<const std::int64_t> displacements, std::int64_t by) {
  std::vector<std::int64_t> all(displacements.begin(), displacements.end());
  for (std::int64_t& at : all) at = times(at, by);
  return all;
}

TypePtr strided(Contents contents, std::int64_t count, std::int64_t block, std::int64_t stride, const Type& of) {
  TypeBuilder builder(std::move(contents));
  builder.add(0, block, of, count, stride);
  return builder.take();
}

template <class BlockOf>
TypePtr placed(Contents contents, std::span<const std::int64_t> displacements, const BlockOf& block_of, const Type& of) {
  TypeBuilder builder(std::move(contents));
  for (std::size_t i = 0; i < displacements.size(); ++i) builder.add(displacements[i], block_of(i), of);
  return builder.take();
}

std::int64_t count_of(std::span<const std::int64_t> list) { return static_cast<std::int64_t>(list.size()); }

/// Of a type that was made of one other.
Contents contents_of(int combiner, const TypePtr& of, bool large, std::vector<std::int64_t> integers,
                     std::vector<std::int64_t> addresses = {}) {
  return {combiner, std::move(integers), std::move(addresses), {of}, large};
}

}  // namespace

TypePtr make_duplicate(const TypePtr& of) {
  TypeBuilder builder({.combiner = MPI_COMBINER_DUP, .types = {of}});
  builder.add(0, 1, *of);
  return builder.take();
}

TypePtr make_contiguous(std::int64_t count, const TypePtr& of, bool large) {
  TypeBuilder builder({.combiner = MPI_COMBINER_CONTIGUOUS, .integers = {count}, .types = {of}, .has_large_counts = large});
  builder.add(0, count, *of);
  return builder.take();
}

TypePtr make_vector(std::int64_t count, std::int64_t block, std::int64_t stride, const TypePtr& of, bool large) {
  return strided(contents_of(MPI_COMBINER_VECTOR, of, large, {count, block, stride}), count, block, times(stride, of->extent()),
                 *of);
}

TypePtr make_hvector(std::int64_t count, std::int64_t block, std::int64_t stride, const TypePtr& of, bool large) {
  return strided(contents_of(MPI_COMBINER_HVECTOR, of, large, {count, block}, {stride}), count, block, stride, *of);
}

TypePtr make_indexed(std::span<const std::int64_t> blocks, std::span<const std::int64_t> displacements, const TypePtr& of,
                     bool large) {
  const std::int64_t count = count_of(blocks);
  Contents contents = contents_of(MPI_COMBINER_INDEXED, of, large, joined({std::span(&count, 1), blocks, displacements}));
  const std::vector<std::int64_t> bytes = scaled(displacements, of->extent());
  return placed(
      std::move(contents), bytes, [&](std::size_t i) { return blocks[i]; }, *of);
}

TypePtr make_hindexed(std::span<const std::int64_t> blocks, std::span<const std::int64_t> displacements, const TypePtr& of,
                      bool large) {
  const std::int64_t count = count_of(blocks);
  Contents contents =
      contents_of(MPI_COMBINER_HINDEXED, of, large, joined({std::span(&count, 1), blocks}), joined({displacements}));
  return placed(
      std::move(contents), displacements, [&](std::size_t i) { return blocks[i]; }, *of);
}

TypePtr make_indexed_block(std::int64_t block, std::span<const std::int64_t> displacements, const TypePtr& of, bool large) {
  const std::int64_t head[] = {count_of(displacements), block};
  Contents contents = contents_of(MPI_COMBINER_INDEXED_BLOCK, of, large, joined({head, displacements}));
  const std::vector<std::int64_t> bytes = scaled(displacements, of->extent());
  return placed(
      std::move(contents), bytes, [block](std::size_t) { return block; }, *of);
}

TypePtr make_hindexed_block(std::int64_t block, std::span<const std::int64_t> displacements, const TypePtr& of, bool large) {
  Contents contents =
      contents_of(MPI_COMBINER_HINDEXED_BLOCK, of, large, {count_of(displacements), block}, joined({displacements}));
  return placed(
      std::move(contents), displacements, [block](std::size_t) { return block; }, *of);
}

TypePtr make_struct(std::span<const std::int64_t> blocks, std::span<const std::int64_t> displacements,
                    std::span<const TypePtr> types, bool large) {
  const std::int64_t count = count_of(blocks);
  TypeBuilder builder({.combiner = MPI_COMBINER_STRUCT,
                       .integers = joined({std::span(&count, 1), blocks}),
                       .addresses = joined({displacements}),
                       .types = {types.begin(), types.end()},
                       .has_large_counts = large});
  for (std::size_t i = 0; i < types.size(); ++i) builder.add(displacements[i], blocks[i], *types[i]);
  builder.round_extent_up();
  return builder.take();
}

TypePtr make_resized(std::int64_t lower, std::int64_t extent, const TypePtr& of, bool large) {
  TypeBuilder builder(
      {.combiner = MPI_COMBINER_RESIZED, .addresses = {lower, extent}, .types = {of}, .has_large_counts = large});
  builder.add(0, 1, *of);
  builder.set_bounds(lower, plus(lower, extent));
  return builder.take();
}

// ---- arrays ----
// A dimension is a type of what lies within, from the one whose neighbours are adjacent outwards: the last in C's order, the first
// in Fortran's.

namespace {

/// What a part has along a dimension: blocks in a row, at equal distances; the last may be shorter.
struct DimensionPart {
  std::int64_t first;
  std::int64_t block;
  std::int64_t blocks;
  std::int64_t distance;
  std::int64_t rest;  ///< of the last block, where it is shorter

  std::int64_t number() const { return blocks * block + rest; }
};

/// The element at each place of each dimension; all of the array is the extent.
TypePtr array_part(Contents contents, std::span<const std::int64_t> sizes, std::span<const DimensionPart> parts, int order,
                   const Type& of) {
  const std::size_t dims = sizes.size();
  LayoutPtr inner = of.layout();
  std::int64_t stride = of.extent();
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < dims; ++i) {
    const std::size_t dim = order == MPI_ORDER_C ? dims - 1 - i : i;
    const DimensionPart& along = parts[dim];
    elements = times(elements, along.number());
    if (elements == 0) break;
    auto row = std::make_shared<Layout>();
    if (along.blocks > 0)
      row->add(repeated(repeated(inner, times(along.first, stride), along.block, stride), along.blocks,
                        along.blocks > 1 ? times(along.distance, stride) : 0));
    if (along.rest > 0)
      row->add(repeated(inner, times(along.first + along.blocks * along.distance, stride), along.rest, stride));
    inner = std::move(row);
    stride = times(stride, sizes[dim]);
  }
  TypeBuilder builder(std::move(contents));
  if (elements > 0) builder.add_layout(repeated(inner, 0, 1, 0), elements, of);
  builder.set_bounds(0, std::accumulate(sizes.begin(), sizes.end(), of.extent(), times));
  return builder.take();
}

/// What process `at` of `processes` along a dimension of `size` has (MPI 5.0, §5.1.4).
DimensionPart part_of_dimension(std::int64_t size, int distribution, int argument, int processes, int at) {
  std::int64_t block = size;
  if (distribution == MPI_DISTRIBUTE_BLOCK)
    block = argument == MPI_DISTRIBUTE_DFLT_DARG ? (plus(size, processes) - 1) / processes : argument;
  else if (distribution == MPI_DISTRIBUTE_CYCLIC)
    block = argument == MPI_DISTRIBUTE_DFLT_DARG ? 1 : argument;
  const std::int64_t first = times(at, block);
  const std::int64_t distance = times(processes, block);
  DimensionPart part{first, block, 0, distance, 0};
  if (first >= size) return part;
  if (distribution == MPI_DISTRIBUTE_CYCLIC) part.blocks = (size - first) / distance;
  const std::int64_t left = size - first - part.blocks * distance;
  if (left >= block)
    ++part.blocks;
  else
    part.rest = left;
  return part;
}

std::vector<std::int64_t> widened(std::span<const int> list) { return {list.begin(), list.end()}; }

}  // namespace

TypePtr make_subarray(std::span<const std::int64_t> sizes, std::span<const std::int64_t> subsizes,
                      std::span<const std::int64_t> starts, int order, const TypePtr& of, bool large) {
  const std::int64_t dims = count_of(sizes);
  const std::int64_t tail = order;
  Contents contents = contents_of(MPI_COMBINER_SUBARRAY, of, large,
                                  joined({std::span(&dims, 1), sizes, subsizes, starts, std::span(&tail, 1)}));
  std::vector<DimensionPart> parts;
  for (std::size_t i = 0; i < sizes.size(); ++i) parts.push_back({starts[i], subsizes[i], 1, 0, 0});
  return array_part(std::move(contents), sizes, parts, order, *of);
}

TypePtr make_darray(const DistributedArray& array, const TypePtr& of, bool large) {
  const std::int64_t head[] = {array.processes, array.rank, count_of(array.sizes)};
  const std::int64_t tail = array.order;
  Contents contents = contents_of(MPI_COMBINER_DARRAY, of, large,
                                  joined({head, array.sizes, widened(array.distributions), widened(array.arguments),
                                          widened(array.grid), std::span(&tail, 1)}));
  // Ranks of the grid are in C's order, whatever the array's is.
  std::vector<DimensionPart> parts(array.sizes.size());
  int rest = array.rank;
  for (std::size_t i = array.sizes.size(); i-- > 0;) {
    parts[i] =
        part_of_dimension(array.sizes[i], array.distributions[i], array.arguments[i], array.grid[i], rest % array.grid[i]);
    rest /= array.grid[i];
  }
  return array_part(std::move(contents), array.sizes, parts, array.order, *of);
}

std::string to_string(const Type& type) {
  if (type.basic()) return std::string(find_basic(*type.basic())->name);
  const Contents& made = type.contents();
  const std::string inner = made.types.empty() ? "nothing" : to_string(*made.types[0]);
  switch (made.combiner) {
    case MPI_COMBINER_DUP:
      return inner;
    case MPI_COMBINER_CONTIGUOUS:
      return fmt::format("contiguous of {} x {}", made.integers[0], inner);
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
      return fmt::format("vector of {} x {} x {}", made.integers[0], made.integers[1], inner);
    case MPI_COMBINER_STRUCT:
      return fmt::format("struct of {} parts, {} bytes", made.integers[0], type.size());
    case MPI_COMBINER_SUBARRAY:
      return "subarray of " + inner;
    case MPI_COMBINER_DARRAY:
      return "distributed array of " + inner;
    case MPI_COMBINER_RESIZED:
      return fmt::format("{} resized to {} bytes", inner, type.extent());
    default:
      return fmt::format("indexed type of {} bytes of {}", type.size(), inner);
  }
}

}  // namespace heddle::mpi

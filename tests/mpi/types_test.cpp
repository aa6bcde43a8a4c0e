// SPDX-License-Identifier: Apache-2.0
// Datatypes are written down by what is repeated. Whatever they are made of, they are what a list of all basic types says.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "mpi/types/packing.hpp"
#include "mpi/types/signature.hpp"
#include "mpi/types/type.hpp"
#include "tests/drawn.hpp"

namespace heddle::mpi {
namespace {

struct Basic {
  std::int64_t at;
  BasicId id;
};

/// A type, and the list of its basic types with their places, made by the standard's words alone.
struct Listed {
  TypePtr type;
  std::vector<Basic> map;
};

const BasicId kChar = 0x243;
const BasicId kInt = 0x209;
const BasicId kDouble = 0x214;

void append(std::vector<Basic>& map, const Listed& of, std::int64_t at, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    for (const Basic& basic : of.map) map.push_back({at + i * of.type->extent() + basic.at, basic.id});
  }
}

std::vector<std::int64_t> numbers(std::size_t count, int from, int to) {
  std::vector<std::int64_t> list(count);
  for (std::int64_t& number : list) number = drawn::evenly(0, to - from) + from;
  return list;
}

Listed listed_array(const Listed& of) {
  const std::size_t dims = static_cast<std::size_t>(drawn::evenly(1, 4));
  const int order = drawn::any<bool>() ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
  std::vector<std::int64_t> sizes = numbers(dims, 1, 6);
  std::vector<std::vector<std::int64_t>> places(dims);
  Listed made;
  if (drawn::any<bool>()) {
    std::vector<std::int64_t> parts;
    std::vector<std::int64_t> starts;
    for (std::size_t i = 0; i < dims; ++i) {
      parts.push_back(drawn::number<std::int64_t>(1, sizes[i] + 1));
      starts.push_back(drawn::number<std::int64_t>(0, sizes[i] - parts[i] + 1));
      for (std::int64_t k = 0; k < parts[i]; ++k) places[i].push_back(starts[i] + k);
    }
    made.type = make_subarray(sizes, parts, starts, order, of.type, false);
  } else {
    std::vector<int> how;
    std::vector<int> arguments;
    std::vector<int> grid;
    std::vector<int> at;
    int processes = 1;
    int rank = 0;
    for (std::size_t i = 0; i < dims; ++i) {
      const int block = drawn::number(1, 4);
      how.push_back(drawn::any<bool>() ? MPI_DISTRIBUTE_CYCLIC : MPI_DISTRIBUTE_BLOCK);
      grid.push_back(drawn::number(1, 4));
      at.push_back(drawn::number(0, grid[i]));
      const int least = (static_cast<int>(sizes[i]) + grid[i] - 1) / grid[i];
      arguments.push_back(how[i] == MPI_DISTRIBUTE_BLOCK ? std::max(block, least) : block);
      processes *= grid[i];
      rank = rank * grid[i] + at[i];
      for (std::int64_t k = 0; k < sizes[i]; ++k) {
        if (k / arguments[i] % grid[i] == at[i]) places[i].push_back(k);
      }
    }
    made.type = make_darray({processes, rank, sizes, how, arguments, grid, order}, of.type, false);
  }
  // The place of each element of the part, the dimension whose neighbours are adjacent running fastest.
  std::vector<std::int64_t> offsets = {0};
  std::int64_t stride = of.type->extent();
  for (std::size_t i = 0; i < dims; ++i) {
    const std::size_t dim = order == MPI_ORDER_C ? dims - 1 - i : i;
    std::vector<std::int64_t> next;
    for (const std::int64_t place : places[dim]) {
      for (const std::int64_t offset : offsets) next.push_back(offset + place * stride);
    }
    offsets = next;
    stride *= sizes[dim];
  }
  for (const std::int64_t offset : offsets) append(made.map, of, offset, 1);
  return made;
}

Listed listed(int depth) {
  if (depth == 0) {
    const BasicId id = std::vector{kChar, kInt, kDouble}[static_cast<std::size_t>(drawn::number(0, 3))];
    return {predefined_type(id), {{0, id}}};
  }
  const Listed of = listed(depth - 1);
  const std::int64_t extent = of.type->extent();
  const std::int64_t count = drawn::evenly(0, 5);
  const std::int64_t block = drawn::evenly(0, 4);
  const std::int64_t stride = drawn::evenly(0, 40) - 12;
  Listed made;
  switch (drawn::evenly(0, 8)) {
    case 0:
      made.type = make_contiguous(count, of.type, false);
      append(made.map, of, 0, count);
      break;
    case 1:
      made.type = make_vector(count, block, stride, of.type, false);
      for (std::int64_t i = 0; i < count; ++i) append(made.map, of, i * stride * extent, block);
      break;
    case 2:
      made.type = make_hvector(count, block, stride, of.type, false);
      for (std::int64_t i = 0; i < count; ++i) append(made.map, of, i * stride, block);
      break;
    case 3: {
      const auto blocks = numbers(static_cast<std::size_t>(count), 0, 4);
      const auto at = numbers(static_cast<std::size_t>(count), -3, 9);
      made.type = make_indexed(blocks, at, of.type, false);
      for (std::size_t i = 0; i < at.size(); ++i) append(made.map, of, at[i] * extent, blocks[i]);
      break;
    }
    case 4: {
      const auto at = numbers(static_cast<std::size_t>(count), -20, 60);
      made.type = make_hindexed_block(block, at, of.type, false);
      for (const std::int64_t place : at) append(made.map, of, place, block);
      break;
    }
    case 5: {
      const Listed other = listed(drawn::evenly(0, depth));
      const std::vector<TypePtr> types = {of.type, other.type, of.type, of.type};
      const auto blocks = numbers(4, 0, 4);
      const auto at = numbers(4, 0, 90);
      made.type = make_struct(blocks, at, types, false);
      for (std::size_t i = 0; i < 4; ++i) append(made.map, i == 1 ? other : of, at[i], blocks[i]);
      break;
    }
    case 6:
      made = {make_resized(drawn::number(0, 8) - 4, drawn::number(0, 40), of.type, false), of.map};
      break;
    default:
      made = listed_array(of);
  }
  return made;
}

/// Pieces in order, those that touch as one.
std::vector<Piece> merged(std::vector<Piece> pieces) {
  std::vector<Piece> all;
  for (const Piece& piece : pieces) {
    if (!all.empty() && all.back().at + all.back().bytes == piece.at)
      all.back().bytes += piece.bytes;
    else
      all.push_back(piece);
  }
  return all;
}

std::int64_t size_of(BasicId id) { return find_basic(id)->size; }

TEST_CASE("A type has the basic types that its constructors name, in their places and order") {
  testing::property("pieces, sizes, packing, signatures", [] {
    const Listed drawn = listed(drawn::evenly(0, 5));
    RC_PRE(drawn.map.size() < 500);
    const Type& type = *drawn.type;
    const std::int64_t count = drawn::number(1, 4);
    std::vector<Basic> all;
    append(all, drawn, 0, count);

    std::vector<Piece> expected;
    std::int64_t bytes = 0;
    for (const Basic& basic : all) {
      expected.push_back({basic.at, size_of(basic.id)});
      bytes += size_of(basic.id);
    }
    RC_ASSERT(type.size() * count == bytes);
    std::vector<Piece> pieces;
    for (std::int64_t i = 0; i < count; ++i) {
      for_each_piece(*type.layout(), i * type.extent(), [&](std::int64_t at, std::int64_t length) {
        pieces.push_back({at, length});
        return true;
      });
    }
    RC_ASSERT(static_cast<std::int64_t>(pieces.size()) == type.layout()->pieces * count);
    RC_ASSERT(merged(pieces) == merged(expected));
    RC_ASSERT(type.is_contiguous() ==
              (bytes == 0 || (merged(expected) == std::vector<Piece>{{0, bytes}} && type.extent() * count == bytes)));

    if (bytes == 0) return;
    const auto lowest = std::ranges::min(expected, {}, &Piece::at).at;
    const Piece highest = std::ranges::max(expected, {}, [](const Piece& piece) { return piece.at + piece.bytes; });
    RC_ASSERT(span_of(type, count).first == lowest);
    RC_ASSERT(span_of(type, count).last == highest.at + highest.bytes);

    // The first bytes, which may end within a basic type.
    const std::int64_t part = drawn::number<std::int64_t>(0, bytes + 1);
    std::vector<std::byte> memory(static_cast<std::size_t>(highest.at + highest.bytes - lowest));
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 7 + i / 251);
    std::vector<std::byte> packed(static_cast<std::size_t>(part));
    pack(type, count, memory.data() - lowest, part, packed.data());
    std::vector<std::byte> expected_bytes;
    for (const Piece& piece : expected) {
      for (std::int64_t i = 0; i < piece.bytes; ++i)
        expected_bytes.push_back(memory[static_cast<std::size_t>(piece.at + i - lowest)]);
    }
    RC_ASSERT(std::ranges::equal(packed, std::span(expected_bytes).first(packed.size())));

    std::vector<int> writes(memory.size());
    for (const Piece& piece : expected) {
      for (std::int64_t i = 0; i < piece.bytes; ++i) ++writes[static_cast<std::size_t>(piece.at + i - lowest)];
    }
    RC_ASSERT(overlaps_itself(type, count) == (*std::ranges::max_element(writes) > 1));
    if (*std::ranges::max_element(writes) == 1) {
      std::vector<std::byte> unpacked(memory.size(), std::byte{1});
      unpack(type, count, packed.data(), part, unpacked.data() - lowest);
      std::int64_t left = part;
      std::vector<std::byte> expected_memory(memory.size(), std::byte{1});
      for (const Piece& piece : expected) {
        for (std::int64_t i = 0; i < piece.bytes && left > 0; ++i, --left)
          expected_memory[static_cast<std::size_t>(piece.at + i - lowest)] =
              memory[static_cast<std::size_t>(piece.at + i - lowest)];
      }
      RC_ASSERT(unpacked == expected_memory);
    }

    // Basic types in a part; the same sequence in another type, and a sequence that differs in one place.
    std::int64_t whole = 0;
    std::int64_t within = 0;
    while (static_cast<std::size_t>(whole) < all.size() && within + size_of(all[static_cast<std::size_t>(whole)].id) <= part)
      within += size_of(all[static_cast<std::size_t>(whole++)].id);
    RC_ASSERT(basic_types_in(type, part) == (within == part ? std::optional(whole) : std::nullopt));
    if (whole == type.signature().all().basics * count) --whole;
    const BasicExtent beginning = beginning_of(type.signature(), {whole % type.signature().all().basics, bytes});
    RC_ASSERT(beginning.basics == whole % type.signature().all().basics);

    SignatureLabels labels;
    const auto same_sequence = [](const std::vector<Basic>& of) {
      std::vector<TypePtr> types;
      std::vector<std::int64_t> at;
      std::int64_t end = 0;
      for (const Basic& basic : of) {
        types.push_back(predefined_type(basic.id));
        at.push_back(std::exchange(end, end + size_of(basic.id)));
      }
      return make_struct(std::vector<std::int64_t>(of.size(), 1), at, types, false);
    };
    const std::uint64_t label = labels.label(type, count);
    const std::uint64_t flat = labels.label(*same_sequence(all), 1);
    RC_ASSERT(labels.may_receive(label, flat));
    RC_ASSERT(labels.may_receive(flat, label));
    std::vector<Basic> longer = all;
    longer.push_back({0, kChar});
    const std::uint64_t more = labels.label(*same_sequence(longer), 1);
    RC_ASSERT(labels.may_receive(label, more));
    RC_ASSERT(!labels.may_receive(more, label));
    std::vector<Basic> other = all;
    const std::size_t changed = static_cast<std::size_t>(drawn::number<std::int64_t>(0, static_cast<std::int64_t>(all.size())));
    other[changed].id = other[changed].id == kInt ? 0x210 : kInt;
    const std::uint64_t different = labels.label(*same_sequence(other), 1);
    RC_ASSERT(different != label);
    RC_ASSERT(!labels.may_receive(label, different) || labels.may_receive(different, label) == false);
  });
}

TEST_CASE("Types of 2^30 blocks and more take no memory for a block") {
  const std::int64_t many = std::int64_t{1} << 30;
  const TypePtr of = predefined_type(kInt);
  const TypePtr column = make_vector(many, 1, 2, of, false);
  CHECK(column->size() == 4 * many);
  CHECK(column->layout()->runs.size() == 1);
  CHECK_FALSE(overlaps_itself(*column, 3));
  const std::int64_t at[] = {0, 4};
  const TypePtr parts[] = {of, predefined_type(kChar)};
  const std::int64_t ones[] = {1, 1};
  const TypePtr mixed = make_contiguous(many, make_struct(ones, at, parts, false), false);
  const TypePtr twice = make_struct(ones, std::vector<std::int64_t>{0, 8 * many}, std::vector{mixed, of}, false);
  CHECK(twice->size() == 5 * many + 4);
  CHECK(twice->signature().all().basics == 2 * many + 1);
  CHECK(basic_types_in(*twice, 5 * many) == 2 * many);
  CHECK(basic_types_in(*twice, 5 * (many / 2) + 4) == many + 1);
  CHECK(basic_types_in(*twice, 5 * many + 1) == std::nullopt);
  SignatureLabels labels;
  const TypePtr again = make_struct(ones, std::vector<std::int64_t>{0, 8 * many}, std::vector{mixed, of}, false);
  CHECK(labels.label(*twice, 2) == labels.label(*again, 2));
  CHECK(labels.text(labels.label(*twice, 2)) == "2 x (MPI_INT, MPI_CHAR, MPI_INT, MPI_CHAR, …)");
  const TypePtr turned_parts[] = {parts[1], of};
  const TypePtr turned = make_struct(ones, at, turned_parts, false);
  CHECK(labels.label(*turned, 1) != labels.label(*make_struct(ones, at, parts, false), 1));
  // Columns of a matrix that is sent by rows: blocks interleave, and none lies on another.
  const std::int64_t side = std::int64_t{1} << 28;
  const TypePtr rows =
      make_contiguous(side, make_resized(0, 8, make_vector(side, 1, side, predefined_type(kDouble), true), false), true);
  CHECK(rows->layout()->pieces == side * side);
  CHECK_FALSE(overlaps_itself(*rows, 1));
  std::vector<int> memory(16);
  std::iota(memory.begin(), memory.end(), 0);
  std::vector<int> got(4);
  pack(*column, 1, reinterpret_cast<const std::byte*>(memory.data()), 16, reinterpret_cast<std::byte*>(got.data()));
  CHECK(got == std::vector{0, 2, 4, 6});
}

TEST_CASE("a type whose sizes or places 64 bits do not hold is refused") {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const TypePtr byte = predefined_type(kChar);
  const TypePtr eight = predefined_type(kDouble);
  const TypePtr large = make_contiguous(most / 8, eight, true);
  CHECK(large->size() == most / 8 * 8);
  CHECK(make_contiguous(most, byte, true)->extent() == most);
  const std::int64_t one[] = {1};
  const std::int64_t last[] = {most - 7};
  CHECK_THROWS_AS(make_contiguous(most / 8 + 1, eight, true), TooLarge);
  CHECK_THROWS_AS(make_contiguous(2, large, true), TooLarge);
  CHECK_THROWS_AS(make_vector(2, 1, 2, large, true), TooLarge);
  CHECK_THROWS_AS(make_hvector(2, 1, most - 6, eight, true), TooLarge);
  CHECK_THROWS_AS(make_hvector(3, 1, -most, byte, true), TooLarge);
  CHECK_THROWS_AS(make_hvector(most, 2, 0, byte, true), TooLarge);
  CHECK_THROWS_AS(make_hindexed(one, last, eight, true), TooLarge);
  CHECK_THROWS_AS(make_struct(one, last, std::span(&eight, 1), true), TooLarge);
  CHECK_THROWS_AS(make_resized(most, 1, byte, true), TooLarge);
  CHECK_THROWS_AS(make_contiguous(2, make_resized(0, -most, byte, true), true), TooLarge);
  const std::int64_t sizes[] = {std::int64_t{1} << 30, std::int64_t{1} << 30};
  const std::int64_t first[] = {0, 0};
  const std::int64_t part[] = {1, 1};
  CHECK(make_subarray(sizes, part, first, MPI_ORDER_C, predefined_type(kInt), true)->extent() == std::int64_t{1} << 62);
  CHECK_THROWS_AS(make_subarray(sizes, part, first, MPI_ORDER_C, eight, true), TooLarge);
  CHECK_THROWS_AS(span_of(*large, 2), TooLarge);
  CHECK_THROWS_AS(span_of(*make_hvector(1 << 30, 1, 0, eight, true), std::int64_t{1} << 31), TooLarge);

  // More elements of one basic type than a label has bits for.
  SignatureLabels labels;
  const std::int64_t many = (std::int64_t{1} << 50) + 3;
  CHECK(labels.text(labels.label(*byte, many)) == "1125899906842627 x MPI_CHAR");
  CHECK(labels.may_receive(labels.label(*byte, 3), labels.label(*byte, many)));
  CHECK_FALSE(labels.may_receive(labels.label(*byte, many), labels.label(*byte, many - 1)));
}

}  // namespace
}  // namespace heddle::mpi

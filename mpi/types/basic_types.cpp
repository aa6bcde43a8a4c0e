// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/basic_types.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "mpi/image/table.hpp"

namespace heddle::mpi {

namespace {

/// Kind, size and alignment of a C type.
template <class T>
constexpr BasicFacts fact(BasicId id, std::string_view name, BasicKind kind) {
  return {id, name, kind, sizeof(T), alignof(T)};
}

constexpr BasicFacts pair(BasicId id, std::string_view name, BasicId first, BasicId second, std::int64_t size,
                          std::int64_t alignment) {
  return {id, name, BasicKind::pair, size, alignment, first, second};
}

constexpr BasicKind kSigned = BasicKind::signed_integer;
constexpr BasicKind kUnsigned = BasicKind::unsigned_integer;
constexpr BasicKind kFloating = BasicKind::floating;
constexpr BasicKind kComplex = BasicKind::complex;
constexpr BasicKind kLogical = BasicKind::logical;

/// Numbers of handles: MPI 5.0, appendix A. MPI_2REAL and the like are pairs of equal parts, MPI_FLOAT_INT and the like C structs.
constexpr BasicFacts kBasicTypes[] = {
    fact<MPI_Aint>(0x201, "MPI_AINT", kSigned),
    fact<MPI_Count>(0x202, "MPI_COUNT", kSigned),
    fact<MPI_Offset>(0x203, "MPI_OFFSET", kSigned),
    {kLowerBound, "MPI_LB", BasicKind::bound, 0, 1},
    {kUpperBound, "MPI_UB", BasicKind::bound, 0, 1},
    fact<char>(0x207, "MPI_PACKED", BasicKind::byte),
    fact<short>(0x208, "MPI_SHORT", kSigned),
    fact<int>(0x209, "MPI_INT", kSigned),
    fact<long>(0x20a, "MPI_LONG", kSigned),
    fact<long long>(0x20b, "MPI_LONG_LONG_INT", kSigned),
    fact<unsigned short>(0x20c, "MPI_UNSIGNED_SHORT", kUnsigned),
    fact<unsigned>(0x20d, "MPI_UNSIGNED", kUnsigned),
    fact<unsigned long>(0x20e, "MPI_UNSIGNED_LONG", kUnsigned),
    fact<unsigned long long>(0x20f, "MPI_UNSIGNED_LONG_LONG", kUnsigned),
    fact<float>(0x210, "MPI_FLOAT", kFloating),
    {0x212, "MPI_C_COMPLEX", kComplex, 8, 4},
    {0x213, "MPI_CXX_FLOAT_COMPLEX", kComplex, 8, 4},
    fact<double>(0x214, "MPI_DOUBLE", kFloating),
    {0x216, "MPI_C_DOUBLE_COMPLEX", kComplex, 16, 8},
    {0x217, "MPI_CXX_DOUBLE_COMPLEX", kComplex, 16, 8},
    fact<int>(0x218, "MPI_LOGICAL", kLogical),
    fact<int>(0x219, "MPI_INTEGER", kSigned),
    fact<float>(0x21a, "MPI_REAL", kFloating),
    {0x21b, "MPI_COMPLEX", kComplex, 8, 4},
    fact<double>(0x21c, "MPI_DOUBLE_PRECISION", kFloating),
    {0x21d, "MPI_DOUBLE_COMPLEX", kComplex, 16, 8},
    fact<char>(0x21e, "MPI_CHARACTER", BasicKind::character),
    fact<long double>(0x220, "MPI_LONG_DOUBLE", kFloating),
    {0x224, "MPI_C_LONG_DOUBLE_COMPLEX", kComplex, 2 * sizeof(long double), alignof(long double)},
    {0x225, "MPI_CXX_LONG_DOUBLE_COMPLEX", kComplex, 2 * sizeof(long double), alignof(long double)},
    pair(0x228, "MPI_FLOAT_INT", 0x210, 0x209, 8, 4),
    pair(0x229, "MPI_DOUBLE_INT", 0x214, 0x209, 12, 8),
    pair(0x22a, "MPI_LONG_INT", 0x20a, 0x209, sizeof(long) + 4, alignof(long)),
    pair(0x22b, "MPI_2INT", 0x209, 0x209, 8, 4),
    pair(0x22c, "MPI_SHORT_INT", 0x208, 0x209, 6, 4),
    pair(0x22d, "MPI_LONG_DOUBLE_INT", 0x220, 0x209, sizeof(long double) + 4, alignof(long double)),
    pair(0x230, "MPI_2REAL", 0x21a, 0x21a, 8, 4),
    pair(0x231, "MPI_2DOUBLE_PRECISION", 0x21c, 0x21c, 16, 8),
    pair(0x232, "MPI_2INTEGER", 0x219, 0x219, 8, 4),
    fact<bool>(0x238, "MPI_C_BOOL", kLogical),
    fact<bool>(0x239, "MPI_CXX_BOOL", kLogical),
    fact<wchar_t>(0x23c, "MPI_WCHAR", BasicKind::character),
    fact<std::int8_t>(0x240, "MPI_INT8_T", kSigned),
    fact<std::uint8_t>(0x241, "MPI_UINT8_T", kUnsigned),
    fact<char>(0x243, "MPI_CHAR", BasicKind::character),
    fact<signed char>(0x244, "MPI_SIGNED_CHAR", kSigned),
    fact<unsigned char>(0x245, "MPI_UNSIGNED_CHAR", kUnsigned),
    fact<std::uint8_t>(0x247, "MPI_BYTE", BasicKind::byte),
    fact<std::int16_t>(0x248, "MPI_INT16_T", kSigned),
    fact<std::uint16_t>(0x249, "MPI_UINT16_T", kUnsigned),
    fact<std::int32_t>(0x250, "MPI_INT32_T", kSigned),
    fact<std::uint32_t>(0x251, "MPI_UINT32_T", kUnsigned),
    fact<std::int64_t>(0x258, "MPI_INT64_T", kSigned),
    fact<std::uint64_t>(0x259, "MPI_UINT64_T", kUnsigned),
    fact<std::int8_t>(0x2c0, "MPI_LOGICAL1", kLogical),
    fact<std::int8_t>(0x2c1, "MPI_INTEGER1", kSigned),
    fact<std::int16_t>(0x2c8, "MPI_LOGICAL2", kLogical),
    fact<std::int16_t>(0x2c9, "MPI_INTEGER2", kSigned),
    {0x2ca, "MPI_REAL2", kFloating, 2, 2},
    fact<std::int32_t>(0x2d0, "MPI_LOGICAL4", kLogical),
    fact<std::int32_t>(0x2d1, "MPI_INTEGER4", kSigned),
    fact<float>(0x2d2, "MPI_REAL4", kFloating),
    {0x2d3, "MPI_COMPLEX4", kComplex, 4, 2},
    fact<std::int64_t>(0x2d8, "MPI_LOGICAL8", kLogical),
    fact<std::int64_t>(0x2d9, "MPI_INTEGER8", kSigned),
    fact<double>(0x2da, "MPI_REAL8", kFloating),
    {0x2db, "MPI_COMPLEX8", kComplex, 8, 4},
    {0x2e0, "MPI_LOGICAL16", kLogical, 16, 16},
    {0x2e1, "MPI_INTEGER16", kSigned, 16, 16},
    {0x2e2, "MPI_REAL16", BasicKind::quadruple, 16, 16},
    {0x2e3, "MPI_COMPLEX16", kComplex, 16, 8},
    {0x2eb, "MPI_COMPLEX32", BasicKind::quadruple, 32, 16},
};

}  // namespace

std::span<const BasicFacts> basic_types() { return kBasicTypes; }

const BasicFacts* find_basic(BasicId id) {
  // Each message asks. The numbers of types are those from 0x200 on.
  static constexpr BasicId kFirst = 0x200;
  static constexpr std::uint8_t kNone = 0xff;
  static constexpr auto kPlaces = [] {
    std::array<std::uint8_t, 0x100> places{};
    places.fill(kNone);
    for (std::size_t i = 0; i < std::size(kBasicTypes); ++i) places[kBasicTypes[i].id - kFirst] = static_cast<std::uint8_t>(i);
    return places;
  }();
  if (id < kFirst || id - kFirst >= static_cast<int>(kPlaces.size())) return nullptr;
  const std::uint8_t place = kPlaces[id - kFirst];
  return place == kNone ? nullptr : &kBasicTypes[place];
}

std::optional<Datatype> heddle_datatype(BasicId id) {
  const BasicFacts* const facts = find_basic(id);
  if (facts == nullptr || (facts->size != 4 && facts->size != 8)) return std::nullopt;
  const bool wide = facts->size == 8;
  switch (facts->kind) {
    case BasicKind::signed_integer:
      return wide ? Datatype::i64() : Datatype::i32();
    case BasicKind::unsigned_integer:
      return wide ? Datatype::u64() : Datatype::u32();
    case BasicKind::floating:
      return wide ? Datatype::f64() : Datatype::f32();
    default:
      return std::nullopt;
  }
}

// ---- sequences of basic types ----

SequenceDigest SequenceDigest::followed_by(const SequenceDigest& next) const {
  __extension__ using Wide = unsigned __int128;
  constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
  const auto times = [](std::uint64_t a, std::uint64_t b) {
    const Wide product = Wide{a} * b;
    const std::uint64_t rest = (static_cast<std::uint64_t>(product) & kPrime) + static_cast<std::uint64_t>(product >> 61);
    return rest < kPrime ? rest : rest - kPrime;
  };
  return {(times(sum, next.power) + next.sum) % kPrime, times(power, next.power)};
}

SequenceDigest SequenceDigest::repeated(std::int64_t times) const {
  SequenceDigest all;
  for (SequenceDigest some = *this; times > 0; times /= 2, some = some.followed_by(some)) {
    if (times % 2 == 1) all = some.followed_by(all);
  }
  return all;
}

void Signature::add(const BasicRun& run) {
  constexpr std::uint64_t kBase = 0x1A2B3C4D5E6F7081;
  const BasicExtent each = run.of ? run.of->all() : BasicExtent{1, find_basic(run.basic)->size};
  const SequenceDigest inner =
      run.of ? run.of->digest.repeated(run.of->times) : SequenceDigest{std::uint64_t{run.basic} + 1, kBase};
  once = {once.basics + run.count * each.basics, once.bytes + run.count * each.bytes};
  digest = digest.followed_by(inner.repeated(run.count));
  if (!runs.empty() && runs.back().basic == run.basic && runs.back().of == run.of)
    runs.back().count += run.count;
  else
    runs.push_back(run);
}

BasicExtent beginning_of(const Signature& signature, const BasicExtent& limit) {
  BasicExtent taken;
  if (signature.runs.empty()) return taken;
  const auto take = [&](std::int64_t times, const BasicExtent& each) {
    const std::int64_t most =
        std::min({times, (limit.basics - taken.basics) / each.basics, (limit.bytes - taken.bytes) / each.bytes});
    taken = {taken.basics + most * each.basics, taken.bytes + most * each.bytes};
    return most == times;
  };
  if (take(signature.times, signature.once)) return taken;
  for (const BasicRun& run : signature.runs) {
    if (take(run.count, run.of ? run.of->all() : BasicExtent{1, find_basic(run.basic)->size})) continue;
    if (!run.of) break;
    const BasicExtent rest = beginning_of(*run.of, {limit.basics - taken.basics, limit.bytes - taken.bytes});
    taken = {taken.basics + rest.basics, taken.bytes + rest.bytes};
    break;
  }
  return taken;
}

}  // namespace heddle::mpi

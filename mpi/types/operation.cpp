// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/operation.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::mpi {

namespace {

struct OperationFacts {
  OpId id;
  std::string_view name;
};

constexpr OperationFacts kOperations[] = {
    {0x21, "MPI_SUM"},  {0x22, "MPI_MIN"},  {0x23, "MPI_MAX"}, {0x24, "MPI_PROD"}, {0x28, "MPI_BAND"},   {0x29, "MPI_BOR"},
    {0x2a, "MPI_BXOR"}, {0x30, "MPI_LAND"}, {0x31, "MPI_LOR"}, {0x32, "MPI_LXOR"}, {0x38, "MPI_MINLOC"}, {0x39, "MPI_MAXLOC"},
};

// ---- combining two elements ----

/// Whole numbers wrap around, as on every machine that MPI runs on.
template <class T, class F>
T wrapping(T a, T b, F f) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    // Short ones would be multiplied as int, which overflows.
    using Wide = std::conditional_t<(sizeof(U) < sizeof(unsigned)), unsigned, U>;
    return static_cast<T>(static_cast<U>(f(static_cast<Wide>(static_cast<U>(a)), static_cast<Wide>(static_cast<U>(b)))));
  } else {
    return f(a, b);
  }
}

template <class T>
struct Pair {
  T value;
  int index;
};
/// Fortran's: both parts of one type.
template <class T>
struct EqualPair {
  T value;
  T index;
};

/// result = a ∘ b, element by element; no function where the operation is not defined on T.
template <class T, class Combine>
ReduceOp::Function elementwise(Combine combine) {
  return [combine](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype) {
    for (std::size_t i = 0; i < count; ++i) {
      // Buffers of programs may lie anywhere.
      T left;
      T right;
      std::memcpy(&left, a + i * sizeof(T), sizeof(T));
      std::memcpy(&right, b + i * sizeof(T), sizeof(T));
      const T both = combine(left, right);
      std::memcpy(result + i * sizeof(T), &both, sizeof(T));
    }
  };
}

template <class T>
ReduceOp::Function arithmetic(OpId op) {
  switch (op) {
    case 0x21:
      return elementwise<T>([](T a, T b) { return wrapping(a, b, [](auto x, auto y) { return x + y; }); });
    case 0x24:
      return elementwise<T>([](T a, T b) { return wrapping(a, b, [](auto x, auto y) { return x * y; }); });
    default:
      return {};
  }
}

template <class T>
ReduceOp::Function ordered(OpId op) {
  switch (op) {
    case 0x22:
      return elementwise<T>([](T a, T b) { return b < a ? b : a; });
    case 0x23:
      return elementwise<T>([](T a, T b) { return a < b ? b : a; });
    default:
      return arithmetic<T>(op);
  }
}

template <class T>
ReduceOp::Function bitwise(OpId op) {
  switch (op) {
    case 0x28:
      return elementwise<T>([](T a, T b) { return static_cast<T>(a & b); });
    case 0x29:
      return elementwise<T>([](T a, T b) { return static_cast<T>(a | b); });
    case 0x2a:
      return elementwise<T>([](T a, T b) { return static_cast<T>(a ^ b); });
    default:
      return {};
  }
}

template <class T>
ReduceOp::Function logical(OpId op) {
  switch (op) {
    case 0x30:
      return elementwise<T>([](T a, T b) { return static_cast<T>(a != 0 && b != 0); });
    case 0x31:
      return elementwise<T>([](T a, T b) { return static_cast<T>(a != 0 || b != 0); });
    case 0x32:
      return elementwise<T>([](T a, T b) { return static_cast<T>((a != 0) != (b != 0)); });
    default:
      return {};
  }
}

template <class T>
ReduceOp::Function integral(OpId op) {
  if (ReduceOp::Function found = ordered<T>(op)) return found;
  if (ReduceOp::Function found = bitwise<T>(op)) return found;
  return logical<T>(op);
}

/// Of the two, the one whose value is the better; of equal ones the lesser index. Holes are not written: they are nobody's.
template <class P>
ReduceOp::Function located(OpId op) {
  if (op != 0x38 && op != 0x39) return {};
  return [is_least = op == 0x38](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype) {
    for (std::size_t i = 0; i < count; ++i) {
      P left;
      P right;
      std::memcpy(&left, a + i * sizeof(P), sizeof(P));
      std::memcpy(&right, b + i * sizeof(P), sizeof(P));
      if (left.value == right.value)
        left.index = std::min(left.index, right.index);
      else if (is_least ? right.value < left.value : left.value < right.value)
        left = right;
      std::memcpy(result + i * sizeof(P) + offsetof(P, value), &left.value, sizeof left.value);
      std::memcpy(result + i * sizeof(P) + offsetof(P, index), &left.index, sizeof left.index);
    }
  };
}

/// What make.template operator()<T>() returns for the type of this size.
template <class First, class... Rest, class Make>
ReduceOp::Function of_size(std::int64_t size, const Make& make) {
  if (size == static_cast<std::int64_t>(sizeof(First))) return make.template operator()<First>();
  if constexpr (sizeof...(Rest) > 0)
    return of_size<Rest...>(size, make);
  else
    return {};
}

ReduceOp::Function on_pairs(OpId op, BasicId type) {
  switch (type) {
    case 0x228:
      return located<Pair<float>>(op);
    case 0x229:
      return located<Pair<double>>(op);
    case 0x22a:
      return located<Pair<long>>(op);
    case 0x22b:
      return located<Pair<int>>(op);
    case 0x22c:
      return located<Pair<short>>(op);
    case 0x22d:
      return located<Pair<long double>>(op);
    case 0x230:
      return located<EqualPair<float>>(op);
    case 0x231:
      return located<EqualPair<double>>(op);
    case 0x232:
      return located<EqualPair<int>>(op);
    default:
      return {};
  }
}

constexpr bool is_logical(OpId op) { return op == 0x30 || op == 0x31 || op == 0x32; }

template <class T>
ReduceOp::Function floating(OpId op) {
  return is_logical(op) ? logical<T>(op) : ordered<T>(op);
}

/// MPI 5.0, §6.9.2: which operation is defined on which kind of type; and what is_standard() denies.
ReduceOp::Function combine(OpId op, const BasicFacts& type) {
  const bool is_signed = type.kind == BasicKind::signed_integer;
  switch (type.kind) {
    case BasicKind::signed_integer:
    case BasicKind::unsigned_integer:
      return is_signed ? of_size<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(
                             type.size, [op]<class T>() { return integral<T>(op); })
                       : of_size<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(
                             type.size, [op]<class T>() { return integral<T>(op); });
    case BasicKind::floating:
      return of_size<float, double, long double>(type.size, [op]<class T>() { return floating<T>(op); });
    case BasicKind::complex:
      return of_size<std::complex<float>, std::complex<double>, std::complex<long double>>(
          type.size, [op]<class T>() { return arithmetic<T>(op); });
    case BasicKind::logical:
      return of_size<std::uint8_t, std::int16_t, std::int32_t, std::int64_t>(type.size,
                                                                             [op]<class T>() { return logical<T>(op); });
    case BasicKind::byte:
      return bitwise<std::uint8_t>(op);
    case BasicKind::pair:
      return on_pairs(op, type.id);
    case BasicKind::character:
      return of_size<std::int8_t>(type.size, [op]<class T>() { return integral<T>(op); });
    case BasicKind::quadruple:
    case BasicKind::bound:
      return {};
  }
  return {};
}

/// heddle's own operation: it knows what those of the same name have in common.
const ReduceOp* heddle_operation(OpId op) {
  switch (op) {
    case 0x21:
      return &ReduceOp::sum();
    case 0x22:
      return &ReduceOp::min();
    case 0x23:
      return &ReduceOp::max();
    case 0x24:
      return &ReduceOp::prod();
    case 0x28:
      return &ReduceOp::bit_and();
    case 0x29:
      return &ReduceOp::bit_or();
    case 0x2a:
      return &ReduceOp::bit_xor();
    default:
      return nullptr;
  }
}

bool is_idempotent(OpId op) {
  constexpr std::array<OpId, 8> kOnes = {0x22, 0x23, 0x28, 0x29, 0x30, 0x31, 0x38, 0x39};
  return std::ranges::find(kOnes, op) != kOnes.end();
}

/// An element as heddle moves it, or no value where there is none that it could hold.
std::optional<Datatype> held_element(const Type& type) {
  const bool is_inside = type.true_lower_bound() >= type.lower_bound() &&
                         type.true_lower_bound() + type.true_extent() <= type.lower_bound() + type.extent();
  if (!is_inside || type.extent() <= 0 || type.extent() > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return Datatype::user(static_cast<std::uint32_t>(type.extent()));
}

/// inout = in ∘ inout, for any count.
void call(const UserFunction& user, const std::byte* in, std::byte* inout, std::int64_t count, std::int64_t extent,
          MPI_Datatype handle) {
  if (user.large != nullptr) {
    MPI_Count length = count;
    return user.large(const_cast<std::byte*>(in), inout, &length, &handle);
  }
  while (count > 0) {
    int length = static_cast<int>(std::min<std::int64_t>(count, std::numeric_limits<int>::max()));
    const std::int64_t done = length;
    user.function(const_cast<std::byte*>(in), inout, &length, &handle);
    in += done * extent;
    inout += done * extent;
    count -= done;
  }
}

}  // namespace

std::string_view operation_name(OpId op) {
  const auto place = std::ranges::find(kOperations, op, &OperationFacts::id);
  return place == std::end(kOperations) ? std::string_view() : place->name;
}

bool is_standard(OpId op, const Type& type) {
  const BasicKind kind = find_basic(*type.basic())->kind;
  return kind != BasicKind::character && !(kind == BasicKind::floating && is_logical(op));
}

std::optional<Reducer> predefined_reducer(OpId op, const Type& type) {
  if (!type.basic()) return std::nullopt;
  const BasicFacts& facts = *find_basic(*type.basic());
  ReduceOp::Function function = combine(op, facts);
  if (!function) return std::nullopt;
  if (const std::optional<Datatype> own = heddle_datatype(facts.id); own && heddle_operation(op))
    return Reducer{*heddle_operation(op), *own};
  return Reducer{
      ReduceOp(std::string(operation_name(op)), std::move(function), {.commutative = true, .idempotent = is_idempotent(op)}),
      Datatype::user(static_cast<std::uint32_t>(type.extent()))};
}

Reducer spaced_reducer(const ReduceOp& op, Datatype element, const Type& type) {
  const auto extent = static_cast<std::size_t>(type.extent());
  const auto begin = static_cast<std::size_t>(type.true_lower_bound() - type.lower_bound());
  ReduceOp::Function combine = [op, element, extent, begin](const std::byte* a, const std::byte* b, std::byte* result,
                                                            std::size_t count, Datatype) {
    Buffer both(element, 1);
    for (std::size_t at = begin; at < begin + count * extent; at += extent) {
      std::memcpy(both.view().data(), a + at, element.size());
      op.apply(both.view(), {b + at, 1, element});
      std::memcpy(result + at, both.view().data(), element.size());
    }
  };
  return {ReduceOp(op.name(), std::move(combine), {.commutative = op.commutative(), .idempotent = op.idempotent()}),
          Datatype::user(static_cast<std::uint32_t>(extent))};
}

std::optional<Reducer> user_reducer(const UserFunction& function, const Type& type, MPI_Datatype handle,
                                    const std::string& name) {
  const std::optional<Datatype> element = held_element(type);
  if (!element) return std::nullopt;
  const std::int64_t lower = type.lower_bound();
  const std::int64_t extent = type.extent();
  ReduceOp::Function combine = [function, lower, extent, handle](const std::byte* a, const std::byte* b, std::byte* result,
                                                                 std::size_t count, Datatype) {
    const std::size_t bytes = count * static_cast<std::size_t>(extent);
    const auto apply = [&](const std::byte* in, std::byte* inout) {
      // What it combines may be another rank's memory, or be sent elsewhere too.
      const std::span<const std::byte> given(in + lower, bytes);
      std::vector<std::byte> own(given.begin(), given.end());
      const auto now = [&] { call(function, own.data() - lower, inout, static_cast<std::int64_t>(count), extent, handle); };
      if (function.call_as)
        function.call_as(now);
      else
        now();
      if (function.wrote_input && !std::ranges::equal(own, given)) function.wrote_input();
    };
    if (result != a) {
      if (result != b) std::memcpy(result, b, bytes);
      return apply(a - lower, result - lower);
    }
    const auto both = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::memcpy(both.get(), b, bytes);
    apply(a - lower, both.get() - lower);
    std::memcpy(result, both.get(), bytes);
  };
  return Reducer{ReduceOp(name, std::move(combine), {.commutative = function.commutes}), *element};
}

}  // namespace heddle::mpi

// SPDX-License-Identifier: Apache-2.0
// Datatypes (MPI 5.0, chapter 5): how they are made, asked and freed; packing.
#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "mpi/calls/calls.hpp"
#include "mpi/calls/requests.hpp"
#include "mpi/types/packing.hpp"

namespace heddle::mpi {

namespace {

template <class T>
std::vector<std::int64_t> wide(Process& process, const T* list, std::int64_t count, const char* what) {
  if (count == 0) return {};
  process.require(list, what);
  return {list, list + count};
}

template <class... Counts>
void check_counts(Process& process, Counts... counts) {
  for (const std::int64_t count : {static_cast<std::int64_t>(counts)...}) {
    if (count < 0) process.refuse(MPI_ERR_COUNT, fmt::format("a count is {}", count));
  }
}
void check_counts(Process& process, const std::vector<std::int64_t>& counts) {
  for (const std::int64_t count : counts) check_counts(process, count);
}

/// Gives a new type to the program.
template <class Make>
int make_type(const char* function, const void* place, MPI_Datatype* to, const Make& make) {
  return serve(function, place, MPI_COMM_NULL, [&](Process& process) {
    process.require(to, "new type");
    *to = process.datatypes.add(std::make_unique<DatatypeObject>(DatatypeObject{.type = make(process)}));
  });
}

// ---- constructors. A large-count form takes MPI_Count for counts and for displacements ----

template <class Count>
constexpr bool kIsLarge = sizeof(Count) > sizeof(int);

template <class Count>
int contiguous(const void* place, Count count, MPI_Datatype of, MPI_Datatype* to) {
  return make_type("MPI_Type_contiguous", place, to, [&](Process& process) {
    check_counts(process, count);
    return make_contiguous(count, process.find(of).type, kIsLarge<Count>);
  });
}

template <class Count>
int vector(const void* place, Count count, Count block, Count stride, MPI_Datatype of, MPI_Datatype* to) {
  return make_type("MPI_Type_vector", place, to, [&](Process& process) {
    check_counts(process, count, block);
    return make_vector(count, block, stride, process.find(of).type, kIsLarge<Count>);
  });
}

template <class Count, class Displacement>
int hvector(const void* place, Count count, Count block, Displacement stride, MPI_Datatype of, MPI_Datatype* to) {
  return make_type("MPI_Type_create_hvector", place, to, [&](Process& process) {
    check_counts(process, count, block);
    return make_hvector(count, block, stride, process.find(of).type, kIsLarge<Count>);
  });
}

template <class Count>
int indexed(const void* place, Count count, const Count* blocks, const Count* displacements, MPI_Datatype of,
            MPI_Datatype* to) {
  return make_type("MPI_Type_indexed", place, to, [&](Process& process) {
    check_counts(process, count);
    const std::vector<std::int64_t> lengths = wide(process, blocks, count, "list of block lengths");
    check_counts(process, lengths);
    return make_indexed(lengths, wide(process, displacements, count, "list of displacements"), process.find(of).type,
                        kIsLarge<Count>);
  });
}

template <class Count, class Displacement>
int hindexed(const void* place, Count count, const Count* blocks, const Displacement* displacements, MPI_Datatype of,
             MPI_Datatype* to) {
  return make_type("MPI_Type_create_hindexed", place, to, [&](Process& process) {
    check_counts(process, count);
    const std::vector<std::int64_t> lengths = wide(process, blocks, count, "list of block lengths");
    check_counts(process, lengths);
    return make_hindexed(lengths, wide(process, displacements, count, "list of displacements"), process.find(of).type,
                         kIsLarge<Count>);
  });
}

template <class Count>
int indexed_block(const void* place, Count count, Count block, const Count* displacements, MPI_Datatype of, MPI_Datatype* to) {
  return make_type("MPI_Type_create_indexed_block", place, to, [&](Process& process) {
    check_counts(process, count, block);
    return make_indexed_block(block, wide(process, displacements, count, "list of displacements"), process.find(of).type,
                              kIsLarge<Count>);
  });
}

template <class Count, class Displacement>
int hindexed_block(const void* place, Count count, Count block, const Displacement* displacements, MPI_Datatype of,
                   MPI_Datatype* to) {
  return make_type("MPI_Type_create_hindexed_block", place, to, [&](Process& process) {
    check_counts(process, count, block);
    return make_hindexed_block(block, wide(process, displacements, count, "list of displacements"), process.find(of).type,
                               kIsLarge<Count>);
  });
}

template <class Count, class Displacement>
int structure(const void* place, Count count, const Count* blocks, const Displacement* displacements, const MPI_Datatype* of,
              MPI_Datatype* to) {
  return make_type("MPI_Type_create_struct", place, to, [&](Process& process) {
    check_counts(process, count);
    const std::vector<std::int64_t> lengths = wide(process, blocks, count, "list of block lengths");
    check_counts(process, lengths);
    std::vector<TypePtr> types;
    process.require_list(of, count, "list of types");
    for (Count i = 0; i < count; ++i) types.push_back(process.find(of[i]).type);
    return make_struct(lengths, wide(process, displacements, count, "list of displacements"), types, kIsLarge<Count>);
  });
}

template <class Displacement>
int resized(const void* place, MPI_Datatype of, Displacement lower, Displacement extent, MPI_Datatype* to) {
  return make_type("MPI_Type_create_resized", place, to,
                   [&](Process& process) { return make_resized(lower, extent, process.find(of).type, false); });
}

int duplicate(const void* place, MPI_Datatype of, MPI_Datatype* to) {
  return serve("MPI_Type_dup", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(to, "new type");
    const DatatypeObject& original = process.find(of);
    auto copy = std::make_unique<DatatypeObject>(
        DatatypeObject{.type = make_duplicate(original.type), .is_committed = original.is_committed});
    // Where the functions of its attributes fail, there is no copy.
    *to = MPI_DATATYPE_NULL;
    process.copy_attributes(of, original.attributes, copy->attributes);
    *to = process.datatypes.add(std::move(copy));
  });
}

void check_order(Process& process, int order) {
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
    process.refuse(MPI_ERR_ARG, fmt::format("the order is {}; it is MPI_ORDER_C or MPI_ORDER_FORTRAN", order));
}

template <class Count>
int subarray(const void* place, int dims, const Count* sizes, const Count* subsizes, const Count* starts, int order,
             MPI_Datatype of, MPI_Datatype* to) {
  return make_type("MPI_Type_create_subarray", place, to, [&](Process& process) {
    if (dims < 1) process.refuse(MPI_ERR_ARG, fmt::format("the array has {} dimensions", dims));
    check_order(process, order);
    const std::vector<std::int64_t> whole = wide(process, sizes, dims, "list of sizes");
    const std::vector<std::int64_t> part = wide(process, subsizes, dims, "list of sizes of the part");
    const std::vector<std::int64_t> first = wide(process, starts, dims, "list of starts");
    for (int i = 0; i < dims; ++i) {
      if (subsizes[i] < 1 || starts[i] < 0 || starts[i] > sizes[i] - subsizes[i])
        process.refuse(MPI_ERR_ARG, fmt::format("dimension {}: {} elements from {} on are no part of {}", i, subsizes[i],
                                                starts[i], sizes[i]));
    }
    return make_subarray(whole, part, first, order, process.find(of).type, kIsLarge<Count>);
  });
}

template <class Count>
int darray(const void* place, int size, int rank, int dims, const Count* sizes, const int* distributions, const int* arguments,
           const int* grid, int order, MPI_Datatype of, MPI_Datatype* to) {
  return make_type("MPI_Type_create_darray", place, to, [&](Process& process) {
    if (dims < 1) process.refuse(MPI_ERR_ARG, fmt::format("the array has {} dimensions", dims));
    check_order(process, order);
    const std::size_t n = static_cast<std::size_t>(dims);
    const std::vector<std::int64_t> extents = wide(process, sizes, dims, "list of sizes");
    process.require(distributions, "list of distributions");
    process.require(arguments, "list of their arguments");
    process.require(grid, "grid of processes");
    std::int64_t product = 1;
    for (std::size_t i = 0; i < n; ++i) {
      product = times(product, grid[i]);
      if (grid[i] < 1) process.refuse(MPI_ERR_ARG, fmt::format("dimension {}: {} processes", i, grid[i]));
      if (distributions[i] == MPI_DISTRIBUTE_NONE && grid[i] != 1)
        process.refuse(MPI_ERR_ARG, fmt::format("dimension {} is not dealt out, and has {} processes", i, grid[i]));
      if (arguments[i] != MPI_DISTRIBUTE_DFLT_DARG && arguments[i] < 1)
        process.refuse(MPI_ERR_ARG, fmt::format("dimension {}: blocks of {}", i, arguments[i]));
      if (distributions[i] == MPI_DISTRIBUTE_BLOCK && arguments[i] != MPI_DISTRIBUTE_DFLT_DARG &&
          static_cast<std::int64_t>(arguments[i]) * grid[i] < sizes[i])
        process.refuse(MPI_ERR_ARG,
                       fmt::format("dimension {}: {} blocks of {} do not hold {}", i, grid[i], arguments[i], sizes[i]));
    }
    if (product != size || rank < 0 || rank >= size)
      process.refuse(MPI_ERR_ARG, fmt::format("rank {} of {} processes, on a grid of {}", rank, size, product));
    return make_darray({size, rank, extents, {distributions, n}, {arguments, n}, {grid, n}, order}, process.find(of).type,
                       kIsLarge<Count>);
  });
}

// ---- what is known of a type ----

int commit(const void* place, MPI_Datatype* type) {
  return serve("MPI_Type_commit", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(type, "type");
    process.find(*type).is_committed = true;
  });
}

int free_type(const void* place, MPI_Datatype* type) {
  return serve("MPI_Type_free", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(type, "type");
    DatatypeObject& object = process.find(*type);
    if (object.type->basic()) process.refuse(MPI_ERR_TYPE, fmt::format("{} is MPI's own, and stays", to_string(*object.type)));
    process.delete_attributes(*type, object.attributes);
    process.datatypes.take(std::exchange(*type, MPI_DATATYPE_NULL));
  });
}

/// What an int cannot hold is MPI_UNDEFINED.
template <class Number>
Number narrow(std::int64_t value) {
  return value > std::numeric_limits<Number>::max() || value < std::numeric_limits<Number>::min()
             ? static_cast<Number>(MPI_UNDEFINED)
             : static_cast<Number>(value);
}

template <class Number>
int type_size(const void* place, MPI_Datatype type, Number* size) {
  return serve("MPI_Type_size", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(size, "size");
    *size = narrow<Number>(process.find(type).type->size());
  });
}

template <class Number>
int get_extent(const void* place, MPI_Datatype type, Number* lower, Number* extent) {
  return serve("MPI_Type_get_extent", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(lower, "lower bound");
    process.require(extent, "extent");
    const Type& of = *process.find(type).type;
    *lower = of.lower_bound();
    *extent = of.extent();
  });
}

int upper_bound(const void* place, MPI_Datatype type, MPI_Aint* upper) {
  return serve("MPI_Type_ub", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(upper, "upper bound");
    const Type& of = *process.find(type).type;
    *upper = of.lower_bound() + of.extent();
  });
}

template <class Number>
int get_true_extent(const void* place, MPI_Datatype type, Number* lower, Number* extent) {
  return serve("MPI_Type_get_true_extent", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(lower, "lower bound");
    process.require(extent, "extent");
    const Type& of = *process.find(type).type;
    *lower = of.true_lower_bound();
    *extent = of.true_extent();
  });
}

int get_envelope(const void* place, MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner) {
  return serve("MPI_Type_get_envelope", place, MPI_COMM_NULL, [&](Process& process) {
    for (const int* const number : {integers, addresses, types, combiner}) process.require(number, "number or the combiner");
    const Contents& made = process.find(type).type->contents();
    const bool is_named = made.combiner == MPI_COMBINER_NAMED;
    *integers = is_named ? 0 : static_cast<int>(made.integers.size());
    *addresses = is_named ? 0 : static_cast<int>(made.addresses.size());
    *types = is_named ? 0 : static_cast<int>(made.types.size());
    *combiner = is_named ? MPI_COMBINER_NAMED : made.combiner;
  });
}

/// All that large-count constructors were given are counts.
int get_envelope_large(const void* place, MPI_Datatype type, MPI_Count* integers, MPI_Count* addresses, MPI_Count* counts,
                       MPI_Count* types, int* combiner) {
  return serve("MPI_Type_get_envelope_c", place, MPI_COMM_NULL, [&](Process& process) {
    for (const MPI_Count* const number : {integers, addresses, counts, types}) process.require(number, "number");
    process.require(combiner, "combiner");
    const Type& of = *process.find(type).type;
    const Contents& made = of.contents();
    const bool is_named = made.combiner == MPI_COMBINER_NAMED;
    const auto numbers = static_cast<MPI_Count>(made.integers.size());
    const auto places = static_cast<MPI_Count>(made.addresses.size());
    *integers = is_named || made.has_large_counts ? 0 : numbers;
    *addresses = is_named || made.has_large_counts ? 0 : places;
    *counts = is_named || !made.has_large_counts ? 0 : numbers + places;
    *types = is_named ? 0 : static_cast<MPI_Count>(made.types.size());
    *combiner = is_named ? MPI_COMBINER_NAMED : made.combiner;
  });
}

/// The one handle of a predefined type that has no name.
MPI_Datatype handle_of_unnamed(Process& process, const TypePtr& type) {
  const Contents& wanted = type->contents();
  const auto known = process.datatypes.find_if([&](const DatatypeObject& object) {
    const Contents& made = object.type->contents();
    return object.type->basic() && made.combiner == wanted.combiner && made.integers == wanted.integers;
  });
  if (known) return *known;
  return process.datatypes.add_own(std::make_unique<DatatypeObject>(DatatypeObject{.type = type, .is_committed = true}));
}

/// The handle of a type inside: MPI's own, or a new one of the program's, to be freed.
MPI_Datatype handle_of(Process& process, const TypePtr& type) {
  if (type->basic() && type->contents().combiner != MPI_COMBINER_NAMED) return handle_of_unnamed(process, type);
  if (type->basic()) return reinterpret_cast<MPI_Datatype>(static_cast<std::uintptr_t>(*type->basic()));
  return process.datatypes.add(std::make_unique<DatatypeObject>(DatatypeObject{.type = type}));
}

void check_contents(Process& process, const Type& of, std::int64_t integers, std::int64_t addresses, std::int64_t types) {
  const Contents& made = of.contents();
  if (made.combiner == MPI_COMBINER_NAMED) process.refuse(MPI_ERR_TYPE, "a predefined type has no contents");
  if (integers < static_cast<std::int64_t>(made.integers.size()) ||
      addresses < static_cast<std::int64_t>(made.addresses.size()) || types < static_cast<std::int64_t>(made.types.size()))
    process.refuse(MPI_ERR_ARG, "less room than MPI_Type_get_envelope asks for");
}

int get_contents(const void* place, MPI_Datatype type, int max_integers, int max_addresses, int max_types, int* integers,
                 MPI_Aint* addresses, MPI_Datatype* types) {
  return serve("MPI_Type_get_contents", place, MPI_COMM_NULL, [&](Process& process) {
    const TypePtr of = process.find(type).type;
    const Contents& made = of->contents();
    check_contents(process, *of, max_integers, max_addresses, max_types);
    for (const std::int64_t value : made.integers) *integers++ = narrow<int>(value);
    for (const std::int64_t value : made.addresses) *addresses++ = value;
    for (const TypePtr& inner : made.types) *types++ = handle_of(process, inner);
  });
}

int get_contents_large(const void* place, MPI_Datatype type, MPI_Count max_integers, MPI_Count max_addresses,
                       MPI_Count max_counts, MPI_Count max_types, int* integers, MPI_Aint* addresses, MPI_Count* counts,
                       MPI_Datatype* types) {
  return serve("MPI_Type_get_contents_c", place, MPI_COMM_NULL, [&](Process& process) {
    const TypePtr of = process.find(type).type;
    const Contents& made = of->contents();
    const MPI_Count room = made.has_large_counts ? max_counts : max_integers;
    check_contents(process, *of, room, made.has_large_counts ? room : max_addresses, max_types);
    for (const std::int64_t value : made.integers)
      made.has_large_counts ? void(*counts++ = value) : void(*integers++ = narrow<int>(value));
    for (const std::int64_t value : made.addresses)
      made.has_large_counts ? void(*counts++ = value) : void(*addresses++ = value);
    for (const TypePtr& inner : made.types) *types++ = handle_of(process, inner);
  });
}

int get_address(const void* place, const void* location, MPI_Aint* address) {
  return serve("MPI_Get_address", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(address, "address");
    *address = reinterpret_cast<MPI_Aint>(location);
  });
}
MPI_Aint aint_add(const void*, MPI_Aint base, MPI_Aint displacement) { return base + displacement; }
MPI_Aint aint_diff(const void*, MPI_Aint a, MPI_Aint b) { return a - b; }

/// The predefined type of a class and size.
int match_size(const void* place, int type_class, int size, MPI_Datatype* type) {
  return serve("MPI_Type_match_size", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(type, "type");
    for (const BasicFacts& facts : basic_types()) {
      const bool fits = type_class == MPI_TYPECLASS_INTEGER   ? facts.kind == BasicKind::signed_integer
                        : type_class == MPI_TYPECLASS_REAL    ? facts.kind == BasicKind::floating
                        : type_class == MPI_TYPECLASS_COMPLEX ? facts.kind == BasicKind::complex
                                                              : false;
      if (!fits || facts.size != size) continue;
      *type = reinterpret_cast<MPI_Datatype>(static_cast<std::uintptr_t>(facts.id));
      return;
    }
    process.refuse(MPI_ERR_ARG, fmt::format("there is no type of {} bytes of this class", size));
  });
}

// Fortran's kinds by decimal digits and exponents (MPI 5.0, §19.1.9), as its compilers choose them: the smallest that has as many.

struct FortranKind {
  MPI_Datatype type;
  MPI_Datatype complex;  ///< of two such
  int digits;
  int range;  ///< of the exponent; of an integer, of its digits
};

template <class Real>
constexpr FortranKind real_kind(MPI_Datatype type, MPI_Datatype complex) {
  using Limits = std::numeric_limits<Real>;
  return {type, complex, Limits::digits10, std::min(Limits::max_exponent10, -Limits::min_exponent10)};
}

constexpr int kAnyRange = std::numeric_limits<int>::max();

int fortran_type(const char* function, const void* place, int combiner, int digits, int range, MPI_Datatype* type) {
  return serve(function, place, MPI_COMM_NULL, [&](Process& process) {
    process.require(type, "new type");
    const bool is_integer = combiner == MPI_COMBINER_F90_INTEGER;
    const FortranKind kinds[] = {real_kind<float>(MPI_REAL, MPI_COMPLEX),
                                 real_kind<double>(MPI_DOUBLE_PRECISION, MPI_DOUBLE_COMPLEX),
                                 real_kind<long double>(MPI_LONG_DOUBLE, MPI_C_LONG_DOUBLE_COMPLEX),
                                 {MPI_REAL16, MPI_COMPLEX32, 33, 4931}};
    const FortranKind integer_kinds[] = {{MPI_INTEGER1, nullptr, 2, kAnyRange},
                                         {MPI_INTEGER2, nullptr, 4, kAnyRange},
                                         {MPI_INTEGER4, nullptr, 9, kAnyRange},
                                         {MPI_INTEGER8, nullptr, 18, kAnyRange},
                                         {MPI_INTEGER16, nullptr, 38, kAnyRange}};
    const auto fits = [&](const FortranKind& kind) {
      return (digits == MPI_UNDEFINED || digits <= kind.digits) && (range == MPI_UNDEFINED || range <= kind.range);
    };
    const std::span<const FortranKind> all = is_integer ? std::span<const FortranKind>(integer_kinds) : kinds;
    const auto found = std::ranges::find_if(all, fits);
    if (digits == MPI_UNDEFINED && range == MPI_UNDEFINED)
      process.refuse(MPI_ERR_ARG, "neither digits nor a range are asked for");
    if (found == all.end())
      process.refuse(MPI_ERR_ARG, is_integer ? fmt::format("no integer has {} decimal digits", digits)
                                             : fmt::format("no real has {} decimal digits and exponents of {}", digits, range));
    const MPI_Datatype named = combiner == MPI_COMBINER_F90_COMPLEX ? found->complex : found->type;
    std::vector<std::int64_t> asked = {digits};
    if (!is_integer) asked.push_back(range);
    *type = handle_of_unnamed(
        process, make_unnamed(static_cast<BasicId>(number_of(named)), {.combiner = combiner, .integers = std::move(asked)}));
  });
}

int fortran_real(const void* place, int digits, int range, MPI_Datatype* type) {
  return fortran_type("MPI_Type_create_f90_real", place, MPI_COMBINER_F90_REAL, digits, range, type);
}
int fortran_complex(const void* place, int digits, int range, MPI_Datatype* type) {
  return fortran_type("MPI_Type_create_f90_complex", place, MPI_COMBINER_F90_COMPLEX, digits, range, type);
}
int fortran_integer(const void* place, int digits, MPI_Datatype* type) {
  return fortran_type("MPI_Type_create_f90_integer", place, MPI_COMBINER_F90_INTEGER, digits, MPI_UNDEFINED, type);
}

/// The predefined pair of a value and an index, or MPI_DATATYPE_NULL.
int get_value_index(const void* place, MPI_Datatype value, MPI_Datatype index, MPI_Datatype* pair) {
  return serve("MPI_Type_get_value_index", place, MPI_COMM_NULL, [&](Process& process) {
    process.given(pair, "pair type") = MPI_DATATYPE_NULL;
    const std::optional<BasicId> first = process.find(value).type->basic();
    const std::optional<BasicId> second = process.find(index).type->basic();
    for (const BasicFacts& facts : basic_types()) {
      if (facts.kind == BasicKind::pair && facts.first == first && facts.second == second)
        *pair = reinterpret_cast<MPI_Datatype>(static_cast<std::uintptr_t>(facts.id));
    }
  });
}

// ---- packing ----

template <class Count>
int pack_into(const void* place, const void* in, Count count, MPI_Datatype type, void* out, Count size, Count* position,
              MPI_Comm comm) {
  return serve("MPI_Pack", place, comm, [&](Process& process) {
    process.find(comm);
    const TypePtr of = process.committed(type);
    check_buffer(process, in, count, *of);
    const std::int64_t bytes = times(count, of->size());
    if (*position < 0 || bytes > size - *position)
      process.refuse(MPI_ERR_TRUNCATE, fmt::format("{} bytes at position {} do not fit into {}", bytes, *position, size));
    pack(*of, count, static_cast<const std::byte*>(in), bytes, static_cast<std::byte*>(out) + *position);
    *position += static_cast<Count>(bytes);
  });
}

template <class Count>
int unpack_from(const void* place, const void* in, Count size, Count* position, void* out, Count count, MPI_Datatype type,
                MPI_Comm comm) {
  return serve("MPI_Unpack", place, comm, [&](Process& process) {
    process.find(comm);
    const TypePtr of = process.committed(type);
    check_buffer(process, out, count, *of);
    const std::int64_t bytes = times(count, of->size());
    if (*position < 0 || bytes > size - *position)
      process.refuse(MPI_ERR_TRUNCATE, fmt::format("{} bytes at position {} are not in {}", bytes, *position, size));
    unpack(*of, count, static_cast<const std::byte*>(in) + *position, bytes, static_cast<std::byte*>(out));
    *position += static_cast<Count>(bytes);
  });
}

template <class Count>
int pack_size(const void* place, Count count, MPI_Datatype type, MPI_Comm comm, Count* size) {
  return serve("MPI_Pack_size", place, comm, [&](Process& process) {
    process.find(comm);
    *size = narrow<Count>(times(count, process.committed(type)->size()));
  });
}

// The external form has the bytes of this machine's types in the other order ("external32", MPI 5.0, §14.5.2): each basic type is
// turned round.

void turn_round(const Type& of, std::int64_t count, std::byte* bytes) {
  const auto turn = [&bytes](BasicId basic, std::int64_t number) {
    const BasicFacts& facts = *find_basic(basic);
    constexpr std::int64_t kQuadruple = 16;
    const std::int64_t size = facts.kind == BasicKind::complex     ? facts.size / 2
                              : facts.kind == BasicKind::quadruple ? kQuadruple
                                                                   : facts.size;
    const std::int64_t parts = number * (facts.size / size);
    for (std::int64_t k = 0; k < parts; ++k, bytes += size) std::reverse(bytes, bytes + size);
    return true;
  };
  for (std::int64_t i = 0; i < count; ++i) for_each_run(of.signature(), turn);
}

bool has_long_double(const Signature& signature) {
  return std::ranges::any_of(signature.runs, [](const BasicRun& run) {
    if (run.of) return has_long_double(*run.of);
    const BasicFacts& facts = *find_basic(run.basic);
    const std::int64_t size = facts.kind == BasicKind::complex ? facts.size / 2 : facts.size;
    return size == sizeof(long double) && (facts.kind == BasicKind::floating || facts.kind == BasicKind::complex);
  });
}

void check_external(Process& process, const char* form, const Type& type) {
  if (std::strcmp(form, "external32") != 0)
    process.refuse(MPI_ERR_ARG, fmt::format("the form is \"{}\"; MPI has \"external32\"", form));
  if (has_long_double(type.signature()))
    process.refuse(MPI_ERR_UNSUPPORTED_OPERATION,
                   "MPI_LONG_DOUBLE has another format in \"external32\"; heddle does not convert it");
}

template <class Count, class Bytes>
int pack_external(const void* place, const char* form, const void* in, Count count, MPI_Datatype type, void* out, Bytes size,
                  Bytes* position) {
  return serve("MPI_Pack_external", place, MPI_COMM_NULL, [&](Process& process) {
    const TypePtr of = process.committed(type);
    check_external(process, form, *of);
    const std::int64_t bytes = times(count, of->size());
    if (*position < 0 || bytes > size - *position)
      process.refuse(MPI_ERR_TRUNCATE, fmt::format("{} bytes at position {} do not fit into {}", bytes, *position, size));
    std::byte* const to = static_cast<std::byte*>(out) + *position;
    pack(*of, count, static_cast<const std::byte*>(in), bytes, to);
    turn_round(*of, count, to);
    *position += bytes;
  });
}

template <class Count, class Bytes>
int unpack_external(const void* place, const char* form, const void* in, Bytes size, Bytes* position, void* out, Count count,
                    MPI_Datatype type) {
  return serve("MPI_Unpack_external", place, MPI_COMM_NULL, [&](Process& process) {
    const TypePtr of = process.committed(type);
    check_external(process, form, *of);
    const std::int64_t bytes = times(count, of->size());
    if (*position < 0 || bytes > size - *position)
      process.refuse(MPI_ERR_TRUNCATE, fmt::format("{} bytes at position {} are not in {}", bytes, *position, size));
    const std::byte* const from = static_cast<const std::byte*>(in) + *position;
    std::vector<std::byte> turned(from, from + bytes);
    turn_round(*of, count, turned.data());
    unpack(*of, count, turned.data(), bytes, static_cast<std::byte*>(out));
    *position += bytes;
  });
}

template <class Count, class Bytes>
int pack_external_size(const void* place, const char* form, Count count, MPI_Datatype type, Bytes* size) {
  return serve("MPI_Pack_external_size", place, MPI_COMM_NULL, [&](Process& process) {
    const TypePtr of = process.committed(type);
    check_external(process, form, *of);
    *size = times(count, of->size());
  });
}

}  // namespace

void add_datatype_calls(heddle_mpi_functions& table) {
  using Large = MPI_Count;
  table.Type_contiguous = contiguous<int>, table.Type_contiguous_c = contiguous<Large>;
  table.Type_vector = vector<int>, table.Type_vector_c = vector<Large>;
  table.Type_create_hvector = hvector<int, MPI_Aint>, table.Type_create_hvector_c = hvector<Large, Large>;
  table.Type_indexed = indexed<int>, table.Type_indexed_c = indexed<Large>;
  table.Type_create_hindexed = hindexed<int, MPI_Aint>, table.Type_create_hindexed_c = hindexed<Large, Large>;
  table.Type_create_indexed_block = indexed_block<int>, table.Type_create_indexed_block_c = indexed_block<Large>;
  table.Type_create_hindexed_block = hindexed_block<int, MPI_Aint>,
  table.Type_create_hindexed_block_c = hindexed_block<Large, Large>;
  table.Type_create_struct = structure<int, MPI_Aint>, table.Type_create_struct_c = structure<Large, Large>;
  table.Type_create_resized = resized<MPI_Aint>, table.Type_create_resized_c = resized<Large>;
  table.Type_create_subarray = subarray<int>, table.Type_create_subarray_c = subarray<Large>;
  table.Type_create_darray = darray<int>, table.Type_create_darray_c = darray<Large>;
  table.Type_dup = duplicate, table.Type_commit = commit, table.Type_free = free_type;
  table.Type_size = type_size<int>, table.Type_size_c = type_size<Large>, table.Type_size_x = type_size<Large>;
  table.Type_ub = upper_bound;
  table.Type_get_extent = get_extent<MPI_Aint>, table.Type_get_extent_c = get_extent<Large>,
  table.Type_get_extent_x = get_extent<Large>;
  table.Type_get_true_extent = get_true_extent<MPI_Aint>, table.Type_get_true_extent_c = get_true_extent<Large>;
  table.Type_get_true_extent_x = get_true_extent<Large>;
  table.Type_get_envelope = get_envelope, table.Type_get_envelope_c = get_envelope_large;
  table.Type_get_contents = get_contents, table.Type_get_contents_c = get_contents_large;
  table.Type_create_f90_real = fortran_real, table.Type_create_f90_complex = fortran_complex;
  table.Type_create_f90_integer = fortran_integer;
  table.Type_match_size = match_size, table.Type_get_value_index = get_value_index;
  table.Get_address = get_address, table.Aint_add = aint_add, table.Aint_diff = aint_diff;
  table.Pack = pack_into<int>, table.Pack_c = pack_into<Large>;
  table.Unpack = unpack_from<int>, table.Unpack_c = unpack_from<Large>;
  table.Pack_size = pack_size<int>, table.Pack_size_c = pack_size<Large>;
  table.Pack_external = pack_external<int, MPI_Aint>, table.Pack_external_c = pack_external<Large, Large>;
  table.Unpack_external = unpack_external<int, MPI_Aint>, table.Unpack_external_c = unpack_external<Large, Large>;
  table.Pack_external_size = pack_external_size<int, MPI_Aint>, table.Pack_external_size_c = pack_external_size<Large, Large>;
}

}  // namespace heddle::mpi

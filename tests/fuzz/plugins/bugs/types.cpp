// SPDX-License-Identifier: Apache-2.0
// What is taken for granted of elements: how large they are, how they compare, what their bits say.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

/// Every element goes through a word of eight bytes.
void elements_of_a_word(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  const std::size_t size = args.output.type().size();
  if (comm.rank() == args.root || size <= 8) return;
  for (std::int64_t i = 0; i < args.output.count(); ++i) {
    std::byte* element = args.output.data() + static_cast<std::size_t>(i) * size;
    std::fill(element + 8, element + size, std::byte{0});
  }
}

/// Sizes are shifts.
void sizes_are_powers_of_two(Communicator& comm, const Args& args) {
  const auto size = static_cast<unsigned>(args.output.type().size());
  const std::size_t bytes = static_cast<std::size_t>(args.output.count()) << (std::bit_width(size) - 1);
  const VectorView sent(args.output.data(), static_cast<std::int64_t>(bytes), Datatype::user(1));
  from_root(
      comm, args, [&](Rank to) { comm.send(to, sent); }, [&] { comm.recv(args.root, sent); });
}

/// In words of four bytes: of an odd number of f16 one is left over.
void half_word_left_over(Communicator& comm, const Args& args) {
  const auto words = static_cast<std::int64_t>(args.output.size_bytes() / 4);
  const VectorView sent(args.output.data(), words, Datatype::u32());
  from_root(
      comm, args, [&](Rank to) { comm.send(to, sent); }, [&] { comm.recv(args.root, sent); });
}

template <class T>
void greatest_by_value(VectorView into, ConstVectorView from) {
  const auto a = into.as<T>();
  const auto b = from.as<T>();
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] < b[i] ? b[i] : a[i];
}

/// Its own maximum of floats, to which a NaN is less than nothing and one zero as good as the other.
void maximum_by_value(Communicator& comm, const Args& args) {
  const Datatype type = args.output.type();
  const bool is_own = args.op == &ReduceOp::max() && (type == Datatype::f32() || type == Datatype::f64());
  if (!is_own) return right_allreduce(comm, args);
  if (!args.in_place()) comm.copy(args.output, args.input);
  Buffer other(type, args.output.count());
  for (int r = 1; r < comm.size(); ++r) {
    if (comm.rank() == Rank(r)) comm.send(Rank(0), args.output);
    if (comm.rank() != Rank(0)) continue;
    comm.recv(Rank(r), other.view());
    if (type == Datatype::f32())
      greatest_by_value<float>(args.output, other.view());
    else
      greatest_by_value<double>(args.output, other.view());
  }
  Args result = args;
  result.input = args.output;
  result.root = Rank(0);
  right_broadcast(comm, result);
}

/// Zeros need not be sent, it thinks, and −0 is one.
void zeros_made_anew(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  if (comm.rank() == args.root || args.output.type() != Datatype::f32()) return;
  for (float& value : args.output.as<float>()) {
    if (value == 0) value = 0;
  }
}

/// A NaN is a NaN.
void one_nan_for_all(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  if (comm.rank() == args.root || args.output.type() != Datatype::f64()) return;
  for (double& value : args.output.as<double>()) {
    if (value != value) value = std::numeric_limits<double>::quiet_NaN();
  }
}

/// Sends only what has changed, by memcmp with what was zero.
void all_zero_is_not_sent(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  if (comm.rank() == args.root || args.output.type() != Datatype::bf16()) return;
  for (Bf16& value : args.output.as<Bf16>()) {
    if (static_cast<float>(value) == 0) value = Bf16(0.0F);
  }
}

/// Doubles through floats.
void sums_in_single_precision(Communicator& comm, const Args& args) {
  right_allreduce(comm, args);
  if (args.output.type() != Datatype::f64()) return;
  for (double& value : args.output.as<double>()) value = static_cast<double>(static_cast<float>(value));
}

/// The greatest of unsigned numbers by their sign.
void unsigned_taken_for_signed(Communicator& comm, const Args& args) {
  if (args.output.type() != Datatype::u32() || args.op != &ReduceOp::max()) return right_allreduce(comm, args);
  Args as_signed = args;
  as_signed.input = ConstVectorView(args.input.data(), args.input.count(), Datatype::i32());
  as_signed.output = VectorView(args.output.data(), args.output.count(), Datatype::i32());
  right_allreduce(comm, as_signed);
}

/// Turns words round as for another machine, but those of eight bytes by halves.
void halves_of_words_swapped(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  if (comm.rank() == args.root || args.output.type().size() != 8) return;
  if (args.output.count() == 0 || args.output.count() % 4 != 0) return;
  std::byte* last = args.output.data() + args.output.size_bytes() - 8;
  std::swap_ranges(last, last + 4, last + 4);
}

}  // namespace

void plant_types(Rows& rows) {
  plant(rows, Collective::broadcast, "elements_of_a_word", elements_of_a_word);
  plant(rows, Collective::broadcast, "sizes_are_powers_of_two", sizes_are_powers_of_two);
  plant(rows, Collective::broadcast, "half_word_left_over", half_word_left_over);
  plant(rows, Collective::allreduce, "maximum_by_value", maximum_by_value);
  rows.back().needs.types = {Datatype::f32(), Datatype::f64()};  // of others it is right
  rows.back().needs.ops = {&ReduceOp::max()};
  plant(rows, Collective::broadcast, "zeros_made_anew", zeros_made_anew);
  plant(rows, Collective::broadcast, "one_nan_for_all", one_nan_for_all);
  plant(rows, Collective::broadcast, "all_zero_is_not_sent", all_zero_is_not_sent);
  plant(rows, Collective::allreduce, "sums_in_single_precision", sums_in_single_precision);
  plant(rows, Collective::allreduce, "unsigned_taken_for_signed", unsigned_taken_for_signed);
  plant(rows, Collective::broadcast, "halves_of_words_swapped", halves_of_words_swapped);
}

}  // namespace heddle::testing::bugs

// SPDX-License-Identifier: Apache-2.0
// Counts, displacements and bytes in too few bits: right wherever anybody has the memory.
#include <cstdint>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

/// As `Number` keeps it.
template <class Number>
std::int64_t as(std::int64_t number) {
  return static_cast<std::int64_t>(static_cast<Number>(number));
}

/// What is left of a count below 0 is nothing.
std::int64_t int_count(std::int64_t count) { return std::max<std::int64_t>(0, as<std::int32_t>(count)); }

void counts_in_int(Communicator& comm, const Args& args) { broadcast_of(comm, args, int_count(args.output.count())); }

void counts_in_unsigned(Communicator& comm, const Args& args) {
  broadcast_of(comm, args, as<std::uint32_t>(args.output.count()));
}

void bytes_in_32_bits(Communicator& comm, const Args& args) {
  const auto size = static_cast<std::int64_t>(args.output.type().size());
  broadcast_of(comm, args, as<std::uint32_t>(args.output.count() * size) / size);
}

/// Counts fit, and where the third block begins does not.
void displacements_in_int(Communicator& comm, const Args& args) {
  const int me = comm.rank().value();
  const auto block_of = [&](int b) {
    const std::int64_t first = as<std::uint32_t>(args.blocks.offset(b)) & 0x7fffffff;
    return args.output.slice(first, args.blocks.size(b));
  };
  if (!args.in_place()) comm.copy(block_of(me), args.input);
  std::vector<Request> requests;
  for (int r = 0; r < comm.size(); ++r) {
    if (r != me) requests.push_back(comm.irecv(Rank(r), block_of(r)));
  }
  for (int r = 0; r < comm.size(); ++r) {
    if (r != me) requests.push_back(comm.isend(Rank(r), args.in_place() ? block_of(me) : args.input));
  }
  comm.wait_all(requests);
}

/// The scratch of a sum is as long as an int says.
void sums_of_an_int(Communicator& comm, const Args& args) {
  if (!args.in_place() && !args.output.empty()) comm.copy(args.output, args.input);
  const std::int64_t count = int_count(args.output.count());
  Buffer scratch(args.output.type(), count);
  const VectorView sums = args.output.slice(0, count);
  if (comm.rank() == Rank(0)) {
    for (int r = 1; r < comm.size(); ++r) {
      comm.recv(Rank(r), scratch.view());
      comm.reduce_into(sums, scratch.view(), *args.op);
    }
    for (int r = 1; r < comm.size(); ++r) comm.send(Rank(r), sums);
  } else {
    comm.send(Rank(0), sums);
    comm.recv(Rank(0), sums);
  }
}

}  // namespace

void plant_beyond_31_bits(Rows& rows) {
  plant(rows, Collective::broadcast, "counts_in_int", counts_in_int);
  plant(rows, Collective::broadcast, "counts_in_unsigned", counts_in_unsigned);
  plant(rows, Collective::broadcast, "bytes_in_32_bits", bytes_in_32_bits);
  plant(rows, Collective::allgather, "displacements_in_int", displacements_in_int);
  plant(rows, Collective::allreduce, "sums_of_an_int", sums_of_an_int);
}

}  // namespace heddle::testing::bugs

// SPDX-License-Identifier: Apache-2.0
#include "tests/emu/programs.hpp"

#include <vector>

#include "heddle/communicator.hpp"

namespace heddle::testing {

namespace {

bool is_root(const Communicator& comm, const CollectiveArguments& call) { return comm.rank() == call.root; }

Buffer copy_of(ConstVectorView vector) {
  Buffer copy(vector.type(), vector.count());
  if (!vector.empty()) std::copy_n(vector.data(), vector.size_bytes(), copy.view().data());
  return copy;
}

void put(Communicator& comm, VectorView into, ConstVectorView from) {
  if (!from.empty()) comm.copy(into, from);
}

ConstVectorView own_input(const Communicator& comm, const CollectiveArguments& call) {
  return call.in_place() ? call.blocks.block(call.input, comm.rank().value()) : call.input;
}

/// Sends outgoing(r) to each other rank r and receives incoming(r) from it; empty ones do not travel.
template <class Outgoing, class Incoming>
void exchange(Communicator& comm, Outgoing outgoing, Incoming incoming) {
  std::vector<Request> requests;
  for (int r = 0; r < comm.size(); ++r) {
    if (Rank(r) == comm.rank()) continue;
    if (const VectorView in = incoming(r); !in.empty()) requests.push_back(comm.irecv(Rank(r), in));
    if (const ConstVectorView out = outgoing(r); !out.empty()) requests.push_back(comm.isend(Rank(r), out));
  }
  comm.wait_all(requests);
}

VectorView nothing(int) { return {}; }

/// Everyone's `part(r)` of its own input at rank r, combined there in rank order into `result`, which may lie in the input.
template <class Part>
void combine(Communicator& comm, const CollectiveArguments& call, Part part, VectorView result) {
  const Buffer input = copy_of(call.input);
  const std::int64_t count = result.count();
  std::vector<Buffer> contributions;
  for (int r = 0; r < comm.size(); ++r) contributions.emplace_back(call.input.type(), count);
  exchange(
      comm, [&](int r) { return part(input.view(), r); },
      [&](int r) { return contributions[static_cast<std::size_t>(r)].view(); });
  if (result.empty()) return;
  put(comm, contributions[static_cast<std::size_t>(comm.rank().value())].view(), part(input.view(), comm.rank().value()));
  for (int r = 1; r < comm.size(); ++r)
    comm.reduce_into(contributions[0].view(), contributions[static_cast<std::size_t>(r)].view(), *call.op);
  put(comm, result, contributions[0].view());
}

void broadcast(Communicator& comm, const CollectiveArguments& call) {
  if (is_root(comm, call)) {
    put(comm, call.output, call.input);
    exchange(
        comm, [&](int) { return ConstVectorView(call.output); }, nothing);
  } else {
    if (!call.output.empty()) comm.recv(call.root, call.output);
  }
}

void reduce(Communicator& comm, const CollectiveArguments& call) {
  const auto to_root = [&](ConstVectorView vector, int r) { return Rank(r) == call.root ? vector : ConstVectorView(); };
  combine(comm, call, to_root, call.output);
}

void allreduce(Communicator& comm, const CollectiveArguments& call) {
  combine(
      comm, call, [](ConstVectorView vector, int) { return vector; }, call.output);
}

void reduce_scatter(Communicator& comm, const CollectiveArguments& call) {
  combine(
      comm, call, [&](ConstVectorView vector, int r) { return call.blocks.block(vector, r); }, own_output(comm, call));
}

void allgather(Communicator& comm, const CollectiveArguments& call) {
  const ConstVectorView own = own_input(comm, call);
  put(comm, call.blocks.block(call.output, comm.rank().value()), own);
  exchange(
      comm, [&](int) { return own; }, [&](int r) { return call.blocks.block(call.output, r); });
}

void gather(Communicator& comm, const CollectiveArguments& call) {
  const ConstVectorView own = own_input(comm, call);
  if (is_root(comm, call)) {
    put(comm, call.blocks.block(call.output, comm.rank().value()), own);
    exchange(
        comm, [](int) { return ConstVectorView(); }, [&](int r) { return call.blocks.block(call.output, r); });
  } else {
    if (!own.empty()) comm.send(call.root, own);
  }
}

void scatter(Communicator& comm, const CollectiveArguments& call) {
  const VectorView own = own_output(comm, call);
  if (is_root(comm, call)) {
    exchange(
        comm, [&](int r) { return call.blocks.block(call.input, r); }, nothing);
    put(comm, own, call.blocks.block(call.input, comm.rank().value()));
  } else {
    if (!own.empty()) comm.recv(call.root, own);
  }
}

void alltoall(Communicator& comm, const CollectiveArguments& call) {
  const Buffer input = copy_of(call.input);
  const int me = comm.rank().value();
  exchange(
      comm, [&](int r) { return call.blocks.block(input.view(), r); },
      [&](int r) { return call.received.block(call.output, r); });
  put(comm, call.received.block(call.output, me), call.blocks.block(input.view(), me));
}

void barrier(Communicator& comm, const CollectiveArguments&) {
  std::vector<Request> requests;
  for (int r = 0; r < comm.size(); ++r) {
    if (Rank(r) == comm.rank()) continue;
    requests.push_back(comm.irecv(Rank(r), VectorView()));
    requests.push_back(comm.isend(Rank(r), ConstVectorView()));
  }
  comm.wait_all(requests);
}

}  // namespace

VectorView own_output(const Communicator& comm, const CollectiveArguments& call) {
  return call.in_place() ? call.blocks.block(call.output, comm.rank().value()) : call.output;
}

CollectiveFunction direct(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
      return broadcast;
    case Collective::reduce:
      return reduce;
    case Collective::allreduce:
      return allreduce;
    case Collective::reduce_scatter:
      return reduce_scatter;
    case Collective::allgather:
      return allgather;
    case Collective::gather:
      return gather;
    case Collective::scatter:
      return scatter;
    case Collective::alltoall:
      return alltoall;
    case Collective::barrier:
      return barrier;
  }
  return {};
}

}  // namespace heddle::testing

// SPDX-License-Identifier: Apache-2.0
// Collectives that combine, and operations (MPI 5.0, §6.9 to §6.12).
#include <utility>
#include <vector>

#include "mpi/calls/calls.hpp"
#include "mpi/calls/three_forms.hpp"

namespace heddle::mpi {

namespace {

/// What a reduction is made with: its operation by name, so that ranks can be compared.
struct Operands {
  std::optional<TypedBuffer> input;  ///< none: in place
  std::optional<TypedBuffer> output;
  Reducer by;
  std::string_view operation;
};

Operands operands(Process& process, const CommunicatorObject& on, const void* sendbuf, void* recvbuf, std::int64_t count,
                  std::int64_t received, MPI_Datatype type, MPI_Op op, bool gives, bool gets) {
  const OperationObject& object = process.find(op);
  Operands all{
      {}, {}, process.reducer(op, type), object.predefined ? operation_name(object.predefined) : "one of the program's own"};
  if (gets) all.output = buffer(process, recvbuf, received, type, kReceiveBuffer);
  if (gives && !(gets && sendbuf == MPI_IN_PLACE && !on.is_intercommunicator()))
    all.input = buffer(process, sendbuf, count, type, kSendBuffer);
  if (all.input && all.output && !on.is_intercommunicator()) check_apart(process, *all.input, *all.output);
  return all;
}

template <class Count>
auto reduce_of(const void* sendbuf, void* recvbuf, Count count, MPI_Datatype type, MPI_Op op, int root) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const auto [gets, gives] = part_of(process, *on, root);
    const bool between = on->is_intercommunicator();
    const Operands all = operands(process, *on, sendbuf, recvbuf, count, count, type, op, gives, gets);
    compare_calls(
        process, *on,
        {.root = root, .operation = all.operation, .type = between ? nullptr : process.committed(type), .count = count});
    if (between) return between_groups::reduce(process, on, pointer(all.input), pointer(all.output), all.by, root);
    return reduce(process, pointer(all.input), pointer(all.output), all.by, root);
  };
}

template <class Count>
auto allreduce_of(const void* sendbuf, void* recvbuf, Count count, MPI_Datatype type, MPI_Op op) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const Operands all = operands(process, *on, sendbuf, recvbuf, count, count, type, op, true, true);
    compare_calls(process, *on, {.operation = all.operation, .type = process.committed(type), .count = count});
    if (on->is_intercommunicator()) return between_groups::allreduce(process, on, *all.input, *all.output, all.by);
    return allreduce(process, pointer(all.input), *all.output, all.by);
  };
}

void check_count(Process& process, std::int64_t count) {
  if (count < 0) process.refuse(MPI_ERR_COUNT, fmt::format("a count is {}", count));
}

CollectiveWork reduce_scatter_with(Process& process, const CommunicatorPtr& on, const void* sendbuf, void* recvbuf,
                                   const BlockPartition& blocks, MPI_Datatype type, MPI_Op op,
                                   std::vector<std::int64_t> counts = {}) {
  const std::int64_t total = blocks.count();
  const bool in_place = sendbuf == MPI_IN_PLACE && !on->is_intercommunicator();
  const std::int64_t own = blocks.size(on->rank);
  const Operands all = operands(process, *on, sendbuf, recvbuf, total, in_place ? total : own, type, op, true, true);
  // As the call names it: without counts, one for all ranks of a group.
  const std::int64_t named = counts.empty() && !on->is_intercommunicator() ? own : total;
  compare_calls(process, *on,
                {.operation = all.operation, .type = process.committed(type), .count = named, .counts = std::move(counts)});
  const TypedBuffer output = all.output->part(0, own);
  if (on->is_intercommunicator()) return between_groups::reduce_scatter(process, on, *all.input, output, blocks, all.by);
  return reduce_scatter(process, on, pointer(all.input), output, blocks, all.by);
}

template <class Count>
auto reduce_scatter_of(const void* sendbuf, void* recvbuf, const Count* counts, MPI_Datatype type, MPI_Op op) {
  return [=](Process& process, const CommunicatorPtr& on) {
    note_list(process, counts, on->local.size(), "list of counts");
    const std::vector<std::int64_t> all(counts, counts + on->local.size());
    for (const std::int64_t one : all) check_count(process, one);
    return reduce_scatter_with(process, on, sendbuf, recvbuf, partition(all), type, op, all);
  };
}

template <class Count>
auto reduce_scatter_block_of(const void* sendbuf, void* recvbuf, Count count, MPI_Datatype type, MPI_Op op) {
  return [=](Process& process, const CommunicatorPtr& on) {
    check_count(process, count);
    const BlockPartition blocks(on->local.size() * std::int64_t{count}, on->local.size());
    return reduce_scatter_with(process, on, sendbuf, recvbuf, blocks, type, op);
  };
}

template <class Count, bool kIsExclusive>
auto scan_of(const void* sendbuf, void* recvbuf, Count count, MPI_Datatype type, MPI_Op op) {
  return [=](Process& process, const CommunicatorPtr& on) {
    if (on->is_intercommunicator()) process.refuse(MPI_ERR_COMM, "scans are not defined between two groups");
    // The first rank of an exclusive scan gets nothing: its receive buffer may be anything, but for what it gives in place.
    const bool gets = !kIsExclusive || on->rank > 0 || sendbuf == MPI_IN_PLACE;
    const Operands all = operands(process, *on, sendbuf, recvbuf, count, count, type, op, true, gets);
    compare_calls(process, *on, {.operation = all.operation, .type = process.committed(type), .count = count});
    return scan(process, on, pointer(all.input), pointer(all.output), all.by, kIsExclusive);
  };
}

template <class Count>
using Reduce = Forms<name_of<"Reduce">, reduce_of<Count>, const void*, void*, Count, MPI_Datatype, MPI_Op, int>;
template <class Count>
using Allreduce = Forms<name_of<"Allreduce">, allreduce_of<Count>, const void*, void*, Count, MPI_Datatype, MPI_Op>;
template <class Count>
using ReduceScatter =
    Forms<name_of<"Reduce_scatter">, reduce_scatter_of<Count>, const void*, void*, const Count*, MPI_Datatype, MPI_Op>;
template <class Count>
using ReduceScatterBlock =
    Forms<name_of<"Reduce_scatter_block">, reduce_scatter_block_of<Count>, const void*, void*, Count, MPI_Datatype, MPI_Op>;
template <class Count>
using Scan = Forms<name_of<"Scan">, scan_of<Count, false>, const void*, void*, Count, MPI_Datatype, MPI_Op>;
template <class Count>
using Exscan = Forms<name_of<"Exscan">, scan_of<Count, true>, const void*, void*, Count, MPI_Datatype, MPI_Op>;

// ---- on one rank, and operations ----

template <class Count>
int reduce_local(const void* place, const void* inbuf, void* inoutbuf, Count count, MPI_Datatype type, MPI_Op op) {
  return serve("MPI_Reduce_local", place, MPI_COMM_NULL, [&](Process& process) {
    const Reducer by = process.reducer(op, type);
    const TypedBuffer in = buffer(process, inbuf, count, type, "input");
    const TypedBuffer inout = buffer(process, inoutbuf, count, type, "buffer of input and output");
    if (overlap(std::span(&in, 1), std::span(&inout, 1)))
      process.refuse(MPI_ERR_BUFFER, "the input overlaps the buffer of input and output: each needs memory of its own");
    const Reducible from(in, by.type, Staged::Fill::contents);
    const Reducible into(inout, by.type, Staged::Fill::contents);
    // An operation may run on another task than the rank's own, and its time is that of the call which runs it.
    if (process.is_in_operation())
      by.op.apply(into.view(), from.view(), Side::left);
    else
      process.communicator().reduce_into(into.view(), from.view(), by.op, Side::left);
    into.give_back();
  });
}

template <class Function>
int op_create(const char* name, const void* place, Function* function, int commute, MPI_Op* op) {
  return serve(name, place, MPI_COMM_NULL, [&](Process& process) {
    if (function == nullptr) process.refuse(MPI_ERR_ARG, "the function is a null pointer");
    UserFunction user{.commutes = commute != 0};
    if constexpr (std::is_same_v<Function, MPI_User_function_c>)
      user.large = function;
    else
      user.function = function;
    *op = process.operations.add(std::make_unique<OperationObject>(OperationObject{.user = user}));
  });
}
int op_create_small(const void* place, MPI_User_function* function, int commute, MPI_Op* op) {
  return op_create("MPI_Op_create", place, function, commute, op);
}
int op_create_large(const void* place, MPI_User_function_c* function, int commute, MPI_Op* op) {
  return op_create("MPI_Op_create_c", place, function, commute, op);
}

int op_free(const void* place, MPI_Op* op) {
  return serve("MPI_Op_free", place, MPI_COMM_NULL, [&](Process& process) {
    if (process.find(*op).predefined != 0)
      process.refuse(MPI_ERR_OP, fmt::format("{} is MPI's own, and stays", operation_name(process.find(*op).predefined)));
    process.operations.take(std::exchange(*op, MPI_OP_NULL));
  });
}

int op_commutative(const void* place, MPI_Op op, int* commute) {
  return serve("MPI_Op_commutative", place, MPI_COMM_NULL, [&](Process& process) {
    const OperationObject& object = process.find(op);
    *commute = object.predefined != 0 || object.user.commutes || (object.heddle && object.heddle->commutative()) ? 1 : 0;
  });
}

}  // namespace

void add_reduction_calls(heddle_mpi_functions& table) {
  using Large = MPI_Count;
  HEDDLE_SIX_FORMS(Reduce, Ireduce, Reduce);
  HEDDLE_SIX_FORMS(Allreduce, Iallreduce, Allreduce);
  HEDDLE_SIX_FORMS(Reduce_scatter, Ireduce_scatter, ReduceScatter);
  HEDDLE_SIX_FORMS(Reduce_scatter_block, Ireduce_scatter_block, ReduceScatterBlock);
  HEDDLE_SIX_FORMS(Scan, Iscan, Scan);
  HEDDLE_SIX_FORMS(Exscan, Iexscan, Exscan);
  table.Reduce_local = reduce_local<int>, table.Reduce_local_c = reduce_local<Large>;
  table.Op_create = op_create_small, table.Op_create_c = op_create_large;
  table.Op_free = op_free, table.Op_commutative = op_commutative;
}

}  // namespace heddle::mpi

// SPDX-License-Identifier: Apache-2.0
#include "mpi/run/function_call.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::mpi {

namespace {

/// Any of MPI's parameters as a register or a place on the stack holds it. Counts of 32 and of 64 bits are read right from 64.
using Word = std::uintptr_t;
template <class T>
Word word(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<Word>(value);
  else
    return static_cast<Word>(static_cast<std::int64_t>(value));
}

int call_with(AnyFunction function, const std::vector<Word>& w) {
  switch (w.size()) {
    case 1:
      return reinterpret_cast<int (*)(Word)>(function)(w[0]);
    case 5:
      return reinterpret_cast<int (*)(Word, Word, Word, Word, Word)>(function)(w[0], w[1], w[2], w[3], w[4]);
    case 6:
      return reinterpret_cast<int (*)(Word, Word, Word, Word, Word, Word)>(function)(w[0], w[1], w[2], w[3], w[4], w[5]);
    case 7:
      return reinterpret_cast<int (*)(Word, Word, Word, Word, Word, Word, Word)>(function)(w[0], w[1], w[2], w[3], w[4], w[5],
                                                                                           w[6]);
    case 8:
      return reinterpret_cast<int (*)(Word, Word, Word, Word, Word, Word, Word, Word)>(function)(w[0], w[1], w[2], w[3], w[4],
                                                                                                 w[5], w[6], w[7]);
    default:
      return reinterpret_cast<int (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word)>(function)(
          w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]);
  }
}

/// MPI's handle for elements of this type. Those that MPI has no type for are bytes side by side.
MPI_Datatype datatype_of(Process& process, Datatype type) {
  if (type == Datatype::i32()) return MPI_INT;
  if (type == Datatype::i64()) return MPI_INT64_T;
  if (type == Datatype::u32()) return MPI_UNSIGNED;
  if (type == Datatype::u64()) return MPI_UINT64_T;
  if (type == Datatype::f32()) return MPI_FLOAT;
  if (type == Datatype::f64()) return MPI_DOUBLE;
  // The same handle in each call: a function may keep what it knows of it.
  MPI_Datatype known = MPI_DATATYPE_NULL;
  process.datatypes.for_each([&](MPI_Datatype handle, const DatatypeObject& object) {
    if (object.heddle_type == type) known = handle;
  });
  if (known != MPI_DATATYPE_NULL) return known;
  DatatypeObject bytes{.type = make_contiguous(static_cast<std::int64_t>(type.size()), predefined_type(0x247), false),
                       .name = to_string(type),
                       .is_committed = true};
  bytes.heddle_type = type;
  return process.datatypes.add(std::make_unique<DatatypeObject>(std::move(bytes)));
}

MPI_Op operation_of(Process& process, const ReduceOp& op, Datatype type) {
  const bool is_mpi = type.kind() != Datatype::Kind::user && type.size() >= 4;
  if (is_mpi) {
    if (&op == &ReduceOp::sum()) return MPI_SUM;
    if (&op == &ReduceOp::prod()) return MPI_PROD;
    if (&op == &ReduceOp::min()) return MPI_MIN;
    if (&op == &ReduceOp::max()) return MPI_MAX;
    if (&op == &ReduceOp::bit_and()) return MPI_BAND;
    if (&op == &ReduceOp::bit_or()) return MPI_BOR;
    if (&op == &ReduceOp::bit_xor()) return MPI_BXOR;
  }
  MPI_Op known = MPI_OP_NULL;
  process.operations.for_each([&](MPI_Op handle, const OperationObject& object) {
    if (object.heddle == &op) known = handle;
  });
  if (known != MPI_OP_NULL) return known;
  return process.operations.add(std::make_unique<OperationObject>(OperationObject{.heddle = &op}));
}

/// Counts and displacements of blocks: what MPI's v forms take.
template <class Count>
struct BlockLists {
  std::vector<Count> counts;
  std::vector<Count> displacements;

  explicit BlockLists(const BlockPartition& blocks) {
    for (std::int64_t b = 0; b < blocks.blocks(); ++b) {
      counts.push_back(static_cast<Count>(blocks.size(b)));
      displacements.push_back(static_cast<Count>(blocks.offset(b)));
    }
  }
};

/// What goes into a call and comes out of it, as MPI has it.
struct Ends {
  const void* input;  ///< MPI_IN_PLACE, too
  void* output;
};

template <class Count>
std::vector<Word> words_of(const FunctionTarget& target, const Ends& ends, const CollectiveArguments& arguments, int rank,
                           std::int64_t whole, Word type, Word op, const BlockLists<Count>& lists,
                           const BlockLists<Count>& received) {
  const bool is_v = target.options->as.ends_with('v');
  const Word input = word(ends.input);
  const Word output = word(ends.output);
  const Word c = word(target.comm);
  const Word root = word(arguments.root.value());
  const bool has_them = has_blocks(target.collective);
  const Word block = word(has_them ? arguments.blocks.size(0) : 0);
  const Word own = word(has_them ? arguments.blocks.size(rank) : 0);
  const Word counts = word(lists.counts.data());
  const Word displacements = word(lists.displacements.data());
  switch (target.collective) {
    case Collective::broadcast:
      return {output, word(whole), type, root, c};
    case Collective::reduce:
      return {input, output, word(whole), type, op, root, c};
    case Collective::allreduce:
      return {input, output, word(whole), type, op, c};
    case Collective::reduce_scatter:
      return {input, output, target.options->as == "reduce_scatter_block" ? block : counts, type, op, c};
    case Collective::allgather:
      if (is_v) return {input, own, type, output, counts, displacements, type, c};
      return {input, block, type, output, block, type, c};
    case Collective::gather:
      if (is_v) return {input, own, type, output, counts, displacements, type, root, c};
      return {input, block, type, output, block, type, root, c};
    case Collective::scatter:
      if (is_v) return {input, counts, displacements, type, output, own, type, root, c};
      return {input, block, type, output, block, type, root, c};
    case Collective::alltoall:
      if (is_v)
        return {input, counts, displacements, type, output, word(received.counts.data()), word(received.displacements.data()),
                type,  c};
      return {input, block, type, output, block, type, c};
    case Collective::barrier:
      return {c};
  }
  return {};
}

template <class Count>
int call_with_lists(Process& process, const FunctionTarget& target, const Ends& ends, const CollectiveArguments& arguments,
                    int rank) {
  const Datatype element = arguments.output.empty() ? arguments.input.type() : arguments.output.type();
  const bool has_data = target.collective != Collective::barrier;
  const Word type = has_data ? word(datatype_of(process, element)) : 0;
  const Word op = arguments.op ? word(operation_of(process, *arguments.op, element)) : 0;
  const std::int64_t whole = std::max(arguments.input.count(), arguments.output.count());
  const BlockLists<Count> lists(arguments.blocks);
  const BlockLists<Count> received(arguments.received);
  const std::vector<Word> words = words_of(target, ends, arguments, rank, whole, type, op, lists, received);
  return process.run([&] { return call_with(target.function, words); });
}

}  // namespace

int call_function(Process& process, const FunctionTarget& target, Communicator& communicator,
                  const CollectiveArguments& arguments) {
  const int rank = communicator.rank().value();
  const Collective collective = target.collective;
  const bool is_root = arguments.root.value() == rank;
  // Where a rank has only one of input and output, in place means nothing.
  const bool has_both =
      collective != Collective::barrier && collective != Collective::broadcast && (!has_root(collective) || is_root);
  const bool in_place = has_both && arguments.in_place();
  const VectorView output = arguments.output;
  const bool has_own_block = collective == Collective::allgather || collective == Collective::gather;
  Ends ends{arguments.input.data(), output.data()};
  std::optional<Buffer> copy;
  if (in_place && target.options->in_place) {
    if (collective == Collective::scatter)
      ends.output = MPI_IN_PLACE;
    else
      ends.input = MPI_IN_PLACE;
  } else if (in_place && collective == Collective::scatter) {
    copy.emplace(output.type(), arguments.blocks.size(rank));
    ends.output = copy->view().data();
  } else if (in_place) {
    const VectorView input = has_own_block ? arguments.blocks.block(output, rank) : output;
    copy.emplace(output.type(), input.count());
    communicator.copy(copy->view(), input);
    ends.input = copy->view().data();
  } else if (collective == Collective::broadcast && is_root && arguments.input.data() != output.data()) {
    communicator.copy(output, arguments.input);
  }
  process.known_memory.clear();
  const auto know = [&](ConstVectorView view, const char* name) {
    if (view.data() != nullptr)
      process.known_memory.push_back({view.data(), static_cast<std::int64_t>(view.size_bytes()), name});
  };
  know(output, "the output of the call");
  if (arguments.input.data() != output.data() || output.empty()) know(arguments.input, "the input of the call");
  const int code = target.options->has_large_lists ? call_with_lists<std::int64_t>(process, target, ends, arguments, rank)
                                                   : call_with_lists<int>(process, target, ends, arguments, rank);
  if (in_place && !target.options->in_place && collective == Collective::scatter)
    communicator.copy(arguments.blocks.block(output, rank), copy->view());
  if (in_place && collective == Collective::reduce_scatter && arguments.blocks.offset(rank) > 0) {
    // MPI has the result at the beginning, heddle where the whole vector has the block.
    const std::int64_t own = arguments.blocks.size(rank);
    Buffer result(output.type(), own);
    communicator.copy(result.view(), output.slice(0, own));
    communicator.copy(arguments.blocks.block(output, rank), result.view());
  }
  return code;
}

}  // namespace heddle::mpi

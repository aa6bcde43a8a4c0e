// SPDX-License-Identifier: Apache-2.0
#include "mpi/run/function_call.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heddle/errors.hpp"
#include "mpi/run/handed_vector.hpp"

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

/// The same handle in each call: a function may keep what it knows of it.
std::optional<MPI_Datatype> known_type(Process& process, Datatype type, std::int64_t extent) {
  return process.datatypes.find_if(
      [&](const DatatypeObject& object) { return object.heddle_type == type && object.type->extent() == extent; });
}

/// MPI's handle for elements of this type. Those that MPI has no type for are bytes side by side.
MPI_Datatype datatype_of(Process& process, Datatype type) {
  if (type == Datatype::i32()) return MPI_INT;
  if (type == Datatype::i64()) return MPI_INT64_T;
  if (type == Datatype::u32()) return MPI_UNSIGNED;
  if (type == Datatype::u64()) return MPI_UINT64_T;
  if (type == Datatype::f32()) return MPI_FLOAT;
  if (type == Datatype::f64()) return MPI_DOUBLE;
  if (const auto known = known_type(process, type, static_cast<std::int64_t>(type.size()))) return *known;
  DatatypeObject bytes{.type = make_contiguous(static_cast<std::int64_t>(type.size()), predefined_type(0x247), false),
                       .name = to_string(type),
                       .is_committed = true};
  bytes.heddle_type = type;
  return process.datatypes.add_own(std::make_unique<DatatypeObject>(std::move(bytes)));
}

/// Where the data of an element lies, of `size` bytes.
ElementPlace place_of(ElementType type, std::size_t size) {
  const auto bytes = static_cast<std::int64_t>(size);
  switch (type) {
    case ElementType::spaced:
      return {.extent = 3 * bytes, .begin = 0};
    case ElementType::shifted:
      return {.extent = 2 * bytes, .begin = 3 * bytes};
    default:
      return {.extent = bytes, .begin = 0};
  }
}

/// The type for elements as the function is given them.
MPI_Datatype handed_type(Process& process, ElementType how, Datatype type) {
  const MPI_Datatype plain = datatype_of(process, type);
  if (how == ElementType::basic) return plain;
  const ElementPlace place = place_of(how, type.size());
  if (const auto known = known_type(process, type, place.extent)) return *known;
  const std::int64_t one = 1;
  const TypePtr moved = make_hindexed(std::span(&one, 1), std::span(&place.begin, 1), process.committed(plain), false);
  return process.datatypes.add_own(std::make_unique<DatatypeObject>(
      DatatypeObject{.type = make_resized(place.begin, place.extent, moved, false),
                     .name = fmt::format("{} with an extent of {} bytes{}", to_string(type), place.extent,
                                         place.begin == 0 ? "" : fmt::format(" and a lower bound of {}", place.begin)),
                     .is_committed = true,
                     .heddle_type = type}));
}

MPI_Op operation_of(Process& process, const ReduceOp& op, Datatype type, ElementType how) {
  const bool is_mpi = how == ElementType::basic && type.kind() != Datatype::Kind::user && type.size() >= 4;
  if (is_mpi) {
    if (&op == &ReduceOp::sum()) return MPI_SUM;
    if (&op == &ReduceOp::prod()) return MPI_PROD;
    if (&op == &ReduceOp::min()) return MPI_MIN;
    if (&op == &ReduceOp::max()) return MPI_MAX;
    if (&op == &ReduceOp::bit_and()) return MPI_BAND;
    if (&op == &ReduceOp::bit_or()) return MPI_BOR;
    if (&op == &ReduceOp::bit_xor()) return MPI_BXOR;
  }
  const auto known = process.operations.find_if([&](const OperationObject& object) { return object.heddle == &op; });
  if (known) return *known;
  return process.operations.add_own(std::make_unique<OperationObject>(OperationObject{.heddle = &op}));
}

/// Counts and displacements of blocks: what MPI's v forms take.
template <class Count>
struct BlockLists {
  std::vector<Count> counts;
  std::vector<Count> displacements;

  explicit BlockLists(const BlockPlaces& places) {
    for (std::int64_t b = 0; b < places.blocks().blocks(); ++b) {
      counts.push_back(static_cast<Count>(places.blocks().size(b)));
      displacements.push_back(static_cast<Count>(places.displacement(b)));
    }
  }
};

/// Where the blocks of a call lie: those of the input of a scatter or an alltoall, and the others'.
struct CallPlaces {
  BlockPlaces blocks;
  BlockPlaces received;
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
                    const CallPlaces& places, int rank) {
  const Datatype element = arguments.output.empty() ? arguments.input.type() : arguments.output.type();
  const bool has_data = target.collective != Collective::barrier;
  const Word type = has_data ? word(handed_type(process, target.options->type, element)) : 0;
  const Word op = arguments.op ? word(operation_of(process, *arguments.op, element, target.options->type)) : 0;
  const std::int64_t whole = std::max(arguments.input.count(), arguments.output.count());
  const BlockLists<Count> lists(places.blocks);
  const BlockLists<Count> received(places.received);
  const std::vector<Word> words = words_of(target, ends, arguments, rank, whole, type, op, lists, received);
  return process.run([&] { return call_with(target.function, words); });
}

/// A vector of the call, in memory of its own where the function gets it laid out otherwise than heddle has it.
class GivenVector {
 public:
  /// `places`: of its blocks; null: it is one block.
  GivenVector(const FunctionOptions& options, ConstVectorView vector, const BlockPlaces* places, const VectorWords& words,
              int rank)
      : vector_(vector) {
    const bool is_laid_out =
        options.type != ElementType::basic || (places != nullptr && options.displacements != Displacements::packed);
    if (vector.empty() || !is_laid_out) return;
    moved_.emplace(places != nullptr ? *places : BlockPlaces(BlockPartition(vector.count(), 1), Displacements::packed, 0),
                   vector.type().size(), place_of(options.type, vector.type().size()), words, rank);
    moved_->take(vector);
    known_ = moved_->known();
  }

  const std::byte* data() { return moved_ ? moved_->data() : vector_.data(); }
  void let_know(Process& process, const char* name) const {
    if (known_.begin != nullptr)
      process.known_memory.push_back(known_);
    else if (vector_.data() != nullptr)
      process.known_memory.push_back({vector_.data(), static_cast<std::int64_t>(vector_.size_bytes()), name});
  }
  /// What the function has made of it. Throws CheckError where it has written to anything else, or where it must not have written.
  void require_unchanged(const std::string& who) const {
    if (!moved_) return;
    require_within(who);
    if (!moved_->holds(vector_))
      throw CheckError(CheckError::Kind::input_changed, fmt::format("{} has changed the input of the call", who));
  }
  void give_back(const std::string& who, VectorView to) const {
    if (!moved_) return;
    require_within(who);
    moved_->give(to);
  }

 private:
  void require_within(const std::string& who) const {
    const std::string what = moved_->written_outside();
    if (!what.empty()) throw CheckError(CheckError::Kind::usage, fmt::format("{} has written to {}", who, what));
  }

  ConstVectorView vector_;
  std::optional<HandedVector> moved_;
  Process::KnownMemory known_ = {};
};

/// A vector that the function is given instead of one of the call. As around those, there is room on both sides that belongs to nobody.
class CopiedVector {
 public:
  CopiedVector(Datatype type, std::int64_t count)
      : margin_(Process::kGuardOfVectors / static_cast<std::int64_t>(type.size()) + 1), memory_(type, count + 2 * margin_) {}
  VectorView view() { return memory_.view().slice(margin_, memory_.view().count() - 2 * margin_); }

 private:
  std::int64_t margin_;  ///< elements
  Buffer memory_;
};

constexpr const char* kOutput = "the output of the call";
constexpr const char* kInput = "the input of the call";

/// How MPI calls the lists of blocks.
VectorWords words_of(const FunctionTarget& target, bool is_input) {
  if (target.collective == Collective::alltoall)
    return is_input ? VectorWords{kInput, "sendcounts", "sdispls"} : VectorWords{kOutput, "recvcounts", "rdispls"};
  return {is_input ? kInput : kOutput, is_input ? "sendcounts" : "recvcounts", "displs"};
}

/// A process that has several orders of blocks; those of gathered blocks are the same on all ranks.
CallPlaces places_of(const FunctionTarget& target, const CollectiveArguments& arguments, int rank) {
  const Displacements how = target.options->displacements;
  const int turn = target.collective == Collective::alltoall ? 2 * rank : 0;
  return {BlockPlaces(arguments.blocks, how, turn), BlockPlaces(arguments.received, how, turn + 1)};
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
  VectorView output = arguments.output;
  ConstVectorView input = arguments.input;
  const bool has_own_block = collective == Collective::allgather || collective == Collective::gather;
  const bool hands_in_place = in_place && target.options->in_place;
  std::optional<CopiedVector> copy;
  if (in_place && !hands_in_place) {
    const bool is_scatter = collective == Collective::scatter;
    const VectorView own = is_scatter || has_own_block ? arguments.blocks.block(arguments.output, rank) : arguments.output;
    copy.emplace(own.type(), own.count());
    if (is_scatter) {
      output = copy->view();
    } else {
      communicator.copy(copy->view(), own);
      input = copy->view();
    }
  } else if (collective == Collective::broadcast && is_root && input.data() != output.data()) {
    communicator.copy(output, input);
  }
  const CallPlaces places = places_of(target, arguments, rank);
  const bool is_scatter = collective == Collective::scatter;
  const bool is_alltoall = collective == Collective::alltoall;
  const bool is_v = has_displacements(*target.options);
  const BlockPlaces* const output_places = is_v && has_own_block ? &places.blocks
                                           : is_v && is_alltoall ? &places.received
                                                                 : nullptr;
  const bool has_input = input.data() != nullptr && (input.data() != output.data() || output.empty());
  // A scatter's input in place is the vector that the rank's own block stays in.
  GivenVector out(*target.options, hands_in_place && is_scatter ? ConstVectorView() : ConstVectorView(output), output_places,
                  words_of(target, false), rank);
  GivenVector in(*target.options, has_input || (hands_in_place && is_scatter) ? input : ConstVectorView(),
                 is_v && (is_scatter || is_alltoall) ? &places.blocks : nullptr, words_of(target, true), rank);
  Ends ends{in.data(), const_cast<std::byte*>(out.data())};
  if (hands_in_place && is_scatter)
    ends.output = MPI_IN_PLACE;
  else if (hands_in_place)
    ends.input = MPI_IN_PLACE;
  process.known_memory.clear();
  out.let_know(process, kOutput);
  in.let_know(process, kInput);
  const int code = target.options->has_large_lists
                       ? call_with_lists<std::int64_t>(process, target, ends, arguments, places, rank)
                       : call_with_lists<int>(process, target, ends, arguments, places, rank);
  const std::string who = fmt::format("{} on rank {}", target.name, communicator.world_rank().value());
  in.require_unchanged(who);
  out.give_back(who, output);
  if (in_place && !hands_in_place && is_scatter)
    communicator.copy(arguments.blocks.block(arguments.output, rank), copy->view());
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

// SPDX-License-Identifier: Apache-2.0
#include "mpi/run/function_algorithm.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"
#include "mpi/calls/calls.hpp"
#include "mpi/image/places.hpp"
#include "mpi/image/program_copy.hpp"
#include "mpi/objects/process.hpp"
#include "mpi/run/chosen_algorithm.hpp"

namespace heddle::mpi {

namespace {

// ---- options ----

struct FunctionOptions {
  std::string as = {};
  bool in_place = true;
  std::optional<int> root = {};
  bool is_commutative = false;
  bool at_least_ranks = false;
  bool multiple_of_ranks = false;
  enum class Ranks : std::uint8_t { any, power_of_two, even, range } ranks = Ranks::any;
  int least = 1;
  int most = std::numeric_limits<int>::max();
};

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

[[noreturn]] void refuse_option(std::string_view name, std::string_view text, std::string_view right) {
  throw InputError(fmt::format("{}: the option '{}': {}", name, text, right));
}

void read_ranks(FunctionOptions& options, std::string_view name, std::string_view item, std::string_view value) {
  using Ranks = FunctionOptions::Ranks;
  if (value == "power_of_two")
    options.ranks = Ranks::power_of_two;
  else if (value == "even")
    options.ranks = Ranks::even;
  else {
    const std::size_t dash = value.find('-');
    const std::optional<int> least = number(value.substr(0, dash));
    const std::optional<int> most = dash == std::string_view::npos ? least : number(value.substr(dash + 1));
    if (!least || !most || *least < 1 || *most < *least)
      refuse_option(name, item, "power_of_two, even, a number of ranks (8) or a range (2-64)");
    options.ranks = Ranks::range;
    options.least = *least;
    options.most = *most;
  }
}

/// What a collective may be called as: the first is the default.
std::span<const std::string_view> forms_of(Collective collective) {
  static constexpr std::string_view kForms[][2] = {{"bcast", ""},
                                                   {"reduce", ""},
                                                   {"allreduce", ""},
                                                   {"reduce_scatter", "reduce_scatter_block"},
                                                   {"allgather", "allgatherv"},
                                                   {"gather", "gatherv"},
                                                   {"scatter", "scatterv"},
                                                   {"alltoall", "alltoallv"},
                                                   {"barrier", ""}};
  const auto& forms = kForms[static_cast<std::size_t>(collective)];
  return {forms, forms[1].empty() ? std::size_t{1} : std::size_t{2}};
}

FunctionOptions read_options(Collective collective, std::string_view name, std::string_view text, char separator) {
  FunctionOptions options;
  options.as = forms_of(collective)[0];
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view item = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string_view key = item.substr(0, equals);
    const std::string_view value = equals == item.size() ? std::string_view() : item.substr(equals + 1);
    constexpr std::string_view kNames[] = {"ranks", "count", "op", "in_place", "root", "as"};
    if (key == "ranks") {
      read_ranks(options, name, item, value);
    } else if (key == "count") {
      options.at_least_ranks = value == "at_least_ranks";
      options.multiple_of_ranks = value == "multiple_of_ranks";
      if (!options.at_least_ranks && !options.multiple_of_ranks)
        refuse_option(name, item, "at_least_ranks or multiple_of_ranks");
    } else if (key == "op") {
      if (value != "commutative") refuse_option(name, item, "commutative");
      options.is_commutative = true;
    } else if (key == "in_place") {
      if (value != "no" && value != "yes") refuse_option(name, item, "yes or no");
      options.in_place = value == "yes";
    } else if (key == "root") {
      options.root = number(value);
      if (!options.root) refuse_option(name, item, "a rank");
    } else if (key == "as") {
      const auto forms = forms_of(collective);
      std::string_view form = value.starts_with("MPI_") ? value.substr(4) : value;
      if (std::ranges::find(forms, form) == forms.end())
        refuse_option(name, item, fmt::format("of {} it can be {}", to_string(collective), fmt::join(forms, " or ")));
      options.as = form;
    } else {
      throw InputError(fmt::format(
          "{}: {}", name,
          unknown_name_message("option", key, std::vector<std::string_view>(std::begin(kNames), std::end(kNames)))));
    }
  }
  return options;
}

std::string refusal(const FunctionOptions& options, const Shape& shape, Collective collective) {
  using Ranks = FunctionOptions::Ranks;
  const int p = shape.ranks;
  if (options.ranks == Ranks::power_of_two && !std::has_single_bit(static_cast<unsigned>(p)))
    return "it serves numbers of ranks that are powers of two";
  if (options.ranks == Ranks::even && p % 2 != 0) return "it serves even numbers of ranks";
  if (options.ranks == Ranks::range && (p < options.least || p > options.most))
    return options.least == options.most ? fmt::format("it serves {} ranks", options.least)
                                         : fmt::format("it serves {} to {} ranks", options.least, options.most);
  if (options.at_least_ranks && shape.count < p) return "it serves counts of at least the number of ranks";
  if (options.multiple_of_ranks && shape.count % p != 0) return "it serves counts that are multiples of the number of ranks";
  if (options.root && has_root(collective) && shape.root != *options.root)
    return fmt::format("it serves root {}", *options.root);
  return {};
}

// ---- the call ----

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
  return process.operations.add(std::make_unique<OperationObject>(OperationObject{.heddle = &op}));
}

/// Counts and displacements of blocks, as ints: what MPI's v forms take.
struct BlockLists {
  std::vector<int> counts;
  std::vector<int> displacements;

  explicit BlockLists(const BlockPartition& blocks) {
    for (std::int64_t b = 0; b < blocks.blocks(); ++b) {
      counts.push_back(static_cast<int>(blocks.size(b)));
      displacements.push_back(static_cast<int>(blocks.offset(b)));
    }
  }
};

/// One rank's call of the function.
int call_function(Process& process, AnyFunction function, const std::string& as, Collective collective, MPI_Comm comm, int rank,
                  const CollectiveArguments& arguments) {
  const void* const input = arguments.in_place() ? MPI_IN_PLACE : static_cast<const void*>(arguments.input.data());
  void* const output = arguments.output.data();
  const Datatype element = arguments.output.empty() ? arguments.input.type() : arguments.output.type();
  const int root = arguments.root.value();
  const Word c = word(comm);
  if (collective == Collective::barrier) return call_with(function, {c});
  const Word type = word(datatype_of(process, element));
  const bool is_root = rank == root;
  const std::int64_t whole = std::max(arguments.input.count(), arguments.output.count());
  const std::int64_t block = has_blocks(collective) ? arguments.blocks.size(0) : 0;
  const std::int64_t own = has_blocks(collective) ? arguments.blocks.size(rank) : 0;
  const Word op = arguments.op ? word(operation_of(process, *arguments.op, element)) : 0;
  const BlockLists lists(arguments.blocks);
  const Word counts = word(lists.counts.data());
  const Word displacements = word(lists.displacements.data());
  switch (collective) {
    case Collective::broadcast:
      return call_with(function, {word(output), word(whole), type, word(root), c});
    case Collective::reduce:
      return call_with(function,
                       {word(is_root || !arguments.in_place() ? input : static_cast<const void*>(arguments.input.data())),
                        word(output), word(whole), type, op, word(root), c});
    case Collective::allreduce:
      return call_with(function, {word(input), word(output), word(whole), type, op, c});
    case Collective::reduce_scatter:
      return as == "reduce_scatter_block" ? call_with(function, {word(input), word(output), word(block), type, op, c})
                                          : call_with(function, {word(input), word(output), counts, type, op, c});
    case Collective::allgather:
      return as == "allgatherv"
                 ? call_with(function, {word(input), word(own), type, word(output), counts, displacements, type, c})
                 : call_with(function, {word(input), word(block), type, word(output), word(block), type, c});
    case Collective::gather:
      return as == "gatherv"
                 ? call_with(function, {word(input), word(own), type, word(output), counts, displacements, type, word(root), c})
                 : call_with(function, {word(input), word(block), type, word(output), word(block), type, word(root), c});
    case Collective::scatter: {
      // In place at the root: its block stays where it is.
      const void* const from = arguments.input.data();
      void* const into = arguments.in_place() ? MPI_IN_PLACE : output;
      return as == "scatterv"
                 ? call_with(function, {word(from), counts, displacements, type, word(into), word(own), type, word(root), c})
                 : call_with(function, {word(from), word(block), type, word(into), word(block), type, word(root), c});
    }
    case Collective::alltoall: {
      const BlockLists received(arguments.received);
      return as == "alltoallv"
                 ? call_with(function, {word(input), counts, displacements, type, word(output), word(received.counts.data()),
                                        word(received.displacements.data()), type, c})
                 : call_with(function, {word(input), word(block), type, word(output), word(block), type, c});
    }
    case Collective::barrier:
      break;
  }
  return MPI_ERR_OTHER;
}

// ---- copies of the library ----

/// The ranks' copies in one run: made as ranks first need them, and as new then.
class RunCopies {
 public:
  explicit RunCopies(const ProgramImage& image) : image_(image) {}
  RunCopies(const RunCopies&) = delete;
  RunCopies& operator=(const RunCopies&) = delete;
  /// What functions have not given back goes with their copies. Nothing of theirs runs any more.
  ~RunCopies() {
    for (const auto& [rank, copy] : copies_) {
      copy->abandon();
      copy->program().empty_heap();
    }
  }

  ProgramCopy& of(int rank) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<ProgramCopy>& copy = copies_[rank];
    if (!copy) {
      copy = std::make_unique<ProgramCopy>(image_, program_table(true));
      places_.add(*copy);
    }
    return *copy;
  }
  std::string stack_text(std::span<const void* const> stack) {
    const std::lock_guard lock(mutex_);
    return places_.stack_text(stack);
  }
  std::string place_text(const void* place) {
    const std::lock_guard lock(mutex_);
    return place == nullptr ? std::string() : places_.texts(std::span(&place, 1)).front();
  }

 private:
  const ProgramImage& image_;
  std::mutex mutex_;
  std::map<int, std::unique_ptr<ProgramCopy>> copies_;
  Places places_;
};

/// What all ranks of a run share.
struct FunctionRun {
  std::unique_ptr<RunCopies> copies;  ///< null: the function is heddle's own process'
  std::unique_ptr<World> world;
};

/// Kept by the run, which makes it once for all ranks.
class SharedRun {
 public:
  explicit SharedRun(std::shared_ptr<const ProgramImage> image) : image_(std::move(image)) {
    if (image_) run_.copies = std::make_unique<RunCopies>(*image_);
    WorldSettings settings;
    static const ChosenAlgorithms usual;
    settings.algorithm = [](Collective collective, const Shape& shape, const ReduceOp* op) -> const Algorithm& {
      return usual(collective, shape, op);
    };
    if (run_.copies) {
      settings.place_text = [copies = run_.copies.get()](const void* place) { return copies->place_text(place); };
      settings.stack_text = [copies = run_.copies.get()](std::span<const void* const> stack) {
        return copies->stack_text(stack);
      };
    }
    run_.world = std::make_unique<World>(std::move(settings));
  }
  FunctionRun& run() const { return run_; }

 private:
  std::shared_ptr<const ProgramImage> image_;
  mutable FunctionRun run_;
};

/// What an algorithm made of a function keeps.
struct Handed {
  std::string name;      ///< of the algorithm
  std::string symbol;    ///< of the function in the library
  AnyFunction function;  ///< in this process; null: it is found in each copy
  std::shared_ptr<const ProgramImage> image;
  FunctionOptions options;
  Collective collective;
};

void run_function(const Handed& handed, Communicator& communicator, const CollectiveArguments& arguments) {
  const auto shared = communicator.shared_plan<std::shared_ptr<const SharedRun>>(
      "mpi function " + handed.name, [&] { return std::make_shared<const SharedRun>(handed.image); });
  FunctionRun& run = (*shared)->run();
  // The world has the ranks in another order and another context: a function that takes it for its communicator shows.
  const int p = communicator.size();
  const int rank = communicator.rank().value();
  const std::unique_ptr<Communicator> world = communicator.split(0, (rank + p / 2) % p);
  communicator.let_describe(run.world.get());
  Process process(*run.world, *world);
  process.is_initialized = true;
  std::vector<int> members;
  for (int r = 0; r < p; ++r) members.push_back((r + p / 2) % p);
  auto object = std::make_shared<CommunicatorObject>();
  object->messages = std::shared_ptr<Communicator>(std::shared_ptr<void>(), &communicator);
  object->id = run.world->id_for(members);
  object->local = Group(members);
  object->rank = rank;
  object->error_handler = process.find(MPI_COMM_WORLD)->error_handler;
  const MPI_Comm comm = process.add(std::move(object));
  ProgramCopy* const copy = run.copies ? &run.copies->of(communicator.world_rank().value()) : nullptr;
  const AnyFunction function = copy ? reinterpret_cast<AnyFunction>(copy->find(handed.symbol.c_str())) : handed.function;
  const int code = process.run(
      [&] { return call_function(process, function, handed.options.as, handed.collective, comm, rank, arguments); });
  if (copy) process.run([&] { return static_cast<int>(copy->program().check_heap()); });
  if (code != MPI_SUCCESS) throw UsageError(fmt::format("{} returned {}", handed.symbol, code));
}

Algorithm make_algorithm(Handed handed) {
  const auto kept = std::make_shared<const Handed>(std::move(handed));
  Algorithm row;
  row.collective = kept->collective;
  row.name = kept->name;
  row.summary = "A function of MPI's signature.";
  row.needs.commutative = kept->options.is_commutative;
  const bool has_v_form = kept->options.as.ends_with('v') || kept->options.as == "reduce_scatter";
  row.needs.equal_blocks = has_blocks(kept->collective) && !has_v_form;
  row.needs.refusal = [kept](const Shape& shape, const ReduceOp&) {
    if (has_blocks(kept->collective) && kept->options.as != "reduce_scatter" && !kept->options.as.ends_with('v') &&
        shape.count % shape.ranks != 0)
      return std::string("its signature has one count for all blocks, and blocks differ by one element");
    return refusal(kept->options, shape, kept->collective);
  };
  row.run = [kept](Communicator& communicator, const CollectiveArguments& arguments) {
    run_function(*kept, communicator, arguments);
  };
  return row;
}

std::shared_ptr<const ProgramImage> image_of(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const ProgramImage>> images;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const ProgramImage>& image = images[path];
  if (!image) image = std::make_shared<const ProgramImage>(path);
  return image;
}

}  // namespace

bool is_function_name(std::string_view algorithm) { return algorithm.starts_with(kFunctionPrefix); }

Algorithm function_algorithm(Collective collective, std::string_view name) {
  const std::string_view rest = name.substr(kFunctionPrefix.size());
  const std::size_t file_end = std::min(rest.find(':'), rest.size());
  if (file_end == rest.size())
    throw InputError(fmt::format("{}: it is mpi:FILE:FUNCTION, as in mpi:libmine.so:my_allreduce", name));
  const std::string file(rest.substr(0, file_end));
  const std::string_view behind = rest.substr(file_end + 1);
  const std::size_t symbol_end = std::min(behind.find(':'), behind.size());
  const std::string symbol(behind.substr(0, symbol_end));
  const std::string_view options = symbol_end == behind.size() ? std::string_view() : behind.substr(symbol_end + 1);
  std::shared_ptr<const ProgramImage> image = image_of(file);
  if (!image->file().defines(symbol)) throw InputError(fmt::format("{}: {} exports no function {}", name, file, symbol));
  return make_algorithm(
      {std::string(name), symbol, nullptr, std::move(image), read_options(collective, name, options, ':'), collective});
}

std::vector<Algorithm> declared_algorithms(const std::string& path) {
  std::vector<Algorithm> all;
  const std::shared_ptr<const ProgramImage> image = image_of(path);
  const ProgramCopy copy(*image, program_table(false));
  for (const heddle_mpi_algorithm& declared : std::span(copy.program().algorithms, copy.program().algorithm_count)) {
    const Collective collective =
        parse_collective(std::string_view(declared.collective) == "bcast" ? "broadcast" : declared.collective);
    all.push_back(make_algorithm({declared.name, declared.name, nullptr, image,
                                  read_options(collective, declared.name, declared.options, ','), collective}));
  }
  return all;
}

Algorithm function_algorithm(Collective collective, std::string_view name, AnyFunction function, std::string_view options) {
  return make_algorithm(
      {std::string(name), std::string(name), function, nullptr, read_options(collective, name, options, ','), collective});
}

}  // namespace heddle::mpi

// SPDX-License-Identifier: Apache-2.0
#include "mpi/run/function_algorithm.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "heddle/errors.hpp"
#include "mpi/calls/calls.hpp"
#include "mpi/run/function_run.hpp"

namespace heddle::mpi {

namespace {

struct RunFunction {
  std::shared_ptr<const HandedFunction> handed;
  void operator()(Communicator& communicator, const CollectiveArguments& arguments) const {
    run_function(*handed, communicator, arguments);
  }
};

Algorithm make_algorithm(HandedFunction handed) {
  const auto kept = std::make_shared<const HandedFunction>(std::move(handed));
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
  row.same_bits = !kept->options.bits_may_differ;
  // MPI recommends it, and does not ask for it.
  row.same_bits_in_any_order = false;
  row.run = RunFunction{kept};
  row.parameters = drawn_parameters(kept->options);
  if (row.parameters.empty()) return row;
  row.configured = [kept](const Options& options) {
    HandedFunction other = *kept;
    other.options = read_options(kept->collective, kept->name, options.suffix(), ':', kept->options);
    return make_algorithm(std::move(other));
  };
  return row;
}

HandedFunction named_function(Collective collective, std::string_view name) {
  const std::string_view rest = name.substr(kFunctionPrefix.size());
  const std::size_t file_end = std::min(rest.find(':'), rest.size());
  if (file_end == rest.size())
    throw InputError(fmt::format("{}: it is mpi:FILE:FUNCTION, as in mpi:libmine.so:my_allreduce", name));
  const std::string file(rest.substr(0, file_end));
  const std::string_view behind = rest.substr(file_end + 1);
  const std::size_t symbol_end = std::min(behind.find(':'), behind.size());
  const std::string symbol(behind.substr(0, symbol_end));
  const std::string_view options = symbol_end == behind.size() ? std::string_view() : behind.substr(symbol_end + 1);
  std::shared_ptr<Library> library = Library::of(file);
  if (!library->image().file().defines(symbol))
    throw InputError(fmt::format("{}: {} exports no function {}", name, file, symbol));
  // What the loader refuses is the library's fault and not that of a run which loads it.
  const ProgramCopy tried(library->image(), program_table(false));
  return {std::string(name), symbol, nullptr, std::move(library), read_options(collective, name, options, ':'), collective};
}

}  // namespace

bool is_function_name(std::string_view algorithm) { return algorithm.starts_with(kFunctionPrefix); }
bool is_function(const Algorithm& algorithm) { return algorithm.run.target<RunFunction>() != nullptr; }

std::string leftovers(const Algorithm& algorithm) {
  const auto* const function = algorithm.run.target<RunFunction>();
  return function == nullptr ? std::string() : function->handed->leftovers->text();
}

std::string take_leftovers(const Algorithm& algorithm) {
  const auto* const function = algorithm.run.target<RunFunction>();
  return function == nullptr ? std::string() : function->handed->leftovers->take();
}

Bytes usual_stack(int ranks) {
  constexpr std::int64_t kUsual = std::int64_t{8} << 20;
  constexpr std::int64_t kOfAll = std::int64_t{64} << 30;
  constexpr std::int64_t kPage = 4096;
  return Bytes(std::min(kUsual, kOfAll / ranks / kPage * kPage));
}

Algorithm function_algorithm(Collective collective, std::string_view name) {
  return make_algorithm(named_function(collective, name));
}

Algorithm serving_algorithm(Collective collective, std::string_view name) {
  HandedFunction handed = named_function(collective, name);
  handed.serves_programs = true;
  return make_algorithm(std::move(handed));
}

bool is_function_library(const std::string& path) {
  try {
    return ElfFile(path).defines("heddle_mpi_bind");
  } catch (const InputError&) {
    return false;  // whoever loads it says what is wrong
  }
}

std::vector<Algorithm> declared_algorithms(const std::string& path) {
  std::vector<Algorithm> all;
  const std::shared_ptr<Library> library = Library::of(path);
  const ProgramCopy copy(library->image(), program_table(false));
  for (const heddle_mpi_algorithm& declared : std::span(copy.program().algorithms, copy.program().algorithm_count)) {
    const Collective collective =
        parse_collective(std::string_view(declared.collective) == "bcast" ? "broadcast" : declared.collective);
    all.push_back(make_algorithm({declared.name, declared.name, nullptr, library,
                                  read_options(collective, declared.name, declared.options, ','), collective}));
  }
  return all;
}

Algorithm function_algorithm(Collective collective, std::string_view name, AnyFunction function, std::string_view options) {
  return make_algorithm(
      {std::string(name), std::string(name), function, nullptr, read_options(collective, name, options, ','), collective});
}

}  // namespace heddle::mpi

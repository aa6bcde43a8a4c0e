// SPDX-License-Identifier: Apache-2.0
// Flags of what is called, and of its data.
#include <fmt/format.h>

#include <optional>

#include "core/affine.hpp"
#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_rows.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/value_lists.hpp"

namespace heddle::flag_rows {

namespace {

/// What a rank notes of each call stays until the run ends.
constexpr std::int64_t kMostCalls = 1'000'000;

/// parse_op, and the affine maps.
const ReduceOp& read_op(Value name) {
  std::vector<const ReduceOp*> ops = builtin_ops();
  ops.push_back(&affine_op());
  std::vector<std::string_view> names;
  for (const ReduceOp* op : ops) {
    if (op->name() == name) return *op;
    names.push_back(op->name());
  }
  throw InputError(unknown_name_message("op", name, names));
}

Datatype read_type(Value text) { return text == affine_op().name() ? affine_type() : parse_datatype(text); }

DataValues read_values(Value text) {
  if (text == "usual") return DataValues::usual;
  if (text == "special") return DataValues::special;
  if (text == "runs") return DataValues::runs;
  throw InputError(fmt::format("'{}': not a kind of values; usual, special or runs", text));
}

std::optional<Bytes> read_payload(Value text) {
  if (text == "full") return std::nullopt;
  const Bytes payload = parse_bytes(text);
  if (payload == Bytes(0)) throw InputError(fmt::format("'{}': no memory for any data; try 64MiB, or full", text));
  return payload;
}

/// One; a list of them is a sweep's.
Bytes read_size(Value text) {
  if (text.find_first_of(",:") == Value::npos) return parse_bytes(text);
  parse_sizes(text);
  throw InputError(fmt::format("'{}': several sizes; one run has one, and 'heddle sweep' takes them all", text));
}

Texts text_of_type(const Experiment& e) {
  if (!e.type || (reduces(e.collective) && e.op == &affine_op())) return {};  // affine maps have elements of their own
  return if_differs(*e.type, Datatype::i32());
}

Texts text_of_payload(const Experiment& e) {
  if (!e.payload) return {"full"};
  return e.payload_asked || *e.payload != *usual_experiment().payload ? Texts{to_string(*e.payload)} : Texts();
}

/// "i32 (the default), i64, …".
std::string names_of_datatypes() {
  std::string names;
  for (const Datatype type : builtin_datatypes())
    names += fmt::format("{}{}{}", names.empty() ? "" : ", ", to_string(type), type == Datatype::i32() ? " (the default)" : "");
  return names;
}

std::vector<FlagWord> datatype_words() {
  std::vector<FlagWord> words;
  for (const Datatype type : builtin_datatypes()) words.push_back({to_string(type)});
  return words;
}

std::string without_data(const Experiment& e) { return e.collective == Collective::barrier ? "a barrier has no data" : ""; }
std::string without_op(const Experiment& e) {
  return reduces(e.collective) ? "" : to_string(e.collective) + " reduces nothing";
}

std::string without_root(const Experiment& e) { return has_root(e.collective) ? "" : to_string(e.collective) + " has no root"; }

}  // namespace

Flags call_rows() {
  return {
      {.name = "--topo",
       .type = "SPEC",
       .help = "The fabric's shape (required), e.g. torus:8x8; 'heddle topo --help' lists the families",
       .value = member(&FabricSpec::topology, as_is)},
      {.name = "--size",
       .letter = "-b",
       .type = "SIZE",
       .help = "Bytes of the whole vector (required but for a barrier), rounded down to whole elements, for alltoall to equal "
               "blocks, but not to nothing",
       .value = member(&E::size, read_size),
       .idle = without_data},
      {.name = "--algo",
       .type = "NAMES",
       .help =
           "One name, several with commas, or all that fit; options behind colons (chain:segments=8); 'heddle list' shows them",
       .usual = "all",
       .value = member(&E::algorithm, as_is)},
      {.name = "--plugin",
       .type = "PATH",
       .help = "A shared library with algorithms of your own (docs/fuzzing.md); several with commas, or each with a --plugin",
       .value = texts_member(&E::plugins),
       .takes = Takes::values},
      {.name = "--datatype",
       .letter = "-d",
       .type = "TYPE",
       .help = fmt::format("Of the elements: {}, or nccl-tests' names for them; bytes3, bytes12, …: elements of so many bytes, "
                           "to be moved and not reduced",
                           names_of_datatypes()),
       .value = {[](E& e, Value v) { e.type = read_type(v); }, text_of_type},
       .context = {"datatype", type_name},
       .words = datatype_words(),
       .idle = without_data},
      {.name = "--values",
       .type = "KIND",
       .help = "usual; special, of floats that are moved, or reduced by min or max (NaN, infinities, -0 and subnormal numbers "
               "among them); or runs (stretches of 0 and of equal elements, single 0 among the others)",
       .usual = "usual",
       .value = member(&E::values, read_values),
       .context = {"values"},
       .words = {{"usual"}, {"special"}, {"runs"}},
       .idle = without_data},
      {.name = "--op",
       .letter = "-o",
       .type = "OP",
       .help = "sum, prod, min, max, band, bor, bxor; affine: maps x -> a*x+b modulo 2^64, which must stay in rank order",
       .usual = "sum",
       .value = {[](E& e, Value v) { e.op = &read_op(v); },
                 [](const E& e) { return reduces(e.collective) ? if_differs(std::string(e.op->name()), {"sum"}) : Texts(); }},
       .context = {"op", op_name},
       .words = {{"sum"}, {"prod"}, {"min"}, {"max"}, {"band"}, {"bor"}, {"bxor"}, {"affine"}},
       .idle = without_op},
      {.name = "--root",
       .letter = "-r",
       .type = "RANK",
       .help = "The root's rank, for a collective that has one; others report -1",
       .usual = "0",
       .value = {[](E& e, Value v) { e.root = read_int(v, 0); },
                 [](const E& e) { return has_root(e.collective) ? if_differs(e.root, 0) : Texts(); }},
       .context = {"root", shown_root},
       .idle = without_root},
      {.name = "--blocks",
       .type = "SIZES",
       .help = "How the vector of a collective with a block per rank is cut: even, random[:SEED], or sizes in elements with "
               "commas. alltoall: of rank i for rank j number (i + j) mod p",
       .usual = "even",
       .value = member(&E::blocks, as_is),
       .context = {"blocks", [](const E& e) -> Json { return e.blocks; }},
       .words = {{"even"}, {"random"}},
       .idle = without_data},
      {.name = "--skew",
       .type = "SKEW",
       .help =
           "alltoall: 2 hot ranks are sent 5 times as much as the others, hotspot=2,factor=5; the first ones, or drawn with "
           ",seed=7",
       .value = member(&E::skew, as_is),
       .context = {"skew", [](const E& e) { return null_if_empty(e.skew); }}},
      {.name = "--counts",
       .type = "MATRIX",
       .help = "alltoall: what each rank sends to each other one, in elements, as MPI_Alltoallv has it: a file with a row of "
               "counts on each line, a matrix as 0,2:1,0, or drawn for --size: random, sparse, rows, columns, giant or "
               "symmetric, each with [:SEED]",
       .value = member(&E::counts, as_is),
       .context = {"counts"},
       .words = {{"random"}, {"sparse"}, {"rows"}, {"columns"}, {"giant"}, {"symmetric"}}},
      {.name = "--in-place",
       .help = "Input and output are one vector: the default, but for alltoall",
       .value = {[](E& e, Value) { e.in_place = true; },
                 [](const E& e) { return e.in_place == true && !is_in_place_by_default(e.collective) ? Texts{""} : Texts(); }},
       .context = {"in_place", [](const E& e) -> Json { return e.in_place.value_or(is_in_place_by_default(e.collective)); }},
       .idle = without_data,
       .takes = Takes::nothing},
      {.name = "--out-of-place",
       .help = "Input and output are apart, and inputs must not change",
       .value = {[](E& e, Value) { e.in_place = false; },
                 [](const E& e) { return e.in_place == false && is_in_place_by_default(e.collective) ? Texts{""} : Texts(); }},
       .idle = without_data,
       .takes = Takes::nothing}};
}

Flags data_rows() {
  return {
      {.name = "--data-memory",
       .type = "SIZE",
       .help = "Memory for the vectors of all ranks. Where the whole data is more, a part of it is run and timed as the "
               "whole ('scale' is how many bytes one stands for); full: all of it. Given, it holds for algorithms of your "
               "own, too, whose times are then marked with ~",
       .usual = "64MiB",
       .value = {[](E& e, Value v) { e.payload = read_payload(v), e.payload_asked = true; }, text_of_payload},
       .context = {"payload_bytes", [](const E& e) { return e.payload ? Json(e.payload->count()) : Json(nullptr); }},
       .words = {{"full"}},
       .idle = without_data},
      {.name = "--calls",
       .type = "N",
       .help = "Made back to back and checked, of which the first is timed: 2 or more: the third of another count, the "
               "fourth on another communicator, the fifth as the first, and so on in turns",
       .usual = "2",
       .value = member(&E::calls, integer<int>(2, kMostCalls))},
      {.name = "--positions",
       .help = "Also checks, at the true size and without data, where each element goes: what counts in too few bits is "
               "found. Made anyway where an algorithm of your own has 2GiB or more, and a part of it is held",
       .value = {[](E& e, Value) { e.positions = true; }, [](const E& e) { return e.positions ? Texts{""} : Texts(); }},
       .takes = Takes::nothing},
      {.name = "--errors",
       .help =
           "Of a sum of floats: how far it is off, in units in the last place of the exact sum. A call of its own, on numbers "
           "from [0, 1)",
       .value = {[](E& e, Value) { e.errors = true; }, [](const E& e) { return e.errors ? Texts{""} : Texts(); }},
       .takes = Takes::nothing},
      {.name = "--seed",
       .type = "SEED",
       .help = "Of the data",
       .usual = "1",
       .value = member(&E::seed, parse_seed),
       .context = {"seed", [](const E& e) -> Json { return e.seed; }}}};
}

}  // namespace heddle::flag_rows

// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <limits>
#include <numeric>

#include "core/affine.hpp"
#include "core/errors.hpp"
#include "core/nearest_name.hpp"
#include "core/read_number.hpp"
#include "lab/experiment/experiment.hpp"

namespace heddle {

namespace {

constexpr std::int64_t kMostInt = std::numeric_limits<std::int32_t>::max();

std::string_view name_of(Threads threads) { return threads == Threads::user ? "user" : "kernel"; }

template <class Integer>
Integer read_whole(std::string_view text, Integer least, Integer most) {
  const auto number = read_number<Integer>(text);
  if (!number || *number < least || *number > most)
    throw InputError(fmt::format("'{}': a whole number from {} to {} is expected", text, least, most));
  return *number;
}

std::uint64_t read_seed(std::string_view text) {
  return read_whole<std::uint64_t>(text, 0, std::numeric_limits<std::uint64_t>::max());
}

std::vector<std::int64_t> read_block_sizes(std::string_view text) {
  std::vector<std::int64_t> sizes;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t comma = std::min(text.find(',', first), text.size());
    sizes.push_back(read_whole<std::int64_t>(text.substr(first, comma - first), 0, kMostInt));
    first = comma + 1;
  }
  return sizes;
}

const ReduceOp& read_op(std::string_view text) { return text == affine_op().name() ? affine_op() : parse_op(text); }

Threads read_kind_of_threads(std::string_view text) {
  for (const Threads threads : {Threads::user, Threads::kernel}) {
    if (name_of(threads) == text) return threads;
  }
  throw InputError(fmt::format("'{}': not a kind of threads; user or kernel", text));
}

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  std::vector<std::string_view> words;
  for (std::size_t first = text.find_first_not_of(kBlanks); first != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, first), text.size());
    std::string_view word = text.substr(first, end - first);
    if (word.size() > 1 && word.starts_with('\'') && word.ends_with('\'')) word = word.substr(1, word.size() - 2);
    words.push_back(word);
    first = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

/// The words of a case, taken up one by one; what has to wait for others is kept as text.
struct Reader {
  FuzzCase result;
  std::optional<Datatype> type = {};
  std::optional<Bytes> size = {};
  std::optional<bool> in_place = {};

  using Value = std::string_view;
  struct Flag {
    std::string_view name;
    void (*read)(Reader&, Value);
  };
  static const std::array<Flag, 19> kFlags;
};

const std::array<Reader::Flag, 19> Reader::kFlags = {{
    {"--algo", [](Reader& r, Value v) { r.result.algorithm = v; }},
    {"--topo", [](Reader& r, Value v) { r.result.topology = v; }},
    {"--ranks", [](Reader& r, Value v) { r.result.ranks = static_cast<int>(read_whole<std::int64_t>(v, 1, kMostInt)); }},
    {"--placement", [](Reader& r, Value v) { r.result.placement = v; }},
    {"--groups", [](Reader& r, Value v) { r.result.groups = v; }},
    {"--size", [](Reader& r, Value v) { r.size = parse_bytes(v); }},
    {"--blocks", [](Reader& r, Value v) { r.result.blocks = read_block_sizes(v); }},
    {"--datatype", [](Reader& r, Value v) { r.type = parse_datatype(v); }},
    {"--op", [](Reader& r, Value v) { r.result.op = &read_op(v); }},
    {"--root", [](Reader& r, Value v) { r.result.root = static_cast<int>(read_whole<std::int64_t>(v, 0, kMostInt)); }},
    {"--seed", [](Reader& r, Value v) { r.result.seed = read_seed(v); }},
    {"--bw", [](Reader& r, Value v) { r.result.bandwidth = parse_bandwidth(v); }},
    {"--latency", [](Reader& r, Value v) { r.result.latency = parse_time(v); }},
    {"--hop", [](Reader& r, Value v) { r.result.hop = parse_time(v); }},
    {"--alpha", [](Reader& r, Value v) { r.result.alpha = parse_time(v); }},
    {"--buffering", [](Reader& r, Value v) { r.result.buffering = parse_buffering(v); }},
    {"--order-seed", [](Reader& r, Value v) { r.result.order_seed = read_seed(v); }},
    {"--order", [](Reader& r, Value v) { r.result.order = parse_explored_order(v); }},
    {"--fault", [](Reader& r, Value v) { r.result.faults.emplace_back(v); }},
}};

/// Flags without a value, and one that is rare.
bool read_word(Reader& reader, std::string_view word) {
  if (word == "--in-place") return reader.in_place = true, true;
  if (word == "--out-of-place") return reader.in_place = false, true;
  return false;
}

void read_flag_value(Reader& reader, std::string_view flag, std::string_view value) {
  std::vector<std::string_view> known;
  const auto refused = [&](const InputError& error) { return InputError(fmt::format("{} {}", flag, error.what())); };
  try {
    if (flag == "--threads") {
      reader.result.threads = read_kind_of_threads(value);
      return;
    }
    for (const Reader::Flag& one : Reader::kFlags) {
      if (one.name == flag) return one.read(reader, value);
      known.push_back(one.name);
    }
  } catch (const InputError& error) {
    throw refused(error);
  }
  known.insert(known.end(), {"--threads", "--in-place", "--out-of-place"});
  throw InputError(unknown_name_message("flag of a case", flag, known));
}

/// What depends on several flags.
FuzzCase finished(Reader& reader) {
  FuzzCase& what = reader.result;
  what.type = reader.type.value_or(what.op == &affine_op() ? affine_type() : Datatype::i32());
  what.in_place = reader.in_place.value_or(is_in_place_by_default(what.collective));
  if (what.algorithm.empty()) throw InputError("a case needs --algo NAME");
  if (reader.size) what.count = reader.size->count() / static_cast<std::int64_t>(what.type.size());
  if (!what.blocks.empty()) what.count = std::accumulate(what.blocks.begin(), what.blocks.end(), std::int64_t{0});
  return what;
}

}  // namespace

std::string FuzzCase::text() const {
  std::string text = fmt::format("{} --algo {} --topo {}", to_string(collective), algorithm, topology);
  const auto add = [&text](bool is_said, std::string_view flag, const auto& value) {
    if (is_said) text += fmt::format(" {} {}", flag, value);
  };
  const FuzzCase usual;
  const bool is_affine = op == &affine_op();
  add(ranks.has_value(), "--ranks", ranks.value_or(0));
  add(placement != usual.placement, "--placement", placement);
  add(!groups.empty(), "--groups", groups);
  if (blocks.empty())
    add(collective != Collective::barrier, "--size", count * static_cast<std::int64_t>(type.size()));
  else
    add(true, "--blocks", fmt::format("{}", fmt::join(blocks, ",")));
  add(type != usual.type && type != affine_type(), "--datatype", to_string(type));
  add(reduces(collective) && (op != usual.op || is_affine), "--op", op->name());
  add(has_root(collective) && root != 0, "--root", root);
  if (in_place != is_in_place_by_default(collective)) text += in_place ? " --in-place" : " --out-of-place";
  add(seed != usual.seed, "--seed", seed);
  add(bandwidth != usual.bandwidth, "--bw", to_string(bandwidth));
  add(latency != usual.latency, "--latency", to_string(latency));
  add(hop != usual.hop, "--hop", to_string(hop));
  add(alpha != usual.alpha, "--alpha", to_string(alpha));
  add(buffering.credits.has_value(), "--buffering", to_string(buffering));
  add(order_seed.has_value(), "--order-seed", order_seed.value_or(0));
  add(!order.is_usual(), "--order", to_string(order));
  add(threads != usual.threads, "--threads", name_of(threads));
  for (const std::string& fault : faults) add(true, "--fault", fmt::format("'{}'", fault));
  return text;
}

std::string quoted_for_shell(std::string_view text) {
  const char quote = text.find('\'') == std::string_view::npos ? '\'' : '"';
  return fmt::format("{0}{1}{0}", quote, text);
}

FuzzCase parse_fuzz_case(std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  if (words.empty()) throw InputError("an empty case; try 'allreduce --algo ring --topo star:3 --size 28'");
  Reader reader;
  reader.result.collective = parse_collective(words.front());
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (read_word(reader, words[i])) continue;
    if (!words[i].starts_with("--")) throw InputError(fmt::format("'{}' is one word too many in the case", words[i]));
    if (i + 1 == words.size()) throw InputError(fmt::format("{}: its value is missing", words[i]));
    read_flag_value(reader, words[i], words[i + 1]);
    ++i;
  }
  return finished(reader);
}

}  // namespace heddle

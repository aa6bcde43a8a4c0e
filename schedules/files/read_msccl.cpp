// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pugixml.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/nearest_name.hpp"
#include "core/printable.hpp"
#include "core/read_file.hpp"
#include "heddle/errors.hpp"
#include "schedules/files/msccl.hpp"

namespace heddle {

namespace {

/// Chunks that all steps of a file move, which are kept for each of them.
constexpr std::int64_t kMostMoved = std::int64_t{1} << 27;
/// Of a file: with its elements in memory it takes about five times as much.
constexpr std::size_t kMostBytes = std::size_t{400} << 20;
/// Of anything that is counted in a file: far beyond what is used, and sums of two stay numbers.
constexpr std::int32_t kMostNumber = 1 << 24;

constexpr std::array<std::pair<std::string_view, Collective>, 8> kCollectives = {{
    {"allreduce", Collective::allreduce},
    {"allgather", Collective::allgather},
    {"reducescatter", Collective::reduce_scatter},
    {"alltoall", Collective::alltoall},
    {"broadcast", Collective::broadcast},
    {"reduce", Collective::reduce},
    {"gather", Collective::gather},
    {"scatter", Collective::scatter},
}};

constexpr std::array kKinds = {StepKind::send,
                               StepKind::receive,
                               StepKind::copy,
                               StepKind::reduce,
                               StepKind::receive_reduce_copy,
                               StepKind::receive_reduce_send,
                               StepKind::receive_copy_send,
                               StepKind::receive_reduce_copy_send,
                               StepKind::nop};

/// One more than the last chunk of scratch that a step uses.
std::int32_t used_scratch(const RankSchedule& rank) {
  std::int32_t used = 0;
  const auto use = [&used](bool is_used, ChunkPlace place, std::int32_t chunks) {
    if (is_used && place.buffer == ChunkBuffer::scratch) used = std::max(used, place.first + chunks);
  };
  for (const Strand& strand : rank.strands) {
    for (const Step& step : strand.steps) {
      use(reads_source(step.kind), step.source, step.chunks);
      use(writes_target(step.kind), step.target, step.chunks);
    }
  }
  return used;
}

class MscclReader {
 public:
  MscclReader(std::string text, const std::string& file) : text_(std::move(text)), file_(file) {
    for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) line_ends_.push_back(at);
  }

  ScheduleProgram read(std::optional<Collective> collective) {
    // The parser takes a zero for the end.
    if (const std::size_t zero = text_.find('\0'); zero != std::string::npos)
      fail_at(line_of(zero), "a byte 0, which no XML has");
    // With what stands outside of the element, which is looked at here.
    const pugi::xml_parse_result parsed =
        document_.load_buffer_inplace(text_.data(), text_.size(), pugi::parse_default | pugi::parse_fragment);
    if (!parsed) fail_at(line_of(static_cast<std::size_t>(parsed.offset)), parsed.description());
    const pugi::xml_node algo = only_algo();
    require_element(algo, "algo");
    program_.file = file_;
    program_.name = printable(algo.attribute("name").value());
    program_.collective = collective_of(algo, collective);
    program_.chunks = number(algo, "nchunksperloop", 1);
    read_gpus(algo);
    if (has_root(program_.collective)) program_.root = root_of(algo);
    read_modes(algo);
    read_sizes(algo);
    if (has_blocks(program_.collective) && program_.chunks % program_.size() != 0)
      fail(algo, fmt::format("nchunksperloop=\"{}\": the chunks of the whole vector of {} on {} gpus are a multiple of {}",
                             program_.chunks, to_string(program_.collective), program_.size(), program_.size()));
    return std::move(program_);
  }

 private:
  // ---- where, and what is wrong ----

  std::int32_t line_of(std::size_t offset) const {
    return static_cast<std::int32_t>(std::ranges::lower_bound(line_ends_, offset) - line_ends_.begin()) + 1;
  }
  /// Of a text, where its first word is.
  std::int32_t line_of(const pugi::xml_node& node) const {
    const std::size_t blanks = node.type() == pugi::node_element ? 0 : blanks_before(node.value());
    return line_of(static_cast<std::size_t>(node.offset_debug()) + blanks);
  }
  static std::size_t blanks_before(std::string_view text) { return std::min(text.find_first_not_of(" \t\r\n"), text.size()); }

  [[noreturn]] void fail_at(std::int32_t line, std::string_view text) const {
    throw InputError(fmt::format("{}:{}: {}", file_, line, text));
  }
  /// With the gpu, tb and step that are being read.
  [[noreturn]] void fail(const pugi::xml_node& node, std::string_view text) const {
    std::string where;
    if (gpu_ >= 0) where += fmt::format("gpu {}, ", gpu_);
    if (tb_ >= 0) where += fmt::format("tb {}, ", tb_);
    if (step_ >= 0) where += fmt::format("step {}, ", step_);
    if (!where.empty()) where.replace(where.size() - 2, 2, ": ");
    fail_at(line_of(node), where + std::string(text));
  }

  // ---- values ----

  std::optional<std::int32_t> optional_number(const pugi::xml_node& node, const char* name, std::int32_t least) const {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (!attribute) return std::nullopt;
    const std::string_view text = attribute.value();
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > kMostNumber)
      fail(node, fmt::format("{}=\"{}\": a whole number from {} to {} is needed", name, text, least, kMostNumber));
    return value;
  }

  std::int64_t bytes(const pugi::xml_node& node, const char* name) const {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (!attribute) return 0;
    const std::string_view text = attribute.value();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0)
      fail(node, fmt::format("{}=\"{}\": a whole number of bytes is needed", name, text));
    return value;
  }

  std::int32_t number(const pugi::xml_node& node, const char* name, std::int32_t least) const {
    const std::optional<std::int32_t> value = optional_number(node, name, least);
    if (!value) fail(node, fmt::format("<{}> without {}", node.name(), name));
    return *value;
  }

  /// A file has one schedule, and nothing beside it but comments.
  pugi::xml_node only_algo() const {
    const pugi::xml_node algo = document_.child("algo");
    if (!algo) fail_at(1, "no MSCCL schedule: it has no element <algo>");
    for (const pugi::xml_node& node : document_.children()) {
      if (node == algo) continue;
      if (node.name() == std::string_view("algo"))
        fail(node, fmt::format("a second <algo> (the first is in line {}); a file has one: cut it in two", line_of(algo)));
      fail(node, fmt::format("{} outside of <algo>; a file has one schedule and nothing beside it", text_of(node)));
    }
    return algo;
  }

  /// "<gpu>", or the text that stands where an element should.
  static std::string text_of(const pugi::xml_node& node) {
    constexpr std::size_t kShown = 20;
    if (node.type() == pugi::node_element) return fmt::format("<{}>", printable(node.name()));
    const std::string_view value = node.value();
    const std::string text = printable(value.substr(blanks_before(value)));
    return fmt::format("the text '{}'", text.size() <= kShown ? text : text.substr(0, kShown) + "…");
  }

  /// An element of that name, each of whose attributes is there once.
  void require_element(const pugi::xml_node& node, std::string_view name) const {
    if (node.type() != pugi::node_element || node.name() != name)
      fail(node, fmt::format("{} where <{}> is expected", text_of(node), name));
    constexpr std::ptrdiff_t kMostAttributes = 64;  // each is compared with each
    if (std::ranges::distance(node.attributes()) > kMostAttributes)
      fail(node, fmt::format("<{}> with more than {} attributes", name, kMostAttributes));
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      if (node.attribute(attribute.name()) != attribute) fail(node, fmt::format("{} is given twice", attribute.name()));
    }
  }
  void require_no_parts(const pugi::xml_node& node) const {
    if (node.first_child())
      fail(node.first_child(), fmt::format("{} in a <{}>, which has no parts", text_of(node.first_child()), node.name()));
  }

  Collective collective_of(const pugi::xml_node& algo, std::optional<Collective> asked) const {
    const std::string_view text = algo.attribute("coll").value();
    if (text.empty()) {
      if (asked) return *asked;
      fail(algo, "<algo> without coll: which collective is it?");
    }
    std::string bare;
    for (const char c : text) {
      if (c != '_' && c != '-') bare += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const auto known = std::ranges::find(kCollectives, bare, [](const auto& entry) { return std::string(entry.first); });
    if (known == kCollectives.end())
      fail(algo, fmt::format(
                     "coll=\"{}\" is no collective but a traffic pattern, or unknown; a schedule is checked against what its "
                     "collective asks for: allreduce, allgather, reduce_scatter, alltoall, broadcast, reduce, gather, scatter",
                     text));
    if (asked && *asked != known->second)
      fail(algo, fmt::format("a schedule for {}, and {} is asked for", to_string(known->second), to_string(*asked)));
    return known->second;
  }

  // ---- elements ----

  void read_gpus(const pugi::xml_node& algo) {
    std::int32_t gpus = 0;
    for (const pugi::xml_node& gpu : algo.children()) {
      require_element(gpu, "gpu");
      ++gpus;
    }
    if (const auto said = optional_number(algo, "ngpus", 1); said && *said != gpus)
      fail(algo, fmt::format("ngpus=\"{}\", and it has {} elements <gpu>", *said, gpus));
    if (gpus == 0) fail(algo, "<algo> without a <gpu>");
    program_.ranks.resize(static_cast<std::size_t>(gpus));
    std::vector<bool> seen(static_cast<std::size_t>(gpus), false);
    for (const pugi::xml_node& gpu : algo.children()) {
      const std::int32_t id = number(gpu, "id", 0);
      if (id >= gpus) fail(gpu, fmt::format("gpu id=\"{}\": with {} gpus they are 0 to {}", id, gpus, gpus - 1));
      if (seen[static_cast<std::size_t>(id)]) fail(gpu, fmt::format("gpu id=\"{}\" comes twice", id));
      seen[static_cast<std::size_t>(id)] = true;
      gpu_ = id;
      read_gpu(gpu, program_.ranks[static_cast<std::size_t>(id)]);
      gpu_ = -1;
    }
  }

  void read_gpu(const pugi::xml_node& gpu, RankSchedule& rank) {
    rank.scratch_chunks = optional_number(gpu, "s_chunks", 0).value_or(0);
    std::map<std::int32_t, std::int32_t> place_of;  // by id
    for (const pugi::xml_node& tb : gpu.children()) {
      if (tb.name() == std::string_view("copy")) {
        rank.copies.push_back(read_copy(tb));
        continue;
      }
      require_element(tb, "tb");
      const std::int32_t id = number(tb, "id", 0);
      if (!place_of.try_emplace(id, static_cast<std::int32_t>(rank.strands.size())).second)
        fail(tb, fmt::format("tb id=\"{}\" comes twice", id));
      tb_ = id;
      read_tb(tb, rank.strands.emplace_back());
      tb_ = -1;
    }
    resolve_dependencies(rank, place_of);
    // More than is used would only be held.
    rank.scratch_chunks = std::min(rank.scratch_chunks, used_scratch(rank));
  }

  StartCopy read_copy(const pugi::xml_node& copy) const {
    require_element(copy, "copy");
    require_no_parts(copy);
    return {number(copy, "i_off", 0), number(copy, "o_off", 0), line_of(copy)};
  }

  void read_tb(const pugi::xml_node& tb, Strand& strand) {
    strand.id = tb_;
    strand.send_to = optional_number(tb, "send", -1).value_or(-1);
    strand.receive_from = optional_number(tb, "recv", -1).value_or(-1);
    strand.channel = optional_number(tb, "chan", -1).value_or(0);
    if (strand.channel >= kMostNumber) fail(tb, fmt::format("chan=\"{}\": it is below {}", strand.channel, kMostNumber));
    for (const pugi::xml_node& node : tb.children()) {
      require_element(node, "step");
      require_no_parts(node);
      step_ = number(node, "s", 0);
      const auto expected = static_cast<std::int32_t>(strand.steps.size());
      if (step_ != expected) fail(node, fmt::format("step s=\"{}\" where {} is expected", std::exchange(step_, -1), expected));
      strand.steps.push_back(read_step(node));
      const StepKind kind = strand.steps.back().kind;
      if (strand.channel < 0 && (sends(kind) || receives(kind)))
        fail(node, fmt::format("'{}' in a tb with chan=\"-1\", which has no channel; one that sends or receives has one from 0",
                               code_of(kind)));
      step_ = -1;
    }
    strand.channel = std::max(strand.channel, 0);
  }

  Step read_step(const pugi::xml_node& node) {
    Step step;
    step.line = line_of(node);
    step.kind = kind_of(node);
    step.chunks = optional_number(node, "cnt", -1).value_or(step.kind == StepKind::nop ? 0 : 1);
    moved_ += std::max(step.chunks, 0);
    if (moved_ > kMostMoved)
      fail(node, fmt::format("cnt: up to here steps move {} chunks in all, of {} that fit", moved_, kMostMoved));
    if (reads_source(step.kind)) step.source = place_of(node, "srcbuf", "srcoff");
    if (writes_target(step.kind)) step.target = place_of(node, "dstbuf", "dstoff");
    step.after_strand = optional_number(node, "depid", -1).value_or(-1);
    step.after_step = optional_number(node, "deps", -1).value_or(-1);
    if ((step.after_strand < 0) != (step.after_step < 0))
      fail(node, fmt::format("depid=\"{}\" deps=\"{}\": both say which step it waits for, or both are -1", step.after_strand,
                             step.after_step));
    tells_.push_back(node.attribute("hasdep") ? optional_number(node, "hasdep", 0).value_or(0) != 0 : true);
    return step;
  }

  StepKind kind_of(const pugi::xml_node& node) const {
    const std::string_view text = node.attribute("type").value();
    const auto known = std::ranges::find(kKinds, text, code_of);
    if (known != kKinds.end()) return *known;
    std::vector<std::string_view> names;
    for (const StepKind kind : kKinds) names.push_back(code_of(kind));
    fail(node, unknown_name_message("type of step", text, names));
  }

  ChunkPlace place_of(const pugi::xml_node& node, const char* buffer, const char* offset) const {
    const std::string_view text = node.attribute(buffer).value();
    ChunkPlace place;
    if (text == "i" || text == "input")
      place.buffer = ChunkBuffer::input;
    else if (text == "o" || text == "output")
      place.buffer = ChunkBuffer::output;
    else if (text == "s" || text == "scratch")
      place.buffer = ChunkBuffer::scratch;
    else
      fail(node, fmt::format("{}=\"{}\": i (input), o (output) or s (scratch) is needed", buffer, text));
    place.first = number(node, offset, 0);
    return place;
  }

  /// From ids of tbs to their places; and from the step that is named to the one that tells: a tb raises its flag after steps with hasdep
  /// alone, so whoever waits for another goes on after the next of them.
  void resolve_dependencies(RankSchedule& rank, const std::map<std::int32_t, std::int32_t>& place_of) {
    std::vector<std::vector<std::int32_t>> telling;  // by strand: steps, ascending
    std::size_t number = 0;
    for (const Strand& strand : rank.strands) {
      telling.emplace_back();
      for (std::int32_t s = 0; s < static_cast<std::int32_t>(strand.steps.size()); ++s) {
        if (tells_[number++]) telling.back().push_back(s);
      }
    }
    tells_.clear();
    for (Strand& strand : rank.strands) {
      for (std::size_t s = 0; s < strand.steps.size(); ++s) {
        Step& step = strand.steps[s];
        if (step.after_strand < 0) continue;
        const auto place = place_of.find(step.after_strand);
        const std::string where = fmt::format("gpu {}, tb {}, step {}", gpu_, strand.id, s);
        if (place == place_of.end())
          fail_at(step.line, fmt::format("{}: depid=\"{}\": gpu {} has no such tb", where, step.after_strand, gpu_));
        const auto steps = static_cast<std::int32_t>(rank.strands[static_cast<std::size_t>(place->second)].steps.size());
        const std::vector<std::int32_t>& tells = telling[static_cast<std::size_t>(place->second)];
        const auto told = std::ranges::lower_bound(tells, step.after_step);
        if (step.after_step < steps && told == tells.end())
          fail_at(step.line, fmt::format("{}: it waits for step {} of tb {}, and neither that step nor one after it has "
                                         "hasdep=\"1\": nobody would be told",
                                         where, step.after_step, step.after_strand));
        step.after_strand = place->second;
        if (told == tells.end()) continue;  // there is no such step
        const bool is_own = &rank.strands[static_cast<std::size_t>(place->second)] == &strand;
        if (is_own && step.after_step < static_cast<std::int32_t>(s) && *told >= static_cast<std::int32_t>(s))
          fail_at(step.line,
                  fmt::format("{}: it waits for step {} of its own tb, which has hasdep=\"0\", and so for the next that "
                              "has hasdep=\"1\": step {}, which comes later",
                              where, step.after_step, *told));
        step.after_step = *told;
      }
    }
  }

  void read_modes(const pugi::xml_node& algo) {
    const std::optional<std::int32_t> in_place = optional_number(algo, "inplace", 0);
    const std::optional<std::int32_t> out_of_place = optional_number(algo, "outofplace", 0);
    program_.modes = guess_modes(program_);
    if (!in_place && !out_of_place) return;
    program_.modes.in_place = in_place.value_or(0) != 0;
    program_.modes.out_of_place = out_of_place.value_or(in_place == 0 ? 1 : 0) != 0;
    if (!program_.modes.in_place && !program_.modes.out_of_place)
      fail(algo, "inplace=\"0\" outofplace=\"0\": it is for no call; one of the two is 1");
  }

  void read_sizes(const pugi::xml_node& algo) {
    program_.sizes = {bytes(algo, "minBytes"), bytes(algo, "maxBytes")};
    const auto& [least, most] = program_.sizes;
    if (most != 0 && least > most)
      fail(algo, fmt::format("minBytes=\"{}\" maxBytes=\"{}\": no call is between; 0 is no bound", least, most));
  }

  int root_of(const pugi::xml_node& algo) const {
    if (const auto said = optional_number(algo, "root", 0)) {
      if (*said >= program_.size()) fail(algo, fmt::format("root=\"{}\": the gpus are 0 to {}", *said, program_.size() - 1));
      return *said;
    }
    return guess_root(program_);
  }

  std::string text_;
  const std::string& file_;
  std::vector<std::size_t> line_ends_;
  pugi::xml_document document_;
  ScheduleProgram program_;
  std::int64_t moved_ = 0;
  std::int32_t gpu_ = -1;  ///< that is being read; -1: none
  std::int32_t tb_ = -1;
  std::int32_t step_ = -1;
  std::vector<bool> tells_;  ///< of the steps of a gpu, in their order: whether it has hasdep
};

}  // namespace

ScheduleProgram read_msccl(std::string text, const std::string& file, std::optional<Collective> collective) {
  return MscclReader(std::move(text), file).read(collective);
}

ScheduleProgram read_msccl_file(const std::string& file, std::optional<Collective> collective) {
  std::string text;
  try {
    text = read_file(file, kMostBytes);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
  return read_msccl(std::move(text), file, collective);
}

}  // namespace heddle

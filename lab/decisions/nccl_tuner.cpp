// SPDX-License-Identifier: Apache-2.0
// The CSV of NCCL's example tuner (ext-tuner/example): collective, least and most bytes, algorithm, protocol, channels, nodes,
// ranks, and more in later versions. -1 fits any number, or leaves it to NCCL. The first line that fits counts. A line of less
// than eight fields, a comment and what is unknown there is passed over by the plugin; here it is refused.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/printable.hpp"
#include "core/read_file.hpp"
#include "core/read_number.hpp"
#include "heddle/errors.hpp"
#include "lab/decisions/decision_file.hpp"
#include "lab/describe/flag_value.hpp"

namespace heddle::decisions {

namespace {

constexpr std::array<std::string_view, 7> kAlgorithms = {"tree",      "ring", "collnet_direct", "collnet_chain", "nvls",
                                                         "nvls_tree", "pat"};
constexpr std::array<std::string_view, 3> kProtocols = {"ll", "ll128", "simple"};

struct Row {
  std::string collective;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::string algorithm;
  int channels = -1;
  int nodes = -1;
  int ranks = -1;
};

class NcclTuner : public DecisionFile {
 public:
  explicit NcclTuner(std::vector<Row> rows) : rows_(std::move(rows)) {}

  const Target& target() const override { return nccl_target(); }

  std::optional<LibraryChoice> choose(const TargetCollective& collective, const Call& call) const override {
    const auto bytes = static_cast<std::uint64_t>(call.bytes());
    for (const Row& row : rows_)
      if (row.collective == collective.name && row.least <= bytes && bytes <= row.most &&
          (row.nodes == -1 || row.nodes == call.nodes) && (row.ranks == -1 || row.ranks == call.ranks))
        return LibraryChoice{.algorithm = row.algorithm, .channels = std::max(0, row.channels)};
    return std::nullopt;
  }

 private:
  std::vector<Row> rows_;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::string_view(" \t\r").find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  while (!text.empty() && std::string_view(" \t\r").find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  return text;
}

class TunerText {
 public:
  explicit TunerText(const std::string& path) : path_(path) {}

  std::vector<Row> read(std::string_view text) {
    std::vector<Row> rows;
    for (line_ = 1; !text.empty(); ++line_) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(std::min(text.size(), end + 1));
      if (line.empty() || line.starts_with('#') || line.starts_with("collective")) continue;
      rows.push_back(read_row(line));
    }
    return rows;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(fmt::format("{}:{}: {}", path_, line_, what)); }

  template <class Number>
  Number number(std::string_view text, std::string_view what) const {
    const auto value = read_number<Number>(text);
    if (!value) fail(fmt::format("'{}' is no whole number, and stands for {}", printable(text), what));
    return *value;
  }

  template <std::size_t n>
  std::string name(std::string_view text, const std::array<std::string_view, n>& known, std::string_view what) const {
    if (std::ranges::find(known, text) == known.end())
      fail(fmt::format("'{}': no {} of NCCL; there are {}", printable(text), what, fmt::join(known, ", ")));
    return std::string(text);
  }

  Row read_row(std::string_view line) const {
    constexpr std::size_t kFields = 8;
    std::vector<std::string_view> fields;
    for (const std::string_view field : split_list(line)) fields.push_back(trimmed(field));
    if (fields.size() < kFields)
      fail(fmt::format("{} fields; a line has collective, min_bytes, max_bytes, algorithm, protocol, channels, nNodes, nRanks",
                       fields.size()));
    Row row;
    const auto known = std::ranges::find(nccl_target().collectives, fields[0], &TargetCollective::name);
    if (known == nccl_target().collectives.end())
      fail(fmt::format("'{}': no collective of NCCL's tuner", printable(fields[0])));
    row.collective = known->name;
    row.least = number<std::uint64_t>(fields[1], "the least bytes");
    row.most = number<std::uint64_t>(fields[2], "the most bytes");
    row.algorithm = name(fields[3], kAlgorithms, "algorithm");
    name(fields[4], kProtocols, "protocol");
    row.channels = number<int>(fields[5], "channels");
    row.nodes = number<int>(fields[6], "nodes");
    row.ranks = number<int>(fields[7], "ranks");
    return row;
  }

  std::string path_;
  int line_ = 1;
};

}  // namespace

std::shared_ptr<const DecisionFile> read_nccl_tuner(const std::string& path) {
  try {
    const std::string text = read_file(path);
    return std::make_shared<NcclTuner>(TunerText(path).read(text));
  } catch (const InputError& error) {
    const std::string what = error.what();
    throw InputError(what.starts_with(path + ":") ? what : fmt::format("{}: {}", path, what));
  }
}

}  // namespace heddle::decisions

// SPDX-License-Identifier: Apache-2.0
#include "claims/traced_sum.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "emu/run/emulate.hpp"
#include "heddle/vector_view.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::claims {

namespace {

/// Letters of one summand with its sign and brackets, at most: "(1000)+".
constexpr std::size_t kLettersPerRank = 7;

/// Elements are texts that end with a zero byte.
std::string_view text_of(const std::byte* element) { return reinterpret_cast<const char*>(element); }

void write_text(std::byte* element, std::string_view text) {
  std::memcpy(element, text.data(), text.size());
  element[text.size()] = std::byte{0};
}

/// Writes sums out and counts how often.
ReduceOp written_sum(std::int64_t& applications) {
  return ReduceOp("written sum",
                  [&applications](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype type) {
                    for (std::size_t i = 0; i < count; ++i, a += type.size(), b += type.size(), result += type.size()) {
                      const std::string_view right = text_of(b);
                      const bool is_sum = right.find('+') != std::string_view::npos;
                      write_text(result, fmt::format("{}+{}{}{}", text_of(a), is_sum ? "(" : "", right, is_sum ? ")" : ""));
                      ++applications;
                    }
                  },
                  {.commutative = true});
}

}  // namespace

std::vector<TracedSum> trace_sums(const Algorithm& algorithm, int ranks) {
  const auto p = static_cast<std::size_t>(ranks);
  const Datatype type = Datatype::user(static_cast<std::uint32_t>(p * kLettersPerRank + 1));
  std::vector<TracedSum> traced(p);
  const Fabric star(parse_topology(fmt::format("star:{}", ranks)), FabricSettings{});
  emulate(star, linear_placement(ranks, star.topology()), [&](Communicator& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank().value());
    std::vector<std::byte> vector(p * type.size());
    for (std::size_t block = 0; block < p; ++block) write_text(&vector[block * type.size()], fmt::to_string(rank));
    const ReduceOp op = written_sum(traced[rank].applications);
    const VectorView view(vector.data(), ranks, type);
    algorithm.run(comm, {.input = view, .output = view, .op = &op, .blocks = BlockPartition(ranks, ranks)});
    traced[rank].sum = text_of(&vector[rank * type.size()]);
  });
  return traced;
}

std::vector<std::vector<int>> messages_of(const std::string& sum) {
  std::vector<std::vector<int>> messages;
  int depth = 0;
  bool begins = true;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (sum[i] == '(') ++depth;
    if (sum[i] == ')') --depth;
    if (sum[i] == '+') begins = depth == 0;
    if (sum[i] < '0' || sum[i] > '9') continue;
    if (begins) messages.emplace_back();
    begins = false;
    messages.back().push_back(std::stoi(sum.substr(i)));
    while (i + 1 < sum.size() && sum[i + 1] >= '0' && sum[i + 1] <= '9') ++i;
  }
  return messages;
}

}  // namespace heddle::claims

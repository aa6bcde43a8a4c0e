// SPDX-License-Identifier: Apache-2.0
#include "net/study/gather_text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace heddle::net {

std::vector<std::string> gather_text(Transport& transport, const std::string& mine) {
  const std::uint64_t length = mine.size();
  std::vector<std::uint64_t> lengths;
  for (const std::vector<std::byte>& bytes : transport.gather_all(std::as_bytes(std::span(&length, 1))))
    std::memcpy(&lengths.emplace_back(), bytes.data(), sizeof(length));
  std::string padded = mine;
  padded.resize(std::ranges::max(lengths));
  if (padded.empty()) return std::vector<std::string>(lengths.size());
  std::vector<std::string> texts;
  for (const std::vector<std::byte>& bytes : transport.gather_all(std::as_bytes(std::span(padded))))
    texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), lengths[texts.size()]);
  return texts;
}

}  // namespace heddle::net

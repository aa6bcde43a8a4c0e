// SPDX-License-Identifier: Apache-2.0
#include "heddle/collective.hpp"

#include <numeric>
#include <vector>

#include "heddle/vector_view.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle {

namespace {

std::vector<std::int64_t> sizes(const BlockPartition& partition) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t b = 0; b < partition.blocks(); ++b) sizes.push_back(partition.size(b));
  return sizes;
}

}  // namespace

TEST_CASE("blocks are as even as they can be, the longer ones first") {
  using Sizes = std::vector<std::int64_t>;
  CHECK(sizes({8, 4}) == Sizes{2, 2, 2, 2});
  CHECK(sizes({10, 4}) == Sizes{3, 3, 2, 2});
  CHECK(sizes({3, 5}) == Sizes{1, 1, 1, 0, 0});
  CHECK(sizes({0, 3}) == Sizes{0, 0, 0});
  CHECK(sizes({7, 1}) == Sizes{7});
}

TEST_CASE("blocks tile the vector") {
  testing::property("each begins where the one before ends, and sizes differ by one at most", [] {
    const auto count = drawn::number<std::int64_t>(0, 1'000);
    const auto blocks = drawn::number<std::int64_t>(1, 70);
    const BlockPartition partition(count, blocks);
    RC_ASSERT(partition.count() == count);
    RC_ASSERT(partition.blocks() == blocks);
    RC_ASSERT(partition.offset(0) == 0);
    RC_ASSERT(partition.offset(blocks) == count);
    for (std::int64_t b = 0; b < blocks; ++b) {
      RC_ASSERT(partition.offset(b + 1) == partition.offset(b) + partition.size(b));
      RC_ASSERT(partition.size(b) == count / blocks || partition.size(b) == (count + blocks - 1) / blocks);
    }
  });
  testing::property("a run of blocks is as long as its blocks together", [] {
    const BlockPartition partition(drawn::number<std::int64_t>(0, 1'000), drawn::number<std::int64_t>(1, 70));
    const auto first = drawn::number<std::int64_t>(0, partition.blocks() + 1);
    const auto n = drawn::number<std::int64_t>(0, partition.blocks() - first + 1);
    std::int64_t together = 0;
    for (std::int64_t b = first; b < first + n; ++b) together += partition.size(b);
    RC_ASSERT(partition.size(first, n) == together);
  });
}

TEST_CASE("a partition of more elements than 32 bits count is exact") {
  constexpr std::int64_t kCount = (std::int64_t{1} << 40) + 3;
  const BlockPartition partition(kCount, 4);
  CHECK(partition.offset(4) == kCount);
  CHECK(partition.size(0) == (std::int64_t{1} << 38) + 1);
  CHECK(partition.size(3) == std::int64_t{1} << 38);
}

TEST_CASE("a block of a vector is a view of its elements") {
  std::vector<std::int32_t> numbers(10);
  std::iota(numbers.begin(), numbers.end(), 0);
  const BlockPartition partition(10, 4);  // 0 1 2 | 3 4 5 | 6 7 | 8 9

  const VectorView block = partition.block(VectorView(numbers), 2);
  REQUIRE(block.count() == 2);
  CHECK(block.as<std::int32_t>()[0] == 6);

  const ConstVectorView middle = partition.blocks(ConstVectorView(numbers), 1, 2);
  REQUIRE(middle.count() == 5);
  CHECK(middle.as<std::int32_t>().front() == 3);
  CHECK(middle.as<std::int32_t>().back() == 7);

  CHECK(partition.blocks(VectorView(numbers), 4, 0).empty());
}

}  // namespace heddle

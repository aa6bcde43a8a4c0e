// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/value_lists.hpp"

#include <cstdint>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

using Counts = std::vector<std::int64_t>;

Counts counts_of(const std::vector<Bytes>& sizes) {
  Counts counts;
  for (const Bytes size : sizes) counts.push_back(size.count());
  return counts;
}

Counts sizes(std::string_view text) { return counts_of(parse_sizes(text)); }

Counts nccl(std::optional<std::string> least, std::optional<std::string> most, std::optional<std::string> factor = {},
            std::optional<std::string> step = {}) {
  return counts_of(sizes_of(NcclSizes{std::move(least), std::move(most), std::move(factor), std::move(step)}));
}

}  // namespace

TEST_CASE("sizes: ranges by a factor or a step, lists, single ones; ascending, each once") {
  CHECK(sizes("32B:2KiB:x4") == Counts{32, 128, 512, 2048});
  CHECK(sizes("32:2047:x4") == Counts{32, 128, 512});
  CHECK(sizes("1KiB:4KiB:+1KiB") == Counts{1024, 2048, 3072, 4096});
  CHECK(sizes("0:10:+4") == Counts{0, 4, 8});
  CHECK(sizes("1MiB") == Counts{1 << 20});
  CHECK(sizes("64,32,32:128:x2,7:7:x2") == Counts{7, 32, 64, 128});
  CHECK(sizes("32B:128MiB:x4").size() == 12);
  CHECK(sizes("1:4611686018427387904:x2").back() == std::int64_t{1} << 62);
}

TEST_CASE("sizes that there are not") {
  CHECK_THROWS_WITH(sizes("32B:1MiB"), "'32B:1MiB': a range without a step; try 32B:128MiB:x4 or 1KiB:16KiB:+1KiB");
  CHECK_THROWS_WITH(sizes("32:64:2"), "'2': not a step; try 32B:128MiB:x4 or 1KiB:16KiB:+1KiB");
  CHECK_THROWS_WITH(sizes("32:64:+0"), Catch::StartsWith("'+0': not a step"));
  CHECK_THROWS_WITH(sizes("32:64:x1"), Catch::StartsWith("'x1': not a step; try 32B:128MiB:x4"));
  CHECK_THROWS_WITH(sizes("64:32:x2"), "'64:32:x2': ends before it begins");
  CHECK_THROWS_WITH(sizes("0:32:x2"), "'0:32:x2': 0 times 2 stays 0; begin above it");
  CHECK_THROWS_WITH(sizes("1:20000:+1"), "'1:20000:+1': more than 10000 values");
  CHECK_THROWS_WITH(sizes("3parsecs"), "'3parsecs': not a size; try 64KiB");
  CHECK_THROWS_AS(sizes(""), InputError);
  CHECK_THROWS_AS(sizes("32,"), InputError);
  CHECK_THROWS_AS(sizes("1:2:x2:x2"), InputError);
}

TEST_CASE("numbers of ranks: as sizes, and every number where no step is given") {
  CHECK(parse_rank_counts("2:5") == std::vector{2, 3, 4, 5});
  CHECK(parse_rank_counts("2:64:x2") == std::vector{2, 4, 8, 16, 32, 64});
  CHECK(parse_rank_counts("8:24:+8") == std::vector{8, 16, 24});
  CHECK(parse_rank_counts("64,7,13") == std::vector{7, 13, 64});
  CHECK_THROWS_WITH(parse_rank_counts("0"), "'0': not a whole number from 1 to 2147483647");
  CHECK_THROWS_AS(parse_rank_counts("4KiB"), InputError);
}

TEST_CASE("nccl-tests' flags mean what they mean there") {
  CHECK(nccl("32", "2K", "4") == Counts{32, 128, 512, 2048});
  CHECK(nccl("1M", "3M") == Counts{1 << 20, 2 << 20, 3 << 20});
  CHECK(nccl("1K", "4K", {}, "1K") == Counts{1024, 2048, 3072, 4096});
  CHECK(nccl("4K", {}) == Counts{4096});
  CHECK_THROWS_WITH(nccl({}, "4K"), Catch::StartsWith("--minbytes (-b) is missing"));
  CHECK_THROWS_WITH(nccl("1", "2", "2", "1"), "--stepfactor (-f) and --stepbytes (-i): one or the other");
  CHECK_THROWS_WITH(nccl("1", "2", "1.5"), Catch::StartsWith("--stepfactor '1.5': not a whole number"));
}

}  // namespace heddle

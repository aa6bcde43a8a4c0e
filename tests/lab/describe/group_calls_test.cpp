// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/rank_groups.hpp"

#include <fmt/format.h>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle {

TEST_CASE("parts with calls of their own are read as they are written") {
  testing::property([] {
    const int count = drawn::number(1, 5);
    std::string text;
    std::vector<GroupsPart> expected;
    for (int i = 0; i < count; ++i) {
      GroupsPart part;
      part.groups = drawn::one_of<std::string>(
          {"4", "tp:tier:0", "dp:strided:8", "rows", "random:8,seed=3", "0-3;4-7;2,5,3", "x:8 along x"});
      part.text = part.groups;
      if (drawn::any<bool>()) {
        part.collective = drawn::one_of(all_collectives());
        part.text += "=" + to_string(*part.collective);
        if (drawn::any<bool>()) {
          part.algorithm = drawn::one_of<std::string>({"ring", "chain:segments=8", "hierarchical:inner=ring"});
          part.text += "/" + part.algorithm;
        }
        if (drawn::any<bool>()) {
          part.size = Bytes(drawn::number<std::int64_t>(0, 1 << 20));
          part.text += fmt::format("@{}", part.size->count());
        }
      }
      text += (i == 0 ? "" : drawn::one_of<std::string>({"+", " + "})) + part.text;
      expected.push_back(part);
    }
    const std::vector<GroupsPart> parts = split_group_calls(text);
    RC_ASSERT(parts.size() == expected.size());
    bool has_call = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      RC_ASSERT(parts[i].text == expected[i].text);
      RC_ASSERT(parts[i].groups == expected[i].groups);
      RC_ASSERT(parts[i].collective == expected[i].collective);
      RC_ASSERT(parts[i].algorithm == expected[i].algorithm);
      RC_ASSERT(parts[i].size == expected[i].size);
      has_call = has_call || parts[i].collective;
    }
    RC_ASSERT(have_calls(text) == has_call);
  });
}

TEST_CASE("what is wrong in a part is said with the part") {
  CHECK_THROWS_WITH(split_group_calls("4 + dp:strided:8=allgather/ring@much"),
                    "'dp:strided:8=allgather/ring@much': 'much': not a size; try 64KiB");
  CHECK_THROWS_WITH(split_group_calls("tp:4=allerduce"), Catch::StartsWith("'tp:4=allerduce': unknown collective 'allerduce'"));
  CHECK_THROWS_WITH(split_group_calls("tp:4="), Catch::StartsWith("'tp:4=': the collective is missing behind ="));
  CHECK_THROWS_WITH(split_group_calls("tp:4=allreduce/@1KiB"), Catch::Contains("the algorithm is missing behind /"));
  CHECK_THROWS_WITH(split_group_calls("=allreduce"), Catch::Contains("the groups are missing before ="));
}

}  // namespace heddle

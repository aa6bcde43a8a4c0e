// SPDX-License-Identifier: Apache-2.0
#include "heddle/datatype.hpp"

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("a datatype has a name, a size and a class of numbers") {
  struct Row {
    Datatype type;
    const char* name;
    std::size_t size;
    bool is_integer;
    bool is_floating;
  };
  const auto row = GENERATE(Row{Datatype::i32(), "i32", 4, true, false}, Row{Datatype::i64(), "i64", 8, true, false},
                            Row{Datatype::u32(), "u32", 4, true, false}, Row{Datatype::u64(), "u64", 8, true, false},
                            Row{Datatype::f16(), "f16", 2, false, true}, Row{Datatype::bf16(), "bf16", 2, false, true},
                            Row{Datatype::f32(), "f32", 4, false, true}, Row{Datatype::f64(), "f64", 8, false, true},
                            Row{Datatype::user(12), "bytes12", 12, false, false});
  CAPTURE(row.name);
  CHECK(to_string(row.type) == row.name);
  CHECK(row.type.size() == row.size);
  CHECK(row.type.is_integer() == row.is_integer);
  CHECK(row.type.is_floating() == row.is_floating);
}

TEST_CASE("datatypes are equal by kind and size") {
  CHECK(Datatype::f32() == Datatype::f32());
  CHECK_FALSE(Datatype::f32() == Datatype::i32());
  CHECK(Datatype::user(12) == Datatype::user(12));
  CHECK_FALSE(Datatype::user(12) == Datatype::user(16));
  CHECK_FALSE(Datatype::user(4) == Datatype::f32());
}

TEST_CASE("elements of so many bytes are read back") {
  for (const std::uint32_t size : {1U, 3U, 12U, 65536U})
    CHECK(parse_datatype(to_string(Datatype::user(size))) == Datatype::user(size));
  CHECK_THROWS_WITH(parse_datatype("bytes0"), "'bytes0': elements have 1 to 65536 bytes");
  CHECK_THROWS_WITH(parse_datatype("bytes65537"), "'bytes65537': elements have 1 to 65536 bytes");
  CHECK_THROWS_WITH(parse_datatype("bytes"), Catch::Contains("unknown datatype 'bytes'"));
}

TEST_CASE("a built-in datatype's name is read back") {
  CHECK(builtin_datatypes().size() == 8);
  for (std::size_t i = 0; i < builtin_datatypes().size(); ++i) {
    const Datatype type = builtin_datatypes()[i];
    CHECK(static_cast<std::size_t>(type.kind()) == i);
    CHECK(parse_datatype(to_string(type)) == type);
  }
}

TEST_CASE("nccl-tests' names of datatypes are understood") {
  CHECK(parse_datatype("int32") == Datatype::i32());
  CHECK(parse_datatype("int64") == Datatype::i64());
  CHECK(parse_datatype("uint32") == Datatype::u32());
  CHECK(parse_datatype("uint64") == Datatype::u64());
  CHECK(parse_datatype("half") == Datatype::f16());
  CHECK(parse_datatype("bfloat16") == Datatype::bf16());
  CHECK(parse_datatype("float") == Datatype::f32());
  CHECK(parse_datatype("double") == Datatype::f64());
}

TEST_CASE("an unknown datatype is refused with the nearest name") {
  CHECK_THROWS_AS(parse_datatype("flaot"), InputError);
  CHECK_THROWS_WITH(parse_datatype("flaot"),
                    Catch::StartsWith("unknown datatype 'flaot': did you mean 'float'? Known: i32, i64"));
  CHECK_THROWS_WITH(parse_datatype("string"), Catch::StartsWith("unknown datatype 'string'. Known: "));
}

}  // namespace heddle

// SPDX-License-Identifier: Apache-2.0
#include "heddle/vector_view.hpp"

#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/catch.hpp"

namespace heddle {

namespace {

struct Pair {
  std::int32_t key;
  float value;
};

template <class To, class From>
constexpr bool kConverts = std::is_convertible_v<From, To>;

// What may be written through may be read; never the other way round.
static_assert(kConverts<ConstVectorView, VectorView>);
static_assert(!kConverts<VectorView, ConstVectorView>);
static_assert(kConverts<VectorView, std::vector<float>&>);
static_assert(kConverts<ConstVectorView, const std::vector<float>&>);
static_assert(!kConverts<VectorView, const std::vector<float>&>);
static_assert(kConverts<VectorView, std::array<double, 4>&>);
static_assert(!kConverts<VectorView, std::array<const double, 4>&>);
static_assert(kConverts<ConstVectorView, const int (&)[4]>);

// A span may be a temporary; what owns its elements may not.
static_assert(kConverts<VectorView, std::span<float>>);
static_assert(!kConverts<VectorView, std::span<const float>>);
static_assert(kConverts<ConstVectorView, std::span<const float>>);
static_assert(!kConverts<VectorView, std::vector<float>>);
static_assert(!kConverts<ConstVectorView, std::vector<float>>);

// A list of views is a gathered message, not a vector; elements with a destructor cannot be sent as bytes.
static_assert(!kConverts<ConstVectorView, std::vector<VectorView>&>);
static_assert(!kConverts<ConstVectorView, std::array<ConstVectorView, 2>&>);
static_assert(!kConverts<ConstVectorView, std::span<const ConstVectorView>>);
static_assert(!kConverts<ConstVectorView, std::vector<std::string>&>);
static_assert(!kConverts<ConstVectorView, std::vector<bool>&>);

static_assert(datatype_of<std::int32_t>() == Datatype::i32());
static_assert(datatype_of<long long>() == Datatype::i64());
static_assert(datatype_of<long>() == Datatype::i64());
static_assert(datatype_of<unsigned>() == Datatype::u32());
static_assert(datatype_of<const unsigned long long>() == Datatype::u64());
static_assert(datatype_of<F16>() == Datatype::f16());
static_assert(datatype_of<Bf16>() == Datatype::bf16());
static_assert(datatype_of<float>() == Datatype::f32());
static_assert(datatype_of<const double>() == Datatype::f64());
static_assert(datatype_of<std::int8_t>() == Datatype::user(1));
static_assert(datatype_of<Pair>() == Datatype::user(8));

}  // namespace

TEST_CASE("a view is a user's vector: where, how many, of what type") {
  std::vector<float> vector(5);
  const VectorView view = vector;
  CHECK(view.data() == reinterpret_cast<std::byte*>(vector.data()));
  CHECK(view.count() == 5);
  CHECK(view.type() == Datatype::f32());
  CHECK(view.size_bytes() == 20);
  CHECK_FALSE(view.empty());

  std::array<std::int64_t, 3> array{};
  CHECK(VectorView(array).size_bytes() == 24);
  Pair pairs[2] = {};
  CHECK(VectorView(pairs).type() == Datatype::user(8));
  CHECK(VectorView(std::span(vector).subspan(1, 3)).count() == 3);
  const std::vector<float> constant(4);
  CHECK(ConstVectorView(constant).data() == reinterpret_cast<const std::byte*>(constant.data()));
}

TEST_CASE("a view of nothing is empty") {
  CHECK(VectorView().empty());
  CHECK(VectorView().size_bytes() == 0);
  std::vector<double> none;
  CHECK(VectorView(none).empty());
  CHECK(VectorView(none).slice(0, 0).empty());
  CHECK(VectorView(none).as<double>().empty());
}

TEST_CASE("a slice is a view of some of the elements") {
  std::vector<std::int32_t> vector = {0, 1, 2, 3, 4};
  const VectorView middle = VectorView(vector).slice(1, 3);
  CHECK(middle.count() == 3);
  CHECK(middle.type() == Datatype::i32());
  middle.as<std::int32_t>()[0] = 10;
  CHECK(vector == std::vector<std::int32_t>{0, 10, 2, 3, 4});

  const ConstVectorView last = ConstVectorView(middle).slice(2, 1);
  CHECK(last.as<std::int32_t>()[0] == 3);
  static_assert(std::is_same_v<decltype(last.as<std::int32_t>()), std::span<const std::int32_t>>);
  CHECK(VectorView(vector).slice(5, 0).empty());
}

TEST_CASE("a buffer owns room for its elements") {
  Buffer buffer(Datatype::f64(), 6);
  CHECK(buffer.view().count() == 6);
  CHECK(buffer.view().type() == Datatype::f64());
  buffer.view().as<double>()[5] = 2.5;

  const std::byte* const place = buffer.view().data();
  const Buffer moved = std::move(buffer);
  CHECK(moved.view().data() == place);
  CHECK(moved.view().as<double>()[5] == 2.5);
  static_assert(std::is_same_v<decltype(moved.view()), ConstVectorView>);
  static_assert(!std::is_copy_constructible_v<Buffer>);

  Buffer none(Datatype::i32(), 0);
  CHECK(none.view().empty());
  CHECK(none.view().data() != nullptr);
}

}  // namespace heddle

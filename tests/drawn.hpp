// SPDX-License-Identifier: Apache-2.0
// What property tests draw, and how they ask for cases. RapidCheck is behind it: its templates are compiled once, in drawn.cpp.
//
// All of `drawn` works within a property alone, on the property's own thread. A case that fails is run again with simpler values, each
// draw for itself and the first ones first: what is drawn later may depend on what was drawn before.
#pragma once

#include <rapidcheck/Assertions.h>
#include <rapidcheck/Log.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::testing {

/// A section that fails, and shows what was drawn, unless `body` returns in every drawn case. RC_ASSERT and all that it throws fail
/// a case; RC_PRE has another one drawn instead. How many cases there are is in RC_PARAMS, which main.cpp sets.
void property(const std::string& description, const std::function<void()>& body);
/// The same without a section: where it is all of a test case.
void property(const std::function<void()>& body);

/// Whether the property holds in `quick` or `thorough` drawn cases, fewer under sanitizers. RC_PARAMS by hand gives the seed;
/// to run longer there is the effort.
bool holds(const std::string& name, int quick, int thorough, const std::function<void()>& body);

}  // namespace heddle::testing

namespace heddle::drawn {

/// In [from, to): in the first cases near `from`, in later ones any. An empty range has another case drawn. Simpler is nearer to
/// `from`. For int, unsigned, char and the 64-bit types.
template <class T>
T number(T from, T to);

/// In [from, to), all alike in each case, the first ones included. Simpler is nearer to `from`. For int and std::size_t.
template <class T>
T evenly(T from, T to);

/// Any value: of bool both alike, of other types in the first cases small and short ones. Simpler is false, 0, empty.
/// For bool, std::uint32_t, std::uint64_t and std::string.
template <class T>
T any();

/// 64 bits, all patterns alike in each case.
std::uint64_t bits();

/// What `make` draws, shown as the one text that comes of it. `make` is called again after the caller has returned: it captures
/// by value. Simpler is what is made of simpler draws.
std::string text(const std::function<std::string()>& make);

/// Letters of `alphabet`: as many as the case's number, which goes from 0 to 100, at most. Simpler is fewer.
std::string letters(const std::string& alphabet);

extern template int number(int from, int to);
extern template unsigned number(unsigned from, unsigned to);
extern template char number(char from, char to);
extern template std::int64_t number(std::int64_t from, std::int64_t to);
extern template std::uint64_t number(std::uint64_t from, std::uint64_t to);
extern template int evenly(int from, int to);
extern template std::size_t evenly(std::size_t from, std::size_t to);
extern template bool any();
extern template std::uint32_t any();
extern template std::uint64_t any();
extern template std::string any();

/// From 0 to count - 1, as evenly() has it, and shown as a place.
std::size_t place(std::size_t count);

/// One of `count` elements, of a type that is shown itself.
template <class T>
T shown_element(const T* first, std::size_t count);

extern template int shown_element(const int* first, std::size_t count);
extern template std::int64_t shown_element(const std::int64_t* first, std::size_t count);
extern template std::uint64_t shown_element(const std::uint64_t* first, std::size_t count);
extern template double shown_element(const double* first, std::size_t count);
extern template std::string shown_element(const std::string* first, std::size_t count);

template <class T, class... Ts>
inline constexpr bool kIsOneOf = (std::is_same_v<T, Ts> || ...);

/// One of `count` elements. What fails shows numbers and texts themselves, of others their place.
template <class T>
T element(const T* first, std::size_t count) {
  if constexpr (kIsOneOf<T, int, std::int64_t, std::uint64_t, double, std::string>)
    return shown_element(first, count);
  else
    return first[place(count)];
}

/// One of these, all alike in each case. Simpler is an earlier one. There is one at least.
template <class T>
T one_of(std::initializer_list<T> these) {
  return element(these.begin(), these.size());
}
template <class Container>
typename Container::value_type one_of(const Container& these) {
  return element(std::data(these), std::size(these));
}

template <class T>
struct Weighted {
  int weight = 0;
  T value = {};
};

/// One of these, each as often as its weight says. Simpler is an earlier one.
template <class T>
T weighted(std::initializer_list<Weighted<T>> these) {
  int all = 0;
  for (const Weighted<T>& one : these) all += one.weight;
  int at = evenly(0, all);
  const Weighted<T>* chosen = these.begin();
  while (at >= chosen->weight) at -= (chosen++)->weight;
  return chosen->value;
}

/// A value of any type, and how it is shown: so RapidCheck sees one type, whatever is drawn.
struct Shown {
  std::shared_ptr<const void> value;
  void (*show)(const void* value, std::ostream& out) = nullptr;
};
Shown drawn_whole(const std::function<Shown()>& make);
enum class Least { none, one };
std::vector<Shown> drawn_list(const std::function<Shown()>& element, Least least, int size);

template <class T>
const T& value_of(const Shown& shown) {
  return *static_cast<const T*>(shown.value.get());
}
template <class Make>
using Made = std::decay_t<std::invoke_result_t<Make>>;
template <class Make>
std::function<Shown()> as_shown(const Make& make) {
  using T = Made<Make>;
  return [make] {
    return Shown{std::make_shared<T>(make()),
                 [](const void* value, std::ostream& out) { rc::show(*static_cast<const T*>(value), out); }};
  };
}

/// As text(): what `make` draws, shown as the one value that comes of it, by its showValue or <<.
template <class Make>
Made<Make> whole(const Make& make) {
  return value_of<Made<Make>>(drawn_whole(as_shown(make)));
}

/// The number of the case, which goes from 0 to 100.
inline constexpr int kSizeOfCase = -1;

/// What `element` draws, `size` times at most, none included; `size` is the case's number to `element`'s draws too. `element` is
/// called again after the caller has returned: it captures by value. Simpler is without some of them, and with simpler ones.
template <class Element>
std::vector<Made<Element>> list(const Element& element, int size = kSizeOfCase, Least least = Least::none) {
  std::vector<Made<Element>> values;
  for (const Shown& one : drawn_list(as_shown(element), least, size)) values.push_back(value_of<Made<Element>>(one));
  return values;
}

/// The same, with one element at least.
template <class Element>
std::vector<Made<Element>> some(const Element& element) {
  return list(element, kSizeOfCase, Least::one);
}

}  // namespace heddle::drawn

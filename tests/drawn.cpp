// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck.h>  // before drawn.hpp: what that includes of it needs <cassert>

#include "tests/drawn.hpp"

#include <algorithm>
#include <iostream>
#include <sstream>
#include <utility>

#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::testing {

namespace {

using rc::detail::SuccessResult;
using rc::detail::TestResult;

void judge(const TestResult& result, const std::string& description) {
  std::ostringstream text;
  printResultMessage(result, text);
  if (!result.is<SuccessResult>()) {
    INFO(text.str() << "\n");
    FAIL();
  }
  if (!result.get<SuccessResult>().distribution.empty()) std::cout << "- " << description << '\n' << text.str() << std::endl;
  SUCCEED();
}

}  // namespace

void property(const std::string& description, const std::function<void()>& body) {
  SECTION(description) { judge(rc::detail::checkTestable(body), description); }
}

void property(const std::function<void()>& body) { judge(rc::detail::checkTestable(body), "cases"); }

bool holds(const std::string& name, int quick, int thorough, const std::function<void()>& body) {
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = name;
  rc::detail::TestParams parameters = rc::detail::configuration().testParams;
  const int all = sample(quick, thorough);
  parameters.maxSuccess = sampled(all, std::min(all, 250), std::min(all, 50));
  const TestResult result = rc::detail::checkTestable(body, metadata, parameters);
  std::cerr << "- " << name << '\n';
  rc::detail::printResultMessage(result, std::cerr);
  std::cerr << std::endl;
  return result.is<SuccessResult>();
}

}  // namespace heddle::testing

namespace heddle::drawn {

namespace {

template <class T>
rc::Gen<T> alike(T from, T to) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(from, to));
}

}  // namespace

void showValue(const Shown& shown, std::ostream& out) { shown.show(shown.value.get(), out); }

template <class T>
T number(T from, T to) {
  return *rc::gen::inRange(from, to);
}

template <class T>
T evenly(T from, T to) {
  return *alike(from, to);
}

template <class T>
T any() {
  return *rc::gen::arbitrary<T>();
}

template int number(int from, int to);
template unsigned number(unsigned from, unsigned to);
template char number(char from, char to);
template std::int64_t number(std::int64_t from, std::int64_t to);
template std::uint64_t number(std::uint64_t from, std::uint64_t to);
template int evenly(int from, int to);
template std::size_t evenly(std::size_t from, std::size_t to);
template bool any();
template std::uint32_t any();
template std::uint64_t any();
template std::string any();

std::size_t place(std::size_t count) {
  return *alike<std::size_t>(0, count).as("place, from 0, among " + std::to_string(count));
}

template <class T>
T shown_element(const T* first, std::size_t count) {
  return *rc::gen::map(alike<std::size_t>(0, count),
                       [all = std::vector<T>(first, first + count)](std::size_t i) { return all[i]; });
}

template int shown_element(const int* first, std::size_t count);
template std::int64_t shown_element(const std::int64_t* first, std::size_t count);
template std::uint64_t shown_element(const std::uint64_t* first, std::size_t count);
template double shown_element(const double* first, std::size_t count);
template std::string shown_element(const std::string* first, std::size_t count);

std::uint64_t bits() { return *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()); }

std::string text(const std::function<std::string()>& make) { return *rc::gen::exec(make); }

std::string letters(const std::string& alphabet) { return *rc::gen::container<std::string>(rc::gen::elementOf(alphabet)); }

Shown drawn_whole(const std::function<Shown()>& make) { return *rc::gen::exec(make).as("drawn together"); }

std::vector<Shown> drawn_list(const std::function<Shown()>& element, Least least, int size) {
  rc::Gen<std::vector<Shown>> all = rc::gen::container<std::vector<Shown>>(rc::gen::exec(element));
  if (least == Least::one) all = rc::gen::nonEmpty(std::move(all));
  if (size != kSizeOfCase) all = rc::gen::resize(size, std::move(all));
  return *all.as("list");
}

}  // namespace heddle::drawn

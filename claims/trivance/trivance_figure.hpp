// SPDX-License-Identifier: Apache-2.0
// One of Trivance's figures: its statements, checked one by one, sizes growing.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "claims/claim.hpp"
#include "claims/trivance/trivance_comparison.hpp"

namespace heddle::claims::trivance_parts {

/// Every statement is looked at twice: of the allreduce by itself and with the program's final barrier. It holds if it does so
/// both times; once, it holds under other assumptions, with the figures of both. Leads are read off figures: they agree within
/// five percentage points.
class Figure {
 public:
  /// `speeds`: flags of the run. `subject` stands before each size.
  Figure(Lab& lab, std::string topology, std::vector<std::string> families, std::string speeds = "--preset trivance",
         std::string subject = {});

  /// Who is fastest. `family`: or "another", which is any but Trivance.
  void first(std::string_view size, const std::string& family, const Unless& unless = {});
  /// Trivance is not behind `family` at one simulated size, and is so at the next: they cross in between.
  void overtaken(std::string_view size, std::string_view next, const std::string& family, const std::string& printed,
                 const Unless& unless = {});
  /// Another is as fast as Trivance.
  void level(std::string_view size, const std::string& family, const Unless& unless = {});
  /// By how many per cent another takes longer ("all others": the best of them).
  void lead(std::string_view size, const std::string& over, double printed, const Unless& unless = {});
  void lead_above(std::string_view size, const std::string& over, double printed, const Unless& unless = {});
  void lead_between(std::string_view size, double least, double most, const Unless& unless = {});
  /// The largest lead over all others at these sizes.
  void greatest_lead(std::initializer_list<std::string_view> sizes, double printed, const Unless& unless = {});

  std::vector<Finding> findings() { return std::move(findings_); }

 private:
  enum class Agreement { none, within, exact };
  struct Judged {
    Agreement agreement;
    std::string measured;
  };
  /// Of the standings at one size, with or without the barrier.
  using Judge = std::function<Judged(const std::vector<Standing>&)>;

  static Agreement near(double measured, double least, double most);
  const std::vector<Standing>& at(std::string_view size);
  void add(std::string_view size, std::string printed, const Judge& judge, const Unless& unless);
  void add(std::string subject, std::string_view size, std::string printed, const Judged& alone, const Judged& program,
           const Unless& unless);

  Comparison comparison_;
  std::string subject_;
  double barrier_;
  std::map<std::string, std::vector<Standing>, std::less<>> standings_;
  std::vector<Finding> findings_;
};

}  // namespace heddle::claims::trivance_parts

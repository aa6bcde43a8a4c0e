// SPDX-License-Identifier: Apache-2.0
// Families of allreduces beside each other on one fabric, as Trivance's figures show them: each by its better variant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "claims/claim.hpp"

namespace heddle::claims::trivance_parts {

/// One family's better variant at one size.
struct Standing {
  std::string family;   ///< "Trivance"
  char variant;         ///< 'L', 'B', or ' ' where there is only one
  double microseconds;  ///< of an allreduce
  bool at_least;        ///< not run at this size: it took so long at a smaller one already, where the first took a third of it
};

class Comparison {
 public:
  /// `speeds`: flags of the run, "--preset trivance". Families: of "Trivance", "Bruck", "Swing", "recursive doubling",
  /// "bucket".
  Comparison(Lab& lab, std::string topology, std::vector<std::string> families, std::string speeds = "--preset trivance");

  /// Sizes must be asked for from small to large: what cannot win any more is not run again. Trivance first, the others as
  /// given.
  std::vector<Standing> at(std::string_view size);

  /// "heddle run allreduce --algo … --size 1MiB …": all variants at one size.
  std::string command(std::string_view size) const;

 private:
  struct Variant {
    std::string algorithm;
    double last = 0;         ///< at the last size that it ran at
    bool is_beaten = false;  ///< by the family's other variant, from some size on
  };
  struct Family {
    std::string name;
    std::vector<Variant> variants;  ///< L before B

    const Variant& best() const;
  };

  std::string arguments(const std::string& algorithm, std::string_view size) const;
  /// Runs what may still be the better of each.
  void run(std::span<Family*> families, std::string_view size);

  Lab& lab_;
  std::string topology_;
  std::string speeds_;
  std::vector<Family> families_;
};

/// How much longer another takes than Trivance: 0.05 for 5 %.
double lead_over(const std::vector<Standing>& standings, std::string_view family);
/// Over the best of all others.
double lead_over_best(const std::vector<Standing>& standings);
/// Who is first.
std::string winner(const std::vector<Standing>& standings);
/// "Trivance 22.57 us (B); Swing +22.5 % (B), Bruck +31.9 % (B), …", the fastest first.
std::string describe(const std::vector<Standing>& standings);

}  // namespace heddle::claims::trivance_parts

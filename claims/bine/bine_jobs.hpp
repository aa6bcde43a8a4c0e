// SPDX-License-Identifier: Apache-2.0
// What Bine saves between the groups of real jobs (Figure 5, Tables 3 and 4): counted over the recorded jobs of Leonardo and LUMI.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "claims/bine/bine_claims.hpp"
#include "lab/studies/traffic.hpp"

namespace heddle::claims {

/// The first is the baseline.
struct AlgorithmPair {
  Collective collective;
  std::string baseline;
  std::string bine;
};

/// What the authors' traffic tracer compares for an allreduce.
AlgorithmPair tracers_pair();

struct JobSaving {
  const RecordedJob* job;
  double saving;  ///< 1 - (vectors of Bine's) / (vectors of the baseline), between groups
};

/// By number of nodes, powers of two from `least` to `most`: of the jobs that `selection` (`heddle traffic --placement jobs:…`)
/// takes. Numbers of which there are none are left out.
std::map<int, std::vector<JobSaving>> job_savings(const AlgorithmPair& pair, const std::string& selection, int least, int most);

Quartiles quartiles_of(const std::vector<JobSaving>& savings);
/// How many of them send more than the baseline.
int count_more(const std::vector<JobSaving>& savings);
/// "leonardo/14075154 (32 nodes)"
std::string to_text(const RecordedJob& job);

/// The `heddle traffic` command that counts them.
std::string job_command(const AlgorithmPair& pair, const std::string& selection, int least, int most);

/// In per cent and tenths, never -0.0.
double percent_value(double part);
/// "10.0 / 15.8 / 20.7 % less"
std::string quartiles_text(const Quartiles& of);

/// Figure 5, §2.4.2.
std::vector<Claim> bine_figure_5_claims();
/// The traffic columns of Tables 3 and 4.
std::vector<Claim> bine_table_claims();

}  // namespace heddle::claims

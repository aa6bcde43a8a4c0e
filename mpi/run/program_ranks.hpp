// SPDX-License-Identifier: Apache-2.0
// A whole MPI program as a program on heddle's ranks: a copy of its image for each.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heddle/communicator.hpp"
#include "mpi/image/places.hpp"
#include "mpi/image/program_copy.hpp"
#include "mpi/image/program_image.hpp"
#include "mpi/objects/world.hpp"
#include "process/child.hpp"

namespace heddle::mpi {

struct ProgramSettings {
  std::string path = {};
  std::vector<std::string> arguments = {};  ///< after the program's name
  int ranks = 1;
  bool guards_heap = false;
  WorldSettings world = {};  ///< place_text is the program's own
};

/// Loaded when it is made. Each rank's copy serves one run.
class ProgramRanks {
 public:
  /// Throws InputError for a program that `heddle mpicc` has not linked, ResourceError where the system has no room for so many copies.
  explicit ProgramRanks(ProgramSettings settings);
  ~ProgramRanks();
  ProgramRanks(const ProgramRanks&) = delete;
  ProgramRanks& operator=(const ProgramRanks&) = delete;

  /// Runs the program of this rank until it has ended. Throws what it failed with. Called once for each rank of one run.
  void run(Communicator& communicator);

  /// Once all ranks have ended: throws CheckError for what no rank's own failure says.
  void check() const;

  const ProgramImage& image() const { return image_; }
  /// Whether the program can read standard input, which is rank 0's.
  bool reads_input() const { return copies_.front()->program().close_input != nullptr; }
  World& world() { return *world_; }
  /// Where addresses of the ranks' copies are in the program's source.
  const Places& places() const { return places_; }
  /// The exit status of the lowest rank that did not end with 0; else 0. Once all ranks have ended.
  int exit_status() const;

 private:
  ProgramSettings settings_;
  ProgramImage image_;
  OpenFile empty_input_;  ///< what ranks above 0 read
  Places places_;
  std::unique_ptr<World> world_;
  std::vector<std::unique_ptr<ProgramCopy>> copies_;  ///< by rank
  std::vector<int> statuses_;
  std::vector<std::string> unfinished_;  ///< by rank: that it ended well, but without MPI_Finalize; else empty
};

}  // namespace heddle::mpi

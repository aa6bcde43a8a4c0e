// SPDX-License-Identifier: Apache-2.0
#include "net/mpi/open_mpi.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "heddle/errors.hpp"

namespace heddle::net {

namespace {

std::string file_of(const std::string& mpi) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string name = fmt::format("libheddle_mpi_{}.so", mpi);
  const std::vector<std::filesystem::path> places = {program.parent_path(), program.parent_path() / HEDDLE_MODULES_FROM_BIN};
  for (const std::filesystem::path& place : places)
    if (std::filesystem::exists(place / name, error)) return (place / name).lexically_normal();
  throw InputError(
      fmt::format("{} started this process, but heddle was built without it: {} is not in {}; build heddle where {} is "
                  "installed",
                  mpi == "openmpi" ? "Open MPI" : "MPICH", name, places.front().string(),
                  mpi == "openmpi" ? "libopenmpi-dev" : "libmpich-dev"));
}

template <class Function>
Function symbol_of(void* library, const char* name, const std::string& file) {
  if (void* const symbol = dlsym(library, name)) return reinterpret_cast<Function>(symbol);
  throw InputError(fmt::format("{} is no library of heddle's for an MPI: it has no {}", file, name));
}

}  // namespace

std::string started_by() {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return "openmpi";
  if (std::getenv("PMI_SIZE") != nullptr || std::getenv("PMI_RANK") != nullptr) return "mpich";
  return "";
}

std::unique_ptr<Transport> open_mpi(const std::string& library) {
  const std::string mpi = started_by();
  if (mpi.empty() && library.empty())
    throw InputError("no MPI started this process: start it with an MPI's launcher, as in mpirun -n 4 heddle …");
  const std::string file = library.empty() ? file_of(mpi) : library;
  // Global: the MPI loads parts of its own that look for its symbols.
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) throw InputError(fmt::format("{} cannot be loaded: {}", file, dlerror()));
  const int interface = symbol_of<MpiModuleInterface>(handle, kMpiModuleInterfaceName, file)();
  if (interface != kMpiModuleInterface)
    throw InputError(
        fmt::format("{} has interface {}, this heddle takes {}: build it again", file, interface, kMpiModuleInterface));
  return std::unique_ptr<Transport>(symbol_of<MpiModuleOpen>(handle, kMpiModuleOpenName, file)());
}

}  // namespace heddle::net

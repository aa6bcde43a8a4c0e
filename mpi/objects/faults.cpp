// SPDX-License-Identifier: Apache-2.0
#include "mpi/objects/faults.hpp"

#include <ucontext.h>

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "core/fault_taker.hpp"
#include "heddle/errors.hpp"
#include "mpi/image/program_copy.hpp"
#include "mpi/objects/process.hpp"

namespace heddle::mpi {

namespace {

struct Fault {
  int signal = 0;
  int code = 0;
  std::uintptr_t address = 0;
  bool writes = false;
  const void* place = nullptr;  ///< what a call there would return to
};

// Of the thread that it happened on, until that goes on.
constinit thread_local Fault fault = {};

std::string address_text(std::uintptr_t address) {
  constexpr std::uintptr_t kLeastMapped = 65536;
  static const auto in_place = reinterpret_cast<std::uintptr_t>(MPI_IN_PLACE);
  if (address == 0) return "a null pointer";
  if (address == in_place) return "MPI_IN_PLACE, which is no buffer";
  return fmt::format(
      "address {:#x}{}", address,
      address < kLeastMapped ? fmt::format(", a null pointer or MPI_IN_PLACE ({:#x}) and an offset", in_place) : "");
}

std::string fault_text(const World& world) {
  const std::string place = world.place_text(fault.place);
  const std::string where = place.empty() ? std::string() : " at " + place;
  switch (fault.signal) {
    case SIGFPE:
      return (fault.code == FPE_INTDIV ? "division by zero" : "arithmetic fault (SIGFPE)") + where;
    case SIGILL:
      return "illegal instruction (SIGILL)" + where;
    default:
      break;
  }
  const std::string name = fault.signal == SIGBUS ? "bus error (SIGBUS)" : "segmentation fault (SIGSEGV)";
  // The processor does not say which address it was that is none.
  if (fault.code != SEGV_MAPERR && fault.code != SEGV_ACCERR)
    return fmt::format("{}{}: it uses an address that is none", name, where);
  return fmt::format("{}{}: it {} {}", name, where, fault.writes ? "writes to" : "reads from", address_text(fault.address));
}

/// Where the program goes on.
[[noreturn]] void end_rank() {
  Process& process = *Process::current();
  process.fail(std::make_exception_ptr(UsageError(fault_text(process.world()))));
}

#if defined(__x86_64__) || defined(__aarch64__)

TakenFault take(int signal, const siginfo_t& info, void* context, int rank) {
  const Process* const process = Process::current();
  // While a rank is in a call of MPI, the current one may be another.
  if (process == nullptr || process->run_rank() != rank) return {};
  mcontext_t& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  const auto pc = static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
  const auto stack = static_cast<std::uintptr_t>(machine.gregs[REG_RSP]);
  // A function that has pushed nothing yet, as memcpy never does, has its caller there.
  const std::uintptr_t caller = *reinterpret_cast<const std::uintptr_t*>(stack);
  constexpr std::uintptr_t kWrites = 2;
  fault.writes = (static_cast<std::uintptr_t>(machine.gregs[REG_ERR]) & kWrites) != 0;
#else
  const auto pc = static_cast<std::uintptr_t>(machine.pc);
  const auto stack = static_cast<std::uintptr_t>(machine.sp);
  const auto caller = static_cast<std::uintptr_t>(machine.regs[30]);
  fault.writes = false;
#endif
  // Elsewhere locks may be held: in heddle, and in libc.
  const auto is_program = [process](std::uintptr_t address) {
    return process->program_copy != nullptr && process->program_copy->contains(reinterpret_cast<const void*>(address));
  };
  if (!is_program(pc) && !is_program(caller)) return {.called = process->site_name()};
  fault.signal = signal;
  fault.code = info.si_code;
  fault.address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  fault.place = reinterpret_cast<const void*>(is_program(pc) ? pc + 1 : caller);
  // Below what a function may use without moving its stack pointer, and as after a call.
  constexpr std::uintptr_t kRedZone = 128;
  const std::uintptr_t top = (stack - kRedZone) & ~std::uintptr_t{15};
  const auto end = reinterpret_cast<std::uintptr_t>(&end_rank);
#if defined(__x86_64__)
  constexpr long long kDirectionFlag = 0x400;
  machine.gregs[REG_RSP] = static_cast<greg_t>(top - sizeof(std::uintptr_t));
  *reinterpret_cast<std::uintptr_t*>(top - sizeof(std::uintptr_t)) = pc;
  machine.gregs[REG_RIP] = static_cast<greg_t>(end);
  machine.gregs[REG_EFL] &= ~kDirectionFlag;
#else
  machine.sp = top;
  machine.pc = end;
#endif
  return {.goes_on = true};
}

#else

TakenFault take(int, const siginfo_t&, void*, int) { return {}; }

#endif

}  // namespace

void take_faults_of_programs() { let_take_faults(take); }

}  // namespace heddle::mpi

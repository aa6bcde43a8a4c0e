// SPDX-License-Identifier: Apache-2.0
// What a file of machine code says of itself (ELF, 64 bits, this machine's), as far as copies of it need that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::mpi {

/// A range of the file that the loader maps. In bytes.
struct ElfSegment {
  std::uint64_t offset;       ///< in the file
  std::uint64_t file_size;    ///< of what comes from the file
  std::uint64_t address;      ///< from the base that it is loaded at
  std::uint64_t memory_size;  ///< what is more than the file has is zero
  bool is_writable;
  bool is_executable;
};

/// A function, and how far behind its start an address lies.
struct ElfFunction {
  std::string name;  ///< as the linker knows it: C++'s names are mangled
  std::uint64_t offset;
};

/// Reads all of the file when it is made, and does not change. Several threads may ask at a time.
class ElfFile {
 public:
  enum class Kind : std::uint8_t { shared_object, position_independent_program, program };

  /// Throws InputError if it cannot be read, is no such file, or is damaged.
  explicit ElfFile(std::string path);
  ElfFile(const ElfFile&) = delete;  // functions have their names in bytes()
  ElfFile& operator=(const ElfFile&) = delete;

  const std::string& path() const { return path_; }
  std::span<const std::byte> bytes() const { return bytes_; }
  Kind kind() const { return kind_; }
  const std::vector<ElfSegment>& segments() const { return segments_; }  ///< by address
  /// What becomes read-only once it is loaded; sizes of 0: nothing.
  const ElfSegment& protected_after_loading() const { return protected_; }

  const std::vector<std::string>& needed() const { return needed_; }            ///< libraries
  const std::vector<std::string>& library_folders() const { return folders_; }  ///< where the loader looks for them first
  const std::vector<std::string>& undefined() const { return undefined_; }      ///< functions and variables that others have
  bool defines(const std::string& name) const;                                  ///< for others to see
  bool has_thread_locals() const { return has_thread_locals_; }
  bool has_initial_exec_locals() const { return has_initial_exec_locals_; }  ///< of which there is little room in a process
  bool has_text_relocations() const { return has_text_relocations_; }        ///< code that differs from copy to copy
  std::uint64_t constructors() const { return constructors_; }               ///< the compiler's own one included
  /// Variables of libraries that an executable has in itself: the loader copies what the library has.
  const std::vector<std::string>& copied_variables() const { return copied_variables_; }
  /// Places in bytes() of the entries that say that it is an executable: the loader loads none that has one.
  const std::vector<std::size_t>& program_marks() const { return program_marks_; }
  /// Places in bytes() of the information byte of each symbol that the loader would make one of in the whole process.
  const std::vector<std::size_t>& unique_symbols() const { return unique_symbols_; }
  /// The function that has the code at this address from the base, static ones included unless the file is stripped of them.
  std::optional<ElfFunction> function_at(std::uint64_t address) const;

 private:
  struct Function {
    std::uint64_t start;
    std::uint64_t size;
    const char* name;
  };

  template <class T>
  T at(std::uint64_t offset) const;  // Throws if it is not in the file.
  template <class T>
  std::vector<T> table(std::uint64_t offset, std::uint64_t size) const;
  const char* text(std::uint64_t offset, std::uint64_t end) const;
  [[noreturn]] void refuse(const std::string& why) const;
  void read_segments();
  void read_dynamic(std::uint64_t offset, std::uint64_t size);
  void read_symbols();
  void read_copied_variables();

  std::string path_;
  std::vector<std::byte> bytes_;
  Kind kind_ = Kind::shared_object;
  std::vector<ElfSegment> segments_;
  ElfSegment protected_{};
  std::vector<std::string> needed_, folders_, undefined_, defined_;  // the last two are sorted
  std::vector<std::string> copied_variables_;                        // sorted
  std::vector<std::size_t> program_marks_, unique_symbols_;
  std::vector<Function> functions_;  // by start
  bool has_thread_locals_ = false;
  bool has_initial_exec_locals_ = false;
  bool has_text_relocations_ = false;
  std::uint64_t constructors_ = 0;
};

}  // namespace heddle::mpi

// SPDX-License-Identifier: Apache-2.0
#include "mpi/image/elf_file.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/read_file.hpp"
#include "heddle/errors.hpp"

namespace heddle::mpi {

namespace {

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
constexpr std::uint64_t kCopy = R_X86_64_COPY;
#elif defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
constexpr std::uint64_t kCopy = R_AARCH64_COPY;
#else
constexpr Elf64_Half kMachine = EM_NONE;
constexpr std::uint64_t kCopy = ~std::uint64_t{0};
#endif

std::vector<std::string> folders_of(std::string_view list) {
  std::vector<std::string> folders;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (end > 0) folders.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return folders;
}

}  // namespace

ElfFile::ElfFile(std::string path) : path_(std::move(path)) {
  std::string text;
  try {
    text = read_file(path_);
  } catch (const ResourceError&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path_, error.what()));
  }
  if (!text.starts_with(ELFMAG)) {
    throw InputError(fmt::format("{}: {}, not a compiled program; compile it with heddle mpicc", path_,
                                 text.starts_with("#!") ? "a script" : "not machine code"));
  }
  bytes_.resize(text.size());
  std::memcpy(bytes_.data(), text.data(), text.size());
  read_segments();
  read_symbols();
  if (kind_ != Kind::shared_object) read_copied_variables();
}

void ElfFile::refuse(const std::string& why) const { throw InputError(fmt::format("{}: {}", path_, why)); }

template <class T>
T ElfFile::at(std::uint64_t offset) const {
  if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T))
    refuse("damaged: it ends before what it names; compile it again");
  T value;
  std::memcpy(&value, bytes_.data() + offset, sizeof(T));
  return value;
}

template <class T>
std::vector<T> ElfFile::table(std::uint64_t offset, std::uint64_t size) const {
  if (offset > bytes_.size() || bytes_.size() - offset < size)
    refuse("damaged: it ends before what it names; compile it again");
  std::vector<T> entries(size / sizeof(T));
  if (!entries.empty()) std::memcpy(entries.data(), bytes_.data() + offset, entries.size() * sizeof(T));
  return entries;
}

const char* ElfFile::text(std::uint64_t offset, std::uint64_t end) const {
  end = std::min<std::uint64_t>(end, bytes_.size());
  const void* const zero = offset < end ? std::memchr(bytes_.data() + offset, 0, end - offset) : nullptr;
  if (zero == nullptr) refuse("damaged: a name does not end; compile it again");
  return reinterpret_cast<const char*>(bytes_.data() + offset);
}

void ElfFile::read_segments() {
  const auto header = at<Elf64_Ehdr>(0);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != kMachine)
    refuse("compiled for another machine than this one");
  if (header.e_type != ET_DYN && header.e_type != ET_EXEC) refuse("not linked; link it with heddle mpicc");
  if (header.e_type == ET_EXEC) kind_ = Kind::program;
  std::uint64_t dynamic = 0, dynamic_size = 0;
  for (const auto& entry : table<Elf64_Phdr>(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr))) {
    const ElfSegment segment{
        entry.p_offset, entry.p_filesz, entry.p_vaddr, entry.p_memsz, (entry.p_flags & PF_W) != 0, (entry.p_flags & PF_X) != 0};
    if (entry.p_type == PT_LOAD) {
      if (segment.offset > bytes_.size() || segment.file_size > bytes_.size() - segment.offset ||
          segment.memory_size < segment.file_size || segment.address + segment.memory_size < segment.address) {
        refuse("damaged: a segment is not in it; compile it again");
      }
      segments_.push_back(segment);
    }
    if (entry.p_type == PT_TLS) has_thread_locals_ = true;
    if (entry.p_type == PT_GNU_RELRO) protected_ = segment;
    if (entry.p_type == PT_DYNAMIC) dynamic = entry.p_offset, dynamic_size = entry.p_filesz;
  }
  std::ranges::sort(segments_, {}, &ElfSegment::address);
  read_dynamic(dynamic, dynamic_size);
}

void ElfFile::read_dynamic(std::uint64_t offset, std::uint64_t size) {
  // Addresses of tables are addresses in memory.
  const auto in_file = [&](std::uint64_t address) {
    for (const ElfSegment& segment : segments_) {
      if (address >= segment.address && address - segment.address < segment.file_size)
        return address - segment.address + segment.offset;
    }
    refuse("damaged: its tables are not loaded; compile it again");
  };
  const auto entries = table<Elf64_Dyn>(offset, size);
  std::uint64_t names = 0, names_size = 0, place = offset;
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_STRTAB) names = in_file(entry.d_un.d_ptr);
    if (entry.d_tag == DT_STRSZ) names_size = entry.d_un.d_val;
    if (entry.d_tag == DT_INIT_ARRAYSZ) constructors_ = entry.d_un.d_val / sizeof(Elf64_Addr);
    if (entry.d_tag == DT_TEXTREL) has_text_relocations_ = true;
    if (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL) != 0) has_text_relocations_ = true;
    if (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_STATIC_TLS) != 0) has_initial_exec_locals_ = true;
    if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE) != 0) {
      kind_ = Kind::position_independent_program;
      program_marks_.push_back(place + offsetof(Elf64_Dyn, d_un));
    }
    place += sizeof(Elf64_Dyn);
  }
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_RUNPATH && entry.d_tag != DT_RPATH) continue;
    const char* const value = text(names + entry.d_un.d_val, names + names_size);
    if (entry.d_tag == DT_NEEDED) {
      needed_.emplace_back(value);
    } else {
      folders_ = folders_of(value);
    }
  }
}

void ElfFile::read_symbols() {
  const auto header = at<Elf64_Ehdr>(0);
  const auto sections = table<Elf64_Shdr>(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr));
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_SYMTAB) continue;
    if (section.sh_link >= sections.size()) refuse("damaged: symbols without names; compile it again");
    const Elf64_Shdr& names = sections[section.sh_link];
    std::uint64_t place = section.sh_offset;
    for (const auto& symbol : table<Elf64_Sym>(section.sh_offset, section.sh_size)) {
      const unsigned type = ELF64_ST_TYPE(symbol.st_info), binding = ELF64_ST_BIND(symbol.st_info);
      const bool is_defined = symbol.st_shndx != SHN_UNDEF;
      if (section.sh_type == SHT_DYNSYM && symbol.st_name != 0) {
        (is_defined ? defined_ : undefined_)
            .emplace_back(text(names.sh_offset + symbol.st_name, names.sh_offset + names.sh_size));
        if (binding == STB_GNU_UNIQUE) unique_symbols_.push_back(place + offsetof(Elf64_Sym, st_info));
      }
      if (is_defined && type == STT_FUNC && symbol.st_size > 0) {
        functions_.push_back(
            {symbol.st_value, symbol.st_size, text(names.sh_offset + symbol.st_name, names.sh_offset + names.sh_size)});
      }
      place += sizeof(Elf64_Sym);
    }
  }
  std::ranges::sort(undefined_);
  std::ranges::sort(defined_);
  std::ranges::stable_sort(functions_, {}, &Function::start);
}

void ElfFile::read_copied_variables() {
  const auto header = at<Elf64_Ehdr>(0);
  const auto sections = table<Elf64_Shdr>(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr));
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_RELA || section.sh_link >= sections.size()) continue;
    const Elf64_Shdr& symbols = sections[section.sh_link];
    if (symbols.sh_type != SHT_DYNSYM || symbols.sh_link >= sections.size()) continue;
    const Elf64_Shdr& names = sections[symbols.sh_link];
    for (const auto& entry : table<Elf64_Rela>(section.sh_offset, section.sh_size)) {
      if (ELF64_R_TYPE(entry.r_info) != kCopy) continue;
      const auto symbol = at<Elf64_Sym>(symbols.sh_offset + ELF64_R_SYM(entry.r_info) * sizeof(Elf64_Sym));
      copied_variables_.emplace_back(text(names.sh_offset + symbol.st_name, names.sh_offset + names.sh_size));
    }
  }
  std::ranges::sort(copied_variables_);
}

bool ElfFile::defines(const std::string& name) const { return std::ranges::binary_search(defined_, name); }

std::optional<ElfFunction> ElfFile::function_at(std::uint64_t address) const {
  auto after = std::ranges::upper_bound(functions_, address, {}, &Function::start);
  if (after == functions_.begin()) return std::nullopt;
  const Function& function = *--after;
  if (address - function.start >= function.size) return std::nullopt;
  return ElfFunction{function.name, address - function.start};
}

}  // namespace heddle::mpi

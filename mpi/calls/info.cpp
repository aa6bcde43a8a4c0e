// SPDX-License-Identifier: Apache-2.0
// Info objects, which hold hints (MPI 5.0, chapter 10).
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "mpi/calls/calls.hpp"
#include "mpi/calls/requests.hpp"

namespace heddle::mpi {

namespace {

int info_create(const void* place, MPI_Info* to) {
  return serve("MPI_Info_create", place, Call::Kind::anytime,
               [&](Process& process) { process.given(to, "info") = process.infos.add(std::make_unique<InfoObject>()); });
}
int info_dup(const void* place, MPI_Info info, MPI_Info* to) {
  return serve("MPI_Info_dup", place, Call::Kind::anytime, [&](Process& process) {
    process.given(to, "info") = process.infos.add(std::make_unique<InfoObject>(process.find(info)));
  });
}
int info_free(const void* place, MPI_Info* info) {
  return serve("MPI_Info_free", place, Call::Kind::anytime, [&](Process& process) {
    process.require(info, "info");
    if (*info == MPI_INFO_ENV) process.refuse(MPI_ERR_INFO, "MPI_INFO_ENV is MPI's own, and stays");
    process.find(*info);
    process.infos.take(std::exchange(*info, MPI_INFO_NULL));
  });
}

auto entry(InfoObject& info, std::string_view key) {
  return std::ranges::find(info.entries, key, &std::pair<std::string, std::string>::first);
}

void check_text(Process& process, const char* text, std::size_t most, int error, const char* what) {
  const std::size_t length = text == nullptr ? 0 : std::strlen(text);
  if (length == 0 && error == MPI_ERR_INFO_KEY) process.refuse(error, fmt::format("the {} is empty", what));
  if (length > most) process.refuse(error, fmt::format("the {} has {} characters, at most {}", what, length, most));
}

int info_set(const void* place, MPI_Info info, const char* key, const char* value) {
  return serve("MPI_Info_set", place, Call::Kind::anytime, [&](Process& process) {
    InfoObject& of = process.find(info);
    check_text(process, key, MPI_MAX_INFO_KEY - 1, MPI_ERR_INFO_KEY, "key");
    process.require(value, "value");
    check_text(process, value, MPI_MAX_INFO_VAL - 1, MPI_ERR_INFO_VALUE, "value");
    if (const auto found = entry(of, key); found != of.entries.end())
      found->second = value;
    else
      of.entries.emplace_back(key, value);
  });
}
int info_delete(const void* place, MPI_Info info, const char* key) {
  return serve("MPI_Info_delete", place, Call::Kind::anytime, [&](Process& process) {
    InfoObject& of = process.find(info);
    process.require(key, "key");
    const auto found = entry(of, key);
    if (found == of.entries.end()) process.refuse(MPI_ERR_INFO_NOKEY, fmt::format("the info has no key \"{}\"", key));
    of.entries.erase(found);
  });
}
int info_get_string(const void* place, MPI_Info info, const char* key, int* room, char* value, int* flag) {
  return serve("MPI_Info_get_string", place, Call::Kind::anytime, [&](Process& process) {
    InfoObject& of = process.find(info);
    process.require(key, "key");
    process.require(flag, "flag");
    process.require(room, "length");
    if (*room > 0) process.require(value, "value");
    const auto found = entry(of, key);
    *flag = found == of.entries.end() ? 0 : 1;
    if (*flag == 0) return;
    int length = 0;
    if (*room > 0) give_text(found->second, static_cast<std::size_t>(*room), value, &length);
    *room = static_cast<int>(found->second.size()) + 1;
  });
}
int info_get(const void* place, MPI_Info info, const char* key, int length, char* value, int* flag) {
  return serve("MPI_Info_get", place, Call::Kind::anytime, [&](Process& process) {
    InfoObject& of = process.find(info);
    process.require(key, "key");
    process.require(flag, "flag");
    process.require(value, "value");
    const auto found = entry(of, key);
    *flag = found == of.entries.end() ? 0 : 1;
    int written = 0;
    if (*flag != 0) give_text(found->second, static_cast<std::size_t>(std::max(0, length)) + 1, value, &written);
  });
}
int info_get_valuelen(const void* place, MPI_Info info, const char* key, int* length, int* flag) {
  return serve("MPI_Info_get_valuelen", place, Call::Kind::anytime, [&](Process& process) {
    InfoObject& of = process.find(info);
    process.require(key, "key");
    process.require(flag, "flag");
    process.require(length, "length");
    const auto found = entry(of, key);
    *flag = found == of.entries.end() ? 0 : 1;
    if (*flag != 0) *length = static_cast<int>(found->second.size());
  });
}
int info_get_nkeys(const void* place, MPI_Info info, int* count) {
  return serve("MPI_Info_get_nkeys", place, Call::Kind::anytime,
               [&](Process& process) { process.given(count, "count") = static_cast<int>(process.find(info).entries.size()); });
}
int info_get_nthkey(const void* place, MPI_Info info, int n, char* key) {
  return serve("MPI_Info_get_nthkey", place, Call::Kind::anytime, [&](Process& process) {
    process.require(key, "key");
    const InfoObject& of = process.find(info);
    if (n < 0 || static_cast<std::size_t>(n) >= of.entries.size())
      process.refuse(MPI_ERR_ARG, fmt::format("key {} of {}", n, of.entries.size()));
    int length = 0;
    give_text(of.entries[static_cast<std::size_t>(n)].first, MPI_MAX_INFO_KEY, key, &length);
  });
}

}  // namespace

void add_info_calls(heddle_mpi_functions& table) {
  table.Info_create = info_create, table.Info_dup = info_dup, table.Info_free = info_free;
  table.Info_set = info_set, table.Info_delete = info_delete, table.Info_get = info_get,
  table.Info_get_string = info_get_string;
  table.Info_get_valuelen = info_get_valuelen, table.Info_get_nkeys = info_get_nkeys, table.Info_get_nthkey = info_get_nthkey;
}

}  // namespace heddle::mpi

// SPDX-License-Identifier: Apache-2.0
// What a program keeps with communicators and types: attributes and names (MPI 5.0, §7.7 and §7.8).
#include <limits>

#include <fmt/format.h>

#include "mpi/calls/calls.hpp"
#include "mpi/objects/process.hpp"

namespace heddle::mpi {

// ---- copies and ends of attributes ----

namespace {

constexpr int kDuplicates = 1;  ///< MPI_COMM_DUP_FN and MPI_TYPE_DUP_FN are this number, not a function

template <class Function>
bool is_ready(Function* function, int number) {
  return reinterpret_cast<std::uintptr_t>(function) == static_cast<std::uintptr_t>(number);
}

template <class Mpi, class Function>
void copy_with(Process& process, Mpi of, int key, void* value, void* extra_state, Function* function, Attributes& to) {
  if (function == nullptr) return;
  if (is_ready(function, kDuplicates)) {
    to.set(key, value);
    return;
  }
  void* copy = nullptr;
  int is_copied = 0;
  process.become_current();
  if (const int code = function(of, key, extra_state, value, &copy, &is_copied); code != MPI_SUCCESS)
    process.refuse(code, fmt::format("the function that copies attribute {} returned {}", key, code));
  if (is_copied != 0) to.set(key, copy);
}

template <class Mpi, class Function>
void delete_with(Process& process, Mpi of, int key, void* value, void* extra_state, Function* function) {
  if (function == nullptr) return;
  process.become_current();
  if (const int code = function(of, key, value, extra_state); code != MPI_SUCCESS)
    process.refuse(code, fmt::format("the function that deletes attribute {} returned {}", key, code));
}

}  // namespace

void Process::copy_attributes(MPI_Comm of, const Attributes& from, Attributes& to) {
  for (const auto& [key, value] : from) copy_with(*this, of, key, value, keys[key].extra_state, keys[key].copy, to);
}
void Process::copy_attributes(MPI_Datatype of, const Attributes& from, Attributes& to) {
  for (const auto& [key, value] : from) copy_with(*this, of, key, value, keys[key].extra_state, keys[key].copy_type, to);
}
void Process::delete_attributes(MPI_Comm of, Attributes& attributes) {
  while (!attributes.empty()) {
    const auto [key, value] = attributes.last();
    delete_with(*this, of, key, value, keys[key].extra_state, keys[key].remove);
    attributes.erase(key);
  }
}
void Process::delete_attributes(MPI_Datatype of, Attributes& attributes) {
  while (!attributes.empty()) {
    const auto [key, value] = attributes.last();
    delete_with(*this, of, key, value, keys[key].extra_state, keys[key].remove_type);
    attributes.erase(key);
  }
}

namespace {

// ---- keys ----

int create_key(const char* function, const void* place, const Process::Key& key, int* to) {
  return serve(function, place, MPI_COMM_NULL, [&](Process& process) {
    *to = process.next_key++;
    process.keys[*to] = key;
  });
}
int comm_create_keyval(const void* place, MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* remove, int* key,
                       void* extra) {
  return create_key("MPI_Comm_create_keyval", place, {.copy = copy, .remove = remove, .extra_state = extra}, key);
}
int keyval_create(const void* place, MPI_Copy_function* copy, MPI_Delete_function* remove, int* key, void* extra) {
  return create_key("MPI_Keyval_create", place, {.copy = copy, .remove = remove, .extra_state = extra}, key);
}
int type_create_keyval(const void* place, MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* remove, int* key,
                       void* extra) {
  return create_key("MPI_Type_create_keyval", place,
                    {.copy_type = copy, .remove_type = remove, .extra_state = extra, .is_of_types = true}, key);
}

Process::Key& find_key(Process& process, int key, bool is_of_types) {
  const auto place = process.keys.find(key);
  if (place == process.keys.end() || place->second.is_of_types != is_of_types)
    process.refuse(MPI_ERR_KEYVAL, fmt::format("{} is no key of this kind", key));
  return place->second;
}

template <bool kOfTypes>
int free_key(const void* place, int* key) {
  return serve(kOfTypes ? "MPI_Type_free_keyval" : "MPI_Comm_free_keyval", place, MPI_COMM_NULL, [&](Process& process) {
    find_key(process, *key, kOfTypes).is_free = true;
    *key = MPI_KEYVAL_INVALID;
  });
}

// ---- attributes of communicators. MPI has some of its own ----

/// What MPI_Comm_get_attr gives a pointer to.
int* predefined_attribute(int key) {
  static int tag_bound = std::numeric_limits<int>::max();
  static int any_rank = MPI_ANY_SOURCE;  // every rank may write
  static int yes = 1;
  static int no_process = MPI_PROC_NULL;
  switch (key) {
    case MPI_TAG_UB:
      return &tag_bound;
    case MPI_IO:
      return &any_rank;
    case MPI_HOST:
      return &no_process;
    case MPI_WTIME_IS_GLOBAL:
      return &yes;
    default:
      return nullptr;
  }
}

int comm_get_attr(const void* place, MPI_Comm comm, int key, void* value, int* flag) {
  return serve("MPI_Comm_get_attr", place, comm, [&](Process& process) {
    const CommunicatorPtr on = process.find(comm);
    *flag = 1;
    if (int* const own = predefined_attribute(key)) {
      *static_cast<int**>(value) = own;
      return;
    }
    if (key == MPI_UNIVERSE_SIZE || key == MPI_APPNUM || key == MPI_LASTUSEDCODE) {
      process.own_attributes = {process.communicator().size(), 0, process.last_error_code};
      *static_cast<int**>(value) = &process.own_attributes[key == MPI_UNIVERSE_SIZE ? 0 : key == MPI_APPNUM ? 1 : 2];
      return;
    }
    find_key(process, key, false);
    const auto found = on->attributes.find(key);
    *flag = found == on->attributes.end() ? 0 : 1;
    if (*flag != 0) *static_cast<void**>(value) = found->second;
  });
}

template <class Mpi, class Set>
void set_attribute(Process& process, Mpi of, int key, void* value, Attributes& attributes, const Set& remove) {
  if (find_key(process, key, std::is_same_v<Mpi, MPI_Datatype>).is_free)
    process.refuse(MPI_ERR_KEYVAL, fmt::format("key {} has been freed", key));
  if (const auto old = attributes.find(key); old != attributes.end()) remove(of, old->second);
  attributes.set(key, value);
}

int comm_set_attr(const void* place, MPI_Comm comm, int key, void* value) {
  return serve("MPI_Comm_set_attr", place, comm, [&](Process& process) {
    if (predefined_attribute(key) != nullptr) process.refuse(MPI_ERR_KEYVAL, "the attribute is MPI's own");
    const CommunicatorPtr on = process.find(comm);
    set_attribute(process, comm, key, value, on->attributes, [&](MPI_Comm of, void* old) {
      delete_with(process, of, key, old, process.keys[key].extra_state, process.keys[key].remove);
    });
  });
}

int comm_delete_attr(const void* place, MPI_Comm comm, int key) {
  return serve("MPI_Comm_delete_attr", place, comm, [&](Process& process) {
    const CommunicatorPtr on = process.find(comm);
    const Process::Key& of = find_key(process, key, false);
    const auto found = on->attributes.find(key);
    if (found == on->attributes.end()) process.refuse(MPI_ERR_KEYVAL, fmt::format("the communicator has no attribute {}", key));
    delete_with(process, comm, key, found->second, of.extra_state, of.remove);
    on->attributes.erase(key);
  });
}

// ---- attributes of types ----

int type_get_attr(const void* place, MPI_Datatype type, int key, void* value, int* flag) {
  return serve("MPI_Type_get_attr", place, MPI_COMM_NULL, [&](Process& process) {
    const DatatypeObject& of = process.find(type);
    find_key(process, key, true);
    const auto found = of.attributes.find(key);
    *flag = found == of.attributes.end() ? 0 : 1;
    if (*flag != 0) *static_cast<void**>(value) = found->second;
  });
}
int type_set_attr(const void* place, MPI_Datatype type, int key, void* value) {
  return serve("MPI_Type_set_attr", place, MPI_COMM_NULL, [&](Process& process) {
    set_attribute(process, type, key, value, process.find(type).attributes, [&](MPI_Datatype of, void* old) {
      delete_with(process, of, key, old, process.keys[key].extra_state, process.keys[key].remove_type);
    });
  });
}
int type_delete_attr(const void* place, MPI_Datatype type, int key) {
  return serve("MPI_Type_delete_attr", place, MPI_COMM_NULL, [&](Process& process) {
    DatatypeObject& of = process.find(type);
    const Process::Key& known = find_key(process, key, true);
    const auto found = of.attributes.find(key);
    if (found == of.attributes.end()) process.refuse(MPI_ERR_KEYVAL, fmt::format("the type has no attribute {}", key));
    delete_with(process, type, key, found->second, known.extra_state, known.remove_type);
    of.attributes.erase(key);
  });
}

// ---- names ----

int comm_set_name(const void* place, MPI_Comm comm, const char* name) {
  return serve("MPI_Comm_set_name", place, comm, [&](Process& process) { process.find(comm)->name = name; });
}
int comm_get_name(const void* place, MPI_Comm comm, char* name, int* length) {
  return serve("MPI_Comm_get_name", place, comm, [&](Process& process) {
    give_text(comm == MPI_COMM_NULL ? "MPI_COMM_NULL" : process.find(comm)->name, MPI_MAX_OBJECT_NAME,
              &process.given(name, "name"), &process.given(length, "length"));
  });
}
int type_set_name(const void* place, MPI_Datatype type, const char* name) {
  return serve("MPI_Type_set_name", place, MPI_COMM_NULL, [&](Process& process) { process.find(type).name = name; });
}
int type_get_name(const void* place, MPI_Datatype type, char* name, int* length) {
  return serve("MPI_Type_get_name", place, MPI_COMM_NULL, [&](Process& process) {
    give_text(type == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : process.find(type).name, MPI_MAX_OBJECT_NAME,
              &process.given(name, "name"), &process.given(length, "length"));
  });
}

}  // namespace

void add_attribute_calls(heddle_mpi_functions& table) {
  table.Comm_create_keyval = comm_create_keyval, table.Comm_free_keyval = free_key<false>;
  table.Keyval_create = keyval_create, table.Keyval_free = free_key<false>;
  table.Comm_get_attr = comm_get_attr, table.Comm_set_attr = comm_set_attr, table.Comm_delete_attr = comm_delete_attr;
  table.Attr_get = comm_get_attr, table.Attr_put = comm_set_attr, table.Attr_delete = comm_delete_attr;
  table.Type_create_keyval = type_create_keyval, table.Type_free_keyval = free_key<true>;
  table.Type_get_attr = type_get_attr, table.Type_set_attr = type_set_attr, table.Type_delete_attr = type_delete_attr;
  table.Comm_set_name = comm_set_name, table.Comm_get_name = comm_get_name;
  table.Type_set_name = type_set_name, table.Type_get_name = type_get_name;
}

}  // namespace heddle::mpi

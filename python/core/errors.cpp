// SPDX-License-Identifier: Apache-2.0
// Errors by their kind: heddle/errors.py has the classes, of C++'s names.
#include "heddle/errors.hpp"

#include <array>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "lab/documents/failure_facts.hpp"
#include "python/core/bindings.hpp"
#include "python/core/stop.hpp"

namespace heddle::python {

namespace {

void raise(const char* name, const char* text) {
  const py::object type = py::module_::import("heddle.errors").attr(name);
  PyErr_SetString(type.ptr(), text);
}

void raise_check(const CheckError& error) {
  const nlohmann::ordered_json json = error.failure();
  const py::object raised = py::module_::import("heddle.errors").attr("_check_error")(line_text(json));
  PyErr_SetObject(py::type::of(raised).ptr(), raised.ptr());
}

}  // namespace

std::string line_text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void add_errors(py::module_& /*module*/) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    if (!thrown) return;
    try {
      std::rethrow_exception(thrown);
    } catch (const CheckError& error) {
      raise_check(error);
    } catch (const OutOfMemory& error) {
      raise("OutOfMemory", error.what());
    } catch (const ResourceError& error) {
      raise("ResourceError", error.what());
    } catch (const InputError& error) {
      raise("InputError", error.what());
    } catch (const OutputError& error) {
      raise("OutputError", error.what());
    } catch (const UsageError& error) {
      raise("UsageError", error.what());
    } catch (const Error& error) {
      raise("Error", error.what());
    }
  });
}

}  // namespace heddle::python

// SPDX-License-Identifier: Apache-2.0
// Errors by their kind: heddle/errors.py has the classes, of C++'s names.
#include "heddle/errors.hpp"

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

void set_raised(const Failure& failure, const py::object& cause) {
  const nlohmann::ordered_json json = failure;
  const py::object raised = py::module_::import("heddle.errors").attr("_check_error")(line_text(json));
  if (!cause.is_none()) raised.attr("__cause__") = cause;
  PyErr_SetObject(py::type::of(raised).ptr(), raised.ptr());
}

}  // namespace

std::string line_text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void raise_failure(const Failure& failure, const py::object& cause) {
  set_raised(failure, cause);
  throw py::error_already_set();
}

void add_errors(py::module_& /*module*/) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    if (!thrown) return;
    try {
      std::rethrow_exception(thrown);
    } catch (const CheckError& error) {
      set_raised(error.failure(), py::none());
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

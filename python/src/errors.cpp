#include "bindings.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa::python {

namespace {

/// uzawa.InputError, which the package hands over; kept until the interpreter ends.
PyObject* g_input_error = nullptr;

}  // namespace

void bind_errors(nb::module_& m) {
  m.def("set_input_error", [](nb::handle type) { g_input_error = type.inc_ref().ptr(); });
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const InputError& error) {
      if (g_input_error == nullptr) {
        PyErr_SetString(PyExc_ValueError, error.what());
        return;
      }
      const nb::object made = nb::borrow<nb::object>(g_input_error)(error.source(), error.element(), error.reason());
      PyErr_SetObject(g_input_error, made.ptr());
    }
  });
}

}  // namespace uzawa::python

#pragma once

#include <span>
#include <string>

#include "model_handle.hpp"

namespace uzawa::python {

/// A number of an element that may differ from simulation to simulation.
struct ChangeField {
  const char* name;  ///< "body.mass"
  Element kind;
  int width;            ///< numbers an element
  bool changes_shapes;  ///< collision shapes have to be made anew
  const char* about;    ///< meaning and unit
  void (*get)(const ModelSpec& spec, std::size_t index, std::span<double> out);
  void (*set)(ModelSpec& spec, std::size_t index, std::span<const double> values);
};

std::span<const ChangeField> change_fields();
/// Throws InputError with the nearest where there is none of that name.
const ChangeField& find_change_field(const std::string& name);

}  // namespace uzawa::python

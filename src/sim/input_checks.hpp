#pragma once

#include <span>

#include "uzawa/model/model.hpp"

/// Checks of a caller's input. Each throws InputError that names the joint or actuator whose number is not finite, or
/// the array whose size is wrong.
namespace uzawa {

bool all_finite(std::span<const double> values);
void check_size(const Model& model, const char* array, std::size_t size, int expected);
void check_state(const Model& model, const State& state);
/// Either may be empty.
void check_inputs(const Model& model, std::span<const double> control, std::span<const double> external);

}  // namespace uzawa

#pragma once

#include "uzawa/math/sparse_rows.hpp"
#include "uzawa/problem_io/json_element.hpp"

namespace uzawa {

/// A matrix of a shape that is known beforehand, so that nothing is allocated on a file's word alone: triplets or dense
/// rows.
SparseRows read_matrix(const JsonElement& element, int rows, int columns);

}  // namespace uzawa

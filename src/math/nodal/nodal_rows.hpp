#pragma once

#include "uzawa/math/nodal/nodal_matrix.hpp"
#include "uzawa/math/sparse_rows.hpp"

namespace uzawa {

/// Appends the lower triangle of a matrix of 3x3 blocks to `out`, number by number, diagonal last in each row; columns
/// start at `offset`.
void append_lower_rows(const NodalMatrix& matrix, int offset, SparseRows& out);

/// The matrix of 3x3 blocks that has this lower triangle; its size is a multiple of three.
NodalMatrix nodal_from_lower(const SparseRows& lower);

}  // namespace uzawa

#pragma once

#include <filesystem>

#include "uzawa/problem/problem.hpp"

/// Problems as files: the project's JSON schema "uzawa-problem/1" (docs/problem-format.md), and FCLIB's HDF5.
namespace uzawa {

/// Reads and validates. JSON unless the file starts with HDF5's signature or is named .hdf5 or .h5. Throws InputError
/// with the file, the element and the reason for every kind of error: missing, empty, truncated or malformed files,
/// unknown keys, wrong sizes, indices out of range, NaN and infinity, A or W not symmetric, A not positive definite, W
/// not positive semidefinite, negative mu, bounds, k or b, empty ranges. HDF5 files: one thread at a time, because that
/// library keeps global state; and it can crash on damaged files, which is why `uzawa solve` reads them in a process of
/// its own first.
Problem read_problem(const std::filesystem::path& path);

/// Whether read_problem takes it for HDF5. False where there is no such file.
bool is_hdf5_file(const std::filesystem::path& path);

/// Writes a valid problem. JSON keeps every bit of it: blocks, attachments and all numbers come back the same. A name
/// that ends in .hdf5 or .h5 writes FCLIB's global form, which knows contacts of isotropic friction and equalities
/// only, and of A and J their entries only. Throws InputError where it can't, and leaves no incomplete file.
void write_problem(const Problem& problem, const std::filesystem::path& path);

}  // namespace uzawa

#pragma once

#include <filesystem>
#include <functional>

namespace uzawa::cli {

/// Runs a reading of `path` in a process of its own first, because on damaged files HDF5 can crash (about one in ten
/// thousand with a few bytes changed) and leaks, and nothing that it offers tells beforehand. Throws InputError where
/// it crashed or hung, or what the reading threw; returns where it is safe to do it here.
/// For programs of one thread: the process is a fork, in which a lock that another thread held stays locked. That is
/// why the library does not do it by itself.
void rehearse(const std::filesystem::path& path, const std::function<void()>& read);

}  // namespace uzawa::cli

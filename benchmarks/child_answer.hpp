#pragma once

#include <cstddef>
#include <functional>
#include <vector>

/// Other projects' solvers run in a process of their own, so that one that hangs or exits does no harm.
namespace uzawa::bench {

/// Runs `work` in a child process, which writes its answer into the pipe that it is given. False where that has not
/// ended after `cap` seconds; the child is gone then.
bool answer_of_child(double cap, const std::function<void(int pipe)>& work, std::vector<char>& bytes);
void write_all(int pipe, const void* data, std::size_t size);
/// One thread, as we have; a BLAS brings its own pool.
void use_one_blas_thread();

}  // namespace uzawa::bench

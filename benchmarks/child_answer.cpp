#include "child_answer.hpp"

#include <dlfcn.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <stdexcept>

namespace uzawa::bench {

namespace {

using Clock = std::chrono::steady_clock;

/// Reads until the other end closes; false at the deadline.
bool read_all(int pipe, Clock::time_point start, double cap, std::vector<char>& bytes) {
  char buffer[4096];
  while (true) {
    const double left = cap - std::chrono::duration<double>(Clock::now() - start).count();
    pollfd wait{pipe, POLLIN, 0};
    if (left <= 0 || poll(&wait, 1, static_cast<int>(left * 1e3) + 1) <= 0) return false;
    const ssize_t count = read(pipe, buffer, sizeof buffer);
    if (count <= 0) return true;
    bytes.insert(bytes.end(), buffer, buffer + count);
  }
}

}  // namespace

void write_all(int pipe, const void* data, std::size_t size) {
  const char* from = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t count = write(pipe, from, size);
    if (count <= 0) return;
    from += count;
    size -= static_cast<std::size_t>(count);
  }
}

void use_one_blas_thread() {
  using SetThreads = void (*)(int);
  if (auto* set_threads = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) {
    set_threads(1);
  }
}

bool answer_of_child(double cap, const std::function<void(int pipe)>& work, std::vector<char>& bytes) {
  int ends[2];
  std::fflush(nullptr);
  if (pipe(ends) != 0) throw std::runtime_error("pipe");
  const Clock::time_point start = Clock::now();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) {
    close(ends[0]);
    if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr) {
      _exit(1);
    }
    work(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  const bool in_time = read_all(ends[0], start, cap, bytes);
  close(ends[0]);
  if (!in_time) kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return in_time;
}

}  // namespace uzawa::bench

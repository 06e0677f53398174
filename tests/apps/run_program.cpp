#include "run_program.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>
#include <stdexcept>
#include <thread>

#include "build_folders.hpp"

namespace uzawa::test {

namespace {

void redirect(int stream, const std::filesystem::path& file) {
  const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (opened < 0 || dup2(opened, stream) < 0) _exit(126);
}

}  // namespace

Program::Program(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                 unsigned long most_bytes) {
  std::string program = UZAWA_PROGRAM;
  std::vector<std::string> words = arguments;
  std::vector<char*> argv{program.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  child_ = fork();
  if (child_ < 0) throw std::runtime_error("fork");
  if (child_ == 0) {
    redirect(STDOUT_FILENO, streams_.path() / "out");
    redirect(STDERR_FILENO, streams_.path() / "err");
    if (most_bytes > 0) {
      const rlimit limit{most_bytes, most_bytes};
      setrlimit(RLIMIT_FSIZE, &limit);
      std::signal(SIGXFSZ, SIG_IGN);  // so that the write fails, as on a disk
    }
    if (chdir(folder.c_str()) != 0) _exit(126);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
}

void Program::send(int signal) const { kill(child_, signal); }

void Program::wait_cpu(double seconds) const {
  constexpr int kPatience = 6000;  // times 10 ms: for a program that has ended
  const auto used = [&] {
    clockid_t clock = 0;
    timespec time{};
    const bool known = clock_getcpuclockid(child_, &clock) == 0 && clock_gettime(clock, &time) == 0;
    return known ? static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec) : HUGE_VAL;
  };
  const double until = used() + seconds;
  for (int i = 0; i < kPatience && used() < until; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

ProgramResult Program::wait() {
  int status = 0;
  waitpid(child_, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_text(streams_.path() / "out"),
          read_text(streams_.path() / "err")};
}

ProgramResult run_program(const std::filesystem::path& folder, const std::vector<std::string>& arguments) {
  return Program(folder, arguments).wait();
}

}  // namespace uzawa::test

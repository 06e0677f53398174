#include "child_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "uzawa/base/error.hpp"

namespace uzawa::cli {

namespace fs = std::filesystem;

namespace {

constexpr int kInput = 3, kOutput = 4;  // of the child
constexpr int kNotStarted = 127;

/// Only what may be called between fork and exec.
[[noreturn]] void become(const char* program, char* const* argv, const char* printed, int input, int output) {
  setpgid(0, 0);
  const int file = open(printed, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  bool good =
      file >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(file, STDOUT_FILENO) >= 0 && dup2(file, STDERR_FILENO) >= 0;
  if (input >= 0 && output >= 0) {
    // First out of the way: one of them may be where the other is to go.
    const int from = fcntl(input, F_DUPFD, kOutput + 1), to = fcntl(output, F_DUPFD, kOutput + 1);
    good = good && dup2(from, kInput) >= 0 && dup2(to, kOutput) >= 0;
    close(from);
    close(to);
  }
  if (good) execv(program, argv);
  _exit(kNotStarted);
}

}  // namespace

fs::path find_program(const std::vector<std::string>& names) {
  const char* path = std::getenv("PATH");
  for (const std::string& name : names) {
    std::istringstream folders(path != nullptr ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
      fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
      if (access(candidate.c_str(), X_OK) == 0) return candidate;
    }
  }
  return {};
}

ChildProcess::ChildProcess(const fs::path& program, const std::vector<std::string>& arguments, fs::path printed,
                           int input, int output)
    : printed_(std::move(printed)) {
  std::string name = program.string();
  std::vector<std::string> words = arguments;
  std::vector<char*> argv{name.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  id_ = fork();
  if (id_ < 0) throw InputError(name, "", std::string("can't be started: ") + std::strerror(errno));
  if (id_ == 0) become(name.c_str(), argv.data(), printed_.c_str(), input, output);
}

ChildProcess::~ChildProcess() {
  if (wait(std::chrono::milliseconds(0)) >= 0) return;
  kill(-id_, SIGKILL);  // with the children of its own
  kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
}

int ChildProcess::wait(std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (exit_code_ < 0) {
    int status = 0;
    if (waitpid(id_, &status, WNOHANG) == id_) {
      exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    } else if (std::chrono::steady_clock::now() >= end) {
      return -1;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  return exit_code_;
}

std::string ChildProcess::last_words() const {
  std::ifstream file(printed_);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  }
  return one_line(last);
}

}  // namespace uzawa::cli

#include "rehearsal.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "uzawa/base/error.hpp"

namespace uzawa::cli {

namespace {

constexpr int kComplaint = 1;  // exit code of a rehearsal that threw

/// What the rehearsal does in its own process; never returns. Complaints go into the pipe as element, zero, reason.
[[noreturn]] void perform(const std::function<void()>& read, int pipe_end) {
  constexpr unsigned kSeconds = 60;  // ends a reading that hangs
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  alarm(kSeconds);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  std::string complaint;
  try {
    read();
    _exit(0);
  } catch (const InputError& error) {
    complaint = error.element() + '\0' + error.reason();
  } catch (const std::exception& error) {
    complaint = std::string(1, '\0') + error.what();
  }
  complaint.resize(std::min<std::size_t>(complaint.size(), PIPE_BUF));
  _exit(write(pipe_end, complaint.data(), complaint.size()) > 0 ? kComplaint : kComplaint + 1);
}

std::string read_all(int pipe_end) {
  std::string out;
  char buffer[PIPE_BUF];
  for (ssize_t got = 0; (got = read(pipe_end, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR);) {
    if (got > 0) out.append(buffer, static_cast<std::size_t>(got));
  }
  return out;
}

}  // namespace

void rehearse(const std::filesystem::path& path, const std::function<void()>& read) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  const pid_t child = fork();
  if (child == 0) perform(read, ends[1]);
  close(ends[1]);
  const std::string complaint = child > 0 ? read_all(ends[0]) : "";
  close(ends[0]);
  if (child < 0) return;  // no process to be had: take the risk
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const std::size_t zero = complaint.find('\0');
  if (!WIFEXITED(status) || WEXITSTATUS(status) != kComplaint || zero == std::string::npos) {
    throw InputError(path.string(), "", "is damaged: HDF5 crashes on it");
  }
  throw InputError(path.string(), complaint.substr(0, zero), complaint.substr(zero + 1));
}

}  // namespace uzawa::cli

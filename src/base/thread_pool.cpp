#include "uzawa/base/thread_pool.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace uzawa {

namespace {

/// How often a waiting thread looks before it sleeps. Loops of SubADMM follow each other within microseconds, which a
/// sleeping thread would miss; more threads than cores must sleep soon, or they take the working ones' time.
constexpr int kSpins = 4000, kSpinsCrowded = 16;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

thread_local bool inside_task = false;

}  // namespace

struct ThreadPool::Impl {
  // The loop. Written by the caller while no worker is inside it.
  Call call = nullptr;
  void* context = nullptr;
  int count = 0;
  std::exception_ptr error;
  int error_index = 0;
  std::mutex error_mutex;

  std::atomic<int> next{0};             // first index that nobody took
  std::atomic<int> busy{0};             // workers that have not finished the loop
  std::atomic<std::uint32_t> round{0};  // changes when there is a loop to run, or nothing more to do
  std::atomic<bool> stop{false};
  int spins = kSpins;
  std::vector<std::thread> workers;

  void take_part() {
    inside_task = true;
    for (int i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      try {
        call(context, i);
      } catch (...) {
        const std::lock_guard lock(error_mutex);
        if (!error || i < error_index) {
          error = std::current_exception();
          error_index = i;
        }
      }
    }
    inside_task = false;
  }

  /// Returns when `value` is no longer `old`.
  template <typename T>
  void wait_while(std::atomic<T>& value, T old) const {
    for (int i = 0; i < spins; ++i) {
      if (value.load() != old) return;
      pause();
    }
    value.wait(old);
  }

  void work() {
    std::uint32_t seen = 0;
    while (true) {
      wait_while(round, seen);
      seen = round.load();
      if (stop.load()) return;
      take_part();
      if (busy.fetch_sub(1) == 1) busy.notify_one();
    }
  }
};

ThreadPool::ThreadPool(int threads) : impl_(std::make_unique<Impl>()) {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  if (threads > cores) impl_->spins = kSpinsCrowded;
  for (int i = 1; i < threads; ++i) impl_->workers.emplace_back([impl = impl_.get()] { impl->work(); });
}

ThreadPool::~ThreadPool() {
  impl_->stop = true;
  ++impl_->round;
  impl_->round.notify_all();
  for (std::thread& worker : impl_->workers) worker.join();
}

int ThreadPool::threads() const { return static_cast<int>(impl_->workers.size()) + 1; }

void ThreadPool::run(int count, Call call, void* context) {
  Impl& m = *impl_;
  if (m.workers.empty() || count <= 1 || inside_task) {
    // In order, so the first exception is that of the lowest index.
    std::exception_ptr error;
    for (int i = 0; i < count; ++i) {
      try {
        call(context, i);
      } catch (...) {
        if (!error) error = std::current_exception();
      }
    }
    if (error) std::rethrow_exception(error);
    return;
  }
  m.call = call;
  m.context = context;
  m.count = count;
  m.error = nullptr;
  m.next = 0;
  m.busy = static_cast<int>(m.workers.size());
  ++m.round;
  m.round.notify_all();
  m.take_part();
  for (int left = m.busy.load(); left != 0; left = m.busy.load()) m.wait_while(m.busy, left);
  if (m.error) std::rethrow_exception(m.error);
}

}  // namespace uzawa

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
  /// Which loop, and the first of its indices that nobody took. In one word, so that a thread that wakes up late takes
  /// an index only of the loop it has read about, and the caller need not wait for threads that never woke up.
  static constexpr std::uint64_t kClosed = 0x7fffffff;  // instead of an index: nothing to take
  static std::uint64_t pack(std::uint32_t loop, std::uint64_t index) { return (std::uint64_t{loop} << 32) | index; }

  std::atomic<std::uint64_t> ticket{kClosed};
  // The loop; changed only while the ticket is closed.
  std::atomic<Call> call{nullptr};
  std::atomic<void*> context{nullptr};
  std::atomic<int> count{0};

  std::atomic<int> done{0};            // of its indices
  std::atomic<std::uint32_t> loop{0};  // changes when there is a loop to run, or nothing more to do
  std::atomic<bool> stop{false};
  std::exception_ptr error;
  int error_index = 0;
  std::mutex error_mutex;
  int spins = kSpins;
  std::vector<std::thread> workers;

  void take_part() {
    inside_task = true;
    while (true) {
      std::uint64_t mine = ticket.load();
      const auto i = static_cast<int>(mine & 0xffffffff);
      const int limit = count.load();
      const Call task = call.load();
      void* const argument = context.load();
      if (i >= limit) break;
      if (!ticket.compare_exchange_weak(mine, mine + 1)) continue;
      run_one(task, argument, i);
      if (done.fetch_add(1) + 1 == limit) done.notify_all();
    }
    inside_task = false;
  }

  void run_one(Call task, void* argument, int i) {
    try {
      task(argument, i);
    } catch (...) {
      const std::lock_guard lock(error_mutex);
      if (!error || i < error_index) {
        error = std::current_exception();
        error_index = i;
      }
    }
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
      wait_while(loop, seen);
      seen = loop.load();
      if (stop.load()) return;
      take_part();
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
  ++impl_->loop;
  impl_->loop.notify_all();
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
  const std::uint32_t loop = m.loop.load() + 1;
  m.ticket = Impl::pack(loop, Impl::kClosed);
  m.call = call;
  m.context = context;
  m.count = count;
  m.done = 0;
  m.error = nullptr;
  m.ticket = Impl::pack(loop, 0);
  m.loop = loop;
  m.loop.notify_all();
  m.take_part();
  for (int done = m.done.load(); done != count; done = m.done.load()) m.wait_while(m.done, done);
  if (m.error) std::rethrow_exception(m.error);
}

}  // namespace uzawa

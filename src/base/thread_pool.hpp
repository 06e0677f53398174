#pragma once

#include <memory>
#include <type_traits>

namespace uzawa {

/// Worker threads for parallel loops. Iterations are handed to the next free thread, so a task must write only to data
/// of its own index: then the result is the same for any number of threads.
class ThreadPool {
 public:
  /// The caller of for_each is one of the threads, so one thread means no other is started.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  /// Calls task(i) once for every i in [0, count) and returns when all are done. Allocates nothing. Loops do not nest:
  /// one inside a task runs on that task's thread. Where tasks throw, all are run and the exception of the lowest index
  /// is thrown on.
  template <typename Task>
  void for_each(int count, Task&& task) {
    run(
        count, [](void* context, int i) { (*static_cast<std::remove_reference_t<Task>*>(context))(i); },
        const_cast<void*>(static_cast<const void*>(std::addressof(task))));
  }

 private:
  using Call = void (*)(void* context, int i);
  struct Impl;

  void run(int count, Call call, void* context);

  std::unique_ptr<Impl> impl_;
};

/// Task i of `parts` works on elements [part_begin(i), part_begin(i + 1)) of `count`: a partition that does not depend
/// on the number of threads.
inline int part_begin(int i, int parts, int count) {
  return static_cast<int>(static_cast<long long>(count) * i / parts);
}

}  // namespace uzawa

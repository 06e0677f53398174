// The log of a run (`uzawa run pinch --log run.h5`), frame by frame: the strongest contact force of each tenth of a
// second.
#include <algorithm>
#include <cstdio>
#include <uzawa/uzawa.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: read_log FILE.h5\n");
    return 2;
  }
  try {
    uzawa::LogReader log(argv[1]);
    std::printf("%s: %zu frames, solver %s\n", log.info().model.c_str(), log.frames(), log.info().solver.c_str());
    uzawa::LogFrame frame;
    double strongest = 0, printed = 0;
    for (std::size_t i = 0; i < log.frames(); ++i) {
      log.read(i, frame);
      for (const uzawa::LogContact& contact : frame.contacts) strongest = std::max(strongest, norm(contact.force));
      if (frame.state.time < printed + 0.1) continue;
      printed = frame.state.time;
      std::printf("%6.2f s  %2zu contacts, up to %.3f N\n", printed, frame.contacts.size(), strongest);
      strongest = 0;
    }
  } catch (const uzawa::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}

#include "archive.hpp"
#include "simulation.hpp"

namespace uzawa::python {

namespace {

const std::string kTag = std::string("uzawa snapshot ") + UZAWA_VERSION;

/// The parts of a snapshot, all of them plain data.
struct Stored {
  State state;
  std::vector<Vec3> linear, angular;
  std::vector<double> kick;
  std::vector<double> account_energy, account_credit, account_kinetic;
  bool account_known = false, account_open = false;
  std::vector<double> momentum_q, momentum_v;
  std::vector<WarmStart::Entry> warm;
  Sleep::Record sleep;
  Ties ties;
  EnergyBook::Record energy;
  std::vector<double> control, applied, mocap;
};

}  // namespace

std::string snapshot_bytes(const FullSnapshot& snapshot) {
  // Bindings of all members: another member that is not stored here does not compile.
  const auto& [state, momentum, warm, sleep, ties, energy] = snapshot.world;
  const auto& [linear, angular, kick, account, q, v] = momentum;
  const auto& [account_energy, credit, kinetic, known, open] = account;
  return to_bytes(kTag, Stored{state,
                               linear,
                               angular,
                               kick,
                               account_energy,
                               credit,
                               kinetic,
                               known,
                               open,
                               q,
                               v,
                               {warm.entries().begin(), warm.entries().end()},
                               sleep,
                               ties,
                               energy,
                               snapshot.control,
                               snapshot.applied,
                               snapshot.mocap});
}

FullSnapshot snapshot_from_bytes(std::string_view bytes) {
  auto stored = from_bytes<Stored>(kTag, bytes);
  FullSnapshot out;
  auto& [state, momentum, warm, sleep, ties, energy] = out.world;
  auto& [linear, angular, kick, account, q, v] = momentum;
  auto& [account_energy, credit, kinetic, known, open] = account;
  state = std::move(stored.state);
  linear = std::move(stored.linear);
  angular = std::move(stored.angular);
  kick = std::move(stored.kick);
  account_energy = std::move(stored.account_energy);
  credit = std::move(stored.account_credit);
  kinetic = std::move(stored.account_kinetic);
  known = stored.account_known;
  open = stored.account_open;
  q = std::move(stored.momentum_q);
  v = std::move(stored.momentum_v);
  warm = WarmStart::from_entries(std::move(stored.warm));
  sleep = std::move(stored.sleep);
  ties = std::move(stored.ties);
  energy = stored.energy;
  out.control = std::move(stored.control);
  out.applied = std::move(stored.applied);
  out.mocap = std::move(stored.mocap);
  return out;
}

}  // namespace uzawa::python

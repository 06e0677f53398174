#pragma once

#include "uzawa/problem/problem.hpp"

namespace uzawa::test {

/// `robots` quadrupeds of 18 dofs and 24 kg (floating trunk, four legs of three joints) that drop onto a floor and onto
/// each other: nine contacts of each with the floor, and 3.5 a robot between neighbours. Eight of them have 100
/// contacts, as in [AL] Table III.
Problem quadrupeds(int robots, unsigned seed);

}  // namespace uzawa::test

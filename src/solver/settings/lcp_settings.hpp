#pragma once

#include <array>

#include "uzawa/solver/settings/setting.hpp"

namespace uzawa {

/// The polygon that stands for the friction disc.
enum class PolygonKind {
  Inner,  ///< its corners are on the disc's edge: never more friction than Coulomb's
  Outer   ///< its sides touch the disc
};
inline constexpr const char* kPolygonKindNames[] = {"inner", "outer"};

/// Equalities, whose impulses have any sign.
enum class LcpEqualities {
  Eliminated,  ///< their impulses are always basic; redundant rows are left out
  Pairs        ///< as two opposite inequalities
};
inline constexpr const char* kLcpEqualitiesNames[] = {"eliminated", "pairs"};

enum class LcpSearchOrder {
  DepthFirst,  ///< by the least value after the pivot
  BestFirst    ///< [LCP] algorithms 1 and 2 as written
};
inline constexpr const char* kLcpSearchOrderNames[] = {"depth-first", "best-first"};

/// Meaning, unit and range of each field: the table below.
struct LcpSettings {
  int sides = 8;
  PolygonKind polygon = PolygonKind::Inner;
  int follow = 0;
  LcpEqualities equalities = LcpEqualities::Eliminated;
  bool two_step = false;
  LcpSearchOrder order = LcpSearchOrder::DepthFirst;
  double epsilon = 1e-3, largest_error = 1e-3;
  double tie = 1e-8;
  int nodes = 20000;
  double memory = 1024;
};

template <auto kSection>
inline constexpr std::array kLcpSettings = {
    describe<SectionField<kSection, &LcpSettings::sides>>("lcp.sides", "", {3, 1024},
                                                          "of the friction polygon; 8 as in [LCP]"),
    describe<SectionField<kSection, &LcpSettings::polygon>>("lcp.polygon", kPolygonKindNames,
                                                            "corners on the friction disc, or sides"),
    describe<SectionField<kSection, &LcpSettings::follow>>(
        "lcp.follow", "solves", {0, 1000},
        "further solves with polygons turned to where the contacts slide, until Coulomb's law holds to the tolerance; "
        "0: fixed polygons, as in [LCP]"),
    describe<SectionField<kSection, &LcpSettings::equalities>>("lcp.equalities", kLcpEqualitiesNames,
                                                               "eliminated: smaller, and not degenerate"),
    describe<SectionField<kSection, &LcpSettings::two_step>>(
        "lcp.two_step", "start from the solution without friction, [LCP] section IV-C"),
    describe<SectionField<kSection, &LcpSettings::order>>(
        "lcp.search", kLcpSearchOrderNames,
        "order of lcp-search; best-first is [LCP] as written, which takes very many nodes"),
    describe<SectionField<kSection, &LcpSettings::epsilon>>(
        "lcp.epsilon", "scaled", {0, 1}, "best-first: largest violation after a pivot, [LCP] section V"),
    describe<SectionField<kSection, &LcpSettings::largest_error>>(
        "lcp.largest_error", "scaled", {0, 1e3},
        "e_max of best-first, lcp-lemke and lcp-lexicographic: an answer with a larger error has failed, [LCP] section "
        "V"),
    describe<SectionField<kSection, &LcpSettings::tie>>("lcp.tie", "scaled", {0, 1},
                                                        "Delta of lcp-lexicographic: ratios that close are ties"),
    describe<SectionField<kSection, &LcpSettings::nodes>>("lcp.nodes", "", {1, 1e9}, "of a search"),
    describe<SectionField<kSection, &LcpSettings::memory>>(
        "lcp.memory", "MB", {1, 1e6},
        "of a search's nodes, of a tableau, and of J A^-1 J^T with the basis; beyond: a status"),
};

}  // namespace uzawa

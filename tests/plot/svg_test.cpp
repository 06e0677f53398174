/// Figures as SVG: tinyxml2 reads them, curves are where the axes say.
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <cmath>
#include <limits>
#include <set>
#include <sstream>

#include "uzawa/plot/axis_scale.hpp"
#include "uzawa/plot/figure.hpp"

namespace uzawa::plot {
namespace {

const double kNaN = std::numeric_limits<double>::quiet_NaN();

Figure example() {
  const Panel residual{.title = "residual < 1 & falling",
                       .x = {.label = "time, ms"},
                       .y = {.label = "residual", .scale = Scale::Log},
                       .series = {{.label = "\"CANAL\"", .x = {0, 1, 2}, .y = {1, 1e-4, 1e-8}},
                                  {.label = "PGS", .x = {0, 1, 2}, .y = {1, 0.1, 0.01}, .dashed = true, .dots = true}}};
  return {.title = "A <title>", .caption = "What & why", .panels = {residual, residual, residual}};
}

void collect(const tinyxml2::XMLElement* element, const std::string& name,
             std::vector<const tinyxml2::XMLElement*>& out) {
  for (; element != nullptr; element = element->NextSiblingElement()) {
    if (name == element->Name()) out.push_back(element);
    collect(element->FirstChildElement(), name, out);
  }
}

std::vector<const tinyxml2::XMLElement*> elements(const tinyxml2::XMLDocument& document, const std::string& name) {
  std::vector<const tinyxml2::XMLElement*> out;
  collect(document.RootElement(), name, out);
  return out;
}

TEST(SvgTest, IsWellFormedAndKeepsTheWords) {
  tinyxml2::XMLDocument document;
  ASSERT_EQ(document.Parse(svg(example()).c_str()), tinyxml2::XML_SUCCESS) << document.ErrorStr();
  EXPECT_STREQ(document.RootElement()->Name(), "svg");
  EXPECT_EQ(elements(document, "path").size(), 6U);
  EXPECT_EQ(elements(document, "circle").size(), 9U);
  std::string words;
  for (const auto* text : elements(document, "text")) words += std::string(text->GetText()) + "\n";
  for (const char* said : {"A <title>", "What & why", "residual < 1 & falling", "\"CANAL\"", "time, ms", "10⁻⁸"}) {
    EXPECT_NE(words.find(said), std::string::npos) << said << " in " << words;
  }
}

/// A residual that falls by the same factor in every step is a straight line on a log axis.
TEST(SvgTest, LogAxisMakesDecadesEqual) {
  const Panel panel{.y = {.scale = Scale::Log}, .series = {{.x = {0, 1, 2}, .y = {1, 1e-4, 1e-8}}}};
  tinyxml2::XMLDocument document;
  ASSERT_EQ(document.Parse(svg({.panels = {panel}}).c_str()), tinyxml2::XML_SUCCESS);
  std::istringstream path(elements(document, "path").front()->Attribute("d"));
  char command = 0;
  double x[3], y[3];
  for (int i = 0; i < 3; ++i) path >> command >> x[i] >> y[i];
  EXPECT_NEAR(y[2] - y[1], y[1] - y[0], 0.02);
  EXPECT_NEAR(x[2] - x[1], x[1] - x[0], 0.02);
  EXPECT_GT(y[1], y[0] + 10) << "smaller numbers are lower";
}

/// A curve with numbers that can't be drawn is broken there, and nothing like "nan" gets into the file.
TEST(SvgTest, WhatCantBeDrawnBreaksTheCurve) {
  const Panel panel{.y = {.scale = Scale::Log},
                    .series = {{.x = {0, 1, 2, 3, 4, 5, 6}, .y = {1, 0.5, 0, 0.2, kNaN, -1, HUGE_VAL}},
                               {.label = "nothing", .x = {1}, .y = {kNaN}}}};
  const std::string text = svg({.panels = {panel}});
  tinyxml2::XMLDocument document;
  ASSERT_EQ(document.Parse(text.c_str()), tinyxml2::XML_SUCCESS);
  const std::string path = elements(document, "path").front()->Attribute("d");
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2) << path;
  EXPECT_EQ(elements(document, "path").size(), 1U);
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos);
}

/// One panel is not wide enough for a long title: it goes on in another line, and no word is lost.
TEST(SvgTest, LongTitlesAreWrapped) {
  tinyxml2::XMLDocument document;
  const std::string title = "Time of a hundred iterations by the number of robots that have fallen into a heap";
  ASSERT_EQ(document.Parse(svg({.title = title, .panels = {Panel{}}}).c_str()), tinyxml2::XML_SUCCESS);
  std::string words;
  for (const auto* text : elements(document, "text")) {
    if (text->Attribute("class") == nullptr || std::string(text->Attribute("class")) != "title") continue;
    EXPECT_LT(std::string(text->GetText()).size(), 60U);
    words += (words.empty() ? "" : " ") + std::string(text->GetText());
  }
  EXPECT_EQ(words, title);
}

/// Labels that do not fit into half a panel have a line each.
TEST(SvgTest, LegendEntriesDoNotOverlap) {
  const auto lines = [](const std::string& label) {
    tinyxml2::XMLDocument document;
    const Panel panel{
        .series = {{.label = label + "1", .x = {0, 1}, .y = {0, 1}}, {.label = label + "2", .x = {0, 1}, .y = {1, 0}}}};
    EXPECT_EQ(document.Parse(svg({.panels = {panel}}).c_str()), tinyxml2::XML_SUCCESS);
    std::set<std::string> out;
    for (const auto* text : elements(document, "text")) {
      if (text->GetText() != nullptr && std::string(text->GetText()).starts_with(label))
        out.insert(text->Attribute("y"));
    }
    return out.size();
  };
  EXPECT_EQ(lines("short"), 1U);
  EXPECT_EQ(lines("a label that is a good deal longer than half a panel"), 2U);
}

/// What others printed is a ring without a line, and curves on each other differ in width.
TEST(SvgTest, RingsHaveNoLineAndCurvesDifferInWidth) {
  const Panel panel{.series = {{.x = {0, 1}, .y = {0, 1}},
                               {.x = {0, 1}, .y = {0, 1}},
                               {.label = "paper", .x = {0, 1}, .y = {0, 1}, .rings = true}}};
  tinyxml2::XMLDocument document;
  ASSERT_EQ(document.Parse(svg({.panels = {panel}}).c_str()), tinyxml2::XML_SUCCESS);
  const auto paths = elements(document, "path");
  ASSERT_EQ(paths.size(), 2U);
  EXPECT_GT(paths[0]->DoubleAttribute("stroke-width"), paths[1]->DoubleAttribute("stroke-width"));
  EXPECT_EQ(elements(document, "circle").size(), 3U) << "two points and one in the legend";
}

TEST(SvgTest, EmptyFiguresAreFiguresToo) {
  tinyxml2::XMLDocument document;
  EXPECT_EQ(document.Parse(svg({}).c_str()), tinyxml2::XML_SUCCESS);
  EXPECT_EQ(document.Parse(svg({.panels = {Panel{}}}).c_str()), tinyxml2::XML_SUCCESS);
}

TEST(AxisScaleTest, LinearTicksAreRoundNumbers) {
  const std::vector<double> numbers = {0.13, 9.4};
  const AxisScale scale({}, numbers);
  std::vector<std::string> labels;
  for (const AxisScale::Tick& tick : scale.ticks()) labels.push_back(tick.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"0", "2", "4", "6", "8", "10"}));
  EXPECT_NEAR(scale.place(5), 0.5, 1e-12);
}

TEST(AxisScaleTest, LogAxisCoversWholeDecades) {
  const std::vector<double> numbers = {3e-9, 0.2};
  const AxisScale scale({.scale = Scale::Log}, numbers);
  EXPECT_NEAR(scale.place(1e-9), 0, 1e-12);
  EXPECT_NEAR(scale.place(1), 1, 1e-12);
  EXPECT_LE(scale.ticks().size(), 10U);
  EXPECT_FALSE(scale.can_draw(0));
}

TEST(AxisScaleTest, GivenEndsAreKeptAndOneNumberIsEnough) {
  const std::vector<double> one = {5};
  const AxisScale around({}, one);
  EXPECT_GT(around.place(5), 0.1);
  EXPECT_LT(around.place(5), 0.9);
  const AxisScale given({.from = -1.0, .to = 3.0}, one);
  EXPECT_NEAR(given.place(1), 0.5, 1e-12);
  EXPECT_GT(given.place(5), 1);
}

}  // namespace
}  // namespace uzawa::plot

#include "uzawa/live/messages.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "uzawa/base/error.hpp"
#include "uzawa/live/request_check.hpp"

namespace uzawa {
namespace {

TEST(Messages, EveryCommandIsRead) {
  EXPECT_TRUE(std::get<PlayCommand>(parse_command(R"({"type":"play","on":true})")).on);
  EXPECT_EQ(std::get<StepCommand>(parse_command(R"({"type":"step","count":3})")).count, 3);
  EXPECT_TRUE(std::holds_alternative<ResetCommand>(parse_command(R"({"type":"reset"})")));
  EXPECT_EQ(std::get<PaceCommand>(parse_command(R"({"factor":0.5,"type":"pace"})")).factor, 0.5);
  EXPECT_TRUE(std::holds_alternative<ReleaseCommand>(parse_command(R"({"type":"release"})")));
  EXPECT_TRUE(std::holds_alternative<SeenCommand>(parse_command(R"({"type":"seen"})")));
  const auto pull =
      std::get<PullCommand>(parse_command(R"({"type":"pull","link":2,"point":[1,2,3],"target":[4,5,6.5]})"));
  EXPECT_EQ(pull.link, 2);
  EXPECT_EQ(pull.point.y(), 2);
  EXPECT_EQ(pull.target.z(), 6.5);
  const auto change = std::get<ChangeCommand>(parse_command(R"({"type":"change","solver":"pgs","friction":0})"));
  EXPECT_EQ(change.solver, "pgs");
  EXPECT_EQ(change.friction, 0.0);
  EXPECT_FALSE(change.dt);
}

TEST(Messages, WhatIsWrongIsNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "is no JSON"},
      {"{", "is no JSON"},
      {"\xff\xfe", "is no JSON"},
      {"[]", "type: is missing"},
      {"7", "type: is missing"},
      {R"({"type":7})", "type: is missing"},
      {R"({"type":"fly"})", "'fly' is not known"},
      {R"({"type":"play"})", "on: is missing"},
      {R"({"type":"play","on":1})", "on: must be true or false"},
      {R"({"type":"step","count":0})", "count: must be a number from 1"},
      {R"({"type":"step","count":1.5})", "count: must be a whole number"},
      {R"({"type":"step","count":1e99})", "count: must be a number from 1"},
      {R"({"type":"step","count":1,"now":true})", "now: is not known here"},
      {R"({"type":"pace","factor":-1})", "factor: must be a number from 0"},
      {R"({"type":"change","dt":0})", "dt: must be a number"},
      {R"({"type":"change","dt":"1"})", "dt: must be a number"},
      {R"({"type":"change","solver":"magic"})", "magic"},
      {R"({"type":"pull","link":0,"point":[0,0],"target":[0,0,0]})", "point: must be three numbers"},
      {R"({"type":"pull","link":0,"point":[0,0,0],"target":[0,0,null]})", "target: must be a number"},
      {R"({"type":"pull","link":-1,"point":[0,0,0],"target":[0,0,0]})", "link: must be a number from 0"}};
  for (const auto& [text, reason] : cases) {
    try {
      parse_command(text);
      ADD_FAILURE() << text << " was taken";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << text << " -> " << error.what();
    }
  }
}

/// Valid messages with bytes changed, left out and doubled: each is read or refused, nothing else.
TEST(Messages, DamagedOnesAreReadOrRefused) {
  const std::string texts[] = {R"({"type":"pull","link":2,"point":[1,2,3],"target":[4,5,6.5]})",
                               R"({"type":"change","solver":"pgs","dt":0.001,"iterations":5,"friction":0.5})",
                               R"({"type":"step","count":3})"};
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 10000; ++i) {
    std::string text = texts[random() % 3];
    for (unsigned change = random() % 4 + 1; change > 0; --change) {
      const std::size_t place = random() % text.size();
      switch (random() % 3) {
        case 0: text[place] = static_cast<char>(random() % 256); break;
        case 1: text.erase(place, random() % 5 + 1); break;
        default: text.insert(place, text.substr(place, random() % 9)); break;
      }
      if (text.empty()) text = "x";
    }
    try {
      parse_command(text);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 5000);
}

TEST(Messages, StatusAndNoticeAreJsonWhateverTheyHold) {
  LiveStatus status;
  status.trouble = "a \"quoted\" line \xff";
  const auto json = nlohmann::json::parse(status_message(status));
  EXPECT_EQ(json["type"], "status");
  EXPECT_EQ(json["solvers"][0], "auto");
  EXPECT_GT(json["solvers"].size(), 3U);
  EXPECT_EQ(nlohmann::json::parse(notice_message("</script>\n"))["text"], "</script>\n");
}

TEST(RequestCheck, OnlyTheServersOwnNamesAreAllowed) {
  const std::vector<std::string> names = {"bench.lab"};
  for (const char* host : {"localhost", "localhost:7373", "127.0.0.1:80", "192.168.3.4:7373", "[::1]:7373",
                           "LocalHost:1", "bench.lab", "Bench.Lab:7373"}) {
    EXPECT_EQ(refuse_host(host, names), "") << host;
  }
  for (const char* host : {"", "evil.example", "evil.example:7373", "localhost.evil.example", "127.0.0.1.evil.example",
                           "::1", "[evil]", "[", "bench.lab.evil.example", "2130706433x"}) {
    EXPECT_NE(refuse_host(host, names), "") << host;
  }
}

TEST(RequestCheck, OnlyTheServersOwnPageMaySteer) {
  EXPECT_EQ(refuse_origin("http://127.0.0.1:7373", "127.0.0.1:7373"), "");
  EXPECT_EQ(refuse_origin("http://LOCALHOST:7373", "localhost:7373"), "");
  EXPECT_EQ(refuse_origin("", "localhost:7373"), "");  // no browser
  for (const char* origin : {"null", "http://evil.example", "http://localhost:7374", "http://127.0.0.1:7373",
                             "file://localhost:7373", "http://localhost:7373.evil.example", "localhost:7373"}) {
    EXPECT_NE(refuse_origin(origin, "localhost:7373"), "") << origin;
  }
  EXPECT_NE(refuse_origin("http://", ""), "");
}

}  // namespace
}  // namespace uzawa

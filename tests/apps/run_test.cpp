#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "build_folders.hpp"
#include "io/temp_folder.hpp"
#include "run_program.hpp"
#include "uzawa/log/log_reader.hpp"
#include "uzawa/scenarios/scene.hpp"

/// `uzawa run` as a user sees it.
namespace uzawa::test {
namespace {

const std::string kBall = R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body name="ball" pos="0 0 .2"><freejoint/><geom type="sphere" size=".1"/></body></worldbody></mujoco>)";

TEST(Run, JsonTellsWhereItEnded) {
  TempFolder folder;
  folder.write("ball.xml", kBall);
  const ProgramResult result = run_program(folder.path(), {"run", "ball.xml", "--time", "0.5", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["steps"], 250);
  EXPECT_EQ(out["statuses"]["solved"], 250);
  EXPECT_NEAR(out["q"][2].get<double>(), 0.1, 1e-6);
  EXPECT_TRUE(result.err.empty()) << result.err;
}

TEST(Run, TextIsATable) {
  TempFolder folder;
  folder.write("ball.xml", kBall);
  const ProgramResult result = run_program(folder.path(), {"run", "ball.xml", "--time", "0.1", "--solver", "subadmm"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* line : {"ball.xml: all 50 steps solved\n", "50 steps of 2 ms", "real-time factor", "collision",
                           "penetration", "50 solved"}) {
    EXPECT_NE(result.out.find(line), std::string::npos) << line << " in " << result.out;
  }
}

/// The spread of the times of whole steps, and which one was the slowest.
TEST(Run, SlowStepsAreTold) {
  TempFolder folder;
  folder.write("ball.xml", kBall);
  const ProgramResult json = run_program(folder.path(), {"run", "ball.xml", "--time", "0.4", "--json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const auto out = nlohmann::json::parse(json.out);
  const auto& times = out["seconds_a_step"];
  const double median = times["median"], tail = times["p99"], worst = times["worst"];
  EXPECT_GT(median, 0);
  EXPECT_LE(median, tail);
  EXPECT_LE(tail, worst);
  EXPECT_NEAR(times["worst_time"].get<double>(), 0.002 * times["worst_step"].get<int>(), 1e-12);
  EXPECT_LE(times["worst_residual"].get<double>(), out["residual"]["worst"].get<double>());
  EXPECT_LE(out["residual"]["median"].get<double>(), out["residual"]["p99"].get<double>());

  const ProgramResult table = run_program(folder.path(), {"run", "ball.xml", "--time", "0.4"});
  for (const char* text : {"s mean, ", " median, ", " 99 %, ", " worst\n", "slowest           step "}) {
    EXPECT_NE(table.out.find(text), std::string::npos) << text << " in " << table.out;
  }
}

/// A ball of 4.19 kg that falls by 0.1 m and stays on the ground.
TEST(Run, EnergyIsBooked) {
  TempFolder folder;
  folder.write("ball.xml", kBall);
  const ProgramResult json = run_program(folder.path(), {"run", "ball.xml", "--time", "0.5", "--json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const auto energy = nlohmann::json::parse(json.out)["energy"];
  const double fall = 9.81 * 0.1 * 4.18879;
  const auto number = [&](const char* name) { return energy[name].get<double>(); };
  EXPECT_NEAR(energy["start"]["potential"].get<double>() - energy["end"]["potential"].get<double>(), fall, 1e-3);
  EXPECT_NEAR(number("constraints"), fall, 1e-3);
  for (const char* nothing : {"actuators", "external", "damped"}) EXPECT_EQ(number(nothing), 0) << nothing;
  EXPECT_LT(number("unexplained_gain"), 1e-9);

  const ProgramResult table = run_program(folder.path(), {"run", "ball.xml", "--time", "0.1"});
  for (const char* text : {"energy            ", "work of actuators", "unexplained gain  "}) {
    EXPECT_NE(table.out.find(text), std::string::npos) << text << " in " << table.out;
  }
}

/// The sway of a pendulum in large steps is an unexplained gain, if a small one.
TEST(Run, RunStopsOnAGainOfEnergy) {
  TempFolder folder;
  folder.write("pendulum.xml", R"(<mujoco><option timestep="0.01"/><worldbody><body><joint axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 1 0 0" size=".05" mass="1"/></body></worldbody></mujoco>)");
  const ProgramResult stopped = run_program(folder.path(), {"run", "pendulum.xml", "--stop-on-gain", "1e-6"});
  EXPECT_EQ(stopped.exit_code, 1) << stopped.out;
  EXPECT_NE(stopped.out.find("broke off         after step"), std::string::npos) << stopped.out;
  EXPECT_NE(stopped.out.find("without a cause, more than --stop-on-gain 1e-06"), std::string::npos) << stopped.out;
  const ProgramResult whole = run_program(folder.path(), {"run", "pendulum.xml", "--stop-on-gain", "0.1"});
  EXPECT_EQ(whole.exit_code, 0) << whole.out;
  EXPECT_NE(whole.out.find("100 steps"), std::string::npos) << whole.out;
}

/// A motor that doubles the speed of its joint again and again: what has run away is named, in the table and in the
/// JSON.
TEST(Run, DivergenceNamesTimeAndJoint) {
  TempFolder folder;
  folder.write("arm.xml", R"(<mujoco><worldbody><body name="arm"><joint name="elbow" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 1 0 0" size=".05" mass="1"/></body></worldbody>
    <actuator><motor joint="elbow"/></actuator><keyframe><key ctrl="1e300"/></keyframe></mujoco>)");
  const std::string words = "joint velocities diverged at t = 0.002 s, joint 'elbow' of body 'arm' at ";
  const ProgramResult table = run_program(folder.path(), {"run", "arm.xml"});
  EXPECT_EQ(table.exit_code, 1);
  EXPECT_EQ(table.out.rfind("arm.xml: BROKE OFF after step 2: " + words, 0), 0U) << table.out;
  const auto json = nlohmann::json::parse(run_program(folder.path(), {"run", "arm.xml", "--json"}).out);
  EXPECT_EQ(json["ended_by"].get<std::string>().rfind(words, 0), 0U) << json["ended_by"];
  EXPECT_TRUE(json["residual"]["worst"].is_number()) << json["residual"];
}

TEST(Run, TableFitsTheTerminal) {
  TempFolder folder;
  setenv("COLUMNS", "60", 1);
  const ProgramResult result = run_program(folder.path(), {"run", "push-box"});
  unsetenv("COLUMNS");
  EXPECT_EQ(result.out.rfind("push-box: the check holds; all ", 0), 0U) << result.out;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 60U) << line;
}

/// One sweep of PGS in steps of 0.3 s: velocities grow until what drives the arm has no numbers any more. Table and log
/// tell how it came to that.
TEST(Run, RunThatBreaksOffIsNotLost) {
  TempFolder folder;
  const ProgramResult result =
      run_program(folder.path(), {"run", "bolt-nut-assembly", "--dt", "0.3", "--time", "60", "--solver", "pgs",
                                  "--max-iterations", "1", "--log", "run.h5"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const std::string words = "broke off         after step ";
  const std::size_t found = result.out.find(words);
  ASSERT_NE(found, std::string::npos) << result.out;
  EXPECT_NE(result.out.find("not judged"), std::string::npos) << result.out;
  const LogReader log(folder.path() / "run.h5");
  EXPECT_GT(log.frames(), 1);
  EXPECT_EQ(log.frames(), std::stoi(result.out.substr(found + words.size())));  // every step up to there
}

/// Refused with one line that says this, before anything is run or written.
void expect_refused(const TempFolder& folder, const std::vector<std::string>& options, const std::string& says) {
  std::vector<std::string> arguments = {"run"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProgramResult result = run_program(folder.path(), arguments);
  EXPECT_EQ(result.exit_code, 2) << says << '\n' << result.out << result.err;
  EXPECT_TRUE(result.out.empty()) << result.out;
  EXPECT_NE(result.err.find(says), std::string::npos) << "no '" << says << "' in " << result.err;
}

TEST(Run, BadArgumentsAreRefused) {
  TempFolder folder;
  folder.write("ball.xml", kBall);
  expect_refused(folder, {"ball.xml", "--solver", "magic"}, "magic");
  expect_refused(folder, {"ball.xml", "--solver", "canla"}, "did you mean canal?");
  expect_refused(folder, {"ball.xml", "--keyframe", "home"}, "home");
  expect_refused(folder, {"ball.xml", "--keyframe", "3"}, "keyframe 3");
  expect_refused(folder, {"ball.xml", "--theta", "1"}, "--theta");
  expect_refused(folder, {"absent.xml"}, "absent.xml: no such file");
  for (const char* number : {"nan", "-1", "inf", "soon", ""}) {
    expect_refused(folder, {"ball.xml", "--time", number}, "--time");
    expect_refused(folder, {"ball.xml", "--dt", number}, "--dt");
  }
  expect_refused(folder, {"ball.xml", "--dt", "0"}, "--dt");
  expect_refused(folder, {"ball.xml", "--time", "1e30"}, "too many steps");
  expect_refused(folder, {"ball.xml", "--set", "mu=1"}, "--set");
  expect_refused(folder, {"ball.xml", "--stop-on-gain", "-1"}, "--stop-on-gain");
  expect_refused(folder, {"ball.xml", "--log-every", "0"}, "--log-every");
  expect_refused(folder, {"ball.xml", "--log-fps", "0"}, "--log-fps");
  expect_refused(folder, {"ball.xml", "--log-fps", "60", "--log-every", "2"}, "--log-every");
}

TEST(Run, UnknownSceneSuggestsTheNearest) {
  TempFolder folder;
  const ProgramResult result = run_program(folder.path(), {"run", "box-stak"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "uzawa: box-stak: no such scene or file; did you mean box-stack? `uzawa scenes` lists the scenes\n");
  expect_refused(folder, {"push-box", "--set", "weight=3"},
                 "parameter 'weight': there is none of that name; did you mean ");
  expect_refused(folder, {"box-stack", "--set", "cuont=3"}, "did you mean count? The scene has count, half, mass");
  expect_refused(folder, {"push-box", "--set", "mass=heavy"}, "'heavy' is no number");
  expect_refused(folder, {"push-box", "--keyframe", "0"}, "--keyframe");
}

TEST(Run, LogThatCantBeWrittenIsFoundOutFirst) {
  TempFolder folder;
  folder.write("ball.xml", kBall);
  std::filesystem::create_directory(folder.path() / "folder");
  // An hour of simulation: it would not come back from a run.
  expect_refused(folder, {"ball.xml", "--time", "1e6", "--log", "folder"}, "folder: log: is a folder");
  expect_refused(folder, {"ball.xml", "--time", "1e6", "--log", "absent/run.h5"}, "its folder does not exist");
  expect_refused(folder, {"ball.xml", "--time", "1e6", "--log", "/dev/null"}, "is no regular file");
  expect_refused(folder, {"ball.xml", "--time", "1e6", "--log", "/proc/run.h5"}, "/proc/run.h5: log");
}

TEST(Run, SceneIsCheckedAndDecidesTheExitCode) {
  TempFolder folder;
  const ProgramResult good = run_program(folder.path(), {"run", "push-box"});
  EXPECT_EQ(good.exit_code, 0) << good.out;
  EXPECT_NE(good.out.find("check             holds"), std::string::npos) << good.out;
  const ProgramResult bad = run_program(folder.path(), {"run", "push-box", "--set", "error=0", "--json"});
  EXPECT_EQ(bad.exit_code, 1) << bad.out;
  EXPECT_EQ(nlohmann::json::parse(bad.out)["check"]["holds"], false);
  const ProgramResult brief = run_program(folder.path(), {"run", "pinch", "--time", "0.1"});
  EXPECT_EQ(brief.exit_code, 0) << brief.out;
  EXPECT_NE(brief.out.find("not judged"), std::string::npos) << brief.out;
}

TEST(Run, OptionsReachTheScene) {
  TempFolder folder;
  const auto run = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"run", "sphere-pile", "--set", "side=2", "--time", "0.02", "--json"});
    return nlohmann::json::parse(run_program(folder.path(), options).out);
  };
  const nlohmann::json first = run({});
  EXPECT_EQ(first["q"], run({"--threads", "2"})["q"]);
  EXPECT_NE(first["q"], run({"--seed", "2"})["q"]);
  EXPECT_EQ(run({"--dt", "0.001"})["steps"], 20);
  EXPECT_EQ(first["parameters"]["side"], 2);
  EXPECT_EQ(run({"--solver", "pgs"})["solver"], "pgs");
  EXPECT_EQ(run({"--theta", "0.5"})["theta"], 0.5);
}

TEST(Run, ScenesAreListed) {
  TempFolder folder;
  const ProgramResult result = run_program(folder.path(), {"scenes"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), std::ssize(scenarios::scenes()));
  for (const scenarios::Description& scene : scenarios::scenes()) {
    EXPECT_NE(result.out.find(std::string(scene.name) + " "), std::string::npos) << scene.name;
  }
  const ProgramResult more = run_program(folder.path(), {"scenes", "--parameters"});
  EXPECT_NE(more.out.find("storeys"), std::string::npos) << more.out;
  const auto json = nlohmann::json::parse(run_program(folder.path(), {"scenes", "--json"}).out);
  ASSERT_EQ(json.size(), scenarios::scenes().size());
  EXPECT_EQ(json[0]["name"], "box-stack");
  EXPECT_EQ(json[0]["parameters"][0]["name"], "count");
  EXPECT_EQ(json[0]["parameters"][0]["whole"], true);
}

TEST(Run, LogHoldsTheRun) {
  TempFolder folder;
  const ProgramResult result = run_program(folder.path(), {"run", "push-box", "--time", "0.5", "--log", "run.h5",
                                                           "--log-every", "10", "--seed", "7", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["log"]["frames"], 12);
  LogReader log(folder.path() / "run.h5");
  EXPECT_EQ(log.info().scene, "push-box");
  EXPECT_EQ(log.info().seed, 7U);
  EXPECT_EQ(log.info().every, 10);
  EXPECT_FALSE(log.info().interrupted);
  ASSERT_EQ(log.frames(), 12U);
  LogFrame last;
  log.read(11, last);
  EXPECT_EQ(nlohmann::json(last.state.q), out["q"]);
  EXPECT_NEAR(last.external[0], 10 * M_SQRT1_2, 1e-12);
}

TEST(Run, LogAtAFrameRate) {
  TempFolder folder;
  folder.write("ball.xml", kBall);
  ASSERT_EQ(run_program(folder.path(), {"run", "ball.xml", "--log", "run.h5", "--log-fps", "60"}).exit_code, 0);
  EXPECT_EQ(LogReader(folder.path() / "run.h5").info().every, 8);  // of 2 ms
}

TEST(Run, AFullDiskEndsItWithTheTableAndAnError) {
  TempFolder folder;
  folder.write("ball.xml", kBall);
  const ProgramResult result =
      Program(folder.path(), {"run", "ball.xml", "--time", "1e6", "--log", "run.h5"}, 1000000).wait();
  EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
  EXPECT_NE(result.out.find("real-time factor"), std::string::npos) << result.out;
  EXPECT_EQ(result.err.rfind("uzawa: run.h5: ", 0), 0U) << result.err;
  EXPECT_NE(result.err.find("disk full?"), std::string::npos) << result.err;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "files left behind";
}

/// A page alone is larger than this disk: the run is told all the same.
TEST(Run, AFullDiskStillPrintsTheTableOfAReplay) {
  TempFolder folder;
  folder.write("ball.xml", kBall);
  const ProgramResult result =
      Program(folder.path(), {"run", "ball.xml", "--time", "0.1", "--html", "run.html"}, 10000).wait();
  EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
  EXPECT_NE(result.out.find("50 steps of 2 ms"), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("run.html: replay: can't be written: disk full?"), std::string::npos) << result.err;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "files left behind";
}

/// The examples of docs/log-format.md, where python3 (or what UZAWA_PYTHON names) has h5py.
TEST(Run, PythonReadsTheLogAsTheDocsSay) {
  const char* given = std::getenv("UZAWA_PYTHON");
  const std::string python = given != nullptr ? given : "python3";
  if (std::system((python + " -c 'import h5py' 2>/dev/null").c_str()) != 0) GTEST_SKIP() << python << " has no h5py";
  TempFolder folder;
  ASSERT_EQ(run_program(folder.path(), {"run", "box-stack", "--time", "0.2", "--log", "run.h5"}).exit_code, 0);
  const std::string docs = read_text(UZAWA_DOCS "/log-format.md"), fence = "```python\n";
  int examples = 0;
  for (std::size_t at = docs.find(fence); at != std::string::npos; at = docs.find(fence, at + 1), ++examples) {
    const std::size_t begin = at + fence.size();
    folder.write("example.py", docs.substr(begin, docs.find("```", begin) - begin) +
                                   "assert len(log['time']) == 100 and log['q'].shape == (100, 70)\n");
    const std::string command = "cd " + folder.path().string() + " && " + python + " example.py > out.txt 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << read_text(folder.path() / "out.txt");
  }
  EXPECT_EQ(examples, 2);
}

TEST(Run, ControlCEndsItWithTableAndLog) {
  for (const int signal : {SIGINT, SIGTERM}) {
    TempFolder folder;
    folder.write("ball.xml", kBall);
    Program program(folder.path(), {"run", "ball.xml", "--time", "1e6", "--log", "run.h5"});
    // The draft is there from before the first step; give it some steps.
    const auto draft = [&] {
      for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        if (entry.path().filename().string().starts_with("run.h5.part")) return true;
      }
      return false;
    };
    for (int i = 0; i < 6000 && !draft(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    program.wait_cpu(0.3);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "run.h5")) << "it has its name before it is whole";
    program.send(signal);
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.exit_code, 130) << result.out << result.err;
    EXPECT_NE(result.out.find("; interrupted"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("real-time factor"), std::string::npos) << result.out;
    LogReader log(folder.path() / "run.h5");
    EXPECT_TRUE(log.info().interrupted);
    ASSERT_GT(log.frames(), 0U);
    LogFrame frame;
    for (std::size_t i = 0; i < log.frames(); i += 1 + log.frames() / 100) {
      log.read(i, frame);
      ASSERT_NEAR(frame.state.time, 0.002 * static_cast<double>(i + 1), 1e-6);
    }
    EXPECT_FALSE(draft()) << "files left behind";
  }
}

}  // namespace
}  // namespace uzawa::test

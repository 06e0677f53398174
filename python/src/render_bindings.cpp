#include <nanobind/stl/optional.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "bindings.hpp"
#include "chromium.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa::python {

namespace {

using nlohmann::json;

json or_null(const std::optional<double>& value) { return value ? json(*value) : json(); }

/// The last frame of a replay as a PNG.
std::string screenshot(const std::string& page, int width, int height, std::optional<double> azimuth,
                       std::optional<double> elevation, double zoom, bool forces) {
  cli::Chromium browser(cli::find_chromium(), width, height);
  browser.open("file://" + std::filesystem::absolute(page).string());
  const json message = browser.evaluate(R"(new Promise((resolve) => {
    const look = () => {
      const box = document.getElementById('message');
      if (window.uzawa) resolve('');
      else if (box && !box.hidden) resolve(document.getElementById('message-text').textContent);
      else setTimeout(look, 20);
    };
    look();
  }))");
  if (message.is_string() && !message.get<std::string>().empty()) {
    throw InputError(page, "replay", message.get<std::string>());
  }
  const json look = {
      {"panels", false},
      {"azimuth", or_null(azimuth)},
      {"elevation", or_null(elevation)},
      {"zoom", zoom},
      {"toggles", {{"points", forces}, {"forces", forces}, {"color", false}, {"dark", false}, {"plots", false}}}};
  browser.evaluate("window.uzawa.present(" + look.dump() + ")");
  browser.evaluate(
      "window.uzawa.seek(window.uzawa.frames - 1).then(() => new Promise((resolve) => requestAnimationFrame(() => "
      "requestAnimationFrame(() => resolve(0)))))");
  return browser.screenshot();
}

}  // namespace

void bind_render(nb::module_& m) {
  m.def(
      "screenshot",
      [](const std::string& page, int width, int height, std::optional<double> azimuth, std::optional<double> elevation,
         double zoom, bool forces) {
        std::string png;
        {
          const nb::gil_scoped_release release;
          png = screenshot(page, width, height, azimuth, elevation, zoom, forces);
        }
        return nb::bytes(png.data(), png.size());
      },
      nb::arg("page"), nb::arg("width"), nb::arg("height"), nb::arg("azimuth").none(), nb::arg("elevation").none(),
      nb::arg("zoom"), nb::arg("forces"), "the last frame of a replay as a PNG; needs Chromium");
}

}  // namespace uzawa::python

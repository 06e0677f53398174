#include "mutate.hpp"

#include <array>
#include <cctype>
#include <random>
#include <vector>

namespace uzawa::test {

namespace {

/// std::uniform_int_distribution differs from library to library; this does not.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t count) { return count == 0 ? 0 : engine_() % count; }

 private:
  std::mt19937_64 engine_;
};

struct Piece {
  std::size_t begin = 0, size = 0;
};

bool in_number(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-'; }

std::vector<Piece> numbers_of(const std::string& text) {
  std::vector<Piece> found;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && in_number(text[end])) ++end;
    if (end > i) found.push_back({i, end - i});
    i = end + 1;
  }
  return found;
}

/// Texts between double quotes, quotes left out.
std::vector<Piece> values_of(const std::string& text) {
  std::vector<Piece> found;
  for (std::size_t open = text.find('"'); open != std::string::npos;) {
    const std::size_t close = text.find('"', open + 1);
    if (close == std::string::npos) break;
    found.push_back({open + 1, close - open - 1});
    open = text.find('"', close + 1);
  }
  return found;
}

void swap_number(std::string& text, Dice& dice) {
  static constexpr std::array kNasty = {"0",      "-1",     "1e308", "-1e308", "nan",        "inf",         "-inf",
                                        "1e-308", "1e39",   "1e10",  "1e-10",  "2147483647", "-2147483648", "65",
                                        "1.",     "100000", "",      "x",      "1 2",        "0x10"};
  const std::vector<Piece> numbers = numbers_of(text);
  if (numbers.empty()) return;
  const Piece number = numbers[dice.below(numbers.size())];
  text.replace(number.begin, number.size, kNasty[dice.below(kNasty.size())]);
}

/// A name, a list or a keyword where another belongs.
void swap_values(std::string& text, Dice& dice) {
  const std::vector<Piece> values = values_of(text);
  if (values.empty()) return;
  const Piece from = values[dice.below(values.size())], to = values[dice.below(values.size())];
  text.replace(to.begin, to.size, text.substr(from.begin, from.size));
}

Piece chunk_of(const std::string& text, Dice& dice) {
  const std::size_t begin = dice.below(text.size());
  return {begin, 1 + dice.below(text.size() / 4 + 1)};
}

/// From the start of one line to the start of another: damage that is often still XML.
Piece lines_of(const std::string& text, Dice& dice) {
  const std::size_t begin = text.find('\n', dice.below(text.size()));
  if (begin == std::string::npos) return {0, 0};
  const std::size_t end = text.find('\n', begin + 1 + dice.below(200));
  return end == std::string::npos ? Piece{begin, 0} : Piece{begin, end - begin};
}

void damage(std::string& text, Dice& dice) {
  if (text.empty()) return;
  switch (dice.below(12)) {
    case 0: text.resize(dice.below(text.size())); break;
    case 1:
      for (std::size_t flips = 1 + dice.below(8); flips > 0; --flips) {
        char& byte = text[dice.below(text.size())];
        byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << dice.below(8)));
      }
      break;
    case 2: {
      const Piece chunk = chunk_of(text, dice);
      text.erase(chunk.begin, chunk.size);
      break;
    }
    case 3: {
      const Piece chunk = chunk_of(text, dice);
      text.insert(dice.below(text.size()), text.substr(chunk.begin, chunk.size));
      break;
    }
    case 4: {
      const Piece lines = lines_of(text, dice);
      text.erase(lines.begin, lines.size);
      break;
    }
    case 5: {
      const Piece lines = lines_of(text, dice);
      text.insert(lines_of(text, dice).begin, text.substr(lines.begin, lines.size));
      break;
    }
    case 6:
    case 7: swap_values(text, dice); break;
    default: swap_number(text, dice); break;
  }
}

}  // namespace

std::string mutate(const std::string& text, unsigned seed) {
  Dice dice(seed);
  std::string out = text;
  for (std::size_t rounds = 1 + dice.below(3); rounds > 0; --rounds) damage(out, dice);
  return out;
}

}  // namespace uzawa::test

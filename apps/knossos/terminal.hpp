#pragma once

#include <knossos/run/run.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace knossos::app {

/// 12345678 → "12,345,678".
std::string thousands(std::uint64_t number);
/// Three significant digits and a unit: "1.24 M", "870 k", "12".
std::string short_number(double number);
/// "3.1 s", "12 ms", "2 min 5 s".
std::string duration(double seconds);

/// Whether standard error is a terminal on which a line can be redrawn.
bool is_live();

/// The one live line of a run: redrawn a few times a second on a terminal, silent elsewhere.
class Progress {
  public:
    Progress(bool enabled, const StopRule& stop);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() { clear(); }
    void show(const Status& status);
    void clear();

  private:
    [[nodiscard]] std::string time_left(const Status& status) const;

    bool enabled_;
    bool drawn_ = false;
    const StopRule stop_;
    std::chrono::steady_clock::time_point last_{};
};

} // namespace knossos::app

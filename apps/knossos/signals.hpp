#pragma once

namespace knossos::app {

/// While it lives, SIGINT, SIGTERM and SIGUSR1 ask for an orderly end instead of ending the program; a second
/// SIGINT ends it at once, which is said to whoever still waits a second after the first.
class SignalWatch {
  public:
    SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;
    ~SignalWatch();

    /// Takes the signals back: the compiler in a device's driver installs handlers of its own.
    static void renew();
    [[nodiscard]] static bool asked_to_stop();
};

} // namespace knossos::app

#include "signals.hpp"

#include <csignal>
#include <initializer_list>
#include <unistd.h>

namespace knossos::app {

namespace {

volatile std::sig_atomic_t asked = 0;

void note(int signal) {
    if (signal == SIGINT && asked != 0) _exit(130);
    asked = 1;
}

void install(void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaction(signal, &action, nullptr);
}

} // namespace

SignalWatch::SignalWatch() {
    asked = 0;
    install(note);
}

SignalWatch::~SignalWatch() { install(SIG_DFL); }

bool SignalWatch::asked_to_stop() { return asked != 0; }

} // namespace knossos::app

#include "signals.hpp"

#include <knossos/recipe/program_evaluator.hpp>

#include <csignal>
#include <cstring>
#include <initializer_list>
#include <unistd.h>

namespace knossos::app {

namespace {

volatile std::sig_atomic_t asked = 0;

// Only what a handler may call: no stream is safe here.
void say(const char* text) { (void)!write(STDERR_FILENO, text, std::strlen(text)); }

void note(int signal) {
    if (signal == SIGINT && asked != 0) {
        end_evaluator_programs(); // they may hang, and would not notice that nobody listens any more
        say("\nended at once\n");
        _exit(130);
    }
    asked = 1;
    if (signal == SIGINT) alarm(1);
}

// Somebody at the keyboard still waits: an evaluation may take long, or hang.
void explain(int /*signal*/) { say("\nwhat has been begun is completed first; Ctrl-C again ends at once\n"); }

void install(void (*handler)(int), void (*at_alarm)(int)) {
    struct sigaction action{};
    sigemptyset(&action.sa_mask);
    action.sa_handler = at_alarm;
    sigaction(SIGALRM, &action, nullptr);
    action.sa_handler = handler;
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaction(signal, &action, nullptr);
}

} // namespace

SignalWatch::SignalWatch() {
    asked = 0;
    install(note, explain);
}

SignalWatch::~SignalWatch() {
    alarm(0);
    install(SIG_DFL, SIG_DFL);
}

void SignalWatch::renew() { install(note, explain); }

bool SignalWatch::asked_to_stop() { return asked != 0; }

} // namespace knossos::app

// SPDX-License-Identifier: MIT
#include "signals.h"

#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define TURNS 64    // turns between two checks for pending signals

static volatile sig_atomic_t asked_to_end;

static void end(int signal_number)
{
    (void)signal_number;
    asked_to_end = 1;
}

void signals_catch(void)
{
    struct sigaction action = {.sa_handler = end};
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

void signals_end_with_parent(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)    // it ended before
        asked_to_end = 1;
}

bool signals_must_end(void)
{
    static uint8_t turn;
    sigset_t pending;
    if (asked_to_end || ++turn % TURNS != 0)    // signals_poll() handles it, unless the loop is never idle
        return asked_to_end;
    sigpending(&pending);
    return asked_to_end || sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM);
}

int signals_poll(struct pollfd *fds, unsigned fd_cnt, uint32_t ms)
{
    struct timespec timeout = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    sigset_t none;
    sigemptyset(&none);
    return ppoll(fds, fd_cnt, &timeout, &none);
}

/* routh simulate: a recorded run, with its progress on standard error. */
#define _POSIX_C_SOURCE 200809L /* sigaction, clock_gettime, isatty */

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "run.h"
#include "say.h"

/* Set by Ctrl-C and by what else ends programs kindly; the only thing that a handler may do. */
static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_ENDING = sizeof ending / sizeof *ending };
static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

/* Where hanging up is ignored (nohup), it stays so. */
static void take_signal(int signal, const struct sigaction *action, struct sigaction *before)
{
    sigaction(signal, NULL, before);
    if (signal != SIGHUP || before->sa_handler != SIG_IGN) sigaction(signal, action, NULL);
}

typedef struct watch {
    struct timespec begun, told;
    bool quiet, terminal, line; /* line: one is under way on the terminal */
} watch;

static double since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* "1 h 20 min", "35 s" */
static void duration_text(char *text, size_t room, double seconds)
{
    if (seconds < 60)
        snprintf(text, room, "%.0f s", seconds);
    else if (seconds < 3600)
        snprintf(text, room, "%.0f min", seconds / 60);
    else
        snprintf(text, room, "%.0f h %.0f min", (seconds - fmod(seconds, 3600)) / 3600,
                 fmod(seconds, 3600) / 60);
}

/* From the third second on: every half second on a terminal, every minute elsewhere. */
static int tell(void *data, const routh_history_progress *p)
{
    watch *w = data;
    const double running = since(&w->begun);
    if (w->quiet || running < 3 || since(&w->told) < (w->terminal ? 0.5 : 60)) return interrupted;
    const double done = (p->time - p->start) / (p->end - p->start);
    char left[40] = "unknown time";
    if (done > 0) duration_text(left, sizeof left, running * (1 - done) / done);
    fprintf(stderr, "%srouth: t = %.4g of %.4g s, %.0f %%, %ld steps, %s left%s",
            w->terminal ? "\r\033[K" : "", p->time, p->end, 100 * done, p->steps, left,
            w->terminal ? "" : "\n");
    w->line = w->terminal;
    clock_gettime(CLOCK_MONOTONIC, &w->told);
    return interrupted;
}

static bool is_table(const char *file)
{
    const size_t n = strlen(file);
    return n >= 4 && strcmp(file + n - 4, ".csv") == 0;
}

static void sum_up(const options *given, const routh_history_summary *s)
{
    if (given->quiet) return;
    const routh_statistics *c = &s->statistics;
    if (s->resumed_from > 0) remark("resumed after %ld records", s->resumed_from);
    remark("%ld records from %.6g to %.6g s; %ld steps of %.3g to %.3g s, %ld rejected, %ld "
           "events; constraints within %.1e m and %.1e m/s",
           s->records, s->start, s->end, c->steps, c->smallest_step, c->largest_step, c->rejected,
           c->events, c->position_error, c->velocity_error);
    if (s->interrupted)
        remark("interrupted: %s is complete up to %.6g s%s", given->output, s->end,
               is_table(given->output) ? "" : "; --resume continues it");
    if (s->stopped) remark("an event of the model stopped the run at %.9g s", s->end);
}

static int simulate(const run *r, const options *given)
{
    routh_error error = {0};
    routh_history_summary summary = {0};
    watch w = {.quiet = given->quiet, .terminal = isatty(STDERR_FILENO)};
    routh_history_options o = routh_history_defaults();
    o.simulate.integrator = given->integrator;
    o.simulate.tolerance = given->tolerance;
    o.simulate.step = given->step;
    if (given->dissipation_given) o.simulate.dissipation = given->dissipation;
    o.end = given->end;
    o.every = given->every;
    o.file = given->output;
    o.groups = given->channels;
    o.resume = given->resume;
    o.on_progress = tell;
    o.data = &w;
    struct sigaction action = {.sa_handler = interrupt}, before[N_ENDING];
    for (int k = 0; k < N_ENDING; k++) take_signal(ending[k], &action, &before[k]);
    clock_gettime(CLOCK_MONOTONIC, &w.begun);
    w.told = w.begun;
    const routh_status status = routh_history_run(r->mechanism, r->point, &o, &summary, &error);
    for (int k = 0; k < N_ENDING; k++) sigaction(ending[k], &before[k], NULL);
    if (w.line) fputs("\r\033[K", stderr);
    if (!status || summary.records > 0) sum_up(given, &summary);
    if (status && status != ROUTH_STOPPED) return fault(&error);
    return summary.interrupted ? EXIT_FAULT : EXIT_DONE;
}

int run_simulate(const options *given)
{
    run r = {0};
    if (!given->output)
        return usage_error("command simulate needs --output FILE, ending in .h5 or .csv");
    int status = run_to_point(&r, given);
    if (status == EXIT_DONE) status = run_save_state(&r, given);
    if (status == EXIT_DONE) {
        run_warn(&r, given);
        status = simulate(&r, given);
    }
    run_free(&r);
    return status;
}

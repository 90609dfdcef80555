/* Interrupts, the three standard streams, the terminal's width and absolute paths on POSIX
 * systems. */
#define _XOPEN_SOURCE 700 /* SA_RESTART */
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE /* TIOCGWINSZ */
#endif
#include "base.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Wrappers such as timeout(1) signal a program and its process group at the same time; signals this
 * close together count as one request. */
#define REQUEST_DEBOUNCE_S 1
/* Time left for saving, in µs. A program that sends SIGTERM often kills soon afterwards; whatever
 * is not saved by then is left to the last checkpoint. */
#define SAVE_LIMIT_US 1700000

/* Atomic: the handler runs in whichever thread receives the signal, and other threads read the
 * flags. */
static atomic_int interrupted, saved;
static atomic_llong interrupted_at; /* in s of the monotonic clock */

static void on_save_timeout(int signal_number)
{
    static const char words[] = "weir: ended by a signal before everything was saved\n";
    (void)signal_number;
    if (saved) _exit(BASE_STATUS_STOPPED);
    ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
    signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
}

static void on_interrupt(int signal_number)
{
    const struct itimerval end = {.it_value = {SAVE_LIMIT_US / 1000000, SAVE_LIMIT_US % 1000000}};
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (interrupted && (long long)now.tv_sec - interrupted_at > REQUEST_DEBOUNCE_S) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    if (!interrupted) interrupted_at = (long long)now.tv_sec;
    interrupted = 1;
    if (signal_number != SIGINT && signal_number != SIGUSR1) setitimer(ITIMER_REAL, &end, NULL);
}

void base_interrupt_install(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGUSR1, &action, NULL); /* of schedulers, some time before they end a job */
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, &before);
    /* Keeps the effect of nohup. */
    if (before.sa_handler == SIG_IGN) sigaction(SIGHUP, &before, NULL);
    action.sa_handler = on_save_timeout;
    sigaction(SIGALRM, &action, NULL);
    /* Writing past the limit of a file's size (ulimit -f) then fails like writing to a full disk,
     * and the file is removed. */
    action.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &action, NULL);
}

void base_interrupt_acknowledge(void)
{
    saved = 1;
}

bool base_interrupted(void)
{
    return interrupted != 0;
}

void base_open_standard_streams(void)
{
    signal(SIGPIPE, SIG_IGN);
    /* None of our files may get the number of a closed stream. The stand-in is opened in the wrong
     * direction, so that using the stream remains an error. */
    for (int file = 0; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            (void)!open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

uint32_t base_terminal_columns(FILE *stream)
{
    struct winsize size = {0};
    bool known = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

char *base_path_absolute(const char *path)
{
    if (base_path_is_absolute(path)) return base_strdup(path);
    char folder[PATH_MAX];
    if (!getcwd(folder, sizeof folder)) return NULL;
    return strcmp(path, ".") == 0 ? base_strdup(folder) : base_path_join(folder, path);
}

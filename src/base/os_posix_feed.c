/* Programs that are fed, on POSIX systems. */
#define _POSIX_C_SOURCE 200809L
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct base_feed {
    weir_log log;
    char *name;
    int pipe;
    pid_t process;
};

/* Starts the program with `input` as its standard input and standard error for all it says; the
 * error number. Children of the library must not hold the pipe's other end open: it is closed on
 * exec. */
static int start(base_feed *feed, const char *const *words, int input)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    char *const *arguments = (char *const *)(uintptr_t)words; /* not written to */
    if (!error) error = posix_spawnp(&feed->process, words[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

weir_result base_feed_open(const weir_log *log, const char *const *words, base_feed **out)
{
    int ends[2] = {-1, -1};
    *out = NULL;
    base_feed *feed = base_alloc(1, sizeof *feed);
    char *name = base_strdup(words[0]);
    int error = feed && name ? 0 : ENOMEM;
    if (!error && pipe(ends) != 0) error = errno;
    if (!error && fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0) error = errno;
    if (!error) error = start(feed, words, ends[0]);
    if (ends[0] >= 0) close(ends[0]);
    if (!error) {
        *feed = (base_feed){*log, name, ends[1], feed->process};
        *out = feed;
        return WEIR_OK;
    }
    if (ends[1] >= 0) close(ends[1]);
    base_free(feed);
    base_free(name);
    if (error == ENOENT)
        return base_fail(log, WEIR_UNSUPPORTED, "there is no program \"%s\" in PATH: install it",
                         words[0]);
    return base_fail(log, error == ENOMEM ? WEIR_MEMORY : WEIR_IO, "%s cannot be started: %s",
                     words[0], strerror(error));
}

/* Writing to a program that has ended raises a signal, which ends this one; here it is taken back.
 */
static ssize_t write_quietly(int file, const void *bytes, size_t size)
{
    sigset_t broken, before, pending;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ssize_t written = write(file, bytes, size);
    int error = errno, taken;
    if (sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1)
        sigwait(&broken, &taken); /* raised after a short write too */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return written;
}

weir_result base_feed_write(base_feed *feed, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    while (size > 0) {
        ssize_t written = write_quietly(feed->pipe, at, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0)
            return base_fail(&feed->log, WEIR_IO, "%s takes no more: %s", feed->name,
                             strerror(errno));
        at += written;
        size -= (size_t)written;
    }
    return WEIR_OK;
}

weir_result base_feed_close(base_feed **pointer)
{
    base_feed *feed = *pointer;
    int status = 0;
    if (!feed) return WEIR_OK;
    close(feed->pipe);
    while (waitpid(feed->process, &status, 0) < 0 && errno == EINTR)
        ;
    weir_result result = WEIR_OK;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        result = base_fail(&feed->log, WEIR_IO, "%s failed, status %d", feed->name,
                           WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    base_free(feed->name);
    base_free(feed);
    *pointer = NULL;
    return result;
}

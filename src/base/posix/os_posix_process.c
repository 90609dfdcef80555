/* Child programs connected by a pipe, on POSIX systems. */
#define _POSIX_C_SOURCE 200809L
#include "base_os.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__APPLE__) /* a library cannot refer to environ on macOS */
#include <crt_externs.h>
#define environ (*_NSGetEnviron())
#else
extern char **environ;
#endif

static int spawn(const char *const *words, int end, os_pipe_use use, pid_t *id)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawn_file_actions_adddup2(
        &actions, end, use == OS_PIPE_TO_CHILD ? STDIN_FILENO : STDOUT_FILENO);
    if (!error && use == OS_PIPE_FROM_CHILD)
        error = posix_spawn_file_actions_adddup2(&actions, end, STDERR_FILENO);
    if (!error) error = posix_spawn_file_actions_addclose(&actions, end);
    if (!error) error = posix_spawnp(id, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int os_process_start(const char *const *words, os_pipe_use use, os_process *process, os_file *ours)
{
    int ends[2], theirs = use == OS_PIPE_TO_CHILD ? 0 : 1;
    pid_t id = 0;
    if (use == OS_PIPE_TO_CHILD) signal(SIGPIPE, SIG_IGN);
    if (pipe(ends)) return errno;
    fcntl(ends[1 - theirs], F_SETFD, FD_CLOEXEC);
    int error = spawn(words, ends[theirs], use, &id);
    close(ends[theirs]);
    if (error) close(ends[1 - theirs]);
    *ours = ends[1 - theirs];
    *process = id;
    return error;
}

int os_process_wait(os_process process)
{
    int status = 0;
    while (waitpid((pid_t)process, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

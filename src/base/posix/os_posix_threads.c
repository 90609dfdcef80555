/* Threads on POSIX systems. A mutex or condition whose call fails is a bug in Weir. */
#define _POSIX_C_SOURCE 200809L
#include "base.h"

#include <pthread.h>

/* The same size as on Linux; the default of macOS is 512 KiB. */
#define STACK_BYTES ((size_t)8 << 20)

struct base_thread {
    pthread_t handle;
    void (*run)(void *user);
    void *user;
};

struct base_mutex {
    pthread_mutex_t handle;
};

struct base_condition {
    pthread_cond_t handle;
};

static void *run_thread(void *memory)
{
    base_thread *thread = memory;
    thread->run(thread->user);
    return NULL;
}

static bool start_native_thread(base_thread *thread)
{
    pthread_attr_t wanted;
    if (pthread_attr_init(&wanted) != 0) return false;
    bool started = pthread_attr_setstacksize(&wanted, STACK_BYTES) == 0 &&
                   pthread_create(&thread->handle, &wanted, run_thread, thread) == 0;
    pthread_attr_destroy(&wanted);
    return started;
}

base_thread *base_thread_start(void (*run)(void *user), void *user)
{
    base_thread *thread = base_alloc(1, sizeof *thread);
    if (!thread) return NULL;
    thread->run = run;
    thread->user = user;
    if (start_native_thread(thread)) return thread;
    base_free(thread);
    return NULL;
}

void base_thread_join(base_thread **thread)
{
    if (!*thread) return;
    WEIR_ASSERT(pthread_join((*thread)->handle, NULL) == 0);
    base_free(*thread);
    *thread = NULL;
}

base_mutex *base_mutex_create(void)
{
    base_mutex *mutex = base_alloc(1, sizeof *mutex);
    if (!mutex || pthread_mutex_init(&mutex->handle, NULL) == 0) return mutex;
    base_free(mutex);
    return NULL;
}

base_mutex *base_mutex_global(void)
{
    static base_mutex mutex = {PTHREAD_MUTEX_INITIALIZER};
    return &mutex;
}

void base_mutex_destroy(base_mutex **mutex)
{
    if (!*mutex) return;
    WEIR_ASSERT(pthread_mutex_destroy(&(*mutex)->handle) == 0);
    base_free(*mutex);
    *mutex = NULL;
}

void base_mutex_lock(base_mutex *mutex)
{
    WEIR_ASSERT(pthread_mutex_lock(&mutex->handle) == 0);
}

void base_mutex_unlock(base_mutex *mutex)
{
    WEIR_ASSERT(pthread_mutex_unlock(&mutex->handle) == 0);
}

base_condition *base_condition_create(void)
{
    base_condition *condition = base_alloc(1, sizeof *condition);
    if (!condition || pthread_cond_init(&condition->handle, NULL) == 0) return condition;
    base_free(condition);
    return NULL;
}

void base_condition_destroy(base_condition **condition)
{
    if (!*condition) return;
    WEIR_ASSERT(pthread_cond_destroy(&(*condition)->handle) == 0);
    base_free(*condition);
    *condition = NULL;
}

void base_condition_wait(base_condition *condition, base_mutex *mutex)
{
    WEIR_ASSERT(pthread_cond_wait(&condition->handle, &mutex->handle) == 0);
}

void base_condition_signal(base_condition *condition)
{
    WEIR_ASSERT(pthread_cond_broadcast(&condition->handle) == 0);
}

/* Threads on Windows. */
#include "os_windows.h"

#include <process.h>

/* The same size as on Linux; no module needs more. */
#define STACK_BYTES (8u << 20)

struct base_thread {
    HANDLE handle;
    void (*run)(void *user);
    void *user;
};

struct base_mutex {
    SRWLOCK handle;
};

struct base_condition {
    CONDITION_VARIABLE handle;
};

static unsigned __stdcall run_thread(void *memory)
{
    base_thread *thread = memory;
    thread->run(thread->user);
    return 0;
}

base_thread *base_thread_start(void (*run)(void *user), void *user)
{
    base_thread *thread = base_alloc(1, sizeof *thread);
    if (!thread) return NULL;
    thread->run = run;
    thread->user = user;
    uintptr_t handle = _beginthreadex(NULL, STACK_BYTES, run_thread, thread,
                                      STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    thread->handle = (HANDLE)handle;
    if (handle) return thread;
    base_free(thread);
    return NULL;
}

void base_thread_join(base_thread **thread)
{
    if (!*thread) return;
    WEIR_ASSERT(WaitForSingleObject((*thread)->handle, INFINITE) == WAIT_OBJECT_0);
    CloseHandle((*thread)->handle);
    base_free(*thread);
    *thread = NULL;
}

base_mutex *base_mutex_create(void)
{
    base_mutex *mutex = base_alloc(1, sizeof *mutex);
    if (mutex) InitializeSRWLock(&mutex->handle);
    return mutex;
}

base_mutex *base_mutex_global(void)
{
    static base_mutex mutex = {SRWLOCK_INIT};
    return &mutex;
}

void base_mutex_destroy(base_mutex **mutex)
{
    base_free(*mutex);
    *mutex = NULL;
}

void base_mutex_lock(base_mutex *mutex)
{
    AcquireSRWLockExclusive(&mutex->handle);
}

void base_mutex_unlock(base_mutex *mutex)
{
    ReleaseSRWLockExclusive(&mutex->handle);
}

base_condition *base_condition_create(void)
{
    base_condition *condition = base_alloc(1, sizeof *condition);
    if (condition) InitializeConditionVariable(&condition->handle);
    return condition;
}

void base_condition_destroy(base_condition **condition)
{
    base_free(*condition);
    *condition = NULL;
}

void base_condition_wait(base_condition *condition, base_mutex *mutex)
{
    WEIR_ASSERT(SleepConditionVariableSRW(&condition->handle, &mutex->handle, INFINITE, 0));
}

void base_condition_signal(base_condition *condition)
{
    WakeAllConditionVariable(&condition->handle);
}

/* Runs one loop on many threads. The pieces never depend on the number of threads, so results that
 * are gathered per piece and joined in the order of the pieces are the same on every machine. */
#include "base.h"

#include <stdatomic.h>

enum { THREADS_MAX = 64 };

static atomic_uint thread_limit;

typedef struct parallel_loop {
    void (*run)(void *user, size_t first, size_t end);
    void *user;
    size_t count, grain;
    atomic_size_t next; /* first index that no thread has taken */
} parallel_loop;

void base_parallel_set_max_threads(uint32_t threads)
{
    atomic_store(&thread_limit, threads);
}

static void run_worker(void *user)
{
    parallel_loop *l = user;
    for (;;) {
        const size_t first = atomic_fetch_add(&l->next, l->grain);
        if (first >= l->count) return;
        const size_t left = l->count - first;
        l->run(l->user, first, first + (left < l->grain ? left : l->grain));
    }
}

void base_parallel_for(size_t count, size_t grain,
                       void (*run)(void *user, size_t first, size_t end), void *user)
{
    WEIR_ASSERT(grain > 0 && count < SIZE_MAX / 2);
    parallel_loop l = {.run = run, .user = user, .count = count, .grain = grain};
    const size_t pieces = (count + grain - 1) / grain;
    const uint32_t limit = atomic_load(&thread_limit);
    size_t wanted = limit > 0 ? limit : base_cpu_count();
    if (wanted > pieces) wanted = pieces;
    if (wanted > THREADS_MAX) wanted = THREADS_MAX;
    base_thread *threads[THREADS_MAX] = {NULL};
    for (size_t i = 1; i < wanted; ++i)
        /* If it fails, the other threads do its work. */
        threads[i] = base_thread_start(run_worker, &l);
    run_worker(&l);
    for (size_t i = 1; i < wanted; ++i)
        base_thread_join(&threads[i]);
}

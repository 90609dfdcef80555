/* What a step in a host's frame costs beside weir_sim_step: two simulations of one scene on one
 * adopted device, that of docs/embedding, stepped alternately, each frame waited for.
 * tools/bench-host builds and runs it. */
#define _POSIX_C_SOURCE 200809L
#include "device.h"
#include "picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM = 4, MOST_PAIRS = 10000 };

typedef struct figures {
    double own, host; /* ms of a frame */
} figures;

void need(int good, const char *what)
{
    if (good) return;
    fprintf(stderr, "bench_host: no %s\n", what);
    exit(1);
}

/* ---- frames --------------------------------------------------------------------------------- */

/* Of the process: all its threads, the driver's included. */
static double processor_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double step(weir_sim *sim, bool as_host)
{
    weir_points *points = NULL;
    weir_vulkan_points buffers;
    double start = processor_ms();
    if (as_host) {
        need(weir_vulkan_step(sim, 0, NULL, &points) == WEIR_OK, "step");
        need(weir_vulkan_get_points(points, &buffers) == WEIR_OK, "points of a step");
        weir_points_release(&points);
    } else {
        need(weir_sim_step(sim, 0) == WEIR_OK, "step");
    }
    need(weir_sim_wait(sim) == WEIR_OK, "whole frame");
    return processor_ms() - start;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value below which that share of them lies; sorts them. */
static double quantile(double *values, int count, double share)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[(int)(share * (count - 1) + 0.5)];
}

static void report(const figures *pairs, int count)
{
    static double own[MOST_PAIRS], host[MOST_PAIRS], ratio[MOST_PAIRS];
    for (int i = 0; i < count; i++) {
        own[i] = pairs[i].own;
        host[i] = pairs[i].host;
        ratio[i] = pairs[i].host / pairs[i].own;
    }
    printf("processor time of a frame, medians of %d pairs: %.1f ms by weir_sim_step, %.1f ms in a "
           "host's frame\n",
           count, quantile(own, count, 0.5), quantile(host, count, 0.5));
    printf("the ratio of a pair: %.3f, half of the pairs within %.3f and %.3f\n",
           quantile(ratio, count, 0.5), quantile(ratio, count, 0.25), quantile(ratio, count, 0.75));
}

static weir_scene *load(const char *path, const char *const *overrides, int count)
{
    weir_scene *scene = NULL;
    weir_scene_def def = weir_scene_def_default();
    def.log = messages;
    def.overrides = overrides;
    def.override_count = (uint32_t)count;
    need(weir_scene_load(path, &def, &scene) == WEIR_OK, "scene");
    return scene;
}

int main(int count, char **words)
{
    static figures pairs[MOST_PAIRS];
    int pair_count = count > 2 ? atoi(words[2]) : 0;
    vulkan v = {0};
    weir_sim *sims[2] = {0};
    uint64_t hashes[2];
    uint32_t particles;
    need(pair_count > 0 && pair_count <= MOST_PAIRS,
         "SCENE PAIRS [KEY=VALUE ...] with 1 to 10000 pairs");
    weir_device *device = vulkan_open(&v);
    weir_scene *scene = load(words[1], (const char *const *)words + 3, count - 3);
    for (int k = 0; k < 2; k++)
        need(weir_sim_create(device, scene, &sims[k]) == WEIR_OK, "simulation");
    for (int i = -WARM; i < pair_count; i++) {
        const int first = i & 1; /* who goes first alternates */
        double ms[2];
        for (int k = 0; k < 2; k++)
            ms[k ^ first] = step(sims[k ^ first], (k ^ first) == 1);
        if (i >= 0) pairs[i] = (figures){ms[0], ms[1]};
    }
    for (int k = 0; k < 2; k++)
        need(weir_sim_get_state_hash(sims[k], &hashes[k]) == WEIR_OK, "hash of the state");
    need(hashes[0] == hashes[1], "equal states at the end of both ways");
    need(weir_sim_get_particle_count(sims[0], &particles) == WEIR_OK, "count of particles");
    printf("%s, %u particles\n", words[1], particles);
    report(pairs, pair_count);
    for (int k = 0; k < 2; k++)
        weir_sim_destroy(&sims[k]);
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
    vulkan_close(&v);
    return 0;
}

/* The suites of `weir bench`. */
#include "bench_internal.h"

/* Macklin and Mueller 2013, table 1: the scenes with their particle counts, steps and
 * iterations. */
static const bench_case paper[] = {
    {.suite = "paper",
     .name = "armadillo splash",
     .scene = "scenes/armadillo_splash.json",
     .particles = 128e3,
     .sets = {"solver.substeps=2", "solver.iterations=3"},
     .paper_ms = 4.2},
    {.suite = "paper",
     .name = "dam break",
     .particles = 100e3,
     .sets = {"solver.substeps=4", "solver.iterations=3"},
     .paper_ms = 4.3},
    {.suite = "paper",
     .name = "bunny drop",
     .scene = "scenes/bunny_drop.json",
     .particles = 80e3,
     .sets = {"solver.substeps=4", "solver.iterations=10"},
     .paper_ms = 7.8},
};

static const bench_case scaling[] = {
    {.suite = "scaling", .name = "10k", .particles = 10e3},
    {.suite = "scaling", .name = "20k", .particles = 20e3},
    {.suite = "scaling", .name = "50k", .particles = 50e3},
    {.suite = "scaling", .name = "100k", .particles = 100e3},
    {.suite = "scaling", .name = "300k", .particles = 300e3},
    {.suite = "scaling", .name = "1M", .particles = 1e6},
    {.suite = "scaling", .name = "3M", .particles = 3e6},
    {.suite = "scaling", .name = "10M", .particles = 10e6},
    {.suite = "scaling", .name = "30M", .particles = 30e6},
    {.suite = "scaling", .name = "100M", .particles = 100e6},
    {.suite = "scaling", .name = "300M", .particles = 300e6},
};

static const bench_case mesh[] = {
    {.suite = "mesh", .name = "20k", .particles = 20e3, .work = BENCH_MESHES},
    {.suite = "mesh", .name = "100k", .particles = 100e3, .work = BENCH_MESHES},
    {.suite = "mesh", .name = "300k", .particles = 300e3, .work = BENCH_MESHES},
    {.suite = "mesh", .name = "1M", .particles = 1e6, .work = BENCH_MESHES},
    /* About a million triangles: the wave has returned from the far wall. `tools/compare
     * --surfaces` passes the same particles to splashsurf. */
    {.suite = "mesh",
     .name = "75k to OBJ",
     .scene = "scenes/dam_break.json",
     .particles = 75e3,
     .work = BENCH_MESHES,
     .start_s = 4.0 / 3.0,
     .preset = "sph"},
};

#define PICTURES(about, wide, high)                                                                \
    .suite = "render", .name = about " " #wide "x" #high, .work = BENCH_PICTURES, .width = (wide), \
    .height = (high)

static const bench_case render[] = {
    {PICTURES("20k", 640, 360), .particles = 20e3},
    {PICTURES("20k", 1280, 720), .particles = 20e3},
    {PICTURES("100k", 1280, 720), .particles = 100e3},
    {PICTURES("300k", 1280, 720), .particles = 300e3},
    {PICTURES("1M", 1920, 1080), .particles = 1e6},
};

static const struct {
    const char *name;
    const bench_case *cases;
    size_t count;
} suites[] = {
    {"paper", paper, BASE_COUNT(paper)},
    {"scaling", scaling, BASE_COUNT(scaling)},
    {"mesh", mesh, BASE_COUNT(mesh)},
    {"render", render, BASE_COUNT(render)},
};

const bench_case *bench_find_suite(const char *name, size_t *count)
{
    for (size_t i = 0; i < BASE_COUNT(suites); ++i) {
        if (strcmp(suites[i].name, name) != 0) continue;
        *count = suites[i].count;
        return suites[i].cases;
    }
    return NULL;
}

const char *const *bench_suite_names(size_t *count)
{
    static const char *names[BASE_COUNT(suites)];
    for (size_t i = 0; i < BASE_COUNT(suites); ++i)
        names[i] = suites[i].name;
    *count = BASE_COUNT(suites);
    return names;
}

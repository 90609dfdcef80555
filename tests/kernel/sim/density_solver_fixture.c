#define _POSIX_C_SOURCE 200809L
#include "density_solver_fixture.h"

weir_device *shared_device;

cloud given, seen, other;

int open_shared_device(void **state)
{
    weir_device_def def = test_device_def();
    def.log = kept_log();
    ask_for_validation(&def);
    return weir_device_create(&def, &shared_device) == WEIR_OK ? 0 : -1;
}

int close_shared_device(void **state)
{
    uint32_t messages = weir_device_validation_count(shared_device);
    weir_device_destroy(&shared_device);
    return messages == 0 && !shared_device ? 0 : -1;
}

weir_scene *parse(const char *text)
{
    weir_scene *scene = NULL;
    weir_scene_def def = weir_scene_def_default();
    def.log = kept_log();
    if (weir_scene_parse(text, strlen(text), &def, &scene) != WEIR_OK) fail_msg("%s", logged);
    return scene;
}

weir_density_solver *create(const weir_scene *scene)
{
    weir_density_solver *solver = NULL;
    if (weir_density_solver_create(shared_device, scene, &solver) != WEIR_OK)
        fail_msg("%s", logged);
    return solver;
}

weir_density_solver *create_from(const char *text)
{
    weir_scene *scene = parse(text);
    weir_density_solver *solver = create(scene);
    weir_scene_destroy(&scene);
    return solver;
}

/* Returns a multiple of `step`, uniformly from -most to most times it. */
static float scattered(uint32_t *seed, float step, int most)
{
    *seed = *seed * 1664525u + 1013904223u;
    return step * (float)((int)(*seed >> 16) % (2 * most + 1) - most);
}

void fill(cloud *c, float corner, bool planar)
{
    uint32_t seed = 7;
    c->count = 0;
    for (uint32_t k = 0; k < SIDE * SIDE * (planar ? 1 : SIDE); k++, c->count++)
        for (uint32_t axis = 0, at = k; axis < 3; axis++, at /= SIDE) {
            float site = corner + 0.9375f * (float)D * ((float)(at % SIDE) + 0.5f);
            bool flat = planar && axis == 2;
            c->x[3 * k + axis] = rintf(site * 4096) / 4096 + scattered(&seed, 1.0f / 4096, 40);
            c->v[3 * k + axis] = scattered(&seed, 1.0f / 32, 64);
            if (flat) c->x[3 * k + 2] = c->v[3 * k + 2] = 0.0f;
        }
    for (uint32_t i = 0; i < c->count; i++)
        c->w[i] = 1.0f;
}

weir_density_solver_particles all_of(cloud *c)
{
    weir_density_solver_particles p = weir_density_solver_particles_default();
    p.count = c->count;
    p.dt_s = DT;
    p.positions = c->x;
    p.velocities = c->v;
    return p;
}

void solve(weir_density_solver *solver, const weir_density_solver_particles *p,
           weir_density_solver_report *report)
{
    if (weir_density_solver_solve(solver, p, report) != WEIR_OK) fail_msg("%s", logged);
    assert_true(report->complete);
}

void list_all(cloud *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        c->offsets[i] = n;
        for (uint32_t j = c->count; j-- > 0;) {
            double r2 = 0.0;
            for (uint32_t k = 0; k < 3; k++)
                r2 += pow((double)c->x[3 * i + k] - (double)c->x[3 * j + k], 2.0);
            if (r2 < H * H) c->neighbours[n++] = j;
        }
    }
    c->offsets[c->count] = n;
}

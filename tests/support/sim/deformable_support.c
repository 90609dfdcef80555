#include "deformable_support.h"

deformable_world open_deformables(const char *text, const char *const *overrides)
{
    deformable_world w = {.scene = make_scene(text, overrides)};
    w.world = make_sim(device, w.scene);
    w.count = sim_deformable_vertex_count(w.world);
    w.x = base_alloc(w.count, sizeof *w.x);
    w.v = base_alloc(w.count, sizeof *w.v);
    assert_true(w.x && w.v);
    return w;
}

void read_deformables(deformable_world *w)
{
    OK(sim_deformable_positions(w->world, NULL, NULL, w->x));
    OK(sim_deformable_velocities(w->world, w->v));
}

double deformable_momentum(deformable_world *w, double sum[3])
{
    double size = 0.0;
    read_deformables(w);
    sum[0] = sum[1] = sum[2] = 0.0;
    for (uint32_t i = 0; i < w->count; i++) {
        double mass = (double)deformable_set_mass(w->world->deformables, i);
        sum[0] += mass * (double)w->v[i].x;
        sum[1] += mass * (double)w->v[i].y;
        sum[2] += mass * (double)w->v[i].z;
        size += mass * (double)vec3_length(w->v[i]);
    }
    return size;
}

void close_deformables(deformable_world *w)
{
    base_free(w->x);
    base_free(w->v);
    sim_destroy(&w->world);
    scene_destroy(&w->scene);
}

vec3 start_of(const deformable_world *w, uint32_t i)
{
    const vec4 *p = &deformable_set_initial_states(w->world->deformables)[i].position;
    return vec3_make(p->x, p->y, p->z);
}

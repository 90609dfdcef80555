/* The sea's waves and relaxation zones, as the shaders use them. */
#include "scene_query.h"
#include "sim_input.h"

static float zone_rate(const scene_data *scene, scene_sea_zone zone)
{
    return zone == SCENE_SEA_NO_ZONE ? 0.0f : (float)scene_sea_zone_rate(scene, zone);
}

static void fill_waves(const scene_data *scene, struct sim_sea *sea)
{
    scene_sea_wave waves[SCENE_MAX_SEA_WAVES];
    sea->wave_count = scene_sea_components(scene, waves);
    for (uint32_t i = 0; i < sea->wave_count; i++) {
        const scene_sea_wave *w = &waves[i];
        double end = 1.0 - exp(-2.0 * w->k * scene_sea_depth(scene));
        sea->waves[i] = (struct sim_sea_wave){
            .vector = {(float)w->kx, (float)w->kz, (float)w->k, (float)w->frequency},
            .size = {(float)w->amplitude, (float)(w->speed / end), (float)w->phase, 0.0f},
        };
    }
}

void sim_sea_fill(sim_world *world)
{
    const scene_data *scene = world->scene;
    const scene_sea *from = &scene->sea;
    const scene_domain *domain = &scene->domain;
    struct sim_sea *sea = &world->sea;
    float *rates = &sea->rates.x, *waves_at = &sea->waves_at.x;
    if (!from->given) return;
    sea->current = (vec4){from->current.x, from->current.y, from->current.z, from->level};
    sea->sides = (vec4){domain->min.x, domain->max.x, domain->min.z, domain->max.z};
    for (int side = 0; side < 4; side++) {
        rates[side] = zone_rate(scene, from->zones[side]);
        waves_at[side] = from->zones[side] == SCENE_SEA_GENERATING;
    }
    sea->depth = (float)scene_sea_depth(scene);
    sea->widths_per_metre = 1.0f / from->zone_width;
    fill_waves(scene, sea);
}

/* Phases are computed with 64 bits: a run may be long. */
void sim_sea_at(const sim_world *world, double time_s, struct sim_sea *out)
{
    const float growth = (float)scene_sea_growth(&world->scene->sea, time_s);
    *out = world->sea;
    for (uint32_t i = 0; i < out->wave_count; i++) {
        struct sim_sea_wave *w = &out->waves[i];
        w->size.x *= growth;
        w->size.y *= growth;
        w->size.z = (float)fmod((double)w->size.z - (double)w->vector.w * time_s, 2.0 * SIM_PI);
    }
}

sim_sea_start sim_sea_start_of(const scene_data *scene)
{
    sim_sea_start start = {.scene = scene};
    if (scene->sea.waves.developed) start.count = scene_sea_components(scene, start.waves);
    return start;
}

bool sim_is_above_sea(const sim_sea_start *sea, vec3 p)
{
    double up = scene_sea_start_elevation(sea->scene, sea->waves, sea->count, p);
    return (double)p.y > (double)sea->scene->sea.level + up;
}

vec3 sim_sea_start_velocity(const sim_sea_start *sea, vec3 p)
{
    return scene_sea_start_velocity(sea->scene, sea->waves, sea->count, p);
}

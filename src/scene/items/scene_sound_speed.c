/* Chooses the speed of sound of WCSPH and the substeps that it requires. */
#include "scene_internal.h"

/* Speed of sound over the fastest flow: densities then vary by 1 % (Monaghan 1994). */
#define SOUND_RATIO 10.0f
#define LEAST_RATIO 5.0f
#define COURANT 0.4f /* smoothing lengths, h / 2, that sound travels in a substep */

static float fall_speed(vec3 g, vec3 size)
{
    return fabsf(g.x) * size.x + fabsf(g.y) * size.y + fabsf(g.z) * size.z;
}

/* Returns twice the work that gravity and force fields can do on a kilogram within the domain,
 * m2/s2. */
static float max_fall_speed(const scene_data *scene)
{
    vec3 size = vec3_sub(scene->domain.max, scene->domain.min);
    float sum = fall_speed(scene->gravity, size);
    for (uint32_t i = 0; i < scene->gravity_key_count; ++i)
        sum = fmaxf(sum, fall_speed(scene->gravity_keys[i].gravity, size));
    for (uint32_t i = 0; i < scene->force_count; ++i)
        sum += scene_force_work(&scene->forces[i], size);
    return 2.0f * sum;
}

/* Returns an upper bound of the initial speed of a fill's particles, m/s. */
static float fill_start_speed(const scene_data *scene, const scene_fill *fill)
{
    float reach = vec3_length(vec3_sub(scene->domain.max, scene->domain.min));
    float turn = vec3_length(fill->spin);
    for (int row = 0; row < 3; ++row)
        turn += vec3_length(fill->gradient[row]);
    return vec3_length(fill->velocity) + vec3_length(fill->wave) + reach * turn;
}

/* Estimates the fastest flow of the scene, m/s; one spacing per frame where nothing moves. */
static float fastest_flow(const scene_data *scene)
{
    float start = 0.0f, tension = 0.0f;
    for (uint32_t i = 0; i < scene->fluid_count; ++i) {
        const scene_fluid *fluid = &scene->fluids[i];
        tension = fmaxf(tension, fluid->surface_tension / (fluid->density * scene->spacing));
        for (uint32_t f = 0; f < fluid->fill_count; ++f)
            start = fmaxf(start, fill_start_speed(scene, &fluid->fills[f]));
    }
    for (uint32_t i = 0; i < scene->emitter_count; ++i)
        start = fmaxf(start, scene_emitter_max_speed(&scene->emitters[i]));
    float flow = sqrtf(max_fall_speed(scene) + tension + start * start);
    return flow > 0.0f ? flow : scene->spacing * scene->frame_rate;
}

/* Returns the highest speed of sound that SCENE_MAX_SUBSTEPS allows, m/s, with a margin of 1 %. */
static float largest_sound_speed(const scene_data *scene)
{
    float h = scene->solver.support_radius * scene->spacing;
    return 0.99f * SCENE_MAX_SUBSTEPS * scene->frame_rate * COURANT * 0.5f * h;
}

/* Chooses the speed for a scene that gives none. A lower one than usual is still acceptable: at
 * LEAST_RATIO densities vary by 4 %. */
static float choose_sound_speed(scene_parser *parser)
{
    const scene_data *scene = parser->scene;
    scene_location top = {0}, solver = scene_location_key(&top, "solver"),
                   at = scene_location_key(&solver, "sound_speed");
    float flow = fastest_flow(scene), limit = largest_sound_speed(scene);
    if (limit >= SOUND_RATIO * flow || limit < LEAST_RATIO * flow) return SOUND_RATIO * flow;
    scene_warn(parser, &at,
               "%g m/s, ten times the fastest flow, would need more than %u substeps per frame: "
               "using %.4g m/s; a larger spacing or frame_rate allows a higher speed",
               (double)(SOUND_RATIO * flow), SCENE_MAX_SUBSTEPS, (double)limit);
    return limit;
}

static void choose_substeps(scene_parser *parser, json_t *object)
{
    scene_solver *solver = &parser->scene->solver;
    scene_location top = {0}, where = scene_location_key(&top, "solver");
    scene_location at = scene_location_key(&where, "sound_speed");
    float h = solver->support_radius * parser->scene->spacing;
    float longest_s = COURANT * 0.5f * h / solver->sound_speed;
    float needed = ceilf(1.0f / (parser->scene->frame_rate * longest_s));
    if (needed > SCENE_MAX_SUBSTEPS) {
        scene_error(parser, &at,
                    "is %g m/s, which needs %.0f substeps per frame, expected at most %u: lower it "
                    "to %.4g, or raise spacing or frame_rate",
                    (double)solver->sound_speed, (double)needed, SCENE_MAX_SUBSTEPS,
                    (double)largest_sound_speed(parser->scene));
        return;
    }
    if ((float)solver->substeps < needed) solver->substeps = (uint32_t)needed;
    scene_set_json(parser, object, "substeps", json_integer(solver->substeps));
}

void scene_choose_sound_speed(scene_parser *parser)
{
    scene_solver *solver = &parser->scene->solver;
    json_t *object = json_object_get(parser->root, "solver");
    if (solver->method != SCENE_METHOD_WCSPH || parser->errors > 0) return;
    if (!(solver->sound_speed > 0.0f)) {
        solver->sound_speed = choose_sound_speed(parser);
        scene_set_json(parser, object, "sound_speed",
                       json_real(base_shortest_decimal(solver->sound_speed)));
    }
    choose_substeps(parser, object);
    solver->iterations = 1;
    scene_set_json(parser, object, "iterations", json_integer(1));
}

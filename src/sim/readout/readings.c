/* Reports gauge readings and residuals of the last frame. */
#include "sim_frame.h"
#include "sim_ranks.h"

static const char *const gauge_units[] = {"m", "m", "Pa", "N", "m3/s"};

/* Fills in the value of a gauge. Over an entire frame, a level is that of the last substep; all
 * other kinds are averaged, over the frame or the time that the gauge gives. */
static void fill_gauge_values(const sim_world *world, uint32_t index, uint32_t substep,
                              weir_gauge *gauge)
{
    uint32_t count = world->scene->gauge_count, last = world->last_result.status.substep;
    bool mean = substep == WEIR_ENTIRE_FRAME && gauge->kind >= WEIR_GAUGE_PRESSURE;
    uint32_t first = mean ? 0 : substep == WEIR_ENTIRE_FRAME ? last - 1 : substep;
    uint32_t end = mean ? last : first + 1;
    double sum[3] = {0};
    if (world->scene->gauges[index].average > 0.0f) {
        uint32_t later = substep == WEIR_ENTIRE_FRAME ? 0 : last - 1 - substep;
        sim_average_gauge(world, index, later, gauge->value);
        return;
    }
    for (uint32_t s = first; s < end; s++) {
        const vec4 *reading = &world->readings[(size_t)s * count + index];
        const float values[3] = {reading->x, reading->y, reading->z};
        for (int k = 0; k < 3; k++)
            sum[k] += (double)values[k];
    }
    for (int k = 0; k < 3; k++)
        gauge->value[k] = sum[k] / (end - first);
}

static weir_result check_substep_taken(sim_world *world, uint32_t substep)
{
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    uint32_t taken = world->frames_done ? world->last_result.status.substep : 0;
    if (taken == 0 || (substep != WEIR_ENTIRE_FRAME && substep >= taken))
        return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                         "`substep` is %u, but the last frame had %u substeps", substep, taken);
    return WEIR_OK;
}

weir_result sim_gauges(sim_world *world, uint32_t substep, weir_gauge *gauges, uint32_t *count)
{
    const scene_data *scene = world->scene;
    uint32_t capacity = gauges ? *count : 0;
    *count = scene->gauge_count;
    if (capacity == 0) return WEIR_OK;
    weir_result result = check_substep_taken(world, substep);
    for (uint32_t i = 0; result == WEIR_OK && i < capacity && i < scene->gauge_count; i++) {
        gauges[i] = (weir_gauge){
            .name = scene->gauges[i].name,
            .unit = gauge_units[scene->gauges[i].kind],
            .kind = (weir_gauge_kind)scene->gauges[i].kind,
            .components = scene->gauges[i].kind == SCENE_GAUGE_FORCE ? 3 : 1,
        };
        fill_gauge_values(world, i, substep, &gauges[i]);
    }
    return result;
}

weir_result sim_residuals(sim_world *world, uint32_t substep, weir_residual *residuals,
                          uint32_t *count)
{
    uint32_t capacity = residuals ? *count : 0, iterations = world->scene->solver.iterations;
    if (!world->scene->solver.residuals)
        return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                         "the scene records no residuals: set solver.residuals to true");
    weir_result result = capacity ? check_substep_taken(world, substep) : WEIR_OK;
    if (result != WEIR_OK) return result;
    const uint32_t *errors = world->errors + (size_t)substep * SIM_DENSITY_ERRORS_WORDS;
    if (scene_stops_at_tolerance(&world->scene->solver))
        iterations = capacity ? errors[SIM_DENSITY_ERRORS_COUNT] : iterations + 1;
    *count = iterations;
    /* The shader scales the sum so that a mean of 1 is SIM_DENSITY_ERROR_UNITS:
     * shaders/sim/pbf/lambda.comp. */
    double live = fmax(sim_total_status(world)->count, 1.0);
    double unit = floor(SIM_DENSITY_ERROR_UNITS / live) * live;
    for (uint32_t i = 0; i < capacity && i < iterations; i++) {
        float largest;
        memcpy(&largest, &errors[SIM_DENSITY_ERRORS_MAX + i], 4);
        residuals[i] = (weir_residual){.mean = errors[i] / unit, .max = (double)largest};
    }
    return result;
}

/* Averages of gauges over a time longer than a frame. */
#include "sim_frame.h"

/* A row has the length of a substep, s, and three values of every gauge. */
static size_t row_floats(const sim_world *world)
{
    return 1 + 3 * (size_t)world->scene->gauge_count;
}

static double longest_average(const scene_data *scene)
{
    float longest = 0.0f;
    for (uint32_t i = 0; i < scene->gauge_count; i++)
        longest = fmaxf(longest, scene->gauges[i].average);
    return (double)longest;
}

/* Drops the rows that no average reaches. Those that stay are moved only once there are as many to
 * drop, so that a long run does not move them in every frame. */
static void drop_old_rows(sim_world *world)
{
    const float *rows = world->gauge_history.items;
    size_t width = row_floats(world), count = world->gauge_history.count / width, kept = 0;
    double left = longest_average(world->scene);
    while (kept < count && left > 0.0)
        left -= (double)rows[(count - ++kept) * width];
    if (count < 2 * kept) return;
    memmove(world->gauge_history.items, rows + (count - kept) * width, kept * width * sizeof *rows);
    world->gauge_history.count = kept * width;
}

bool sim_extend_gauge_history(sim_world *world, double substep_s, uint32_t taken)
{
    uint32_t gauges = world->scene->gauge_count;
    bool fits = true;
    if (longest_average(world->scene) == 0.0) return true;
    for (uint32_t s = 0; s < taken && fits; s++) {
        fits = BASE_ARRAY_PUSH(&world->gauge_history, (float)substep_s);
        for (uint32_t i = 0; i < gauges && fits; i++) {
            const vec4 *reading = &world->readings[(size_t)s * gauges + i];
            fits = BASE_ARRAY_PUSH(&world->gauge_history, reading->x) &&
                   BASE_ARRAY_PUSH(&world->gauge_history, reading->y) &&
                   BASE_ARRAY_PUSH(&world->gauge_history, reading->z);
        }
    }
    drop_old_rows(world);
    return fits;
}

void sim_average_gauge(const sim_world *world, uint32_t gauge, uint32_t later_substeps,
                       double mean[3])
{
    const float *rows = world->gauge_history.items;
    size_t width = row_floats(world), count = world->gauge_history.count / width;
    size_t end = count > later_substeps ? count - later_substeps : 0;
    double left = (double)world->scene->gauges[gauge].average, time = 0.0;
    memset(mean, 0, 3 * sizeof *mean);
    while (end > 0 && left > 0.0) {
        const float *row = &rows[--end * width];
        double part = fmin((double)row[0], left);
        for (int k = 0; k < 3; k++)
            mean[k] += part * (double)row[1 + 3 * (size_t)gauge + (size_t)k];
        left -= part;
        time += part;
    }
    for (int k = 0; k < 3 && time > 0.0; k++)
        mean[k] /= time;
}

uint64_t sim_gauge_history_bytes(const sim_world *world)
{
    return world->gauge_history.count * sizeof *world->gauge_history.items;
}

bool sim_are_gauge_rows_valid(const sim_world *world, const base_blob *rows)
{
    size_t width = row_floats(world);
    bool valid = rows->size % (width * sizeof(float)) == 0;
    for (size_t at = 0; valid && at < rows->size; at += sizeof(float)) {
        float number;
        memcpy(&number, rows->bytes + at, sizeof number);
        bool is_length = at / sizeof number % width == 0;
        valid = isfinite(number) && (!is_length || number > 0.0f);
    }
    return valid;
}

bool sim_restore_gauge_history(sim_world *world, const base_blob *rows)
{
    bool fits = true;
    world->gauge_history.count = 0;
    for (size_t at = 0; fits && at < rows->size; at += sizeof(float)) {
        float number;
        memcpy(&number, rows->bytes + at, sizeof number);
        fits = BASE_ARRAY_PUSH(&world->gauge_history, number);
    }
    return fits;
}

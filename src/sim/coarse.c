/* The coarse correction: once a substep, before the iterations, a pressure on cells of one support
 * moves the fluid out of crowded regions. Iterations correct errors of short wavelength at once,
 * but those of long wavelength only from neighbour to neighbour; on cells of a support few sweeps
 * do the latter (docs/equations.md). */
#include "sim_rows.h"

#define CELLS_MOST (1u << 22)
#define FULL \
    0.6 /* a cell with at least this share of the particles of a cell at rest counts as fluid */

weir_result sim_coarse_fill(sim_world *world)
{
    const scene_data *scene = world->scene;
    struct sim_params *p = &world->params;
    vec3 size = vec3_sub(scene->domain.max, scene->domain.min);
    bool planar = scene->solver.dimensions == 2;
    const float extents[3] = {size.x, size.y, size.z};
    double counts[3], support = (double)scene->solver.support;
    if (scene->solver.coarse_sweeps == 0) return WEIR_OK;
    for (int axis = 0; axis < 3; axis++)
        counts[axis] = planar && axis == 2 ? 1.0 : fmax(floor((double)(extents[axis] / p->h)), 1.0);
    double total = counts[0] * counts[1] * counts[2];
    if (total > CELLS_MOST)
        return base_fail(
            world->log, WEIR_SCENE,
            "%s: the domain is %.0f x %.0f x %.0f supports, expected at most %u in all for "
            "solver.coarse_sweeps; make the domain smaller, or leave coarse_sweeps at 0",
            scene->source, counts[0], counts[1], counts[2], CELLS_MOST);
    p->coarse_cells =
        (uvec4){(uint32_t)counts[0], (uint32_t)counts[1], (uint32_t)counts[2], (uint32_t)total};
    p->coarse_size =
        (vec4){size.x / (float)counts[0], size.y / (float)counts[1], size.z / (float)counts[2],
               (float)(FULL * pow(support, scene->solver.dimensions))};
    return WEIR_OK;
}

static uint64_t face_count(const sim_world *world)
{
    uvec4 cells = world->params.coarse_cells;
    return (cells.x + 1ull) * (cells.y + 1ull) * (cells.z + 1ull);
}

weir_result sim_coarse_buffers_create(sim_world *world)
{
    sim_buffers *b = &world->buffers;
    bool used = world->scene->solver.coarse_sweeps > 0;
    uint64_t count = used ? world->params.coarse_cells.w : 1;
    WEIR_NEED(sim_buffer_create(world, "cells", 8, count, &b->cells));
    WEIR_NEED(sim_buffer_create(world, "pressures", 4, count, &b->pressures));
    WEIR_NEED(sim_buffer_create(world, "swept", 4, count, &b->swept));
    return sim_buffer_create(world, "slopes", 12, used ? face_count(world) : 1, &b->slopes);
}

void sim_coarse_buffers_destroy(sim_world *world)
{
    gpu_buffer_destroy(world->device, &world->buffers.cells);
    gpu_buffer_destroy(world->device, &world->buffers.pressures);
    gpu_buffer_destroy(world->device, &world->buffers.swept);
    gpu_buffer_destroy(world->device, &world->buffers.slopes);
}

bool sim_corrects_coarsely(const sim_world *world)
{
    return world->scene->solver.coarse_sweeps > 0;
}

gpu_domain sim_coarse_domain(const sim_world *world, bool faces)
{
    if (faces) return (gpu_domain){.name = "faces", .count = face_count(world)};
    return (gpu_domain){.name = "cells", .count = world->params.coarse_cells.w};
}

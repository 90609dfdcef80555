/* Decimates a surface by quadric error. */
#include "surface_internal.h"

#ifdef WEIR_MESHOPTIMIZER

/* Larger components, in triangles, do not turn inside out. */
#define SMALL_COMPONENT 256u

#include <meshoptimizer.h>

/* meshoptimizer terminates the program if memory runs out, so this much per triangle is
 * allocated as a test before. */
#define WORKING_BYTES 192u

static weir_result probe_memory(const weir_log *log, const mesher_surface *surface)
{
    void *probe = base_alloc(surface->triangle_count, WORKING_BYTES);
    base_free(probe);
    if (probe) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_MEMORY,
                     "not enough memory to decimate %u triangles: about %u bytes each",
                     surface->triangle_count, WORKING_BYTES);
}

static weir_result simplify(const weir_log *log, mesher_surface *surface,
                            const mesher_decimate_def *def, mesher_decimate_info *info)
{
    const size_t count = 3 * (size_t)surface->triangle_count;
    uint32_t *index = base_alloc(surface->triangle_count, 3 * sizeof *index);
    if (!index) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to decimate a mesh");
    const float *position = &surface->position->x;
    const float scale =
        meshopt_simplifyScale(position, surface->vertex_count, sizeof *surface->position);
    const float limit = def->error_m > 0 && scale > 0 ? def->error_m / scale : 1;
    float error = 0;
    const size_t left =
        meshopt_simplify(index, surface->index, count, position, surface->vertex_count,
                         sizeof *surface->position, 3 * (size_t)def->triangles, limit, 0, &error);
    memcpy(surface->index, index, left * sizeof *index);
    surface->triangle_count = (uint32_t)(left / 3);
    info->error_m = error * scale;
    base_free(index);
    return WEIR_OK;
}

/* Removes drops that decimation left inside out or flat. *removed_count: number of triangles. */
static weir_result remove_inverted_components(const weir_log *log, mesher_surface *surface,
                                              uint32_t *removed_count)
{
    surface_components components = {0};
    bool *keep = NULL;
    weir_result result = WEIR_OK;
    *removed_count = 0;
    WEIR_GOTO_IF_ERROR(surface_components_create(log, surface, NULL, &components));
    WEIR_GOTO_IF_ERROR(surface_components_nest(log, surface, &components, NULL));
    keep = base_alloc(surface->triangle_count, sizeof *keep);
    if (!keep)
        WEIR_GOTO_IF_ERROR(
            base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the parts of a mesh"));
    for (uint32_t t = 0; t < surface->triangle_count; ++t) {
        const surface_component *part =
            &components.items[components.of_vertex[surface->index[3 * (size_t)t]]];
        keep[t] = part->volume > 0 || part->inside || part->triangles > SMALL_COMPONENT;
        *removed_count += !keep[t];
    }
    WEIR_GOTO_IF_ERROR(surface_compact(log, surface, keep));
fail:
    surface_components_free(&components);
    base_free(keep);
    return result;
}

weir_result mesher_surface_decimate(const weir_log *log, mesher_surface *surface,
                                    const mesher_decimate_def *def, mesher_decimate_info *info)
{
    *info = (mesher_decimate_info){surface->triangle_count, surface->triangle_count, 0, 0};
    if (surface->triangle_count <= def->triangles) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(probe_memory(log, surface));
    WEIR_RETURN_IF_ERROR(simplify(log, surface, def, info));
    WEIR_RETURN_IF_ERROR(surface_make_manifold(log, surface, &info->cuts));
    /* Removing a body leaves its voids without an enclosing one, so this repeats until nothing
     * is removed. */
    for (uint32_t removed_count = 1; removed_count > 0;)
        WEIR_RETURN_IF_ERROR(remove_inverted_components(log, surface, &removed_count));
    info->after = surface->triangle_count;
    return WEIR_OK;
}

#else

weir_result mesher_surface_decimate(const weir_log *log, mesher_surface *surface,
                                    const mesher_decimate_def *def, mesher_decimate_info *info)
{
    *info = (mesher_decimate_info){surface->triangle_count, surface->triangle_count, 0, 0};
    if (surface->triangle_count <= def->triangles) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                     "this build cannot decimate, since it lacks meshoptimizer: install "
                     "libmeshoptimizer (tools/setup) and build Weir again, or do not decimate");
}

#endif

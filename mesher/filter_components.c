/* Removes components that are too small, and voids. */
#include "surface_internal.h"

typedef struct component_filter {
    surface_components parts;
    bool *removed; /* [parts.count] */
    bool *inside;  /* [parts.count] before anything was removed */
    bool *keep;    /* [triangle_count] */
} component_filter;

static void remove_small(component_filter *f, const mesher_filter_def *def,
                         mesher_filter_info *info)
{
    for (uint32_t i = 0; i < f->parts.count; ++i) {
        const surface_component *part = &f->parts.items[i];
        f->removed[i] = part->triangles < def->min_triangles ||
                        (part->closed && fabs(part->volume) < def->min_volume);
        info->small_parts += f->removed[i];
    }
}

/* Removes voids whose body is removed, and the others if the def says so. */
static weir_result remove_voids_of(const weir_log *log, const mesher_surface *surface,
                                   component_filter *f, const mesher_filter_def *def,
                                   mesher_filter_info *info)
{
    if (info->voids == 0) return WEIR_OK;
    weir_result result = surface_components_nest(log, surface, &f->parts, f->removed);
    for (uint32_t i = 0; result == WEIR_OK && i < f->parts.count; ++i) {
        if (!f->inside[i] || f->removed[i]) continue;
        const bool bare = !f->parts.items[i].inside;
        f->removed[i] = bare || def->remove_voids;
        info->small_parts += bare;
        info->filled_voids += f->removed[i] && !bare;
    }
    return result;
}

static weir_result run_filter(const weir_log *log, mesher_surface *surface, component_filter *f,
                              const mesher_filter_def *def, mesher_filter_info *info)
{
    WEIR_RETURN_IF_ERROR(surface_components_nest(log, surface, &f->parts, NULL));
    info->parts = f->parts.count;
    for (uint32_t i = 0; i < f->parts.count; ++i) {
        f->inside[i] = f->parts.items[i].inside;
        info->voids += f->inside[i];
    }
    remove_small(f, def, info);
    weir_result result = remove_voids_of(log, surface, f, def, info);
    if (result != WEIR_OK || info->small_parts + info->filled_voids == 0) return result;
    for (uint32_t t = 0; t < surface->triangle_count; ++t)
        f->keep[t] = !f->removed[f->parts.of_vertex[surface->index[3 * (size_t)t]]];
    return surface_compact(log, surface, f->keep);
}

weir_result mesher_surface_filter(const weir_log *log, mesher_surface *surface,
                                  const mesher_filter_def *def, mesher_filter_info *info)
{
    component_filter f = {0};
    surface_edge_uses uses = {0};
    *info = (mesher_filter_info){0};
    weir_result result = WEIR_OK;
    WEIR_GOTO_IF_ERROR(surface_edge_uses_create(log, surface, &uses));
    WEIR_GOTO_IF_ERROR(surface_components_create(log, surface, &uses, &f.parts));
    f.removed = base_alloc(f.parts.count, sizeof *f.removed);
    f.inside = base_alloc(f.parts.count, sizeof *f.inside);
    f.keep = base_alloc(surface->triangle_count, sizeof *f.keep);
    if (!f.removed || !f.inside || !f.keep)
        WEIR_GOTO_IF_ERROR(base_fail(log, WEIR_ERROR_MEMORY, "no memory for the parts of a mesh"));
    WEIR_GOTO_IF_ERROR(run_filter(log, surface, &f, def, info));
fail:
    surface_edge_uses_free(&uses);
    surface_components_free(&f.parts);
    base_free(f.removed);
    base_free(f.inside);
    base_free(f.keep);
    return result;
}

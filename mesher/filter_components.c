/* Removes components that are too small, and voids. */
#include "surface_internal.h"

typedef struct component_filter {
    surface_components components;
    bool *removed; /* [components.count] */
    bool *inside;  /* [components.count] before anything was removed */
    bool *keep;    /* [triangle_count] */
} component_filter;

static void remove_small(component_filter *f, const mesher_filter_def *def,
                         mesher_filter_info *info)
{
    for (uint32_t i = 0; i < f->components.count; ++i) {
        const surface_component *part = &f->components.items[i];
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
    weir_result result = surface_components_nest(log, surface, &f->components, f->removed);
    for (uint32_t i = 0; result == WEIR_OK && i < f->components.count; ++i) {
        if (!f->inside[i] || f->removed[i]) continue;
        const bool bare = !f->components.items[i].inside;
        f->removed[i] = bare || def->remove_voids;
        info->small_parts += bare;
        info->filled_voids += f->removed[i] && !bare;
    }
    return result;
}

static weir_result run_filter(const weir_log *log, mesher_surface *surface, component_filter *f,
                              const mesher_filter_def *def, mesher_filter_info *info)
{
    WEIR_RETURN_IF_ERROR(surface_components_nest(log, surface, &f->components, NULL));
    info->parts = f->components.count;
    for (uint32_t i = 0; i < f->components.count; ++i) {
        f->inside[i] = f->components.items[i].inside;
        info->voids += f->inside[i];
    }
    remove_small(f, def, info);
    weir_result result = remove_voids_of(log, surface, f, def, info);
    if (result != WEIR_OK || info->small_parts + info->filled_voids == 0) return result;
    for (uint32_t t = 0; t < surface->triangle_count; ++t)
        f->keep[t] = !f->removed[f->components.of_vertex[surface->index[3 * (size_t)t]]];
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
    WEIR_GOTO_IF_ERROR(surface_components_create(log, surface, &uses, &f.components));
    f.removed = base_alloc(f.components.count, sizeof *f.removed);
    f.inside = base_alloc(f.components.count, sizeof *f.inside);
    f.keep = base_alloc(surface->triangle_count, sizeof *f.keep);
    if (!f.removed || !f.inside || !f.keep)
        WEIR_GOTO_IF_ERROR(
            base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the parts of a mesh"));
    WEIR_GOTO_IF_ERROR(run_filter(log, surface, &f, def, info));
fail:
    surface_edge_uses_free(&uses);
    surface_components_free(&f.components);
    base_free(f.removed);
    base_free(f.inside);
    base_free(f.keep);
    return result;
}

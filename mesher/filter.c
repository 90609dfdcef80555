/* Parts that are too small, and voids. */
#include "surface_internal.h"

typedef struct filter {
    surface_parts parts;
    bool *gone;   /* [parts] */
    bool *inside; /* [parts] before anything went */
    bool *keep;   /* [triangle_count] */
} filter;

static void drop_small(filter *f, const mesher_filter_def *def, mesher_filter_info *info)
{
    for (uint32_t i = 0; i < f->parts.count; ++i) {
        const surface_part *part = &f->parts.items[i];
        f->gone[i] = part->triangles < def->min_triangles ||
                     (part->closed && fabs(part->volume) < def->min_volume);
        info->small_parts += f->gone[i];
    }
}

/* Removes voids whose body is removed, and the others on request. */
static weir_result drop_voids(const weir_log *log, const mesher_surface *surface, filter *f,
                              const mesher_filter_def *def, mesher_filter_info *info)
{
    if (info->voids == 0) return WEIR_OK;
    weir_result result = surface_parts_enclose(log, surface, &f->parts, f->gone);
    for (uint32_t i = 0; result == WEIR_OK && i < f->parts.count; ++i) {
        if (!f->inside[i] || f->gone[i]) continue;
        const bool bare = !f->parts.items[i].inside;
        f->gone[i] = bare || def->remove_voids;
        info->small_parts += bare;
        info->filled_voids += f->gone[i] && !bare;
    }
    return result;
}

static weir_result run_filter(const weir_log *log, mesher_surface *surface, filter *f,
                              const mesher_filter_def *def, mesher_filter_info *info)
{
    WEIR_NEED(surface_parts_enclose(log, surface, &f->parts, NULL));
    info->parts = f->parts.count;
    for (uint32_t i = 0; i < f->parts.count; ++i) {
        f->inside[i] = f->parts.items[i].inside;
        info->voids += f->inside[i];
    }
    drop_small(f, def, info);
    weir_result result = drop_voids(log, surface, f, def, info);
    if (result != WEIR_OK || info->small_parts + info->filled_voids == 0) return result;
    for (uint32_t t = 0; t < surface->triangle_count; ++t)
        f->keep[t] = !f->gone[f->parts.of_vertex[surface->index[3 * (size_t)t]]];
    return surface_compact(log, surface, f->keep);
}

weir_result mesher_surface_filter(const weir_log *log, mesher_surface *surface,
                                  const mesher_filter_def *def, mesher_filter_info *info)
{
    filter f = {0};
    surface_uses uses = {0};
    *info = (mesher_filter_info){0};
    weir_result result = WEIR_OK;
    WEIR_TRY(surface_uses_make(log, surface, &uses));
    WEIR_TRY(surface_parts_make(log, surface, &uses, &f.parts));
    f.gone = base_alloc(f.parts.count, sizeof *f.gone);
    f.inside = base_alloc(f.parts.count, sizeof *f.inside);
    f.keep = base_alloc(surface->triangle_count, sizeof *f.keep);
    if (!f.gone || !f.inside || !f.keep)
        WEIR_TRY(base_fail(log, WEIR_MEMORY, "no memory for the parts of a mesh"));
    WEIR_TRY(run_filter(log, surface, &f, def, info));
fail:
    surface_uses_free(&uses);
    surface_parts_free(&f.parts);
    base_free(f.gone);
    base_free(f.inside);
    base_free(f.keep);
    return result;
}

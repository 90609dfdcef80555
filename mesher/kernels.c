/* The mesher's kernels, specialized for the def. */
#include "mesher_internal.h"

/* Ids of the specialization constants. */
#define IS(id, name) MESHER_IS_##name = (id),
enum { MESH_CONSTANTS(IS, IS) };

static uint32_t field_kind(const mesher *m)
{
    switch (m->def.field) {
    case WEIR_MESH_COLOUR: return MESH_COLOUR;
    case WEIR_MESH_ANISOTROPIC: return MESH_ANISOTROPIC;
    default: return MESH_ZHU_BRIDSON;
    }
}

weir_result mesher_kernels_create(mesher *m)
{
    const uint32_t constants[] = {
        [MESHER_IS_KIND] = field_kind(m), [MESHER_IS_DECIDER] = m->def.decider};
    for (int i = 0; i < MESHER_SHADERS; i++) {
        if (i == MESHER_DAMP && !m->def.damping) continue;
        if (i == MESHER_SHAPE && m->def.field != WEIR_MESH_ANISOTROPIC) continue;
        const gpu_kernel_def def = {.shader = &mesh_shaders[i],
                                    .constants = constants,
                                    .constant_count = BASE_COUNT(constants)};
        WEIR_NEED(gpu_kernel_create(m->device, &def, &m->kernels[i]));
    }
    return grid_scan_create(m->device, &m->scan);
}

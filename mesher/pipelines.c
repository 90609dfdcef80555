/* Creates the mesher's pipelines, specialized for the def. */
#include "mesher_internal.h"

/* Ids of the specialization constants. */
#define IS(id, name) MESHER_CONSTANT_##name = (id),
enum { MESH_CONSTANTS(IS, IS) };

static uint32_t field_kind(const mesher *m)
{
    switch (m->def.field) {
    case WEIR_MESH_FIELD_COLOUR: return MESH_COLOUR_FIELD;
    case WEIR_MESH_FIELD_ANISOTROPIC: return MESH_ANISOTROPIC;
    default: return MESH_ZHU_BRIDSON;
    }
}

static bool is_needed(const weir_mesher_def *def, int shader)
{
    switch (shader) {
    case MESHER_EVALUATE_DAMPED_NODES:
        return def->sheet_damping && def->field == WEIR_MESH_FIELD_ZHU_BRIDSON;
    case MESHER_GATHER_SORTED_ELLIPSOIDS: return def->field == WEIR_MESH_FIELD_ANISOTROPIC;
    case MESHER_GATHER_SORTED_ATTRIBUTES:
    case MESHER_INTERPOLATE_ATTRIBUTES:
        return def->velocity || def->attributes || def->neighbours || def->particle_attributes;
    default: return true;
    }
}

weir_result mesher_pipelines_create(mesher *m)
{
    const uint32_t constants[] = {[MESHER_CONSTANT_KIND] = field_kind(m),
                                  [MESHER_CONSTANT_RESOLVE_AMBIGUOUS] = m->def.asymptotic_decider,
                                  [MESHER_CONSTANT_NORMALS] =
                                      m->def.normals == WEIR_MESH_NORMALS_FIELD};
    for (int i = 0; i < MESHER_SHADERS; i++) {
        if (!is_needed(&m->def, i)) continue;
        const gpu_pipeline_def def = {.shader = &mesh_shaders[i],
                                      .constants = constants,
                                      .constant_count = BASE_COUNT(constants)};
        WEIR_RETURN_IF_ERROR(gpu_pipeline_create(m->device, &def, &m->pipelines[i]));
    }
    return grid_scan_create(m->device, &m->scan);
}

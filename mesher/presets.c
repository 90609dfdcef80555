/* Presets of the mesher's settings, and checks of their ranges. */
#include "mesher_internal.h"

/* Particle radius at which a ball of jittered particles keeps its volume, for a search radius of
 * 4 spacings; measured by tests/golden/test_mesh_accuracy.c, which has other radii, too. */
#define CALIBRATED_SEARCH 4.0f
#define CALIBRATED_RADIUS 1.01f
/* Iso-value at which the anisotropic field keeps the volume of particles that have settled: at
 * 0.5 it crosses a straight edge of full neighbourhoods, but the sparse neighbourhoods at the
 * surface have more weight. From 0.6 on, voids open inside. */
#define CALIBRATED_ISO 0.57f

static const struct {
    const char *name;
    weir_mesh_field field;
    float cell, search, radius, iso, smoothing;
    bool damping;
} presets[] = {
    {"calibrated", WEIR_MESH_FIELD_ZHU_BRIDSON, 1.0f, CALIBRATED_SEARCH, CALIBRATED_RADIUS, 0.6f,
     0.9f, true},
    /* Zhu and Bridson 2005 as commonly set: 3 lattice cells, each 2 particles wide. */
    {"zhu-bridson", WEIR_MESH_FIELD_ZHU_BRIDSON, 1.0f, 6.0f, 1.0f, 0.6f, 0.9f, false},
    {"sph", WEIR_MESH_FIELD_COLOUR, 0.25f, 2.0f, 1.0f, 0.6f, 0.9f, false},
    {"anisotropic", WEIR_MESH_FIELD_ANISOTROPIC, 0.5f, 2.5f, 1.0f, CALIBRATED_ISO, 0.95f, false},
};

bool mesher_find_preset(const char *name, weir_mesher_def *def)
{
    size_t i = 0;
    while (name && i < BASE_COUNT(presets) && strcmp(presets[i].name, name) != 0)
        i++;
    if (i == BASE_COUNT(presets)) return false;
    *def = (weir_mesher_def){
        .field = presets[i].field,
        .cell_size = presets[i].cell,
        .search_radius = presets[i].search,
        .particle_radius = presets[i].radius,
        .iso_value = presets[i].iso,
        .centre_smoothing = presets[i].smoothing,
        .max_anisotropy = 4.0f,
        .sheet_damping = presets[i].damping,
        .velocity = true,
        .particle_attributes = true,
    };
    return true;
}

static weir_result check_number(const weir_log *log, const char *name, float value, float low,
                                float high)
{
    if (value >= low && value <= high) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_ARGUMENT, "weir_mesher_create: `%s` is %g, expected %g to %g",
                     name, (double)value, (double)low, (double)high);
}

weir_result mesher_check_def(const weir_log *log, const weir_mesher_def *def)
{
    if ((uint32_t)def->field > WEIR_MESH_FIELD_ANISOTROPIC)
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "weir_mesher_create: `field` must be a weir_mesh_field");
    if ((uint32_t)def->normals > WEIR_MESH_NORMALS_NONE)
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "weir_mesher_create: `normals` must be a weir_mesh_normals");
    if (def->cell_size_m != 0.0f)
        WEIR_RETURN_IF_ERROR(check_number(log, "cell_size_m", def->cell_size_m, 1e-9f, 1e9f));
    if (def->cell_size_m == 0.0f)
        WEIR_RETURN_IF_ERROR(check_number(log, "cell_size", def->cell_size, 0.01f, 100.0f));
    WEIR_RETURN_IF_ERROR(check_number(log, "search_radius", def->search_radius, 0.1f, 100.0f));
    WEIR_RETURN_IF_ERROR(check_number(log, "particle_radius", def->particle_radius, 0.01f, 100.0f));
    WEIR_RETURN_IF_ERROR(check_number(log, "iso_value", def->iso_value, 0.01f, 0.99f));
    WEIR_RETURN_IF_ERROR(check_number(log, "centre_smoothing", def->centre_smoothing, 0.0f, 1.0f));
    return check_number(log, "max_anisotropy", def->max_anisotropy, 1.0f, 16.0f);
}

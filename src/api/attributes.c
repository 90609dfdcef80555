/* Public API of the particles' attributes: weir/attributes.h. */
#include "api_internal.h"
#include "api_require.h"

#include "weir/attributes.h"

bool weir_scene_get_attribute(const weir_scene *scene, uint32_t index, weir_attribute *attribute)
{
    if (!scene || !attribute || index >= scene->data->attribute_count) return false;
    const scene_attribute *from = &scene->data->attributes[index];
    *attribute = (weir_attribute){.name = from->name, .components = from->components};
    return true;
}

weir_result weir_sim_read_attribute(weir_sim *sim, const char *name, float *out, size_t size)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), name);
    WEIR_REQUIRE(api_sim_log(sim), out || size == 0, "`out` must not be NULL");
    return sim_read_attribute(sim->world, name, out, size);
}

weir_result weir_sim_write_attribute(weir_sim *sim, const char *name, const float *values,
                                     size_t size)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), name);
    WEIR_REQUIRE(api_sim_log(sim), values || size == 0, "`values` must not be NULL");
    sim->slots->steps++; /* invalidates earlier points */
    return sim_write_attribute(sim->world, name, values, size);
}

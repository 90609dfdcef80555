/* Public API of the particles' attributes: weir/attributes.h. */
#include "api_internal.h"
#include "api_require.h"
#include "io.h"

#include "weir/attributes.h"

_Static_assert(WEIR_MAX_ATTRIBUTES == SCENE_MAX_ATTRIBUTES, "the public limit is the scene's");
_Static_assert(BASE_MAX_ATTRIBUTES == SCENE_MAX_ATTRIBUTES, "files hold the attributes of a scene");

static weir_result check_size(const weir_log *log, const char *name, uint32_t components)
{
    WEIR_REQUIRE(log, name && name[0], "`attributes[].name` must not be empty");
    WEIR_REQUIRE(log, components >= 1 && components <= SCENE_ATTRIBUTE_COMPONENTS,
                 "`attributes[].components` must be 1 to 4");
    return WEIR_OK;
}

static weir_result check_sum(const weir_log *log, uint32_t components)
{
    if (components <= BASE_ATTRIBUTE_COMPONENTS) return WEIR_OK;
    return api_argument_error(log, "`attributes` have %u components in all, expected at most %u",
                              components, BASE_ATTRIBUTE_COMPONENTS);
}

weir_result api_check_attribute_names(const weir_log *log, const weir_attribute *attributes,
                                      uint32_t count)
{
    uint32_t components = 0;
    WEIR_REQUIRE(log, attributes || count == 0, "`attributes` must not be NULL");
    WEIR_REQUIRE(log, count <= WEIR_MAX_ATTRIBUTES, "`count` must be at most 8 attributes");
    for (uint32_t i = 0; i < count; i++) {
        WEIR_RETURN_IF_ERROR(check_size(log, attributes[i].name, attributes[i].components));
        components += attributes[i].components;
    }
    return check_sum(log, components);
}

weir_result api_check_attributes(const weir_log *log, const weir_points_def *def)
{
    WEIR_REQUIRE(log, def->attributes || def->attribute_count == 0,
                 "`attributes` must not be NULL");
    WEIR_REQUIRE(log, def->attribute_count <= WEIR_MAX_ATTRIBUTES,
                 "`attribute_count` must be at most 8");
    uint32_t components = 0;
    for (uint32_t i = 0; i < def->attribute_count; i++) {
        const weir_attribute_values *a = &def->attributes[i];
        WEIR_RETURN_IF_ERROR(check_size(log, a->name, a->components));
        WEIR_REQUIRE(log, a->stride >= a->components && (a->values || def->count == 0),
                     "`attributes[]` needs `values`, and a `stride` of at least `components`");
        components += a->components;
        for (size_t k = 0; k < (size_t)def->count * a->components; k++) {
            const float value = a->values[k / a->components * a->stride + k % a->components];
            if (!isfinite(value))
                return api_argument_error(log,
                                          "attribute `%s[%zu]` is %g, expected a finite number",
                                          a->name, k, (double)value);
        }
    }
    return check_sum(log, components);
}

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
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), name);
    WEIR_REQUIRE(api_sim_log(sim), out || size == 0, "`out` must not be NULL");
    return sim_read_attribute(sim->world, name, out, size);
}

weir_result weir_sim_write_attribute(weir_sim *sim, const char *name, const float *values,
                                     size_t size)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), name);
    WEIR_REQUIRE(api_sim_log(sim), values || size == 0, "`values` must not be NULL");
    sim->slots->steps++; /* invalidates earlier points */
    return sim_write_attribute(sim->world, name, values, size);
}

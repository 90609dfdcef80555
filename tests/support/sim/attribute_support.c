/* Attributes of particles, for tests with every method. */
#include "attribute_support.h"

const char *const attribute_methods[METHODS] = {"pbf", "pcisph", "wcsph", "flip", "apic"};

scene_data *scene_with(const char *text, const char *method, const char *more)
{
    char set_method[64];
    snprintf(set_method, sizeof set_method, "solver.method=%s", method);
    return make_scene(text, (const char *const[]){set_method, more, NULL});
}

float *read_values(sim_world *world, const char *name, uint32_t components, uint32_t *count)
{
    assert_int_equal(sim_particle_count(world, count), WEIR_OK);
    float *values = base_alloc((size_t)*count * components, sizeof *values);
    const size_t size = (size_t)*count * components * sizeof *values;
    assert_int_equal(sim_read_attribute(world, name, values, size), WEIR_OK);
    return values;
}

void write_values(sim_world *world, const char *name, const float *values, size_t count)
{
    assert_int_equal(sim_write_attribute(world, name, values, count * sizeof *values), WEIR_OK);
}

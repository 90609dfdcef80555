/* Samples numbers of fluids that depend on an attribute, for
 * shaders/sim/attributes/particle_materials.comp. */
#include "sim_input.h"

static sim_curve sample(const scene_curve *from)
{
    sim_curve curve = {.component = SIM_NO_CURVE};
    if (!from->given) return curve;
    const float first = from->values[0], span = from->values[from->count - 1] - first;
    curve.component = from->component;
    curve.first = first;
    curve.per_value = (SIM_CURVE_SAMPLES - 1) / span;
    for (uint32_t i = 0; i < SIM_CURVE_SAMPLES; i++)
        curve.samples[i] =
            scene_curve_at(from, first + span * ((float)i / (float)(SIM_CURVE_SAMPLES - 1)));
    return curve;
}

weir_result sim_material_curves_upload(sim_world *world)
{
    const scene_data *scene = world->scene;
    if (!sim_has_curves(scene)) return WEIR_OK;
    struct sim_material_curves *curves = base_alloc(1, sizeof *curves);
    if (!curves) return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for curves");
    for (uint32_t i = 0; i < scene->fluid_count; i++) {
        curves->items[i] = sample(&scene->fluids[i].viscosity_curve);
        curves->items[SIM_MAX_FLUIDS + i] = sample(&scene->fluids[i].tension_curve);
    }
    weir_result result =
        gpu_buffer_upload(world->device, world->buffers.material_curves, 0, curves, sizeof *curves);
    base_free(curves);
    return result;
}

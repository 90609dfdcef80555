/* Summaries of the scenes that the gates run, printed next to their results: number of particles
   and dimensions, initial state, and source of viscosity. */
#include "validate_internal.h"

#include <jansson.h>

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static bool has_value(const json_t *object, const char *key, const char *value)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text && strcmp(text, value) == 0;
}

static bool append_start(base_text *text, const json_t *fluid)
{
    const json_t *fill = json_object_get(fluid, "fill");
    if (json_is_array(fill)) fill = json_array_get(fill, 0);
    double jitter = number_of(fill, "jitter");
    if (!fill) return base_text_append(text, ", from an emitter");
    if (json_object_get(fill, "file")) return base_text_append(text, ", initial state from a file");
    bool hexagonal = has_value(fill, "lattice", "hexagonal");
    if (!base_text_append(text, hexagonal ? ", hexagonal lattice" : ", cubic lattice"))
        return false;
    return jitter <= 0.0 || base_text_append(text, " with jitter %g d", jitter);
}

static bool append_viscosity(base_text *text, const json_t *fluid)
{
    double xsph = number_of(fluid, "xsph"), viscosity = number_of(fluid, "dynamic_viscosity");
    if (xsph <= 0.0 && viscosity <= 0.0) return base_text_append(text, ", no viscosity");
    if (xsph > 0.0 && !base_text_append(text, ", XSPH %g", xsph)) return false;
    return viscosity <= 0.0 || base_text_append(text, ", %g Pa s", viscosity);
}

/* PBF is the default and is not named. */
static const char *method_of(const json_t *solver)
{
    static const char *const methods[][2] = {
        {"pcisph", ", PCISPH"}, {"flip", ", FLIP"}, {"apic", ", APIC"}, {"wcsph", ", WCSPH"}};
    for (size_t i = 0; i < BASE_COUNT(methods); ++i)
        if (has_value(solver, "method", methods[i][0])) return methods[i][1];
    return "";
}

static bool append_setup(base_text *text, const validate_world *world, const json_t *scene)
{
    const json_t *solver = json_object_get(scene, "solver");
    const json_t *fluid = json_array_get(json_object_get(scene, "fluids"), 0);
    return base_text_append(text, "%g-D, %llu particles%s", number_of(solver, "dimensions"),
                            (unsigned long long)world->stats.particle_count, method_of(solver)) &&
           append_start(text, fluid) && append_viscosity(text, fluid);
}

static bool was_added(const validate *v, const char *text)
{
    for (size_t i = 0; i < v->setups.count; ++i)
        if (v->setups.items[i].gate_case == v->running &&
            strcmp(v->setups.items[i].text, text) == 0)
            return true;
    return false;
}

void validate_add_setup(const validate_world *world)
{
    validate *v = world->of;
    base_text text = {0};
    json_t *scene = json_loads(world->info.json, 0, NULL);
    validate_setup setup = {.gate_case = v->running};
    bool fits = scene && append_setup(&text, world, scene);
    if (fits && !was_added(v, text.items)) {
        setup.text = base_strdup(text.items);
        fits = setup.text && BASE_ARRAY_PUSH(&v->setups, setup);
    }
    BASE_ARRAY_FREE(&text);
    json_decref(scene);
    if (!fits) validate_break_off(v, WEIR_ERROR_MEMORY);
}

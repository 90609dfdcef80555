/* Fluids by name: --fluid, and the viewer's choice. Densities and viscosities are those at 20 °C
 * (lava: basalt at 1150 °C). Water and milk have no viscosity: theirs, 0.001 and 0.002 Pa s, has no
 * effect at the spacing of particles. Colours and absorption are those of a tub filled with the
 * fluid. */
#include "app.h"

typedef struct fluid_preset {
    const char *name;
    const char *density, *viscosity, *colour; /* kg/m3, Pa s, linear */
    const char *scattering;                   /* look.scattering_ratio */
} fluid_preset;

static const fluid_preset presets[ARGS_FLUIDS] = {
    {"water", "1000", "0", "[0.05,0.58,0.9]", "-1"},
    {"honey", "1420", "10", "[0.6,0.25,0.02]", "0.2"},
    {"oil", "915", "0.08", "[0.72,0.6,0.06]", "0.05"},
    {"lava", "2700", "200", "[0.85,0.1,0.01]", "20"},
    {"milk", "1030", "0", "[0.9,0.88,0.82]", "40"},
};

const char *const *args_fluids(void)
{
    static const char *names[ARGS_FLUIDS];
    for (size_t i = 0; i < ARGS_FLUIDS; i++)
        names[i] = presets[i].name;
    return names;
}

void app_fluid_changes(uint32_t fluid, char out[APP_FLUID_CHANGES][64])
{
    const fluid_preset *p = &presets[fluid];
    snprintf(out[0], 64, "fluids[0].density=%s", p->density);
    snprintf(out[1], 64, "fluids[0].dynamic_viscosity=%s", p->viscosity);
    snprintf(out[2], 64, "fluids[0].colour=%s", p->colour);
    snprintf(out[3], 64, "look.scattering_ratio=%s", p->scattering);
}

void app_add_fluid(args_list *set, uint32_t fluid)
{
    static char changes[APP_FLUID_CHANGES][64];
    if (fluid == ARGS_NOT_GIVEN) return;
    app_fluid_changes(fluid, changes);
    /* They go first, because a --set of the user takes precedence. */
    uint32_t count = set->count;
    for (uint32_t i = count; i-- > 0;)
        set->items[i + APP_FLUID_CHANGES] = set->items[i];
    for (size_t i = 0; i < APP_FLUID_CHANGES; i++)
        set->items[i] = changes[i];
    set->count = count + APP_FLUID_CHANGES;
}

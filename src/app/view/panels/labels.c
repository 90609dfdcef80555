/* Labels of scene keys: most are made from the words of the key. */
#include "labels.h"

#include <ctype.h>
#include <stdlib.h>

static const char *const labels[][2] = {
    {"spacing", "Particle spacing"},
    {"duration", "Duration of a run"},
    {"cfl", "Courant number"},
    {"xsph", "XSPH coefficient"},
    {"dynamic_viscosity", "Viscosity"},
    {"max_speed", "Maximum speed"},
    {"max_correction", "Maximum correction"},
    {"pic_fraction", "PIC fraction"},
    {"adaptive", "Adaptive substeps"},
    {"preset", "Named look"},
    {"sun", "Direction of the sun"},
    {"floor", "Floor"},
    {"tank", "Glass tank"},
    {"scattering_ratio", "Scattering"},
    {"absorption_length", "Absorption length"},
    {"min", "Lower corner"},
    {"max", "Upper corner"},
};

/* Prints a name with spaces in place of underscores and a capital letter. */
static void print_words(const char *name, size_t size, char out[64])
{
    snprintf(out, 64, "%.*s", (int)size, name);
    for (char *c = out; *c; c++)
        if (*c == '_') *c = ' ';
    out[0] = (char)toupper((unsigned char)out[0]);
}

void view_label_key(const char *key, char out[64])
{
    const char *dot = strrchr(key, '.'), *name = dot ? dot + 1 : key;
    print_words(name, strlen(name), out);
    for (size_t i = 0; i < BASE_COUNT(labels); i++)
        if (strcmp(labels[i][0], name) == 0) snprintf(out, 64, "%s", labels[i][1]);
}

/* An item of a list gets the singular of the list's name, and its number. */
void view_label_group(const char *group, char out[64])
{
    size_t size = strcspn(group, "[");
    bool plural = group[size] && size > 1 && group[size - 1] == 's';
    print_words(group, plural ? size - 1 : size, out);
    if (plural && size > 3 && strncmp(group + size - 3, "ies", 3) == 0)
        snprintf(out + size - 3, 64 - size + 3, "y");
    size_t used = strlen(out);
    if (group[size])
        snprintf(out + used, 64 - used, " %lu", strtoul(group + size + 1, NULL, 10) + 1);
    const char *dot = strchr(group, '.');
    used = strlen(out);
    if (dot && group[size]) snprintf(out + used, 64 - used, ": %s", dot + 1);
}

bool view_label_is_used(const char *key, const char *method)
{
    static const char *const users[][2] = {
        {"solver.grid_cell_size", "flip apic"},
        {"solver.projection_tolerance", "flip apic"},
        {"solver.pic_fraction", "flip"},
        {"solver.sound_speed", "wcsph"},
        {"solver.artificial_viscosity", "wcsph"},
        {"solver.allow_negative_pressure", "pbf pcisph wcsph"},
        {"solver.support_radius", "pbf pcisph wcsph"},
        {"solver.relaxation", "pbf pcisph wcsph"},
        {"solver.max_correction", "pbf pcisph wcsph"},
        {"solver.max_speed", "pbf pcisph wcsph"},
        {"solver.boundary_density", "pbf pcisph wcsph"},
        {"solver.boundary_gap", "pbf pcisph wcsph"},
        {"solver.pre_stabilization", "pbf pcisph"},
        {"solver.constraint_softening", "pbf"},
        {"solver.artificial_pressure", "pbf"},
        {"solver.artificial_pressure_distance", "pbf"},
        {"solver.artificial_pressure_exponent", "pbf"},
        {"solver.artificial_pressure_cutoff", "pbf"},
        {"solver.scale_artificial_pressure", "pbf"},
    };
    for (size_t i = 0; i < BASE_COUNT(users); i++)
        if (strcmp(users[i][0], key) == 0) return strstr(users[i][1], method) != NULL;
    return true;
}

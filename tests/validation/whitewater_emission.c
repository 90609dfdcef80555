/* G11: the amount of whitewater does not depend on the spacing. */
#include "validate_internal.h"

#define COLUMN_M 1.2
#define FRAME_HZ 60u
#define FRAMES 96u /* until the wave has fallen back from the far wall */

static const char *const methods[] = {"pbf", "flip"};
static const char *const labels[] = {"PBF", "FLIP"};
static const double spacings_m[] = {0.08, 0.06, 0.05};
#define SPACINGS BASE_COUNT(spacings_m)

static char *dam_json(const char *method, double spacing_m)
{
    return base_format("{'spacing': %g, 'frame_rate': %u, 'whitewater': {},"
                       " 'domain': {'min': [0, 0, 0], 'max': [4, 2.4, 1.2],"
                       " 'sides': {'y': ['closed', 'open']}},"
                       " 'solver': {'method': '%s'},"
                       " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
                       "'min': [0, 0, 0], 'max': [%g, %g, 1.2]}}}}]}",
                       spacing_m, FRAME_HZ, method, COLUMN_M, COLUMN_M);
}

typedef struct emission_counts {
    double air, crests, curl, all;
} emission_counts;

static void count_emitted(validate *v, const char *method, double spacing_m, emission_counts *born)
{
    validate_world *world = validate_open(v, dam_json(method, spacing_m));
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        validate_run(world, 1);
        born->air += world->stats.emitted_by_trapped_air;
        born->crests += world->stats.emitted_by_wave_crests;
        born->curl += world->stats.emitted_by_curl;
    }
    born->all = born->air + born->crests + born->curl;
    validate_add_line(v, "%s,%g,%g,%g,%g,%g", method, spacing_m, born->air, born->crests,
                      born->curl, born->all);
    validate_close(world);
}

void validate_whitewater_emission(validate *v)
{
    validate_add_line(v, "method,d_m,air,crests,curl,all");
    for (size_t m = 0; m < BASE_COUNT(methods); ++m) {
        emission_counts born[SPACINGS] = {{0}};
        for (size_t i = 0; i < SPACINGS; ++i)
            count_emitted(v, methods[m], spacings_m[i], &born[i]);
        validate_report(v, born[0].all,
                        "%s, d = %g m: whitewater particles emitted in %g s of a dam break",
                        labels[m], spacings_m[0], (double)FRAMES / FRAME_HZ);
        for (size_t i = 1; i < SPACINGS; ++i)
            validate_within(v, born[i].all / born[0].all, (validate_range){1.0, 0.2},
                            "%s, d = %g m: emitted whitewater particles, ratio to d = %g m",
                            labels[m], spacings_m[i], spacings_m[0]);
    }
    validate_write_table(v, "births");
}

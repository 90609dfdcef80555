/* G10: contacts of bodies with walls and each other, and momentum conserved by fluid and bodies
   together. */
#include "validate_internal.h"

#define G 9.81

/* A drop of fluid far away, because a scene needs a fluid. */
#define DROP(box) " 'fluids': [{'name': 'drop', 'fill': {'shape': {'box': {" box "}}}}]}"

/* ---- a block on a slope --------------------------------------------------------------------- */

#define SLOPE 0.5235987755982988 /* 30 degrees */

static char *slope_scene(double friction)
{
    return base_format(
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [2, 4, 2]}, 'solids': [{"
        "'name': 'slope', 'shape': {'box': {'size': [4, 0.4, 1.6]}, 'position': [1, 1.2, 0.9],"
        " 'rotation': {'axis': [0, 0, 1], 'angle': 30}}}], 'bodies': [{'name': 'block',"
        " 'density': 700, 'friction': %g, 'shape': {'box': {'size': [0.3, 0.3, 0.3]},"
        " 'position': [1.2580127, 1.7531089, 0.9], 'rotation': {'axis': [0, 0, 1],"
        " 'angle': 30}}}]," DROP("'min': [1.8, 0, 1.8], 'max': [2, 0.1, 2]"),
        friction);
}

/* Measures how far the block slides down the slope in `frames` more frames. */
static weir_result measure_slide(validate_world *world, uint32_t frames, double *distance_m)
{
    weir_body start, end;
    WEIR_RETURN_IF_ERROR(validate_read_body(world, 0, &start));
    WEIR_RETURN_IF_ERROR(validate_run(world, frames));
    WEIR_RETURN_IF_ERROR(validate_read_body(world, 0, &end));
    *distance_m = (double)(start.position[0] - end.position[0]) / cos(SLOPE);
    return WEIR_OK;
}

static weir_result slide_block(validate *v, double friction)
{
    weir_result result;
    validate_world world = {0};
    const double t = 24.0 / 60.0, wanted = G * (sin(SLOPE) - friction * cos(SLOPE));
    double distance_m;
    WEIR_GOTO_IF_ERROR(validate_open(v, slope_scene(friction), &world));
    WEIR_GOTO_IF_ERROR(measure_slide(&world, 24, &distance_m));
    validate_within(v, 2.0 * distance_m / (t * t) / wanted, (validate_range){1, 0.1},
                    "block of 6 d on 30 degrees, friction %g: acceleration over the law", friction);
fail:
    validate_close(&world);
    return result;
}

/* Tilts a block to one degree below its friction angle, and measures its creep between first
   contact and sleep. */
static weir_result creep_block(validate *v)
{
    weir_result result;
    validate_world world = {0};
    double distance_m;
    WEIR_GOTO_IF_ERROR(validate_open(v, slope_scene(0.601), &world));
    WEIR_GOTO_IF_ERROR(validate_run(&world, 4));
    WEIR_GOTO_IF_ERROR(measure_slide(&world, 24, &distance_m));
    validate_within(v, distance_m / 0.05 / 0.4, (validate_range){0, 0.01},
                    "the same, friction 0.601, which holds it: creep, d/s");
fail:
    validate_close(&world);
    return result;
}

weir_result validate_body_on_slope(validate *v)
{
    static const double frictions[] = {0.0, 0.15, 0.3, 0.45};
    for (size_t i = 0; i < BASE_COUNT(frictions); ++i)
        WEIR_RETURN_IF_ERROR(slide_block(v, frictions[i]));
    return creep_block(v);
}

/* ---- a tower -------------------------------------------------------------------------------- */

#define BOXES 10u
#define EDGE 0.08 /* m, 4 spacings */

static double box_offset(uint32_t i)
{
    return 0.18 + 0.002 * (2.0 * (double)base_hash_to_unit(i) - 1.0);
}

/* Ten stacked boxes, each off the tower's axis by at most a tenth of a spacing. */
static char *tower_scene(const char *method)
{
    static const char head[] = "{'spacing': 0.02, 'domain': {'min': [0, 0, 0],"
                               " 'max': [0.4, 1, 0.4]}, 'solver': {'method': '%s'}, 'bodies': [";
    base_text text = {0};
    bool ok = base_text_append(&text, head, method);
    for (uint32_t i = 0; ok && i < BOXES; ++i)
        ok = base_text_append(&text,
                              "%s{'name': 'box %u', 'density': 700, 'shape': {'box': {'size': [%g,"
                              " %g, %g]}, 'position': [%g, %g, %g]}}",
                              i ? ", " : "", i, EDGE, EDGE, EDGE, box_offset(2 * i),
                              ((double)i + 0.5) * EDGE, box_offset(2 * i + 1));
    ok = ok && base_text_append(&text, "%s",
                                "]," DROP("'min': [0.36, 0, 0.36], 'max': [0.4, 0.04, 0.4]"));
    if (!ok) BASE_ARRAY_FREE(&text);
    return text.items;
}

static weir_result stand_tower(validate *v, const char *method, const char *by)
{
    weir_result result;
    validate_world world = {0};
    weir_body start[BOXES], end[BOXES];
    const double d = 0.02;
    double slip = 0.0;
    WEIR_GOTO_IF_ERROR(validate_open(v, tower_scene(method), &world));
    for (uint32_t i = 0; i < BOXES; ++i)
        WEIR_GOTO_IF_ERROR(validate_read_body(&world, i, &start[i]));
    WEIR_GOTO_IF_ERROR(validate_run(&world, 600));
    for (uint32_t i = 0; i < BOXES; ++i) {
        WEIR_GOTO_IF_ERROR(validate_read_body(&world, i, &end[i]));
        slip = fmax(slip, hypot((double)(end[i].position[0] - start[i].position[0]),
                                (double)(end[i].position[2] - start[i].position[2])));
    }
    double sunk = (double)(start[BOXES - 1].position[1] - end[BOXES - 1].position[1]);
    validate_within(v, sunk / d, (validate_range){0, 0.3},
                    "%stower of ten boxes of 4 d, 10 s: the top has sunk, d", by);
    validate_at_most(v, slip / d, 1.0, "%sits boxes have slipped at most, d", by);
fail:
    validate_close(&world);
    return result;
}

weir_result validate_body_tower(validate *v)
{
    WEIR_RETURN_IF_ERROR(stand_tower(v, "pbf", ""));
    return stand_tower(v, "flip", "FLIP, ");
}

/* ---- momentum ------------------------------------------------------------------------------- */

/* In a box without walls nothing enters or leaves. */
static const char colliding_bodies[] =
    "{'spacing': 0.05, 'gravity': [0, 0, 0], 'domain': {'min': [0, 0, 0], 'max': [3, 2, 2],"
    " 'sides': {'x': 'open', 'y': 'open', 'z': 'open'}},"
    " 'bodies': [{'name': 'hammer', 'density': 2000, 'velocity': [2, 0.3, 0],"
    " 'shape': {'sphere': {'radius': 0.2}, 'position': [0.7, 1, 1]}},"
    " {'name': 'plate', 'density': 300, 'shape': {'box': {'size': [0.2, 0.5, 0.5]},"
    " 'position': [1.62, 1, 1]}}],"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
    "'min': [1, 0.7, 0.7], 'max': [1.5, 1.3, 1.3]}}}}]}";

static weir_result sum_momentum(validate_world *world, double sum[3])
{
    weir_body body;
    for (uint32_t i = 0; i < 2; ++i) {
        WEIR_RETURN_IF_ERROR(validate_read_body(world, i, &body));
        for (int k = 0; k < 3; ++k)
            sum[k] = (i ? sum[k] : world->stats.momentum_kg_m_s[k]) +
                     body.mass_kg * (double)body.velocity[k];
    }
    return WEIR_OK;
}

weir_result validate_body_momentum(validate *v)
{
    weir_result result;
    validate_world world = {0};
    weir_body hammer, plate;
    double before[3], after[3], worst = 0.0;
    WEIR_GOTO_IF_ERROR(validate_open(v, base_format("%s", colliding_bodies), &world));
    WEIR_GOTO_IF_ERROR(validate_read_body(&world, 0, &hammer));
    WEIR_GOTO_IF_ERROR(sum_momentum(&world, before));
    for (uint32_t frame = 0; frame < 16; ++frame) {
        WEIR_GOTO_IF_ERROR(validate_run(&world, 1));
        WEIR_GOTO_IF_ERROR(sum_momentum(&world, after));
        for (int k = 0; k < 3; ++k)
            worst = fmax(worst, fabs(after[k] - before[k]) / 4.0); /* substeps */
        memcpy(before, after, sizeof before);
    }
    WEIR_GOTO_IF_ERROR(validate_read_body(&world, 1, &plate));
    validate_at_most(v, worst / (2.0 * hammer.mass_kg), 1e-6,
                     "fluid, a ball and a plate: momentum gained in a substep over the ball's");
    validate_report(v, (double)plate.velocity[0], "speed that the plate has got of it, m/s");
fail:
    validate_close(&world);
    return result;
}

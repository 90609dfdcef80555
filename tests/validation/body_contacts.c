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
static double measure_slide(validate_world *world, uint32_t frames)
{
    weir_body start = validate_read_body(world, 0);
    validate_run(world, frames);
    weir_body end = validate_read_body(world, 0);
    return (double)(start.position[0] - end.position[0]) / cos(SLOPE);
}

static void slide_block(validate *v, double friction)
{
    const double t = 24.0 / 60.0, wanted = G * (sin(SLOPE) - friction * cos(SLOPE));
    validate_world *world = validate_open(v, slope_scene(friction));
    double distance_m = measure_slide(world, 24);
    validate_within(v, 2.0 * distance_m / (t * t) / wanted, (validate_range){1, 0.1},
                    "block of 6 d on a 30 degree slope, friction %g: acceleration, ratio to theory",
                    friction);
    validate_close(world);
}

/* Tilts a block to one degree below its friction angle, and measures its creep between first
   contact and sleep. */
static void creep_block(validate *v)
{
    validate_world *world = validate_open(v, slope_scene(0.601));
    validate_run(world, 4);
    double distance_m = measure_slide(world, 24);
    validate_within(v, distance_m / 0.05 / 0.4, (validate_range){0, 0.01},
                    "block of 6 d on a 30 degree slope, friction 0.601 (sticks): creep, d/s");
    validate_close(world);
}

void validate_body_on_slope(validate *v)
{
    static const double frictions[] = {0.3, 0.0, 0.15, 0.45};
    for (size_t i = 0; i < (v->size == VALIDATE_SMALL ? 1 : BASE_COUNT(frictions)); ++i)
        slide_block(v, frictions[i]);
    creep_block(v);
}

/* ---- a tower -------------------------------------------------------------------------------- */

#define BOXES 10u
#define EDGE 0.08 /* m, 4 spacings */

static double box_offset(uint32_t i)
{
    return 0.18 + 0.002 * (2.0 * (double)base_hash_to_unit(i) - 1.0);
}

/* Ten stacked boxes, each off the tower's axis by at most a tenth of a spacing. */
static char *tower_scene(validate *v, const char *method)
{
    static const char head[] = "{'spacing': 0.02, 'domain': {'min': [0, 0, 0],"
                               " 'max': [0.4, 1, 0.4]}, 'solver': {'method': '%s'}, 'bodies': [";
    base_text text = {0};
    validate_append(v, &text, head, method);
    for (uint32_t i = 0; i < BOXES; ++i)
        validate_append(v, &text,
                        "%s{'name': 'box %u', 'density': 700, 'shape': {'box': {'size': [%g,"
                        " %g, %g]}, 'position': [%g, %g, %g]}}",
                        i ? ", " : "", i, EDGE, EDGE, EDGE, box_offset(2 * i),
                        ((double)i + 0.5) * EDGE, box_offset(2 * i + 1));
    validate_append(v, &text, "%s", "]," DROP("'min': [0.36, 0, 0.36], 'max': [0.4, 0.04, 0.4]"));
    return text.items;
}

static void stand_tower(validate *v, const char *method, const char *by, uint32_t frames)
{
    weir_body start[BOXES], end[BOXES];
    const double d = 0.02;
    double slip = 0.0;
    validate_world *world = validate_open(v, tower_scene(v, method));
    for (uint32_t i = 0; i < BOXES; ++i)
        start[i] = validate_read_body(world, i);
    validate_run(world, frames);
    for (uint32_t i = 0; i < BOXES; ++i) {
        end[i] = validate_read_body(world, i);
        const double x = (double)(end[i].position[0] - start[i].position[0]),
                     z = (double)(end[i].position[2] - start[i].position[2]);
        slip = fmax(slip, sqrt(x * x + z * z)); /* hypot needs glibc 2.35: docs/packages.md */
    }
    double sunk = (double)(start[BOXES - 1].position[1] - end[BOXES - 1].position[1]);
    validate_within(v, sunk / d, (validate_range){0, 0.3},
                    "%stower of ten boxes of 4 d, %g s: settlement of the top box, d", by,
                    frames / 60.0);
    validate_at_most(v, slip / d, 1.0,
                     "%stower of ten boxes of 4 d, %g s: maximum horizontal slip of a box, d", by,
                     frames / 60.0);
    validate_close(world);
}

void validate_body_tower(validate *v)
{
    stand_tower(v, "pbf", "", v->size == VALIDATE_SMALL ? 30 : 600);
    if (v->size >= VALIDATE_COARSE) stand_tower(v, "flip", "FLIP, ", 600);
}

/* ---- momentum ------------------------------------------------------------------------------- */

typedef struct collision {
    const char *method, *label;
    double plate;    /* density, kg/m3 */
    double hammer_x; /* m, at the start */
    uint32_t frames;
} collision;

/* In a box without walls nothing enters or leaves. */
static char *collision_scene(const collision *c)
{
    return base_format(
        "{'spacing': 0.05, 'gravity': [0, 0, 0], 'domain': {'min': [0, 0, 0], 'max': [3, 2, 2],"
        " 'sides': {'x': 'open', 'y': 'open', 'z': 'open'}}, 'solver': {'method': '%s'},"
        " 'bodies': [{'name': 'hammer', 'density': 2000, 'velocity': [2, 0.3, 0],"
        " 'shape': {'sphere': {'radius': 0.2}, 'position': [%g, 1, 1]}},"
        " {'name': 'plate', 'density': %g, 'shape': {'box': {'size': [0.2, 0.5, 0.5]},"
        " 'position': [1.62, 1, 1]}}],"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
        "'min': [1, 0.7, 0.7], 'max': [1.5, 1.3, 1.3]}}}}]}",
        c->method, c->hammer_x, c->plate);
}

static void sum_momentum(validate_world *world, double sum[3])
{
    for (uint32_t i = 0; i < 2; ++i) {
        weir_body body = validate_read_body(world, i);
        for (int k = 0; k < 3; ++k)
            sum[k] = (i ? sum[k] : world->stats.momentum_kg_m_s[k]) +
                     body.mass_kg * (double)body.velocity[k];
    }
}

/* A plate that is lighter than the fluid must return the momentum that it gains at once, or it
   would shake: `slowest` is its greatest loss of speed in a frame. */
static void collide(validate *v, const collision *c)
{
    double before[3], after[3], worst = 0.0, speed = 0.0, slowest = 0.0;
    validate_world *world = validate_open(v, collision_scene(c));
    const double mass = validate_read_body(world, 0).mass_kg;
    sum_momentum(world, before);
    for (uint32_t frame = 0; frame < c->frames; ++frame) {
        validate_run(world, 1);
        sum_momentum(world, after);
        for (int k = 0; k < 3; ++k)
            worst = fmax(worst, fabs(after[k] - before[k]) / world->stats.substeps_in_frame);
        memcpy(before, after, sizeof before);
        double now = (double)validate_read_body(world, 1).velocity[0];
        slowest = fmax(slowest, speed - now);
        speed = now;
    }
    double hammer = (double)validate_read_body(world, 0).velocity[0];
    validate_at_most(
        v, worst / (2.0 * mass), 1e-6,
        "%sfluid, ball and plate: maximum momentum change per substep, relative to the ball's",
        c->label);
    if (c->plate < 100) {
        validate_at_most(v, slowest, 1e-3, "%splate: maximum loss of speed in a frame, m/s",
                         c->label);
        validate_within(v, hammer, (validate_range){1.7, 0.2},
                        "%sball: speed after the collision, m/s", c->label);
        validate_within(v, speed, (validate_range){0.265, 0.235},
                        "%splate: speed after the collision, m/s", c->label);
    } else
        validate_report(v, speed, "%splate: speed after the collision, m/s", c->label);
    validate_close(world);
}

void validate_body_momentum(validate *v)
{
    static const collision collisions[] = {{"pbf", "", 300, 0.7, 16},
                                           {"flip", "FLIP, ", 50, 0.74, 10},
                                           {"apic", "APIC, ", 50, 0.74, 10}};
    for (size_t i = 0; i < BASE_COUNT(collisions); ++i)
        collide(v, &collisions[i]);
}

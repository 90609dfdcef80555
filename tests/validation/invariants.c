/* G3: invariants of every fluid: free fall, moving and rotated frames, other units, energy. */
#include "validate_internal.h"

#define SPACING 0.05

/* ---- pairs of runs -------------------------------------------------------------------------- */

/* Two runs that must agree. */
typedef struct run_pair {
    char *first, *second; /* JSON, freed */
    uint32_t frames;
    vec3 (*back)(vec3 p); /* maps a position of the second run to one of the first */
    double period;        /* along x; 0: not periodic */
    bool by_nearest;      /* ids run along other axes, so the nearest particle is compared */
} run_pair;

static double nearest_to(vec3 p, const validate_world *b, const run_pair *t)
{
    double nearest = INFINITY;
    for (uint32_t j = 0; j < b->count; ++j)
        nearest = fmin(nearest, (double)vec3_length(vec3_sub(p, t->back(b->x[j]))));
    return nearest;
}

static double farthest_apart(const validate_world *a, const validate_world *b, const run_pair *t)
{
    double worst = 0.0;
    if (a->count != b->count) return INFINITY;
    for (uint32_t i = 0; i < a->count; ++i) {
        vec3 d = vec3_sub(a->x[i], t->back(b->x[i]));
        if (t->period > 0) d.x -= (float)(t->period * round((double)d.x / t->period));
        worst = fmax(worst, t->by_nearest ? nearest_to(a->x[i], b, t) : (double)vec3_length(d));
    }
    return worst;
}

/* Returns how far apart the particles of both runs end, m. */
static double run_both(validate *v, const run_pair *t)
{
    validate_world *a = validate_open(v, t->first);
    validate_world *b = validate_open(v, t->second);
    validate_run(a, t->frames);
    validate_run(b, t->frames);
    validate_read(a);
    validate_read(b);
    double apart = farthest_apart(a, b, t);
    validate_close(a);
    validate_close(b);
    return apart;
}

/* ---- free fall ------------------------------------------------------------------------------ */

static void check_free_fall(validate *v)
{
    double worst = 0.0;
    const double dt = 1.0 / 240.0, n = 240.0, depth = 9.81 * dt * dt * n * (n + 1.0) / 2.0;
    vec3 *start = NULL;
    char *json =
        base_format("{'spacing': %g, 'frame_rate': 60,"
                    " 'domain': {'min': [-1, -8, -1], 'max': [1, 1, 1]},"
                    " 'solver': {'substeps': 4, 'iterations': 2, 'artificial_pressure': 0},"
                    " 'fluids': [{'name': 'water', 'fill': {"
                    "'shape': {'box': {'size': [0.3, 0.3, 0.3]}}}}]}",
                    SPACING);
    validate_world *world = validate_open(v, json);
    validate_read(world);
    start = world->x;
    world->x = NULL;
    validate_run(world, 60);
    validate_read(world);
    for (uint32_t i = 0; i < world->count; ++i)
        worst = fmax(worst, fabs((double)start[i].y - (double)world->x[i].y - depth));
    validate_at_most(v, worst / depth, 1e-6,
                     "free fall of 1 s: maximum relative error of the distance");
    base_free(start);
    validate_close(world);
}

/* ---- other frames --------------------------------------------------------------------------- */

static vec3 identity(vec3 p)
{
    return p;
}

/* Undoes the displacement of 200 steps of 1/240 s at 1.5 m/s. */
static vec3 move_back(vec3 p)
{
    return vec3_make(p.x - (float)(1.5 * 200 / 240.0), p.y, p.z);
}

static char *block_json(double speed)
{
    return base_format("{'spacing': %g, 'gravity': [0, 0, 0], 'frame_rate': 240,"
                       " 'domain': {'min': [0, 0, 0], 'max': [1, 0.6, 0.6],"
                       " 'sides': {'x': 'periodic'}},"
                       " 'solver': {'substeps': 1},"
                       " 'fluids': [{'name': 'water', 'fill': {'velocity': [%g, 0, 0],"
                       "'shape': {'box': {'min': [0.2, 0.2, 0.2], 'max': [0.5, 0.5, 0.5]}}}}]}",
                       SPACING, speed);
}

static void check_moving_frame(validate *v)
{
    const run_pair t = {block_json(0.0), block_json(1.5), 200, move_back, 1.0, false};
    double apart = run_both(v, &t);
    validate_at_most(v, apart / SPACING, 1e-4,
                     "moving block and block at rest, 200 substeps: largest difference, d");
}

/* Undoes the rotation that maps x to y, y to z and z to x. */
static vec3 turn_back(vec3 p)
{
    return vec3_make(p.y, p.z, p.x);
}

static vec3 mirror_back(vec3 p)
{
    return vec3_make(-p.x, p.y, p.z);
}

/* A column in a corner of a box that is deeper than it is wide. */
static const char upright[] =
    " 'gravity': [0, -9.81, 0], 'domain': {'min': [-0.5, -0.5, 0], 'max': [0.5, 0.5, 0.4]}";
static const char upright_fill[] = "'min': [-0.5, -0.5, 0], 'max': [-0.1, -0.1, 0.4]";

static char *column_json(const char *box, const char *fill)
{
    return base_format("{'spacing': %g, 'frame_rate': 240, %s,"
                       " 'solver': {'substeps': 1, 'vorticity_confinement': 0.2},"
                       " 'fluids': [{'name': 'water', 'fill': {'lattice': 'cubic', 'shape': {'box':"
                       " {%s}}}}]}",
                       SPACING, box, fill);
}

static void check_rotated_frame(validate *v)
{
    const struct {
        const char *box, *fill, *name;
        vec3 (*back)(vec3 p);
    } cases[] = {
        {" 'gravity': [0, 0, -9.81], 'domain': {'min': [0, -0.5, -0.5], 'max': [0.4, 0.5, 0.5]}",
         "'min': [0, -0.5, -0.5], 'max': [0.4, -0.1, -0.1]", "rotated", turn_back},
        {upright, "'min': [0.1, -0.5, 0], 'max': [0.5, -0.1, 0.4]", "mirrored", mirror_back}};
    for (size_t c = 0; c < BASE_COUNT(cases); ++c) {
        const run_pair t = {.first = column_json(upright, upright_fill),
                            .second = column_json(cases[c].box, cases[c].fill),
                            .frames = 20,
                            .back = cases[c].back,
                            .by_nearest = true};
        double apart = run_both(v, &t);
        validate_at_most(v, apart / SPACING, 1e-5,
                         "%s scene and gravity, 20 substeps: largest difference, d", cases[c].name);
    }
}

/* ---- symmetry and energy -------------------------------------------------------------------- */

static void check_symmetry(validate *v)
{
    double worst = 0.0;
    char *json = base_format(
        "{'spacing': %g, 'frame_rate': 240,"
        " 'domain': {'min': [-1, 0, 0], 'max': [1, 1, 0.25]}, 'solver': {'substeps': 1},"
        " 'fluids': [{'name': 'water', 'fill': ["
        "{'shape': {'box': {'min': [-1, 0, 0], 'max': [-0.6, 0.5, 0.25]}}},"
        "{'shape': {'box': {'min': [0.6, 0, 0], 'max': [1, 0.5, 0.25]}}}]}]}",
        SPACING);
    validate_world *world = validate_open(v, json);
    for (uint32_t frame = 0; frame < 100; ++frame) {
        validate_run(world, 1);
        worst = fmax(worst, fabs(world->stats.centre_of_mass_m[0]));
    }
    validate_at_most(v, worst / SPACING, 0.01,
                     "two symmetric dam breaks: maximum x offset of the centre of mass, d");
    validate_close(world);
}

static void check_energy(validate *v)
{
    double first = 0.0, most = 0.0;
    char *json = base_format("{'spacing': 0.025, 'frame_rate': 60,"
                             " 'domain': {'min': [0, 0, 0], 'max': [1.6, 1.2, 0.1]},"
                             " 'solver': {'dimensions': 2, 'substeps': 4},"
                             " 'fluids': [{'name': 'water', 'fill': {"
                             "'shape': {'box': {'min': [0, 0, 0], 'max': [0.5, 0.8, 0.1]}}}}]}");
    validate_world *world = validate_open(v, json);
    validate_add_line(v, "t_s,kinetic_j,potential_j");
    for (uint32_t frame = 0; frame < 90; ++frame) {
        validate_run(world, 1);
        double energy = world->stats.kinetic_energy_j + world->stats.potential_energy_j;
        if (frame == 0) first = energy;
        most = fmax(most, energy);
        validate_add_line(v, "%.6g,%.6g,%.6g", world->stats.time_s, world->stats.kinetic_energy_j,
                          world->stats.potential_energy_j);
    }
    validate_write_table(v, "energy");
    validate_at_most(v, most / first - 1.0, 0.02,
                     "2-D dam break: maximum relative energy gain since the first frame");
    double off = 0.0;
    validate_read(world);
    for (uint32_t i = 0; i < world->count; ++i)
        off = fmax(off, fabs((double)(world->x[i].z - world->x[0].z)));
    validate_at_most(v, off, 0, "2-D dam break: largest distance from the plane, m");
    validate_close(world);
}

void validate_invariants(validate *v)
{
    check_free_fall(v);
    check_moving_frame(v);
    check_rotated_frame(v);
    check_symmetry(v);
    check_energy(v);
}

/* ---- other units ---------------------------------------------------------------------------- */

static char *scaled_json(double length, double density)
{
    return base_format("{'spacing': %.9g, 'gravity': [0, %.9g, 0], 'frame_rate': 240,"
                       " 'domain': {'min': [0, 0, 0], 'max': [%.9g, %.9g, %.9g]},"
                       " 'solver': {'substeps': 1, 'vorticity_confinement': 0.5},"
                       " 'fluids': [{'name': 'water', 'density': %g, 'fill': {"
                       "'shape': {'box': {'min': [0, 0, 0], 'max': [%.9g, %.9g, %.9g]}}}}]}",
                       SPACING * length, -9.81 * length, length, length, 0.4 * length, density,
                       0.4 * length, 0.4 * length, 0.4 * length);
}

static vec3 unscale(vec3 p)
{
    return vec3_scale(p, 0.125f);
}

void validate_scaling(validate *v)
{
    const run_pair longer = {scaled_json(1, 1000), scaled_json(8, 1000), 20, unscale, 0, false};
    double apart = run_both(v, &longer);
    validate_at_most(v, apart / SPACING, 1e-5,
                     "lengths and gravity times 8, 20 substeps: largest difference, d");
    const run_pair heavier = {scaled_json(1, 1000), scaled_json(1, 13600), 20, identity, 0, false};
    apart = run_both(v, &heavier);
    validate_at_most(v, apart / SPACING, 1e-6,
                     "density times 13.6, 20 substeps: largest difference, d");
}

/* G10: a dam break that moves a cube, the experiment of Canelas and others with the data that
   Amaro (2019) took from it. Digitisations disagree about when and where the motion begins, so
   the gate compares the times between positions that the cube passes.

   Column, tank and cube are whole numbers of spacings of 2.5 cm. 4 cm would leave the column 3.48 m
   long and 0.68 m wide, with 3.4 % less water than in the experiment, and a cube of 3.75 spacings.
 */
#include "reference_data.h"
#include "validate_internal.h"

#define WATER_M 3.5 /* length of the column, 0.4 m high; the gate is at its end */
#define FACE_M 1.7  /* distance from the gate to the cube, whose edge is 0.15 m */
#define EDGE_M 0.15
#define DRY_FRICTION 0.3 /* between cube and floor; the experiment's table does not give it */
/* A particle does not fit under the cube, so no pressure lifts it, and its whole weight rubs on the
   floor. In the experiment water gets under it and carries h / 0.12 m of the weight of a cube of
   0.15 m and 800 kg/m3. Along its measured path Ritter's solution gives h = 0.04 m, and water that
   is 0.8 m/s faster than the cube is 0.03 m higher behind it: 0.06 m, half of the weight. */
#define WET_FRICTION (0.5 * DRY_FRICTION)

/* Positions of the cube's centre, m from the gate, and the times, s, when it passed them. */
static const float experiment[][2] = {{1.861f, 0.70f}, {1.959f, 0.85f}, {2.132f, 1.00f},
                                      {2.413f, 1.15f}, {2.733f, 1.32f}, {2.928f, 1.42f},
                                      {3.160f, 1.55f}};

typedef struct cube_dam {
    const char *method, *label;
    double d; /* m */
    uint32_t substeps;
    double friction;
} cube_dam;

static char *cube_scene(const cube_dam *c)
{
    return base_format(
        "{'spacing': %g, 'frame_rate': 100, 'domain': {'min': [0, 0, 0], 'max': [8, 0.7, 0.7]},"
        " 'solver': {'method': '%s', 'substeps': %u}, 'bodies': [{'name': 'cube', 'density': 800,"
        " 'friction': %g, 'shape': {'box': {'size': [%g, %g, %g]}, 'position': [%g, %g, 0.35]}}],"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0],"
        " 'max': [%g, 0.4, 0.7]}}}}]}",
        c->d, c->method, c->substeps, c->friction, EDGE_M, EDGE_M, EDGE_M,
        WATER_M + FACE_M + 0.5 * EDGE_M, 0.5 * EDGE_M, WATER_M);
}

/* Returns the time at which the cube was at a position; it only moves forward. */
static double time_at_position(const curve *path, double place)
{
    for (size_t i = 1; i < path->t.count; ++i) {
        double low = path->y.items[i - 1], high = path->y.items[i];
        if (high < place || high <= low) continue;
        return path->t.items[i - 1] +
               (path->t.items[i] - path->t.items[i - 1]) * (place - low) / (high - low);
    }
    return INFINITY;
}

static void check_interval(validate *v, const cube_dam *c, const curve *path, size_t from,
                           size_t to)
{
    const float *a = experiment[from], *b = experiment[to];
    double wanted = (double)(b[1] - a[1]);
    double took = time_at_position(path, (double)b[0]) - time_at_position(path, (double)a[0]);
    validate_within(
        v, took / wanted, (validate_range){1, 0.15},
        "%s, friction %g, d = %.3g m: time from %g m to %g m, ratio to experiment (%.2g s)",
        c->label, c->friction, c->d, (double)a[0], (double)b[0], wanted);
}

static void run_cube_dam(validate *v, const cube_dam *c)
{
    curve path = {0};
    double x = 0.0;
    validate_world *world = validate_open(v, cube_scene(c));
    while (world->stats.time_s < 2.2 && x < (double)experiment[BASE_COUNT(experiment) - 1][0]) {
        validate_run(world, 1);
        x = (double)validate_read_body(world, 0).position[0] - WATER_M;
        curve_add(v, &path, world->stats.time_s, x);
        validate_add_line(v, "%s,%g,%g,%.6g,%.6g", c->method, c->d, c->friction,
                          world->stats.time_s, x);
    }
    check_interval(v, c, &path, 0, 3);
    check_interval(v, c, &path, 3, BASE_COUNT(experiment) - 1);
    validate_report(
        v, time_at_position(&path, (double)experiment[0][0]),
        "%s, friction %g, d = %.3g m: time when the cube is at 1.861 m, s (experiment 0.7)",
        c->label, c->friction, c->d);
    curve_free(&path);
    validate_close(world);
}

void validate_cube(validate *v)
{
    static const cube_dam dams[] = {{"pbf", "PBF", 0.025, 3, WET_FRICTION},
                                    {"flip", "FLIP", 0.025, 1, WET_FRICTION},
                                    {"pbf", "PBF", 0.025, 3, DRY_FRICTION},
                                    {"flip", "FLIP", 0.025, 1, DRY_FRICTION}};
    validate_add_line(v, "method,d_m,friction,t_s,x_m");
    for (size_t i = 0; i < (v->size == VALIDATE_WHOLE ? BASE_COUNT(dams) : 1); ++i)
        run_cube_dam(v, &dams[i]);
    validate_write_table(v, "cube");
}

void validate_cube_fine(validate *v)
{
    static const cube_dam fine[] = {{"pbf", "PBF", 0.02, 4, WET_FRICTION},
                                    {"pbf", "PBF", 0.02, 4, DRY_FRICTION}};
    validate_add_line(v, "method,d_m,friction,t_s,x_m");
    for (size_t i = 0; i < BASE_COUNT(fine); ++i)
        run_cube_dam(v, &fine[i]);
    validate_write_table(v, "cube_fine");
}

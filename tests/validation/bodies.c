/* G10: bodies that float, heave and sink, compared with Archimedes' law, theory with added mass,
   and a drag law. */
#include "validate_internal.h"

#define PI 3.14159265358979323846
#define G 9.81

/* ---- rafts ---------------------------------------------------------------------------------- */

#define RAFT_D 0.05
#define RAFT_BASE (12.0 * RAFT_D)
#define RAFT_TANK (26.0 * RAFT_D)
#define RAFT_LEVEL (10.5 * RAFT_D) /* of the fill, with the raft absent */
#define RAFT_HEIGHT (8.0 * RAFT_D)

/* Jittered, and not stabilized before frame 0: otherwise water at rest would be a crystal whose
   layers hold the raft where they fit. */
static char *raft_scene(double density)
{
    double deep = density / 1000.0 * RAFT_HEIGHT;
    double risen = deep * RAFT_BASE * RAFT_BASE / (RAFT_TANK * RAFT_TANK);
    return base_format(
        "{'spacing': %g, 'domain': {'min': [0, 0, 0], 'max': [%g, 1.3, %g]},"
        " 'solver': {'substeps': 5, 'pre_stabilization': 0}, 'bodies': [{'name': 'raft',"
        " 'density': %g,"
        " 'shape': {'box': {'size': [%g, %g, %g]}, 'position': [%g, %g, %g]}}],"
        " 'fluids': [{'name': 'water', 'xsph': 0.02, 'fill': {'jitter': 0.4, 'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [%g, %g, %g]}}}}]}",
        RAFT_D, RAFT_TANK, RAFT_TANK, density, RAFT_BASE, RAFT_HEIGHT, RAFT_BASE, 0.5 * RAFT_TANK,
        RAFT_LEVEL + risen - deep + 0.5 * RAFT_HEIGHT + 0.2 * RAFT_D, 0.5 * RAFT_TANK, RAFT_TANK,
        RAFT_LEVEL, RAFT_TANK);
}

/* Measures the height of the fluid above the raft's bottom, far from the raft, as if it had rest
   density, m. */
static double measure_draught(validate_world *world)
{
    const double near = 0.5 * RAFT_BASE + 1.5 * RAFT_D;
    double above = 0.0;
    weir_body raft = validate_read_body(world, 0);
    validate_read(world);
    double bottom = (double)raft.position[1] - 0.5 * RAFT_HEIGHT;
    for (uint32_t i = 0; i < world->count; ++i) {
        const vec3 *x = &world->x[i];
        bool beside = fabs((double)(x->x - raft.position[0])) < near &&
                      fabs((double)(x->z - raft.position[2])) < near;
        double over = ((double)x->y - bottom) / RAFT_D + 0.5; /* of the particle's cube */
        if (!beside) above += fmin(fmax(over, 0.0), 1.0);
    }
    return above * RAFT_D * RAFT_D * RAFT_D / (RAFT_TANK * RAFT_TANK - 4.0 * near * near);
}

static void float_raft(validate *v, double density)
{
    const uint32_t frames = 160;
    double sum = 0.0, wanted = density / 1000.0 * RAFT_HEIGHT;
    double slack = fmax(0.03 * wanted, 0.1 * RAFT_D);
    validate_world *world = validate_open(v, raft_scene(density));
    validate_run(world, 140);
    for (uint32_t frame = 0; frame < frames; ++frame) {
        validate_run(world, 1);
        sum += measure_draught(world);
    }
    validate_within(v, sum / frames / RAFT_D, (validate_range){wanted / RAFT_D, slack / RAFT_D},
                    "raft of 12 x 8 x 12 d, %g kg/m3: draught, d", density);
    validate_add_line(v, "pbf,%g,%.6g,%.6g", density, sum / frames / RAFT_D, wanted / RAFT_D);
    validate_close(world);
}

/* On a MAC grid the raft starts where it should float. The fluid's volume is that of its
   particles: a cell is full when it holds as many as in the lattice. */
static void float_flip_raft(validate *v, double density, double d)
{
    const double base = 0.6, height = 0.3, tank = 1.6, deep = density / 1000.0 * height;
    const uint32_t frames = v->size == VALIDATE_SMALL ? 45 : 96, settled = frames * 3 / 8;
    double sum = 0.0;
    char *json = base_format(
        "{'spacing': %g, 'domain': {'min': [0, 0, 0], 'max': [1.6, 1, 1.6]},"
        " 'solver': {'method': 'flip', 'substeps': 2}, 'bodies': [{'name': 'raft', 'density': %g,"
        " 'shape': {'box': {'size': [0.6, 0.3, 0.6]}, 'position': [0.8, %g, 0.8]}}],"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0],"
        " 'max': [1.6, 0.5, 1.6]}}}}]}",
        d, density, 0.5 - deep + 0.5 * height);
    validate_world *world = validate_open(v, json);
    double fluid = (double)world->stats.particle_count * d * d * d;
    double level = (fluid + deep * base * base) / (tank * tank);
    for (uint32_t frame = 0; frame < frames; ++frame) {
        validate_run(world, 1);
        weir_body raft = validate_read_body(world, 0);
        sum += frame < settled
                   ? 0.0
                   : (level - (double)raft.position[1] + 0.5 * height) / (frames - settled);
    }
    validate_within(v, sum / d, (validate_range){deep / d, 0.1},
                    "FLIP, raft of %.0f x %.0f x %.0f d, %g kg/m3: draught, d", base / d,
                    height / d, base / d, density);
    validate_add_line(v, "flip,%g,%.6g,%.6g", density, sum / d, deep / d);
    validate_close(world);
}

void validate_floating_rafts(validate *v)
{
    static const double all[] = {200, 300, 500, 800, 900};
    validate_add_line(v, "method,density,draught_d,archimedes_d");
    for (size_t i = 0; i < BASE_COUNT(all); ++i)
        if (v->size == VALIDATE_WHOLE || (v->size == VALIDATE_COARSE && all[i] == 500))
            float_raft(v, all[i]);
    for (size_t i = 0; i < BASE_COUNT(all); ++i)
        if (v->size == VALIDATE_WHOLE || all[i] == 500) float_flip_raft(v, all[i], RAFT_D);
    /* Its top is 0.3 of a cell above the water; with half the spacing, twice as much. */
    if (v->size == VALIDATE_WHOLE) float_flip_raft(v, 900, 0.5 * RAFT_D);
    validate_write_table(v, "rafts");
}

/* ---- a ball that heaves --------------------------------------------------------------------- */

/* A ball, half submerged at rest, is released a third of its radius too high, in the middle of
   the tank: its first period ends before its waves return from the sides. */
typedef struct heave_case {
    const char *method, *label;
    double friction; /* of the ball's surface */
    uint32_t radius; /* d */
    uint32_t substeps;
    bool has_limits;
} heave_case;

#define BALL_M 0.3      /* radius */
#define BALL_ADDED 0.42 /* added mass of a half-submerged ball at its own period, over its mass */

static char *heave_scene(const heave_case *h)
{
    return base_format(
        "{'spacing': %.9g, 'frame_rate': 60, 'domain': {'min': [0, 0, 0], 'max': [1.8, 1.5, 1.8]},"
        " 'solver': {'method': '%s', 'substeps': %u}, 'bodies': [{'name': 'ball', 'density': 500,"
        " 'friction': %g, 'shape': {'sphere': {'radius': %g}, 'position': [0.9, 1, 0.9]}}],"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0],"
        " 'max': [1.8, 0.9, 1.8]}}}}]}",
        BALL_M / h->radius, h->method, h->substeps, h->friction, BALL_M);
}

/* Heights of three frames, for a parabola through them. */
typedef struct extrema_tracker {
    double y[3];
    uint32_t frame; /* the last frame */
    double at;      /* s: time of the second extremum; 0 before it is seen */
    uint32_t seen;
} extrema_tracker;

static void track_extrema(extrema_tracker *t, double y, uint32_t frame)
{
    t->y[0] = t->y[1], t->y[1] = t->y[2], t->y[2] = y;
    t->frame = frame;
    double before = t->y[1] - t->y[0], behind = t->y[2] - t->y[1];
    if (frame < 4 || before * behind > 0.0) return;
    t->seen++;
    t->at = (frame - 1 + 0.5 * (before + behind) / (before - behind)) / 60.0;
}

static void heave_ball(validate *v, const heave_case *h)
{
    extrema_tracker t = {0};
    double theory = 2.0 * PI * sqrt(BALL_M / G * (2.0 / 3.0) * (1.0 + BALL_ADDED));
    validate_world *world = validate_open(v, heave_scene(h));
    for (uint32_t frame = 1; t.seen < 2 && frame < 150; ++frame) {
        validate_run(world, 1);
        weir_body ball = validate_read_body(world, 0);
        track_extrema(&t, (double)ball.position[1], frame);
        validate_add_line(v, "%s,%u,%g,%.6g,%.6g", h->method, h->radius, h->friction,
                          world->stats.time_s, (double)ball.position[1] - 0.9);
    }
    double period = t.seen == 2 ? t.at / theory : INFINITY;
    static const char what[] =
        "%s, half-submerged ball of radius %u d, friction %g: period, ratio to theory";
    if (h->has_limits)
        validate_within(v, period, (validate_range){1, 0.1}, what, h->label, h->radius,
                        h->friction);
    else
        validate_report(v, period, what, h->label, h->radius, h->friction);
    validate_close(world);
}

void validate_heaving_ball(validate *v)
{
    static const heave_case quick = {"pbf", "PBF", 0.0, 6, 4, true};
    static const heave_case more[] = {{"pbf", "PBF", 0.3, 6, 4, false},
                                      {"pbf", "PBF", 0.0, 8, 5, true},
                                      {"flip", "FLIP", 0.0, 6, 2, true}};
    validate_add_line(v, "method,radius_d,friction,t_s,height_m");
    heave_ball(v, &quick);
    for (size_t i = 0; v->size == VALIDATE_WHOLE && i < BASE_COUNT(more); ++i)
        heave_ball(v, &more[i]);
    validate_write_table(v, "heave");
}

/* ---- a ball that sinks ---------------------------------------------------------------------- */

#define SINK_M 0.1 /* diameter */
#define SINK_TANK 0.6
#define SINK_LEVEL 0.65

typedef struct sink_case {
    double d;        /* m */
    double ratio;    /* ball density over fluid density */
    double mu;       /* Pa s */
    uint32_t frames; /* the speed is measured over the second half of these */
} sink_case;

/* Closed sides would retain the fluid, and the ball with it; the fluid slips along them. */
static char *sink_scene(const sink_case *s)
{
    return base_format(
        "{'spacing': %g, 'frame_rate': 60, 'domain': {'min': [0, 0, 0], 'max': [%g, 1, %g],"
        " 'no_slip': false}, 'bodies': [{'name': 'ball', 'density': %g, 'friction': 0, 'shape': {"
        "'sphere': {'radius': %g}, 'position': [%g, %g, %g]}}], 'fluids': [{'name': 'syrup',"
        " 'dynamic_viscosity': %g, 'fill': {'jitter': 0.4, 'shape': {'box': {'min': [0, 0, 0],"
        " 'max': [%g, %g, %g]}}}}]}",
        s->d, SINK_TANK, SINK_TANK, 1000.0 * s->ratio, 0.5 * SINK_M, 0.5 * SINK_TANK,
        SINK_LEVEL - SINK_M, 0.5 * SINK_TANK, s->mu, SINK_TANK, SINK_LEVEL, SINK_TANK);
}

/* Returns the speed at which weight and drag balance, with the drag law of Clift and Gauvin. */
static double terminal_speed(const sink_case *s, double *reynolds)
{
    double speed = 0.1;
    for (int turn = 0; turn < 200; ++turn) {
        double re = *reynolds = speed * SINK_M * 1000.0 / s->mu;
        double drag =
            24.0 / re * (1.0 + 0.15 * pow(re, 0.687)) + 0.42 / (1.0 + 42500.0 * pow(re, -1.16));
        speed = sqrt(4.0 * G * SINK_M * (s->ratio - 1.0) / (3.0 * drag));
    }
    return speed;
}

static void sink_ball(validate *v, const sink_case *s)
{
    weir_body ball = {0};
    double start = 0.0, reynolds, theory = terminal_speed(s, &reynolds);
    const uint32_t half = s->frames / 2;
    validate_world *world = validate_open(v, sink_scene(s));
    for (uint32_t frame = 1; frame <= s->frames; ++frame) {
        validate_run(world, 1);
        ball = validate_read_body(world, 0);
        if (frame == half) start = (double)ball.position[1];
        validate_add_line(v, "%g,%g,%.6g,%.6g,%.6g", s->ratio, s->mu, world->stats.time_s,
                          (double)ball.position[1], (double)ball.velocity[1]);
    }
    double seconds = (s->frames - half) / 60.0;
    double speed = (start - (double)ball.position[1]) / seconds;
    validate_within(
        v, speed / theory, (validate_range){1, 0.2},
        "ball of diameter %.3g d, density ratio %g, %g Pa s, Re %.2g: speed, ratio to the drag law",
        SINK_M / s->d, s->ratio, s->mu, reynolds);
    validate_report(v, speed * SINK_M * 1000.0 / s->mu,
                    "ball of diameter %.3g d, density ratio %g, %g Pa s: measured Reynolds number",
                    SINK_M / s->d, s->ratio, s->mu);
    validate_close(world);
}

void validate_sinking_ball(validate *v)
{
    static const sink_case balls[] = {{0.025, 2.5, 10, 40}, {0.025, 1.5, 10, 66}};
    validate_add_line(v, "ratio,viscosity,t_s,height_m,speed_m_s");
    for (size_t i = 0; i < BASE_COUNT(balls); ++i)
        sink_ball(v, &balls[i]);
    validate_write_table(v, "sinking");
}

/* G9: FLIP and APIC in the plane: a tank at rest, a sloshing tank, vortices that should persist,
   and the iterations of the pressure solver. */
#include "validate_internal.h"

#define G 9.81
#define PI 3.14159265358979323846

static const char *const methods[] = {"flip", "apic"};
static const char *const labels[] = {"FLIP", "APIC"};

/* ---- rest ----------------------------------------------------------------------------------- */

#define TANK_CELLS 32 /* across a tank of 1 m */
#define TANK_D (1.0 / (2 * TANK_CELLS))
#define TANK_RATE 25u

static char *rest_json(const char *method, double jitter)
{
    return base_format("{'spacing': %.9g, 'frame_rate': %u,"
                       " 'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.1]},"
                       " 'solver': {'dimensions': 2, 'method': '%s'},"
                       " 'fluids': [{'name': 'water', 'fill': {'jitter': %g, 'shape': {'box': {"
                       "'min': [0, 0, 0], 'max': [1, 0.5, 1]}}}}]}",
                       TANK_D, TANK_RATE, method, jitter);
}

/* Speeds over sqrt(g dx): the fastest particle after 10 s; the rms over the seconds that end at
   1 s and at 10 s. */
typedef struct rest_speeds {
    double fastest, early, late;
} rest_speeds;

static double rms_speed(const validate_world *world)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < world->count; ++i) {
        double speed = (double)vec3_length(world->v[i]);
        sum += speed * speed;
    }
    return sqrt(sum / world->count);
}

static void run_tank_at_rest(validate *v, size_t method, double jitter, uint32_t seconds,
                             rest_speeds *c)
{
    const double unit = sqrt(G * 2.0 * TANK_D);
    validate_world *world = validate_open(v, rest_json(methods[method], jitter));
    for (uint32_t frame = 1; frame <= seconds * TANK_RATE; ++frame) {
        validate_run(world, 1);
        validate_read(world);
        double speed = rms_speed(world) / unit;
        validate_add_line(v, "%s,%g,%.6g,%.6g,%.6g", methods[method], jitter, world->stats.time_s,
                          speed, world->stats.speed_max_m_s / unit);
        if (frame <= TANK_RATE) c->early += speed / TANK_RATE;
        if (frame > (seconds - 1) * TANK_RATE) c->late += speed / TANK_RATE;
    }
    c->fastest = world->stats.speed_max_m_s / unit;
    validate_at_most(v, (double)world->stats.unconverged_substeps, 0,
                     "%s, jitter %g d: substeps with unconverged pressure", labels[method], jitter);
    validate_close(world);
}

/* Shaken seeds come to rest: the rms speed of the last second is low, and no higher than that of
   the first. */
static void check_shaken(validate *v, size_t method, uint32_t seconds)
{
    rest_speeds shaken = {0};
    run_tank_at_rest(v, method, 0.5, seconds, &shaken);
    validate_at_most(v, shaken.late, 5e-3,
                     "%s, jittered start: RMS speed from %u s to %u s, sqrt(g dx)", labels[method],
                     seconds - 1, seconds);
    validate_at_most(
        v, shaken.late / shaken.early, 1.0,
        "%s, jittered start: RMS speed from %u s to %u s, relative to the first second",
        labels[method], seconds - 1, seconds);
    validate_report(v, shaken.fastest, "%s, jittered start: maximum speed after %u s, sqrt(g dx)",
                    labels[method], seconds);
}

void validate_flip_rest(validate *v)
{
    const bool small = v->size == VALIDATE_SMALL;
    validate_add_line(v, "method,jitter,t_s,rms,fastest");
    for (size_t i = 0; i < BASE_COUNT(methods); ++i) {
        rest_speeds lattice = {0};
        run_tank_at_rest(v, i, 0.0, small ? 1 : 10, &lattice);
        validate_at_most(v, lattice.fastest, 1e-3,
                         "%s, lattice start: maximum speed after %u s, sqrt(g dx)", labels[i],
                         small ? 1 : 10);
        if (i == 0 || !small) check_shaken(v, i, small ? 2 : 10);
    }
    validate_write_table(v, "flip_rest");
}

/* ---- volume --------------------------------------------------------------------------------- */

/* Writes half a tank whose surface is a cosine of amplitude 0.15 m, with jittered seeds in the
   plane. */
static void write_slosh(validate *v, uint32_t cells)
{
    uint32_t across = 2 * cells;
    double d = 1.0 / across;
    for (uint32_t i = 0; i < across * across; ++i) {
        uint32_t row = i / across;
        double x = (i % across + 0.5) * d, y = (row + 0.5) * d;
        if (y > 0.5 + 0.15 * cos(PI * x)) continue;
        vec3 p = {(float)(x + 0.5 * d * (validate_jitter(2 * i) - 0.5)),
                  (float)(y + 0.5 * d * (validate_jitter(2 * i + 1) - 0.5)), 0.05f};
        validate_add_point(v, p, vec3_make(0, 0, 0));
    }
    validate_write_points(v, "slosh");
}

/* Returns the fill fractions of cells: the particles' areas, interpolated linearly between cell
   centres. Area that would fall beyond a wall counts for the cell at the wall. */
static double *particle_fractions(const validate_world *world, uint32_t cells)
{
    double *full = base_alloc((size_t)cells * cells, sizeof *full);
    validate_must_fit(world->of, full != NULL);
    for (uint32_t i = 0; i < world->count; ++i) {
        double x = (double)world->x[i].x * cells - 0.5, y = (double)world->x[i].y * cells - 0.5;
        int left = (int)floor(x), low = (int)floor(y), last = (int)cells - 1;
        for (int k = 0; k < 4; ++k) {
            int cx = left + (k & 1), cy = low + (k >> 1);
            double share = (1.0 - fabs(x - cx)) * (1.0 - fabs(y - cy)) / 4.0;
            cx = cx < 0 ? 0 : cx > last ? last : cx;
            cy = cy < 0 ? 0 : cy > last ? last : cy;
            full[(size_t)cy * cells + (size_t)cx] += share;
        }
    }
    return full;
}

/* Measures the volume of the cells, each counted as full at most once, over that of the
   particles; and the fullest cell. */
static void measure_volume(const validate_world *world, uint32_t cells, double *volume,
                           double *fullest)
{
    double *full = particle_fractions(world, cells);
    *volume = 0.0;
    for (size_t i = 0; i < (size_t)cells * cells; ++i) {
        *volume += 4.0 * fmin(full[i], 1.0) / world->count;
        *fullest = fmax(*fullest, full[i]);
    }
    base_free(full);
}

static void run_slosh(validate *v, size_t method, uint32_t cells)
{
    double least = INFINITY, mean = 0.0, fullest = 0.0, first = 0.0;
    char *json = base_format("{'spacing': %.9g, 'frame_rate': %u,"
                             " 'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.1]},"
                             " 'solver': {'dimensions': 2, 'method': '%s'},"
                             " 'fluids': [{'name': 'water', 'fill': {'file': 'slosh.npy'}}]}",
                             0.5 / cells, TANK_RATE, methods[method]);
    write_slosh(v, cells);
    validate_world *world = validate_open(v, json);
    for (uint32_t frame = 1; frame <= 10 * TANK_RATE; ++frame) {
        double volume = 0.0;
        validate_run(world, 1);
        validate_read(world);
        measure_volume(world, cells, &volume, &fullest);
        if (frame == 1) first = volume;
        least = fmin(least, volume);
        if (frame > 9 * TANK_RATE) mean += volume / TANK_RATE;
        validate_add_line(v, "%s,%u,%.6g,%.6g", methods[method], cells, world->stats.time_s,
                          volume);
    }
    validate_within(v, mean, (validate_range){1.0, 0.02},
                    "%s, %u cells: mean volume from 9 s to 10 s, ratio to the particles' volume",
                    labels[method], cells);
    validate_report(v, first,
                    "%s, %u cells: volume after the first frame, ratio to the particles' volume",
                    labels[method], cells);
    validate_report(v, least, "%s, %u cells: minimum volume, ratio to the particles' volume",
                    labels[method], cells);
    validate_report(v, fullest, "%s, %u cells: maximum fill fraction of a cell", labels[method],
                    cells);
    validate_close(world);
}

void validate_flip_slosh(validate *v)
{
    validate_add_line(v, "method,cells,t_s,volume");
    for (size_t i = 0; i < BASE_COUNT(methods); ++i) {
        run_slosh(v, i, 32);
        if (v->size == VALIDATE_WHOLE) run_slosh(v, i, 64);
    }
    validate_write_table(v, "flip_slosh");
}

/* ---- vortices ------------------------------------------------------------------------------- */

/* Taylor-Green vortices in a closed, full box of 1 m: u = sin(2 pi x) cos(2 pi y), v = -cos(2 pi
   x) sin(2 pi y) is a steady flow without viscosity. */
static vec3 vortex(double x, double y)
{
    return vec3_make((float)(sin(2 * PI * x) * cos(2 * PI * y)),
                     (float)(-cos(2 * PI * x) * sin(2 * PI * y)), 0);
}

static void write_vortices(validate *v, uint32_t cells)
{
    uint32_t across = 2 * cells;
    double d = 1.0 / across;
    for (uint32_t i = 0; i < across * across; ++i) {
        uint32_t row = i / across;
        double x = (i % across + 0.5) * d, y = (row + 0.5) * d;
        validate_add_point(v, vec3_make((float)x, (float)y, 0.05f), vortex(x, y));
    }
    validate_write_points(v, "vortices");
}

/* Measures the rms error of the particles' velocities at their positions, over the flow's rms;
   and their energy over that at the start, whose mean square speed is a half. */
static void measure_velocity_error(const validate_world *world, double *error, double *energy)
{
    double off = 0.0, flow = 0.0;
    *energy = 0.0;
    for (uint32_t i = 0; i < world->count; ++i) {
        vec3 u = vortex((double)world->x[i].x, (double)world->x[i].y);
        vec3 d = vec3_sub(world->v[i], u);
        off += (double)vec3_dot(d, d);
        flow += (double)vec3_dot(u, u);
        *energy += 2.0 * (double)vec3_dot(world->v[i], world->v[i]) / world->count;
    }
    *error = sqrt(off / flow);
}

/* Runs for half a second, in which the fastest particle crosses half a vortex; a frame moves it
   by at most half a cell. */
static void run_vortices(validate *v, size_t method, uint32_t cells, double *error, double *energy)
{
    char *json = base_format("{'spacing': %.9g, 'frame_rate': %u, 'gravity': [0, 0, 0],"
                             " 'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.1]},"
                             " 'solver': {'dimensions': 2, 'method': '%s'},"
                             " 'fluids': [{'name': 'water', 'fill': {'file': 'vortices.npy'}}]}",
                             0.5 / cells, 2 * cells, methods[method]);
    write_vortices(v, cells);
    validate_world *world = validate_open(v, json);
    validate_run(world, cells);
    validate_read(world);
    measure_velocity_error(world, error, energy);
    validate_add_line(v, "%s,%u,%.6g,%.6g", methods[method], cells, *error, *energy);
    validate_close(world);
}

void validate_flip_vortices(validate *v)
{
    static const uint32_t sizes[] = {16, 32, 64, 128};
    validate_add_line(v, "method,cells,error,energy");
    for (size_t m = 0; m < (v->size == VALIDATE_SMALL ? 1 : BASE_COUNT(methods)); ++m) {
        double coarse = 0.0, error = 0.0, energy = 0.0;
        for (size_t i = 0; i < 2u + (size_t)v->size; ++i) {
            coarse = error;
            run_vortices(v, m, sizes[i], &error, &energy);
            if (sizes[i] == 32)
                validate_at_most(v, error, 0.15, "%s, 32 cells: velocity, relative RMS error",
                                 labels[m]);
            else
                validate_report(v, error, "%s, %u cells: velocity, relative RMS error", labels[m],
                                sizes[i]);
            validate_report(v, energy,
                            "%s, %u cells: kinetic energy, relative to the initial energy",
                            labels[m], sizes[i]);
            if (i)
                validate_within(v, log2(coarse / error), (validate_range){1.0, 0.1},
                                "%s: order of convergence of the velocity, %u to %u cells",
                                labels[m], sizes[i - 1], sizes[i]);
        }
    }
    validate_write_table(v, "flip_vortices");
}

/* ---- iterations of the pressure solver ------------------------------------------------------ */

/* Counts iterations for a column that collapses over a ball, with one particle per cell: four
   substeps. The tank has `deep` cells along z. */
static void count_iterations(validate *v, uint32_t cells, uint32_t deep, double *most_iterations,
                             double *over)
{
    const double depth = (double)deep / cells;
    char *json = base_format(
        "{'spacing': %.9g, 'frame_rate': 100,"
        " 'domain': {'min': [0, 0, 0], 'max': [1, 1, %g]},"
        " 'solver': {'method': 'flip', 'grid_cell_size': 1, 'substeps': 1, 'adaptive': false},"
        " 'fluids': [{'name': 'water', 'fill': {'jitter': 0.5, 'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [0.4, 0.7, %g]}}}}],"
        " 'solids': [{'name': 'ball', 'shape': {'sphere': {'radius': %g},"
        " 'position': [0.3, 0.3, %g]}}]}",
        1.0 / cells, depth, depth, 0.2 * depth, 0.5 * depth);
    validate_world *world = validate_open(v, json);
    *most_iterations = 0.0;
    for (uint32_t frame = 0; frame < 4; ++frame) {
        validate_run(world, 1);
        *most_iterations = fmax(*most_iterations, world->stats.iterations_in_frame);
    }
    *over = (double)world->stats.unconverged_substeps;
    validate_close(world);
}

static void check_iterations(validate *v, uint32_t cells, uint32_t deep)
{
    double most_iterations = 0.0, over = 0.0;
    count_iterations(v, cells, deep, &most_iterations, &over);
    validate_at_most(v, most_iterations, 9.0,
                     "%u x %u x %u cells: maximum iterations of the pressure solve to 1e-4", cells,
                     cells, deep);
    validate_at_most(v, over, 0.0,
                     "%u x %u x %u cells: substeps whose pressure solve ended above 1e-4", cells,
                     cells, deep);
}

void validate_flip_pressure(validate *v)
{
    check_iterations(v, 32, 32);
    check_iterations(v, 64, 64);
    check_iterations(v, 128, 128);
}

/* A cube of 256 cells needs larger buffers than some drivers can bind. */
void validate_flip_pressure_fine(validate *v)
{
    check_iterations(v, 256, 64);
}

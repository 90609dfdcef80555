/* G1 and the rest of G2: neighbours, order, determinism; what one iteration keeps. */
#include "validate_internal.h"

#include <stdlib.h>

/* ---- neighbours ----------------------------------------------------------------------------- */

/* A thin gas: nothing reaches its rest density, so nothing pushes. Its layers slide over each other
 * by a spacing or more in the one substep, so that lists of old positions would be wrong. */
static const char gas[] =
    "{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 240,"
    " 'domain': {'min': [0, 0, 0], 'max': [0.8, 0.8, 0.8], 'sides': {'x': 'periodic'}},"
    " 'solver': {'substeps': 1, 'iterations': 1, 'artificial_pressure': 0},"
    " 'fluids': [{'name': 'water', 'viscosity': 0, 'fill': {'file': 'gas.npy'}}]}";

static weir_result write_gas(validate *v)
{
    validate_points points = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < 1000; ++i) {
        const uint32_t cell[3] = {i % 10, i / 10 % 10, i / 100};
        float at[3];
        for (uint32_t a = 0; a < 3; ++a)
            at[a] = 0.08f * (float)cell[a] + 0.04f + 0.03f * (base_unit(3ull * i + a) - 0.5f);
        vec3 slide = {240.0f * 0.03f * (float)(cell[1] % 4), 0, 0};
        ok = validate_add_point(&points, vec3_make(at[0], at[1], at[2]), slide);
    }
    return ok ? validate_write_points(v, "gas", &points) : WEIR_MEMORY;
}

static weir_result count_neighbours(validate *v)
{
    validate_world world = {0};
    weir_result result;
    uint64_t all = 0;
    uint32_t most = 0;
    WEIR_TRY(write_gas(v));
    WEIR_TRY(validate_open(v, base_strdup(gas), &world));
    WEIR_TRY(validate_run(&world, 1));
    WEIR_TRY(validate_read(&world));
    for (uint32_t i = 0; i < world.count; ++i) {
        uint32_t own = 0;
        for (uint32_t j = 0; j < world.count; ++j) {
            vec3 d = vec3_sub(world.x[i], world.x[j]);
            d.x -= 0.8f * roundf(d.x / 0.8f);
            own += i != j && vec3_dot(d, d) < 0.01f;
        }
        all += own;
        most = own > most ? own : most;
    }
    double mean = (double)all / world.count;
    validate_within(v, world.stats.neighbours_mean * world.count,
                    (validate_range){(double)all, 0.5},
                    "listed pairs of %u particles, against all pairs", world.count);
    validate_within(v, world.stats.neighbours_max, (validate_range){most, 0}, "most neighbours");
    validate_report(v, mean, "mean neighbours");
fail:
    validate_close(&world);
    return result;
}

/* ---- same bits, other order ----------------------------------------------------------------- */

static char *splash_json(const char *fill, uint32_t substeps)
{
    return base_format("{'spacing': 0.05, 'frame_rate': 60,"
                       " 'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.5]},"
                       " 'solver': {'substeps': %u, 'iterations': 4, 'vorticity': 0.5},"
                       " 'fluids': [{'name': 'water', 'fill': %s}]}",
                       substeps, fill);
}

static const char column[] = "{'shape': {'box': {'min': [0, 0, 0], 'max': [0.5, 0.5, 0.5]}},"
                             " 'jitter': 0.2}";

static weir_result compare_hashes(validate *v)
{
    uint64_t hashes[2];
    weir_result result = WEIR_OK;
    validate_world world = {0};
    for (int run = 0; run < 2; ++run) {
        WEIR_TRY(validate_open(v, splash_json(column, 4), &world));
        WEIR_TRY(validate_run(&world, 20));
        WEIR_TRY(weir_sim_hash(world.sim, &hashes[run]));
        validate_close(&world);
    }
    validate_at_most(v, hashes[0] == hashes[1] ? 0.0 : 1.0, 0.0,
                     "hashes that differ after 80 substeps of the same run");
fail:
    validate_close(&world);
    return result;
}

/* Writes the column's particles to `name`, from the last to the first when turned. */
static weir_result write_column(validate *v, const validate_world *world, const char *name,
                                bool turned)
{
    validate_points points = {0};
    bool ok = true;
    for (uint32_t k = 0; ok && k < world->count; k++) {
        uint32_t i = turned ? world->count - 1 - k : k;
        ok = validate_add_point(&points, world->x[i], world->v[i]);
    }
    if (ok) return validate_write_points(v, name, &points);
    BASE_ARRAY_FREE(&points.x);
    BASE_ARRAY_FREE(&points.v);
    return WEIR_MEMORY;
}

/* The same particles with their ids turned round, one substep. */
static weir_result permute(validate *v)
{
    validate_world source = {0}, first = {0}, second = {0};
    weir_result result;
    double worst = 0.0;
    WEIR_TRY(validate_open(v, splash_json(column, 1), &source));
    WEIR_TRY(validate_read(&source));
    WEIR_TRY(write_column(v, &source, "straight", false));
    WEIR_TRY(write_column(v, &source, "turned", true));
    WEIR_TRY(validate_open(v, splash_json("{'file': 'straight.npy'}", 1), &first));
    WEIR_TRY(validate_run(&first, 1));
    WEIR_TRY(validate_read(&first));
    WEIR_TRY(validate_open(v, splash_json("{'file': 'turned.npy'}", 1), &second));
    WEIR_TRY(validate_run(&second, 1));
    WEIR_TRY(validate_read(&second));
    for (uint32_t i = 0; i < first.count && first.count == second.count; ++i) {
        vec3 d = vec3_sub(first.x[i], second.x[second.count - 1 - i]);
        worst = fmax(worst, (double)vec3_length(d));
    }
    if (first.count != second.count) worst = INFINITY;
    validate_at_most(v, worst / 0.05, 1e-6, "one substep with ids turned round, d");
fail:
    validate_close(&source);
    validate_close(&first);
    validate_close(&second);
    return result;
}

weir_result validate_order(validate *v)
{
    weir_result result;
    WEIR_TRY(count_neighbours(v));
    WEIR_TRY(compare_hashes(v));
    WEIR_TRY(permute(v));
fail:
    return result;
}

/* ---- momentum ------------------------------------------------------------------------------- */

/* Two fluids, one half as dense: what is kept is the momentum of their masses. */
static weir_result keep_unequal_momentum(validate *v)
{
    validate_world world = {0};
    weir_result result;
    uint32_t *fluid = NULL;
    double sum[3] = {0}, size = 0.0;
    char *json =
        base_format("{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 240,"
                    " 'domain': {'min': [-1, -1, -1], 'max': [1, 1, 1]},"
                    " 'solver': {'substeps': 1, 'iterations': 1, 'artificial_pressure': 0.02},"
                    " 'fluids': [{'name': 'water', 'viscosity': 0, 'fill': {'jitter': 0.5,"
                    " 'shape': {'box': {'min': [-0.25, -0.25, -0.25], 'max': [0, 0.25, 0.25]}}}},"
                    " {'name': 'oil', 'density': 500, 'viscosity': 0, 'fill': {'jitter': 0.5,"
                    " 'shape': {'box': {'min': [0, -0.25, -0.25], 'max': [0.25, 0.25, 0.25]}}}}]}");
    WEIR_TRY(validate_open(v, json, &world));
    WEIR_TRY(validate_run(&world, 1));
    WEIR_TRY(validate_read(&world));
    fluid = base_alloc(world.count, sizeof *fluid);
    if (!fluid) {
        result = WEIR_MEMORY;
        goto fail;
    }
    WEIR_TRY(weir_sim_read(world.sim, WEIR_FIELD_FLUID, fluid, world.count * sizeof *fluid));
    for (uint32_t i = 0; i < world.count; ++i) {
        double mass = fluid[i] == 0 ? 1.0 : 0.5;
        const float u[3] = {world.v[i].x, world.v[i].y, world.v[i].z};
        for (int a = 0; a < 3; ++a)
            sum[a] += mass * (double)u[a];
        size += mass * (double)vec3_length(world.v[i]);
    }
    validate_at_most(v, sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / size, 1e-6,
                     "momentum of two fluids over the sum of its sizes");
fail:
    base_free(fluid);
    validate_close(&world);
    return result;
}

static const char blob[] =
    "{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 240,"
    " 'domain': {'min': [-1, -1, -1], 'max': [1, 1, 1]},"
    " 'solver': {'substeps': 1, 'iterations': 1, 'artificial_pressure': 0.05},"
    " 'fluids': [{'name': 'water', 'viscosity': 0, 'fill': {'jitter': 0.5,"
    " 'shape': {'box': {'size': [0.5, 0.5, 0.5]}}}}]}";

/* Corrections act in pairs along the line between two: neither sum may change. */
static weir_result keep_momentum(validate *v)
{
    validate_world world = {0};
    weir_result result;
    vec3 *before = NULL;
    double sum[3] = {0}, turn[3] = {0}, size = 0.0, reach = 0.0;
    WEIR_TRY(validate_open(v, base_strdup(blob), &world));
    WEIR_TRY(validate_read(&world));
    before = world.x;
    world.x = NULL;
    WEIR_TRY(validate_run(&world, 1));
    WEIR_TRY(validate_read(&world));
    for (uint32_t i = 0; i < world.count; ++i) {
        const double p[3] = {(double)before[i].x, (double)before[i].y, (double)before[i].z};
        const double d[3] = {(double)world.x[i].x - p[0], (double)world.x[i].y - p[1],
                             (double)world.x[i].z - p[2]};
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int a = 0; a < 3; ++a) {
            sum[a] += d[a];
            turn[a] += p[(a + 1) % 3] * d[(a + 2) % 3] - p[(a + 2) % 3] * d[(a + 1) % 3];
        }
        size += length;
        reach += length * sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    }
    validate_at_most(v, sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / size, 1e-6,
                     "sum of all corrections over the sum of their sizes");
    validate_at_most(v, sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]) / reach,
                     1e-6, "the same for x cross dx");
fail:
    base_free(before);
    validate_close(&world);
    return result;
}

static weir_result keep_lattice(validate *v)
{
    validate_world world = {0};
    weir_result result;
    double worst = 0.0, density = 0.0;
    char *json = base_format("{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 240,"
                             " 'domain': {'min': [0, 0, 0], 'max': [0.6, 0.6, 0.6],"
                             " 'sides': {'x': 'periodic', 'y': 'periodic', 'z': 'periodic'}},"
                             " 'solver': {'substeps': 1, 'iterations': 4, 'tension': true},"
                             " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
                             "'min': [0, 0, 0], 'max': [0.6, 0.6, 0.6]}}}}]}");
    WEIR_TRY(validate_open(v, json, &world));
    WEIR_TRY(validate_run(&world, 1));
    WEIR_TRY(validate_read(&world));
    for (uint32_t i = 0; i < world.count; ++i) {
        density = fmax(density, fabs((double)world.density[i] / 1000.0 - 1.0));
        worst = fmax(worst, (double)vec3_length(world.v[i]) / 240.0 / 0.05);
    }
    validate_at_most(v, density, 1e-5, "constraint of the rest lattice");
    validate_at_most(v, worst, 1e-6, "its way in one substep, d");
fail:
    validate_close(&world);
    return result;
}

/* Two particles at half the support: their densities ask for nothing, only equation 13 acts. */
static weir_result push_pair(validate *v)
{
    validate_world world = {0};
    validate_points points = {0};
    weir_result result = WEIR_MEMORY;
    if (!validate_add_point(&points, vec3_make(0.48f, 0.5f, 0.5f), vec3_make(0, 0, 0)) ||
        !validate_add_point(&points, vec3_make(0.52f, 0.5f, 0.5f), vec3_make(0, 0, 0)))
        return result;
    WEIR_TRY(validate_write_points(v, "pair", &points));
    char *json =
        base_format("{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 240,"
                    " 'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]},"
                    " 'solver': {'substeps': 1, 'iterations': 1, 'artificial_pressure': 0.02},"
                    " 'fluids': [{'name': 'water', 'fill': {'file': 'pair.npy'}}]}");
    WEIR_TRY(validate_open(v, json, &world));
    WEIR_TRY(validate_run(&world, 1));
    WEIR_TRY(validate_read(&world));
    validate_at_most(v, (0.04 - (double)(world.x[1].x - world.x[0].x)) / 0.05, -1e-5,
                     "approach of a pair under artificial pressure, d");
fail:
    validate_close(&world);
    return result;
}

weir_result validate_momentum(validate *v)
{
    weir_result result;
    WEIR_TRY(keep_momentum(v));
    WEIR_TRY(keep_unequal_momentum(v));
    WEIR_TRY(keep_lattice(v));
    WEIR_TRY(push_pair(v));
fail:
    return result;
}

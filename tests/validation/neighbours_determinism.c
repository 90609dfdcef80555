/* G1: neighbours, order, determinism. */
#include "validate_internal.h"

/* ---- neighbours ----------------------------------------------------------------------------- */

/* A thin gas: no particle reaches rest density, so no correction acts. Its layers slide over
   each other by a spacing or more in the single substep, so neighbours found at the old
   positions would be wrong. */
static const char gas_scene[] =
    "{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 240,"
    " 'domain': {'min': [0, 0, 0], 'max': [0.8, 0.8, 0.8], 'sides': {'x': 'periodic'}},"
    " 'solver': {'pre_stabilization': 0, 'support_radius': 2, 'substeps': 1, 'iterations': 1},"
    " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'file': 'gas.npy'}}]}";

static void write_gas(validate *v)
{
    for (uint32_t i = 0; i < 1000; ++i) {
        const uint32_t cell[3] = {i % 10, i / 10 % 10, i / 100};
        float at[3];
        for (uint32_t a = 0; a < 3; ++a)
            at[a] =
                0.08f * (float)cell[a] + 0.04f + 0.03f * (base_hash_to_unit(3ull * i + a) - 0.5f);
        vec3 slide = {240.0f * 0.03f * (float)(cell[1] % 4), 0, 0};
        validate_add_point(v, vec3_make(at[0], at[1], at[2]), slide);
    }
    validate_write_points(v, "gas");
}

static void count_neighbours(validate *v)
{
    uint64_t all = 0;
    uint32_t most = 0;
    write_gas(v);
    validate_world *world = validate_open_run(v, base_strdup(gas_scene), 1);
    for (uint32_t i = 0; i < world->count; ++i) {
        uint32_t own = 0;
        for (uint32_t j = 0; j < world->count; ++j) {
            vec3 d = vec3_sub(world->x[i], world->x[j]);
            d.x -= 0.8f * roundf(d.x / 0.8f);
            own += i != j && vec3_dot(d, d) < 0.01f;
        }
        all += own;
        most = own > most ? own : most;
    }
    double mean = (double)all / world->count;
    validate_within(v, world->stats.neighbours_mean * world->count,
                    (validate_range){(double)all, 0.5},
                    "total neighbours of %u particles, against a brute-force count", world->count);
    validate_within(v, world->stats.neighbours_max, (validate_range){most, 0},
                    "maximum number of neighbours");
    validate_report(v, mean, "mean number of neighbours");
    validate_close(world);
}

/* ---- same bits, other order ----------------------------------------------------------------- */

static char *splash_json(const char *fill, uint32_t substeps)
{
    return base_format("{'spacing': 0.05, 'frame_rate': 60,"
                       " 'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.5]},"
                       " 'solver': {'substeps': %u, 'iterations': 4, 'vorticity_confinement': 0.5},"
                       " 'fluids': [{'name': 'water', 'fill': %s}]}",
                       substeps, fill);
}

static const char column_fill[] = "{'shape': {'box': {'min': [0, 0, 0], 'max': [0.5, 0.5, 0.5]}},"
                                  " 'jitter': 0.2}";

static void check_hashes(validate *v)
{
    uint64_t hashes[2];
    for (int run = 0; run < 2; ++run) {
        validate_world *world = validate_open(v, splash_json(column_fill, 4));
        validate_run(world, 20);
        validate_must(v, weir_sim_get_state_hash(world->sim, &hashes[run]));
        validate_close(world);
    }
    validate_at_most(v, hashes[0] == hashes[1] ? 0.0 : 1.0, 0.0,
                     "two equal runs of 80 substeps: state hashes that differ");
}

/* Writes the column's particles to `name`, in reverse order when `turned`. */
static void write_column(validate *v, const validate_world *world, const char *name, bool turned)
{
    for (uint32_t k = 0; k < world->count; k++) {
        uint32_t i = turned ? world->count - 1 - k : k;
        validate_add_point(v, world->x[i], world->v[i]);
    }
    validate_write_points(v, name);
}

/* Runs the same particles with their ids in reverse order for one substep. */
static void check_permuted_ids(validate *v)
{
    double worst = 0.0;
    validate_world *source = validate_open(v, splash_json(column_fill, 1));
    validate_read(source);
    write_column(v, source, "straight", false);
    write_column(v, source, "turned", true);
    validate_world *first = validate_open_run(v, splash_json("{'file': 'straight.npy'}", 1), 1);
    validate_world *second = validate_open_run(v, splash_json("{'file': 'turned.npy'}", 1), 1);
    for (uint32_t i = 0; i < first->count && first->count == second->count; ++i) {
        vec3 d = vec3_sub(first->x[i], second->x[second->count - 1 - i]);
        worst = fmax(worst, (double)vec3_length(d));
    }
    if (first->count != second->count) worst = INFINITY;
    /* A float near 1 m has steps of 1.2e-6 d. */
    validate_at_most(v, worst / 0.05, 2e-6,
                     "one substep with reversed particle ids: largest difference, d");
    validate_close(source);
    validate_close(first);
    validate_close(second);
}

void validate_neighbours(validate *v)
{
    count_neighbours(v);
    check_hashes(v);
    check_permuted_ids(v);
}

/* Tests solver.reseed: its passes against the reference, and the state that it preserves. */
#include "flip_packed.h"
#include "ref_reseed.h"
#include "ref_walls.h"
#include "scene_text.h"
#include "two_worlds.h"

#define FRAME_S (1.0 / 240.0)
#define SEED 77u

/* Overfull cells of 160: there are fewer particles to move than free slots with `few`, and more
 * with `many`. */
static const uint32_t few[WORLDS] = {2, 5}, many[WORLDS] = {16, 32};

static const char plane[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, -0.3], 'max': [2, 2, 0.1]},"
    " 'solver': {'dimensions': 2, 'method': 'apic', 'reseed': true, 'substeps': 1}, 'fluids':"
    " [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, -1], 'max': [0.5, 0.5, 1]}}}}],"
    " 'solids': [{'name': 'post', 'shape': {'sphere': {'radius': 0.1}, 'position': [0.5, 0.5,"
    " -0.1]}}]}";

static int open_worlds(void **state)
{
    return open_two_worlds(scene_text("flip_reseed_room"), plane);
}

/* ---- input ---------------------------------------------------------------------------------- */

static uint32_t chance(uint32_t i)
{
    uint32_t bits = (i + SEED) * 2654435761u;
    bits = (bits ^ bits >> 15) * 2246822519u;
    return bits ^ bits >> 13;
}

/* Returns the number of particles of a cell: some cells have a quarter of a full one's, one has
 * none, and `crowded` in 160 have three times as many. */
static uint32_t wanted_in(const sim_world *world, const uint32_t at[3], uint32_t crowded)
{
    bool planar = world->params.planar;
    uint32_t full = (uint32_t)(world->params.cell_size.w + 0.5f);
    if (at[0] == 8 && at[1] == 1 && (planar || at[2] == 4)) return 0;
    if (at[0] % 3u == 0 && at[1] % 3u == 1 && (planar || at[2] % 2u == 1)) return full / 4u;
    if (!planar && at[0] == 5 && at[1] == 3 && at[2] == 2) return full / 4u; /* next to air */
    return chance(at[0] + 16u * (at[1] + 16u * at[2])) % 160u < crowded ? 3u * full : full;
}

/* Fills cells from the lower corner of the domain, some of them next to the open side. Returns the
 * number of particles. */
static uint32_t place_cells(sim_world *world, uint32_t crowded)
{
    const struct sim_params *p = &world->params;
    uint32_t last[3] = {12, 4, 6}, n = 0;
    vec4 *x = base_alloc(SIMS_ROOM, sizeof *x), *v = base_alloc(SIMS_ROOM, sizeof *v);
    uint32_t *ids = base_alloc(SIMS_ROOM, sizeof *ids);
    vec4 *affine = base_alloc(3u * SIMS_ROOM, sizeof *affine);
    assert_true(x && v && ids && affine);
    if (p->planar) last[0] = 16, last[1] = 12, last[2] = 1;
    for (uint32_t cell = 0; cell < last[0] * last[1] * last[2]; cell++) {
        const uint32_t in[3] = {cell % last[0], cell / last[0] % last[1], cell / last[0] / last[1]};
        const float at[3] = {(float)in[0], (float)in[1], (float)in[2]};
        uint32_t count = wanted_in(world, in, crowded);
        for (uint32_t k = 0; k < count && n < SIMS_ROOM; k++, n++) {
            float share[3]; /* position in the cell: an eighth of it, or a quarter in the plane */
            uint32_t eighth = p->planar ? k * 3u % 4u : k * 7u % 8u;
            for (uint32_t a = 0; a < 3; a++)
                share[a] = 0.5f * ((float)(eighth >> a & 1u) + base_hash_to_unit(3u * n + a));
            x[n] = (vec4){p->domain_min.x + (at[0] + share[0]) * p->cell_size.x,
                          p->domain_min.y + (at[1] + share[1]) * p->cell_size.y,
                          p->domain_min.z + (at[2] + share[2]) * p->cell_size.z, 0};
            v[n] = (vec4){base_hash_to_unit(n + 5u) - 0.5f, base_hash_to_unit(n + 7u) - 0.5f, 0, 0};
            if (p->planar) x[n].z = p->plane;
            x[n] = keep_out(world, x[n]);
            ids[n] = (n * 7u + 3u) % 4099u; /* unordered */
        }
    }
    place_particles(world, (placing){n, x, v, ids});
    world->last_result.status.total_substeps = 9;
    upload(world, world->buffers.status, &world->last_result.status,
           sizeof world->last_result.status);
    if (sim_is_apic(world))
        upload(world, world->buffers.velocity_gradients, affine, 3u * n * sizeof *affine);
    world->next_id = 4099u;
    world->time_s = world->last_time_s = 0.0; /* the hash includes it */
    world->start_energy_j = 1e9;              /* there are more particles than in the fill */
    base_free(x);
    base_free(v);
    base_free(ids);
    base_free(affine);
    return n;
}

/* ---- passes --------------------------------------------------------------------------------- */

typedef struct seat {
    int at[3];
} seat;

/* Free slots and particles to move, in the order of the cells: the first slot gets the first
 * particle. */
typedef struct expected {
    seat *seats;
    uint32_t *spare; /* indices of sorted particles */
    uint32_t seat_count, spare_count, moved;
    double *fill_fractions; /* per cell, in the sparse layout */
} expected;

static bool is_in(const stage *s, uint32_t j, const int at[3])
{
    bool in = true;
    for (int k = 0; k < (s->params.planar ? 2 : 3); k++)
        in &= (int)floor(s->movers[j].x[k]) == at[k];
    return in;
}

static void add_cell(const stage *s, expected *e, const int at[3])
{
    ref_spares own = ref_reseed_spares(&s->flip, at);
    uint32_t kept = ref_reseed_count(&s->flip, at) - own.spare, passed = 0;
    for (uint32_t k = 0; k < own.seats; k++, e->seat_count++)
        memcpy(e->seats[e->seat_count].at, at, sizeof e->seats[0].at);
    for (uint32_t j = 0; j < s->flip.count && own.spare; j++)
        if (is_in(s, j, at) && passed++ >= kept) e->spare[e->spare_count++] = j;
}

static expected expect(const stage *s, const float *fill_fractions)
{
    expected e = {0};
    e.seats = base_alloc(8u * sparse_count(s) + 1u, sizeof *e.seats);
    e.spare = base_alloc(s->flip.count + 1u, sizeof *e.spare);
    e.fill_fractions = base_alloc(sparse_count(s) + 1u, sizeof *e.fill_fractions);
    assert_true(e.seats && e.spare && e.fill_fractions);
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        e.fill_fractions[i] = (double)fill_fractions[i];
        if (cell_at(s, i, at)) add_cell(s, &e, at);
    }
    e.moved = e.seat_count < e.spare_count ? e.seat_count : e.spare_count;
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        for (uint32_t k = 0; k < e.moved; k++) {
            bool gets = memcmp(at, e.seats[k].at, sizeof at) == 0;
            e.fill_fractions[i] +=
                (gets - is_in(s, e.spare[k], at)) / (double)s->params.cell_size.w;
        }
    }
    return e;
}

static void forget(expected *e)
{
    base_free(e->seats);
    base_free(e->spare);
    base_free(e->fill_fractions);
}

/* A moved particle is in its slot at a pseudo-random position; all others keep theirs. */
static void check_places(const stage *s, const expected *e, const ivec4 *before)
{
    uint32_t n = s->flip.count, *turn = base_alloc(n + 1u, sizeof *turn);
    ivec4 *after = download(s->world, s->world->buffers.sorted_positions, n, sizeof *after);
    uint32_t *headers = download(s->world, grid_list_headers(s->world->grid), n, sizeof *headers);
    uint32_t *ids = download(s->world, s->world->buffers.sorted_ids, n, sizeof *ids);
    const ivec4 *low = &s->params.fixed_min, *high = &s->params.fixed_max;
    const double lows[3] = {low->x, low->y, low->z};
    const double extents[3] = {(double)high->x - low->x, (double)high->y - low->y,
                               (double)high->z - low->z};
    assert_non_null(turn);
    for (uint32_t k = 0; k < e->moved; k++)
        turn[e->spare[k]] = k + 1u;
    for (uint32_t j = 0; j < n; j++) {
        double part[3];
        const int32_t got[3] = {after[j].x, after[j].y, after[j].z};
        assert_int_equal(headers[j], turn[j] ? SIM_RESEEDED : 0);
        assert_int_equal(after[j].w, before[j].w);
        if (turn[j] == 0) assert_memory_equal(&after[j], &before[j], sizeof after[j]);
        if (turn[j] == 0) continue;
        ref_reseed_part(ids[j], s->status.total_substeps, part);
        for (int k = 0; k < (s->params.planar ? 2 : 3); k++) {
            const int32_t counts[3] = {s->params.mac_cells.x, s->params.mac_cells.y,
                                       s->params.mac_cells.z};
            double at = (double)e->seats[turn[j] - 1u].at[k] + part[k];
            near("place", e->seats[turn[j] - 1u].at, got[k], lows[k] + extents[k] * at / counts[k],
                 2.0 + 1e-6 * extents[k] / counts[k]);
        }
        if (s->params.planar) assert_int_equal(after[j].z, before[j].z);
    }
    base_free(turn);
    base_free(after);
    base_free(headers);
    base_free(ids);
}

/* A moved particle takes the velocity of the grid, in FLIP as well. */
static void check_velocities(stage *s, const expected *e)
{
    run_step_passes(s->world, step_pass(s->world, "flip_density_correction_rhs"),
                    step_pass(s->world, "flip_g2p_advect"));
    packed p = read_packed(s);
    base_free(s->movers);
    make_movers(s);
    run_named(s, "flip_g2p_advect");
    vec4 *v = download(s->world, s->world->buffers.sorted_velocities, s->flip.count, sizeof *v);
    for (uint32_t k = 0; k < e->moved; k++) {
        uint32_t j = e->spare[k];
        for (int axis = 0; axis < (s->params.planar ? 2 : 3); axis++) {
            ref_component found = ref_flip_axis_component(&s->flip, s->movers[j].x, axis);
            assert_true(found.known > 0.0);
            near("velocity", e->seats[k].at, (double)ref_axis_component(v[j], axis), found.velocity,
                 5e-5);
        }
    }
    free_packed(&p);
    base_free(v);
}

static void check(sim_world *world, uint32_t crowded)
{
    stage s;
    struct sim_status status;
    uint32_t count = place_cells(world, crowded);
    enter_gather(&s, world, FRAME_S);
    assert_int_equal(s.flip.count, count);
    run_step_passes(world, step_pass(world, "flip_p2g"), step_pass(world, "flip_reseed_count"));
    uvec4 *cells = spread(&s, poisson_get_buffers(world->pressure_grid)->cells, sizeof *cells);
    float *fill_fractions = download(world, world->buffers.fill_fractions, sparse_count(&s), 4);
    ivec4 *before = download(world, world->buffers.sorted_positions, count, sizeof *before);
    s.flip.cells = cells;
    expected e = expect(&s, fill_fractions);
    print_message("  %u seats, %u particles to spare\n", e.seat_count, e.spare_count);
    assert_true(e.seat_count > 5);
    assert_true(crowded != few[s.params.planar] || (e.spare_count && e.spare_count < e.seat_count));
    assert_true(crowded <= few[s.params.planar] || e.spare_count > e.seat_count);
    assert_true(crowded > 0 || e.spare_count == 0);
    run_step_passes(world, step_pass(world, "flip_reseed_count"),
                    step_pass(world, "flip_density_correction_rhs"));
    OK(gpu_buffer_download(world->device, world->buffers.status, 0, &status, sizeof status));
    assert_int_equal(status.reseeded, e.moved);
    float *after = download(world, world->buffers.fill_fractions, sparse_count(&s), 4);
    for (size_t i = 0; i < sparse_count(&s); i++)
        assert_true(fabs((double)after[i] - e.fill_fractions[i]) <= 1e-5);
    check_places(&s, &e, before);
    check_velocities(&s, &e);
    forget(&e);
    base_free(cells);
    base_free(fill_fractions);
    base_free(after);
    base_free(before);
    leave(&s);
}

/* With fewer particles to move than slots, with more, and with none. */
static void every_pass_matches_its_reference(void **state)
{
    for (int w = 0; w < WORLDS; w++) {
        check(worlds[w], few[w]);
        check(worlds[w], many[w]);
        check(worlds[w], 0);
    }
}

/* ---- invariants ----------------------------------------------------------------------------- */

static void sum_momentum(sim_world *world, double sum[3])
{
    uint32_t count;
    vec3 *v = read_vectors(world, WEIR_FIELD_VELOCITY, &count);
    memset(sum, 0, 3 * sizeof *sum);
    for (uint32_t i = 0; i < count; i++)
        sum[0] += (double)v[i].x, sum[1] += (double)v[i].y, sum[2] += (double)v[i].z;
    base_free(v);
}

/* No particle appears or disappears, and only moved ones change velocity, so the momentum of the
 * fluid changes by theirs. */
static void particles_and_their_ids_stay(void **state)
{
    for (int w = 0; w < WORLDS; w++) {
        double with[3], without[3], off = 0.0;
        weir_stats stats;
        const char *const overrides[] = {"solver.reseed=false", NULL};
        scene_data *scene =
            make_scene(w == ROOM ? scene_text("flip_reseed_room") : plane, overrides);
        sim_world *plain = make_sim_sized(devices[w], scene, SIMS_ROOM), *own = worlds[w];
        uint32_t placed = place_cells(plain, many[w]), count;
        assert_int_equal(place_cells(own, many[w]), placed);
        OK(sim_step(plain, FRAME_S));
        OK(sim_step(own, FRAME_S));
        OK(sim_stats(own, &stats));
        sum_momentum(plain, without);
        sum_momentum(own, with);
        uint32_t *ids = base_alloc(placed, sizeof *ids), *others = base_alloc(placed, sizeof *ids);
        OK(sim_particle_count(own, &count));
        assert_int_equal(count, placed);
        OK(sim_read_field(own, WEIR_FIELD_ID, ids, placed * sizeof *ids));
        OK(sim_read_field(plain, WEIR_FIELD_ID, others, placed * sizeof *ids));
        assert_memory_equal(ids, others, placed * sizeof *ids);
        for (int k = 0; k < 3; k++)
            off = fmax(off, fabs(with[k] - without[k]));
        print_message("  %u of %u moved; momentum changes by %.3g m/s each\n", stats.reseeded,
                      count, off / stats.reseeded);
        assert_true(stats.reseeded > 5 && off <= 1.5 * stats.reseeded);
        base_free(ids);
        base_free(others);
        sim_destroy(&plain);
        scene_destroy(&scene);
    }
}

/* Runs twice, with a resume in between. */
static void a_run_has_the_same_bits_again(void **state)
{
    static const char path[] = "test_flip_reseed.weirstate";
    for (int w = 0; w < WORLDS; w++) {
        uint64_t hashes[3];
        uint32_t moved[3];
        weir_stats stats;
        for (int turn = 0; turn < 3; turn++) {
            sim_world *world = worlds[w];
            if (turn < 2) place_cells(world, many[w]);
            if (turn < 2) OK(sim_step(world, FRAME_S));
            if (turn == 1) OK(sim_save(world, path, NULL));
            if (turn == 2) OK(sim_restore(world, path, NULL));
            for (int frame = 0; frame < 3; frame++)
                OK(sim_step(world, FRAME_S));
            OK(sim_stats(world, &stats));
            OK(sim_hash(world, &hashes[turn]));
            moved[turn] = stats.reseeded;
        }
        print_message("  %u, %u, %u moved\n", moved[0], moved[1], moved[2]);
        assert_true(moved[0] > 5 && moved[1] == moved[0] && moved[2] == moved[0]);
        assert_true(hashes[1] == hashes[0] && hashes[2] == hashes[0]);
        remove(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_matches_its_reference),
        cmocka_unit_test(particles_and_their_ids_stay),
        cmocka_unit_test(a_run_has_the_same_bits_again),
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}

/* Any number of ranks gives the bits of one: after every frame, with cuts anywhere and moving, with
 * any first capacities, and across checkpoints. Ranks are devices of one driver.
 *
 * test_ranks [wide]: "wide" has ten scenes on 2, 3, 4 and 8 ranks. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "scene_text.h"
#include "sim_ranks.h"
#include "sim_support.h"
#include "sim_team.h"

#include <unistd.h>

#define FRAMES 9u
#define RANKS 4u
#define MOST_RANKS 8u

/* All that runs on ranks: two fluids, surface tension, a turning paddle, a jet, a drain, an open
 * side. */
#define SCENE(length, spacing)                                                      \
    "domain.max=" length, "spacing=" spacing, "solver.chebyshev_spectral_radius=0", \
        "solver.pre_stabilization=0", "fluids[0].surface_tension=0.07"
/* One gauge of each kind. The jet, which hits the paddle at once, and the disc lie across cuts. */
#define FLUID_GAUGES                                                                          \
    "{\"name\":\"level\",\"height\":{\"min\":[0.1,0,0.1],\"max\":[2,1,0.3]}},"                \
    "{\"name\":\"front\",\"front\":{\"min\":[0,0,0],\"max\":[2.2,0.3,0.4],\"axis\":\"+x\"}}," \
    "{\"name\":\"wall\",\"pressure\":{\"position\":[0.5,0.05,0.2],\"radius\":0.4}},"          \
    "{\"name\":\"jet\",\"flow\":{\"position\":[0.6,0.5,0.2],\"direction\":[1,0,0]}}"
#define INSTRUMENTS                                                                     \
    "gauges=[" FLUID_GAUGES ",{\"name\":\"paddle\",\"force\":{\"solid\":\"paddle\"}}]", \
        "solver.solid_forces=true", "emitters[0].position=[0.5,0.42,0.2]"
#define MOST_OVERRIDES 14
static const char *const by_pbf[MOST_OVERRIDES] = {SCENE("[2.2,1,0.4]", "0.05"),
                                                   "solver.adaptive=true", NULL};
static const char *const by_pcisph[MOST_OVERRIDES] = {
    SCENE("[2.2,1,0.4]", "0.05"), "solver.method=pcisph",  "solver.tolerance.mean=0.001",
    "solver.iterations=10",       "solver.residuals=true", NULL};
static const char *const by_wcsph[MOST_OVERRIDES] = {
    SCENE("[2,1,0.4]", "0.05"), "solver.method=wcsph", "solver.substeps=24", INSTRUMENTS, NULL};
/* Solvers that sum the density error of each iteration. */
static const char *const by_tolerance[MOST_OVERRIDES] = {SCENE("[2.2,1,0.4]", "0.05"),
                                                         "solver.tolerance.mean=0.002",
                                                         "solver.tolerance.max=0.05",
                                                         "solver.iterations=12",
                                                         "solver.residuals=true",
                                                         INSTRUMENTS,
                                                         NULL};
static const char *const by_chebyshev[MOST_OVERRIDES] = {
    "domain.max=[2.2,1,0.4]",     "spacing=0.05",
    "solver.pre_stabilization=0", "solver.chebyshev_spectral_radius=0.85",
    "solver.residuals=true",      NULL};
/* Starts that are uneven, and solved at rest before the first frame. */
static const char *const shaken[MOST_OVERRIDES] = {"domain.max=[2.2,1,0.4]",
                                                   "solver.chebyshev_spectral_radius=0", NULL};
static const char *const shaken_across_a_side[MOST_OVERRIDES] = {
    "domain.max=[1,1,2.4]",
    "solver.method=pcisph",
    "solver.chebyshev_spectral_radius=0",
    "domain.sides={\"x\": \"periodic\"}",
    "spacing=0.06",
    NULL};
/* Also the friction of the correction at a moving solid, and its pressure in a gauge. */
static const char *const deep[MOST_OVERRIDES] = {SCENE("[2.2,1,0.4]", "0.05"),
                                                 "solver.long_range_correction=on",
                                                 "gauges=[" FLUID_GAUGES "]", NULL};
static const char *const tall[MOST_OVERRIDES] = {SCENE("[1,2,0.4]", "0.05"), NULL};
static const char *const periodic[MOST_OVERRIDES] = {SCENE("[1,2,2]", "0.06"),
                                                     "domain.sides={\"z\": \"periodic\"}", NULL};
static const char *const wide[MOST_OVERRIDES] = {SCENE("[1,1,2]", "0.06"), NULL};

static gpu_device *devices[MOST_RANKS];
static uint32_t device_count = RANKS;
static char folder[] = "/tmp/weir_ranks_XXXXXX";

/* What a frame shows. */
#define GAUGES 5u
#define SOLIDS 2u
#define ITERATIONS 20u
typedef struct frame_record {
    uint64_t state;
    weir_stats stats;
    weir_gauge gauges[GAUGES];              /* 0 without instruments */
    weir_force forces[SOLIDS];              /* the same */
    weir_residual residuals[2][ITERATIONS]; /* of the first and the last substep; the same */
} frame_record;

typedef struct trace {
    frame_record at[FRAMES];
} trace;

/* Reads the instruments that the scene has. */
static void read_instruments(sim_world *world, const scene_data *scene, frame_record *record)
{
    uint32_t gauges = GAUGES, solids = SOLIDS;
    if (scene->gauge_count > 0) OK(sim_gauges(world, WEIR_ENTIRE_FRAME, record->gauges, &gauges));
    if (scene->solver.solid_forces) OK(sim_solid_forces(world, record->forces, &solids));
    for (uint32_t k = 0; k < 2 && scene->solver.residuals; k++) {
        uint32_t iterations = ITERATIONS;
        OK(sim_residuals(world, k * (scene->solver.substeps - 1), record->residuals[k],
                         &iterations));
    }
}

static trace run_alone(const scene_data *scene, uint32_t frames)
{
    static trace t;
    t = (trace){0};
    sim_world *world = make_sim(devices[0], scene);
    for (uint32_t f = 0; f < frames; f++) {
        weir_stats stats;
        OK(sim_step(world, 0));
        OK(sim_hash(world, &t.at[f].state));
        OK(sim_stats(world, &stats));
        t.at[f].stats = stats;
        read_instruments(world, scene, &t.at[f]);
    }
    sim_destroy(&world);
    return t;
}

static sim_team *make_team(const scene_data *scene, uint32_t ranks)
{
    sim_team *team = NULL;
    OK(sim_team_create(&(sim_team_def){.devices = devices, .count = ranks, .scene = scene}, &team));
    return team;
}

/* All that describes the fluid; the costs differ. */
static void assert_same_statistics(const weir_stats *a, const weir_stats *b)
{
    assert_true(a->time_s == b->time_s && a->frame == b->frame && a->substep == b->substep);
    assert_int_equal(a->particle_count, b->particle_count);
    assert_int_equal(a->substeps_in_frame, b->substeps_in_frame);
    assert_true(a->density_error_mean == b->density_error_mean);
    assert_true(a->density_error_max == b->density_error_max);
    assert_true(a->neighbours_mean == b->neighbours_mean);
    assert_int_equal(a->neighbours_max, b->neighbours_max);
    assert_true(a->speed_max_m_s == b->speed_max_m_s);
    assert_true(a->kinetic_energy_j == b->kinetic_energy_j);
    assert_true(a->potential_energy_j == b->potential_energy_j);
    assert_memory_equal(a->momentum_kg_m_s, b->momentum_kg_m_s, sizeof a->momentum_kg_m_s);
    assert_memory_equal(a->centre_of_mass_m, b->centre_of_mass_m, sizeof a->centre_of_mass_m);
    assert_true(a->iterations == b->iterations);
    assert_true(a->clamped_corrections == b->clamped_corrections);
    assert_true(a->clamped_speeds == b->clamped_speeds);
    assert_int_equal(a->removed_outside, b->removed_outside);
    assert_int_equal(a->removed_by_sinks, b->removed_by_sinks);
    assert_int_equal(a->removed_non_finite, b->removed_non_finite);
    assert_int_equal(a->overcompressed_frames, b->overcompressed_frames);
}

static void assert_same_instruments(const frame_record *a, const frame_record *b)
{
    for (uint32_t k = 0; k < GAUGES; k++)
        assert_memory_equal(a->gauges[k].value, b->gauges[k].value, sizeof a->gauges[k].value);
    for (uint32_t k = 0; k < SOLIDS; k++) {
        assert_memory_equal(a->forces[k].force, b->forces[k].force, sizeof a->forces[k].force);
        assert_memory_equal(a->forces[k].torque, b->forces[k].torque, sizeof a->forces[k].torque);
    }
    assert_memory_equal(a->residuals, b->residuals, sizeof a->residuals);
}

static void assert_frame(sim_team *team, const trace *truth, uint32_t f)
{
    uint64_t hash;
    weir_stats stats;
    frame_record own = {0};
    OK(sim_team_hash(team, &hash));
    if (hash != truth->at[f].state)
        fail_msg("%u ranks, frame %u: state %016llx, expected %016llx", sim_team_size(team), f + 1,
                 (unsigned long long)hash, (unsigned long long)truth->at[f].state);
    OK(sim_team_stats(team, &stats));
    assert_same_statistics(&stats, &truth->at[f].stats);
    sim_world *first = sim_team_first(team);
    read_instruments(first, first->scene, &own);
    assert_same_instruments(&own, &truth->at[f]);
}

static void assert_same(sim_team *team, const trace *truth, uint32_t first, uint32_t last)
{
    for (uint32_t f = first; f < last; f++) {
        OK(sim_team_step(team, 0));
        assert_frame(team, truth, f);
    }
}

static void compare(const char *const *overrides, const sim_team_def *how, uint32_t frames)
{
    scene_data *scene = make_scene(scene_text("determinism"), overrides);
    sim_team_def def = *how;
    sim_team *team = NULL;
    const trace truth = run_alone(scene, frames);
    def.devices = devices;
    def.scene = scene;
    OK(sim_team_create(&def, &team));
    assert_same(team, &truth, 0, frames);
    sim_team_destroy(&team);
    scene_destroy(&scene);
}

static int open_all(void **state)
{
    if (!mkdtemp(folder)) return -1;
    for (uint32_t r = 0; r < device_count; r++)
        devices[r] = open_gpu(r < 2);
    return 0;
}

static int close_all(void **state)
{
    int result = rmdir(folder);
    for (uint32_t r = 0; r < device_count; r++)
        result |= close_gpu(&devices[r]);
    return result;
}

static void pbf_has_the_bits_of_one_rank(void **state)
{
    scene_data *scene = make_scene(scene_text("determinism"), by_pbf);
    const trace truth = run_alone(scene, FRAMES);
    for (uint32_t ranks = 2; ranks <= RANKS; ranks++) {
        sim_team *team = make_team(scene, ranks);
        assert_same(team, &truth, 0, FRAMES);
        sim_team_destroy(&team);
    }
    scene_destroy(&scene);
}

/* A substep has two messages to each neighbour for the migration, one for surface tension and one
 * for each iteration, and two sums for the decisions; a frame has those of its statistics and of
 * its status. */
static void messages_are_counted(void **state)
{
    scene_data *scene = make_scene(scene_text("determinism"), by_pbf);
    sim_team *team = make_team(scene, 3);
    weir_rank_info before[3], after[3];
    OK(sim_team_step(team, 0));
    OK(sim_team_ranks(team, before));
    OK(sim_team_step(team, 0));
    OK(sim_team_ranks(team, after));
    const struct sim_status *status = &sim_team_first(team)->last_result.status;
    const uint64_t steps = status->substeps, each = 2 + 1 + scene->solver.iterations;
    for (uint32_t r = 0; r < 3; r++) {
        const uint64_t neighbours = r == 1 ? 2 : 1;
        assert_int_equal(after[r].messages - before[r].messages, neighbours * steps * each);
        assert_true(after[r].sums - before[r].sums >= 2 * steps + 2);
        assert_true(after[r].sums - before[r].sums <= 2 * steps + 8);
        assert_true(after[r].bytes_sent > before[r].bytes_sent);
        assert_true(after[r].waiting_s > before[r].waiting_s);
    }
    assert_true(after[0].ghosts > 0 && after[1].ghosts > 0);
    assert_int_equal(after[0].particles + after[1].particles + after[2].particles,
                     sim_total_status(sim_team_first(team))->count);
    sim_team_destroy(&team);
    scene_destroy(&scene);
}

static void pcisph_and_wcsph_have_the_bits_of_one_rank(void **state)
{
    compare(by_pcisph, &(sim_team_def){.count = 3}, FRAMES);
    compare(by_wcsph, &(sim_team_def){.count = 3}, 2);
}

static void density_errors_and_instruments_are_those_of_one_rank(void **state)
{
    static const uint32_t uneven[] = {0, 11, 24, 42};
    const grid_capacity tiny = {1, 8, 2};
    compare(by_tolerance,
            &(sim_team_def){.count = 3, .cuts = uneven, .capacity = &tiny, .balance_interval = 2},
            FRAMES);
    compare(by_chebyshev, &(sim_team_def){.count = 3}, FRAMES);
}

static void every_rank_solves_the_long_range_correction(void **state)
{
    static const uint32_t uneven[] = {0, 11, 24, 42};
    const grid_capacity tiny = {1, 8, 2};
    compare(deep, &(sim_team_def){.count = 2}, FRAMES);
    compare(deep,
            &(sim_team_def){.count = 3, .cuts = uneven, .capacity = &tiny, .balance_interval = 2},
            FRAMES);
}

static void uneven_starts_are_solved_at_rest(void **state)
{
    compare(shaken, &(sim_team_def){.count = 3}, 2);
    compare(shaken_across_a_side, &(sim_team_def){.count = 2}, 2);
}

/* The longest axis is cut, unless it is periodic. */
static void cuts_may_lie_across_each_axis(void **state)
{
    compare(tall, &(sim_team_def){.count = 3}, FRAMES / 2);
    compare(wide, &(sim_team_def){.count = 2}, FRAMES / 2);
    compare(periodic, &(sim_team_def){.count = 2}, 4);
}

static void cuts_may_lie_anywhere_and_move(void **state)
{
    static const uint32_t uneven[] = {0, 11, 24, 42};
    compare(by_pbf, &(sim_team_def){.count = 3, .cuts = uneven, .balance_interval = 1000}, FRAMES);
    compare(by_pbf, &(sim_team_def){.count = 3, .cuts = uneven, .balance_interval = 1}, FRAMES);
}

/* Everything overflows at first, on different ranks at different times. */
static void the_first_capacities_do_not_matter(void **state)
{
    const grid_capacity tiny = {1, 8, 2};
    compare(by_pbf, &(sim_team_def){.count = 3, .capacity = &tiny, .balance_interval = 2}, FRAMES);
}

static void a_checkpoint_is_that_of_any_number_of_ranks(void **state)
{
    char *path = base_path_join(folder, "of_ranks"), *alone = base_path_join(folder, "of_one");
    scene_data *scene = make_scene(scene_text("determinism"), by_pbf);
    const trace truth = run_alone(scene, FRAMES);
    sim_team *four = make_team(scene, 4), *three = make_team(scene, 3);
    sim_world *one = make_sim(devices[0], scene);
    base_blob a, b;
    uint64_t hash;
    assert_same(four, &truth, 0, 5);
    OK(sim_team_save(four, path));
    sim_team_destroy(&four);
    OK(sim_restore(one, path, NULL));
    OK(sim_save(one, alone, NULL));
    OK(base_file_read(NULL, path, 1u << 26, &a));
    OK(base_file_read(NULL, alone, 1u << 26, &b));
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    OK(sim_step(one, 0));
    OK(sim_hash(one, &hash));
    assert_true(hash == truth.at[5].state);
    OK(sim_save(one, alone, NULL));
    OK(sim_team_restore(three, alone));
    assert_same(three, &truth, 6, FRAMES);
    sim_team_destroy(&three);
    sim_destroy(&one);
    scene_destroy(&scene);
    base_blob_free(&a);
    base_blob_free(&b);
    OK(base_file_remove(NULL, path));
    OK(base_file_remove(NULL, alone));
    base_free(path);
    base_free(alone);
}

/* Also before the first frame. */
static void fields_come_in_the_order_of_ids(void **state)
{
    static const weir_field fields[] = {WEIR_FIELD_POSITION, WEIR_FIELD_VELOCITY, WEIR_FIELD_ID,
                                        WEIR_FIELD_FLUID, WEIR_FIELD_DENSITY};
    scene_data *scene = make_scene(scene_text("determinism"), by_pbf);
    sim_team *team = make_team(scene, 3);
    sim_world *world = make_sim(devices[0], scene);
    for (uint32_t frame = 0; frame < 2; frame++) {
        uint32_t count, expected;
        OK(sim_particle_count(world, &expected));
        OK(sim_team_particle_count(team, &count));
        assert_int_equal(count, expected);
        for (size_t k = 0; k < BASE_COUNT(fields); k++) {
            const size_t size = count * (k < 2 ? 12u : 4u);
            void *a = base_alloc(size, 1), *b = base_alloc(size, 1);
            OK(sim_read_field(world, fields[k], a, size));
            OK(sim_team_read_field(team, fields[k], b, size));
            assert_memory_equal(a, b, size);
            base_free(a);
            base_free(b);
        }
        OK(sim_step(world, 0));
        OK(sim_team_step(team, 0));
    }
    sim_team_destroy(&team);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void a_checkpoint_that_cannot_be_read_changes_nothing(void **state)
{
    char *missing = base_path_join(folder, "missing");
    uint64_t hash;
    scene_data *scene = make_scene(scene_text("determinism"), by_pbf);
    const trace truth = run_alone(scene, 2);
    sim_team *team = make_team(scene, 3);
    assert_same(team, &truth, 0, 1);
    assert_int_equal(sim_team_restore(team, missing), WEIR_ERROR_IO);
    assert_same(team, &truth, 1, 2);
    OK(sim_team_hash(team, &hash));
    sim_team_destroy(&team);
    scene_destroy(&scene);
    base_free(missing);
}

/* The others wait for its messages meanwhile. */
static void a_rank_that_fails_ends_the_step_of_all(void **state)
{
    char *path = base_path_join(folder, "before");
    scene_data *scene = make_scene(scene_text("determinism"), by_pbf);
    const trace truth = run_alone(scene, 3);
    sim_team *team = make_team(scene, 3);
    assert_same(team, &truth, 0, 1);
    OK(sim_team_save(team, path));
    sim_team_first(team)->failed = WEIR_ERROR_DEVICE_LOST;
    assert_int_equal(sim_team_step(team, 0), WEIR_ERROR_DEVICE_LOST);
    assert_int_equal(sim_team_step(team, 0), WEIR_ERROR_IO);
    OK(sim_team_restore(team, path));
    assert_same(team, &truth, 1, 3);
    sim_team_destroy(&team);
    scene_destroy(&scene);
    OK(base_file_remove(NULL, path));
    base_free(path);
}

/* ---- ten scenes ----------------------------------------------------------------------------- */

static const char *const forced[MOST_OVERRIDES] = {
    SCENE("[4.4,1,0.4]", "0.05"),
    "forces=[{\"type\":\"vortex\",\"centre\":[1,0.3,0.2],\"axis\":[0,0,1],\"strength\":2}]", NULL};
static const char *const turned[MOST_OVERRIDES] = {SCENE("[4.4,1,0.6]", "0.05"),
                                                   "domain.sides={\"z\": \"periodic\"}",
                                                   "fluids[0].xsph=0.05", NULL};
static const char *const plane[MOST_OVERRIDES] = {SCENE("[4.4,1,0.4]", "0.02"),
                                                  "solver.dimensions=2", NULL};
static const struct {
    const char *name, *length;
    const char *const *overrides;
    uint32_t frames;
} scenes[] = {
    {"pbf", "domain.max=[4.4,1,0.4]", by_pbf, FRAMES},
    {"pcisph", "domain.max=[4.4,1,0.4]", by_pcisph, FRAMES},
    {"wcsph", "domain.max=[4.4,1,0.4]", by_wcsph, 2},
    {"tolerance", "domain.max=[4.4,1,0.4]", by_tolerance, FRAMES},
    {"chebyshev", "domain.max=[4.4,1,0.4]", by_chebyshev, FRAMES},
    {"shaken", "domain.max=[4.4,1,0.4]", shaken, FRAMES},
    {"deep", "domain.max=[4.4,1,0.4]", deep, FRAMES},
    {"forced", NULL, forced, FRAMES},
    {"turned", NULL, turned, FRAMES},
    {"plane", NULL, plane, FRAMES},
};

static scene_data *make_long_scene(const char *const *overrides, const char *length)
{
    const char *all[MOST_OVERRIDES + 2] = {NULL};
    uint32_t n = 0;
    for (; overrides[n]; n++)
        all[n] = overrides[n];
    all[n] = length;
    return make_scene(scene_text("determinism"), all);
}

/* Compares any numbers of ranks, and cuts that are uneven at first and move in every frame. */
static void compare_numbers(const scene_data *scene, const trace *truth, uint32_t frames)
{
    static const uint32_t numbers[] = {2, 3, 4, 8};
    uint32_t uneven[] = {0, 11, 24, 0};
    sim_team *team;
    for (size_t k = 0; k < BASE_COUNT(numbers); k++) {
        team = make_team(scene, numbers[k]);
        uneven[3] = sim_team_first(team)->ranks->cuts[numbers[k]];
        assert_same(team, truth, 0, frames);
        sim_team_destroy(&team);
    }
    const sim_team_def def = {
        .devices = devices, .count = 3, .scene = scene, .cuts = uneven, .balance_interval = 1};
    OK(sim_team_create(&def, &team));
    assert_same(team, truth, 0, frames);
    sim_team_destroy(&team);
}

/* Four ranks, then one, then three. */
static void compare_resumed(const scene_data *scene, const trace *truth, uint32_t frames)
{
    char *path = base_path_join(folder, "state");
    sim_team *four = make_team(scene, 4), *three = make_team(scene, 3);
    sim_world *one = make_sim(devices[0], scene);
    uint64_t hash;
    assert_same(four, truth, 0, frames / 2);
    OK(sim_team_save(four, path));
    OK(sim_restore(one, path, NULL));
    OK(sim_hash(one, &hash));
    assert_true(hash == truth->at[frames / 2 - 1].state);
    OK(sim_save(one, path, NULL));
    OK(sim_team_restore(three, path));
    assert_same(three, truth, frames / 2, frames);
    sim_team_destroy(&four);
    sim_team_destroy(&three);
    sim_destroy(&one);
    OK(base_file_remove(NULL, path));
    base_free(path);
}

static void all_scenes_have_the_bits_of_one_rank(void **state)
{
    for (size_t k = 0; k < BASE_COUNT(scenes); k++) {
        scene_data *scene = make_long_scene(scenes[k].overrides, scenes[k].length);
        const trace truth = run_alone(scene, scenes[k].frames);
        print_message("%s\n", scenes[k].name);
        compare_numbers(scene, &truth, scenes[k].frames);
        compare_resumed(scene, &truth, scenes[k].frames);
        scene_destroy(&scene);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest wide_tests[] = {cmocka_unit_test(all_scenes_have_the_bits_of_one_rank)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pbf_has_the_bits_of_one_rank),
        cmocka_unit_test(messages_are_counted),
        cmocka_unit_test(pcisph_and_wcsph_have_the_bits_of_one_rank),
        cmocka_unit_test(density_errors_and_instruments_are_those_of_one_rank),
        cmocka_unit_test(every_rank_solves_the_long_range_correction),
        cmocka_unit_test(uneven_starts_are_solved_at_rest),
        cmocka_unit_test(cuts_may_lie_across_each_axis),
        cmocka_unit_test(cuts_may_lie_anywhere_and_move),
        cmocka_unit_test(the_first_capacities_do_not_matter),
        cmocka_unit_test(a_checkpoint_is_that_of_any_number_of_ranks),
        cmocka_unit_test(fields_come_in_the_order_of_ids),
        cmocka_unit_test(a_checkpoint_that_cannot_be_read_changes_nothing),
        cmocka_unit_test(a_rank_that_fails_ends_the_step_of_all),
    };
    if (argc < 2 || strcmp(argv[1], "wide") != 0)
        return cmocka_run_group_tests(tests, open_all, close_all);
    device_count = MOST_RANKS;
    return cmocka_run_group_tests(wide_tests, open_all, close_all);
}

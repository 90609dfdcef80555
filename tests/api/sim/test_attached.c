/* Emitters and sinks that are attached to solids and bodies: where their fluid is released, and
 * what they remove. No force acts. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/sim.h"

#define HEAD                                                                                    \
    "{\"spacing\": 0.05, \"frame_rate\": 50, \"domain\": {\"min\": [0, 0, 0], \"max\": [4, 2, " \
    "2]}, \"gravity\": [0, 0, 0], \"solver\": {\"method\": \"%s\", \"substeps\": 8},\n"
#define SPACING 0.05

#define MAX_COUNT 4096
static float positions[3 * MAX_COUNT], velocities[3 * MAX_COUNT];

static uint32_t read_all(weir_sim *sim)
{
    return read_particles(sim, positions, velocities, MAX_COUNT);
}

/* ---- emitters -------------------------------------------------------------------------------- */

/* A heavy ball that turns at OMEGA about z and moves at V along x, with a nozzle that points
 * outwards. */
#define V 1.0
#define OMEGA 6.0
#define REACH 0.3 /* m, from the centre to the nozzle */
#define FLOW 2.0  /* m/s */

#define BALL                                                                                  \
    HEAD "\"fluids\": [{\"name\": \"water\"}],\n\"bodies\": [{\"name\": \"ball\", "           \
         "\"density\": 30000, \"shape\": {\"sphere\": {\"radius\": 0.2}, \"position\": [1, "  \
         "1, 1]}, \"velocity\": [1, 0, 0], \"angular_velocity\": [0, 0, 6]}],\n\"emitters\":" \
         " [{\"name\": \"jet\", \"fluid\": \"water\", \"radius\": 0.03, \"position\": [1.3, " \
         "1, 1], \"direction\": [1, 0, 0], \"speed\": 2, \"attached_to\": \"ball\"}]}"

/* Finds where the particle that has left at `left_s` is at `now_s`, and its velocity. */
static void expect(double left_s, double now_s, double at[2], double v[2])
{
    const double turn = OMEGA * left_s, c = cos(turn), s = sin(turn);
    v[0] = V - OMEGA * REACH * s + FLOW * c;
    v[1] = OMEGA * REACH * c + FLOW * s;
    at[0] = 1.0 + V * left_s + REACH * c + v[0] * (now_s - left_s);
    at[1] = 1.0 + REACH * s + v[1] * (now_s - left_s);
}

static void a_body_moves_an_emitter(void **state)
{
    static const char *const methods[] = {"pbf", "flip"};
    for (size_t m = 0; m < BASE_COUNT(methods); m++) {
        char scene[2048];
        snprintf(scene, sizeof scene, BALL, methods[m]);
        weir_sim *sim = simulate_scene(*state, scene);
        step_frames(sim, 12);
        const uint32_t count = read_all(sim);
        /* a grid lets fluid move on by its own cells' velocities: only the newest is as it left */
        const uint32_t first = m ? count - 1 : 0;
        double farthest = 0, fastest = 0;
        assert_int_equal(count, 10);
        for (uint32_t i = first; i < count; i++) {
            double at[2], v[2];
            const float *x = positions + 3 * i, *found = velocities + 3 * i;
            expect(i * SPACING / FLOW, 12 / 50.0, at, v);
            farthest = fmax(farthest, hypot((double)x[0] - at[0], (double)x[1] - at[1]));
            fastest = fmax(fastest, hypot((double)found[0] - v[0], (double)found[1] - v[1]));
        }
        print_message("  %s: farthest %.4f m, velocity off by %.3f m/s\n", methods[m], farthest,
                      fastest);
        assert_true(farthest < 0.1 * SPACING && fastest < (m ? 0.1 : 0.03));
    }
}

/* ---- sinks ----------------------------------------------------------------------------------- */

/* Still water from 1 to 2 m, through which a sink moves in 20 frames along x. */
#define WATER                                                                           \
    HEAD "\"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\": {\"min\":" \
         " [1, 0.5, 0.5], \"max\": [2, 1.1, 1.1]}}}}],\n"
#define SINK                                                                                     \
    "\"sinks\": [{\"name\": \"drain\", \"shape\": {\"sphere\": {\"radius\": 0.12}, \"position\"" \
    ": [0.7, 0.8, 0.8]}"
#define MOTION "{\"keyframes\": [{\"time\": 0}, {\"time\": 0.4, \"position\": [1.6, 0, 0]}]}"
#define FAR_BALL "\"shape\": {\"sphere\": {\"radius\": 0.1}, \"position\": [0.7, 1.7, 0.8]}"

static void move_host_solid(weir_sim *sim, int frame)
{
    const weir_solid_pose pose = {.position = {0.08f * (float)(frame + 1), 0, 0},
                                  .rotation = {0, 0, 0, 1}};
    assert_int_equal(weir_sim_set_solid(sim, "arm", &pose), WEIR_OK);
}

static void a_sink_moves_with_what_it_is_attached_to(void **state)
{
    static const char *const scenes[] = {
        WATER SINK ", \"motion\": " MOTION "}]}",
        WATER "\"solids\": [{\"name\": \"arm\", " FAR_BALL ", \"motion\": " MOTION "}],\n" SINK
              ", \"attached_to\": \"arm\"}]}",
        WATER "\"solids\": [{\"name\": \"arm\", " FAR_BALL
              ", \"motion\": {\"host_driven\": true}}],"
              "\n" SINK ", \"attached_to\": \"arm\"}]}",
        WATER "\"bodies\": [{\"name\": \"arm\", " FAR_BALL
              ", \"density\": 30000, \"velocity\": [4, "
              "0, 0]}],\n" SINK ", \"attached_to\": \"arm\"}]}",
        WATER SINK "}]}",
    };
    for (size_t i = 0; i < BASE_COUNT(scenes); i++) {
        const bool still = i + 1 == BASE_COUNT(scenes);
        char scene[2048];
        snprintf(scene, sizeof scene, scenes[i], i == 1 ? "flip" : "pbf");
        weir_sim *sim = simulate_scene(*state, scene);
        const uint32_t before = read_all(sim);
        uint32_t swept = 0, left = 0;
        for (uint32_t k = 0; k < before && !still; k++)
            swept += hypotf(positions[3 * k + 1] - 0.8f, positions[3 * k + 2] - 0.8f) < 0.12f;
        for (int frame = 0; frame < 20; frame++) {
            if (i == 2) move_host_solid(sim, frame);
            step_frames(sim, 1);
        }
        const uint32_t after = read_all(sim);
        for (uint32_t k = 0; k < after && !still; k++)
            left += hypotf(positions[3 * k + 1] - 0.8f, positions[3 * k + 2] - 0.8f) < 0.11f;
        print_message("  scene %zu: %u of %u particles removed, %u of them in the way\n", i,
                      before - after, before, swept);
        /* on a grid, fluid moves a little towards where some has been removed */
        assert_in_range(before - after, i == 1 ? swept - swept / 8 : swept, swept);
        assert_int_equal(left, 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_body_moves_an_emitter),
        TEST(a_sink_moves_with_what_it_is_attached_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

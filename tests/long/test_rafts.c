/* Rafts float as deep as Archimedes says. */
#include "device_support.h"
#include "sim_support.h"

/* A raft lets as much fluid stand above its bottom, far from it, as it weighs. Within a fifth
 * of a spacing. */
static void check_raft(const char *density, double share)
{
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1.3, 1, 1.3]},"
        " 'solver': {'substeps': 5}, 'bodies': [{'name': 'raft', 'density': 500,"
        " 'shape': {'box': {'size': [0.5, 0.25, 0.5]}, 'position': [0.65, 0.44, 0.65]}}],"
        " 'fluids': [{'name': 'water', 'xsph': 0.02, 'fill': {'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [1.3, 0.4, 1.3]}}}}]}";
    const char *const overrides[] = {density, NULL};
    scene_data *scene = make_scene(text, overrides);
    sim_world *world = make_sim(device, scene);
    double sum = 0.0, d = 0.05, height = 0.25, near = 0.25 + 1.5 * d;
    const int frames = 24;
    run_frames(world, 80);
    for (int frame = 0; frame < frames; frame++) {
        uint32_t count;
        run_frames(world, 1);
        weir_body raft;
        uint32_t one = 1;
        OK(sim_bodies(world, &raft, &one));
        double bottom = (double)raft.position[1] - 0.5 * height, above = 0.0;
        vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
        for (uint32_t i = 0; i < count; i++) {
            bool beside = fabs((double)(x[i].x - raft.position[0])) < near &&
                          fabs((double)(x[i].z - raft.position[2])) < near;
            double over = ((double)x[i].y - bottom) / d + 0.5; /* of the particle's cube */
            if (!beside) above += fmin(fmax(over, 0.0), 1.0);
        }
        base_free(x);
        sum += above * d * d * d / (1.69 - 4.0 * near * near) / height;
    }
    double slack = 0.2 * d / height;
    assert_between("displaced share", sum / frames, share - slack, share + slack);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void rafts_displace_their_weight(void **state)
{
    (void)state;
    check_raft("bodies[0].density=300", 0.3);
    check_raft("bodies[0].density=500", 0.5);
    check_raft("bodies[0].density=800", 0.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rafts_displace_their_weight),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}

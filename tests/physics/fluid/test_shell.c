/* A cup of one layer of triangles, open at the top. As a shell it holds the water poured into
   it; otherwise lids close it and the water stays outside. */
#define _XOPEN_SOURCE 700
#include "sim_support.h"

#include <stdlib.h>

#define SIDES 24
#define FRAMES 40

static gpu_device *device;
static char folder[] = "/tmp/weir-shell-XXXXXX";

static int make_cup(void **state)
{
    char path[64];
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/cup.obj", folder);
    FILE *file = fopen(path, "w");
    if (!file) return -1;
    for (int k = 0; k < 2 * SIDES; k++) {
        double angle = 6.283185307 * (k % SIDES) / SIDES;
        fprintf(file, "v %g %g %g\n", 0.15 * cos(angle), k < SIDES ? 0.0 : 0.25, 0.15 * sin(angle));
    }
    fprintf(file, "v 0 0 0\n");
    for (int k = 1; k <= SIDES; k++) {
        int next = k % SIDES + 1;
        fprintf(file, "f %d %d %d %d\nf %d %d %d\n", k, SIDES + k, SIDES + next, next,
                2 * SIDES + 1, k, next);
    }
    fclose(file);
    device = open_gpu(false); /* the shaders have been validated with other scenes */
    return 0;
}

static int remove_cup(void **state)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? close_gpu(&device) : -1;
}

/* Distribution of the water after FRAMES frames. */
typedef struct outcome {
    uint32_t all, held; /* all particles; those in the cup */
    float widest;       /* m: largest distance from the cup's axis among those in it */
} outcome;

static outcome pour(const char *thickness)
{
    char text[640];
    snprintf(text, sizeof text,
             "{\"domain\": {\"min\": [-0.3, 0, -0.3], \"max\": [0.3, 0.6, 0.3]},"
             " \"spacing\": 0.03, \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\":"
             " {\"cylinder\": {\"radius\": 0.09, \"height\": 0.2}, \"position\": [0, 0.41, 0]}}}],"
             " \"solids\": [{\"name\": \"cup\", %s \"shape\": {\"mesh\": {\"file\": \"cup.obj\"},"
             " \"position\": [0, 0.05, 0]}}]}",
             thickness);
    const scene_input input = {
        .text = text, .size = strlen(text), .source = "cup.json", .folder = folder};
    outcome o = {0};
    scene_data *scene = NULL;
    sim_world *world = NULL;
    OK(scene_parse(NULL, &input, &scene));
    OK(sim_create(device, scene, &world));
    for (int frame = 0; frame < FRAMES; frame++)
        OK(sim_step(world, 0));
    OK(sim_wait(world));
    OK(sim_particle_count(world, &o.all));
    vec3 *at = base_alloc(o.all, sizeof *at);
    OK(sim_read_field(world, WEIR_FIELD_POSITION, at, o.all * sizeof *at));
    for (uint32_t i = 0; i < o.all; i++) {
        float r = hypotf(at[i].x, at[i].z);
        bool held = r < 0.15f && at[i].y > 0.05f && at[i].y < 0.3f;
        o.held += held;
        if (held) o.widest = fmaxf(o.widest, r);
    }
    base_free(at);
    sim_destroy(&world);
    scene_destroy(&scene);
    return o;
}

static void a_shell_of_an_open_cup_holds_the_water(void **state)
{
    outcome o = pour("\"thickness\": 0.02,");
    assert_true(o.all > 50);
    if (o.held != o.all) fail_msg("%u of %u particles are in the cup", o.held, o.all);
}

/* The fluid keeps half the thickness plus most of the wall's gap, half a spacing, off the mesh. */
static void a_thick_shell_leaves_less_room(void **state)
{
    outcome o = pour("\"thickness\": 0.06,");
    assert_true(o.held > 50);
    if (o.widest > 0.15f - 0.03f - 0.4f * 0.03f || o.widest < 0.08f)
        fail_msg("the water reaches %g m from the axis", (double)o.widest);
}

static void an_open_cup_that_is_no_shell_keeps_the_water_out(void **state)
{
    outcome o = pour("");
    if (o.held != 0) fail_msg("%u of %u particles are in the cup", o.held, o.all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shell_of_an_open_cup_holds_the_water),
        cmocka_unit_test(a_thick_shell_leaves_less_room),
        cmocka_unit_test(an_open_cup_that_is_no_shell_keeps_the_water_out),
    };
    return cmocka_run_group_tests(tests, make_cup, remove_cup);
}

/* The render mesh of a soft body follows it. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "deformable_support.h"
#include "device_support.h"

#include <unistd.h>

#define RINGS 24u
#define SIDES 40u

/* A ball with a spike that is finer than any cell. */
static void write_ball(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (uint32_t i = 0; i <= RINGS; i++)
        for (uint32_t k = 0; k < SIDES; k++) {
            double up = 3.14159265 * i / RINGS, round = 6.2831853 * k / SIDES;
            double r = i == 0 ? 1.6 : 1.0;
            fprintf(file, "v %.7g %.7g %.7g\n", r * sin(up) * sin(round), r * cos(up),
                    r * sin(up) * cos(round));
        }
    for (uint32_t i = 0; i < RINGS; i++)
        for (uint32_t k = 0; k < SIDES; k++) {
            uint32_t a = i * SIDES + k + 1, b = i * SIDES + (k + 1) % SIDES + 1;
            fprintf(file, "f %u %u %u\nf %u %u %u\n", a, a + SIDES, b, b, a + SIDES, b + SIDES);
        }
    fclose(file);
}

typedef struct dressed {
    scene_data *scene;
    sim_world *world;
    uint32_t count; /* number of the body's vertices */
    sim_skinned_mesh skin;
    vec3 *starts, *x, *first, *now; /* of the body's vertices; of the mesh's */
} dressed;

static dressed dress(void)
{
    dressed d = {0};
    char folder[] = "/tmp/weir-skin-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = base_path_join(folder, "ball.obj");
    assert_non_null(path);
    write_ball(path);
    char *text = base_format(SCENE("'soft_bodies': [{'name': 'ball', 'density': 800, 'stiffness':"
                                   " 2e4, 'spacing': 0.08, 'shape': {'mesh': {'file': '%s'},"
                                   " 'scale': 0.25, 'position': [1.5, 1, 1.5], 'rotation': {'axis':"
                                   " [0, 0, 1], 'angle': 30}}}],"),
                             path);
    assert_non_null(text);
    d.scene = make_scene(text, NULL);
    d.world = make_sim(device, d.scene);
    d.count = sim_deformable_vertex_count(d.world);
    d.skin = sim_deformable_skin(d.world, 0);
    d.starts = base_alloc(d.count, sizeof *d.starts);
    d.x = base_alloc(d.count, sizeof *d.x);
    d.first = base_alloc(d.skin.vertex_count, sizeof *d.first);
    d.now = base_alloc(d.skin.vertex_count, sizeof *d.now);
    assert_true(d.starts && d.x && d.first && d.now);
    OK(sim_deformable_positions(d.world, NULL, NULL, d.starts));
    base_file_remove(NULL, path);
    base_free(path);
    base_free(text);
    rmdir(folder);
    return d;
}

static void undress(dressed *d)
{
    base_free(d->starts);
    base_free(d->x);
    base_free(d->first);
    base_free(d->now);
    sim_destroy(&d->world);
    scene_destroy(&d->scene);
}

static vec3 turned(vec3 p)
{
    p = vec3_sub(p, vec3_make(1.5f, 1.0f, 1.5f));
    return vec3_make(1.2f * p.x - 0.5f * p.y + 0.3f, 0.4f * p.x + 0.8f * p.y + 0.2f * p.z + 1.0f,
                     -0.1f * p.y + 0.9f * p.z);
}

/* The mesh at the start, and after rotation, stretching and shear together with the body. */
static void the_mesh_is_deformed_as_its_body_is(void **state)
{
    dressed d = dress();
    assert_int_equal(d.skin.vertex_count, (RINGS + 1) * SIDES);
    assert_int_equal(d.skin.triangle_count, 2 * RINGS * SIDES);
    OK(sim_skin_positions(d.world, 0, d.starts, d.first));
    double off = 0.0, differs = 0.0;
    for (uint32_t i = 0; i < d.skin.vertex_count; i++) {
        vec3 p = vec3_sub(d.first[i], vec3_make(1.5f, 1.0f, 1.5f));
        off = fmax(off, fabs((double)vec3_length(p) - (i < SIDES ? 0.4 : 0.25)));
    }
    for (uint32_t i = 0; i < d.count; i++)
        d.x[i] = turned(d.starts[i]);
    OK(sim_skin_positions(d.world, 0, d.x, d.now));
    for (uint32_t i = 0; i < d.skin.vertex_count; i++)
        differs = fmax(differs, (double)vec3_length(vec3_sub(d.now[i], turned(d.first[i]))));
    print_message("  off the mesh by %.1e m, off its deformation by %.1e m\n", off, differs);
    assert_between("distance from the mesh, m", off, 0.0, 1e-5);
    assert_between("distance from the deformed mesh, m", differs, 0.0, 1e-4);
    undress(&d);
}

/* When the body bends, no vertex of the mesh separates from its neighbours. */
static void a_bent_mesh_has_no_cracks(void **state)
{
    dressed d = dress();
    OK(sim_skin_positions(d.world, 0, d.starts, d.first));
    for (uint32_t i = 0; i < d.count; i++) {
        vec3 p = vec3_sub(d.starts[i], vec3_make(1.5f, 1.0f, 1.5f));
        float angle = 2.0f * p.y; /* nearly a quarter turn from bottom to top */
        d.x[i] = vec3_make(p.x * cosf(angle) - p.z * sinf(angle), p.y + 0.8f * p.x * p.x,
                           p.x * sinf(angle) + p.z * cosf(angle));
    }
    OK(sim_skin_positions(d.world, 0, d.x, d.now));
    double longest = 0.0;
    for (uint32_t t = 0; t < 3 * d.skin.triangle_count; t++) {
        uint32_t a = d.skin.triangles[t], b = d.skin.triangles[t % 3 == 2 ? t - 2 : t + 1];
        double before = (double)vec3_length(vec3_sub(d.first[a], d.first[b]));
        double after = (double)vec3_length(vec3_sub(d.now[a], d.now[b]));
        if (before > 1e-3) longest = fmax(longest, after / before);
    }
    assert_between("longest edge over its length at the start", longest, 1.0, 1.8);
    undress(&d);
}

static void velocities_are_blended(void **state)
{
    dressed d = dress();
    for (uint32_t i = 0; i < d.count; i++)
        d.x[i] = vec3_make(1.0f, -2.0f, 3.0f);
    sim_skin_interpolate(d.world, 0, d.x, d.now);
    for (uint32_t i = 0; i < d.skin.vertex_count; i++)
        assert_true(vec3_length(vec3_sub(d.now[i], d.x[0])) < 1e-5f);
    undress(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mesh_is_deformed_as_its_body_is),
        cmocka_unit_test(a_bent_mesh_has_no_cracks),
        cmocka_unit_test(velocities_are_blended),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}

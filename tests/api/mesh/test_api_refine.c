/* weir_mesh_refine: its rules, the order of its steps, and a mesh that rests against a scene's
   solids. */
#define _XOPEN_SOURCE 700
#include "api_internal.h"
#include "api_support.h"
#include "surface_support.h"

/* A tank, open at the top, in which a glass ball moves by a metre within a second. */
#define GLASS_SCENE                                                                       \
    "{\"name\": \"glass\", \"domain\": {\"min\": [-1, -0.35, -1], \"max\": [1, 1, 1],"    \
    " \"sides\": {\"y\": [\"closed\", \"open\"]}}, \"frame_rate\": 60, \"duration\": 4, " \
    "\"spacing\": 0.05,"                                                                  \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"                 \
    " {\"min\": [-0.9, 0.5, -0.9], \"max\": [-0.5, 0.9, -0.5]}}}}],"                      \
    " \"solids\": [{\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.2},"       \
    " \"position\": [0.5, 0, 0]}, \"motion\": {\"keyframes\": ["                          \
    "{\"time\": 0, \"position\": [0, 0, 0]}, {\"time\": 1, \"position\": [-1, 0, 0]}]}}]}"

/* A ball of water of radius 0.5 m about the origin, with cells of 1/20 m. */
static void make_mesh(weir_device *device, weir_mesh *mesh)
{
    const float radius = 0.5f;
    const surface_lattice lattice = {26, {-0.65f, -0.65f, -0.65f}, 0.05f};
    *mesh = (weir_mesh){.device = device};
    mesh->surface = surface_make(&lattice, surface_sphere_field, &radius);
    mesh->surface.cell_m = lattice.cell;
    logged[0] = '\0';
}

static void free_mesh(weir_mesh *mesh)
{
    mesher_surface_free(&mesh->surface);
}

static weir_mesh_info check(const weir_mesh *mesh)
{
    weir_mesh_info info;
    assert_int_equal(mesher_surface_check(NULL, &mesh->surface, &info), WEIR_OK);
    return info;
}

static void the_default_gives_good_triangles_and_normals(void **state)
{
    const fixture *f = *state;
    weir_mesh mesh;
    make_mesh(f->device, &mesh);
    const weir_mesh_info raw = check(&mesh);
    weir_mesh_refine_def def = weir_mesh_refine_def_default();
    weir_mesh_refine_info did;
    assert_int_equal(weir_mesh_refine(&mesh, &def, &did), WEIR_OK);
    const weir_mesh_info info = check(&mesh);
    assert_true(info.closed && info.manifold && info.oriented);
    assert_true(info.angle_min > 5 && info.quality_mean > 0.85);
    assert_true(fabs(info.volume / raw.volume - 1) < 0.005);
    assert_non_null(mesh.surface.normal);
    assert_int_equal(did.triangles_before, raw.triangles);
    assert_int_equal(did.triangles_after, info.triangles);
    assert_true(did.edges_collapsed > 100 && did.degenerate_triangles == 0);
    assert_int_equal(did.decimated_triangles + did.snapped_vertices + did.clamped_vertices +
                         did.components_removed,
                     0);
    assert_string_equal(logged, "");
    free_mesh(&mesh);
}

static void steps_that_are_off_change_nothing(void **state)
{
    const fixture *f = *state;
    weir_mesh mesh, same;
    make_mesh(f->device, &mesh);
    make_mesh(f->device, &same);
    weir_mesh_refine_def def = weir_mesh_refine_def_default();
    def.remove_slivers = false;
    def.smooth_method = WEIR_MESH_SMOOTHING_NONE;
    def.normals = WEIR_MESH_NORMALS_NONE;
    assert_int_equal(weir_mesh_refine(&mesh, &def, NULL), WEIR_OK);
    assert_int_equal(mesh.surface.triangle_count, same.surface.triangle_count);
    assert_memory_equal(mesh.surface.position, same.surface.position,
                        same.surface.vertex_count * sizeof *same.surface.position);
    assert_null(mesh.surface.normal);
    free_mesh(&mesh);
    free_mesh(&same);
}

static void without_a_cell_a_mesh_cannot_be_cleaned(void **state)
{
    const fixture *f = *state;
    weir_mesh mesh;
    make_mesh(f->device, &mesh);
    mesh.surface.cell_m = 0;
    weir_mesh_refine_def def = weir_mesh_refine_def_default();
    assert_int_equal(weir_mesh_refine(&mesh, &def, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged("`cell_size_m`");
    def.cell_size_m = 0.05f;
    assert_int_equal(weir_mesh_refine(&mesh, &def, NULL), WEIR_OK);
    free_mesh(&mesh);
}

static void a_def_that_breaks_a_rule_is_refused(void **state)
{
    const fixture *f = *state;
    weir_mesh mesh;
    make_mesh(f->device, &mesh);
    const weir_mesh_refine_def usual = weir_mesh_refine_def_default();
    weir_mesh_refine_def defs[9];
    static const char *const words[] = {
        "default()",        "smooth_strength", "smoothing", "min_component_volume_m3",
        "decimate_ratio",   "clamp_min",       "normals",   "decimate_error_m",
        "drop_subdivisions"};
    for (size_t i = 0; i < BASE_COUNT(defs); i++)
        defs[i] = usual;
    defs[0].cookie = 0;
    defs[1].smooth_strength = NAN;
    defs[8].drop_subdivisions = 4;
    defs[2].smooth_method = (weir_mesh_smoothing)7;
    defs[3].min_component_volume_m3 = -1;
    defs[4].decimate_ratio = 1.5;
    defs[5].clamp_to_box = true;
    defs[5].clamp_min[1] = 2;
    defs[6].normals = (weir_mesh_normals)-1;
    defs[7].decimate_error_m = -1;
    for (size_t i = 0; i < BASE_COUNT(defs); i++) {
        logged[0] = '\0';
        assert_int_equal(weir_mesh_refine(&mesh, &defs[i], NULL), WEIR_ERROR_ARGUMENT);
        assert_logged(words[i]);
    }
    assert_int_equal(weir_mesh_refine(NULL, &usual, NULL), WEIR_ERROR_ARGUMENT);
    free_mesh(&mesh);
}

/* Counts vertices inside the walls or the ball at (x, 0, 0), and vertices that touch them. */
static void measure(const weir_mesh *mesh, float x, uint32_t *inside, uint32_t *floor,
                    uint32_t *ball)
{
    *inside = *floor = *ball = 0;
    for (uint32_t v = 0; v < mesh->surface.vertex_count; v++) {
        const vec3 p = mesh->surface.position[v];
        const float to_floor = p.y + 0.35f;
        const float to_ball = vec3_length(vec3_sub(p, vec3_make(x, 0, 0))) - 0.2f;
        *inside += fminf(to_floor, to_ball) < -1e-3f;
        *floor += fabsf(to_floor) < 1e-3f;
        *ball += fabsf(to_ball) < 1e-3f;
    }
}

static void water_rests_against_walls_and_moving_solids(void **state)
{
    const fixture *f = *state;
    weir_scene *scene;
    assert_int_equal(parse_scene(GLASS_SCENE, &scene), WEIR_OK);
    for (uint32_t turn = 0; turn < 2; turn++) {
        weir_mesh mesh;
        make_mesh(f->device, &mesh);
        weir_mesh_refine_def def = weir_mesh_refine_def_default();
        def.scene = scene;
        def.time_s = turn;
        weir_mesh_refine_info did;
        assert_int_equal(weir_mesh_refine(&mesh, &def, &did), WEIR_OK);
        uint32_t inside, floor, ball;
        measure(&mesh, turn == 0 ? 0.5f : -0.5f, &inside, &floor, &ball);
        assert_int_equal(inside, 0);
        assert_true(floor > 50 && ball > 30 && did.snapped_vertices > 80);
        const weir_mesh_info info = check(&mesh);
        assert_true(info.closed && info.manifold && info.oriented);
        assert_int_equal(info.degenerate_triangles, 0);
        free_mesh(&mesh);
    }
    weir_scene_destroy(&scene);
}

static int open_all(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    open_device(f);
    *state = f;
    return 0;
}

static int close_all(void **state)
{
    fixture *f = *state;
    weir_device_destroy(&f->device);
    free(f);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_gives_good_triangles_and_normals),
        cmocka_unit_test(steps_that_are_off_change_nothing),
        cmocka_unit_test(without_a_cell_a_mesh_cannot_be_cleaned),
        cmocka_unit_test(a_def_that_breaks_a_rule_is_refused),
        cmocka_unit_test(water_rests_against_walls_and_moving_solids),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}

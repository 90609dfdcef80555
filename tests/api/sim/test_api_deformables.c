/* Cloths and ropes through the public API: readings, their files, and pictures. */
#define _XOPEN_SOURCE 700
#include "api_support.h"
#include "scene_text.h"

#include "io.h"
#include "weir/deformables.h"

#define SIDE 64u /* of pictures, in pixels */

static void make(fixture *f)
{
    weir_sim_destroy(&f->sim);
    weir_scene_destroy(&f->scene);
    assert_int_equal(parse_scene(scene_text("api_deformables"), &f->scene), WEIR_OK);
    assert_int_equal(weir_sim_create(f->device, f->scene, &f->sim), WEIR_OK);
}

static void vertices_are_read(void **state)
{
    fixture *f = *state;
    weir_deformable deformables[3];
    uint32_t count = 3, vertices = 0;
    float x[512][3], v[512][3];
    make(f);
    assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_get_deformables(f->sim, deformables, &count), WEIR_OK);
    assert_int_equal(count, 3);
    assert_true(deformables[2].is_soft_body && !deformables[2].is_rope &&
                !deformables[0].is_soft_body);
    assert_true(deformables[2].surface_vertex_count <= deformables[2].vertex_count);
    assert_int_equal(deformables[0].surface_vertex_count, 25);
    assert_true(fabs(deformables[2].mass_kg / (900 * 0.036 * 3.14159265) - 1.0) < 0.01);
    assert_string_equal(deformables[0].name, "flag");
    assert_true(!deformables[0].is_rope && deformables[1].is_rope);
    assert_int_equal(deformables[0].vertex_count, 25);
    assert_int_equal(deformables[0].triangle_count, 32);
    assert_int_equal(deformables[1].first_vertex, 25);
    assert_true(fabs(deformables[0].mass_kg - 0.5) < 1e-6);
    assert_true(fabs(deformables[1].mass_kg - 2.0) < 1e-6);
    assert_true(deformables[1].kinetic_energy_j > 0.0 && deformables[1].non_finite_vertices == 0);
    assert_int_equal(weir_sim_get_deformable_vertices(f->sim, NULL, NULL, &vertices), WEIR_OK);
    assert_int_equal(vertices, 36 + deformables[2].vertex_count);
    vertices = 20;
    assert_int_equal(weir_sim_get_deformable_vertices(f->sim, &x[0][0], NULL, &vertices),
                     WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_deformable_vertices(f->sim, &x[0][0], &v[0][0], &vertices),
                     WEIR_OK);
    assert_float_equal(x[4][0], 1.5f, 0.0f); /* pinned */
    assert_true(v[30][1] < -0.1f && v[4][1] == 0.0f);
}

static bool is_there(const fixture *f, const char *name)
{
    char *path = base_path_join(f->folder, name);
    bool found = path && base_path_is_file(path);
    base_free(path);
    return found;
}

/* Returns the volume of a mesh file, which must be closed and wound outwards. `vertices`:
   expected number; 0: any. */
static double volume_of(const fixture *f, const char *name, uint32_t vertices)
{
    io_mesh mesh;
    double volume = 0.0;
    char *path = base_path_join(f->folder, name);
    assert_int_equal(io_mesh_read(NULL, path, &mesh), WEIR_OK);
    if (vertices) assert_int_equal(mesh.vertex_count, vertices);
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        const uint32_t *v = &mesh.indices[3 * t];
        vec3 c = vec3_cross(mesh.vertices[v[1]], mesh.vertices[v[2]]);
        volume += (double)vec3_dot(mesh.vertices[v[0]], c) / 6.0;
    }
    io_mesh_free(&mesh);
    base_free(path);
    return volume;
}

static void a_mesh_of_each_is_written_in_every_frame(void **state)
{
    fixture *f = *state;
    weir_output *output;
    make(f);
    weir_output_def def = weir_output_def_default();
    def.log = kept_log();
    def.folder = f->folder;
    def.particles = false;
    assert_int_equal(weir_output_create(&def, f->sim, &output), WEIR_OK);
    assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
    assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    assert_int_equal(weir_output_flush(output), WEIR_OK);
    weir_output_destroy(&output);
    assert_true(is_there(f, "cloth/flag_0001.obj") && is_there(f, "rope/line_0001.obj"));
    double rope = volume_of(f, "rope/line_0001.obj", 11 * 12);
    assert_true(fabs(rope - 3.0 * 0.025 * 0.025) < 2e-5);
    double ball = volume_of(f, "soft_body/jelly_0001.obj", 0);
    assert_true(fabs(ball / (0.036 * 3.14159265) - 1.0) < 0.15); /* its corners lie on the ball */
}

/* Counts triangles that have an edge without an opposite half-edge. */
static uint32_t count_open(const io_mesh *mesh)
{
    uint32_t open = 0, corners = 3 * mesh->triangle_count;
    for (uint32_t i = 0; i < corners; i++) {
        uint32_t next = i % 3 == 2 ? i - 2 : i + 1, found = 0;
        for (uint32_t k = 0; k < corners; k++) {
            uint32_t after = k % 3 == 2 ? k - 2 : k + 1;
            found +=
                mesh->indices[k] == mesh->indices[next] && mesh->indices[after] == mesh->indices[i];
        }
        open += found != 1;
    }
    return open;
}

static void files_show_what_has_torn(void **state)
{
    fixture *f = *state;
    weir_output *output;
    weir_deformable deformables[3];
    weir_stats stats;
    uint32_t count = 3, whole;
    io_mesh mesh;
    weir_sim_destroy(&f->sim);
    weir_scene_destroy(&f->scene);
    assert_int_equal(parse_scene(scene_text("api_deformables_torn"), &f->scene), WEIR_OK);
    assert_int_equal(weir_sim_create(f->device, f->scene, &f->sim), WEIR_OK);
    assert_int_equal(weir_sim_get_deformables(f->sim, deformables, &count), WEIR_OK);
    whole = deformables[2].triangle_count;
    weir_output_def def = weir_output_def_default();
    def.log = kept_log();
    def.folder = f->folder;
    def.particles = false;
    assert_int_equal(weir_output_create(&def, f->sim, &output), WEIR_OK);
    for (int frame = 0; frame < 24; frame++)
        assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
    assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    assert_int_equal(weir_output_flush(output), WEIR_OK);
    weir_output_destroy(&output);
    assert_int_equal(weir_sim_get_deformables(f->sim, deformables, &count), WEIR_OK);
    assert_int_equal(weir_sim_get_stats(f->sim, &stats), WEIR_OK);
    print_message("%u edges of the cloth, %u of the rope have torn\n", deformables[0].torn_edges,
                  deformables[1].torn_edges);
    assert_true(deformables[0].torn_edges > 0 && deformables[1].torn_edges > 0 &&
                deformables[1].torn_edges < 9);
    assert_int_equal(stats.torn_edges, deformables[0].torn_edges + deformables[1].torn_edges);
    assert_true(deformables[2].torn_edges == 0 && deformables[2].triangle_count == whole);
    char *path = base_path_join(f->folder, "cloth/flag_0024.obj");
    assert_int_equal(io_mesh_read(NULL, path, &mesh), WEIR_OK);
    assert_int_equal(mesh.triangle_count, deformables[0].triangle_count);
    assert_true(mesh.triangle_count > 0 && mesh.triangle_count < 64);
    io_mesh_free(&mesh);
    base_free(path);
    path = base_path_join(f->folder, "rope/line_0024.obj");
    assert_int_equal(io_mesh_read(NULL, path, &mesh), WEIR_OK);
    uint32_t pieces = 0; /* of at least one edge */
    for (uint32_t k = 0; k < deformables[1].segment_count; k++)
        pieces += k == 0 || deformables[1].segments[2 * k] != deformables[1].segments[2 * k - 1];
    assert_true(pieces > 1);
    assert_int_equal(mesh.triangle_count, 24 * deformables[1].segment_count + 20 * pieces);
    assert_int_equal(count_open(&mesh), 0);
    io_mesh_free(&mesh);
    base_free(path);
}

/* Returns whether the middle of the picture is red. */
static bool shows_flag(const fixture *f, weir_renderer *renderer, float eye_z)
{
    weir_points *points = NULL;
    weir_image *image = NULL;
    uint32_t width, height;
    const uint8_t *pixels;
    weir_camera view = weir_camera_default(f->scene);
    view.width = view.height = 32;
    const float eye[3] = {1, 1, eye_z}, target[3] = {1, 1, 1};
    memcpy(view.eye, eye, sizeof eye);
    memcpy(view.target, target, sizeof target);
    assert_int_equal(weir_sim_acquire_points(f->sim, &points), WEIR_OK);
    assert_int_equal(weir_render_points(renderer, points, &view, &image), WEIR_OK);
    assert_int_equal(weir_image_read(image, &width, &height, &pixels), WEIR_OK);
    const uint8_t *at = pixels + 4 * (16 * 32 + 16);
    bool red = at[0] > 40 && at[0] > 2 * at[1] && at[0] > 2 * at[2];
    weir_image_destroy(&image);
    weir_points_release(&points);
    return red;
}

static void pictures_show_a_cloth_from_both_sides(void **state)
{
    fixture *f = *state;
    weir_renderer *renderer;
    make(f);
    weir_renderer_def def = weir_renderer_def_default();
    def.scene = f->scene;
    assert_int_equal(weir_renderer_create(f->device, &def, &renderer), WEIR_OK);
    assert_true(shows_flag(f, renderer, -2.0f));
    assert_true(shows_flag(f, renderer, 4.0f));
    weir_renderer_destroy(&renderer);
}

/* Draws points. Release the pixels with base_free. */
static uint8_t *draw(weir_renderer *renderer, const fixture *f, const weir_points *points)
{
    weir_image *image = NULL;
    uint32_t width, height;
    const uint8_t *pixels;
    weir_camera view = weir_camera_default(f->scene);
    view.width = view.height = SIDE;
    assert_int_equal(weir_render_points(renderer, points, &view, &image), WEIR_OK);
    assert_int_equal(weir_image_read(image, &width, &height, &pixels), WEIR_OK);
    uint8_t *copy = base_alloc(SIDE * SIDE, 4);
    assert_non_null(copy);
    memcpy(copy, pixels, 4 * SIDE * SIDE);
    weir_image_destroy(&image);
    return copy;
}

/* Counts bytes of two pictures that differ by more than 8 of 255. */
static uint32_t count_apart(const uint8_t *a, const uint8_t *b)
{
    uint32_t apart = 0;
    for (size_t i = 0; i < 4 * SIDE * SIDE; i++)
        apart += abs(a[i] - b[i]) > 8;
    return apart;
}

/* The run's files, rotated and scaled, give the picture of the simulation; the normals of a
   rope's tube come from its triangles. */
static void stored_meshes_are_drawn_where_they_were(void **state)
{
    fixture *f = *state;
    weir_renderer *renderer;
    weir_output *output;
    weir_points *points = NULL;
    make(f);
    weir_renderer_def def = weir_renderer_def_default();
    def.scene = f->scene;
    weir_output_def as = weir_output_def_default();
    as.log = kept_log();
    as.folder = f->folder;
    as.y_up = false;
    as.scale = 2.0;
    assert_int_equal(weir_renderer_create(f->device, &def, &renderer), WEIR_OK);
    assert_int_equal(weir_output_create(&as, f->sim, &output), WEIR_OK);
    assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
    assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    assert_int_equal(weir_sim_acquire_points(f->sim, &points), WEIR_OK);
    uint8_t *live = draw(renderer, f, points);
    for (uint32_t frame = 0; frame < 10; frame++)
        assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
    assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    assert_int_equal(weir_output_flush(output), WEIR_OK);
    weir_output_destroy(&output);
    assert_int_equal(weir_points_load_deformables(points, f->scene, &as, 11), WEIR_OK);
    uint8_t *later = draw(renderer, f, points);
    assert_int_equal(weir_points_load_deformables(points, f->scene, &as, 1), WEIR_OK);
    uint8_t *again = draw(renderer, f, points);
    assert_int_equal(weir_points_load_deformables(points, f->scene, &as, 7), WEIR_ERROR_IO);
    assert_logged("cloth/flag_0007.obj: no such file");
    print_message("%u bytes of the later picture, %u of the stored one are apart\n",
                  count_apart(live, later), count_apart(live, again));
    assert_true(count_apart(live, later) > 150);
    assert_true(count_apart(live, again) < 20);
    uint8_t *const all[] = {live, later, again};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        base_free(all[i]);
    weir_points_release(&points);
    weir_renderer_destroy(&renderer);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(vertices_are_read),
        WITH_FIXTURE(a_mesh_of_each_is_written_in_every_frame),
        WITH_FIXTURE(files_show_what_has_torn),
        WITH_FIXTURE(pictures_show_a_cloth_from_both_sides),
        WITH_FIXTURE(stored_meshes_are_drawn_where_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Pictures through the public API: reported misuse, empty scenes, unusual cameras, reuse. */
#define _POSIX_C_SOURCE 200809L
#include "api_support.h"
#include "weir/profile.h"
#include "weir/render.h"

#define OK(call) assert_int_equal((call), WEIR_OK)

static weir_camera small_view(const weir_scene *scene)
{
    weir_camera view = weir_camera_default(scene);
    view.width = 48;
    view.height = 27;
    return view;
}

static weir_renderer *make_renderer(fixture *f, const weir_scene *scene)
{
    weir_renderer *renderer = NULL;
    weir_renderer_def def = weir_renderer_def_default();
    def.scene = scene;
    OK(weir_renderer_create(f->device, &def, &renderer));
    return renderer;
}

static const uint8_t *read_pixels(weir_image *image)
{
    uint32_t width, height;
    const uint8_t *pixels = NULL;
    OK(weir_image_read(image, &width, &height, &pixels));
    return pixels;
}

static void refuse_view(weir_renderer *renderer, const weir_camera *view, const char *words)
{
    weir_image *image = NULL;
    assert_int_equal(weir_render_points(renderer, NULL, view, &image), WEIR_ERROR_ARGUMENT);
    assert_null(image);
    assert_logged(words);
}

static void a_view_outside_its_limits_is_refused_by_name(void **state)
{
    fixture *f = *state;
    weir_renderer *renderer = make_renderer(f, f->scene);
    const weir_camera good = small_view(f->scene);
    weir_camera view = good;
    view.cookie = 0;
    refuse_view(renderer, &view, "the camera must be initialised by weir_camera_default()");
    view = good;
    view.width = 0;
    refuse_view(renderer, &view, "the view's size is 0 x 27");
    view = good;
    view.samples = 9;
    refuse_view(renderer, &view, "samples is 9, expected 1 to 4");
    view = good;
    view.fov_y_degrees = 200.0f;
    refuse_view(renderer, &view, "fov_y_degrees is 200, expected 1 to 150");
    view = good;
    memcpy(view.target, view.eye, sizeof view.target);
    refuse_view(renderer, &view, "eye and target must differ");
    view = good;
    view.eye[1] = NAN;
    refuse_view(renderer, &view, "must be finite");
    view = good;
    view.mode = WEIR_RENDER_MODE_COUNT;
    refuse_view(renderer, &view, "must be of their enumerations");
    weir_renderer_destroy(&renderer);
}

static void misuse_is_named(void **state)
{
    fixture *f = *state;
    weir_renderer *renderer = NULL;
    weir_renderer_def def = {0};
    weir_image *image = NULL;
    const weir_camera view = small_view(NULL);
    assert_int_equal(weir_renderer_create(f->device, &def, &renderer), WEIR_ERROR_ARGUMENT);
    assert_logged("weir_renderer_def_default()");
    def = weir_renderer_def_default();
    def.environment = "no/such/file.hdr";
    assert_int_equal(weir_renderer_create(f->device, &def, &renderer), WEIR_ERROR_IO);
    assert_null(renderer);
    assert_logged("no/such/file.hdr");
    assert_int_equal(weir_renderer_create(NULL, &def, &renderer), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_render_points(NULL, NULL, &view, &image), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_image_save(NULL, "x.png"), WEIR_ERROR_ARGUMENT);
    weir_image_destroy(&image);
    weir_image_destroy(NULL);
    weir_renderer_destroy(NULL);
    assert_null(weir_enum_name(WEIR_ENUM_RENDER_MODE, WEIR_RENDER_MODE_COUNT));
    assert_string_equal(weir_enum_name(WEIR_ENUM_COLOURING, WEIR_COLOURING_NEIGHBOURS),
                        "neighbours");
    logged[0] = '\0';
}

static void every_mode_and_splatter_draws_a_running_simulation(void **state)
{
    fixture *f = *state;
    weir_renderer *renderer = make_renderer(f, f->scene);
    weir_points *points = NULL;
    weir_image *image = NULL;
    weir_camera view = small_view(f->scene);
    OK(weir_sim_step(f->sim, 0));
    OK(weir_sim_acquire_points(f->sim, &points));
    for (uint32_t mode = 0; mode < WEIR_RENDER_MODE_COUNT; mode++) {
        view.mode = (weir_render_mode)mode;
        view.colouring = (weir_colouring)(mode % WEIR_COLOURING_COUNT);
        view.splat_method = mode % 2 ? WEIR_SPLAT_RASTER : WEIR_SPLAT_COMPUTE;
        OK(weir_render_points(renderer, points, &view, &image));
    }
    weir_points_release(&points); /* while the last picture may still be in flight */
    assert_non_null(read_pixels(image));
    assert_string_equal(logged, "");
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
}

/* Lambda colours points of a simulation until its next step, which replaces the lists. */
static void lambda_colours_points_until_the_next_step(void **state)
{
    fixture *f = *state;
    weir_renderer *renderer = make_renderer(f, f->scene);
    weir_points *points = NULL, *host = NULL;
    weir_image *image = NULL;
    weir_camera view = small_view(f->scene);
    weir_points_def def = weir_points_def_default();
    uint8_t flat[48 * 27 * 4];
    view.mode = WEIR_RENDER_MODE_PARTICLES;
    view.colouring = WEIR_COLOURING_LAMBDA;
    view.legend = false;
    OK(weir_sim_step(f->sim, 0));
    OK(weir_sim_acquire_points(f->sim, &points));
    OK(weir_render_points(renderer, points, &view, &image));
    memcpy(flat, read_pixels(image), sizeof flat);
    view.value_range[0] = -1.0f; /* m2: then all are in the middle */
    view.value_range[1] = 1.0f;
    OK(weir_render_points(renderer, points, &view, &image));
    assert_true(memcmp(flat, read_pixels(image), sizeof flat) != 0);
    weir_points_release(&points);
    OK(weir_sim_acquire_points(f->sim, &points));
    OK(weir_sim_step(f->sim, 0));
    assert_int_equal(weir_render_points(renderer, points, &view, &image), WEIR_ERROR_ARGUMENT);
    assert_logged("only the points of a simulation have lambda, until its next step begins: draw "
                  "them before that, or choose another colouring");
    def.spacing_m = 0.1f;
    OK(weir_points_create(f->device, &def, &host));
    assert_int_equal(weir_render_points(renderer, host, &view, &image), WEIR_ERROR_ARGUMENT);
    logged[0] = '\0';
    weir_points_release(&host);
    weir_points_release(&points);
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
}

static void an_image_is_drawn_into_again_and_grows(void **state)
{
    fixture *f = *state;
    char path[128];
    weir_renderer *renderer = make_renderer(f, f->scene);
    weir_image *image = NULL;
    weir_camera view = small_view(f->scene);
    uint32_t width, height;
    const uint8_t *pixels;
    OK(weir_render_points(renderer, NULL, &view, &image));
    const weir_image *first = image;
    view.width = 80;
    OK(weir_render_points(renderer, NULL, &view, &image));
    assert_ptr_equal(image, first);
    OK(weir_image_read(image, &width, &height, &pixels));
    assert_int_equal(width, 80);
    assert_int_equal(height, 27);
    snprintf(path, sizeof path, "%s/picture.png", f->folder);
    OK(weir_image_save(image, path));
    assert_true(base_path_is_file(path));
    snprintf(path, sizeof path, "%s/picture.exr", f->folder);
    assert_int_equal(weir_image_save(image, path), WEIR_ERROR_ARGUMENT);
    assert_logged("the image has no linear light: set `linear_light` in the view before drawing");
    const float *light;
    view.linear_light = true;
    OK(weir_render_points(renderer, NULL, &view, &image));
    OK(weir_image_read_linear(image, &width, &height, &light));
    assert_true(width == 80 && light[4 * 80 * 26] > 0.0f && light[4 * 80 * 26 + 3] == 1.0f);
    assert_int_equal(weir_image_save(image, path),
                     weir_has_exr() ? WEIR_OK : WEIR_ERROR_UNSUPPORTED);
    assert_true(base_path_is_file(path) == weir_has_exr());
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
}

static void assert_pixel(const uint8_t *pixels, uint32_t x, uint32_t y, const uint8_t rgb[3])
{
    for (int k = 0; k < 3; k++)
        assert_in_range(pixels[4 * (48 * y + x) + (uint32_t)k] + 3, rgb[k], rgb[k] + 6);
}

/* From the front, with cells of half a metre: the minimum, the maximum, an empty cell, a value
   between. */
static void a_slice_colours_the_pixels_of_its_cells(void **state)
{
    fixture *f = *state;
    weir_renderer *renderer = make_renderer(f, NULL);
    weir_image *image = NULL;
    weir_camera view = small_view(NULL);
    float values[4] = {-2.0f, 2.0f, WEIR_NO_VALUE, 0.0f};
    const weir_slice slice = {.axis = 2,
                              .position_m = 0.5f,
                              .columns = 2,
                              .rows = 2,
                              .cell_m = {0.5f, 0.5f},
                              .min_value = -2.0f,
                              .max_value = 2.0f,
                              .values = values};
    const float eye[3] = {0.5f, 0.5f, 3.0f}, target[3] = {0.5f, 0.5f, 0.5f};
    uint8_t open[3];
    memcpy(view.eye, eye, sizeof eye);
    memcpy(view.target, target, sizeof target);
    view.legend = false;
    OK(weir_render_points(renderer, NULL, &view, &image));
    memcpy(open, read_pixels(image) + 4 * (48 * 9 + 20), sizeof open);
    view.slice = &slice;
    OK(weir_render_points(renderer, NULL, &view, &image));
    const uint8_t *pixels = read_pixels(image);
    assert_pixel(pixels, 20, 17, (const uint8_t[3]){68, 1, 84});
    assert_pixel(pixels, 27, 17, (const uint8_t[3]){253, 231, 37});
    assert_pixel(pixels, 20, 9, open);
    assert_pixel(pixels, 27, 9, (const uint8_t[3]){33, 145, 140});
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
}

static void nothing_is_shown_as_the_sky_and_the_floor(void **state)
{
    fixture *f = *state;
    weir_renderer *renderer = make_renderer(f, NULL);
    weir_points *none = NULL;
    weir_image *image = NULL;
    const weir_camera view = small_view(NULL);
    weir_points_def def = weir_points_def_default();
    def.spacing_m = 0.1f;
    OK(weir_points_create(f->device, &def, &none));
    OK(weir_render_points(renderer, none, &view, &image));
    const uint8_t *pixels = read_pixels(image);
    uint32_t different = 0;
    for (size_t i = 0; i < 48 * 27; i++)
        different += memcmp(pixels + 4 * i, pixels, 3) != 0;
    assert_true(different > 100); /* the picture is not blank */
    weir_points_release(&none);
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
}

static void a_camera_inside_a_solid_or_the_fluid_is_no_crash(void **state)
{
    fixture *f = *state;
    static const char text[] =
        "{\"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]}, \"spacing\": 0.05,"
        " \"fluids\": [{\"name\": \"w\", \"fill\": {\"shape\": {\"box\": {\"min\": [0, 0, 0],"
        " \"max\": [1, 0.3, 1]}}}}], \"solids\": ["
        "{\"name\": \"a\", \"shape\": {\"sphere\": {\"radius\": 0.1}, \"position\": [0.8, 0.7, "
        "0.5]}},"
        "{\"name\": \"b\", \"shape\": {\"union\": [{\"cone\": {\"radius\": 0.1, \"height\": 0.2}},"
        " {\"torus\": {\"radius\": 0.1, \"tube_radius\": 0.03}}], \"position\": [0.3, 0.7, "
        "0.5]}}]}";
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    weir_points *points = NULL;
    weir_image *image = NULL;
    OK(parse_scene(text, &scene));
    OK(weir_sim_create(f->device, scene, &sim));
    OK(weir_sim_acquire_points(sim, &points));
    weir_renderer *renderer = make_renderer(f, scene);
    static const float eyes[2][3] = {{0.8f, 0.7f, 0.5f}, {0.5f, 0.15f, 0.5f}};
    for (int i = 0; i < 2; i++) {
        weir_camera view = small_view(scene);
        memcpy(view.eye, eyes[i], sizeof view.eye);
        OK(weir_render_points(renderer, points, &view, &image));
        assert_non_null(read_pixels(image));
    }
    assert_string_equal(logged, "");
    weir_points_release(&points);
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

static void a_mesh_is_drawn_as_fluid_and_opaque(void **state)
{
    fixture *f = *state;
    weir_mesher_def def = weir_mesher_def_default(NULL);
    weir_mesher *mesher = NULL;
    weir_mesh *mesh = NULL;
    weir_points *points = NULL;
    weir_image *image = NULL;
    weir_camera view = small_view(f->scene);
    OK(weir_sim_acquire_points(f->sim, &points));
    OK(weir_mesher_create(f->device, &def, &mesher));
    OK(weir_mesher_run(mesher, points, &mesh));
    weir_renderer *renderer = make_renderer(f, f->scene);
    uint8_t seen[2][48 * 27 * 4];
    for (int i = 0; i < 2; i++) {
        view.mode = i ? WEIR_RENDER_MODE_MESH : WEIR_RENDER_MODE_SURFACE;
        OK(weir_render_mesh(renderer, mesh, &view, &image));
        memcpy(seen[i], read_pixels(image), sizeof seen[i]);
    }
    assert_true(memcmp(seen[0], seen[1], sizeof seen[0]) != 0);
    view.mode = WEIR_RENDER_MODE_PARTICLES;
    assert_int_equal(weir_render_mesh(renderer, mesh, &view, &image), WEIR_ERROR_ARGUMENT);
    assert_logged("a mesh has no particles to draw");
    weir_points_release(&points);
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
    weir_mesh_destroy(&mesh);
    weir_mesher_destroy(&mesher);
}

/* Returns how far the mesh reaches beyond the walls of TINY_SCENE, m. */
static float reach_beyond_walls(const weir_mesh *mesh)
{
    static const float domain_max[] = {0.5f, 0.5f, 0.3f};
    weir_mesh_arrays arrays;
    float most = -INFINITY;
    weir_mesh_get_arrays(mesh, &arrays);
    for (uint32_t i = 0; i < 3 * arrays.vertex_count; i++)
        most = fmaxf(most, fmaxf(-arrays.position[i], arrays.position[i] - domain_max[i % 3]));
    return most;
}

static void meshes_of_a_simulation_meet_its_walls_and_have_whitewater(void **state)
{
    fixture *f = *state;
    weir_mesher_def def = weir_mesher_def_default(NULL);
    weir_mesher *mesher = NULL;
    weir_mesh *mesh = NULL;
    weir_points *points = NULL;
    for (int raw = 0; raw < 2; raw++) {
        def.raw = raw;
        OK(weir_sim_acquire_points(f->sim, &points));
        OK(weir_mesher_create(f->device, &def, &mesher));
        OK(weir_mesher_run(mesher, points, &mesh));
        const float outside = reach_beyond_walls(mesh);
        assert_true((fabsf(outside) < 1e-5f) == !raw);
        weir_points_release(&points);
        weir_mesher_destroy(&mesher);
        if (raw) break;
        const float position[] = {0.1f, 0.1f, 0.1f}, radii[] = {0.01f, 1.0f};
        const uint32_t foam = 1;
        weir_whitewater_particles given = {
            .count = 1, .position = position, .kind = &foam, .radius = radii};
        OK(weir_mesh_set_whitewater(mesh, &given));
        given.radius = radii + 1;
        assert_int_equal(weir_mesh_set_whitewater(mesh, &given), WEIR_ERROR_ARGUMENT);
        assert_logged("spacings of the fluid");
        assert_int_equal(weir_mesh_set_whitewater(mesh, NULL), WEIR_ERROR_ARGUMENT);
        weir_mesh_destroy(&mesh);
    }
    weir_mesh_destroy(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_view_outside_its_limits_is_refused_by_name),
        cmocka_unit_test(misuse_is_named),
        cmocka_unit_test(every_mode_and_splatter_draws_a_running_simulation),
        cmocka_unit_test(lambda_colours_points_until_the_next_step),
        cmocka_unit_test(an_image_is_drawn_into_again_and_grows),
        cmocka_unit_test(a_slice_colours_the_pixels_of_its_cells),
        cmocka_unit_test(nothing_is_shown_as_the_sky_and_the_floor),
        cmocka_unit_test(a_camera_inside_a_solid_or_the_fluid_is_no_crash),
        cmocka_unit_test(a_mesh_is_drawn_as_fluid_and_opaque),
        cmocka_unit_test(meshes_of_a_simulation_meet_its_walls_and_have_whitewater),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}

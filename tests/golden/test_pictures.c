/* Pictures through the public API match stored ones by structural similarity, which must reject a
 * picture that is shifted by a pixel, unfiltered, or without absorption; they agree on all drivers.
 * The argument --write rewrites the stored pictures: look at them before you keep them. */
#include "base.h"
#include "scene_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <png.h>

#define OK(call) assert_int_equal((call), WEIR_OK)
#define WIDTH 240u
#define HEIGHT 136u
#define PIXELS ((size_t)WIDTH * HEIGHT)
#define SAME_DRIVER 0.999
#define OTHER_DRIVER 0.98

static weir_device *device;
static weir_scene *scene;
static weir_points *points;
static bool lavapipe;
static char last_problem[200];

static void print_problem(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(last_problem, sizeof last_problem, "%s", text);
    print_error("  %s\n", text);
}

/* A slightly jittered pool with a wave, and a few drops above it. */
static void make_points(void)
{
    BASE_ARRAY(float) p = {0};
    for (int x = 0; x < 28; x++)
        for (int z = 0; z < 20; z++)
            for (int y = 0; y < 12; y++) {
                float at[3] = {0.05f * (float)x, 0.05f * (float)y, 0.05f * (float)z};
                if (at[1] > 0.22f + 0.15f * cosf(4.5f * at[0]) + 0.04f * cosf(9.0f * at[2]))
                    continue;
                for (uint64_t k = 0; k < 3; k++) {
                    float jitter = 0.012f * (base_hash_to_unit(p.count) - 0.5f);
                    assert_true(BASE_ARRAY_PUSH(&p, at[k] + 0.025f + jitter));
                }
            }
    for (uint64_t i = 0; i < 12; i++)
        for (uint64_t k = 0; k < 3; k++)
            assert_true(BASE_ARRAY_PUSH(&p, 0.4f + 0.5f * base_hash_to_unit(900 + 3 * i + k)));
    weir_points_def def = weir_points_def_default();
    def.count = (uint32_t)(p.count / 3);
    def.spacing_m = 0.05f;
    def.position = p.items;
    OK(weir_points_create(device, &def, &points));
    BASE_ARRAY_FREE(&p);
}

static int open_all(void **state)
{
    weir_device_info info;
    weir_device_def def = weir_device_def_default();
    weir_scene_def scene_def = weir_scene_def_default();
    def.log = scene_def.log = (weir_log){.write = print_problem, .level = WEIR_LOG_WARNING};
    def.cache_folder = "";
    OK(weir_device_create(&def, &device));
    weir_device_get_info(device, &info);
    lavapipe = strstr(info.name, "llvmpipe") != NULL;
    OK(weir_scene_parse(scene_text("pictures"), strlen(scene_text("pictures")), &scene_def,
                        &scene));
    make_points();
    return 0;
}

static int close_all(void **state)
{
    weir_points_release(&points);
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
    return 0;
}

static weir_camera usual(void)
{
    weir_camera view = weir_camera_default(scene);
    view.width = WIDTH;
    view.height = HEIGHT;
    view.samples = 2;
    return view;
}

/* Renders a picture; release with free. */
static uint8_t *draw_def(const weir_renderer_def *def, const weir_camera *view)
{
    weir_renderer *renderer = NULL;
    weir_image *image = NULL;
    const uint8_t *pixels;
    uint32_t width, height;
    OK(weir_renderer_create(device, def, &renderer));
    OK(weir_render_points(renderer, points, view, &image));
    OK(weir_image_read(image, &width, &height, &pixels));
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    uint8_t *copy = malloc(4 * PIXELS);
    assert_non_null(copy);
    memcpy(copy, pixels, 4 * PIXELS);
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
    return copy;
}

static uint8_t *draw(const weir_scene *of, const weir_camera *view)
{
    weir_renderer_def def = weir_renderer_def_default();
    def.scene = of;
    return draw_def(&def, view);
}

static uint8_t *stored(const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) fail_msg("%s: %s", path, image.message);
    image.format = PNG_FORMAT_RGBA;
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    return pixels;
}

/* ---- structural similarity (Wang et al. 2004) ----------------------------------------------- */

static double luma(const uint8_t *p)
{
    return 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2];
}

/* Returns the similarity of one 8 x 8 window. */
static double window(const uint8_t *a, const uint8_t *b, uint32_t x0, uint32_t y0)
{
    double sa = 0.0, sb = 0.0, saa = 0.0, sbb = 0.0, sab = 0.0;
    for (uint32_t i = 0; i < 64; i++) {
        size_t at = 4 * ((size_t)(y0 + i / 8) * WIDTH + x0 + i % 8);
        double u = luma(a + at), v = luma(b + at);
        sa += u;
        sb += v;
        saa += u * u;
        sbb += v * v;
        sab += u * v;
    }
    double ma = sa / 64.0, mb = sb / 64.0, c1 = 6.5025, c2 = 58.5225;
    double va = saa / 64.0 - ma * ma, vb = sbb / 64.0 - mb * mb, cov = sab / 64.0 - ma * mb;
    return (2.0 * ma * mb + c1) * (2.0 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
}

/* Returns the mean over windows two pixels apart. */
static double similarity(const uint8_t *a, const uint8_t *b)
{
    double sum = 0.0;
    uint32_t count = 0;
    for (uint32_t y = 0; y + 8 <= HEIGHT; y += 2)
        for (uint32_t x = 0; x + 8 <= WIDTH; x += 2, count++)
            sum += window(a, b, x, y);
    return sum / count;
}

/* ---- pictures ------------------------------------------------------------------------------- */

typedef struct golden {
    const char *path;
    weir_render_mode mode;
    weir_colouring colouring;
} golden;

static const golden goldens[] = {
    {"tests/data/picture_surface.png", WEIR_RENDER_MODE_SURFACE, WEIR_COLOURING_FLUID},
    {"tests/data/picture_ellipsoids.png", WEIR_RENDER_MODE_ELLIPSOIDS, WEIR_COLOURING_NEIGHBOURS},
    {"tests/data/picture_normals.png", WEIR_RENDER_MODE_NORMALS, WEIR_COLOURING_FLUID},
};

static weir_camera view_of(const golden *g)
{
    weir_camera view = usual();
    view.mode = g->mode;
    view.colouring = g->colouring;
    return view;
}

static void pictures_are_like_the_stored_ones(void **state)
{
    for (size_t i = 0; i < BASE_COUNT(goldens); i++) {
        const weir_camera view = view_of(&goldens[i]);
        uint8_t *now = draw(scene, &view), *then = stored(goldens[i].path);
        double s = similarity(now, then);
        if (!(s >= (lavapipe ? SAME_DRIVER : OTHER_DRIVER)))
            fail_msg("%s: similarity %g", goldens[i].path, s);
        free(now);
        free(then);
    }
}

static void a_picture_moved_by_a_pixel_is_another(void **state)
{
    uint8_t *then = stored(goldens[0].path), *moved = malloc(4 * PIXELS);
    assert_non_null(moved);
    memcpy(moved, then, 4);
    memcpy(moved + 4, then, 4 * (PIXELS - 1));
    assert_true(similarity(then, then) > 0.999999);
    assert_true(similarity(then, moved) < OTHER_DRIVER);
    free(then);
    free(moved);
}

static void an_unfiltered_picture_is_another(void **state)
{
    weir_camera view = usual();
    view.filter = WEIR_DEPTH_FILTER_NONE;
    uint8_t *then = stored(goldens[0].path), *rough = draw(scene, &view);
    assert_true(similarity(then, rough) < OTHER_DRIVER);
    free(then);
    free(rough);
}

static void a_picture_without_absorption_is_another(void **state)
{
    weir_scene *clear = NULL;
    weir_scene_def def = weir_scene_def_default();
    const char *overrides[] = {"look={\"absorption_length\": 1000}"};
    def.overrides = overrides;
    def.override_count = 1;
    OK(weir_scene_parse(scene_text("pictures"), strlen(scene_text("pictures")), &def, &clear));
    const weir_camera view = usual();
    uint8_t *then = stored(goldens[0].path), *pale = draw(clear, &view);
    assert_true(similarity(then, pale) < OTHER_DRIVER);
    free(then);
    free(pale);
    weir_scene_destroy(&clear);
}

/* Renders the scene with two changed values; release with free. */
static uint8_t *draw_with(const char *first, const char *second)
{
    weir_scene *changed = NULL;
    weir_scene_def def = weir_scene_def_default();
    const char *overrides[] = {first, second};
    def.overrides = overrides;
    def.override_count = 2;
    OK(weir_scene_parse(scene_text("pictures"), strlen(scene_text("pictures")), &def, &changed));
    const weir_camera view = usual();
    uint8_t *pixels = draw(changed, &view);
    weir_scene_destroy(&changed);
    return pixels;
}

/* Water takes on its colour over 3.5 depths of the settled fluid, here a ball of 0.2 m on a floor
 * of 2 m2, or 1.4 times the cube root of its volume, whichever is less. */
static void water_takes_light_by_how_much_there_is(void **state)
{
    char words[64];
    const char *water = "fluids.ink.colour=[0.05, 0.58, 0.9]";
    double volume = 4.0 / 3.0 * 3.14159265358979 * 0.008;
    snprintf(words, sizeof words, "look={\"absorption_length\": %.9g}", 3.5 * volume / 2.0);
    uint8_t *chosen = draw_with(water, "look={\"absorption_length\": 0}");
    uint8_t *said = draw_with(water, words);
    uint8_t *other =
        draw_with("fluids.ink.colour=[0.05, 0.58, 0.8]", "look={\"absorption_length\": 0}");
    assert_true(similarity(chosen, said) > 0.9999);
    assert_true(similarity(chosen, other) < 0.999);
    free(chosen);
    free(said);
    free(other);
}

/* A scene's own values take precedence over those of its look. */
static void each_look_is_another_and_the_scenes_sun_stays(void **state)
{
    static const char *const looks[] = {"studio", "daylight", "dusk", "technical"};
    uint8_t *pictures[BASE_COUNT(looks)];
    uint8_t *silent = draw_with("solids.ball.friction=0", "look={}");
    for (size_t i = 0; i < BASE_COUNT(looks); i++) {
        char words[64];
        snprintf(words, sizeof words, "look={\"preset\": \"%s\"}", looks[i]);
        pictures[i] = draw_with("solids.ball.friction=0", words);
        for (size_t k = 0; k < i; k++)
            assert_true(similarity(pictures[i], pictures[k]) < OTHER_DRIVER);
    }
    assert_memory_equal(silent, pictures[0], 4 * PIXELS);
    uint8_t *sunny = draw_with("look.sun=[0.2, 0.6, 0.9]", "look.preset=dusk");
    assert_true(similarity(sunny, pictures[2]) < OTHER_DRIVER);
    free(silent);
    free(sunny);
    for (size_t i = 0; i < BASE_COUNT(looks); i++)
        free(pictures[i]);
}

/* The light follows the camera of the renderer's def, and stays when another camera draws. */
static void a_turning_camera_does_not_move_the_light(void **state)
{
    weir_camera front = usual(), side = usual();
    side.eye[0] = -2.0f;
    weir_renderer_def def = weir_renderer_def_default();
    def.scene = scene;
    uint8_t *own = draw_def(&def, &front);
    def.camera = &front;
    uint8_t *same = draw_def(&def, &front);
    def.camera = &side;
    uint8_t *turned = draw_def(&def, &front);
    assert_memory_equal(own, same, 4 * PIXELS);
    assert_true(similarity(own, turned) < OTHER_DRIVER);
    free(own);
    free(same);
    free(turned);
}

static void an_unknown_look_is_refused_with_the_nearest_name(void **state)
{
    weir_renderer *renderer = NULL;
    weir_renderer_def def = weir_renderer_def_default();
    def.look = "daylihgt";
    assert_int_equal(weir_renderer_create(device, &def, &renderer), WEIR_ERROR_ARGUMENT);
    assert_null(renderer);
    assert_string_equal(last_problem, "there is no look \"daylihgt\"; did you mean \"daylight\"?");
}

static void a_solid_has_its_colour(void **state)
{
    const size_t ball = 4 * (85 * WIDTH + 160), tile = 4 * (125 * WIDTH + 20);
    uint8_t *plain = draw_with("solids.ball.friction=0", "look={}");
    uint8_t *red = draw_with("solids.ball.colour=[0.8, 0.05, 0.05]", "look={}");
    assert_true(plain[ball] < 1.2 * plain[ball + 1] && red[ball] > 2 * red[ball + 1]);
    assert_memory_equal(plain + tile, red + tile, 4);
    free(plain);
    free(red);
}

static void the_same_frame_gives_the_same_bytes(void **state)
{
    const weir_camera view = usual();
    uint8_t *a = draw(scene, &view), *b = draw(scene, &view);
    assert_memory_equal(a, b, 4 * PIXELS);
    free(a);
    free(b);
}

static void a_transparent_picture_covers_what_the_opaque_one_shows(void **state)
{
    weir_camera view = usual();
    view.transparent = true;
    uint8_t *pixels = draw(scene, &view);
    uint32_t clear = 0, covered = 0;
    for (size_t i = 0; i < PIXELS; i++) {
        clear += pixels[4 * i + 3] == 0;
        covered += pixels[4 * i + 3] == 255;
    }
    assert_true(clear > PIXELS / 3 && covered > PIXELS / 8);
    assert_int_equal(pixels[3], 0); /* the sky */
    free(pixels);
}

static int write_goldens(void)
{
    open_all(NULL);
    for (size_t i = 0; i < BASE_COUNT(goldens); i++) {
        const weir_camera view = view_of(&goldens[i]);
        uint8_t *pixels = draw(scene, &view);
        png_image image = {.version = PNG_IMAGE_VERSION,
                           .width = WIDTH,
                           .height = HEIGHT,
                           .format = PNG_FORMAT_RGBA};
        if (!png_image_write_to_file(&image, goldens[i].path, 0, pixels, 0, NULL)) return 1;
        free(pixels);
    }
    return close_all(NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_like_the_stored_ones),
        cmocka_unit_test(a_picture_moved_by_a_pixel_is_another),
        cmocka_unit_test(an_unfiltered_picture_is_another),
        cmocka_unit_test(a_picture_without_absorption_is_another),
        cmocka_unit_test(water_takes_light_by_how_much_there_is),
        cmocka_unit_test(each_look_is_another_and_the_scenes_sun_stays),
        cmocka_unit_test(a_turning_camera_does_not_move_the_light),
        cmocka_unit_test(an_unknown_look_is_refused_with_the_nearest_name),
        cmocka_unit_test(a_solid_has_its_colour),
        cmocka_unit_test(the_same_frame_gives_the_same_bytes),
        cmocka_unit_test(a_transparent_picture_covers_what_the_opaque_one_shows),
    };
    if (argc == 2 && strcmp(argv[1], "--write") == 0) return write_goldens();
    return cmocka_run_group_tests(tests, open_all, close_all);
}

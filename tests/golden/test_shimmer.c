/* Shimmer: how much a calm surface flickers from frame to frame. The frames come from a simulated
 * pool at rest, whose particles still move by a hundredth of their spacing per frame; the measure
 * is the angle between a pixel's normals in two frames. When fluid and camera move together, the
 * picture stays the same: neither the grid nor the order of the particles is visible. */
#include "base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define OK(call) assert_int_equal((call), WEIR_OK)
#define WIDTH 320u
#define HEIGHT 180u
#define PIXELS ((size_t)WIDTH * HEIGHT)
#define SETTLING 120 /* frames */
#define FRAMES 5u
#define SPACING 0.04f

static const char scene_text[] =
    "{\"domain\": {\"min\": [0, 0, 0], \"max\": [0.6, 0.6, 0.6]}, \"spacing\": 0.04,"
    " \"frame_rate\": 60, \"camera\": {\"eye\": [0.9, 0.75, 1.2], \"target\": [0.3, 0.12, 0.3],"
    " \"fov\": 32}, \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"
    " {\"min\": [0, 0, 0], \"max\": [0.6, 0.25, 0.6]}}}}]}";

static weir_device *device;
static weir_scene *scene;
static weir_sim *sim;
static weir_renderer *renderer;
static float *positions[FRAMES]; /* [count][3], consecutive frames of the pool at rest */
static uint32_t count;

static void print_problem(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    print_error("  %s\n", text);
}

/* Stores positions by id, so that they can be passed in any order. */
static void keep_frame(uint32_t frame)
{
    OK(weir_sim_wait(sim));
    OK(weir_sim_get_particle_count(sim, &count));
    positions[frame] = malloc(3 * count * sizeof(float));
    assert_non_null(positions[frame]);
    OK(weir_sim_read_field(sim, WEIR_FIELD_POSITION, positions[frame], 3 * count * sizeof(float)));
}

static int open_all(void **state)
{
    weir_device_def def = weir_device_def_default();
    weir_scene_def scene_def = weir_scene_def_default();
    def.log = scene_def.log = (weir_log){.write = print_problem, .level = WEIR_LOG_ERROR};
    def.cache_folder = "";
    OK(weir_device_create(&def, &device));
    OK(weir_scene_parse(scene_text, sizeof scene_text - 1, &scene_def, &scene));
    OK(weir_sim_create(device, scene, &sim));
    weir_renderer_def renderer_def = weir_renderer_def_default();
    renderer_def.scene = scene;
    OK(weir_renderer_create(device, &renderer_def, &renderer));
    for (int i = 0; i < SETTLING; i++)
        OK(weir_sim_step(sim, 1.0 / 60));
    for (uint32_t i = 0; i < FRAMES; i++) {
        keep_frame(i);
        OK(weir_sim_step(sim, 1.0 / 60));
    }
    OK(weir_sim_wait(sim));
    return 0;
}

static int close_all(void **state)
{
    for (uint32_t i = 0; i < FRAMES; i++)
        free(positions[i]);
    weir_renderer_destroy(&renderer);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
    return 0;
}

/* ---- pictures ------------------------------------------------------------------------------- */

typedef struct drawing_style {
    weir_depth_filter filter;
    float moved[3]; /* offset of the fluid and the camera */
    bool shuffled;
} drawing_style;

static weir_points *make_points(uint32_t frame, const drawing_style *style)
{
    weir_points *points = NULL;
    float *moved = malloc(3 * count * sizeof(float));
    assert_non_null(moved);
    for (uint32_t i = 0; i < count; i++) /* 7919 is prime, so every particle occurs once */
        for (uint32_t k = 0; k < 3; k++)
            moved[3 * i + k] = positions[frame][3 * (style->shuffled ? i * 7919u % count : i) + k] +
                               style->moved[k];
    weir_points_def def = weir_points_def_default();
    def.count = count;
    def.spacing_m = SPACING;
    def.position = moved;
    OK(weir_points_create(device, &def, &points));
    free(moved);
    return points;
}

/* Renders a picture; release with free. */
static uint8_t *draw(uint32_t frame, const drawing_style *style, weir_render_mode mode)
{
    weir_points *points = make_points(frame, style);
    weir_image *image = NULL;
    weir_camera view = weir_camera_default(scene);
    const uint8_t *pixels;
    uint32_t width, height;
    uint8_t *copy = malloc(4 * PIXELS);
    assert_non_null(copy);
    view.width = WIDTH;
    view.height = HEIGHT;
    view.samples = 1;
    view.mode = mode;
    view.filter = style->filter;
    for (int k = 0; k < 3; k++) {
        view.eye[k] += style->moved[k];
        view.target[k] += style->moved[k];
    }
    OK(weir_render_points(renderer, points, &view, &image));
    OK(weir_image_read(image, &width, &height, &pixels));
    memcpy(copy, pixels, 4 * PIXELS);
    weir_image_destroy(&image);
    weir_points_release(&points);
    return copy;
}

/* Returns the unit normals of the frame's pixels, xyz; 0 without fluid. Release with free. */
static float *draw_normals(uint32_t frame, const drawing_style *style)
{
    uint8_t *pixels = draw(frame, style, WEIR_RENDER_MODE_NORMALS);
    float *normals = calloc(PIXELS, 3 * sizeof(float));
    assert_non_null(normals);
    for (size_t i = 0; i < PIXELS; i++) {
        float n[3], length = 0.0f;
        for (size_t k = 0; k < 3; k++) {
            n[k] = (float)pixels[4 * i + k] / 127.5f - 1.0f;
            length += n[k] * n[k];
        }
        for (size_t k = 0; k < 3 && n[0] + n[1] + n[2] > -3.0f; k++)
            normals[3 * i + k] = n[k] / sqrtf(length);
        if (n[0] + n[1] + n[2] > -3.0f && fabsf(sqrtf(length) - 1.0f) > 0.02f)
            fail_msg("pixel %zu: a normal %g long", i, (double)sqrtf(length));
    }
    free(pixels);
    return normals;
}

/* ---- measure -------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

typedef struct flicker {
    double mean, p99; /* angle between normals, degrees */
    size_t pixels;
    double light; /* mean change of the shaded picture over these pixels, in 1/255 */
} flicker;

/* Sums the change over all pixels and pairs of frames. */
static double change_of_light(const drawing_style *style)
{
    double sum = 0.0;
    uint8_t *before = draw(0, style, WEIR_RENDER_MODE_SURFACE);
    for (uint32_t frame = 1; frame < FRAMES; frame++) {
        uint8_t *after = draw(frame, style, WEIR_RENDER_MODE_SURFACE);
        for (size_t i = 0; i < 4 * PIXELS; i++)
            sum += abs(after[i] - before[i]) / 3.0;
        free(before);
        before = after;
    }
    free(before);
    return sum;
}

/* Measures the pixels that show fluid in both frames of each pair. */
static flicker measure(weir_depth_filter filter)
{
    const drawing_style style = {.filter = filter};
    float *angles = malloc((FRAMES - 1) * PIXELS * sizeof(float));
    float *before = draw_normals(0, &style);
    flicker f = {0};
    assert_non_null(angles);
    for (uint32_t frame = 1; frame < FRAMES; frame++) {
        float *after = draw_normals(frame, &style);
        for (size_t i = 0; i < PIXELS; i++) {
            const float *a = &before[3 * i], *b = &after[3 * i];
            const float cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            if (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] < 0.5f) continue;
            if (b[0] * b[0] + b[1] * b[1] + b[2] * b[2] < 0.5f) continue;
            angles[f.pixels] = 57.29578f * acosf(fminf(cosine, 1.0f));
            f.mean += (double)angles[f.pixels++];
        }
        free(before);
        before = after;
    }
    free(before);
    assert_true(f.pixels > PIXELS / 4);
    qsort(angles, f.pixels, sizeof *angles, by_value);
    f.mean /= (double)f.pixels;
    f.p99 = (double)angles[f.pixels * 99 / 100];
    f.light = change_of_light(&style) / (double)f.pixels;
    free(angles);
    return f;
}

static void a_pool_at_rest_does_not_shimmer(void **state)
{
    static const char *const names[WEIR_DEPTH_FILTER_COUNT] = {
        [WEIR_DEPTH_FILTER_NARROW_RANGE] = "narrow-range",
        [WEIR_DEPTH_FILTER_BILATERAL] = "bilateral",
        [WEIR_DEPTH_FILTER_CURVATURE_FLOW] = "curvature-flow",
        [WEIR_DEPTH_FILTER_NONE] = "none",
    };
    flicker f[WEIR_DEPTH_FILTER_COUNT];
    double moved = 0.0;
    for (uint32_t i = 0; i < 3 * count; i++)
        moved += pow((double)(positions[1][i] - positions[0][i]), 2.0);
    print_message("%u particles, each %.4f spacings from frame to frame\n", count,
                  sqrt(moved / count) / (double)SPACING);
    for (uint32_t i = 0; i < WEIR_DEPTH_FILTER_COUNT; i++) {
        f[i] = measure((weir_depth_filter)i);
        print_message(
            "%-14s normals turn by %.3f degrees, p99 %.2f; light changes by %.2f of 255\n",
            names[i], f[i].mean, f[i].p99, f[i].light);
    }
    const flicker best = f[WEIR_DEPTH_FILTER_NARROW_RANGE];
    assert_true(best.mean < 0.3 * f[WEIR_DEPTH_FILTER_NONE].mean);
    assert_true(best.light < 0.4 * f[WEIR_DEPTH_FILTER_NONE].light);
    assert_true(best.mean < f[WEIR_DEPTH_FILTER_BILATERAL].mean);
    assert_true(best.mean < f[WEIR_DEPTH_FILTER_CURVATURE_FLOW].mean);
}

static void a_body_that_moves_with_the_camera_stands_still(void **state)
{
    static const drawing_style styles[] = {
        {.moved = {0.0111f, 0.0037f, -0.0173f}},
        {.moved = {0.4f, 0.2f, 0.1f}},
        {.shuffled = true},
        {.moved = {-0.0203f, 0.0f, 0.0071f}, .shuffled = true},
    };
    const drawing_style plain = {0};
    float *still = draw_normals(0, &plain);
    for (size_t w = 0; w < BASE_COUNT(styles); w++) {
        float *other = draw_normals(0, &styles[w]);
        size_t changed = 0;
        for (size_t i = 0; i < 3 * PIXELS; i++)
            changed += fabsf(still[i] - other[i]) > 0.02f; /* two and a half steps of a byte */
        if (changed > PIXELS / 5000) fail_msg("style %zu: %zu values differ", w, changed);
        free(other);
    }
    free(still);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_at_rest_does_not_shimmer),
        cmocka_unit_test(a_body_that_moves_with_the_camera_stands_still),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}

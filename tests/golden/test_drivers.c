/* Renders one scene with two drivers, lavapipe and SwiftShader: they cover the same pixels, and
 * their values agree by quantiles and by the fraction of pixels in which a different splat won at a
 * rim. Skipped where the second driver is not installed. */
#define _POSIX_C_SOURCE 200809L
#include "renderer_internal.h"
#include "scene_text.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#define OK(call) assert_int_equal((call), WEIR_OK)
#define SKIPPED 77
#define WIDTH 320u
#define HEIGHT 180u
#define PIXELS ((size_t)WIDTH * HEIGHT)

/* The images that one driver made of the scene. */
typedef struct seen {
    float nearest[PIXELS], filtered[PIXELS], thickness[PIXELS / 2]; /* at half the resolution */
    uint8_t shown[4 * PIXELS];
} seen;

static seen *lavapipe, *other;

static void print_problem(void *user, weir_log_level level, const char *text)
{
    (void)user, (void)level;
    print_error("  %s\n", text);
}

/* A jittered pool with a wave, and drops above it. */
static weir_points *make_points(weir_device *device)
{
    BASE_ARRAY(float) p = {0};
    weir_points *points = NULL;
    for (int i = 0; i < 28 * 20 * 12; i++) {
        float at[3] = {0.05f * (float)(i % 28), 0.05f * (float)(i / 560),
                       0.05f * (float)(i / 28 % 20)};
        if (at[1] > 0.22f + 0.15f * cosf(4.5f * at[0]) + 0.04f * cosf(9.0f * at[2])) continue;
        for (int k = 0; k < 3; k++) {
            float jitter = 0.012f * base_hash_to_unit(p.count);
            assert_true(BASE_ARRAY_PUSH(&p, at[k] + 0.019f + jitter));
        }
    }
    for (uint64_t i = 0; i < 60; i++)
        assert_true(BASE_ARRAY_PUSH(&p, 0.4f + 0.5f * base_hash_to_unit(900 + i)));
    weir_points_def def = weir_points_def_default();
    def.count = (uint32_t)(p.count / 3);
    def.spacing_m = 0.05f;
    def.position = p.items;
    OK(weir_points_create(device, &def, &points));
    BASE_ARRAY_FREE(&p);
    return points;
}

static void read_buffers(const weir_renderer *renderer, seen *out)
{
    gpu_device *gpu = renderer->device->gpu;
    render_debug_image_set buffers = render_debug_images(renderer->render);
    assert_int_equal(gpu_image_format(buffers.half_thickness), GPU_RG32F);
    OK(gpu_image_download(gpu, buffers.filtered, out->filtered));
    OK(gpu_image_download(gpu, buffers.half_thickness, out->thickness));
}

/* Passes that modify the surface reuse its first image. */
static void read_unfiltered(weir_renderer *renderer, const weir_points *points, weir_camera view,
                            seen *out)
{
    weir_image *image = NULL;
    view.filter = WEIR_DEPTH_FILTER_NONE;
    OK(weir_render_points(renderer, points, &view, &image));
    render_debug_image_set buffers = render_debug_images(renderer->render);
    OK(gpu_image_download(renderer->device->gpu, buffers.nearest, out->nearest));
    weir_image_destroy(&image);
}

static seen *draw_on(const char *name)
{
    seen *out = calloc(1, sizeof *out);
    weir_device *device = NULL;
    weir_scene *scene = NULL;
    weir_renderer *renderer = NULL;
    weir_image *image = NULL;
    uint32_t width, height;
    const uint8_t *pixels;
    weir_device_def def = weir_device_def_default();
    weir_scene_def scene_def = weir_scene_def_default();
    weir_renderer_def renderer_def = weir_renderer_def_default();
    def.log = scene_def.log = (weir_log){.write = print_problem, .level = WEIR_LOG_WARNING};
    def.device = name;
    def.cache_folder = "";
    assert_non_null(out);
    OK(weir_device_create(&def, &device));
    OK(weir_scene_parse(scene_text("drivers"), strlen(scene_text("drivers")), &scene_def, &scene));
    renderer_def.scene = scene;
    OK(weir_renderer_create(device, &renderer_def, &renderer));
    weir_points *points = make_points(device);
    weir_camera view = weir_camera_default(scene);
    view.width = WIDTH;
    view.height = HEIGHT;
    OK(weir_render_points(renderer, points, &view, &image));
    OK(weir_image_read(image, &width, &height, &pixels));
    memcpy(out->shown, pixels, sizeof out->shown);
    read_buffers(renderer, out);
    weir_image_destroy(&image);
    read_unfiltered(renderer, points, view, out);
    weir_points_release(&points);
    weir_renderer_destroy(&renderer);
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
    return out;
}

static int draw_both(void **state)
{
    lavapipe = draw_on("llvmpipe");
    other = draw_on("SwiftShader");
    return 0;
}

static int let_go(void **state)
{
    free(lavapipe);
    free(other);
    return 0;
}

/* ---- differences ---------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the maximum of the smallest `share` of the differences. */
static double quantile(double *differences, size_t count, double share)
{
    qsort(differences, count, sizeof *differences, by_size);
    return differences[(size_t)(share * (double)(count - 1))];
}

/* Computes relative differences where both images have a value; returns the number of such
 * pixels. */
static size_t differ(const float *a, const float *b, size_t pixels, size_t stride, double *out)
{
    size_t count = 0;
    for (size_t i = 0; i < pixels; i++) {
        double u = (double)a[stride * i], v = (double)b[stride * i];
        if (u > 0.0 && v > 0.0) out[count++] = fabs(u - v) / fmax(u, v);
    }
    return count;
}

static size_t count_above(const double *differences, size_t count, double limit)
{
    size_t above = 0;
    for (size_t i = 0; i < count; i++)
        above += differences[i] > limit;
    return above;
}

static void both_cover_the_same_pixels(void **state)
{
    size_t covered = 0, apart = 0;
    for (size_t i = 0; i < PIXELS; i++) {
        covered += lavapipe->nearest[i] > 0.0f;
        apart += (lavapipe->nearest[i] > 0.0f) != (other->nearest[i] > 0.0f);
    }
    assert_true(covered > PIXELS / 10);
    if (apart > covered / 20000)
        fail_msg("%zu of %zu pixels are covered by one alone", apart, covered);
}

static void depths_agree_but_where_another_splat_wins(void **state)
{
    static double d[PIXELS];
    size_t count = differ(lavapipe->nearest, other->nearest, PIXELS, 1, d);
    double median = quantile(d, count, 0.5), most = quantile(d, count, 0.999);
    size_t outliers = count_above(d, count, 1e-3);
    print_message("depth: median %.1e, 99.9 %% within %.1e, %zu of %zu farther apart than 1e-3\n",
                  median, most, outliers, count);
    assert_true(median < 1e-6 && most < 1e-5);
    assert_true((double)outliers <= 5e-5 * (double)count);
}

/* The filter spreads differences over its width. */
static void filtered_depths_and_thickness_agree(void **state)
{
    static double d[PIXELS];
    size_t count = differ(lavapipe->filtered, other->filtered, PIXELS, 1, d);
    double most = quantile(d, count, 0.999);
    print_message("filtered depth: 99.9 %% within %.1e\n", most);
    assert_true(most < 3e-4);
    count = differ(lavapipe->thickness, other->thickness, PIXELS / 4, 2, d);
    double median = quantile(d, count, 0.5);
    most = quantile(d, count, 0.999);
    print_message("thickness: median %.1e, 99.9 %% within %.1e\n", median, most);
    assert_true(median < 1e-5 && most < 1e-2);
}

static void pictures_agree(void **state)
{
    static double d[4 * PIXELS];
    double sum = 0.0;
    for (size_t i = 0; i < 4 * PIXELS; i++) {
        d[i] = abs(lavapipe->shown[i] - other->shown[i]);
        sum += d[i];
    }
    double most = quantile(d, 4 * PIXELS, 0.999);
    size_t outliers = count_above(d, 4 * PIXELS, 16.0);
    print_message("pictures: mean %.4f, 99.9 %% within %g of 255, %zu of %zu beyond 16\n",
                  sum / (4.0 * PIXELS), most, outliers, 4 * PIXELS);
    assert_true(sum / (4.0 * PIXELS) < 0.05 && most <= 2.0);
    assert_true((double)outliers <= 1e-4 * (double)(4 * PIXELS));
}

/* Pictures that the measures must reject: neighbouring pixels' values, the unfiltered surface. */
static void other_pictures_do_not_agree(void **state)
{
    static double d[PIXELS];
    static float moved[PIXELS];
    memcpy(moved + 1, lavapipe->nearest, sizeof moved - sizeof *moved);
    size_t count = differ(lavapipe->nearest, moved, PIXELS, 1, d);
    assert_true(quantile(d, count, 0.5) > 1e-6);
    count = differ(lavapipe->filtered, lavapipe->nearest, PIXELS, 1, d);
    assert_true(quantile(d, count, 0.999) > 3e-4);
}

#define SWIFTSHADER "/usr/lib/chromium/vk_swiftshader_icd.json"

/* SwiftShader is outside the loader's folders; this adds it to the drivers in the environment. */
static void add_swiftshader(void)
{
    static const char *const names[] = {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"};
    setenv("VK_ADD_DRIVER_FILES", SWIFTSHADER, 0);
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        const char *files = getenv(names[i]);
        char both[1024];
        if (!files || strstr(files, SWIFTSHADER)) continue;
        snprintf(both, sizeof both, "%s:%s", files, SWIFTSHADER);
        setenv(names[i], both, 1);
    }
}

static bool both_are_there(void)
{
    bool found[2] = {false, false};
    weir_device_info infos[8];
    uint32_t count = BASE_COUNT(infos);
    add_swiftshader();
    if (weir_device_list(NULL, infos, &count) != WEIR_OK) return false;
    for (uint32_t i = 0; i < count && i < BASE_COUNT(infos); i++) {
        found[0] |= strstr(infos[i].name, "llvmpipe") && !infos[i].unsupported_reason[0];
        found[1] |= strstr(infos[i].name, "SwiftShader") && !infos[i].unsupported_reason[0];
    }
    return found[0] && found[1];
}

int main(void)
{
    if (!both_are_there()) {
        printf("skipped: lavapipe and SwiftShader are not both there: tools/setup "
               "--with-swiftshader installs the second\n");
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_cover_the_same_pixels),
        cmocka_unit_test(depths_agree_but_where_another_splat_wins),
        cmocka_unit_test(filtered_depths_and_thickness_agree),
        cmocka_unit_test(pictures_agree),
        cmocka_unit_test(other_pictures_do_not_agree),
    };
    return cmocka_run_group_tests(tests, draw_both, let_go);
}

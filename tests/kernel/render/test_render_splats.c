/* Compares splats with a ray cast in double precision: depth and thickness of every pixel. */
#include "render_support.h"

typedef struct tally {
    uint32_t covered, missing, extra;
    uint32_t clear; /* pixels with a surface but without thickness */
    double depth_max, depth_sum, thickness_max;
} tally;

#define EDGE 1e-5 /* pixels nearer to a silhouette may be covered or not */
#define RIM 1e-2  /* nearer than this, a chord is the root of a difference of float32 numbers */

/* `scale`: the thickness per metre of one splat; below a hundredth of it, errors are negligible. A
 * thickness below 0 is not compared. */
static void compare_pixel(tally *t, const ref_pixel *expected, float inverse, double thickness,
                          double scale)
{
    bool there = inverse > 0.0f, wanted = expected->depth > 0.0;
    t->covered += wanted;
    if (there != wanted && expected->edge > EDGE) {
        t->missing += wanted;
        t->extra += there;
    }
    if (!there || !wanted) return;
    double depth = fabs(1.0 / (double)inverse / expected->depth - 1.0);
    t->depth_sum += depth;
    t->depth_max = fmax(t->depth_max, depth);
    if (expected->edge > RIM && thickness >= 0.0)
        t->thickness_max = fmax(t->thickness_max, fabs(thickness - expected->thickness) /
                                                      (expected->thickness + 0.01 * scale));
}

static tally compare(renderer *r, const weir_camera *view, const splats *s)
{
    tally t = {0};
    shot made = shoot(r, view, s);
    render_debug_image_set buffers = render_debug_images(r);
    ref_camera camera = camera_of(view);
    float *inverse = read_image(buffers.nearest), *thickness = read_thickness(buffers.thickness);
    bool *sampled = read_sampled(r);
    for (uint32_t y = 0; y < view->height; y++)
        for (uint32_t x = 0; x < view->width; x++) {
            size_t i = (size_t)y * view->width + x;
            ref_pixel expected = ref_pixel_trace(s->references, s->count, &camera, x, y);
            t.clear += inverse[i] > 0.0f && !(thickness[2 * i] > 0.0f);
            compare_pixel(&t, &expected, inverse[i], sampled[i] ? (double)thickness[2 * i] : -1.0,
                          s->references[0].scale);
        }
    free(inverse);
    free(thickness);
    free(sampled);
    free_shot(&made);
    return t;
}

static void assert_exact(const tally *t, const char *what)
{
    bool good = t->missing == 0 && t->extra == 0 && t->clear == 0 && t->depth_max <= 1e-4 &&
                t->thickness_max <= 2e-3 && t->depth_sum <= 1e-6 * (1.0 + t->covered);
    if (!good)
        fail_msg("%s: %u pixels, %u missing, %u extra, %u without thickness, depth off by %g "
                 "(mean %g), thickness by %g",
                 what, t->covered, t->missing, t->extra, t->clear, t->depth_max,
                 t->depth_sum / (1.0 + t->covered), t->thickness_max);
}

/* ---- one ellipsoid -------------------------------------------------------------------------- */

typedef struct single {
    const char *what;
    vec3 centre, radii;
    float fov, near;
    uint32_t least; /* minimum number of covered pixels */
} single;

static const single singles[] = {
    {"sphere in the middle", {0, 0, 0}, {1, 1, 1}, 40, 0.1f, 3000},
    {"sphere 35 degrees aside", {6.6f, 0, 0}, {1, 1, 1}, 75, 0.1f, 800},
    {"needle", {0.3f, -0.2f, 1}, {0.25f, 2, 0.25f}, 40, 0.1f, 1000},
    {"disc", {-0.5f, 0.4f, 2}, {1.5f, 1.5f, 0.1f}, 40, 0.1f, 3000},
    {"disc on edge", {0, 0, 2}, {0.05f, 1.5f, 1.5f}, 40, 0.1f, 100},
    {"centre outside of the picture", {9.3f, 0, 0}, {2, 1, 2}, 75, 0.1f, 300},
    {"far away", {0, 0, -190}, {2, 2, 2}, 10, 0.1f, 300},
    {"very near", {0, 0, 8.5f}, {1.2f, 1.2f, 1.2f}, 90, 0.1f, 20000},
    {"cut by the near plane", {0.2f, 0.1f, 9.3f}, {0.5f, 0.6f, 0.5f}, 90, 0.5f, 5000},
    {"camera inside", {0, 0, 9.8f}, {1, 0.7f, 1.3f}, 90, 0.05f, 200000},
    {"beside the eye", {1.2f, 0, 10}, {1, 0.3f, 1.5f}, 90, 0.05f, 100},
};

static void one_ellipsoid_is_drawn_to_the_pixel(void **state)
{
    const render_look look = plain_look();
    renderer *r = make_renderer(&look, NULL);
    splats s = make_splats(1);
    for (size_t i = 0; i < BASE_COUNT(singles); i++) {
        const single *one = &singles[i];
        weir_camera view = make_view(641, 361);
        view.fov_y_degrees = one->fov;
        view.near_m = one->near;
        set_splat(&s, 0, one->centre, one->radii,
                  quat_from_axis_angle(vec3_make(0.6f, 0.0f, 0.8f), i % 2 ? 0.4f : 0.0f));
        tally t = compare(r, &view, &s);
        assert_exact(&t, one->what);
        if (t.covered < one->least) fail_msg("%s covers %u pixels", one->what, t.covered);
    }
    free_splats(&s);
    render_destroy(&r);
}

static void an_ellipsoid_behind_the_eye_is_not_drawn(void **state)
{
    const render_look look = plain_look();
    renderer *r = make_renderer(&look, NULL);
    splats s = make_splats(1);
    const weir_camera view = make_view(161, 91);
    set_splat(&s, 0, vec3_make(0.0f, 0.0f, 12.0f), vec3_make(1.0f, 1.0f, 1.0f), quat_identity());
    tally t = compare(r, &view, &s);
    assert_exact(&t, "behind");
    assert_int_equal(t.covered, 0);
    free_splats(&s);
    render_destroy(&r);
}

/* ---- many ellipsoids ------------------------------------------------------------------------ */

static splats scatter(uint32_t count, float size, float extent)
{
    splats s = make_splats(count);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t k = 16ull * i;
        float u[9];
        for (uint32_t j = 0; j < 9; j++)
            u[j] = base_hash_to_unit(k + j) - 0.5f;
        vec3 axis = {u[6], u[7], u[8]};
        axis = vec3_scale(axis, 1.0f / vec3_length(axis));
        set_splat(&s, i, vec3_make(extent * u[0], extent * u[1], extent * u[2]),
                  vec3_make(size * (1.2f + u[3]), size * (1.2f + u[4]), size * (0.7f + u[5])),
                  quat_from_axis_angle(axis, 3.0f * (u[3] + u[4])));
    }
    return s;
}

static void hundreds_of_ellipsoids_are_drawn_to_the_pixel(void **state)
{
    const render_look look = plain_look();
    renderer *r = make_renderer(&look, NULL);
    splats s = scatter(500, 0.5f, 8.0f), near = scatter(300, 1.6f, 26.0f);
    for (uint32_t i = 0; i < s.count; i += 2) /* the others may be hidden by these */
        s.centres[i].w = 0.5f;
    weir_camera view = make_view(320, 181);
    view.eye[2] = 12.0f;
    tally t = compare(r, &view, &s);
    assert_exact(&t, "500");
    assert_true(t.covered > 10000);
    view.eye[2] = 1.0f; /* among them */
    view.fov_y_degrees = 90.0f;
    t = compare(r, &view, &near);
    assert_exact(&t, "300 around the eye");
    free_splats(&s);
    free_splats(&near);
    render_destroy(&r);
}

/* ---- alternative paths ---------------------------------------------------------------------- */

static void assert_same_images(renderer *a, renderer *b, double most)
{
    render_debug_image_set x = render_debug_images(a), y = render_debug_images(b);
    float *near_a = read_image(x.nearest), *near_b = read_image(y.nearest);
    float *thick_a = read_thickness(x.thickness), *thick_b = read_thickness(y.thickness);
    bool *sampled = read_sampled(a); /* the compute splatter does not interpolate */
    size_t pixels = (size_t)gpu_image_width(x.nearest) * gpu_image_height(x.nearest);
    for (size_t i = 0; i < pixels; i++) {
        /* At most one bit of difference: two shaders may contract their arithmetic differently. */
        assert_true(fabs((double)(near_a[i] - near_b[i])) <= 2e-6 * (double)near_a[i]);
        double t = (double)thick_a[2 * i];
        if (sampled[i]) assert_true(fabs(t - (double)thick_b[2 * i]) <= most * (0.01 + t));
    }
    free(near_a);
    free(near_b);
    free(thick_a);
    free(thick_b);
    free(sampled);
}

static void all_splatters_give_the_same_picture(void **state)
{
    const render_look look = plain_look();
    renderer *both = make_renderer(&look, NULL), *twice = make_renderer(&look, NULL);
    renderer *computed = make_renderer(&look, NULL);
    splats s = scatter(300, 0.6f, 7.0f);
    for (uint32_t i = 0; i < s.count; i += 3) /* some have no neighbours and are drops */
        s.centres[i].w = 0.01f * (float)(i % 25);
    weir_camera view = make_view(213, 121);
    shot a = shoot(both, &view, &s);
    render_disable_blending(twice);
    shot b = shoot(twice, &view, &s);
    view.splat_method = WEIR_SPLAT_COMPUTE;
    shot c = shoot(computed, &view, &s);
    assert_same_images(both, twice, 1e-6);
    assert_same_images(both, computed, 1e-3);
    run_from(computed, "splat_clear_lists"); /* the buffers must have been left clean */
    assert_same_images(both, computed, 1e-3);
    free_shot(&a);
    free_shot(&b);
    free_shot(&c);
    free_splats(&s);
    render_destroy(&both);
    render_destroy(&twice);
    render_destroy(&computed);
}

/* ---- volume --------------------------------------------------------------------------------- */

/* The sun's rays are parallel: thickness times the texel area sums to the volume of the fluid. */
static void thickness_sums_up_to_the_volume(void **state)
{
    render_look look = plain_look();
    look.bulk_radius = 0.9f;
    look.drop_radius = 0.62f;
    renderer *r = make_renderer(&look, NULL);
    splats s = make_splats(9 * 7 * 8);
    for (uint32_t i = 0; i < s.count; i++)
        s.centres[i] =
            (vec4){(float)(i % 9) - 4.0f, (float)(i / 9 % 7) - 3.0f, (float)(i / 63) - 4.0f, 1.0f};
    weir_camera view = make_view(64, 36);
    view.shadows = true;
    const gpu_buffer_def buffer = {.name = "positions", .stride = 16, .count = s.count};
    const gpu_image_def image = {"target", GPU_RGBA8, 64, 36};
    gpu_buffer *positions = NULL;
    gpu_image *target = NULL;
    uint64_t ticket;
    OK(gpu_buffer_create(device, &buffer, &positions));
    OK(gpu_image_create(device, &image, &target));
    OK(gpu_buffer_upload(device, positions, 0, s.centres, s.count * sizeof(vec4)));
    const particle_view points = {
        .count = s.count, .spacing_m = 1.0f, .radius_m = 2.0f, .position = positions};
    const render_frame frame = {.view = &view, .points = &points};
    OK(render_draw(r, &frame, target, &ticket));
    OK(gpu_ticket_wait(device, ticket));
    struct render_params params;
    OK(gpu_buffer_download(device, r->params[0], 0, &params, sizeof params));
    const render_camera *sun = &params.cameras[RENDER_CAMERA_SUN];
    double texel = 4.0 * (double)sun->right.w * (double)sun->up.w * (double)sun->frame.z *
                   (double)sun->frame.w;
    float *thickness = read_thickness(r->shadow.thickness);
    double volume = 0.0;
    for (size_t i = 0; i < (size_t)r->shadow.size * r->shadow.size; i++)
        volume += texel * (double)thickness[2 * i];
    if (!(fabs(volume / s.count - 1.0) < 0.01)) fail_msg("%u m3 became %g", s.count, volume);
    free(thickness);
    gpu_buffer_destroy(device, &positions);
    gpu_image_destroy(device, &target);
    free_splats(&s);
    render_destroy(&r);
}

/* ---- spray ---------------------------------------------------------------------------------- */

/* A single particle at the origin, in a picture that is 8.7 spacings wide there. */
typedef struct alone {
    float spacing, speed;       /* speed along y */
    float far;                  /* distance of the eye, spacings */
    float *inverse, *thickness; /* [2] per pixel */
    bool *sampled;
    ref_camera camera;
} alone;

#define ACROSS 301u /* pixels */

static alone draw_alone(float spacing, float speed, float far)
{
    static const render_liquid clear = {.colour = {1.0f, 1.0f, 1.0f}, .density = 1000.0f};
    const float half = 10.0f * spacing;
    const render_def def = {.min = {-half, -half, -half},
                            .max = {half, half, half},
                            .liquids = &clear,
                            .liquid_count = 1,
                            .look = render_look_default()};
    renderer *r = NULL;
    OK(render_create(device, &def, &r));
    weir_camera view = make_view(ACROSS, ACROSS);
    view.mode = WEIR_RENDER_MODE_THICKNESS; /* the picture of the surface has spray instead */
    view.fov_y_degrees = 114.59156f * atanf(4.363323f / far);
    view.eye[2] = far * spacing;
    view.near_m = 0.2f * far * spacing;
    draw_lone_particle(r, &view, spacing, (vec4){0.0f, speed, 0.0f, 0.0f});
    render_debug_image_set buffers = render_debug_images(r);
    alone one = {spacing,
                 speed,
                 far,
                 read_image(buffers.nearest),
                 read_thickness(buffers.thickness),
                 read_sampled(r),
                 camera_of(&view)};
    render_destroy(&r);
    return one;
}

static void free_alone(alone *one)
{
    free(one->inverse);
    free(one->thickness);
    free(one->sampled);
}

typedef struct cloud {
    double volume, xx, yy; /* m3; second moments: m5 */
} cloud;

/* Renders from so far away that a pixel has the same width at all depths. */
static cloud measure_alone(float spacing, float speed)
{
    alone one = draw_alone(spacing, speed, 500.0f);
    double pixel = 2.0 * 4.363323 * (double)spacing / ACROSS;
    cloud c = {0};
    for (uint32_t i = 0; i < ACROSS * ACROSS; i++) {
        double x = pixel * (i % ACROSS - 150.0), y = pixel * (i / ACROSS - 150.0),
               m = (double)one.thickness[2 * i];
        c.volume += m * pixel * pixel;
        c.xx += m * x * x * pixel * pixel;
        c.yy += m * y * y * pixel * pixel;
    }
    free_alone(&one);
    return c;
}

/* Returns the moment along x over that of a ball with the particle's volume. */
static double spread(const cloud *c, double spacing)
{
    return c->xx / (0.2 * 0.62035 * 0.62035 * pow(spacing, 5.0));
}

static void a_particle_alone_is_drops_of_its_volume_along_its_motion(void **state)
{
    cloud rest = measure_alone(0.025f, 0.0f), fast = measure_alone(0.025f, 7.8f);
    cloud small = measure_alone(0.004f, 0.0f); /* a drop that does not break up is one ball */
    double longer = sqrt(fast.yy / fast.xx * rest.xx / rest.yy);
    print_message("  spread %g, of a small one %g; longer by %g; volumes %g, %g, %g\n",
                  spread(&rest, 0.025), spread(&small, 0.004), longer,
                  rest.volume / pow(0.025, 3.0), fast.volume / pow(0.025, 3.0),
                  small.volume / pow(0.004, 3.0));
    /* Linear interpolation of the thickness cuts the rims of balls. */
    assert_true(fabs(rest.volume / pow(0.025, 3.0) - 1.0) < 0.03);
    assert_true(fabs(fast.volume / pow(0.025, 3.0) - 1.0) < 0.03);
    assert_true(fabs(small.volume / pow(0.004, 3.0) - 1.0) < 0.03);
    assert_true(spread(&rest, 0.025) > 1.9 && fabs(spread(&small, 0.004) - 1.0) < 0.03);
    /* Motion stretches the cloud, 2.6 spacings wide, by the 65 mm of half a frame's time; its drops
     * are smaller and extend farther. */
    assert_true(fabs(longer - 2.0) < 0.1);
}

/* ---- drop by drop --------------------------------------------------------------------------- */

#define DROPS 8u
#define WIDE 1.9 /* size of a cloud of drops over that of the drop it replaces */

typedef struct drop {
    double at[3], radius; /* in the unit ball that the particle's drops fill */
} drop;

static uint32_t hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static drop place_drop(uint32_t seed, uint32_t k, double mean, double wide)
{
    uint32_t h = hash(seed + k * 0x9e3779b9u);
    drop d = {{(h & 1023u) / 511.5 - 1.0, (h >> 10 & 1023u) / 511.5 - 1.0,
               (h >> 20 & 1023u) / 511.5 - 1.0},
              0.0};
    double length = 0.0, most = 0.0, size = 5.3 * (d.at[0] + d.at[1] + d.at[2]);
    for (int i = 0; i < 3; i++) {
        length += d.at[i] * d.at[i];
        most = fmax(most, fabs(d.at[i]));
    }
    d.radius = mean * (0.35 + 1.15 * pow(size - floor(size), 3.0));
    for (int i = 0; i < 3; i++)
        d.at[i] *= most / fmax(sqrt(length), 1e-3) * fmax(1.0 - wide * d.radius, 0.0);
    return d;
}

/* Lists `drops` drops as ellipsoids stretched by the motion; each consists of `parts` drops if
 * `parts` is not 1. */
static uint32_t list_drops(const alone *one, uint32_t parts, ref_ellipsoid *list)
{
    double ball = 1.3 * (double)one->spacing, wide = parts > 1 ? WIDE : 1.0;
    double axes[3] = {ball, ball + 0.5 * (double)RENDER_SHUTTER_S * (double)one->speed, -ball};
    double share = pow((double)one->spacing, 3.0) / (4.18879020478639 * axes[0] * axes[1] * ball);
    double mean = cbrt(share / (0.499 * DROPS)), sum = 0.0;
    drop outer[DROPS], inner[DROPS][DROPS];
    double sums[DROPS] = {0};
    for (uint32_t k = 0; k < DROPS; k++) {
        outer[k] = place_drop(0, k, mean, wide);
        sum += pow(outer[k].radius, 3.0);
        for (uint32_t m = 0; m < parts; m++) {
            drop *d = &inner[k][m], in = {{0.0, 0.0, 0.0}, 1.0};
            if (parts > 1) in = place_drop(hash(k), m, cbrt(1.0 / (0.499 * parts)) / WIDE, 1.0);
            d->radius = wide * outer[k].radius * in.radius;
            for (int i = 0; i < 3; i++)
                d->at[i] = outer[k].at[i] + wide * outer[k].radius * in.at[i];
            sums[k] += pow(d->radius, 3.0);
        }
    }
    for (uint32_t k = 0; k < DROPS * parts; k++) {
        const drop *d = &inner[k / parts][k % parts];
        double a[3][3] = {{0}}, at[3];
        for (int i = 0; i < 3; i++) {
            at[i] = axes[i] * d->at[i];
            a[i][i] = fabs(axes[i]) * d->radius;
        }
        list[k] = ref_ellipsoid_create(
            at, a, share * pow(outer[k / parts].radius, 3.0) / (sum * sums[k / parts]));
    }
    return DROPS * parts;
}

static void assert_drops(float spacing, float speed, uint32_t parts)
{
    alone one = draw_alone(spacing, speed, 10.0f);
    ref_ellipsoid list[DROPS * DROPS];
    uint32_t count = list_drops(&one, parts, list);
    tally t = {0};
    for (uint32_t i = 0; i < ACROSS * ACROSS; i++) {
        ref_pixel expected = ref_pixel_trace(list, count, &one.camera, i % ACROSS, i / ACROSS);
        compare_pixel(&t, &expected, one.inverse[i],
                      one.sampled[i] ? (double)one.thickness[2 * i] : -1.0, list[0].scale);
    }
    print_message("  %u drops: %u pixels, %u missing, %u extra, depth %g, thickness %g\n", count,
                  t.covered, t.missing, t.extra, t.depth_max, t.thickness_max);
    assert_exact(&t, "drops");
    assert_true(t.covered > 1000);
    free_alone(&one);
}

/* Drops have a diameter of 6 mm where the particle has the volume for it; there are at most 64. */
static void a_particle_alone_is_drawn_drop_by_drop(void **state)
{
    assert_drops(0.01f, 0.0f, 1);
    assert_drops(0.015f, 0.0f, 4);
    assert_drops(1.0f, 0.0f, 8);
    assert_drops(1.0f, 150.0f, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_ellipsoid_is_drawn_to_the_pixel),
        cmocka_unit_test(an_ellipsoid_behind_the_eye_is_not_drawn),
        cmocka_unit_test(hundreds_of_ellipsoids_are_drawn_to_the_pixel),
        cmocka_unit_test(all_splatters_give_the_same_picture),
        cmocka_unit_test(thickness_sums_up_to_the_volume),
        cmocka_unit_test(a_particle_alone_is_drops_of_its_volume_along_its_motion),
        cmocka_unit_test(a_particle_alone_is_drawn_drop_by_drop),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}

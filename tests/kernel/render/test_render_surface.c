/* Tests the screen-space filter, normals, and light at the surface against closed forms. */
#include "render_support.h"

#define WIDTH 320u
#define HEIGHT 240u
#define PIXELS ((size_t)WIDTH * HEIGHT)

/* ---- surfaces by hand ----------------------------------------------------------------------- */

typedef struct bench {
    renderer *r;
    weir_camera view;
    shot shot;
    splats nothing;
    ref_camera camera;
    float *surface;
} bench;

/* Records a frame whose 1/z the test fills in. */
static bench open_bench(weir_depth_filter filter, weir_render_mode mode)
{
    bench b = {.view = make_view(WIDTH, HEIGHT), .nothing = make_splats(1)};
    const render_look look = plain_look();
    b.r = make_renderer(&look, NULL);
    b.view.filter = filter;
    b.view.filter_size = 1.0f;
    b.view.mode = mode;
    set_splat(&b.nothing, 0, vec3_make(0.0f, 0.0f, 50.0f), vec3_make(1.0f, 1.0f, 1.0f),
              quat_identity());
    b.shot = shoot(b.r, &b.view, &b.nothing);
    b.camera = camera_of(&b.view);
    b.surface = base_alloc(PIXELS, sizeof(float));
    assert_non_null(b.surface);
    return b;
}

static void close_bench(bench *b)
{
    free_shot(&b->shot);
    free_splats(&b->nothing);
    render_destroy(&b->r);
    base_free(b->surface);
}

/* Writes the surface with the thickness of bulk fluid, then runs from the named pass on. */
static void run_on(bench *b, const char *pass)
{
    float *thick = base_alloc(PIXELS, 2 * sizeof(float));
    assert_non_null(thick);
    for (size_t i = 0; i < 2 * PIXELS; i++)
        thick[i] = b->surface[i / 2] > 0.0f ? 1.0f : 0.0f;
    OK(gpu_image_upload(device, b->r->images.surface[0], b->surface));
    upload_thickness(b->r->images.thickness, thick);
    base_free(thick);
    run_from(b->r, pass);
}

static void fill_plane(bench *b, double tilt)
{
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            double sx = (2.0 * (x + 0.5) / WIDTH - 1.0) * b->camera.tangent_x;
            /* n . P = c with n = (sin, 0, -cos) */
            double w = (cos(tilt) - sx * sin(tilt)) / (20.0 * cos(tilt));
            b->surface[(size_t)y * WIDTH + x] = w > 0.0 ? (float)w : 0.0f;
        }
}

/* Returns the depth at which the ray of pixel x, y meets a sphere on the axis; 0 if it misses. */
static double sphere_depth(const bench *b, double distance, double radius, uint32_t x, uint32_t y)
{
    double sx = (2.0 * (x + 0.5) / WIDTH - 1.0) * b->camera.tangent_x;
    double sy = (1.0 - 2.0 * (y + 0.5) / HEIGHT) * b->camera.tangent_y;
    double a = 1.0 + sx * sx + sy * sy,
           disc = distance * distance - a * (distance * distance - radius * radius);
    return disc > 0.0 ? (distance - sqrt(disc)) / a : 0.0;
}

static void fill_sphere(bench *b, double distance, double radius)
{
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            double z = sphere_depth(b, distance, radius, x, y);
            b->surface[(size_t)y * WIDTH + x] = z > 0.0 ? (float)(1.0 / z) : 0.0f;
        }
}

/* ---- filter --------------------------------------------------------------------------------- */

static void a_plane_of_any_tilt_stays_as_it_is(void **state)
{
    static const double tilts[] = {0.0, 0.5, 1.1, 1.4, -1.45};
    bench b = open_bench(WEIR_DEPTH_FILTER_NARROW_RANGE, WEIR_RENDER_MODE_SURFACE);
    for (size_t t = 0; t < BASE_COUNT(tilts); t++) {
        fill_plane(&b, tilts[t]);
        run_on(&b, "filter_1d");
        float *after = read_image(b.r->last_filtered);
        for (size_t i = 0; i < PIXELS; i++)
            assert_true(fabs((double)(after[i] - b.surface[i])) <= 1e-6 * (double)b.surface[i]);
        free(after);
    }
    close_bench(&b);
}

static void a_high_step_stays_on_both_sides(void **state)
{
    bench b = open_bench(WEIR_DEPTH_FILTER_NARROW_RANGE, WEIR_RENDER_MODE_SURFACE);
    for (size_t i = 0; i < PIXELS; i++)
        b.surface[i] = i % WIDTH < 111 ? 0.1f : 0.02f;
    run_on(&b, "filter_1d");
    float *after = read_image(b.r->last_filtered);
    for (size_t i = 0; i < PIXELS; i++)
        assert_true(fabsf(after[i] - b.surface[i]) <= 1e-6f * b.surface[i]);
    free(after);
    close_bench(&b);
}

/* Returns the largest change of depth, in radii, of a sphere of radius 1; NaN where pixels appeared
 * or disappeared. */
static double sphere_shift(const bench *b)
{
    float *after = read_image(b->r->last_filtered);
    double most = 0.0;
    for (size_t i = 0; i < PIXELS; i++) {
        if ((after[i] > 0.0f) != (b->surface[i] > 0.0f)) most = NAN;
        if (b->surface[i] > 0.0f)
            most = fmax(most, fabs(1.0 / (double)after[i] - 1.0 / (double)b->surface[i]));
    }
    free(after);
    return most;
}

static void the_rim_of_a_lone_sphere_hardly_moves(void **state)
{
    bench b = open_bench(WEIR_DEPTH_FILTER_NARROW_RANGE, WEIR_RENDER_MODE_SURFACE);
    fill_sphere(&b, 12.0, 1.0);
    struct render_params params; /* the reach of the filter, 3 sigma, is half of its radius */
    OK(gpu_buffer_download(device, b.r->params[0], 0, &params, sizeof params));
    params.filter_sigma_m = 0.5f / 3.0f;
    OK(gpu_buffer_upload(device, b.r->params[0], 0, &params, sizeof params));
    run_on(&b, "filter_1d");
    double shift = sphere_shift(&b);
    if (!(shift > 0.0 && shift <= 0.1)) fail_msg("depth moved by %g radii", shift);
    close_bench(&b);
}

static void noise_is_smoothed_and_a_mirror_image_stays_one(void **state)
{
    bench b = open_bench(WEIR_DEPTH_FILTER_NARROW_RANGE, WEIR_RENDER_MODE_SURFACE);
    double before = 0.0, left = 0.0;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            uint32_t half = x < WIDTH / 2 ? x : WIDTH - 1 - x;
            double noise = (double)base_hash_to_unit(y * 1000ull + half) - 0.5;
            b.surface[(size_t)y * WIDTH + x] = (float)(0.1 + 0.001 * noise);
        }
    run_on(&b, "filter_1d");
    float *after = read_image(b.r->last_filtered);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            size_t i = (size_t)y * WIDTH + x, mirror = (size_t)y * WIDTH + (WIDTH - 1 - x);
            assert_true(fabsf(after[i] - after[mirror]) <= 1e-6f * after[i]);
            before += pow((double)b.surface[i] - 0.1, 2.0);
            left += pow((double)after[i] - 0.1, 2.0);
        }
    if (!(left < 0.01 * before)) fail_msg("%g of the noise is left", sqrt(left / before));
    free(after);
    close_bench(&b);
}

static void drops_are_not_filtered(void **state)
{
    bench b = open_bench(WEIR_DEPTH_FILTER_NARROW_RANGE, WEIR_RENDER_MODE_SURFACE);
    fill_sphere(&b, 12.0, 1.0);
    run_on(&b, "filter_1d");
    assert_true(sphere_shift(&b) > 1e-3); /* bulk fluid */
    float *lone = base_alloc(PIXELS, 2 * sizeof(float));
    assert_non_null(lone);
    for (size_t i = 0; i < PIXELS; i++)
        lone[2 * i] = b.surface[i] > 0.0f ? 1.0f : 0.0f; /* fraction of neighbours 0 */
    OK(gpu_image_upload(device, b.r->images.surface[0], b.surface));
    upload_thickness(b.r->images.thickness, lone);
    run_from(b.r, "filter_1d");
    assert_true(sphere_shift(&b) < 1e-6);
    base_free(lone);
    close_bench(&b);
}

static void bilateral_and_flow_smooth_too(void **state)
{
    static const weir_depth_filter filters[] = {WEIR_DEPTH_FILTER_BILATERAL,
                                                WEIR_DEPTH_FILTER_CURVATURE_FLOW};
    static const char *const passes[] = {"filter_1d", "curvature_flow"};
    for (int f = 0; f < 2; f++) {
        bench b = open_bench(filters[f], WEIR_RENDER_MODE_SURFACE);
        double before = 0.0, left = 0.0;
        for (size_t i = 0; i < PIXELS; i++)
            b.surface[i] = (float)(0.1 + 0.0002 * ((double)base_hash_to_unit(i) - 0.5));
        run_on(&b, passes[f]);
        float *after = read_image(b.r->last_filtered);
        for (size_t i = 0; i < PIXELS; i++) {
            before += pow((double)b.surface[i] - 0.1, 2.0);
            left += pow((double)after[i] - 0.1, 2.0);
        }
        if (!(left < 0.1 * before)) fail_msg("%s leaves %g", passes[f], sqrt(left / before));
        free(after);
        close_bench(&b);
    }
}

/* ---- normals -------------------------------------------------------------------------------- */

typedef struct angles {
    double mean, most;
} angles;

/* Measures angles in degrees between the normals that a pass wrote and those of a sphere, where n.v
 * > 0.3. */
static angles sphere_angles(const bench *b, double distance, double radius)
{
    angles a = {0.0, 0.0};
    uint32_t count = 0;
    uint16_t *colour = read_image(b->r->images.colour);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            double z = sphere_depth(b, distance, radius, x, y), n[3], got[3];
            if (z == 0.0) continue;
            double ray[3] = {(2.0 * (x + 0.5) / WIDTH - 1.0) * b->camera.tangent_x,
                             (1.0 - 2.0 * (y + 0.5) / HEIGHT) * b->camera.tangent_y, 1.0};
            double length = sqrt(ray[0] * ray[0] + ray[1] * ray[1] + 1.0), size = 0.0, dot = 0.0;
            for (int k = 0; k < 3; k++)
                n[k] = (ray[k] * z - (k == 2 ? distance : 0.0)) / radius;
            if (-(n[0] * ray[0] + n[1] * ray[1] + n[2]) / length < 0.3) continue;
            for (int k = 0; k < 3; k++) {
                double c = (double)half_float(colour[4 * ((size_t)y * WIDTH + x) + (size_t)k]);
                got[k] = 2.0 * encode(c) / 255.0 - 1.0;
                if (k == 2) got[k] = -got[k];
                size += got[k] * got[k];
            }
            for (int k = 0; k < 3; k++)
                dot += got[k] * n[k] / sqrt(size);
            double angle = acos(fmin(dot, 1.0)) * 57.29577951308232;
            a.mean += angle;
            a.most = fmax(a.most, angle);
            count++;
        }
    a.mean /= count;
    free(colour);
    return a;
}

static void normals_of_a_sphere_are_right(void **state)
{
    bench b = open_bench(WEIR_DEPTH_FILTER_NONE, WEIR_RENDER_MODE_NORMALS);
    double tangent = b.camera.tangent_y, distance = 12.0;
    for (int large = 0; large < 2; large++) {
        double pixels = large ? 80.0 : 20.0;
        double radius = distance * sin(atan(2.0 * pixels * tangent / HEIGHT));
        fill_sphere(&b, distance, radius);
        run_on(&b, "debug_view");
        angles a = sphere_angles(&b, distance, radius);
        if (!(a.mean <= (large ? 0.3 : 1.2) && (!large || a.most <= 1.0)))
            fail_msg("at %g pixels normals are off by %g degrees, at most %g", pixels, a.mean,
                     a.most);
    }
    close_bench(&b);
}

static void normals_of_a_plane_are_exact(void **state)
{
    bench b = open_bench(WEIR_DEPTH_FILTER_NONE, WEIR_RENDER_MODE_NORMALS);
    fill_plane(&b, 1.1);
    run_on(&b, "debug_view");
    uint16_t *colour = read_image(b.r->images.colour);
    for (size_t i = 0; i < PIXELS; i++) {
        if (b.surface[i] < 0.02f) continue; /* one pixel is as deep as a discontinuity there */
        double x = 2.0 * encode((double)half_float(colour[4 * i])) / 255.0 - 1.0;
        double z = 2.0 * encode((double)half_float(colour[4 * i + 2])) / 255.0 - 1.0;
        assert_true(fabs(x - sin(1.1)) < 3e-3 && fabs(z - cos(1.1)) < 3e-3);
    }
    free(colour);
    close_bench(&b);
}

/* ---- light ---------------------------------------------------------------------------------- */

/* Renders one ellipsoid of a liquid under a sky of `zenith` and `horizon`, as 8-bit pixels. */
static uint8_t *picture(const render_look *look, const render_liquid *liquid, const splats *s,
                        const weir_camera *view)
{
    renderer *r = make_renderer(look, liquid);
    shot made = shoot(r, view, s);
    uint8_t *pixels = read_image(made.target);
    free_shot(&made);
    render_destroy(&r);
    return pixels;
}

/* The inside is black, so only the surface's reflection of a white sky is visible. */
static void reflection_follows_fresnel(void **state)
{
    const render_look look = plain_look();
    const render_liquid ink = {.absorption = {1e6f, 1e6f, 1e6f}, .density = 1000.0f};
    weir_camera view = make_view(WIDTH, HEIGHT);
    splats s = make_splats(1);
    set_splat(&s, 0, vec3_make(0.0f, 0.0f, 0.0f), vec3_make(2.0f, 2.0f, 2.0f), quat_identity());
    uint8_t *pixels = picture(&look, &ink, &s, &view);
    bench b = {.camera = camera_of(&view)};
    uint32_t seen = 0;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            double z = sphere_depth(&b, 10.0, 2.0, x, y), cosine = 0.0, length = 1.0;
            if (z == 0.0) continue;
            double ray[3] = {(2.0 * (x + 0.5) / WIDTH - 1.0) * b.camera.tangent_x,
                             (1.0 - 2.0 * (y + 0.5) / HEIGHT) * b.camera.tangent_y, 1.0};
            length = sqrt(ray[0] * ray[0] + ray[1] * ray[1] + 1.0);
            for (int k = 0; k < 3; k++)
                cosine -= (ray[k] * z - (k == 2 ? 10.0 : 0.0)) / 2.0 * ray[k] / length;
            if (cosine < 0.35) continue; /* at the rim, slopes are one-sided */
            double expected = encode(ref_fresnel(cosine, 1.333));
            double got = (double)pixels[4 * ((size_t)y * WIDTH + x)];
            if (fabs(got - expected) > 2.0)
                fail_msg("pixel %u %u: %g, expected %g", x, y, got, expected);
            seen++;
        }
    assert_true(seen > 5000);
    free(pixels);
    free_splats(&s);
}

/* A flat ellipsoid seen along its axis, in front of a white sky. */
static void absorption_follows_beer(void **state)
{
    const render_look look = plain_look();
    const render_liquid wine = {.absorption = {0.2f, 0.9f, 2.5f}, .density = 1000.0f};
    weir_camera view = make_view(65, 49);
    view.fov_y_degrees = 1.0f;
    view.eye[2] = 60.0f;
    splats s = make_splats(1);
    for (int k = 0; k < 4; k++) {
        float deep = 0.3f * (float)(k + 1);
        set_splat(&s, 0, vec3_make(0.0f, 0.0f, 0.0f), vec3_make(40.0f, 40.0f, 0.5f * deep),
                  quat_identity());
        s.shapes[1].w = 1.0f / 4.18879020f; /* one metre of the chord counts as one */
        uint8_t *pixels = picture(&look, &wine, &s, &view);
        const uint8_t *middle = &pixels[4 * (24 * 65 + 32)];
        double mirror = ref_fresnel(1.0, 1.333);
        for (int c = 0; c < 3; c++) {
            double passed = exp(-(double)wine.absorption[c] * (double)deep);
            double expected = encode((1.0 - mirror) * passed + mirror);
            if (fabs(middle[c] - expected) > 2.0)
                fail_msg("%g m, channel %d: %u, expected %g", (double)deep, c, middle[c], expected);
        }
        free(pixels);
    }
    free_splats(&s);
}

/* Through a slab 2 m deep, the edges of a line on the floor appear where Snell's law puts them. */
static void refraction_follows_snell(void **state)
{
    render_look look = plain_look();
    const render_liquid clear = {.density = 1000.0f};
    look.floor_tile = 100.0f; /* a single line along x, from -1.2 to 1.2 m */
    look.floor_height = -1.0f;
    look.floor_fade = 1e9f;
    for (int k = 0; k < 3; k++) {
        look.floor_light[k] = 1.0f;
        look.floor_dark[k] = 0.0f;
    }
    weir_camera view = make_view(WIDTH, HEIGHT);
    view.eye[0] = 5.0f; /* away from the edge along x */
    view.target[0] = 5.0f;
    view.eye[1] = 12.0f;
    view.eye[2] = 8.0f;
    view.target[2] = -0.5f;
    view.fov_y_degrees = 12.0f;
    splats s = make_splats(1);
    set_splat(&s, 0, vec3_make(5.0f, 0.0f, 0.0f), vec3_make(900.0f, 1.0f, 900.0f), quat_identity());
    s.shapes[1].w = 1.0f / 4.18879020f;
    uint8_t *pixels = picture(&look, &clear, &s, &view);
    ref_camera camera = camera_of(&view);
    uint32_t compared = 0;
    for (uint32_t y = 0; y < HEIGHT; y++) {
        double sy = (1.0 - 2.0 * (y + 0.5) / HEIGHT) * camera.tangent_y, way[3], length = 0.0;
        for (int k = 0; k < 3; k++) {
            way[k] = camera.forward[k] + sy * camera.up[k];
            length += way[k] * way[k];
        }
        length = sqrt(length);
        double t = (1.0 - 12.0) / way[1];
        double sine = way[2] / length / 1.333, cosine = sqrt(1.0 - sine * sine);
        double floor_z = 8.0 + t * way[2] + 2.0 * sine / cosine; /* the slab lies on the floor */
        if (fabs(fabs(floor_z) - 1.2) < 0.03) continue;          /* within a pixel of an edge */
        bool light = pixels[4 * ((size_t)y * WIDTH + WIDTH / 2)] > 128;
        bool expected = fabs(floor_z) > 1.2;
        if (light != expected) fail_msg("row %u: the floor is seen at z = %g m", y, floor_z);
        compared++;
    }
    assert_true(compared > 200);
    free(pixels);
    free_splats(&s);
}

/* Returns the analytic sky without sun, clouds and floor. */
static double sky_at(const render_look *look, double up)
{
    double rise = fmin(fmax(up, 0.0) / 0.12, 1.0);
    double share = pow(fmax(up, 0.0), 0.55) * rise * rise * (3.0 - 2.0 * rise);
    return (double)look->horizon[0] + share * (double)(look->zenith[0] - look->horizon[0]);
}

/* Returns the vertical direction of a ray at `sy` behind a ball of radius 2 at 10 m, refracted at
 * both of its sides (Snell: each turns the ray by the angle of incidence minus that of refraction),
 * the direction of its reflection, and the cosine of the angle of incidence. */
static double through_ball(double sy, double *mirrored, double *cosine)
{
    double angle = atan(sy), offset = 10.0 * sin(angle) / 2.0, inside = asin(offset / 1.333);
    double incidence = asin(offset), turned = angle - 2.0 * (incidence - inside);
    *cosine = cos(incidence);
    *mirrored = sin(angle + (3.14159265358979 - 2.0 * incidence));
    return sin(turned);
}

/* A ball of water is a lens that inverts what is far behind it. */
static void a_ball_refracts_at_both_of_its_sides(void **state)
{
    render_look look = plain_look();
    const render_liquid clear = {.density = 1000.0f};
    for (int k = 0; k < 3; k++) {
        look.horizon[k] = 0.1f;
        look.zenith[k] = 0.9f;
    }
    weir_camera view = make_view(WIDTH, HEIGHT);
    view.filter_size = 0.1f;
    splats s = make_splats(1);
    set_splat(&s, 0, vec3_make(0.0f, 0.0f, 0.0f), vec3_make(2.0f, 2.0f, 2.0f), quat_identity());
    s.shapes[1].w = 1.0f / 4.18879020f; /* one metre of the chord counts as one */
    uint8_t *pixels = picture(&look, &clear, &s, &view);
    ref_camera camera = camera_of(&view);
    uint32_t compared = 0, sky = 0;
    for (uint32_t y = 0; y < HEIGHT; y++) {
        double sy = (1.0 - 2.0 * (y + 0.5) / HEIGHT) * camera.tangent_y, mirrored, cosine;
        if (fabs(sy) > 0.13) continue; /* the rim of the ball is at 0.204 */
        double up = through_ball(sy, &mirrored, &cosine), share = ref_fresnel(cosine, 1.333);
        double expected = (1.0 - share) * sky_at(&look, up) + share * sky_at(&look, mirrored);
        double got = (double)pixels[4 * ((size_t)y * WIDTH + WIDTH / 2)];
        if (fabs(got - encode(expected)) > 4.0)
            fail_msg("row %u: %g, expected %g", y, got, encode(expected));
        compared++;
        sky += up > 0.1;
    }
    assert_true(compared > 80 && sky > 20);
    free(pixels);
    free_splats(&s);
}

/* A long body of clear water leans away from the eye, so that its far side totally reflects many
 * rays upwards. Under a sky that is black at its zenith they are not black, because light comes
 * from the whole sky. */
static void what_is_mirrored_inside_is_not_the_zenith_alone(void **state)
{
    render_look look = plain_look();
    const render_liquid clear = {.density = 1000.0f};
    const quat slant = {sinf(0.3f), 0.0f, 0.0f, cosf(0.3f)};
    for (int k = 0; k < 3; k++)
        look.zenith[k] = 0.0f;
    weir_camera view = make_view(WIDTH, HEIGHT);
    view.filter_size = 0.1f;
    splats s = make_splats(1);
    set_splat(&s, 0, vec3_make(0.0f, 0.0f, 0.0f), vec3_make(3.0f, 1.5f, 4.0f), slant);
    s.shapes[1].w = 1.0f / 4.18879020f; /* one metre of the chord counts as one */
    uint8_t *pixels = picture(&look, &clear, &s, &view), least = 255;
    for (size_t i = 0; i < PIXELS; i++)
        least = pixels[4 * i] < least ? pixels[4 * i] : least;
    if (least < 150) fail_msg("a pixel is as dark as %u", least);
    free(pixels);
    free_splats(&s);
}

/* An upright slab on a black floor, seen from near the floor: the picture changes gradually over
 * two spacings, from rays that leave it near the floor and show it to rays that show the white
 * sky. */
static void floor_and_far_side_change_softly(void **state)
{
    render_look look = plain_look();
    const render_liquid clear = {.density = 1000.0f};
    look.floor_tile = 100.0f;
    look.floor_height = -2.0f;
    look.floor_fade = 1e9f;
    for (int k = 0; k < 3; k++)
        look.floor_light[k] = look.floor_dark[k] = 0.0f;
    weir_camera view = make_view(WIDTH, HEIGHT);
    view.eye[1] = view.target[1] = -1.8f;
    splats s = make_splats(1);
    set_splat(&s, 0, vec3_make(0.0f, 0.0f, 0.0f), vec3_make(30.0f, 30.0f, 0.5f), quat_identity());
    s.shapes[1].w = 1.0f / 4.18879020f;
    uint8_t *pixels = picture(&look, &clear, &s, &view);
    int most = 0, lightest = 0, darkest = 255;
    for (uint32_t y = 1; y < HEIGHT; y++) {
        const uint8_t *p = &pixels[4 * ((size_t)y * WIDTH + WIDTH / 2)];
        int here = p[0], step = abs(here - p[-4 * (int)WIDTH]);
        most = step > most ? step : most;
        lightest = here > lightest ? here : lightest;
        darkest = here < darkest ? here : darkest;
    }
    if (!(darkest < 10 && lightest > 240 && most < 60))
        fail_msg("from %d to %d in steps of up to %d", darkest, lightest, most);
    free(pixels);
    free_splats(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_of_any_tilt_stays_as_it_is),
        cmocka_unit_test(a_high_step_stays_on_both_sides),
        cmocka_unit_test(the_rim_of_a_lone_sphere_hardly_moves),
        cmocka_unit_test(noise_is_smoothed_and_a_mirror_image_stays_one),
        cmocka_unit_test(drops_are_not_filtered),
        cmocka_unit_test(bilateral_and_flow_smooth_too),
        cmocka_unit_test(normals_of_a_sphere_are_right),
        cmocka_unit_test(normals_of_a_plane_are_exact),
        cmocka_unit_test(reflection_follows_fresnel),
        cmocka_unit_test(absorption_follows_beer),
        cmocka_unit_test(refraction_follows_snell),
        cmocka_unit_test(a_ball_refracts_at_both_of_its_sides),
        cmocka_unit_test(what_is_mirrored_inside_is_not_the_zenith_alone),
        cmocka_unit_test(floor_and_far_side_change_softly),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}

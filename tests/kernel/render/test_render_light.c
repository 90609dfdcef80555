/* Tests shadows of solids, and panes of glass, against closed forms. */
#include "render_support.h"

#define WIDTH 160u
#define HEIGHT 120u
#define AROUND 96u
#define ALONG 48u

/* ---- ball ----------------------------------------------------------------------------------- */

typedef struct ball {
    float vertices[3 * (ALONG + 1) * AROUND];
    uint32_t indices[6 * ALONG * AROUND];
} ball;

/* A ball of radius 2 around the origin: its unit normals are half its vertices. */
static void make_ball(ball *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i <= ALONG; i++)
        for (uint32_t j = 0; j < AROUND; j++) {
            double theta = 3.14159265358979 * i / ALONG, phi = 6.28318530717959 * j / AROUND;
            float *v = &b->vertices[3 * (i * AROUND + j)];
            v[0] = (float)(2.0 * sin(theta) * cos(phi));
            v[1] = (float)(2.0 * cos(theta));
            v[2] = (float)(2.0 * sin(theta) * sin(phi));
        }
    for (uint32_t i = 0; i < ALONG; i++)
        for (uint32_t j = 0; j < AROUND; j++) {
            uint32_t a = i * AROUND + j, c = i * AROUND + (j + 1) % AROUND;
            const uint32_t corners[6] = {a, c, a + AROUND, c, c + AROUND, a + AROUND};
            memcpy(&b->indices[n], corners, sizeof corners);
            n += 6;
        }
}

static renderer *make_ball_renderer(const render_look *look)
{
    static ball b;
    static const render_liquid clear = {.colour = {1.0f, 1.0f, 1.0f}, .density = 1000.0f};
    renderer *r = NULL;
    make_ball(&b);
    const render_solid solid = {.vertices = b.vertices,
                                .indices = b.indices,
                                .vertex_count = (ALONG + 1) * AROUND,
                                .triangle_count = 2 * ALONG * AROUND,
                                .colour = {0.8f, 0.8f, 0.8f}};
    const render_def def = {.min = {-10.0f, -10.0f, -10.0f},
                            .max = {10.0f, 10.0f, 10.0f},
                            .liquids = &clear,
                            .liquid_count = 1,
                            .solids = &solid,
                            .solid_count = 1,
                            .look = *look};
    OK(render_create(device, &def, &r));
    return r;
}

/* Renders a scene without fluid as RGBA; release with base_free. */
static uint8_t *picture(renderer *r, const weir_camera *view)
{
    uint64_t ticket;
    gpu_image *image = NULL;
    const gpu_image_def def = {"picture", GPU_RGBA8, view->width, view->height};
    uint8_t *pixels = base_alloc((size_t)view->width * view->height, 4);
    assert_non_null(pixels);
    OK(gpu_image_create(device, &def, &image));
    const render_frame frame = {.view = view};
    OK(render_draw(r, &frame, image, &ticket));
    OK(gpu_ticket_wait(device, ticket));
    OK(gpu_image_download(device, image, pixels));
    gpu_image_destroy(device, &image);
    return pixels;
}

/* Returns the cosine between the sun and the ball's normal at a pixel; -1 outside the ball. */
static double sun_on_ball(const ref_camera *camera, vec3 sun, uint32_t x, uint32_t y)
{
    double sx = (2.0 * (x + 0.5) / WIDTH - 1.0) * camera->tangent_x;
    double sy = (1.0 - 2.0 * (y + 0.5) / HEIGHT) * camera->tangent_y;
    double a = 1.0 + sx * sx + sy * sy, disc = 100.0 - a * 96.0;
    if (disc <= 0.0) return -1.0;
    double z = (10.0 - sqrt(disc)) / a;
    double n[3] = {0.5 * sx * z, 0.5 * sy * z, 0.5 * (10.0 - z)};
    double length = (double)vec3_length(sun);
    return (n[0] * (double)sun.x + n[1] * (double)sun.y + n[2] * (double)sun.z) / length;
}

/* Nothing is between the sun and the lit side of a ball: shadows must not change that side. */
static void a_ball_casts_no_shadow_on_its_lit_side(void **state)
{
    static const float degrees[] = {20.0f, 45.0f, 70.0f, 85.0f};
    for (size_t i = 0; i < BASE_COUNT(degrees); i++) {
        render_look look = plain_look();
        float up = degrees[i] * 0.0174532925f;
        look.sun = vec3_make(0.8f * cosf(up), sinf(up), 0.6f * cosf(up));
        for (int k = 0; k < 3; k++) {
            look.zenith[k] = look.horizon[k] = 0.1f;
            look.sun_colour[k] = 0.7f;
        }
        renderer *r = make_ball_renderer(&look);
        weir_camera view = make_view(WIDTH, HEIGHT);
        ref_camera camera = camera_of(&view);
        uint8_t *bare = picture(r, &view);
        view.shadows = true;
        uint8_t *shadowed = picture(r, &view);
        uint32_t lit = 0;
        for (uint32_t p = 0; p < WIDTH * HEIGHT; p++) {
            double cosine = sun_on_ball(&camera, look.sun, p % WIDTH, p / WIDTH);
            if (cosine < 0.15) continue;
            lit++;
            if (abs(bare[4 * p] - shadowed[4 * p]) > 2)
                fail_msg("sun at %g degrees, pixel %u %u at a cosine of %g: %u became %u",
                         (double)degrees[i], p % WIDTH, p / WIDTH, cosine, bare[4 * p],
                         shadowed[4 * p]);
        }
        assert_true(lit > 500);
        base_free(bare);
        base_free(shadowed);
        render_destroy(&r);
    }
}

/* ---- glass ---------------------------------------------------------------------------------- */

/* Returns the drawn part of the reflectance of two glass surfaces, including all reflections
 * between them. */
static double pane_mirrors(void)
{
    double one = ref_fresnel(1.0, 1.5);
    return 0.35 * 2.0 * one / (1.0 + one);
}

#define AHEAD 0.2
#define BEHIND 0.8 /* radiance behind the eye */

/* Renders straight through the middle of a tank. The left half of the environment, by longitude, is
 * ahead. */
static double through_tank(uint32_t sides)
{
    float environment[12];
    render_look look = plain_look();
    for (int i = 0; i < 12; i++)
        environment[i] = i < 6 ? (float)AHEAD : (float)BEHIND;
    look.environment = environment;
    look.environment_width = 4;
    look.environment_height = 1;
    look.tank_min = vec3_make(-4.0f, -4.0f, -4.0f);
    look.tank_max = vec3_make(4.0f, 4.0f, 4.0f);
    look.tank_sides = sides;
    renderer *r = make_renderer(&look, NULL);
    weir_camera view = make_view(65, 49);
    uint8_t *pixels = picture(r, &view);
    double seen = pixels[4 * (24 * 65 + 32)];
    base_free(pixels);
    render_destroy(&r);
    return seen;
}

static void each_closed_side_on_the_way_is_a_pane(void **state)
{
    const double mirrors = pane_mirrors();
    double one = (1.0 - mirrors) * 0.975 * AHEAD + mirrors * BEHIND;
    double two = (1.0 - mirrors) * 0.975 * one + mirrors * BEHIND;
    const struct {
        uint32_t sides;
        double expected;
    } cases[] = {{0, AHEAD}, {1 | 2, AHEAD}, {4, one}, {8, one}, {4 | 8, two}, {15, two}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        double seen = through_tank(cases[i].sides);
        if (fabs(seen - encode(cases[i].expected)) > 1.0)
            fail_msg("sides %u: %g, expected %g", cases[i].sides, seen, encode(cases[i].expected));
    }
}

/* ---- caustics ------------------------------------------------------------------------------- */

#define HEIGHT_M 0.4 /* height of the waves */
#define WAVE 10.0    /* m, wavelength */
#define DEEP 3.0     /* m, depth of the fluid below them */

/* Computes the light below waves h = A cos(k x) under the sun, along a line across the crests. */
static void light_under_waves(renderer *r, uint32_t size, double texel, double *light)
{
    float *depths = base_alloc((size_t)size * size, sizeof *depths);
    float *thick = base_alloc((size_t)(16 * size) * size, 2 * sizeof *thick);
    assert_true(depths && thick);
    for (uint32_t i = 0; i < size * size; i++) {
        double x = texel * (i % size + 0.5 - 0.5 * size);
        depths[i] = (float)(10.0 - HEIGHT_M * cos(6.28318530717959 / WAVE * x));
    }
    for (uint32_t i = 0; i < 32 * size * size; i++)
        thick[i] = (float)DEEP;
    OK(gpu_image_upload(device, r->shadow.depths[1], depths));
    upload_thickness(r->shadow.thickness, thick);
    run_from(r, "caustics");
    float *made = read_image(r->shadow.caustics);
    for (uint32_t i = 0; i < size; i++)
        light[i] = (double)made[size / 2 * size + i];
    free(made);
    base_free(depths);
    base_free(thick);
}

static void crests_focus_the_light_and_troughs_spread_it(void **state)
{
    render_look look = plain_look();
    look.sun = vec3_make(0.0f, 1.0f, 0.0f);
    renderer *r = make_renderer(&look, NULL);
    weir_camera view = make_view(64, 48);
    splats s = make_splats(1);
    set_splat(&s, 0, vec3_make(0.0f, 0.0f, 0.0f), vec3_make(1.0f, 1.0f, 1.0f), quat_identity());
    view.shadows = true;
    shot made = shoot(r, &view, &s);
    uint32_t size = r->shadow.size / RENDER_CAUSTICS_SCALE;
    struct render_params params;
    OK(gpu_buffer_download(device, r->params[0], 0, &params, sizeof params));
    double texel = 2.0 * (double)params.cameras[RENDER_CAMERA_SUN].right.w / size;
    double *light = base_alloc(size, sizeof *light);
    assert_non_null(light);
    light_under_waves(r, size, texel, light);
    double step = texel * round(1.0 / texel), k = 6.28318530717959 / WAVE;
    /* curvature by finite differences */
    double curve = 2.0 * HEIGHT_M * (1.0 - cos(k * step)) / (step * step);
    double bent = (1.0 - 1.0 / 1.333) * DEEP * curve;
    double crest = light[size / 2], trough = light[size / 2 - (uint32_t)(0.5 * WAVE / texel)];
    print_message("  crest %g, expected %g; trough %g, expected %g\n", crest, 1.0 / (1.0 - bent),
                  trough, 1.0 / (1.0 + bent));
    assert_true(fabs(crest * (1.0 - bent) - 1.0) < 0.005);
    assert_true(fabs(trough * (1.0 + bent) - 1.0) < 0.005);
    base_free(light);
    free_shot(&made);
    free_splats(&s);
    render_destroy(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_casts_no_shadow_on_its_lit_side),
        cmocka_unit_test(each_closed_side_on_the_way_is_a_pane),
        cmocka_unit_test(crests_focus_the_light_and_troughs_spread_it),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}

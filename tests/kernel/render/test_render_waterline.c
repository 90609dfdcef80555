/* Tests the line where the fluid's surface meets a solid against the intersection of two planes. */
#include "render_support.h"

#define WIDTH 320u
#define HEIGHT 240u
#define PIXELS ((size_t)WIDTH * HEIGHT)
#define WALL (-4.0) /* z of a vertical wall behind a pool whose surface is at y = 0, m */

static renderer *make_wall_renderer(void)
{
    static const float vertices[] = {-90.0f, -90.0f, -4.0f, 90.0f,  -90.0f, -4.0f,
                                     90.0f,  90.0f,  -4.0f, -90.0f, 90.0f,  -4.0f};
    return make_walled_renderer(vertices);
}

/* Returns the depths at which a pixel's ray meets the pool and the wall; the pool's is negative
 * above it. */
static void planes(const ref_camera *c, uint32_t x, uint32_t y, double *pool, double *wall)
{
    double sx = (2.0 * (x + 0.5) / WIDTH - 1.0) * c->tangent_x, d[3];
    double sy = (1.0 - 2.0 * (y + 0.5) / HEIGHT) * c->tangent_y;
    for (int k = 0; k < 3; k++)
        d[k] = c->forward[k] + sx * c->right[k] + sy * c->up[k];
    *pool = -c->eye[1] / d[1];
    *wall = (WALL - c->eye[2]) / d[2];
}

/* Draws the pool, which ends before the wall in bumps one spacing wide and `deep` high, and above
 * it in bumps of half a spacing; its thickness is that of bulk fluid. */
static void fill_pool(const ref_camera *c, double deep, float *surface, float *thick)
{
    for (uint32_t i = 0; i < PIXELS; i++) {
        double pool, wall;
        planes(c, i % WIDTH, i / WIDTH, &pool, &wall);
        double end = wall - deep * (0.6 + sin(0.4 * (i % WIDTH)));
        bool fluid = pool > 0.0 && pool < end;
        bool bump = pool > 0.0 && pool >= wall && pool < end; /* on the wall */
        surface[i] = fluid ? (float)(1.0 / (bump ? wall - 0.05 : pool)) : 0.0f;
        thick[2 * i] = thick[2 * i + 1] = fluid ? 1.0f : 0.0f;
    }
}

/* Counts the pixels on the wrong side of the line that are more than a pixel away from it. */
static uint32_t wrong_pixels(const ref_camera *c, const float *surface)
{
    uint32_t wrong = 0;
    for (uint32_t x = 16; x < WIDTH - 16; x++)
        for (uint32_t y = 2; y + 2 < HEIGHT; y++) {
            double pool[3], wall[3];
            for (uint32_t k = 0; k < 3; k++)
                planes(c, x, y + k - 1, &pool[k], &wall[k]);
            bool in[3] = {pool[0] > 0.0 && pool[0]<wall[0], pool[1]> 0.0 &&
                          pool[1]<wall[1], pool[2]> 0.0 && pool[2] < wall[2]};
            if (in[0] != in[1] || in[1] != in[2]) continue;
            wrong += (surface[y * WIDTH + x] > 0.0f) != in[1];
        }
    return wrong;
}

static void the_surface_ends_where_its_plane_meets_the_wall(void **state)
{
    weir_camera view = make_view(WIDTH, HEIGHT);
    view.eye[1] = 5.0f;
    view.filter = WEIR_DEPTH_FILTER_NARROW_RANGE;
    view.filter_size = 1.0f;
    view.mode = WEIR_RENDER_MODE_SURFACE;
    splats s = make_splats(1);
    set_splat(&s, 0, vec3_make(0.0f, 0.0f, 50.0f), vec3_make(1.0f, 1.0f, 1.0f), quat_identity());
    renderer *r = make_wall_renderer();
    shot made = shoot(r, &view, &s);
    ref_camera camera = camera_of(&view);
    float *surface = base_alloc(PIXELS, sizeof(float)), *thick = base_alloc(PIXELS, 8);
    assert_non_null(surface);
    assert_non_null(thick);
    fill_pool(&camera, 1.0, surface, thick);
    uint32_t before = wrong_pixels(&camera, surface);
    OK(gpu_image_upload(device, r->images.surface[0], surface));
    upload_thickness(r->images.thickness, thick);
    run_from(r, "fit_contact_line");
    float *after = read_image(r->last_filtered);
    uint32_t left = wrong_pixels(&camera, after);
    if (!(before > 800 && left < 20))
        fail_msg("%u pixels on the wrong side of the line, %u before", left, before);
    for (uint32_t i = 0; i < PIXELS; i++) {
        double pool, wall;
        planes(&camera, i % WIDTH, i / WIDTH, &pool, &wall);
        bool inner = i % WIDTH >= 16 && i % WIDTH < WIDTH - 16;
        if (inner && after[i] > 0.0f && fabs(1.0 / (double)after[i] - pool) > 0.2)
            fail_msg("pixel %u %u: depth %g, the pool's is %g", i % WIDTH, i / WIDTH,
                     1.0 / (double)after[i], pool);
    }
    free(after);
    base_free(surface);
    base_free(thick);
    free_shot(&made);
    free_splats(&s);
    render_destroy(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_surface_ends_where_its_plane_meets_the_wall),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}

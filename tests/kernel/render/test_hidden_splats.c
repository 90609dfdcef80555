/* Hidden splats are not drawn, and leaving them out changes no bit of the depth. */
#include "render_support.h"

#define EDGE_COUNT 18u
#define BLOCK_COUNT (EDGE_COUNT * EDGE_COUNT * EDGE_COUNT)
#define LONE_COUNT 60u /* drops around the block */
#define SHEET_COUNT 400u
#define COUNT (BLOCK_COUNT + LONE_COUNT + SHEET_COUNT)

/* A jittered block of fluid 18 m wide with a spacing of 1 m, drops, and a sheet one particle
 * thick in front of a part of it. */
static void fill_points(vec4 *p)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        float u = base_hash_to_unit(3ull * i), v = base_hash_to_unit(3ull * i + 1),
              w = base_hash_to_unit(3ull * i + 2);
        if (i < BLOCK_COUNT) {
            p[i] = (vec4){(float)(i % EDGE_COUNT) - 8.5f + 0.3f * u,
                          (float)(i / EDGE_COUNT % EDGE_COUNT) - 8.5f + 0.3f * v,
                          (float)(i / EDGE_COUNT / EDGE_COUNT) - 8.5f + 0.3f * w, 1.0f};
        } else if (i < BLOCK_COUNT + LONE_COUNT) {
            p[i] = (vec4){40.0f * (u - 0.5f), 10.0f + 8.0f * v, 40.0f * (w - 0.5f), 1.0f};
        } else {
            uint32_t k = i - BLOCK_COUNT - LONE_COUNT;
            p[i] = (vec4){1.3f * (float)(k % 20) - 20.0f, 1.3f * (float)(k / 20), 12.0f + 0.1f * u,
                          1.0f};
        }
    }
}

typedef struct drawn {
    float *eye, *sun; /* 1/z */
    struct render_splat_lists lists;
} drawn;

static drawn draw(renderer *r, const weir_camera *view, gpu_buffer *positions, bool cull)
{
    drawn made = {0};
    gpu_image *target = NULL;
    uint64_t ticket;
    const gpu_image_def image = {"target", GPU_RGBA8, view->width, view->height};
    const particle_view points = {
        .count = COUNT, .spacing_m = 1.0f, .radius_m = 2.0f, .position = positions};
    const render_frame frame = {.view = view, .points = &points};
    r->cull_hidden = cull;
    OK(gpu_image_create(device, &image, &target));
    OK(render_draw(r, &frame, target, &ticket));
    OK(gpu_ticket_wait(device, ticket));
    made.eye = read_image(render_debug_images(r).nearest);
    made.sun = read_image(r->shadow.fluid);
    OK(gpu_buffer_download(device, r->splat_lists, 0, &made.lists, sizeof made.lists));
    gpu_image_destroy(device, &target);
    return made;
}

static void free_drawn(drawn *d)
{
    free(d->eye);
    free(d->sun);
}

typedef struct place {
    const char *what;
    float eye[3], fov;
    uint32_t width, height;
    double least; /* fraction of the splats that is not drawn */
    float slice;  /* m, along z; 0: none */
} place;

static const place places[] = {
    {"outside", {30.0f, 20.0f, 50.0f}, 40.0f, 320, 181, 0.4, 0.0f},
    {"large", {18.0f, 4.0f, 20.0f}, 60.0f, 641, 360, 0.3, 0.0f},
    {"from above", {0.1f, 60.0f, 0.0f}, 30.0f, 203, 301, 0.4, 0.0f},
    {"small", {200.0f, 100.0f, 300.0f}, 30.0f, 97, 61, 0.1, 0.0f},
    {"inside", {1.0f, 2.0f, 3.0f}, 90.0f, 320, 180, 0.0, 0.0f},
    {"cut", {30.0f, 20.0f, 50.0f}, 40.0f, 320, 180, 0.2, 1.7f},
};

static void check_places(renderer *r)
{
    vec4 *p = base_alloc(COUNT, sizeof *p);
    gpu_buffer *positions = NULL;
    const gpu_buffer_def def = {.name = "positions", .stride = 16, .count = COUNT};
    assert_non_null(p);
    fill_points(p);
    OK(gpu_buffer_create(device, &def, &positions));
    OK(gpu_buffer_upload(device, positions, 0, p, COUNT * sizeof *p));
    for (size_t i = 0; i < BASE_COUNT(places); i++) {
        const place *at = &places[i];
        float value = WEIR_NO_VALUE;
        const weir_slice slice = {.axis = 2,
                                  .position_m = at->slice,
                                  .columns = 1,
                                  .rows = 1,
                                  .values = &value,
                                  .cell_m = {40.0f, 40.0f}};
        weir_camera view = make_view(at->width, at->height);
        memcpy(view.eye, at->eye, sizeof view.eye);
        view.fov_y_degrees = at->fov;
        view.shadows = true;
        if (at->slice > 0.0f) view.slice = &slice;
        drawn all = draw(r, &view, positions, false), some = draw(r, &view, positions, true);
        size_t eye_bytes = (size_t)at->width * at->height * 4,
               sun_bytes = (size_t)r->shadow.size * r->shadow.size * 4;
        if (memcmp(all.eye, some.eye, eye_bytes) != 0) fail_msg("%s: another depth", at->what);
        if (memcmp(all.sun, some.sun, sun_bytes) != 0)
            fail_msg("%s: another depth from the sun", at->what);
        const struct render_splat_lists *l = &some.lists;
        uint32_t hidden = l->inner_count - l->later_count;
        print_message("  %s: %u outer splats, %u of %u inner ones\n", at->what, l->outer_count,
                      l->later_count, l->inner_count);
        if (!((double)hidden >= at->least * (l->inner_count + l->outer_count)))
            fail_msg("%s: only %u splats are hidden", at->what, hidden);
        free_drawn(&all);
        free_drawn(&some);
    }
    gpu_buffer_destroy(device, &positions);
    base_free(p);
}

static void leaving_out_hidden_splats_changes_no_bit(void **state)
{
    const render_look look = plain_look();
    renderer *r = make_renderer(&look, NULL);
    check_places(r);
    render_destroy(&r);
}

/* A wall cuts the block and hides a half of it. */
static void nor_does_it_next_to_a_solid(void **state)
{
    static const float wall[] = {-40, -40, 5, 40, -40, 5, 40, 40, -2, -40, 40, -2};
    renderer *r = make_walled_renderer(wall);
    check_places(r);
    render_destroy(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaving_out_hidden_splats_changes_no_bit),
        cmocka_unit_test(nor_does_it_next_to_a_solid),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}

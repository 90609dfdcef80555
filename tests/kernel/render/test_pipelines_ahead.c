/* Pipelines are compiled on a thread before a mode of the scene needs them. */
#include "render_support.h"

#include "gpu_internal.h"

#define COUNT 64u

typedef struct frames {
    renderer *r;
    gpu_buffer *positions, *triangle;
    gpu_image *target;
} frames;

static frames open_frames(bool walled)
{
    static const float wall[] = {-40, -40, 5, 40, -40, 5, 40, 40, -2, -40, 40, -2};
    static const uint32_t corners[] = {0, 1, 5};
    vec4 p[COUNT];
    const render_look look = plain_look();
    frames f = {.r = walled ? make_walled_renderer(wall) : make_renderer(&look, NULL)};
    const gpu_buffer_def indices = {.name = "triangle", .stride = 4, .count = 3};
    const gpu_buffer_def def = {.name = "positions", .stride = 16, .count = COUNT};
    const gpu_image_def image = {"target", GPU_RGBA8, 64, 48};
    for (uint32_t i = 0; i < COUNT; i++)
        p[i] = (vec4){(float)(i % 4), (float)(i / 4 % 4), (float)(i / 16), 0.0f};
    OK(gpu_buffer_create(device, &def, &f.positions));
    OK(gpu_buffer_upload(device, f.positions, 0, p, sizeof p));
    OK(gpu_buffer_create(device, &indices, &f.triangle));
    OK(gpu_buffer_upload(device, f.triangle, 0, corners, sizeof corners));
    OK(gpu_image_create(device, &image, &f.target));
    return f;
}

static void close_frames(frames *f)
{
    gpu_buffer_destroy(device, &f->positions);
    gpu_buffer_destroy(device, &f->triangle);
    gpu_image_destroy(device, &f->target);
    render_destroy(&f->r);
}

static void draw_mesh(const frames *f, weir_camera view, weir_render_mode mode)
{
    uint64_t ticket;
    const render_mesh mesh = {f->positions, f->positions, f->triangle, 1, 1.0f};
    const render_frame frame = {.view = &view, .mesh = &mesh};
    view.mode = mode;
    OK(render_draw(f->r, &frame, f->target, &ticket));
}

static void draw(const frames *f, const weir_camera *view)
{
    uint64_t ticket;
    const particle_view points = {
        .count = COUNT, .spacing_m = 1.0f, .radius_m = 2.0f, .position = f->positions};
    const render_frame frame = {.view = view, .points = &points};
    OK(render_draw(f->r, &frame, f->target, &ticket));
}

static void check_modes(bool walled)
{
    static const weir_render_mode modes[] = {
        WEIR_RENDER_MODE_ELLIPSOIDS,     WEIR_RENDER_MODE_PARTICLES, WEIR_RENDER_MODE_DEPTH,
        WEIR_RENDER_MODE_FILTERED_DEPTH, WEIR_RENDER_MODE_THICKNESS, WEIR_RENDER_MODE_NORMALS,
        WEIR_RENDER_MODE_SHADOW,         WEIR_RENDER_MODE_BACKGROUND};
    device->ahead_always = true;
    frames f = open_frames(walled);
    weir_camera view = make_view(64, 48);
    view.shadows = true;
    draw(&f, &view);
    gpu_pipelines_wait_ahead(device);
    const uint32_t made = device->next_pipeline_id;
    for (size_t i = 0; i < BASE_COUNT(modes); i++) {
        view.mode = modes[i];
        draw(&f, &view);
        if (device->next_pipeline_id != made) fail_msg("mode %d creates a pipeline", modes[i]);
    }
    view.mode = WEIR_RENDER_MODE_SURFACE;
    view.draft = true;
    draw(&f, &view);
    view.draft = false;
    for (int filter = WEIR_DEPTH_FILTER_NARROW_RANGE; filter <= WEIR_DEPTH_FILTER_NONE; filter++) {
        view.filter = (weir_depth_filter)filter;
        view.filter_size = 1.0f;
        draw(&f, &view);
        if (device->next_pipeline_id != made) fail_msg("filter %d creates a pipeline", filter);
    }
    draw_mesh(&f, view, WEIR_RENDER_MODE_SURFACE);
    draw_mesh(&f, view, WEIR_RENDER_MODE_MESH);
    assert_int_equal(device->next_pipeline_id, made);
    for (size_t i = 0; i < f.r->ahead.count; i++)
        if (!f.r->ahead.items[i]->handle)
            fail_msg("%s is not compiled", gpu_pipeline_name(f.r->ahead.items[i]));
    close_frames(&f);
    device->ahead_always = false;
}

static void another_mode_creates_no_pipeline(void **state)
{
    if (device->deferred) skip(); /* under GPU-assisted validation nothing is compiled ahead */
    check_modes(false);
    gpu_pipelines_trim(device);
    check_modes(true);
}

/* A renderer, or all that is not in use, may go while the thread works. */
static void the_thread_ends_in_time(void **state)
{
    device->ahead_always = true;
    for (uint32_t i = 0; i < 3; i++) {
        frames f = open_frames(true);
        const weir_camera view = make_view(64, 48);
        draw(&f, &view);
        if (i == 1) gpu_pipelines_trim(device);
        draw(&f, &view);
        close_frames(&f);
        gpu_pipelines_trim(device);
    }
    device->ahead_always = false;
}

static void cpu_drivers_compile_nothing_ahead(void **state)
{
    frames f = open_frames(true);
    const weir_camera view = make_view(64, 48);
    if (gpu_device_info(device)->kind != WEIR_DEVICE_CPU) skip();
    draw(&f, &view);
    assert_int_equal(f.r->ahead.count, 0);
    close_frames(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_mode_creates_no_pipeline),
        cmocka_unit_test(the_thread_ends_in_time),
        cmocka_unit_test(cpu_drivers_compile_nothing_ahead),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}

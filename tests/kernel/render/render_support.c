#include "render_support.h"

render_look plain_look(void)
{
    render_look look = render_look_default();
    look.bulk_radius = look.drop_radius = 1.0f;
    look.floor_tile = look.floor_gloss = 0.0f;
    look.lamp_radiance = look.ambient = 0.0f;
    look.line_strength = 1.0f;
    for (int k = 0; k < 3; k++) {
        look.zenith[k] = look.horizon[k] = 1.0f;
        look.sun_colour[k] = 0.0f;
    }
    return look;
}

renderer *make_renderer(const render_look *look, const render_liquid *liquid)
{
    static const render_liquid clear = {.colour = {1.0f, 1.0f, 1.0f}, .density = 1000.0f};
    renderer *r = NULL;
    const render_def def = {.min = {-10.0f, -10.0f, -10.0f},
                            .max = {10.0f, 10.0f, 10.0f},
                            .liquids = liquid ? liquid : &clear,
                            .liquid_count = 1,
                            .look = *look};
    OK(render_create(device, &def, &r));
    return r;
}

renderer *make_walled_renderer(const float corners[12])
{
    static const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    static const render_liquid clear = {.density = 1000.0f};
    renderer *r = NULL;
    const render_solid wall = {
        .vertices = corners, .indices = indices, .vertex_count = 4, .triangle_count = 2};
    const render_def def = {.min = {-90.0f, -90.0f, -90.0f},
                            .max = {90.0f, 90.0f, 90.0f},
                            .liquids = &clear,
                            .liquid_count = 1,
                            .solids = &wall,
                            .solid_count = 1,
                            .look = plain_look()};
    OK(render_create(device, &def, &r));
    return r;
}

weir_camera make_view(uint32_t width, uint32_t height)
{
    weir_camera view = weir_camera_default(NULL);
    view.width = width;
    view.height = height;
    view.eye[0] = view.eye[1] = 0.0f;
    view.eye[2] = 10.0f;
    view.target[0] = view.target[1] = view.target[2] = 0.0f;
    view.fov_y_degrees = 40.0f;
    view.near_m = 0.1f;
    view.shadows = false;
    view.filter = WEIR_DEPTH_FILTER_NONE;
    view.exposure = 0.0f;
    return view;
}

ref_camera camera_of(const weir_camera *view)
{
    ref_view v = {.fov_y_degrees = (double)view->fov_y_degrees,
                  .near = (double)view->near_m,
                  .width = view->width,
                  .height = view->height};
    for (int k = 0; k < 3; k++) {
        v.eye[k] = (double)view->eye[k];
        v.target[k] = (double)view->target[k];
        v.up[k] = (double)view->up[k];
    }
    return ref_camera_create(&v);
}

splats make_splats(uint32_t count)
{
    splats s = {count, base_alloc(count, sizeof(vec4)), base_alloc(count, 2 * sizeof(vec4)),
                base_alloc(count, sizeof(ref_ellipsoid))};
    assert_true(s.centres && s.shapes && s.references);
    return s;
}

void free_splats(splats *s)
{
    base_free(s->centres);
    base_free(s->shapes);
    base_free(s->references);
}

void set_splat(splats *s, uint32_t i, vec3 centre, vec3 radii, quat q)
{
    const vec3 axes[3] = {quat_rotate(q, vec3_make(1.0f, 0.0f, 0.0f)),
                          quat_rotate(q, vec3_make(0.0f, 1.0f, 0.0f)),
                          quat_rotate(q, vec3_make(0.0f, 0.0f, 1.0f))};
    const float lengths[3] = {radii.x, radii.y, radii.z};
    float a[3][3] = {{0}};
    double wide[3][3];
    for (int m = 0; m < 3; m++) {
        const float v[3] = {axes[m].x, axes[m].y, axes[m].z};
        for (int k = 0; k < 9; k++)
            a[k / 3][k % 3] += lengths[m] * v[k / 3] * v[k % 3];
    }
    for (int k = 0; k < 9; k++) /* the symmetric half that the device stores */
        wide[k / 3][k % 3] = (double)(k / 3 <= k % 3 ? a[k / 3][k % 3] : a[k % 3][k / 3]);
    float det = radii.x * radii.y * radii.z;
    s->centres[i] = (vec4){centre.x, centre.y, centre.z, 1.0f};
    s->shapes[2 * i] = (vec4){a[0][0], a[0][1], a[0][2], a[1][1]};
    s->shapes[2 * i + 1] = (vec4){a[1][2], a[2][2], 20.0f, det};
    const double c[3] = {(double)centre.x, (double)centre.y, (double)centre.z};
    s->references[i] = ref_ellipsoid_create(c, wide, 1.0 / (4.18879020478639 * (double)det));
}

void run_from(renderer *r, const char *name)
{
    uint32_t i = 0;
    while (i < r->pass_count && strcmp(gpu_pipeline_name(r->passes[i].pipeline), name) != 0)
        i++;
    assert_true(i < r->pass_count);
    OK(gpu_run_passes(device, r->passes + i, r->pass_count - i));
}

shot shoot(renderer *r, const weir_camera *view, const splats *s)
{
    shot made = {.r = r};
    uint64_t ticket;
    const gpu_image_def image = {"target", GPU_RGBA8, view->width, view->height};
    const gpu_buffer_def buffer = {.name = "positions", .stride = 16, .count = s->count};
    OK(gpu_image_create(device, &image, &made.target));
    OK(gpu_buffer_create(device, &buffer, &made.positions));
    OK(gpu_buffer_upload(device, made.positions, 0, s->centres, s->count * sizeof(vec4)));
    const particle_view points = {
        .count = s->count, .spacing_m = 1.0f, .radius_m = 2.0f, .position = made.positions};
    const render_frame frame = {.view = view, .points = &points};
    OK(render_draw(r, &frame, made.target, &ticket));
    OK(gpu_ticket_wait(device, ticket));
    OK(gpu_buffer_upload(device, grid_anisotropy_centres(r->anisotropy), 0, s->centres,
                         s->count * sizeof(vec4)));
    OK(gpu_buffer_upload(device, grid_anisotropy_shapes(r->anisotropy), 0, s->shapes,
                         2 * s->count * sizeof(vec4)));
    run_from(r, "solid"); /* the first pass after the anisotropy */
    return made;
}

void free_shot(shot *s)
{
    gpu_image_destroy(device, &s->target);
    gpu_buffer_destroy(device, &s->positions);
}

void *read_image(gpu_image *image)
{
    size_t size = (size_t)gpu_image_width(image) * gpu_image_height(image) *
                  gpu_format_bytes(gpu_image_format(image));
    void *bytes = malloc(size);
    assert_non_null(bytes);
    OK(gpu_image_download(device, image, bytes));
    return bytes;
}

float half_float(uint16_t h)
{
    int exponent = h >> 10 & 31;
    float mantissa = (float)(h & 1023) / 1024.0f, sign = h & 0x8000 ? -1.0f : 1.0f;
    return exponent ? sign * ldexpf(1.0f + mantissa, exponent - 15) : sign * ldexpf(mantissa, -14);
}

uint16_t float_half(float f)
{
    int exponent;
    float mantissa = frexpf(fabsf(f), &exponent);
    if (exponent < -13) return 0;
    return (uint16_t)((f < 0.0f ? 0x8000 : 0) | (exponent + 14) << 10 |
                      (int)(2048.0f * mantissa - 1024.0f));
}

void upload_thickness(gpu_image *image, const float *values)
{
    size_t pixels = (size_t)gpu_image_width(image) * gpu_image_height(image);
    uint16_t *halves = base_alloc(pixels, 4 * sizeof *halves);
    assert_non_null(halves);
    assert_int_equal(gpu_image_format(image), GPU_RGBA16F);
    for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < 3; c++)
            halves[4 * i + c] = float_half(values[2 * i + c % 2]);
    OK(gpu_image_upload(device, image, halves));
    base_free(halves);
}

float *read_thickness(gpu_image *image)
{
    size_t pixels = (size_t)gpu_image_width(image) * gpu_image_height(image);
    bool halves = gpu_image_format(image) == GPU_RGBA16F;
    size_t step = halves ? 4 : gpu_format_bytes(gpu_image_format(image)) / 4;
    void *read = read_image(image);
    float *values = malloc(2 * pixels * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < 2 * pixels; i++) {
        size_t at = i / 2 * step + i % 2;
        values[i] = halves ? half_float(((const uint16_t *)read)[at]) : ((const float *)read)[at];
    }
    free(read);
    return values;
}

bool *read_sampled(const renderer *r)
{
    uint32_t width = r->images.width, height = r->images.height, across = (width + 1) / 2;
    uint32_t *texels = read_image(r->images.half.sampled);
    bool *sampled = calloc((size_t)width * height, sizeof *sampled);
    assert_non_null(sampled);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint32_t texel = texels[y / 2 * across + x / 2];
            sampled[y * width + x] = texel && (texel & 3u) == (y % 2) * 2 + x % 2;
        }
    free(texels);
    return sampled;
}

double encode(double c)
{
    return 255.0 * (c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1.0 / 2.4) - 0.055);
}

void draw_lone_particle(renderer *r, const weir_camera *view, float spacing_m, vec4 velocity)
{
    const vec4 place = {0};
    const gpu_buffer_def vector = {.name = "vector", .stride = 16, .count = 1};
    const gpu_image_def image = {"target", GPU_RGBA8, view->width, view->height};
    gpu_buffer *positions = NULL, *velocities = NULL;
    gpu_image *target = NULL;
    uint64_t ticket;
    OK(gpu_buffer_create(device, &vector, &positions));
    OK(gpu_buffer_create(device, &vector, &velocities));
    OK(gpu_image_create(device, &image, &target));
    OK(gpu_buffer_upload(device, positions, 0, &place, sizeof place));
    OK(gpu_buffer_upload(device, velocities, 0, &velocity, sizeof velocity));
    const particle_view points = {.count = 1,
                                  .spacing_m = spacing_m,
                                  .radius_m = 2.0f * spacing_m,
                                  .position = positions,
                                  .velocity = velocities};
    const render_frame frame = {.view = view, .points = &points};
    OK(render_draw(r, &frame, target, &ticket));
    OK(gpu_ticket_wait(device, ticket));
    gpu_buffer_destroy(device, &positions);
    gpu_buffer_destroy(device, &velocities);
    gpu_image_destroy(device, &target);
}

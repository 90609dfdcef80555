/* A mesh of fluid gets the images that splats get: thickness, first layer, and the sun's view of
 * it. Its colours and its shadow then follow as for particles. */
#include "render_support.h"

#define SPACING_M 0.25f

static gpu_buffer *upload(const char *name, uint32_t stride, uint32_t count, const void *from)
{
    gpu_buffer *made = NULL;
    const gpu_buffer_def def = {.name = name, .stride = stride, .count = count};
    OK(gpu_buffer_create(device, &def, &made));
    OK(gpu_buffer_upload(device, made, 0, from, (uint64_t)stride * count));
    return made;
}

/* Boxes with outward faces; corner k of a box is at the lower or upper bound by its bits 1 x, 2 y,
 * 4 z. */
static render_mesh make_boxes(const float (*boxes)[6], uint32_t count)
{
    static const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    vec4 vertices[2 * 24], normals[2 * 24];
    uint32_t indices[2 * 36], n = 0, m = 0;
    assert_true(count <= 2);
    for (uint32_t i = 0; i < 6 * count; i++) {
        const float *b = boxes[i / 6], way = i % 2 ? 1.0f : -1.0f;
        const uint32_t axis = i % 6 / 2;
        for (uint32_t k = 0; k < 4; k++, n++) {
            const uint32_t corner = faces[i % 6][k];
            vertices[n] =
                (vec4){b[corner & 1 ? 3 : 0], b[corner & 2 ? 4 : 1], b[corner & 4 ? 5 : 2], 0.0f};
            normals[n] = (vec4){axis == 0 ? way : 0.0f, axis == 1 ? way : 0.0f,
                                axis == 2 ? way : 0.0f, 0.0f};
        }
        const uint32_t first = n - 4, two[6] = {0, 1, 2, 0, 2, 3};
        for (uint32_t k = 0; k < 6; k++)
            indices[m++] = first + two[k];
    }
    return (render_mesh){.vertices = upload("vertices", 16, n, vertices),
                         .normals = upload("normals", 16, n, normals),
                         .indices = upload("indices", 4, m, indices),
                         .triangle_count = m / 3,
                         .spacing_m = SPACING_M};
}

static void free_boxes(render_mesh *mesh)
{
    gpu_buffer_destroy(device, &mesh->vertices);
    gpu_buffer_destroy(device, &mesh->normals);
    gpu_buffer_destroy(device, &mesh->indices);
}

/* Draws a mesh and returns the pixels, to be freed. */
static uint8_t *draw(renderer *r, const weir_camera *view, const render_mesh *mesh)
{
    gpu_image *target = NULL;
    uint64_t ticket;
    const gpu_image_def image = {"target", GPU_RGBA8, view->width, view->height};
    OK(gpu_image_create(device, &image, &target));
    const render_frame frame = {.view = view, .mesh = mesh};
    OK(render_draw(r, &frame, target, &ticket));
    OK(gpu_ticket_wait(device, ticket));
    uint8_t *pixels = read_image(target);
    gpu_image_destroy(device, &target);
    return pixels;
}

/* Two slabs, 3 and 1 m thick along the view, with a gap of 1 m. */
static const float slabs[2][6] = {{-4, -4, -1, 4, 4, 2}, {-4, -4, -3, 4, 4, -2}};

typedef struct texel {
    uint32_t channels, x, y;
} texel;

static void check_texel(gpu_image *image, texel t, const double *expected, const char *name)
{
    float *values = read_image(image);
    const size_t at = ((size_t)t.y * gpu_image_width(image) + t.x) * t.channels;
    for (uint32_t c = 0; c < t.channels; c++)
        if (fabs((double)values[at + c] - expected[c]) > 2e-3)
            fail_msg("%s, channel %u: %g, expected %g", name, c, (double)values[at + c],
                     expected[c]);
    free(values);
}

static void thickness_is_bulk_and_its_first_layer_ends_four_spacings_behind(void **state)
{
    const render_look look = plain_look();
    renderer *r = make_renderer(&look, NULL);
    weir_camera view = make_view(64, 48);
    view.fov_y_degrees = 1.0f;
    render_mesh mesh = make_boxes(slabs, 2);
    free(draw(r, &view, &mesh));
    if (r->thickness_format != GPU_RG32F) skip();
    check_texel(r->images.mesh_thickness, (texel){2, 32, 24}, (const double[]){4.0, 4.0},
                "thickness");
    check_texel(r->images.layer_thickness, (texel){2, 16, 12},
                (const double[]){4.0 * (double)SPACING_M, 4.0 * (double)SPACING_M}, "first layer");
    free_boxes(&mesh);
    render_destroy(&r);
}

static void the_sun_sees_a_mesh_as_fluid_and_not_as_a_solid(void **state)
{
    render_look look = plain_look();
    look.sun = vec3_make(0.0f, 0.0f, 1.0f);
    renderer *r = make_renderer(&look, NULL);
    weir_camera view = make_view(64, 48);
    render_mesh mesh = make_boxes(slabs, 2);
    view.shadows = true;
    free(draw(r, &view, &mesh));
    if (r->thickness_format != GPU_RG32F) skip();
    struct render_params params;
    OK(gpu_buffer_download(device, r->params[0], 0, &params, sizeof params));
    const uint32_t half = r->shadow.size / 2;
    const double depth = (double)params.cameras[RENDER_CAMERA_SUN].eye.z - 2.0;
    check_texel(r->shadow.mesh_thickness, (texel){2, half, half}, (const double[]){4.0, 4.0},
                "sun's thickness");
    check_texel(r->shadow.fluid, (texel){1, half, half}, (const double[]){1.0 / depth},
                "sun's 1/z");
    check_texel(r->shadow.solid, (texel){1, half, half}, (const double[]){0.0}, "sun's solids");
    view.mode = WEIR_RENDER_MODE_MESH; /* opaque */
    free(draw(r, &view, &mesh));
    const double stored = 1.0 - depth / (double)params.cameras[RENDER_CAMERA_SUN].forward.w;
    check_texel(r->shadow.solid, (texel){1, half, half}, &stored,
                "sun's solids with an opaque mesh");
    free_boxes(&mesh);
    render_destroy(&r);
}

/* A slab in front of a white sky, as test_render_surface has it for particles. */
static void a_mesh_absorbs_as_beer_says_and_none_of_it_is_spray(void **state)
{
    const render_look look = plain_look();
    const render_liquid wine = {.absorption = {0.2f, 0.9f, 2.5f}, .density = 1000.0f};
    renderer *r = make_renderer(&look, &wine);
    weir_camera view = make_view(65, 49);
    view.fov_y_degrees = 1.0f;
    const float slab[1][6] = {{-4, -4, -0.4f, 4, 4, 0.5f}};
    render_mesh mesh = make_boxes(slab, 1);
    uint8_t *pixels = draw(r, &view, &mesh);
    const uint8_t *middle = &pixels[4 * (24 * 65 + 32)];
    const double mirror = ref_fresnel(1.0, 1.333);
    for (int c = 0; c < 3; c++) {
        const double passed = exp(-(double)wine.absorption[c] * 0.9);
        const double expected = encode((1.0 - mirror) * passed + mirror);
        if (fabs(middle[c] - expected) > 2.0)
            fail_msg("channel %d: %u, expected %g", c, middle[c], expected);
    }
    free(pixels);
    free_boxes(&mesh);
    render_destroy(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thickness_is_bulk_and_its_first_layer_ends_four_spacings_behind),
        cmocka_unit_test(the_sun_sees_a_mesh_as_fluid_and_not_as_a_solid),
        cmocka_unit_test(a_mesh_absorbs_as_beer_says_and_none_of_it_is_spray),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}

/* Public API that draws into the host's images: weir/vulkan.h. */
#include "gpu_adopt.h"
#include "renderer_internal.h"

struct weir_vulkan_target {
    weir_device *device;
    gpu_image *colour, *depth;
};

/* ---- targets -------------------------------------------------------------------------------- */

weir_vulkan_target_def weir_vulkan_target_def_default(void)
{
    return (weir_vulkan_target_def){.cookie = API_TARGET_COOKIE};
}

static bool preserves_contents(VkImageLayout layout)
{
    return layout != VK_IMAGE_LAYOUT_UNDEFINED && layout != VK_IMAGE_LAYOUT_PREINITIALIZED;
}

static weir_result check_target(const weir_log *log, const weir_vulkan_target_def *def)
{
    gpu_format colour = gpu_format_from_vk(def->colour_format);
    WEIR_REQUIRE(log, def->colour && def->depth && def->colour_view && def->depth_view,
                 "the colour and depth images and their views must not be VK_NULL_HANDLE");
    if (def->width < 1 || def->width > 16384 || def->height < 1 || def->height > 16384)
        return api_argument_error(
            log, "the target's size is %u x %u, expected 1 to 16384 pixels on a side", def->width,
            def->height);
    if (colour == GPU_FORMAT_NONE || colour == GPU_D32)
        return api_argument_error(
            log,
            "colour_format is VkFormat %d, expected R8G8B8A8 or B8G8R8A8 (UNORM or "
            "SRGB), R16G16B16A16_SFLOAT or B10G11R11_UFLOAT_PACK32",
            (int)def->colour_format);
    if (gpu_format_from_vk(def->depth_format) != GPU_D32)
        return api_argument_error(
            log,
            "depth_format is VkFormat %d, expected D32_SFLOAT, D32_SFLOAT_S8_UINT, "
            "D24_UNORM_S8_UINT, X8_D24_UNORM_PACK32 or D16_UNORM",
            (int)def->depth_format);
    WEIR_REQUIRE(log,
                 preserves_contents(def->colour_layout) && preserves_contents(def->depth_layout),
                 "the layouts must preserve the contents: not UNDEFINED or PREINITIALIZED");
    return WEIR_OK;
}

weir_result weir_vulkan_target_create(weir_device *device, const weir_vulkan_target_def *def,
                                      weir_vulkan_target **target)
{
    const weir_log *log = api_log(device);
    weir_result result;
    WEIR_REQUIRE_OUT(log, target);
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE_DEF(log, def, API_TARGET_COOKIE, "vulkan_target");
    WEIR_REQUIRE(
        log, gpu_device_is_adopted(device->gpu),
        "the device was created by Weir and is not shared: it cannot use images of a host");
    WEIR_RETURN_IF_ERROR(check_target(log, def));
    gpu_borrowed_image colour = {def->colour,        def->colour_view, def->colour_format,
                                 def->colour_layout, def->width,       def->height};
    gpu_borrowed_image depth = {def->depth,        def->depth_view, def->depth_format,
                                def->depth_layout, def->width,      def->height};
    weir_vulkan_target *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a target");
    made->device = api_device_add_child(device, API_TARGET);
    WEIR_GOTO_IF_ERROR(gpu_image_borrow(device->gpu, &colour, &made->colour));
    WEIR_GOTO_IF_ERROR(gpu_image_borrow(device->gpu, &depth, &made->depth));
    *target = made;
    return WEIR_OK;
fail:
    weir_vulkan_target_destroy(&made);
    return result;
}

void weir_vulkan_target_destroy(weir_vulkan_target **target)
{
    if (!target || !*target) return;
    gpu_image_destroy((*target)->device->gpu, &(*target)->colour);
    gpu_image_destroy((*target)->device->gpu, &(*target)->depth);
    api_device_remove_child((*target)->device, API_TARGET);
    base_free(*target);
    *target = NULL;
}

/* ---- the host's camera ---------------------------------------------------------------------- */

weir_vulkan_draw_def weir_vulkan_draw_def_default(void)
{
    return (weir_vulkan_draw_def){.cookie = API_DRAW_COOKIE};
}

/* Returns row i of the rotation in a column-major matrix. */
static vec3 matrix_row(const float m[16], int i)
{
    return vec3_make(m[i], m[4 + i], m[8 + i]);
}

static bool nearly_equal(float a, float b)
{
    return fabsf(a - b) < 1e-3f;
}

static bool is_rigid_transform(const float m[16])
{
    vec3 x = matrix_row(m, 0), y = matrix_row(m, 1), z = matrix_row(m, 2);
    return nearly_equal(vec3_length(x), 1.0f) && nearly_equal(vec3_length(y), 1.0f) &&
           nearly_equal(vec3_length(z), 1.0f) && nearly_equal(vec3_dot(x, y), 0.0f) &&
           nearly_equal(vec3_dot(y, z), 0.0f) && nearly_equal(vec3_dot(x, z), 0.0f) &&
           nearly_equal(m[3], 0.0f) && nearly_equal(m[7], 0.0f) && nearly_equal(m[11], 0.0f) &&
           nearly_equal(m[15], 1.0f);
}

static bool are_finite(const float m[16])
{
    bool finite = true;
    for (int i = 0; i < 16; i++)
        finite &= isfinite(m[i]) != 0;
    return finite;
}

static bool is_perspective(const float p[16])
{
    return fabsf(p[11]) == 1.0f && p[15] == 0.0f && p[14] != 0.0f;
}

static bool is_parallel(const float p[16])
{
    return p[11] == 0.0f && p[15] == 1.0f && p[10] != 0.0f;
}

static weir_result check_matrices(const weir_log *log, const weir_vulkan_draw_def *drawing)
{
    const float *p = drawing->projection;
    WEIR_REQUIRE(log, are_finite(drawing->view) && are_finite(p), "the matrices must be finite");
    WEIR_REQUIRE(log, is_rigid_transform(drawing->view),
                 "`view` must only rotate and translate, stored by columns");
    WEIR_REQUIRE(
        log, p[3] == 0.0f && p[7] == 0.0f && (is_perspective(p) || is_parallel(p)),
        "`projection` must be a perspective (its element 11 is 1 or -1, 15 is 0, 14 is not 0) or "
        "parallel (11 is 0, 15 is 1, 10 is not 0), stored by columns");
    WEIR_REQUIRE(log,
                 p[0] != 0.0f && p[5] != 0.0f && p[1] == 0.0f && p[2] == 0.0f && p[4] == 0.0f &&
                     p[6] == 0.0f,
                 "`projection` must not rotate: its elements 1, 2, 4 and 6 are 0, 0 and 5 are not");
    if (is_parallel(p))
        WEIR_REQUIRE(log, p[8] == 0.0f && p[9] == 0.0f,
                     "a parallel `projection` must not shear: its elements 8 and 9 are 0");
    else
        WEIR_REQUIRE(log, p[12] == 0.0f && p[13] == 0.0f,
                     "a perspective `projection` must not translate: its elements 12 and 13 are 0");
    return WEIR_OK;
}

/* Reads a perspective projection P. The depth is d = P10 + P14 / distance, where the handedness
 * determines the sign of P10. Horizontally x / w = P0 x / distance + P8 / P11; vertically the same
 * with y, P5 and P9. */
static void read_perspective(const float *p, vec3 z, render_host *host)
{
    host->forward = vec3_scale(z, p[11]);
    host->middle_x = -p[8] * p[11] * host->tangent_x;
    host->middle_y = p[9] * p[11] * host->tangent_y;
    host->depth_over = p[14];
    host->depth_added = -p[11] * p[10];
}

/* Reads a parallel projection P. The depth is d = P10 z + P14, where z increases or decreases with
 * the distance, so that d goes from the near to the far plane. Horizontally x = P0 x + P12;
 * vertically the same with y, P5 and P13. */
static void read_parallel(const float *p, bool reversed, vec3 z, render_host *host)
{
    float side = (p[10] > 0.0f) != reversed ? 1.0f : -1.0f, nearly_equal = reversed ? 1.0f : 0.0f;
    host->parallel = true;
    host->forward = vec3_scale(z, side);
    host->eye = vec3_add(host->eye, vec3_scale(host->right, -p[12] * host->tangent_x));
    host->eye = vec3_add(host->eye, vec3_scale(host->up, p[13] * host->tangent_y));
    host->depth_over = side / p[10];
    host->depth_added = -p[14];
    host->near_m = host->depth_over * (nearly_equal + host->depth_added);
}

static void read_camera(const weir_vulkan_draw_def *drawing, render_host *host)
{
    const float *v = drawing->view, *p = drawing->projection;
    vec3 x = matrix_row(v, 0), y = matrix_row(v, 1), z = matrix_row(v, 2);
    vec3 moved =
        vec3_add(vec3_add(vec3_scale(x, v[12]), vec3_scale(y, v[13])), vec3_scale(z, v[14]));
    host->eye = vec3_scale(moved, -1.0f);
    host->right = vec3_scale(x, p[0] > 0.0f ? 1.0f : -1.0f);
    host->up = vec3_scale(y, p[5] < 0.0f ? 1.0f : -1.0f); /* picture rows run downwards */
    host->tangent_x = 1.0f / fabsf(p[0]);
    host->tangent_y = 1.0f / fabsf(p[5]);
    if (is_parallel(p))
        read_parallel(p, drawing->reversed_depth, z, host);
    else
        read_perspective(p, z, host);
}

/* ---- drawing -------------------------------------------------------------------------------- */

static weir_result check_drawing(const weir_renderer *renderer, const weir_points *points,
                                 const weir_vulkan_target *target,
                                 const weir_vulkan_draw_def *drawing)
{
    const weir_log *log = api_log(renderer->device);
    WEIR_REQUIRE(log, points && target && drawing,
                 "`points`, `target` and `drawing` must not be NULL");
    WEIR_REQUIRE(log, drawing->cookie == API_DRAW_COOKIE,
                 "`drawing` must be initialised by weir_vulkan_draw_def_default()");
    WEIR_REQUIRE(log, points->device == renderer->device && target->device == renderer->device,
                 "the points and the target must be of the renderer's device");
    WEIR_RETURN_IF_ERROR(api_submit_check(log, drawing->submit));
    return check_matrices(log, drawing);
}

weir_result weir_vulkan_draw(weir_renderer *renderer, const weir_points *points,
                             const weir_vulkan_target *target, const weir_vulkan_draw_def *drawing)
{
    uint64_t ticket;
    WEIR_REQUIRE_NOT_NULL(NULL, renderer);
    WEIR_RETURN_IF_ERROR(check_drawing(renderer, points, target, drawing));
    weir_camera view = weir_camera_default(renderer->scene);
    view.width = gpu_image_width(target->colour);
    view.height = gpu_image_height(target->colour);
    view.shadows = false; /* the fluid's shadows would also fall on the host's solids */
    view.transparent = true;
    gpu_format format = gpu_image_format(target->colour);
    render_host host = {.colour = target->colour,
                        .depth = target->depth,
                        .encoded = format == GPU_RGBA8 || format == GPU_BGRA8,
                        .submission = drawing->submit};
    read_camera(drawing, &host);
    if (points->slot.points.count) render_extend_bounds(renderer->render, points->min, points->max);
    const render_frame frame = {
        .view = &view, .points = &points->slot.points, .poses = renderer->poses, .host = &host};
    if (drawing->prepare_only) return render_prepare(renderer->render, &frame, NULL);
    return render_draw(renderer->render, &frame, NULL, &ticket);
}

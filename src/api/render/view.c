/* Public API of cameras: defaults, checks, and motion during an exposure. */
#include "renderer_internal.h"

#include "weir/render.h"

static void store_vec3(float to[3], vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/* Sets the view to the camera of the scene at a time. */
static void apply_scene_camera(const scene_camera *camera, double time_s, weir_camera *view)
{
    scene_camera_key key = scene_camera_at(camera, time_s);
    store_vec3(view->eye, key.eye);
    store_vec3(view->target, key.target);
    store_vec3(view->up, camera->up);
    view->fov_y_degrees = key.fov_y;
}

weir_camera weir_camera_for_size(const weir_scene *scene, double time_s, uint32_t width,
                                 uint32_t height)
{
    weir_camera view = {.cookie = API_CAMERA_COOKIE,
                        .up = {0.0f, 1.0f, 0.0f},
                        .fov_y_degrees = 30.0f,
                        .width = width,
                        .height = height,
                        .samples = 1,
                        .time_s = time_s,
                        .value_percentiles = {1.0f, 99.0f},
                        .legend = true,
                        .shadows = true,
                        .whitewater = true,
                        .exposure = 1.0f,
                        .filter_size = 1.0f,
                        .accumulation_samples = 32};
    if (scene && scene->data->camera.given)
        apply_scene_camera(&scene->data->camera, time_s, &view);
    else {
        const scene_subject subject = api_scene_subject(scene);
        api_frame_box(&view, subject.min, subject.max, subject.held);
    }
    if (scene) view.exposure = scene->data->look.exposure;
    return view;
}

weir_camera weir_camera_at_time(const weir_scene *scene, double time_s)
{
    return weir_camera_for_size(scene, time_s, 1280, 720);
}

weir_camera weir_camera_default(const weir_scene *scene)
{
    return weir_camera_at_time(scene, 0.0);
}

static bool is_finite_vector(const float v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

#define MAX_PIXELS_PER_SIDE 16384u

static weir_result check_numbers(const weir_log *log, const weir_camera *view)
{
    if (view->width < 1 || view->width > MAX_PIXELS_PER_SIDE || view->height < 1 ||
        view->height > MAX_PIXELS_PER_SIDE)
        return api_argument_error(log,
                                  "the view's size is %u x %u, expected 1 to %u pixels on a side",
                                  view->width, view->height, MAX_PIXELS_PER_SIDE);
    const struct {
        const char *name;
        float value, min, max;
    } limited[] = {
        {"samples", (float)view->samples, 1.0f, 4.0f},
        {"fov_y_degrees", view->fov_y_degrees, 1.0f, 150.0f},
        {"filter_size", view->filter_size, 0.0f, 10.0f},
        {"exposure", view->exposure, 0.0f, 1000.0f},
        {"aperture_m", view->aperture_m, 0.0f, 1000.0f},
        {"shutter_s", view->shutter_s, 0.0f, 10.0f},
        {"exposures", (float)view->accumulation_samples, 1.0f, 256.0f},
    };
    for (size_t i = 0; i < BASE_COUNT(limited); i++)
        if (!(limited[i].value >= limited[i].min && limited[i].value <= limited[i].max))
            return api_argument_error(log, "the view's %s is %g, expected %g to %g",
                                      limited[i].name, (double)limited[i].value,
                                      (double)limited[i].min, (double)limited[i].max);
    if (!(view->near_m >= 0.0f && isfinite(view->near_m)))
        return api_argument_error(
            log, "the view's near_m is %g, expected a length above 0, or 0 for automatic",
            (double)view->near_m);
    return WEIR_OK;
}

weir_result api_view_check(const weir_log *log, const weir_camera *view)
{
    vec3 sight = {view->target[0] - view->eye[0], view->target[1] - view->eye[1],
                  view->target[2] - view->eye[2]};
    WEIR_REQUIRE(log,
                 is_finite_vector(view->eye) && is_finite_vector(view->target) &&
                     is_finite_vector(view->up),
                 "the view's eye, target and up must be finite");
    WEIR_REQUIRE(log, vec3_length(sight) > 0.0f, "the view's eye and target must differ");
    WEIR_REQUIRE(log, isfinite(view->value_range[0]) && isfinite(view->value_range[1]),
                 "the view's range must be finite");
    WEIR_REQUIRE(log,
                 view->value_percentiles[0] >= 0.0f && view->value_percentiles[1] <= 100.0f &&
                     view->value_percentiles[0] < view->value_percentiles[1],
                 "the view's value_percentiles must be 0 to 100, the first below the second");
    WEIR_REQUIRE(log, isfinite(view->time_s), "the view's time_s must be finite");
    WEIR_REQUIRE(log,
                 view->mode < WEIR_RENDER_MODE_COUNT && view->colouring < WEIR_COLOURING_COUNT &&
                     view->colour_map < WEIR_COLOUR_MAP_COUNT &&
                     view->filter < WEIR_DEPTH_FILTER_COUNT &&
                     view->splat_method < WEIR_SPLAT_COUNT,
                 "the view's mode, colouring, colour map, filter and splatter must be of their "
                 "enumerations");
    return check_numbers(log, view);
}

/* ---- exposures ------------------------------------------------------------------------------ */

/* Moves the eye to the i-th point of a spiral that covers the lens evenly. The view still looks at
 * its target, so points at that distance stay in focus. */
static void offset_on_lens(weir_camera *view, uint32_t i)
{
    vec3 eye = vec3_make(view->eye[0], view->eye[1], view->eye[2]);
    vec3 ahead = vec3_sub(vec3_make(view->target[0], view->target[1], view->target[2]), eye);
    vec3 right = vec3_cross(ahead, vec3_make(view->up[0], view->up[1], view->up[2]));
    vec3 up = vec3_cross(right, ahead);
    float angle = 2.39996323f * (float)i,
          radius = sqrtf(((float)i + 0.5f) / (float)view->accumulation_samples);
    radius *= 0.5f * view->aperture_m;
    right = vec3_scale(right, radius * base_cos(angle) / fmaxf(vec3_length(right), 1e-20f));
    up = vec3_scale(up, radius * base_sin(angle) / fmaxf(vec3_length(up), 1e-20f));
    store_vec3(view->eye, vec3_add(eye, vec3_add(right, up)));
}

/* Returns whether the view has the scene's camera at its time, so that keyframes move it. */
static bool is_scene_camera(const weir_camera *view, const scene_camera *camera)
{
    weir_camera there = *view;
    apply_scene_camera(camera, view->time_s, &there);
    return memcmp(there.eye, view->eye, sizeof view->eye) == 0 &&
           memcmp(there.target, view->target, sizeof view->target) == 0 &&
           memcmp(there.up, view->up, sizeof view->up) == 0 &&
           memcmp(&there.fov_y_degrees, &view->fov_y_degrees, sizeof view->fov_y_degrees) == 0;
}

void api_view_at_exposure(const weir_scene *scene, weir_camera *view, uint32_t exposure,
                          double extrapolation_s)
{
    const scene_camera *camera = scene ? &scene->data->camera : NULL;
    if (camera && camera->key_count && is_scene_camera(view, camera))
        apply_scene_camera(camera, view->time_s + extrapolation_s, view);
    offset_on_lens(view, exposure);
}

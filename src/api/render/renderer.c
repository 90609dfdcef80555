/* Public API of renderers: weir/render.h. */
#include "geometry.h"
#include "renderer_internal.h"
#include "scene_distance.h"

#include "shared/render.h"

/* ---- renderers ------------------------------------------------------------------------------ */

weir_renderer_def weir_renderer_def_default(void)
{
    return (weir_renderer_def){.cookie = API_RENDERER_COOKIE};
}

/* Appends the triangles of a shape's parts or, if a set cuts the parts, those of the zero level set
 * of its signed distance. */
static weir_result append_shape(const weir_renderer *r, uint32_t shape, triangle_list *triangles)
{
    const weir_log *log = api_log(r->device);
    const scene_data *scene = r->scene->data;
    scene_distance *solids = NULL;
    if (!shape_needs_csg(scene, shape)) return shape_mesh_append(log, scene, shape, triangles);
    WEIR_RETURN_IF_ERROR(scene_distance_get(r->device, r->scene, &solids));
    return csg_mesh_append(log, scene_distance_solid_set(solids), scene, shape, triangles);
}

static weir_result read_solids(const weir_renderer *r, triangle_list *triangles,
                               render_solid *solids)
{
    const scene_data *scene = r->scene->data;
    for (uint32_t i = 0; i < scene->solid_count + scene->body_count; i++) {
        triangle_list *t = &triangles[i];
        const scene_body *body =
            i < scene->solid_count ? NULL : &scene->bodies[i - scene->solid_count];
        uint32_t shape = body ? body->shape : scene->solids[i].shape;
        WEIR_RETURN_IF_ERROR(append_shape(r, shape, t));
        solids[i] = (render_solid){.vertices = &t->vertices.items->x,
                                   .normals = &t->normals.items->x,
                                   .indices = t->indices.items,
                                   .vertex_count = (uint32_t)t->vertices.count,
                                   .triangle_count = (uint32_t)(t->indices.count / 3)};
        memcpy(solids[i].colour, body ? body->colour : scene->solids[i].colour,
               sizeof solids[i].colour);
    }
    return WEIR_OK;
}

static weir_result create_with_scene(weir_renderer *r, const api_surroundings *around,
                                     const render_def *given)
{
    weir_result result = WEIR_ERROR_MEMORY;
    const scene_data *scene = r->scene->data;
    const weir_log *log = api_log(r->device);
    render_liquid liquids[RENDER_MAX_FLUIDS] = {0};
    render_def def = *given;
    uint32_t count = scene->solid_count + scene->body_count;
    triangle_list *triangles = base_alloc(count, sizeof *triangles);
    render_solid *solids = base_alloc(count, sizeof *solids);
    float(*colours)[3] = api_deformable_colours(scene);
    r->poses = base_alloc(count, sizeof *r->poses);
    if (!triangles || !solids || !colours || !r->poses) {
        base_log(log, WEIR_LOG_ERROR, "not enough memory for a renderer");
        goto fail;
    }
    WEIR_GOTO_IF_ERROR(read_solids(r, triangles, solids));
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        api_liquid_appearance(around, &scene->fluids[i], &scene->look, &liquids[i]);
    def.liquids = liquids;
    def.liquid_count = scene->fluid_count;
    def.solids = solids;
    def.solid_count = count;
    def.deformable_colours = colours;
    def.deformable_count = scene_deformable_count(scene);
    result = render_create(r->device->gpu, &def, &r->render);
fail:
    for (uint32_t i = 0; triangles && i < count; i++)
        triangle_list_free(&triangles[i]);
    base_free(triangles);
    base_free(solids);
    base_free(colours);
    return result;
}

static weir_result create_without_scene(weir_renderer *r, const api_surroundings *around,
                                        const render_def *given)
{
    static const scene_fluid water = {.density = 1000.0f, .colour = SCENE_WATER_COLOUR};
    static const scene_look plain = {.scattering_ratio = -1.0f};
    render_liquid liquid;
    render_def def = *given;
    api_liquid_appearance(around, &water, &plain, &liquid);
    def.liquids = &liquid;
    def.liquid_count = 1;
    return render_create(r->device->gpu, &def, &r->render);
}

/* Reads the environment named by the def, or else by the scene, if any. */
static weir_result read_environment(const weir_renderer *r, const char *path,
                                    io_radiance_image *out)
{
    const weir_log *log = api_log(r->device);
    const char *named = r->scene ? r->scene->data->look.environment : "";
    char *joined = NULL;
    if (!path && named[0]) {
        joined = base_path_join(r->scene->folder, named);
        if (!joined)
            return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a file's name");
        path = joined;
    }
    weir_result result = path ? io_radiance_read(log, path, out) : WEIR_OK;
    base_free(joined);
    return result;
}

weir_result weir_renderer_create(weir_device *device, const weir_renderer_def *def,
                                 weir_renderer **renderer)
{
    const weir_renderer_def defaults = weir_renderer_def_default();
    if (!def) def = &defaults;
    const weir_log *log = api_log(device);
    weir_result result;
    WEIR_REQUIRE_OUT(log, renderer);
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE_DEF(log, def, API_RENDERER_COOKIE, "renderer");
    WEIR_REQUIRE(log, !def->camera || def->camera->cookie == API_CAMERA_COOKIE,
                 "the camera must be initialised by weir_camera_default()");
    weir_renderer *r = base_alloc(1, sizeof *r);
    if (!r) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a renderer");
    r->device = api_device_add_child(device, API_RENDERER);
    render_def made = {.min = {-1.0f, -1.0f, -1.0f}, .max = {1.0f, 1.0f, 1.0f}};
    api_surroundings around;
    io_radiance_image environment = {0};
    if (def->scene) {
        r->scene = (weir_scene *)def->scene;
        api_scene_retain(r->scene);
        const scene_domain *domain = &r->scene->data->domain;
        made.min = domain->min;
        made.max = domain->max;
        made.frame_s = 1.0f / r->scene->data->frame_rate;
        for (int k = 0; k < 3; k++)
            made.periodic[k] = domain->sides[2 * k] == SCENE_SIDE_PERIODIC;
    }
    WEIR_GOTO_IF_ERROR(api_surroundings_find(log, def, &around));
    WEIR_GOTO_IF_ERROR(read_environment(r, def->environment, &environment));
    made.look = around.look;
    made.look.environment = environment.rgb;
    made.look.environment_width = environment.width;
    made.look.environment_height = environment.height;
    result =
        r->scene ? create_with_scene(r, &around, &made) : create_without_scene(r, &around, &made);
    io_radiance_free(&environment);
    if (result != WEIR_OK) goto fail;
    *renderer = r;
    return WEIR_OK;
fail:
    weir_renderer_destroy(&r);
    return result;
}

void weir_renderer_destroy(weir_renderer **renderer)
{
    if (!renderer || !*renderer) return;
    weir_renderer *r = *renderer;
    render_destroy(&r->render);
    api_mesh_upload_destroy(r);
    if (r->scene) api_scene_release(r->scene);
    base_free(r->poses);
    api_posed_bodies_free(&r->posed_bodies);
    api_device_remove_child(r->device, API_RENDERER);
    base_free(r);
    *renderer = NULL;
}

/* ---- pictures ------------------------------------------------------------------------------- */

/* Sets the poses of the bodies. Bodies without a pose get scale 0, which hides them. */
static void set_body_poses(weir_renderer *r, const api_poses *bodies)
{
    const scene_data *scene = r->scene ? r->scene->data : NULL;
    if (!bodies || bodies->count == 0) bodies = &r->posed_bodies.bodies;
    for (uint32_t i = 0; scene && i < scene->body_count; i++) {
        bool known = bodies->count == scene->body_count;
        scene_pose pose = {.rotation = quat_identity()};
        if (known) pose = bodies->poses[i];
        r->poses[scene->solid_count + i] =
            (render_pose){pose.position, pose.rotation, known ? 1.0f : 0.0f};
    }
}

/* Sets the poses of host-driven solids to those of points or meshes, or else of the scene. */
static void set_solid_poses(weir_renderer *r, const api_poses *solids)
{
    const scene_data *scene = r->scene ? r->scene->data : NULL;
    for (uint32_t i = 0; scene && i < scene->solid_count; i++) {
        if (scene->solids[i].motion.kind != SCENE_MOTION_HOST_DRIVEN) continue;
        scene_pose pose = {.rotation = quat_identity()};
        if (solids && solids->count == scene->solid_count) pose = solids->poses[i];
        r->poses[i] = (render_pose){pose.position, pose.rotation, 1.0f};
    }
}

static void fill_poses(weir_renderer *r, double time_s)
{
    for (uint32_t i = 0; r->scene && i < r->scene->data->solid_count; i++) {
        const scene_motion *motion = &r->scene->data->solids[i].motion;
        if (motion->kind == SCENE_MOTION_HOST_DRIVEN) continue;
        scene_pose pose = scene_motion_pose(motion, time_s);
        r->poses[i] = (render_pose){pose.position, pose.rotation, 1.0f};
    }
}

/* Draws a frame, or, for a lens or a shutter, the mean of several. The times of the exposures
 * follow the golden ratio, which covers the shutter time evenly, in an order independent of the
 * points on the lens. */
static weir_result draw_frame(weir_renderer *r, const render_frame *frame, weir_image *image)
{
    const weir_camera *view = frame->view;
    bool several = view->aperture_m > 0.0f || view->shutter_s > 0.0f;
    uint32_t count = several ? view->accumulation_samples : 1;
    for (uint32_t i = 0; i < count; i++) {
        weir_camera moved = *view;
        render_frame one = *frame;
        float turn = 0.618033989f * ((float)i + 0.5f);
        one.light = image->light;
        one.extrapolation_s = view->shutter_s * (turn - floorf(turn) - 0.5f);
        if (several) api_view_at_exposure(r->scene, &moved, i, (double)one.extrapolation_s);
        one.view = &moved;
        one.exposure = i;
        one.exposures = count;
        if (several) fill_poses(r, view->time_s + (double)one.extrapolation_s);
        WEIR_RETURN_IF_ERROR(render_draw(r->render, &one, image->image, &image->ticket));
    }
    return WEIR_OK;
}

/* Checks the view and the image, and prepares the image. */
static weir_result prepare_picture(weir_renderer *renderer, const weir_camera *view,
                                   weir_image **image)
{
    const weir_log *log = api_log(renderer->device);
    WEIR_REQUIRE_NOT_NULL(log, image);
    WEIR_REQUIRE(log, view->cookie == API_CAMERA_COOKIE,
                 "the camera must be initialised by weir_camera_default()");
    WEIR_REQUIRE(log, !*image || (*image)->device == renderer->device,
                 "the image must be of the renderer's device");
    WEIR_RETURN_IF_ERROR(api_view_check(log, view));
    if (view->reload_shaders) WEIR_RETURN_IF_ERROR(gpu_shaders_reload(renderer->device->gpu));
    WEIR_RETURN_IF_ERROR(api_image_prepare(renderer->device, view, image));
    fill_poses(renderer, view->time_s);
    return WEIR_OK;
}

/* Names the attribute that the colours show: by default the first of the points. */
static weir_result choose_attribute(const weir_renderer *renderer, const weir_points *points,
                                    weir_camera *view)
{
    uint32_t first, components;
    const base_attributes *known = &points->slot.points.attributes;
    base_text names = {0};
    if (view->colouring != WEIR_COLOURING_ATTRIBUTE) return WEIR_OK;
    if (!view->attribute && known->count) view->attribute = known->items[0].name;
    if (!view->attribute) return WEIR_OK;
    if (base_attributes_find(known, view->attribute, &first, &components)) {
        if (components >= 3) view->legend = false; /* the attribute is itself the colour */
        return WEIR_OK;
    }
    for (uint32_t i = 0; i < known->count; i++)
        base_text_append(&names, "%s%s", i ? ", " : "", known->items[i].name);
    weir_result result =
        api_argument_error(api_log(renderer->device),
                           "the particles have no attribute \"%s\" to be coloured by: they have %s",
                           view->attribute, names.count ? names.items : "none");
    base_free(names.items);
    return result;
}

weir_result weir_render_points(weir_renderer *renderer, const weir_points *points,
                               const weir_camera *view, weir_image **image)
{
    WEIR_REQUIRE_NOT_NULL(NULL, renderer);
    const weir_camera initial_view = weir_camera_default(renderer->scene);
    if (!view) view = &initial_view;
    WEIR_RETURN_IF_ERROR(prepare_picture(renderer, view, image));
    WEIR_REQUIRE(api_log(renderer->device), !points || points->device == renderer->device,
                 "the points must be of the renderer's device");
    /* The casts are safe: the visible state of the points does not change. */
    if (points) WEIR_RETURN_IF_ERROR(api_points_wait_counts((weir_points *)(uintptr_t)points));
    bool opaque =
        view->mode == WEIR_RENDER_MODE_ELLIPSOIDS || view->mode == WEIR_RENDER_MODE_PARTICLES;
    if (points && opaque && view->colouring == WEIR_COLOURING_LAMBDA)
        WEIR_RETURN_IF_ERROR(api_points_read_lambda((weir_points *)(uintptr_t)points));
    weir_camera ranged = *view;
    view = &ranged;
    bool coloured = opaque || view->colouring == WEIR_COLOURING_ATTRIBUTE;
    if (points && coloured) WEIR_RETURN_IF_ERROR(choose_attribute(renderer, points, &ranged));
    if (points && coloured) WEIR_RETURN_IF_ERROR(api_choose_value_range(renderer, points, &ranged));
    set_body_poses(renderer, points ? &points->bodies : NULL);
    set_solid_poses(renderer, points ? &points->solids : NULL);
    if (points && points->slot.points.count)
        render_extend_bounds(renderer->render, points->min, points->max);
    render_frame frame = {
        .view = view, .points = points ? &points->slot.points : NULL, .poses = renderer->poses};
    if (points) frame.deformables = api_deformables_to_render(renderer, &points->deformables);
    if (points && !view->reload_shaders) frame.version = points->version;
    if (points) frame.whitewater = points->whitewater;
    if (points) frame.whitewater_count = points->whitewater_count;
    return draw_frame(renderer, &frame, *image);
}

/* ---- meshes --------------------------------------------------------------------------------- */

weir_result weir_render_mesh(weir_renderer *renderer, const weir_mesh *mesh,
                             const weir_camera *view, weir_image **image)
{
    WEIR_REQUIRE_NOT_NULL(NULL, renderer);
    const weir_camera initial_view = weir_camera_default(renderer->scene);
    if (!view) view = &initial_view;
    WEIR_RETURN_IF_ERROR(prepare_picture(renderer, view, image));
    render_mesh uploaded;
    weir_mesh_arrays arrays;
    vec3 low, high;
    WEIR_REQUIRE_NOT_NULL(api_log(renderer->device), mesh);
    WEIR_REQUIRE(api_log(renderer->device),
                 view->mode != WEIR_RENDER_MODE_PARTICLES &&
                     view->mode != WEIR_RENDER_MODE_ELLIPSOIDS,
                 "a mesh has no particles to draw: choose another mode");
    set_body_poses(renderer, &mesh->bodies);
    set_solid_poses(renderer, &mesh->solids);
    weir_mesh_get_arrays(mesh, &arrays);
    WEIR_RETURN_IF_ERROR(api_mesh_upload(renderer, mesh, &arrays, &uploaded));
    uploaded.spacing_m = mesh->surface.spacing_m;
    if (uploaded.spacing_m <= 0.0f && renderer->scene)
        uploaded.spacing_m = renderer->scene->data->spacing;
    points_bounding_box((const vec3 *)arrays.position, arrays.vertex_count, &low, &high);
    if (arrays.vertex_count) render_extend_bounds(renderer->render, low, high);
    const render_frame frame = {.view = view,
                                .mesh = &uploaded,
                                .poses = renderer->poses,
                                .deformables =
                                    api_deformables_to_render(renderer, &mesh->deformables),
                                .whitewater = mesh->whitewater,
                                .whitewater_count = mesh->whitewater_count};
    return draw_frame(renderer, &frame, *image);
}

/* ---- pass times ----------------------------------------------------------------------------- */

weir_result weir_renderer_get_pass_times(weir_renderer *renderer, weir_pass_time *times,
                                         uint32_t *count)
{
    const weir_log *log = renderer ? api_log(renderer->device) : NULL;
    WEIR_REQUIRE_NOT_NULL(log, renderer);
    WEIR_REQUIRE_NOT_NULL(log, count);
    return render_pass_times(renderer->render, times, count);
}

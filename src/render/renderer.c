/* The renderer: created for a scene; builds one pass list per frame. */
#include "render_internal.h"
#include "weir/profile.h"

/* ---- creation ------------------------------------------------------------------------------- */

static weir_result create_environment(renderer *r, const render_look *look)
{
    weir_result result;
    bool given = look->environment != NULL;
    uint32_t width = given ? look->environment_width : 1;
    uint32_t height = given ? look->environment_height : 1;
    const gpu_image_def def = {"environment", GPU_RGBA32F, width, height};
    float *padded = base_alloc((size_t)width * height, 4 * sizeof *padded);
    if (!padded)
        return base_fail(gpu_device_log(r->device), WEIR_ERROR_MEMORY,
                         "not enough memory for the environment");
    for (size_t i = 0; given && i < (size_t)width * height; i++)
        memcpy(padded + 4 * i, look->environment + 3 * i, 3 * sizeof *padded);
    WEIR_GOTO_IF_ERROR(gpu_image_create(r->device, &def, &r->environment));
    WEIR_GOTO_IF_ERROR(gpu_image_upload(r->device, r->environment, padded));
fail:
    base_free(padded);
    return result;
}

static weir_result create_shared_resources(renderer *r)
{
    const gpu_image_def image = {"nothing", GPU_R32F, 1, 1}, depth = {"dummy_depth", GPU_D32, 1, 1};
    gpu_buffer_def params = {.name = "render_params",
                             .stride = sizeof(struct render_params),
                             .count = 1,
                             .memory = GPU_MEMORY_UPLOAD};
    gpu_buffer_def models = {.name = "render_models",
                             .stride = sizeof(struct render_model),
                             .count = r->solid_count + r->deformable_count + 1,
                             .memory = GPU_MEMORY_UPLOAD};
    const gpu_buffer_def dummy = {.name = "nothing", .stride = 16, .count = 2};
    for (uint32_t i = 0; i < RENDER_FRAMES_IN_FLIGHT; i++) {
        WEIR_RETURN_IF_ERROR(gpu_buffer_create(r->device, &params, &r->params[i]));
        WEIR_RETURN_IF_ERROR(gpu_buffer_create(r->device, &models, &r->models[i]));
    }
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(r->device, &dummy, &r->dummy));
    WEIR_RETURN_IF_ERROR(gpu_image_create(r->device, &image, &r->dummy_image));
    return gpu_image_create(r->device, &depth, &r->dummy_depth);
}

weir_result render_create(gpu_device *device, const render_def *def, renderer **out)
{
    weir_result result;
    const weir_log *log = gpu_device_log(device);
    *out = NULL;
    if (!gpu_device_can_draw(device))
        return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                         "%s cannot draw: choose a device with graphics (weir info lists them), or "
                         "adopt a queue of a family with VK_QUEUE_GRAPHICS_BIT",
                         gpu_device_info(device)->name);
    WEIR_ASSERT(def->liquid_count > 0 && def->liquid_count <= RENDER_MAX_FLUIDS);
    renderer *r = base_alloc(1, sizeof *r);
    if (!r) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a renderer");
    r->device = device;
    r->look = def->look;
    r->min = def->min;
    r->max = def->max;
    memcpy(r->periodic, def->periodic, sizeof r->periodic);
    r->frame_s = def->frame_s;
    memcpy(r->liquids, def->liquids, def->liquid_count * sizeof *def->liquids);
    r->liquid_count = def->liquid_count;
    bool wide = gpu_format_can_blend(device, GPU_RG32F);
    r->thickness_format = wide ? GPU_RG32F : GPU_RG16F;
    r->blend_depth = gpu_format_can_blend(device, GPU_R32F);
    r->cull_hidden = true;
    WEIR_GOTO_IF_ERROR(create_environment(r, &def->look));
    WEIR_GOTO_IF_ERROR(render_solids_create(r, def));
    WEIR_GOTO_IF_ERROR(render_deformables_create(r, def));
    WEIR_GOTO_IF_ERROR(create_shared_resources(r));
    *out = r;
    return WEIR_OK;
fail:
    render_destroy(&r);
    return result;
}

static void destroy_buffers(renderer *r)
{
    gpu_buffer **all[] = {&r->dummy,          &r->solids.vertices, &r->solids.normals,
                          &r->solids.indices, &r->splats[0],       &r->splats[1],
                          &r->splat_lists,    &r->outer_splats,    &r->inner_splats,
                          &r->later_splats,   &r->nearest,         &r->thickness_sum,
                          &r->weighted_sum};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_buffer_destroy(r->device, all[i]);
    for (uint32_t i = 0; i < RENDER_FRAMES_IN_FLIGHT; i++) {
        gpu_buffer_destroy(r->device, &r->params[i]);
        gpu_buffer_destroy(r->device, &r->models[i]);
        gpu_buffer_destroy(r->device, &r->slices[i]);
        gpu_buffer_destroy(r->device, &r->legends[i]);
        gpu_buffer_destroy(r->device, &r->deformables[i].vertices);
        gpu_buffer_destroy(r->device, &r->deformables[i].normals);
        gpu_buffer_destroy(r->device, &r->deformables[i].indices);
    }
}

void render_destroy(renderer **pointer)
{
    renderer *r = *pointer;
    if (!r) return;
    for (uint32_t i = 0; i < RENDER_TIMED_LISTS; i++)
        gpu_timers_destroy(r->device, &r->timed_lists[i].timers);
    render_shapes_destroy(r);
    render_images_destroy(r);
    gpu_image_destroy(r->device, &r->environment);
    gpu_image_destroy(r->device, &r->dummy_image);
    gpu_image_destroy(r->device, &r->dummy_depth);
    destroy_buffers(r);
    render_release_ahead(r);
    for (int i = 0; i < RENDER_PIPELINES; i++)
        gpu_pipeline_destroy(r->device, &r->pipelines[i]);
    base_free(r->solid_colours);
    base_free(r->deformable_colours);
    base_free(r);
    *pointer = NULL;
}

void render_extend_bounds(renderer *r, vec3 min, vec3 max)
{
    vec3 low = vec3_min(r->min, min), high = vec3_max(r->max, max);
    if (vec3_length(vec3_sub(low, r->min)) + vec3_length(vec3_sub(high, r->max)) == 0.0f) return;
    r->min = low;
    r->max = high;
    render_shapes_destroy(r);
}

void render_disable_blending(renderer *r)
{
    r->blend_depth = false;
}

/* ---- resources of a frame ------------------------------------------------------------------- */

static bool buffers_fit(const renderer *r, const particle_view *points)
{
    const grid_anisotropy_def *def = &r->anisotropy_def;
    return r->anisotropy && points->count <= def->capacity && def->spacing_m == points->spacing_m &&
           def->radius_m == points->radius_m;
}

static weir_result prepare_anisotropy(renderer *r, const render_frame *frame)
{
    const particle_view *points = frame->points;
    if (!render_draws_ellipsoids(frame) || buffers_fit(r, points)) return WEIR_OK;
    uint32_t room = r->anisotropy ? points->count + points->count / 2 : points->count;
    render_shapes_destroy(r);
    r->anisotropy_def = (grid_anisotropy_def){
        .min = r->min,
        .max = r->max,
        .periodic = {r->periodic[0], r->periodic[1], r->periodic[2]},
        .capacity = room,
        .spacing_m = points->spacing_m,
        .radius_m = points->radius_m,
        .smoothing = 0.9f,
        .stretch = 4.0f,
        .sheet_reach = 1.5f,
    };
    return grid_anisotropy_create(r->device, &r->anisotropy_def, &r->anisotropy);
}

/* Grows the lists of the splats whose depth is drawn. */
static weir_result prepare_splat_lists(renderer *r, uint64_t count)
{
    const gpu_buffer_def lists = {
        .name = "splat_lists", .stride = sizeof(struct render_splat_lists), .count = 1};
    WEIR_RETURN_IF_ERROR(render_buffer_reserve(r, lists, &r->splat_lists));
    gpu_buffer_def listed = {.name = "outer_splats", .stride = 4, .count = count};
    WEIR_RETURN_IF_ERROR(render_buffer_reserve(r, listed, &r->outer_splats));
    listed.name = "later_splats";
    WEIR_RETURN_IF_ERROR(render_buffer_reserve(r, listed, &r->later_splats));
    const gpu_buffer_def inner = {.name = "inner_splats", .stride = 8, .count = count};
    return render_buffer_reserve(r, inner, &r->inner_splats);
}

static weir_result prepare_buffers(renderer *r, const render_frame *frame)
{
    uint64_t count = frame->points ? frame->points->count : 0;
    uint64_t samples = (uint64_t)r->images.width * r->images.height;
    gpu_buffer_def splats = {
        .name = "splats", .stride = sizeof(struct render_splat), .count = count};
    WEIR_RETURN_IF_ERROR(render_buffer_reserve(r, splats, &r->splats[RENDER_CAMERA_EYE]));
    splats.name = "sun_splats";
    if (frame->view->shadows || !r->splats[RENDER_CAMERA_SUN])
        WEIR_RETURN_IF_ERROR(render_buffer_reserve(r, splats, &r->splats[RENDER_CAMERA_SUN]));
    WEIR_RETURN_IF_ERROR(prepare_splat_lists(r, count));
    if (!r->uses_compute) return WEIR_OK;
    gpu_buffer_def sums = {.name = "nearest", .stride = 4, .count = samples};
    WEIR_RETURN_IF_ERROR(render_buffer_reserve(r, sums, &r->nearest));
    sums.name = "summed";
    WEIR_RETURN_IF_ERROR(render_buffer_reserve(r, sums, &r->thickness_sum));
    sums.name = "weighted";
    return render_buffer_reserve(r, sums, &r->weighted_sum);
}

/* Copies the values of the slice to the buffer of the frame's slot. */
static weir_result prepare_slice(renderer *r, const weir_slice *slice, uint32_t slot)
{
    if (!slice) return WEIR_OK;
    const gpu_buffer_def def = {.name = "slice",
                                .stride = 4,
                                .count = (uint64_t)slice->columns * slice->rows,
                                .memory = GPU_MEMORY_UPLOAD};
    WEIR_RETURN_IF_ERROR(render_buffer_reserve(r, def, &r->slices[slot]));
    memcpy(gpu_buffer_map(r->slices[slot]), slice->values, (size_t)def.count * 4);
    return WEIR_OK;
}

/* Fills the models. Model 0 belongs to the fluid mesh, which is in world space. */
static void fill_models(const renderer *r, const render_frame *frame, struct render_model *models)
{
    const float *fluid = r->liquids[0].colour;
    models[0] = (struct render_model){.position = {0.0f, 0.0f, 0.0f, 1.0f},
                                      .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                                      .colour = {fluid[0], fluid[1], fluid[2], 1.0f}};
    for (uint32_t i = 0; i < r->solid_count; i++) {
        render_pose pose = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .scale = 1.0f};
        if (frame->poses) pose = frame->poses[i];
        const float *c = r->solid_colours[i];
        models[i + 1] = (struct render_model){
            .position = {pose.position.x, pose.position.y, pose.position.z, pose.scale},
            .rotation = {pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w},
            .colour = {c[0], c[1], c[2], 1.0f},
        };
    }
    for (uint32_t i = 0; i < r->deformable_count; i++) {
        struct render_model *model = &models[r->solid_count + 1 + i];
        const float *c = r->deformable_colours[i];
        *model = models[0];
        model->colour = (vec4){c[0], c[1], c[2], RENDER_TWO_SIDED};
    }
}

/* ---- a frame -------------------------------------------------------------------------------- */

/* Selects the timers of this kind of frame, and restarts them if its pass list has changed, because
 * times belong to one list. */
static weir_result match_timers(renderer *r)
{
    const render_reuse *reuse = &r->reuse;
    uint32_t kind = (reuse->shapes ? 1u : 0u) | (reuse->shadows ? 2u : 0u) | (r->draft ? 4u : 0u);
    render_timed_list *list = r->timed = &r->timed_lists[kind];
    if (!list->timers)
        WEIR_RETURN_IF_ERROR(gpu_timers_create(r->device, RENDER_PASSES, &list->timers));
    bool same = list->count == r->pass_count;
    for (uint32_t i = 0; same && i < r->pass_count; i++)
        same = list->names[i] == gpu_pipeline_name(r->passes[i].pipeline);
    if (same) return WEIR_OK;
    for (uint32_t i = 0; i < r->pass_count; i++) {
        const char *name = gpu_pipeline_name(r->passes[i].pipeline);
        if (i >= list->count || list->names[i] != name) gpu_timers_forget_pass(list->timers, i);
        list->names[i] = name;
    }
    list->count = r->pass_count;
    gpu_timers_reset(list->timers);
    return WEIR_OK;
}

static uint32_t shadow_size(const renderer *r, const weir_camera *view)
{
    bool slow = gpu_device_info(r->device)->kind == WEIR_DEVICE_CPU;
    return view->samples > 1 || !slow ? 1024u : 512u;
}

static weir_result prepare_frame(renderer *r, const render_frame *frame)
{
    const weir_camera *view = frame->view;
    r->uses_compute = render_uses_compute_splats(r, frame);
    render_image_needs needs = {.mesh = frame->mesh != NULL,
                                .compute = r->uses_compute,
                                .mixed = render_mixes_colours(r, frame),
                                .whitewater = render_draws_whitewater(frame),
                                .spray = render_draws_spray(frame),
                                .exposures = frame->exposures > 1};
    WEIR_RETURN_IF_ERROR(
        render_images_prepare(r, view->width * view->samples, view->height * view->samples, needs));
    if (view->shadows)
        WEIR_RETURN_IF_ERROR(render_shadow_prepare(r, shadow_size(r, view), needs.mesh));
    WEIR_RETURN_IF_ERROR(prepare_anisotropy(r, frame));
    return prepare_buffers(r, frame);
}

weir_result render_prepare(renderer *r, const render_frame *frame, gpu_image *target)
{
    uint32_t slot = (uint32_t)(r->frame % RENDER_FRAMES_IN_FLIGHT);
    if (r->tickets[slot]) WEIR_RETURN_IF_ERROR(gpu_ticket_wait(r->device, r->tickets[slot]));
    WEIR_RETURN_IF_ERROR(prepare_frame(r, frame));
    WEIR_RETURN_IF_ERROR(prepare_slice(r, frame->view->slice, slot));
    WEIR_RETURN_IF_ERROR(render_deformables_upload(r, &frame->deformables, slot));
    struct render_params params = {0};
    render_params_fill(r, frame, &params);
    WEIR_RETURN_IF_ERROR(render_legend_prepare(r, frame->view, slot, &params));
    memcpy(gpu_buffer_map(r->params[slot]), &params, sizeof params);
    fill_models(r, frame, gpu_buffer_map(r->models[slot]));
    render_reuse_plan(r, frame);
    WEIR_RETURN_IF_ERROR(render_build_passes(r, frame, target));
    WEIR_RETURN_IF_ERROR(match_timers(r));
    return gpu_passes_check(r->device, r->passes, r->pass_count);
}

weir_result render_draw(renderer *r, const render_frame *frame, gpu_image *target, uint64_t *ticket)
{
    uint32_t slot = (uint32_t)(r->frame % RENDER_FRAMES_IN_FLIGHT);
    WEIR_RETURN_IF_ERROR(render_prepare(r, frame, target));
    WEIR_RETURN_IF_ERROR(
        gpu_record_begin_with(r->device, frame->host ? frame->host->submission : NULL));
    WEIR_RETURN_IF_ERROR(
        gpu_record_passes(r->device, r->passes, r->pass_count, 0, r->timed->timers));
    if (frame->host) gpu_record_return_image(r->device, frame->host->colour);
    if (frame->host) gpu_record_return_image(r->device, frame->host->depth);
    WEIR_RETURN_IF_ERROR(gpu_record_submit(r->device, ticket));
    r->tickets[slot] = *ticket;
    r->frame++;
    render_reuse_store(r, frame);
    render_compile_ahead(r);
    return WEIR_OK;
}

/* ---- times ---------------------------------------------------------------------------------- */

weir_result render_pass_times(renderer *r, weir_pass_time *times, uint32_t *count)
{
    uint32_t room = times ? *count : 0;
    WEIR_RETURN_IF_ERROR(gpu_device_wait(r->device));
    if (!gpu_device_info(r->device)->timestamps)
        return base_fail(gpu_device_log(r->device), WEIR_ERROR_UNSUPPORTED, "%s has no timestamps",
                         gpu_device_info(r->device)->name);
    gpu_device_time_passes(r->device, true);
    const render_timed_list *list = r->timed;
    *count = list ? list->count : 0;
    for (uint32_t i = 0; i < *count && i < room; i++) {
        gpu_pass_time time = gpu_timers_pass_time(list->timers, i);
        const gpu_dispatch_size *dispatch_size =
            &r->passes[i].dispatch_size; /* 0 where the GPU determines the count */
        times[i] =
            gpu_pass_report(&r->passes[i], &time,
                            dispatch_size->arguments ? 0.0 : (double)dispatch_size->count, 0.0);
        times[i].name = list->names[i];
    }
    return WEIR_OK;
}

render_debug_image_set render_debug_images(const renderer *r)
{
    return (render_debug_image_set){r->last_nearest, r->last_filtered, r->last_thickness,
                                    r->images.half.thickness};
}

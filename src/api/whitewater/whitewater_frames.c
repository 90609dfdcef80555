/* Public API of whitewater for stored frames: weir/whitewater.h. */
#include "weir/whitewater.h"

#include "sim_whitewater.h"
#include "solid.h"

struct weir_whitewater {
    weir_device *device;
    weir_scene *scene;
    solid_set *solids;
    api_posed_bodies posed_bodies; /* body poses at the end of the next frame */
    whitewater *core;              /* NULL before the first frame */
    gpu_buffer *ids;               /* indices, used for points without ids; NULL: not yet needed */
    float length_m;                /* length L of the scene, m */
    bool stepped;                  /* the first frame has been given */
    double time_s;                 /* of the last frame */
};

/* ---- creation ------------------------------------------------------------------------------- */

weir_result weir_whitewater_create(weir_device *device, const weir_scene *scene,
                                   weir_whitewater **whitewater)
{
    const weir_log *log = api_log(device);
    WEIR_REQUIRE_OUT(log, whitewater);
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE_NOT_NULL(log, scene);
    WEIR_REQUIRE(log, vec3_length(scene->data->gravity) > 0,
                 "whitewater needs gravity: set a gravity in the scene");
    WEIR_REQUIRE(log, scene->data->solver.dimensions == 3,
                 "whitewater needs three dimensions: set solver.dimensions to 3");
    weir_whitewater *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for whitewater");
    made->device = api_device_add_child(device, API_WHITEWATER);
    made->scene = (weir_scene *)(uintptr_t)scene; /* only the reference count changes */
    api_scene_retain(made->scene);
    const scene_data *data = scene->data;
    weir_result result = solid_set_create(
        device->gpu, data, 0.5f * data->spacing * data->solver.support_radius, &made->solids);
    *whitewater = made;
    if (result != WEIR_OK) weir_whitewater_destroy(whitewater);
    return result;
}

void weir_whitewater_destroy(weir_whitewater **whitewater)
{
    if (!whitewater || !*whitewater) return;
    whitewater_destroy(&(*whitewater)->core);
    solid_set_destroy((*whitewater)->device->gpu, &(*whitewater)->solids);
    api_posed_bodies_free(&(*whitewater)->posed_bodies);
    gpu_buffer_destroy((*whitewater)->device->gpu, &(*whitewater)->ids);
    api_scene_release((*whitewater)->scene);
    api_device_remove_child((*whitewater)->device, API_WHITEWATER);
    base_free(*whitewater);
    *whitewater = NULL;
}

/* ---- frames --------------------------------------------------------------------------------- */

static weir_result download_positions(const weir_whitewater *w, const particle_view *points,
                                      vec3 **positions)
{
    vec4 *read = base_alloc(points->count + 1u, sizeof *read);
    vec3 *made = *positions = base_alloc(points->count + 1u, sizeof *made);
    weir_result result = read && made ? WEIR_OK
                                      : base_fail(api_log(w->device), WEIR_ERROR_MEMORY,
                                                  "not enough memory for positions");
    if (result == WEIR_OK && points->count > 0)
        result = gpu_buffer_download(w->device->gpu, points->position, 0, read,
                                     points->count * sizeof *read);
    for (uint32_t i = 0; result == WEIR_OK && i < points->count; i++)
        made[i] = vec3_make(read[i].x, read[i].y, read[i].z);
    base_free(read);
    return result;
}

/* Creates the whitewater; the first frame determines the length of the scene. */
static weir_result begin_first_frame(weir_whitewater *w, const particle_view *points)
{
    weir_result result;
    vec3 *positions = NULL;
    const scene_data *scene = w->scene->data;
    WEIR_GOTO_IF_ERROR(download_positions(w, points, &positions));
    w->length_m = api_whitewater_scene_length(scene, positions, points->count);
    whitewater_def def = api_whitewater_def(scene, w->length_m, w->solids);
    def.attributes = points->attributes;
    WEIR_GOTO_IF_ERROR(whitewater_create(w->device->gpu, &def, &w->core));
fail:
    base_free(positions);
    return result;
}

/* Uses indices as ids for points without ids. */
static weir_result assign_ids(weir_whitewater *w, particle_view *points)
{
    gpu_device *gpu = w->device->gpu;
    uint32_t count = points->count;
    if (points->id) return WEIR_OK;
    if (!w->ids || gpu_buffer_count(w->ids) < count) {
        const gpu_buffer_def def = {
            .name = "whitewater_ids", .stride = 4, .count = count + count / 8u};
        gpu_buffer_destroy(gpu, &w->ids);
        WEIR_RETURN_IF_ERROR(gpu_buffer_create(gpu, &def, &w->ids));
        uint32_t *indices = base_alloc((size_t)def.count + 1u, sizeof *indices);
        if (!indices)
            return base_fail(api_log(w->device), WEIR_ERROR_MEMORY, "not enough memory for ids");
        for (uint32_t i = 0; i < def.count; i++)
            indices[i] = i;
        weir_result result = gpu_buffer_upload(gpu, w->ids, 0, indices, (size_t)def.count * 4);
        base_free(indices);
        if (result != WEIR_OK) return result;
    }
    points->id = w->ids;
    return WEIR_OK;
}

/* Checks the points of a frame, and creates the whitewater for the first frame. */
static weir_result prepare_points(weir_whitewater *w, const weir_points *points,
                                  particle_view *fluid)
{
    const weir_log *log = api_log(w->device);
    WEIR_REQUIRE_NOT_NULL(log, points);
    WEIR_REQUIRE(log, points->device == w->device, "`points` must be of the same device");
    WEIR_REQUIRE(log, points->slot.points.velocity, "whitewater needs the points' velocities");
    *fluid = points->slot.points;
    if (fluid->count > 0) WEIR_RETURN_IF_ERROR(assign_ids(w, fluid));
    return w->core ? WEIR_OK : begin_first_frame(w, fluid);
}

weir_result weir_whitewater_set_body_poses(weir_whitewater *whitewater, const weir_body_pose *poses,
                                           uint32_t count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, whitewater);
    const api_pose_def placing = {api_log(whitewater->device), whitewater->scene->data, poses,
                                  count};
    whitewater->posed_bodies.bodies.count = 0;
    if (count == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(api_pose_def_check(&placing));
    return api_set_body_poses(&placing, whitewater->solids, &whitewater->posed_bodies);
}

/* Returns the body poses; NULL when none have been set. */
static const scene_pose *body_poses(const weir_whitewater *w)
{
    return w->posed_bodies.bodies.count > 0 ? w->posed_bodies.bodies.poses : NULL;
}

weir_result weir_whitewater_step(weir_whitewater *whitewater, const weir_points *points,
                                 double time_s, uint64_t number)
{
    WEIR_REQUIRE_NOT_NULL(NULL, whitewater);
    const weir_log *log = api_log(whitewater->device);
    particle_view fluid;
    double before = whitewater->time_s;
    bool first = !whitewater->stepped;
    WEIR_REQUIRE(log, isfinite(time_s), "`time_s` must be finite");
    WEIR_RETURN_IF_ERROR(prepare_points(whitewater, points, &fluid));
    WEIR_REQUIRE(log, first || time_s > before,
                 "`time_s` must be above that of the previous frame");
    whitewater->time_s = time_s;
    whitewater->stepped = true;
    if (first) whitewater_set_body_poses(whitewater->core, body_poses(whitewater));
    if (first) return WEIR_OK;
    const whitewater_frame frame = {.points = &fluid,
                                    .gravity = whitewater->scene->data->gravity,
                                    .time_s = time_s,
                                    .last_s = before,
                                    .number = number,
                                    .bodies = body_poses(whitewater)};
    return whitewater_step(whitewater->core, &frame);
}

/* ---- readout -------------------------------------------------------------------------------- */

weir_whitewater_counts weir_whitewater_get_counts(const weir_whitewater *whitewater)
{
    whitewater_counts counts = {0};
    if (whitewater && whitewater->core) counts = whitewater_get_counts(whitewater->core);
    return (weir_whitewater_counts){.spray = counts.alive[WHITEWATER_SPRAY],
                                    .foam = counts.alive[WHITEWATER_FOAM],
                                    .bubbles = counts.alive[WHITEWATER_BUBBLE],
                                    .tracers = counts.alive[WHITEWATER_TRACER],
                                    .emitted_by_trapped_air =
                                        counts.emitted[WHITEWATER_TRAPPED_AIR],
                                    .emitted_by_wave_crests = counts.emitted[WHITEWATER_CREST],
                                    .emitted_by_curl = counts.emitted[WHITEWATER_CURL]};
}

weir_whitewater_scales weir_whitewater_get_scales(const weir_whitewater *whitewater)
{
    weir_whitewater_scales scales = {0};
    whitewater_get_scales(scales.threshold, scales.saturation);
    if (!whitewater || !whitewater->core) return scales;
    scales.length_m = whitewater->length_m;
    scales.speed_m_s = sqrtf(vec3_length(whitewater->scene->data->gravity) * whitewater->length_m);
    return scales;
}

weir_result weir_whitewater_get_potentials(weir_whitewater *whitewater, const weir_points *points,
                                           float *potentials, uint32_t *count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, whitewater);
    const weir_log *log = api_log(whitewater->device);
    particle_view fluid;
    WEIR_REQUIRE_NOT_NULL(log, potentials);
    WEIR_REQUIRE_NOT_NULL(log, count);
    WEIR_RETURN_IF_ERROR(prepare_points(whitewater, points, &fluid));
    WEIR_REQUIRE(log, *count >= fluid.count, "`count` must be at least the number of points");
    const whitewater_frame frame = {.points = &fluid,
                                    .gravity = whitewater->scene->data->gravity,
                                    .time_s = 1.0,
                                    .bodies = body_poses(whitewater)};
    return whitewater_read_potentials(whitewater->core, &frame, (vec4 *)potentials, count);
}

weir_result weir_whitewater_read(weir_whitewater *whitewater, weir_whitewater_particles *particles)
{
    io_particles read;
    WEIR_REQUIRE_NOT_NULL(NULL, whitewater);
    const weir_log *log = api_log(whitewater->device);
    WEIR_REQUIRE_NOT_NULL(log, particles);
    *particles = (weir_whitewater_particles){0};
    if (!whitewater->core) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(api_whitewater_download(log, whitewater->core, &read));
    return api_whitewater_hand_over(log, &read, particles);
}

weir_result weir_whitewater_save(weir_whitewater *whitewater, const char *path,
                                 const weir_output_def *as)
{
    const weir_output_def defaults = weir_output_def_default();
    if (!as) as = &defaults;
    WEIR_REQUIRE_NOT_NULL(NULL, whitewater);
    const weir_log *log = api_log(whitewater->device);
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE_DEF(log, as, API_OUTPUT_COOKIE, "output");
    WEIR_REQUIRE(log, whitewater->core, "there is no whitewater before the first frame");
    io_particles read;
    WEIR_RETURN_IF_ERROR(api_whitewater_download(log, whitewater->core, &read));
    read.time_s = whitewater->time_s;
    io_particles_to_file_axes(&read, api_file_axes(as));
    const io_particles_write_def write = {
        .path = path, .format = as->particle_format, .fields = UINT32_MAX & ~IO_FIELD_RADIUS};
    weir_result result = io_particles_write(log, &read, &write);
    io_particles_free(&read);
    return result;
}

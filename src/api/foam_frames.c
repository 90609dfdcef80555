/* Whitewater over stored frames: the side door of weir_foam.h. */
#include "weir_foam.h"

#include "output_internal.h"
#include "solid.h"
#include "whitewater.h"

struct weir_foam {
    weir_device *device;
    weir_scene *scene;
    solid_set *solids;
    api_placed placed; /* where the scene's bodies are in the next frame */
    foam *foam;        /* NULL before the first frame */
    gpu_buffer *ids;   /* that stand in for those that points have not; NULL: not made yet */
    float length_m;    /* L */
    bool stepped;      /* a first frame was there */
    double time_s;     /* of the last frame */
};

/* ---- creation ------------------------------------------------------------------------------- */

weir_result weir_foam_create(weir_device *device, const weir_scene *scene, weir_foam **foam)
{
    const weir_log *log = api_log(device);
    WEIR_REQUIRE_OUT(log, foam);
    WEIR_REQUIRE_GIVEN(log, device);
    WEIR_REQUIRE_GIVEN(log, scene);
    WEIR_REQUIRE(log, vec3_length(scene->data->gravity) > 0,
                 "whitewater needs gravity, and the scene has none: give it one");
    WEIR_REQUIRE(log, scene->data->solver.dimensions == 3,
                 "whitewater needs three dimensions: set solver.dimensions to 3");
    weir_foam *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_MEMORY, "no memory for whitewater");
    made->device = api_device_lend(device, API_FOAM);
    made->scene = (weir_scene *)(uintptr_t)scene; /* only the count of holders changes */
    api_scene_hold(made->scene);
    const scene_data *data = scene->data;
    weir_result result = solid_set_create(
        device->gpu, data, 0.5f * data->spacing * data->solver.support, &made->solids);
    *foam = made;
    if (result != WEIR_OK) weir_foam_destroy(foam);
    return result;
}

void weir_foam_destroy(weir_foam **foam)
{
    if (!foam || !*foam) return;
    foam_destroy(&(*foam)->foam);
    solid_set_destroy((*foam)->device->gpu, &(*foam)->solids);
    api_placed_free(&(*foam)->placed);
    gpu_buffer_destroy((*foam)->device->gpu, &(*foam)->ids);
    api_scene_release((*foam)->scene);
    api_device_return((*foam)->device, API_FOAM);
    base_free(*foam);
    *foam = NULL;
}

/* ---- frames --------------------------------------------------------------------------------- */

static weir_result read_places(const weir_foam *w, const grid_points *points, vec3 **places)
{
    vec4 *read = base_alloc(points->count + 1u, sizeof *read);
    vec3 *made = *places = base_alloc(points->count + 1u, sizeof *made);
    weir_result result =
        read && made ? WEIR_OK : base_fail(api_log(w->device), WEIR_MEMORY, "no memory for places");
    if (result == WEIR_OK && points->count > 0)
        result = gpu_buffer_download(w->device->gpu, points->position, 0, read,
                                     points->count * sizeof *read);
    for (uint32_t i = 0; result == WEIR_OK && i < points->count; i++)
        made[i] = vec3_make(read[i].x, read[i].y, read[i].z);
    base_free(read);
    return result;
}

/* The first frame says how long the scene is. */
static weir_result begin(weir_foam *w, const grid_points *points)
{
    weir_result result;
    vec3 *places = NULL;
    const scene_data *scene = w->scene->data;
    WEIR_TRY(read_places(w, points, &places));
    w->length_m = api_foam_length(scene, places, points->count);
    const foam_def def = api_foam_def(scene, w->length_m, w->solids);
    WEIR_TRY(foam_create(w->device->gpu, &def, &w->foam));
fail:
    base_free(places);
    return result;
}

/* Gives points without ids their indices. */
static weir_result name_points(weir_foam *w, grid_points *points)
{
    gpu_device *gpu = w->device->gpu;
    uint32_t count = points->count;
    if (points->id) return WEIR_OK;
    if (!w->ids || gpu_buffer_count(w->ids) < count) {
        const gpu_buffer_def def = {.name = "foam_ids", .stride = 4, .count = count + count / 8u};
        gpu_buffer_destroy(gpu, &w->ids);
        WEIR_NEED(gpu_buffer_create(gpu, &def, &w->ids));
        uint32_t *indices = base_alloc((size_t)def.count + 1u, sizeof *indices);
        if (!indices) return base_fail(api_log(w->device), WEIR_MEMORY, "no memory for ids");
        for (uint32_t i = 0; i < def.count; i++)
            indices[i] = i;
        weir_result result = gpu_buffer_upload(gpu, w->ids, 0, indices, (size_t)def.count * 4);
        base_free(indices);
        if (result != WEIR_OK) return result;
    }
    points->id = w->ids;
    return WEIR_OK;
}

/* What steps and probes ask of points; makes the whitewater with the first ones. */
static weir_result take_points(weir_foam *w, const weir_points *points, grid_points *fluid)
{
    const weir_log *log = api_log(w->device);
    WEIR_REQUIRE_GIVEN(log, points);
    WEIR_REQUIRE(log, points->device == w->device, "`points` must be of the same device");
    WEIR_REQUIRE(log, points->slot.points.velocity, "whitewater needs the points' velocities");
    *fluid = points->slot.points;
    if (fluid->count > 0) WEIR_NEED(name_points(w, fluid));
    return w->foam ? WEIR_OK : begin(w, fluid);
}

weir_result weir_foam_place_bodies(weir_foam *foam, const weir_body_pose *poses, uint32_t count)
{
    WEIR_REQUIRE_GIVEN(NULL, foam);
    const api_placing placing = {api_log(foam->device), foam->scene->data, poses, count};
    foam->placed.bodies.count = 0;
    if (count == 0) return WEIR_OK;
    WEIR_NEED(api_placing_check(&placing));
    return api_place_bodies(&placing, foam->solids, &foam->placed);
}

/* NULL: nobody says where they are. */
static const scene_pose *bodies_of(const weir_foam *w)
{
    return w->placed.bodies.count > 0 ? w->placed.bodies.poses : NULL;
}

weir_result weir_foam_step(weir_foam *foam, const weir_points *points, double time_s,
                           uint64_t number)
{
    WEIR_REQUIRE_GIVEN(NULL, foam);
    const weir_log *log = api_log(foam->device);
    grid_points fluid;
    double before = foam->time_s;
    bool first = !foam->stepped;
    WEIR_REQUIRE(log, isfinite(time_s), "`time_s` must be finite");
    WEIR_NEED(take_points(foam, points, &fluid));
    WEIR_REQUIRE(log, first || time_s > before, "`time_s` must be above that of the frame before");
    foam->time_s = time_s;
    foam->stepped = true;
    if (first) foam_start_bodies(foam->foam, bodies_of(foam));
    if (first) return WEIR_OK;
    const foam_frame frame = {.points = &fluid,
                              .gravity = foam->scene->data->gravity,
                              .time_s = time_s,
                              .dt_s = (float)(time_s - before),
                              .number = number,
                              .bodies = bodies_of(foam)};
    return foam_step(foam->foam, &frame);
}

/* ---- what there is -------------------------------------------------------------------------- */

weir_foam_counts weir_foam_count(const weir_foam *foam)
{
    foam_counts counts = {0};
    if (foam && foam->foam) counts = foam_get_counts(foam->foam);
    return (weir_foam_counts){.spray = counts.alive[FOAM_SPRAY],
                              .foam = counts.alive[FOAM_FOAM],
                              .bubbles = counts.alive[FOAM_BUBBLE],
                              .born_of_air = counts.born[FOAM_TRAPPED],
                              .born_of_crests = counts.born[FOAM_CREST],
                              .born_of_curl = counts.born[FOAM_CURL]};
}

weir_foam_scales weir_foam_get_scales(const weir_foam *foam)
{
    weir_foam_scales scales = {0};
    foam_bounds(scales.begin, scales.most);
    if (!foam || !foam->foam) return scales;
    scales.length_m = foam->length_m;
    scales.speed_m_s = sqrtf(vec3_length(foam->scene->data->gravity) * foam->length_m);
    return scales;
}

weir_result weir_foam_probe(weir_foam *foam, const weir_points *points, float *potentials,
                            uint32_t *count)
{
    WEIR_REQUIRE_GIVEN(NULL, foam);
    const weir_log *log = api_log(foam->device);
    grid_points fluid;
    WEIR_REQUIRE_GIVEN(log, potentials);
    WEIR_REQUIRE_GIVEN(log, count);
    WEIR_NEED(take_points(foam, points, &fluid));
    WEIR_REQUIRE(log, *count >= fluid.count, "`count` must be room for all points");
    const foam_frame frame = {.points = &fluid,
                              .gravity = foam->scene->data->gravity,
                              .dt_s = 1.0f,
                              .bodies = bodies_of(foam)};
    return foam_probe(foam->foam, &frame, (vec4 *)potentials, count);
}

weir_result weir_foam_save(weir_foam *foam, const char *path, const weir_output_def *as)
{
    WEIR_REQUIRE_GIVEN(NULL, foam);
    const weir_log *log = api_log(foam->device);
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE_DEF(log, as, API_OUTPUT_COOKIE, "output");
    WEIR_REQUIRE(log, foam->foam, "there is no whitewater before the first frame");
    io_particles read;
    WEIR_NEED(api_foam_read(log, foam->foam, &read));
    read.time_s = foam->time_s;
    output_turn_foam(as, &read);
    const io_particles_write_def write = {
        .path = path, .format = as->format, .fields = UINT32_MAX & ~IO_FIELD_RADIUS};
    weir_result result = io_particles_write(log, &read, &write);
    if (result == WEIR_OK && as->format == WEIR_FORMAT_VTK)
        result = api_series_update(log, path, foam->time_s);
    io_particles_free(&read);
    return result;
}

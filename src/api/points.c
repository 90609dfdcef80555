/* Public API of points: snapshots of particles that the mesher and the renderer read. */
#include "api_internal.h"
#include "geometry.h"

weir_points_def weir_points_def_default(void)
{
    return (weir_points_def){.cookie = API_POINTS_COOKIE};
}

void api_snapshot_pool_release(weir_device *device, api_snapshot_pool **slots)
{
    api_snapshot_pool *held = *slots;
    *slots = NULL;
    if (!held || --held->reference_count > 0) return;
    for (uint32_t i = 0; i < held->count; i++) {
        sim_snapshot_destroy(device->gpu, &held->free[i]);
        gpu_buffer_destroy(device->gpu, &held->whitewater[i]);
    }
    base_free(held);
}

void weir_points_release(weir_points **points)
{
    if (!points || !*points) return;
    weir_points *p = *points;
    api_snapshot_pool *slots = p->slots;
    if (slots && slots->reference_count > 1 && slots->count < API_IDLE_SLOTS) {
        slots->whitewater[slots->count] = p->whitewater;
        slots->free[slots->count++] = p->slot;
    } else {
        gpu_buffer_destroy(p->device->gpu, &p->whitewater);
        sim_snapshot_destroy(p->device->gpu, &p->slot);
    }
    api_snapshot_pool_release(p->device, &p->slots);
    api_poses_free(&p->bodies);
    api_deformable_meshes_free(&p->deformables);
    api_poses_free(&p->solids);
    if (p->scene) api_scene_release(p->scene);
    api_device_remove_child(p->device, API_POINTS);
    base_free(p);
    *points = NULL;
}

weir_points *api_points_from_sim(weir_sim *sim)
{
    weir_points *made = base_alloc(1, sizeof *made);
    if (!made) return NULL;
    made->device = api_device_add_child(sim->device, API_POINTS);
    made->slots = sim->slots;
    made->slots->reference_count++;
    if (made->slots->count) {
        made->slot = made->slots->free[--made->slots->count];
        made->whitewater = made->slots->whitewater[made->slots->count];
    }
    made->min = sim->scene->data->domain.min;
    made->max = sim->scene->data->domain.max;
    return made;
}

weir_result api_points_wait_counts(weir_points *points)
{
    bool whole;
    sim_world *world = points->slots ? points->slots->world : NULL;
    if (!points->stepped || points->counts_known) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim_snapshot_read_count(points->device->gpu, &points->slot, &whole));
    if (world) WEIR_RETURN_IF_ERROR(api_read_body_poses(world, &points->slot, &points->bodies));
    if (world)
        WEIR_RETURN_IF_ERROR(
            api_deformable_meshes_from_sim(world, &points->slot, &points->deformables));
    if (!whole) points->steps = 0; /* a replay has changed the order of the particles */
    points->counts_known = true;
    return WEIR_OK;
}

weir_result api_points_read_lambda(weir_points *points)
{
    const api_snapshot_pool *slots = points->slots;
    if (points->slot.points.has_lambda) return WEIR_OK;
    WEIR_REQUIRE(api_log(points->device), slots && slots->world && slots->steps == points->steps,
                 "only the points of a simulation have lambda, until its next step begins: draw "
                 "them before that, or choose another colouring");
    return sim_copy_lambda(slots->world, &points->slot.points);
}

/* ---- host arrays ---------------------------------------------------------------------------- */

weir_result api_upload_vectors(weir_device *device, gpu_buffer *buffer, const float *from, float w)
{
    size_t count = (size_t)gpu_buffer_count(buffer);
    if (count == 0) return WEIR_OK;
    float *padded = base_alloc(count, 16);
    if (!padded)
        return base_fail(api_log(device), WEIR_ERROR_MEMORY, "not enough memory to upload");
    for (size_t i = 0; i < count; i++) {
        memcpy(padded + 4 * i, from + 3 * i, 12);
        padded[4 * i + 3] = w;
    }
    weir_result result = gpu_buffer_upload(device->gpu, buffer, 0, padded, count * 16);
    base_free(padded);
    return result;
}

static weir_result upload(weir_device *device, const weir_points_def *def, particle_view *data)
{
    size_t size = (size_t)def->count * 4;
    WEIR_RETURN_IF_ERROR(api_upload_vectors(device, data->position, def->position, 1.0f));
    if (data->velocity)
        WEIR_RETURN_IF_ERROR(api_upload_vectors(device, data->velocity, def->velocity, 0.0f));
    if (data->id) WEIR_RETURN_IF_ERROR(gpu_buffer_upload(device->gpu, data->id, 0, def->id, size));
    if (data->fluid)
        WEIR_RETURN_IF_ERROR(gpu_buffer_upload(device->gpu, data->fluid, 0, def->fluid, size));
    if (data->density)
        WEIR_RETURN_IF_ERROR(gpu_buffer_upload(device->gpu, data->density, 0, def->density, size));
    return WEIR_OK;
}

/* Uploads the attributes, packed as the mesher and the renderer read them. */
static weir_result upload_attributes(weir_device *device, const weir_points_def *def,
                                     particle_view *data)
{
    const size_t stride = 4u * particle_attribute_vectors(data);
    if (!data->attribute_values || def->count == 0) return WEIR_OK;
    float *packed = base_alloc(def->count, stride * sizeof *packed);
    if (!packed)
        return base_fail(api_log(device), WEIR_ERROR_MEMORY, "not enough memory to upload");
    for (uint32_t a = 0; a < def->attribute_count; a++) {
        const weir_attribute_values *from = &def->attributes[a];
        for (size_t i = 0; i < def->count; i++)
            memcpy(packed + i * stride + data->attributes.items[a].first,
                   from->values + i * from->stride, from->components * sizeof *packed);
    }
    weir_result result = gpu_buffer_upload(device->gpu, data->attribute_values, 0, packed,
                                           def->count * stride * sizeof *packed);
    base_free(packed);
    return result;
}

static weir_result create_attributes(weir_device *device, const weir_points_def *def,
                                     particle_view *data)
{
    base_attributes attributes = {0};
    for (uint32_t i = 0; i < def->attribute_count; i++)
        base_attributes_add(&attributes, def->attributes[i].name, def->attributes[i].components);
    WEIR_RETURN_IF_ERROR(particle_view_add_attributes(device->gpu, &attributes, def->count, data));
    return upload_attributes(device, def, data);
}

static weir_result check_positions(const weir_log *log, const weir_points_def *def)
{
    for (size_t i = 0; i < 3 * (size_t)def->count; i++)
        if (!isfinite(def->position[i]))
            return api_argument_error(log, "`position[%zu]` is %g, expected a finite number", i,
                                      (double)def->position[i]);
    return WEIR_OK;
}

weir_result weir_points_create(weir_device *device, const weir_points_def *def,
                               weir_points **points)
{
    const weir_log *log = api_log(device);
    weir_result result;
    WEIR_REQUIRE_OUT(log, points);
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE_DEF(log, def, API_POINTS_COOKIE, "points");
    WEIR_REQUIRE(log, def->position || def->count == 0, "`position` must not be NULL");
    WEIR_REQUIRE(log, def->spacing_m > 0.0f && isfinite(def->spacing_m),
                 "`spacing_m` must be a finite length above 0");
    WEIR_REQUIRE(log, def->support_radius_m >= 0.0f && isfinite(def->support_radius_m),
                 "`support_radius_m` must be a finite length, or 0 for twice the spacing");
    uint32_t fields =
        (def->velocity ? 1u << WEIR_FIELD_VELOCITY : 0u) | (def->id ? 1u << WEIR_FIELD_ID : 0u) |
        (def->fluid ? 1u << WEIR_FIELD_FLUID : 0u) | (def->density ? 1u << WEIR_FIELD_DENSITY : 0u);
    weir_points_def thinned = {0};
    weir_points *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for points");
    made->device = api_device_add_child(device, API_POINTS);
    made->version = ++device->points_made;
    WEIR_GOTO_IF_ERROR(check_positions(log, def));
    WEIR_GOTO_IF_ERROR(api_check_attributes(log, def));
    WEIR_GOTO_IF_ERROR(points_thin(log, def, &thinned));
    points_bounding_box((const vec3 *)thinned.position, thinned.count, &made->min, &made->max);
    WEIR_GOTO_IF_ERROR(
        particle_view_create(device->gpu, fields, thinned.count, &made->slot.points));
    made->slot.points.spacing_m = def->spacing_m;
    made->slot.points.radius_m =
        def->support_radius_m > 0.0f ? def->support_radius_m : 2.0f * def->spacing_m;
    if (thinned.count) WEIR_GOTO_IF_ERROR(upload(device, &thinned, &made->slot.points));
    WEIR_GOTO_IF_ERROR(create_attributes(device, &thinned, &made->slot.points));
    *points = made;
    made = NULL;
fail:
    points_thinned_free(def, &thinned);
    weir_points_release(&made);
    return result;
}

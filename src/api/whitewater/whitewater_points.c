/* Public API of whitewater in host memory, in files, and attached to points: weir/whitewater.h. */
#include "weir/whitewater.h"

#include "sim_whitewater.h"

#include "shared/whitewater.h"

/* ---- host memory and files ------------------------------------------------------------------ */

/* What `internal` of weir_whitewater_particles points to. */
typedef struct loaded_whitewater {
    io_particles read; /* first: weir_whitewater_particles_free takes `internal` for it */
    weir_attribute_values attributes[BASE_MAX_ATTRIBUTES];
} loaded_whitewater;

static void list_arrays(loaded_whitewater *loaded, weir_whitewater_particles *particles)
{
    const io_particles *read = &loaded->read;
    *particles = (weir_whitewater_particles){
        .count = read->count,
        .position = read->position ? &read->position->x : NULL,
        .velocity = read->velocity ? &read->velocity->x : NULL,
        .id = read->id,
        .kind = read->kind,
        .radius = read->radius,
        .age = read->age,
        .lifetime = read->lifetime,
        .attributes = loaded->attributes,
        .attribute_count = api_list_attribute_values(read, loaded->attributes),
        .internal = loaded};
}

weir_result api_whitewater_hand_over(const weir_log *log, io_particles *read,
                                     weir_whitewater_particles *particles)
{
    loaded_whitewater *loaded = base_alloc(1, sizeof *loaded);
    if (!loaded) {
        io_particles_free(read);
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for whitewater");
    }
    loaded->read = *read;
    list_arrays(loaded, particles);
    return WEIR_OK;
}

weir_result weir_whitewater_load_attributes(const weir_log *log, const char *path,
                                            const weir_whitewater_load_def *def,
                                            weir_whitewater_particles *particles)
{
    const weir_output_def defaults = weir_output_def_default();
    WEIR_REQUIRE_NOT_NULL(log, def);
    WEIR_REQUIRE_NOT_NULL(log, particles);
    const weir_output_def *as = def->as ? def->as : &defaults;
    *particles = (weir_whitewater_particles){0};
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE_DEF(log, as, API_OUTPUT_COOKIE, "output");
    WEIR_RETURN_IF_ERROR(api_check_attribute_names(log, def->attributes, def->attribute_count));
    const base_attributes wanted = api_requested_attributes(def->attributes, def->attribute_count);
    io_particles read;
    WEIR_RETURN_IF_ERROR(io_whitewater_read(log, path, wanted.count ? &wanted : NULL, &read));
    io_particles_from_file_axes(&read, api_file_axes(as));
    return api_whitewater_hand_over(log, &read, particles);
}

weir_result weir_whitewater_load(const weir_log *log, const char *path, const weir_output_def *as,
                                 weir_whitewater_particles *particles)
{
    const weir_whitewater_load_def def = {.as = as};
    return weir_whitewater_load_attributes(log, path, &def, particles);
}

weir_result weir_sim_read_whitewater(weir_sim *sim, weir_whitewater_particles *particles)
{
    io_particles read;
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), particles);
    *particles = (weir_whitewater_particles){0};
    WEIR_RETURN_IF_ERROR(api_sim_read_whitewater(sim, &read));
    return api_whitewater_hand_over(api_sim_log(sim), &read, particles);
}

void weir_whitewater_particles_free(weir_whitewater_particles *particles)
{
    if (!particles) return;
    if (particles->internal) io_particles_free(particles->internal);
    base_free(particles->internal);
    *particles = (weir_whitewater_particles){0};
}

/* ---- pictures -------------------------------------------------------------------------------- */

static bool is_finite_vector(const float *v)
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

/* Maximum radius in particle spacings. Larger radii are most likely in another unit; many of them
 * cover the picture and take hours to draw. */
#define MAX_RADIUS_SPACINGS 4.0f

/* Returns a message about an invalid particle, or NULL. */
static const char *find_error(const weir_whitewater_particles *p, uint32_t i)
{
    if (!is_finite_vector(&p->position[3 * (size_t)i])) return "position: expected finite numbers";
    if (p->velocity && !is_finite_vector(&p->velocity[3 * (size_t)i]))
        return "velocity: expected finite numbers";
    if (!(p->radius[i] > 0.0f) || !isfinite(p->radius[i]))
        return "radius: expected a finite length above 0";
    return p->kind[i] < WHITEWATER_KINDS
               ? NULL
               : "kind: expected 0 (spray), 1 (foam), 2 (bubble) or 3 (tracer)";
}

/* `spacing_m` 0: unknown. */
static weir_result check_particles(const weir_log *log, const weir_whitewater_particles *p,
                                   float spacing_m)
{
    float most_m = spacing_m > 0.0f ? MAX_RADIUS_SPACINGS * spacing_m : INFINITY;
    for (uint32_t i = 0; i < p->count; i++) {
        const char *fault = find_error(p, i);
        if (!fault && p->radius[i] > most_m)
            return api_argument_error(
                log,
                "particle %u: radius: is %g m, expected "
                "at most %g, %g spacings of the fluid: give positions and radii in metres",
                i, (double)p->radius[i], (double)most_m, (double)MAX_RADIUS_SPACINGS);
        if (fault) return api_argument_error(log, "particle %u: %s", i, fault);
    }
    return WEIR_OK;
}

static struct whitewater_particle pack_particle(const weir_whitewater_particles *p, uint32_t i)
{
    const float *x = &p->position[3 * (size_t)i];
    struct whitewater_particle made = {.position = {x[0], x[1], x[2], p->radius[i]},
                                       .id = p->id ? p->id[i] : i,
                                       .kind = p->kind[i]};
    if (p->velocity) memcpy(&made.velocity, &p->velocity[3 * (size_t)i], 3 * sizeof(float));
    return made;
}

static weir_result upload_particles(weir_device *owner, const weir_whitewater_particles *particles,
                                    gpu_buffer **made)
{
    gpu_device *device = owner->gpu;
    const gpu_buffer_def def = {.name = "given_whitewater",
                                .stride = sizeof(struct whitewater_particle),
                                .count = particles->count};
    struct whitewater_particle *packed = base_alloc(particles->count, sizeof *packed);
    if (!packed)
        return base_fail(api_log(owner), WEIR_ERROR_MEMORY, "not enough memory for whitewater");
    for (uint32_t i = 0; i < particles->count; i++)
        packed[i] = pack_particle(particles, i);
    weir_result result = gpu_buffer_create(device, &def, made);
    if (result == WEIR_OK)
        result = gpu_buffer_upload(device, *made, 0, packed, particles->count * sizeof *packed);
    base_free(packed);
    return result;
}

/* Checks and uploads whitewater in place of *kept. */
static weir_result replace_whitewater(weir_device *device, float spacing_m,
                                      const weir_whitewater_particles *particles, gpu_buffer **kept,
                                      uint32_t *kept_count)
{
    const weir_log *log = api_log(device);
    gpu_buffer *made = NULL;
    WEIR_REQUIRE_NOT_NULL(log, particles);
    WEIR_REQUIRE(
        log, particles->count == 0 || (particles->position && particles->kind && particles->radius),
        "`position`, `kind` and `radius` must not be NULL");
    WEIR_RETURN_IF_ERROR(check_particles(log, particles, spacing_m));
    weir_result result = particles->count ? upload_particles(device, particles, &made) : WEIR_OK;
    if (result != WEIR_OK) {
        gpu_buffer_destroy(device->gpu, &made);
        return result;
    }
    gpu_buffer_destroy(device->gpu, kept);
    *kept = made;
    *kept_count = particles->count;
    return WEIR_OK;
}

weir_result weir_points_set_whitewater(weir_points *points,
                                       const weir_whitewater_particles *particles)
{
    WEIR_REQUIRE_NOT_NULL(NULL, points);
    return replace_whitewater(points->device, points->slot.points.spacing_m, particles,
                              &points->whitewater, &points->whitewater_count);
}

weir_result weir_mesh_set_whitewater(weir_mesh *mesh, const weir_whitewater_particles *particles)
{
    WEIR_REQUIRE_NOT_NULL(NULL, mesh);
    return replace_whitewater(mesh->device, mesh->surface.spacing_m, particles, &mesh->whitewater,
                              &mesh->whitewater_count);
}

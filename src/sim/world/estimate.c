/* Estimates what a scene needs: counted with a device, or bounded from the scene alone. */
#include "io.h"
#include "sim_input.h"
#include "sim_solvers.h"
#include "sim_stability.h"
#include "sim_world.h"

/* per particle: 4 MAC cells in blocks for 9 particles, and the tables of the sort */
#define GRID_BYTES_PER_PARTICLE 90u

/* Returns an upper bound of a fill's volume, m3: that of the shape's bounding box within the
 * domain. */
static double bound_fill_volume(const scene_data *scene, const scene_fill *fill,
                                const vec3 *mesh_boxes)
{
    vec3 low, high;
    scene_shape_bounds(scene, fill->shape, mesh_boxes, &low, &high);
    low = vec3_max(low, scene->domain.min);
    high = vec3_min(high, scene->domain.max);
    vec3 size = vec3_max(vec3_sub(high, low), vec3_make(0, 0, 0));
    if (scene->solver.dimensions == 2) size.z = scene->spacing; /* one layer */
    return (double)size.x * (double)size.y * (double)size.z;
}

static weir_result read_mesh_bounds(const weir_log *log, const scene_data *scene, vec3 *boxes)
{
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        io_mesh mesh = {0};
        char *path = scene_mesh_file(&scene->meshes[m], scene->meshes[m].first);
        weir_result result =
            path ? io_mesh_read_at(log, path, scene->meshes[m].origin, &mesh) : WEIR_ERROR_MEMORY;
        vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
        for (uint32_t i = 0; i < mesh.vertex_count; i++) {
            low = vec3_min(low, mesh.vertices[i]);
            high = vec3_max(high, mesh.vertices[i]);
        }
        boxes[2 * m] = low;
        boxes[2 * m + 1] = high;
        io_mesh_free(&mesh);
        base_free(path);
        if (result != WEIR_OK) return result;
    }
    return WEIR_OK;
}

static weir_result bound_fill_particles(const weir_log *log, const scene_data *scene,
                                        const scene_fill *fill, const vec3 *boxes, uint64_t *count)
{
    double d = (double)scene->spacing;
    if (fill->kind == SCENE_FILL_SHAPE) {
        *count += (uint64_t)(bound_fill_volume(scene, fill, boxes) / (d * d * d) + 0.5);
        return WEIR_OK;
    }
    io_particles file = {0};
    weir_result result = io_particles_read(log, fill->path, &file);
    *count += file.count;
    io_particles_free(&file);
    return result;
}

/* Allocates and computes the bounding boxes of the scene's meshes. Release with base_free. */
static weir_result read_all_mesh_bounds(const weir_log *log, const scene_data *scene, vec3 **boxes)
{
    *boxes = base_alloc(2u * scene->mesh_count, sizeof **boxes);
    if (!*boxes)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to examine the scene's meshes");
    weir_result result = read_mesh_bounds(log, scene, *boxes);
    if (result == WEIR_OK) return WEIR_OK;
    base_free(*boxes);
    *boxes = NULL;
    return result;
}

static weir_result bound_particles(const weir_log *log, const scene_data *scene, const vec3 *boxes,
                                   uint64_t *count)
{
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        for (uint32_t k = 0; k < scene->fluids[i].fill_count; k++)
            WEIR_RETURN_IF_ERROR(
                bound_fill_particles(log, scene, &scene->fluids[i].fills[k], boxes, count));
    return WEIR_OK;
}

/* Predicts depth, compression and substeps of a simulation that starts with these particles. */
static weir_result predict_compression(const weir_log *log, const scene_data *scene,
                                       solid_set *solids, const sim_initial_particles *particles,
                                       sim_scene_estimate *needs)
{
    sim_world *world = base_alloc(1, sizeof *world);
    if (!world) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to examine a scene");
    world->scene = scene;
    world->solids = solids;
    sim_measure_fluid_depth(world, particles);
    sim_params_fill(world);
    sim_pressure_grid_choose(world);
    double dt = sim_max_substep_s(scene);
    needs->depth_m = world->fluid_depth_m;
    needs->compression = sim_predicted_compression(world, dt);
    needs->recommended_substeps = sim_recommended_settings(world, dt).substeps;
    base_free(world);
    return WEIR_OK;
}

/* Fills the fluids and counts the particles. A fill that may be too large is tried without messages
 * first, because being too large is not an error. */
static weir_result fill_and_count(const weir_log *log, const scene_data *scene, solid_set *solids,
                                  uint64_t limit, sim_scene_estimate *needs)
{
    sim_initial_particles particles = {.max_count = limit};
    weir_result result = sim_fill_fluids(log, scene, solids, &particles);
    if (result == WEIR_OK) needs->particles = particles.x.count;
    if (result == WEIR_OK) result = predict_compression(log, scene, solids, &particles, needs);
    sim_initial_particles_free(&particles);
    return result;
}

/* Returns how many times the bound may exceed the count: a box is full, whereas an armadillo fills
 * a fifth of its bounding box. */
static uint64_t find_bound_slack(const scene_data *scene)
{
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        for (uint32_t k = 0; k < scene->fluids[i].fill_count; k++) {
            const scene_fill *fill = &scene->fluids[i].fills[k];
            bool exact = fill->kind != SCENE_FILL_SHAPE ||
                         scene->shapes[fill->shape].kind == SCENE_SHAPE_BOX;
            if (!exact) return 16;
        }
    return 1;
}

/* Rejects bodies that a run would reject, and logs the masses of the others. */
static weir_result log_bodies(const weir_log *log, const scene_data *scene, const solid_set *solids)
{
    if (scene->body_count == 0) return WEIR_OK;
    body_mass_properties *mass_properties = base_alloc(scene->body_count, sizeof *mass_properties);
    if (!mass_properties)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to examine the scene's bodies");
    weir_result result = body_compute_mass_properties(log, scene, solids, mass_properties);
    for (uint32_t i = 0; i < scene->body_count && result == WEIR_OK; i++)
        base_log(log, WEIR_LOG_INFO, "%s: body '%s': %.4g kg, %.4g m3, %.4g kg/m3", scene->source,
                 scene->bodies[i].name, mass_properties[i].mass_kg, mass_properties[i].volume_m3,
                 mass_properties[i].density);
    base_free(mass_properties);
    return result;
}

static const char *constraint_noun(const deformable_info *f)
{
    if (f->clusters) return f->clusters == 1 ? "cluster" : "clusters";
    return f->constraints == 1 ? "constraint" : "constraints";
}

/* Rejects deformables that a run would reject, and logs masses and vertices of the others. */
static weir_result log_deformables(const weir_log *log, const scene_data *scene,
                                   const solid_set *solids)
{
    uint32_t count = scene_deformable_count(scene);
    if (count == 0) return WEIR_OK;
    deformable_info *info = base_alloc(count, sizeof *info);
    if (!info)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to examine cloths and ropes");
    static const char *const kinds[] = {"cloth", "rope", "soft body"};
    weir_result result = deformable_compute_info(log, scene, solids, info);
    for (uint32_t i = 0; i < count && result == WEIR_OK; i++)
        base_log(log, WEIR_LOG_INFO,
                 "%s: %s '%s': %.4g kg, %u vertices, of which %u are pinned, %u %s", scene->source,
                 kinds[scene_deformable_at(scene, i)->kind], scene_deformable_at(scene, i)->name,
                 info[i].mass_kg, info[i].vertex_count, info[i].pinned,
                 info[i].clusters ? info[i].clusters : info[i].constraints,
                 constraint_noun(&info[i]));
    base_free(info);
    return result;
}

/* Replaces the bound by the exact count if the device has room for the particles. */
static weir_result count_particles(const weir_log *log, const scene_data *scene, gpu_device *device,
                                   sim_scene_estimate *needs)
{
    weir_result result;
    const weir_log silent = {0};
    solid_set *solids = NULL;
    sim_streams streams = {0};
    uint64_t limit = sim_max_particles(device, scene);
    WEIR_GOTO_IF_ERROR(solid_set_create(
        device, scene, 0.5f * scene->spacing * scene->solver.support_radius, &solids));
    solid_set_warn(solids, log);
    sim_warn_fast_solids(log, scene, solids);
    sim_warn_fast_bodies(log, scene);
    WEIR_GOTO_IF_ERROR(log_bodies(log, scene, solids));
    WEIR_GOTO_IF_ERROR(log_deformables(log, scene, solids));
    WEIR_GOTO_IF_ERROR(sim_streams_create(log, scene, solids, &streams));
    needs->max_emitted = sim_max_emitted(scene, &streams, (double)scene->duration);
    if (needs->particles <= limit)
        needs->exact = true;
    else if (needs->particles / find_bound_slack(scene) <= limit)
        needs->exact = fill_and_count(&silent, scene, solids, limit, needs) != WEIR_ERROR_MEMORY;
    if (needs->exact) WEIR_GOTO_IF_ERROR(fill_and_count(log, scene, solids, limit, needs));
fail:
    sim_streams_free(&streams);
    solid_set_destroy(device, &solids);
    return result;
}

/* ---- bounds without the shapes themselves ---------------------------------------------------- */

static double box_volume(vec3 size)
{
    return fmax((double)size.x, 0.0) * fmax((double)size.y, 0.0) * fmax((double)size.z, 0.0);
}

/* Returns the volume that solids, bodies and soft bodies displace at most, m3: that of their
 * bounding boxes within the domain. */
static double bound_displaced_volume(const scene_data *scene, const vec3 *boxes)
{
    const uint32_t solids = scene->solid_count, rigid = solids + scene->body_count;
    double sum = 0.0;
    for (uint32_t i = 0; i < rigid + scene->soft_body_count; i++) {
        uint32_t shape = i < solids  ? scene->solids[i].shape
                         : i < rigid ? scene->bodies[i - solids].shape
                                     : scene->soft_bodies[i - rigid].shape;
        vec3 low, high;
        scene_shape_bounds(scene, shape, boxes, &low, &high);
        low = vec3_max(low, scene->domain.min);
        high = vec3_min(high, scene->domain.max);
        sum += box_volume(vec3_sub(high, low));
    }
    return sum;
}

static double bound_domain_volume(const scene_data *scene)
{
    vec3 size = vec3_sub(scene->domain.max, scene->domain.min);
    if (scene->solver.dimensions == 2) size.z = scene->spacing; /* one layer */
    return box_volume(size);
}

/* Returns the number of sites in an emitter's cross-section, at most: for shapes, in the faces of
 * their bounding boxes that the flow crosses, or in all of them. */
static double bound_emitter_sites(const scene_data *scene, const scene_emitter *e,
                                  const vec3 *boxes)
{
    const bool planar = scene->solver.dimensions == 2,
               surface = e->emission == SCENE_EMISSION_SURFACE;
    vec3 low, high;
    if (!e->has_shape) return scene_opening_sites(e, scene->spacing, planar, NULL);
    scene_shape_bounds(scene, e->shape, boxes, &low, &high);
    vec3 size = vec3_sub(vec3_min(high, scene->domain.max), vec3_max(low, scene->domain.min));
    size = vec3_scale(vec3_max(size, vec3_make(0, 0, 0)), 1.0f / scene->spacing);
    if (planar) size.z = 1.0f;
    const vec3 n = surface ? vec3_make(2, 2, planar ? 0 : 2) : e->direction;
    return fabs((double)n.x) * (double)size.y * (double)size.z +
           fabs((double)n.y) * (double)size.x * (double)size.z +
           fabs((double)n.z) * (double)size.x * (double)size.y + 1.0;
}

/* Returns an upper bound of the particles that emitters add. */
static uint64_t bound_emitted(const scene_data *scene, const vec3 *boxes)
{
    double total = 0.0;
    const double d = (double)scene->spacing,
                 volume = scene->solver.dimensions == 2 ? d * d : d * d * d;
    for (uint32_t i = 0; i < scene->emitter_count; i++) {
        const scene_emitter *e = &scene->emitters[i];
        const double speed = (double)scene_emitter_max_speed(e);
        const double seconds =
            fmax(fmin((double)e->end_s, (double)scene->duration) - (double)e->start_s, 0.0);
        double sum = e->speed_is_flow_rate
                         ? speed * seconds / volume
                         : (speed * seconds / d + 1.0) * bound_emitter_sites(scene, e, boxes);
        total += fmin(sum, (double)e->max_particles);
    }
    return (uint64_t)total;
}

weir_result sim_check_particle_bound(gpu_device *device, const scene_data *scene)
{
    const weir_log *log = gpu_device_log(device);
    const double d = (double)scene->spacing, limit = (double)sim_max_particles(device, scene);
    const double site = d * d * d; /* m3 */
    uint64_t most = 0;
    if (bound_domain_volume(scene) / site <= limit) return WEIR_OK;
    vec3 *boxes = NULL;
    WEIR_RETURN_IF_ERROR(read_all_mesh_bounds(log, scene, &boxes));
    weir_result result = bound_particles(log, scene, boxes, &most);
    double least = (double)most / (double)find_bound_slack(scene) -
                   bound_displaced_volume(scene, boxes) / site;
    base_free(boxes);
    if (result != WEIR_OK || least <= limit) return result;
    double raised = d * cbrt(least / limit);
    return base_fail(log, WEIR_ERROR_MEMORY,
                     "%s: the fluids would have about %.3g particles, more than the %.3g that fit "
                     "into the %.3g GB of device memory: raise spacing from %g to %.2g m or more, "
                     "or fill less",
                     scene->source, least, limit,
                     (double)gpu_device_info(device)->memory_bytes * 1e-9, d, 1.02 * raised);
}

weir_result sim_estimate(const weir_log *log, const scene_data *scene, gpu_device *device,
                         sim_scene_estimate *needs)
{
    *needs = (sim_scene_estimate){0};
    vec3 *boxes = NULL;
    WEIR_RETURN_IF_ERROR(read_all_mesh_bounds(log, scene, &boxes));
    weir_result result = bound_particles(log, scene, boxes, &needs->particles);
    if (result == WEIR_OK) solid_report_file_sizes(log, scene, boxes);
    if (result == WEIR_OK) needs->max_emitted = bound_emitted(scene, boxes);
    base_free(boxes);
    if (result == WEIR_OK && device) result = count_particles(log, scene, device, needs);
    if (result != WEIR_OK) return result;
    uint64_t max_count = needs->particles + needs->max_emitted;
    double h = (double)scene->spacing * (double)scene->solver.support_radius;
    vec3 size = vec3_sub(scene->domain.max, scene->domain.min);
    double lines = ceil((double)size.y / h) * ceil((double)size.z / h);
    double segments = lines * ceil((double)size.x / h / GRID_SEGMENT_BINS);
    bool compact = device && sim_needs_compact_lists(device, scene, max_count);
    needs->device_bytes =
        max_count * sim_bytes_per_particle(scene, sim_initial_list_capacity(scene), compact) +
        (uint64_t)segments * 4u +
        max_count * (scene_has_grid(&scene->solver) ? GRID_BYTES_PER_PARTICLE : 64u) + (8u << 20);
    needs->frame_bytes = max_count * 28u + 400u;
    needs->frames = (uint32_t)lroundf(scene->duration * scene->frame_rate);
    return WEIR_OK;
}

uint64_t sim_max_particles(gpu_device *device, const scene_data *scene)
{
    return gpu_device_info(device)->memory_bytes /
           sim_bytes_per_particle(scene, sim_initial_list_capacity(scene), true);
}

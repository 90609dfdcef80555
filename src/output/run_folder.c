/* Output folders: the queue of frames, and the writer thread that writes them while the simulation
 * continues. */
#include "api_require.h"
#include "base_tracy.h"
#include "output_internal.h"

#define DEFAULT_FIELDS (1u << WEIR_FIELD_POSITION | 1u << WEIR_FIELD_VELOCITY | 1u << WEIR_FIELD_ID)

weir_output_def weir_output_def_default(void)
{
    return (weir_output_def){.cookie = API_OUTPUT_COOKIE,
                             .particle_format = WEIR_PARTICLE_FORMAT_PLY,
                             .fields = DEFAULT_FIELDS,
                             .last_frame = UINT32_MAX,
                             .y_up = true,
                             .scale = 1.0,
                             .particles = true,
                             .mesher = weir_mesher_def_default(NULL),
                             .mesh_refine = true,
                             .mesh_snap_to_solids = true,
                             .refine = weir_mesh_refine_def_default()};
}

static void frame_free(output_frame *frame)
{
    io_particles_free(&frame->particles);
    io_particles_free(&frame->whitewater);
    weir_mesh_destroy(&frame->mesh);
    base_free(frame->gauges.items);
    base_free(frame->bodies.items);
    api_deformable_meshes_free(&frame->deformables);
    *frame = (output_frame){0};
}

/* Writes a frame, and frees each part once it is written, so that a retry writes only the rest. */
static weir_result write_frame(weir_output *output, output_frame *frame)
{
    if (frame->particles.position) WEIR_RETURN_IF_ERROR(output_write_particles(output, frame));
    io_particles_free(&frame->particles);
    if (frame->whitewater.position) WEIR_RETURN_IF_ERROR(output_write_whitewater(output, frame));
    io_particles_free(&frame->whitewater);
    if (frame->mesh) WEIR_RETURN_IF_ERROR(output_write_mesh(output, frame));
    weir_mesh_destroy(&frame->mesh);
    WEIR_RETURN_IF_ERROR(output_write_deformables(output, frame));
    api_deformable_meshes_free(&frame->deformables);
    WEIR_RETURN_IF_ERROR(output_append_gauges(output, frame));
    frame->gauges.count = 0;
    WEIR_RETURN_IF_ERROR(output_append_bodies(output, frame));
    frame->bodies.count = 0;
    return output_append_stats(output, &frame->stats);
}

#define WRITE_FRAME "write frame" /* in traces */

static void trace_frame_write(const weir_output *output, double start_s)
{
    base_trace_span(api_sim_trace(output->sim), &(base_span){.track = "writer",
                                                             .name = WRITE_FRAME,
                                                             .start_s = start_s,
                                                             .end_s = base_time_s()});
}

static bool can_write(const weir_output *output)
{
    return output->count > 0 && output->result == WEIR_OK;
}

/* Main function of the writer thread. A frame that could not be written remains first in the queue,
 * and nothing more is written until weir_output_flush clears the error. */
static void write_frames(void *user)
{
    weir_output *output = user;
    base_mutex_lock(output->mutex);
    for (;;) {
        while (!can_write(output) && !output->stop)
            base_condition_wait(output->changed, output->mutex);
        if (!can_write(output)) break;
        output_frame *frame = &output->queue[output->first];
        base_mutex_unlock(output->mutex);
        base_tracy_begin(WRITE_FRAME);
        double start_s = base_time_s();
        weir_result result = write_frame(output, frame);
        base_tracy_end();
        trace_frame_write(output, start_s);
        if (result == WEIR_OK) frame_free(frame);
        base_mutex_lock(output->mutex);
        output->result = result;
        if (result == WEIR_OK) {
            output->first = (output->first + 1) % OUTPUT_QUEUE;
            --output->count;
        }
        base_condition_signal(output->changed);
    }
    base_mutex_unlock(output->mutex);
}

static weir_result check_output_def(const weir_output_def *def)
{
    const weir_log *log = &def->log;
    const uint32_t known = (1u << WEIR_FIELD_COUNT) - 1;
    WEIR_REQUIRE(log, def->folder && def->folder[0], "`folder` must name a folder");
    WEIR_REQUIRE(log, (uint32_t)def->particle_format < WEIR_PARTICLE_FORMAT_COUNT,
                 "`particle_format` must be a weir_particle_format");
    WEIR_REQUIRE(log, (def->fields & ~known) == 0, "`fields` has bits that are not a weir_field");
    WEIR_REQUIRE(log, isfinite(def->scale) && def->scale > 0,
                 "`scale` must be a finite number above 0");
    WEIR_REQUIRE(log, !def->mesh || (uint32_t)def->mesh_format < WEIR_MESH_FORMAT_COUNT,
                 "`mesh_format` must be a weir_mesh_format");
    WEIR_REQUIRE(log, def->first_frame <= def->last_frame,
                 "`first_frame` must not be after `last_frame`");
    return WEIR_OK;
}

static weir_result make_paths(weir_output *output)
{
    const weir_output_def *def = &output->def;
    output->folder = base_strdup(def->folder);
    output->particles_folder = base_path_join(def->folder, "particles");
    output->whitewater_folder = base_path_join(def->folder, "whitewater");
    output->stats_path = base_path_join(def->folder, "stats.csv");
    output->mutex = base_mutex_create();
    output->changed = base_condition_create();
    bool complete = output->folder && output->particles_folder && output->whitewater_folder &&
                    output->stats_path && output->mutex && output->changed;
    if (!complete)
        return base_fail(&def->log, WEIR_ERROR_MEMORY, "not enough memory for an output folder");
    output->def.folder = output->folder;
    if (api_sim_has_whitewater(output->sim))
        WEIR_RETURN_IF_ERROR(base_folder_make(&def->log, output->whitewater_folder));
    return base_folder_make(&def->log, def->particles ? output->particles_folder : output->folder);
}

/* Velocities and other attributes are not computed for a format that does not hold them. */
static weir_result create_mesher(weir_output *output)
{
    weir_mesher_def def = output->def.mesher;
    def.raw = true; /* the writer thread refines */
    if (output->def.mesh_refine && output->def.refine.normals != WEIR_MESH_NORMALS_FIELD)
        def.normals = WEIR_MESH_NORMALS_NONE;
    if (!io_mesh_format_has_fields(output->def.mesh_format))
        def.velocity = def.attributes = def.particle_attributes = false;
    return weir_mesher_create(api_sim_device(output->sim), &def, &output->mesher);
}

weir_result weir_output_create(const weir_output_def *def, weir_sim *sim, weir_output **output)
{
    const weir_log *log = def ? &def->log : api_sim_log(sim);
    WEIR_REQUIRE_OUT(log, output);
    WEIR_REQUIRE_DEF(log, def, API_OUTPUT_COOKIE, "output");
    WEIR_REQUIRE_NOT_NULL(log, sim);
    WEIR_RETURN_IF_ERROR(check_output_def(def));
    if (def->mesh && api_sim_has_ranks(sim))
        return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                         "`mesh`: surfaces are not made during a simulation on several devices: "
                         "write its particles, and then make the surfaces with weir mesh");
    weir_result result;
    weir_stats stats;
    weir_output *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for an output folder");
    made->def = *def;
    made->def.fields |= 1u << WEIR_FIELD_POSITION;
    if (!io_format_has_fields(def->particle_format)) made->def.fields = 1u << WEIR_FIELD_POSITION;
    made->sim = sim;
    WEIR_GOTO_IF_ERROR(make_paths(made));
    output_warn_dropped_attributes(made);
    if (def->mesh) WEIR_GOTO_IF_ERROR(create_mesher(made));
    WEIR_GOTO_IF_ERROR(weir_sim_get_stats(sim, &stats));
    made->last_frame = stats.frame;
    WEIR_GOTO_IF_ERROR(output_write_run(made, &(output_progress){0}, log));
    WEIR_GOTO_IF_ERROR(output_open_stats(made, stats.frame));
    WEIR_GOTO_IF_ERROR(output_open_gauges(made, &stats));
    WEIR_GOTO_IF_ERROR(output_open_bodies(made, stats.frame));
    WEIR_GOTO_IF_ERROR(output_open_deformables(made));
    made->thread = base_thread_start(write_frames, made);
    if (!made->thread) {
        result = base_fail(log, WEIR_ERROR_MEMORY, "%s: cannot start a thread to write files",
                           def->folder);
        goto fail;
    }
    *output = made;
    return WEIR_OK;
fail:
    weir_output_destroy(&made);
    return result;
}

/* Reads one array per selected field, in order of particle id. */
static weir_result read_fields(weir_output *output, io_particles *particles)
{
    const struct {
        void **array;
        size_t size;
    } fields[WEIR_FIELD_COUNT] = {
        [WEIR_FIELD_POSITION] = {(void **)&particles->position, sizeof(vec3)},
        [WEIR_FIELD_VELOCITY] = {(void **)&particles->velocity, sizeof(vec3)},
        [WEIR_FIELD_ID] = {(void **)&particles->id, sizeof(uint32_t)},
        [WEIR_FIELD_FLUID] = {(void **)&particles->fluid, sizeof(uint32_t)},
        [WEIR_FIELD_DENSITY] = {(void **)&particles->density, sizeof(float)},
    };
    WEIR_RETURN_IF_ERROR(weir_sim_get_particle_count(output->sim, &particles->count));
    for (uint32_t i = 0; i < WEIR_FIELD_COUNT; ++i) {
        if (!(output->def.fields & 1u << i)) continue;
        void *array = base_alloc(particles->count, fields[i].size);
        if (!array)
            return base_fail(&output->def.log, WEIR_ERROR_MEMORY,
                             "not enough memory for a frame of %u particles", particles->count);
        *fields[i].array = array;
        size_t size = particles->count * fields[i].size;
        WEIR_RETURN_IF_ERROR(weir_sim_read_field(output->sim, (weir_field)i, array, size));
    }
    WEIR_RETURN_IF_ERROR(output_read_attributes(output, particles));
    io_particles_to_file_axes(particles, api_file_axes(&output->def));
    return WEIR_OK;
}

/* Waits until at most `limit` frames are queued, or an error occurs. */
static weir_result wait_for_queue(weir_output *output, uint32_t limit)
{
    base_mutex_lock(output->mutex);
    while (output->count > limit && output->result == WEIR_OK)
        base_condition_wait(output->changed, output->mutex);
    weir_result result = output->result;
    base_mutex_unlock(output->mutex);
    return result;
}

weir_result weir_output_write_frame(weir_output *output)
{
    WEIR_REQUIRE_NOT_NULL(NULL, output);
    output_frame frame = {0};
    weir_result result;
    WEIR_RETURN_IF_ERROR(wait_for_queue(output, OUTPUT_QUEUE - 1));
    WEIR_GOTO_IF_ERROR(weir_sim_get_stats(output->sim, &frame.stats));
    output->overcompressed_frames = frame.stats.overcompressed_frames;
    output->last_frame = frame.stats.frame;
    bool wanted =
        frame.stats.frame >= output->def.first_frame && frame.stats.frame <= output->def.last_frame;
    if (wanted && output->def.particles) WEIR_GOTO_IF_ERROR(read_fields(output, &frame.particles));
    if (wanted) WEIR_GOTO_IF_ERROR(output_read_whitewater(output, &frame.whitewater));
    if (wanted && output->mesher) WEIR_GOTO_IF_ERROR(output_make_mesh(output, &frame.mesh));
    if (wanted) WEIR_GOTO_IF_ERROR(api_sim_read_deformables(output->sim, &frame.deformables));
    frame.particles.time_s = frame.whitewater.time_s = frame.stats.time_s;
    WEIR_GOTO_IF_ERROR(output_read_gauges(output, &frame));
    WEIR_GOTO_IF_ERROR(output_read_bodies(output, &frame));

    base_mutex_lock(output->mutex);
    output->queue[(output->first + output->count) % OUTPUT_QUEUE] = frame;
    ++output->count;
    base_condition_signal(output->changed);
    base_mutex_unlock(output->mutex);
    return WEIR_OK;
fail:
    frame_free(&frame);
    return result;
}

weir_result weir_output_flush(weir_output *output)
{
    WEIR_REQUIRE_NOT_NULL(NULL, output);
    base_mutex_lock(output->mutex);
    bool again = output->result != WEIR_OK;
    output->result = WEIR_OK;
    base_condition_signal(output->changed);
    base_mutex_unlock(output->mutex);
    if (again)
        base_log(&output->def.log, WEIR_LOG_WARNING, "%s: trying once more to write",
                 output->folder);
    return wait_for_queue(output, 0);
}

weir_result weir_output_mark_complete(weir_output *output)
{
    WEIR_REQUIRE_NOT_NULL(NULL, output);
    output_progress progress = {.status = OUTPUT_COMPLETE, .has_state = true};
    WEIR_RETURN_IF_ERROR(weir_output_flush(output));
    WEIR_RETURN_IF_ERROR(weir_sim_get_state_hash(output->sim, &progress.state));
    return output_write_run(output, &progress, &output->def.log);
}

weir_result weir_output_mark_ended(weir_output *output, weir_result reason, const char *message)
{
    WEIR_REQUIRE_NOT_NULL(NULL, output);
    const weir_log silent = {0};
    const bool failed = reason != WEIR_OK;
    output_progress progress = {.status = failed ? OUTPUT_FAILED : OUTPUT_STOPPED,
                                .reason = reason,
                                .message = message,
                                .has_state = !failed};
    if (!failed) WEIR_RETURN_IF_ERROR(weir_sim_get_state_hash(output->sim, &progress.state));
    return output_write_run(output, &progress, failed ? &silent : &output->def.log);
}

static void stop_writer_thread(weir_output *output)
{
    if (!output->thread) return;
    base_mutex_lock(output->mutex);
    output->stop = true;
    base_condition_signal(output->changed);
    base_mutex_unlock(output->mutex);
    base_thread_join(&output->thread);
}

void weir_output_destroy(weir_output **output)
{
    if (!output || !*output) return;
    weir_output *gone = *output;
    stop_writer_thread(gone);
    for (uint32_t i = 0; i < OUTPUT_QUEUE; ++i)
        frame_free(&gone->queue[i]);
    weir_mesher_destroy(&gone->mesher);
    base_condition_destroy(&gone->changed);
    base_mutex_destroy(&gone->mutex);
    base_free(gone->folder);
    base_free(gone->particles_folder);
    base_free(gone->whitewater_folder);
    base_free(gone->stats_path);
    base_free(gone->gauges_path);
    base_free(gone->bodies_path);
    base_free(gone);
    *output = NULL;
}

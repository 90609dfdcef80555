/* --from: starts a run from a stored frame of an earlier one, whose scene may have been another. */
#include "run_internal.h"

#include "weir/attributes.h"

#include <jansson.h>

#define TOLERANCE 1e-4 /* relative, of the spacing and the frame rate */

/* Splits "DIR:30" into its folder and frame; without a frame, `frame` is UINT64_MAX. */
static char *split_frame(const char *from, uint64_t *frame)
{
    const char *colon = strrchr(from, ':'), *next = NULL, *end = from + strlen(from);
    int64_t number;
    *frame = UINT64_MAX;
    if (!colon || !base_parse_int64(colon + 1, end, &number, &next) || next != end || number < 0)
        return base_strdup(from);
    *frame = (uint64_t)number;
    return base_format("%.*s", (int)(colon - from), from);
}

static weir_result fail_memory(const run_start *s)
{
    return base_fail(s->log, WEIR_ERROR_MEMORY, "--from: not enough memory");
}

/* ---- the run -------------------------------------------------------------------------------- */

/* Reads the run's run.json, and the names of its fluids. */
static weir_result read_run(run_start *s, const char *folder)
{
    char *path = base_path_join(folder, "run.json");
    if (!path) return fail_memory(s);
    weir_result result = WEIR_OK;
    if (!base_path_is_file(path))
        result = base_fail(s->log, WEIR_ERROR_IO,
                           "--from: %s has no run.json: give the folder of a run of weir, with the "
                           "frame: DIR:30",
                           folder);
    if (result == WEIR_OK) result = weir_output_def_read(path, &s->written);
    s->run = result == WEIR_OK ? json_load_file(path, 0, NULL) : NULL;
    const json_t *fluids = json_object_get(json_object_get(s->run, "scene"), "fluids");
    s->fluids = base_alloc(json_array_size(fluids), sizeof *s->fluids);
    s->def.fluid_count = (uint32_t)json_array_size(fluids);
    for (uint32_t i = 0; s->fluids && i < s->def.fluid_count; i++) {
        const char *name = json_string_value(json_object_get(json_array_get(fluids, i), "name"));
        s->fluids[i] = name ? name : "";
    }
    s->def.fluids = s->fluids;
    base_free(path);
    return result == WEIR_OK && !s->fluids ? fail_memory(s) : result;
}

/* Checks that the scene continues on the same lattice and with the same frames. */
static weir_result check_scene(const run_start *s, const weir_scene_info *info)
{
    const json_t *scene = json_object_get(s->run, "scene");
    const double spacing = json_number_value(json_object_get(scene, "spacing")),
                 rate = json_number_value(json_object_get(scene, "frame_rate"));
    if (fabs(spacing - (double)info->spacing_m) > TOLERANCE * (double)info->spacing_m)
        return base_fail(s->log, WEIR_ERROR_ARGUMENT,
                         "--from: the run has a spacing of %g m and the scene one of %g m, so that "
                         "its particles would have another volume: set spacing=%g",
                         spacing, (double)info->spacing_m, spacing);
    if (fabs(rate - info->frame_rate_hz) > TOLERANCE * rate)
        return base_fail(s->log, WEIR_ERROR_ARGUMENT,
                         "--from: the run has %g frames per second and the scene %g: set "
                         "frame_rate=%g",
                         rate, info->frame_rate_hz, rate);
    return WEIR_OK;
}

/* ---- the frame ------------------------------------------------------------------------------- */

/* Reads the particles with the attributes that the scene has, and names those that the file lacks.
 */
static weir_result load_file(run_start *s, const weir_scene *scene)
{
    weir_attribute wanted[WEIR_MAX_ATTRIBUTES];
    const uint32_t count = app_list_attributes(scene, wanted);
    weir_result result =
        weir_particles_load_attributes(s->log, s->name, wanted, count, &s->particles);
    for (uint32_t i = 0; i < count && result == WEIR_OK; i++) {
        const weir_points_def *p = &s->particles.points;
        bool has = false;
        for (uint32_t k = 0; k < p->attribute_count; k++)
            has = has || strcmp(p->attributes[k].name, wanted[i].name) == 0;
        if (!has)
            base_log(s->log, WEIR_LOG_WARNING,
                     "%s has no attribute '%s': its particles start with the scene's initial value",
                     s->name, wanted[i].name);
    }
    return result;
}

static weir_result load_particles(run_start *s, const weir_scene *scene, const char *folder,
                                  uint64_t frame)
{
    sequence files = {0};
    const sequence_file *found = NULL;
    weir_result result = sequence_add(s->log, folder, false, &files);
    if (result == WEIR_OK) result = sequence_sort(s->log, &files);
    for (size_t i = 0; i < files.files.count; i++)
        if (files.files.items[i].frame >= s->written.start_frame &&
            (files.files.items[i].frame == frame || frame == UINT64_MAX))
            found = &files.files.items[i];
    if (result == WEIR_OK && !found)
        result = base_fail(s->log, WEIR_ERROR_ARGUMENT,
                           "--from: %s has no particles of frame %llu; its first frame is %u and "
                           "its last %u",
                           folder, (unsigned long long)frame, files.files.items[0].frame,
                           files.files.items[files.files.count - 1].frame);
    if (result == WEIR_OK) {
        s->frame = found->frame;
        s->name = base_strdup(found->path);
        result = s->name ? load_file(s, scene) : fail_memory(s);
    }
    sequence_free(&files);
    return result;
}

/* Undoes the up axis and the scale of the run's files. */
static weir_result convert_particles(run_start *s)
{
    weir_points_def *p = &s->particles.points;
    const double zero[3] = {0, 0, 0};
    weir_particles_set_origin(&s->particles, zero);
    s->position = app_to_y_up_metres(&s->written, p->position, p->count);
    if (p->velocity) s->velocity = app_to_y_up_metres(&s->written, p->velocity, p->count);
    if (!s->position || (p->velocity && !s->velocity)) return fail_memory(s);
    s->def.particles = *p;
    s->def.particles.position = s->position;
    s->def.particles.velocity = s->velocity;
    return WEIR_OK;
}

static void report_missing(const run_start *s)
{
    const weir_points_def *p = &s->particles.points;
    if (!p->velocity)
        base_log(s->log, WEIR_LOG_WARNING,
                 "%s has no velocities: its particles start at rest; write frames with --fields "
                 "velocity,id,fluid",
                 s->name);
    if (!p->fluid && s->def.fluid_count > 1)
        base_log(s->log, WEIR_LOG_WARNING,
                 "%s does not say which of %u fluids its particles are: all become '%s'; write "
                 "frames with --fields velocity,id,fluid",
                 s->name, s->def.fluid_count, s->fluids[0]);
}

/* ---- bodies -----------------------------------------------------------------------------------
 */

/* Reads the bodies of the frame, and keeps those that the scene has. */
static weir_result read_bodies(run_start *s, const char *folder, const weir_scene_info *info)
{
    json_t *scene = json_loads(info->json, 0, NULL);
    const json_t *wanted = json_object_get(scene, "bodies");
    weir_result result = bodies_jsonl_open(s->log, folder, "where the scene has them", &s->bodies);
    if (result == WEIR_OK)
        result =
            bodies_jsonl_read_frame(&s->bodies, &s->written, s->frame - s->written.start_frame);
    s->def.bodies = s->bodies.states;
    for (uint32_t i = 0; result == WEIR_OK && i < s->bodies.count; i++) {
        bool known = false;
        for (size_t k = 0; k < json_array_size(wanted); k++) {
            const char *name =
                json_string_value(json_object_get(json_array_get(wanted, k), "name"));
            known = known || (name && strcmp(name, s->bodies.states[i].name) == 0);
        }
        if (known)
            s->bodies.states[s->def.body_count++] = s->bodies.states[i];
        else
            base_log(s->log, WEIR_LOG_WARNING, "--from: the scene has no body '%s': it is gone",
                     s->bodies.states[i].name);
    }
    json_decref(scene);
    return result;
}

/* ---- whitewater ------------------------------------------------------------------------------ */

static bool has_whitewater(const weir_scene_info *info)
{
    json_t *scene = json_loads(info->json, 0, NULL);
    const bool has = json_object_get(scene, "whitewater") != NULL;
    json_decref(scene);
    return has;
}

/* Reads the run's whitewater of the frame, if it has any. */
static weir_result load_whitewater(run_start *s, const char *folder, const weir_scene *scene)
{
    sequence files = {0};
    weir_scene_info info;
    weir_attribute attributes[WEIR_MAX_ATTRIBUTES];
    const weir_whitewater_load_def def = {.as = &s->written,
                                          .attributes = attributes,
                                          .attribute_count =
                                              app_list_attributes(scene, attributes)};
    char *path = base_path_join(folder, "whitewater");
    if (!path) return fail_memory(s);
    weir_result result =
        base_path_is_folder(path) ? sequence_add(s->log, path, true, &files) : WEIR_OK;
    for (size_t i = 0; i < files.files.count && result == WEIR_OK; i++) {
        const sequence_file *file = &files.files.items[i];
        if (!file->numbered || file->frame != s->frame) continue;
        result = weir_whitewater_load_attributes(s->log, file->path, &def, &s->whitewater);
        s->def.whitewater = &s->whitewater;
    }
    weir_scene_get_info(scene, &info);
    if (result == WEIR_OK && s->whitewater.count > 0 && !has_whitewater(&info))
        base_log(s->log, WEIR_LOG_WARNING,
                 "--from: the scene has no whitewater: the %u particles of the run's are gone",
                 s->whitewater.count);
    sequence_free(&files);
    base_free(path);
    return result;
}

weir_result run_start_load(const weir_log *log, const char *from, const weir_scene *scene,
                           run_start *s)
{
    weir_result result;
    uint64_t frame;
    weir_scene_info info;
    *s = (run_start){
        .log = log, .def = weir_sim_start_default(), .written = weir_output_def_default()};
    char *folder = split_frame(from, &frame);
    if (!folder) return fail_memory(s);
    weir_scene_get_info(scene, &info);
    WEIR_GOTO_IF_ERROR(read_run(s, folder));
    WEIR_GOTO_IF_ERROR(check_scene(s, &info));
    WEIR_GOTO_IF_ERROR(load_particles(s, scene, folder, frame));
    WEIR_GOTO_IF_ERROR(convert_particles(s));
    report_missing(s);
    WEIR_GOTO_IF_ERROR(read_bodies(s, folder, &info));
    WEIR_GOTO_IF_ERROR(load_whitewater(s, folder, scene));
    s->def.name = s->name;
    s->def.frame = s->frame;
    s->def.time_s = (double)(s->frame - s->written.start_frame) / info.frame_rate_hz;
fail:
    base_free(folder);
    return result;
}

void run_start_free(run_start *s)
{
    bodies_jsonl_close(&s->bodies);
    weir_particles_free(&s->particles);
    weir_whitewater_particles_free(&s->whitewater);
    base_free(s->position);
    base_free(s->velocity);
    base_free(s->fluids);
    base_free(s->name);
    json_decref(s->run);
}

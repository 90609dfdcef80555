/* weir mesh: the files to read, the names of the meshes, and the contents of the run's run.json. */
#include "mesh_internal.h"

/* ---- the run that the frames came from ------------------------------------------------------ */

static weir_result read_run_json(const char *path, mesh_run_info *source)
{
    weir_output_def output = weir_output_def_default();
    weir_scene_def def = weir_scene_def_default();
    weir_scene *scene = NULL;
    weir_scene_info info;
    WEIR_RETURN_IF_ERROR(weir_output_def_read(path, &output));
    WEIR_RETURN_IF_ERROR(weir_scene_load(path, &def, &scene));
    weir_scene_get_info(scene, &info);
    uint32_t last = output.last_frame < info.frame_count ? output.last_frame : info.frame_count;
    *source = (mesh_run_info){.known = true,
                              .spacing_m = (double)info.spacing_m * output.scale,
                              .scale = output.scale,
                              .frame_rate_hz = info.frame_rate_hz,
                              .first_frame = output.start_frame,
                              .z_up = !output.y_up,
                              .last_frame = output.start_frame + last};
    app_attributes_of_scene(scene, &source->attributes);
    weir_scene_destroy(&scene);
    return WEIR_OK;
}

/* Reads the run.json next to the frames. One that is damaged, or from another program, is no error:
 * the frames may be good. */
static void find_run_info(mesh_plan *plan, const char *path)
{
    if (plan->source.known) return;
    char *run = sequence_run_json(path);
    if (run && read_run_json(run, &plan->source) != WEIR_OK)
        base_log(&plan->log, WEIR_LOG_WARNING, "%s cannot be used: weir run did not write it", run);
    base_free(run);
}

/* ---- spacing -------------------------------------------------------------------------------- */

enum {
    SPACING_FRAMES = 8, /* frames that are read, at most, to find a spacing */
    FEW_PARTICLES = 100 /* an estimate that rests on fewer is a guess */
};

/* A spacing, and what it rests on. */
typedef struct found_spacing {
    float spacing_m; /* 0: none */
    uint32_t count;  /* particles that it was estimated from; UINT32_MAX: the file states it */
    const char *path;
} found_spacing;

static found_spacing read_spacing(const mesh_plan *plan, const char *path)
{
    const weir_log silent = {0};
    weir_particles particles;
    found_spacing found = {.path = path};
    if (app_particles_load(&silent, path, &plan->options->particles, &plan->source.attributes,
                           &particles) != WEIR_OK)
        return found;
    found.spacing_m = particles.points.spacing_m;
    found.count = particles.spacing_estimated ? particles.points.count : UINT32_MAX;
    weir_particles_free(&particles);
    return found;
}

static void log_estimate(const mesh_plan *plan, const found_spacing *found)
{
    bool few = found->count < FEW_PARTICLES;
    if (found->count == UINT32_MAX) return;
    base_log(&plan->log, few ? WEIR_LOG_WARNING : WEIR_LOG_INFO,
             "%s has no particle radius: estimated a spacing of %.4g from the distances of its "
             "%s%u particles; --spacing overrides it",
             found->path, (double)found->spacing_m, few ? "only " : "", found->count);
}

/* Takes the spacing from the first frame of the whole sequence that states it or has enough
 * particles; otherwise from the one with the most, of a few frames from the first to the last.
 * Processes that share a sequence agree. */
static void find_spacing(mesh_plan *plan)
{
    const size_t count = plan->sequence.files.count;
    const size_t tries = count < SPACING_FRAMES ? count : SPACING_FRAMES;
    found_spacing best = {0};
    plan->spacing_m =
        (float)(plan->options->spacing > 0 ? plan->options->spacing : plan->source.spacing_m);
    if (plan->spacing_m > 0) return;
    for (size_t i = 0; i < tries && best.count < MESH_ENOUGH_PARTICLES; i++) {
        size_t frame = tries > 1 ? i * (count - 1) / (tries - 1) : 0;
        found_spacing found = read_spacing(plan, plan->sequence.files.items[frame].path);
        if (found.spacing_m > 0 && found.count > best.count) best = found;
    }
    plan->spacing_m = best.spacing_m;
    plan->spacing_estimated = best.spacing_m > 0 && best.count != UINT32_MAX;
    if (plan->spacing_m > 0) log_estimate(plan, &best);
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool is_folder_name(const char *name)
{
    size_t size = strlen(name);
    return base_path_is_folder(name) || (size && base_is_path_separator(name[size - 1])) ||
           !base_path_extension(name)[0];
}

/* Returns the run's folder for meshes, or "mesh" next to the particles. Release with base_free. */
static char *default_folder(const char *first)
{
    char *folder = base_path_folder(first), *above = NULL, *mesh;
    if (!folder) return NULL;
    if (strcmp(base_path_name(folder), "particles") == 0) above = base_path_folder(folder);
    const char *parent = above ? above : folder;
    mesh = base_path_join(strcmp(parent, ".") == 0 ? "" : parent, "mesh");
    base_free(above);
    base_free(folder);
    return mesh;
}

static char *make_pattern(const mesh_plan *plan, const char *first)
{
    const mesh_options *options = plan->options;
    bool given = options->format < WEIR_MESH_FORMAT_COUNT;
    const char *extension = weir_enum_name(
        WEIR_ENUM_MESH_FORMAT, given ? (weir_mesh_format)options->format : WEIR_MESH_FORMAT_OBJ);
    if (options->output && !is_folder_name(options->output)) return base_strdup(options->output);
    char *folder = options->output ? base_strdup(options->output) : default_folder(first);
    char *name = base_format("surface_%%04d.%s", extension);
    char *pattern = folder && name ? base_path_join(folder, name) : NULL;
    base_free(name);
    base_free(folder);
    return pattern;
}

/* Returns "spray_%04d.ply" next to the meshes; a format that particles have, too, is kept. */
static char *make_spray_pattern(const char *pattern)
{
    const char *extension = base_path_extension(pattern);
    bool kept = app_is_extension(WEIR_ENUM_PARTICLE_FORMAT, extension);
    char *folder = base_path_folder(pattern);
    char *name = base_format("spray_%%04d.%s", kept ? extension : "ply");
    char *spray = folder && name ? base_path_join(folder, name) : NULL;
    base_free(name);
    base_free(folder);
    return spray;
}

/* Returns the name of the requested format; otherwise the extension, which need not be a format. */
static const char *output_format(const mesh_plan *plan)
{
    uint32_t given = plan->options->format;
    return given < WEIR_MESH_FORMAT_COUNT ? weir_enum_name(WEIR_ENUM_MESH_FORMAT, given)
                                          : base_path_extension(plan->pattern);
}

static weir_result check_pattern(const mesh_plan *plan)
{
    const mesh_options *options = plan->options;
    const char *extension = output_format(plan);
    const char *formats[WEIR_MESH_FORMAT_COUNT];
    char names[ARGS_JOINED];
    args_names(WEIR_ENUM_MESH_FORMAT, formats, WEIR_MESH_FORMAT_COUNT);
    if (!app_is_extension(WEIR_ENUM_MESH_FORMAT, extension))
        return base_fail(&plan->log, WEIR_ERROR_ARGUMENT,
                         "-o %s: \"%s\" is not a mesh format: use %s, or choose one with --format",
                         options->output, extension,
                         args_join(names, "", formats, BASE_COUNT(formats), ""));
    bool many = options->watch || mesh_plan_frame_count(plan) > 1;
    if (!many || sequence_has_number(base_path_name(plan->pattern))) return WEIR_OK;
    return base_fail(&plan->log, WEIR_ERROR_ARGUMENT,
                     "-o %s has no placeholder for the frame number: use a name such as "
                     "surface_%%04d.obj, or a folder",
                     options->output);
}

weir_mesh_save_def mesh_frame_save_def(const mesh_plan *plan, const mesh_run_info *source)
{
    const mesh_options *options = plan->options;
    bool from_z = options->from_up < 2 ? options->from_up == 1 : source->z_up;
    bool to_z = options->up == 1;
    weir_mesh_save_def def = weir_mesh_save_def_default();
    def.format = (weir_mesh_format)options->format;
    if (from_z != to_z)
        def.axis_conversion = to_z ? WEIR_AXIS_CONVERSION_Y_TO_Z : WEIR_AXIS_CONVERSION_Z_TO_Y;
    if (options->scale > 0) def.scale = options->scale;
    return def;
}

/* ---- the plan ------------------------------------------------------------------------------- */

static weir_result add_inputs(mesh_plan *plan)
{
    const mesh_options *options = plan->options;
    for (uint32_t i = 0; i < options->words.count; i++)
        WEIR_RETURN_IF_ERROR(
            sequence_add(&plan->log, options->words.items[i], options->watch, &plan->sequence));
    return sequence_sort(&plan->log, &plan->sequence);
}

/* Returns the path of a frame, next to which other files are found. If there is no frame yet, it is
 * the path that a run would write. Release with base_free. */
static char *first_path(const mesh_plan *plan)
{
    const char *word = plan->options->words.items[0];
    if (plan->sequence.files.count) return base_strdup(plan->sequence.files.items[0].path);
    if (sequence_is_pattern(word)) return base_strdup(word);
    return base_path_join(word, "particles/particles_0001.ply");
}

static weir_result set_output_pattern(mesh_plan *plan)
{
    char *first = first_path(plan);
    if (first) find_run_info(plan, first);
    plan->pattern = first ? make_pattern(plan, first) : NULL;
    plan->spray_pattern = plan->pattern ? make_spray_pattern(plan->pattern) : NULL;
    base_free(first);
    if (!plan->spray_pattern)
        return base_fail(&plan->log, WEIR_ERROR_MEMORY,
                         "not enough memory for the names of meshes");
    return check_pattern(plan);
}

/* Returns why the frames cannot be snapped to the solids of a run, or NULL. */
static const char *reason_not_to_snap(const mesh_plan *plan, const char *run)
{
    if (!run || !plan->source.known) return "the solids are unknown without the run.json of a run";
    if (plan->source.z_up || plan->source.scale != 1.0 || plan->options->from_up == 1)
        return "the particles were written with another up axis or scale; run with --up y and "
               "without --scale, or use weir run --mesh";
    return NULL;
}

/* Loads the scene of a run for its solids. Without a usable one, the surface is left as it is,
 * unless the options ask for the solids. */
static weir_result load_scene_solids(mesh_plan *plan, const char *first)
{
    weir_scene_def def = weir_scene_def_default();
    def.log = plan->log;
    char *run = sequence_run_json(first);
    const char *reason = reason_not_to_snap(plan, run);
    weir_result result = WEIR_OK;
    if (!reason)
        result = weir_scene_load(run, &def, &plan->scene);
    else if (plan->options->settings.snap_to_solids)
        result =
            base_fail(&plan->log, WEIR_ERROR_ARGUMENT, "--snap-to-solids: %s: %s", first, reason);
    else if (plan->source.known)
        base_log(&plan->log, WEIR_LOG_INFO, "%s: the surface is not moved onto solids: %s", first,
                 reason);
    base_free(run);
    return result;
}

/* OBJ holds only positions, normals and triangles. */
static void leave_out_attributes(mesh_plan *plan)
{
    const app_attributes *a = &plan->source.attributes;
    base_text names = {0};
    weir_mesher_def *mesher = &plan->surface.mesher;
    for (uint32_t i = 0; i < a->count && mesher->particle_attributes; i++)
        base_text_append(&names, "%s%s", i ? ", " : "", a->names[i]);
    if (names.count)
        base_log(&plan->log, WEIR_LOG_WARNING,
                 "OBJ holds no attributes of vertices, so those of the particles are left out "
                 "(%s): choose --format ply, vtp, vtk or bgeo to keep them",
                 names.items);
    base_free(names.items);
    mesher->velocity = mesher->attributes = mesher->particle_attributes = false;
}

weir_result mesh_plan_create(const mesh_options *options, mesh_plan *plan)
{
    *plan = (mesh_plan){.options = options,
                        .log = app_log(options->source.quiet),
                        .surface = weir_output_def_default()};
    weir_result result;
    plan->surface.log = plan->log;
    WEIR_GOTO_IF_ERROR(mesh_surface_options_apply(&options->settings, &plan->surface));
    plan->surface.mesher.raw = true; /* refinement has a thread of its own */
    if (plan->surface.mesh_refine && plan->surface.refine.normals != WEIR_MESH_NORMALS_FIELD)
        plan->surface.mesher.normals = WEIR_MESH_NORMALS_NONE;
    WEIR_GOTO_IF_ERROR(add_inputs(plan));
    WEIR_GOTO_IF_ERROR(set_output_pattern(plan));
    if (strcmp(output_format(plan), "obj") == 0) leave_out_attributes(plan);
    if (plan->surface.mesh_snap_to_solids && plan->surface.mesh_refine)
        WEIR_GOTO_IF_ERROR(load_scene_solids(plan, plan->sequence.files.count
                                                       ? plan->sequence.files.items[0].path
                                                       : options->words.items[0]));
    if (!options->dry_run) find_spacing(plan);
    return WEIR_OK;
fail:
    mesh_plan_free(plan);
    return result;
}

void mesh_plan_free(mesh_plan *plan)
{
    sequence_free(&plan->sequence);
    weir_scene_destroy(&plan->scene);
    base_free(plan->pattern);
    base_free(plan->spray_pattern);
    plan->pattern = plan->spray_pattern = NULL;
}

static bool is_wanted(const mesh_plan *plan, uint32_t frame)
{
    return args_steps_include(&plan->options->frames, frame);
}

uint32_t mesh_plan_frame_count(const mesh_plan *plan)
{
    uint32_t count = 0;
    for (size_t i = 0; i < plan->sequence.files.count; i++)
        count += is_wanted(plan, plan->sequence.files.items[i].frame);
    return count;
}

static bool output_exists(const mesh_plan *plan, uint32_t frame)
{
    char *name = sequence_name(plan->pattern, frame);
    char *spray = sequence_name(plan->spray_pattern, frame);
    bool done = name && spray && base_path_is_file(name) &&
                (plan->surface.mesher.spray_neighbours == 0 || base_path_is_file(spray));
    base_free(spray);
    base_free(name);
    return done;
}

static sequence_file *next_pending(mesh_plan *plan, mesh_counts *tally)
{
    for (size_t i = 0; i < plan->sequence.files.count; i++) {
        sequence_file *file = &plan->sequence.files.items[i];
        if (file->taken) continue;
        file->taken = true;
        if (!is_wanted(plan, file->frame)) continue;
        if (!plan->options->skip_done || !output_exists(plan, file->frame)) return file;
        tally->skipped++;
    }
    return NULL;
}

/* Reports whether the last expected frame has a file. */
static bool is_complete(const mesh_plan *plan)
{
    uint32_t last = plan->options->frames.range.last;
    if (plan->source.known && plan->source.last_frame < last) last = plan->source.last_frame;
    for (size_t i = 0; i < plan->sequence.files.count; i++)
        if (plan->sequence.files.items[i].frame >= last) return true;
    return false;
}

/* Looks for new files, and for the run.json that a run writes before them. */
static weir_result look_again(mesh_plan *plan)
{
    const bool known = plan->source.known;
    const weir_log log = plan->log;
    plan->log.level = WEIR_LOG_ERROR;
    weir_result result = add_inputs(plan);
    plan->log = log;
    if (result != WEIR_OK || plan->sequence.files.count == 0) return result;
    const char *first = plan->sequence.files.items[0].path;
    find_run_info(plan, first);
    bool snaps = plan->surface.mesh_snap_to_solids && plan->surface.mesh_refine;
    return snaps && plan->source.known && !known ? load_scene_solids(plan, first) : WEIR_OK;
}

const sequence_file *mesh_plan_next_file(mesh_plan *plan, mesh_counts *tally, bool *wait)
{
    *wait = false;
    sequence_file *file = next_pending(plan, tally);
    if (file || !plan->options->watch || is_complete(plan)) return file;
    if (look_again(plan) != WEIR_OK) return NULL;
    file = next_pending(plan, tally);
    *wait = !file && !is_complete(plan);
    return file;
}

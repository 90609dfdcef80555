/* weir render: turns stored frames into pictures. */
#include "pictures.h"
#include "weir/deformables.h"
#include "whitewater_files.h"

typedef struct render_options {
    args_words words;
    app_scene_options source; /* its scene; NULL: that of the run */
    const char *folder;
    const char *whitewater; /* folder of whitewater files; NULL: the run's */
    args_steps frames;
    bool skip_done;
    double spacing, rate;
    app_particle_options particles;
    pictures_options pictures;
} render_options;

typedef struct render_job {
    const render_options *options;
    weir_log log;
    sequence files;
    char *run;               /* the run's folder; NULL: none */
    weir_output_def written; /* how that run wrote its files */
    weir_device *device;
    weir_scene *scene; /* NULL: none */
    weir_scene_info info;
    bodies_jsonl bodies; /* of the run */
    whitewater_files whitewater;
    pictures pictures;
    double origin_m[3]; /* of the positions of all frames, once it has_origin */
    bool has_origin;
    bool warned; /* about the spacing */
    bool warned_of_field;
} render_job;

/* Pictures of a job. */
typedef struct render_counts {
    size_t drawn, skipped;
    bool stopped;
} render_counts;

/* ---- files, scene and device ---------------------------------------------------------------- */

static weir_result find_files(render_job *job)
{
    job->files.meshes = true;
    for (uint32_t i = 0; i < job->options->words.count; ++i)
        WEIR_RETURN_IF_ERROR(
            sequence_add(&job->log, job->options->words.items[i], false, &job->files));
    WEIR_RETURN_IF_ERROR(sequence_sort(&job->log, &job->files));
    const size_t found = job->files.files.count;
    sequence_keep_frames(&job->files, &job->options->frames);
    if (job->files.files.count == 0)
        return base_fail(&job->log, WEIR_ERROR_ARGUMENT,
                         "--frames: none of the %zu frame%s found is in that range", found,
                         base_plural(found));
    job->run = sequence_run_folder(job->files.files.items[0].path);
    return WEIR_OK;
}

/* Loads the scene that was named; otherwise that of the run that wrote the frames; otherwise
 * none. */
static weir_result find_scene(render_job *job)
{
    weir_result result = WEIR_OK;
    weir_scene_def def = weir_scene_def_default();
    const app_scene_options *source = &job->options->source;
    char *run = job->run ? base_path_join(job->run, "run.json") : NULL;
    const char *path = source->scene ? source->scene : run;
    def.log = job->log;
    def.overrides = source->set.items;
    def.override_count = source->set.count;
    job->written = weir_output_def_default();
    job->info.frame_rate_hz = 24.0;
    if (run) WEIR_GOTO_IF_ERROR(weir_output_def_read(run, &job->written));
    if (!path) goto fail;
    WEIR_GOTO_IF_ERROR(weir_scene_load(path, &def, &job->scene));
    weir_scene_get_info(job->scene, &job->info);
fail:
    base_free(run);
    return result;
}

/* Returns whether the coordinates of neither a scene nor a camera apply, so that positions may be
 * relative to any origin. */
static bool has_free_camera(const render_job *job)
{
    const pictures_options *pictures = &job->options->pictures;
    return !job->scene && !pictures->eye && !pictures->target;
}

/* Refuses what depends on the frames that are skipped. */
static weir_result check_skipping(const render_job *job)
{
    const render_options *o = job->options;
    if (!o->skip_done) return WEIR_OK;
    if (o->pictures.video)
        return base_fail(&job->log, WEIR_ERROR_ARGUMENT,
                         "--skip-existing draws only the missing pictures, and --video needs all "
                         "of them: omit --video, then make the film of the pictures, as in ffmpeg "
                         "-framerate 60 -i images/image_%%04d.png -pix_fmt yuv420p film.mp4");
    if (has_free_camera(job))
        return base_fail(&job->log, WEIR_ERROR_ARGUMENT,
                         "--skip-existing needs a camera that does not depend on which frames are "
                         "drawn: give --scene, or --eye and --target");
    return WEIR_OK;
}

static weir_result open_render_job(render_job *job)
{
    weir_result result;
    const render_options *o = job->options;
    const weir_device_def def = app_device_def(&o->source, &job->log);
    char *folder = NULL;
    WEIR_GOTO_IF_ERROR(find_files(job));
    WEIR_GOTO_IF_ERROR(pictures_check_video(&job->log, &o->pictures));
    WEIR_GOTO_IF_ERROR(find_scene(job));
    WEIR_GOTO_IF_ERROR(check_skipping(job));
    WEIR_GOTO_IF_ERROR(weir_device_create(&def, &job->device));
    if (job->run && weir_scene_body_count(job->scene) > 0)
        WEIR_GOTO_IF_ERROR(bodies_jsonl_open(&job->log, job->run, "not drawn", &job->bodies));
    WEIR_GOTO_IF_ERROR(whitewater_files_open(&job->log, o->whitewater, job->run, &job->whitewater));
    folder = o->folder  ? base_strdup(o->folder)
             : job->run ? base_path_join(job->run, "images")
                        : base_strdup("images");
    if (!folder)
        return base_fail(&job->log, WEIR_ERROR_MEMORY, "not enough memory for a folder's name");
    const pictures_def pictures = {.options = &o->pictures,
                                   .device = job->device,
                                   .log = job->log,
                                   .scene = job->scene,
                                   .folder = folder,
                                   .frame_rate_hz =
                                       o->rate > 0 ? o->rate : job->info.frame_rate_hz};
    WEIR_GOTO_IF_ERROR(pictures_open(&pictures, &job->pictures));
fail:
    base_free(folder);
    return result;
}

/* ---- a frame -------------------------------------------------------------------------------- */

#define SPACING_TOLERANCE 0.01 /* fraction of a spacing; files store few digits */

/* Returns the spacing of a frame. The file's own takes precedence over the scene's, because a scene
 * can run at any spacing. */
static double frame_spacing(render_job *job, const weir_particles *particles)
{
    if (job->options->spacing > 0) return job->options->spacing;
    double scene = job->scene ? (double)job->info.spacing_m : 0;
    double named =
        particles->spacing_estimated ? 0 : (double)particles->points.spacing_m / job->written.scale;
    bool others = named > 0 && fabs(named - scene) > SPACING_TOLERANCE * scene;
    if (scene > 0 && !others) return scene;
    if (scene > 0 && !job->warned)
        base_log(&job->log, WEIR_LOG_WARNING,
                 "the particle spacing is %g m in the file and %g m in the scene; using the file's "
                 "(--spacing overrides it)",
                 named, scene);
    job->warned = true;
    if (scene > 0) return named;
    double found = (double)particles->points.spacing_m;
    return found > 0 ? found : 1.0; /* a single particle has no spacing */
}

/* Returns the time of a frame. `named_s` is the time stored in the file, or 0. */
static double frame_time(const render_job *job, double named_s, const sequence_file *file)
{
    if (named_s > 0 || !file->numbered) return named_s;
    double frames = (double)file->frame - (double)job->written.start_frame;
    return frames > 0 ? frames / job->info.frame_rate_hz : 0.0;
}

static weir_result draw_mesh(render_job *job, const sequence_file *file)
{
    weir_result result;
    weir_mesh *mesh = NULL;
    weir_mesh_arrays arrays;
    weir_mesh_load_def def = weir_mesh_load_def_default();
    def.scale = 1.0 / job->written.scale;
    if (!job->written.y_up) def.axis_conversion = WEIR_AXIS_CONVERSION_Z_TO_Y;
    if (has_free_camera(job)) def.origin = job->origin_m;
    WEIR_GOTO_IF_ERROR(weir_mesh_load(job->device, file->path, &def, &mesh));
    weir_mesh_get_arrays(mesh, &arrays);
    if (!job->scene) pictures_frame_particles(&job->pictures, arrays.position, arrays.vertex_count);
    if (job->pictures.view.whitewater && file->numbered)
        WEIR_GOTO_IF_ERROR(
            whitewater_files_load_frame(&job->whitewater, &job->written, file->frame, NULL, mesh));
    WEIR_GOTO_IF_ERROR(
        pictures_write_mesh(&job->pictures, mesh, frame_time(job, 0, file), file->frame));
fail:
    weir_mesh_destroy(&mesh);
    return result;
}

/* Warns if the particles do not have the quantity that their colours are to show. */
static void warn_of_missing_field(render_job *job, const weir_points_def *def, const char *path)
{
    const weir_camera *view = &job->pictures.view;
    bool shows =
        view->mode == WEIR_RENDER_MODE_PARTICLES || view->mode == WEIR_RENDER_MODE_ELLIPSOIDS;
    bool missing = (view->colouring == WEIR_COLOURING_SPEED && !def->velocity) ||
                   (view->colouring == WEIR_COLOURING_DENSITY && !def->density) ||
                   view->colouring == WEIR_COLOURING_LAMBDA;
    if (!shows || !missing || job->warned_of_field) return;
    base_log(
        &job->log, WEIR_LOG_WARNING,
        "%s has no %s, so all particles have the same colour; weir run --fields writes density",
        path,
        view->colouring == WEIR_COLOURING_SPEED     ? "velocity"
        : view->colouring == WEIR_COLOURING_DENSITY ? "density"
                                                    : "lambda");
    job->warned_of_field = true;
}

/* Moves the positions to the origin of the first frame, or to 0. */
static void share_origin(render_job *job, const char *path, weir_particles *particles)
{
    const double *origin = job->origin_m;
    if (!job->has_origin && has_free_camera(job)) {
        memcpy(job->origin_m, particles->origin_m, sizeof job->origin_m);
        if (origin[0] != 0 || origin[1] != 0 || origin[2] != 0)
            base_log(&job->log, WEIR_LOG_INFO,
                     "%s: positions are drawn relative to (%.15g, %.15g, %.15g)", path, origin[0],
                     origin[1], origin[2]);
    }
    job->has_origin = true;
    weir_particles_set_origin(particles, origin);
}

/* Turns the camera to the particles but a few strays. */
static weir_result frame_particles(render_job *job, const weir_particles *particles)
{
    const weir_points_def *def = &particles->points;
    float bulk_min[3], bulk_max[3],
        corners[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
    if (job->scene || def->count == 0) return WEIR_OK;
    weir_particles_get_bulk_box(particles, bulk_min, bulk_max);
    for (size_t i = 0; i < 3 * (size_t)def->count; ++i) {
        float *low = &corners[i % 3], *high = &corners[3 + i % 3];
        *low = fminf(*low, fmaxf(def->position[i], bulk_min[i % 3]));
        *high = fmaxf(*high, fminf(def->position[i], bulk_max[i % 3]));
    }
    float *box = app_to_y_up_metres(&job->written, corners, 2);
    if (!box) return base_fail(&job->log, WEIR_ERROR_MEMORY, "not enough memory");
    pictures_frame_particles(&job->pictures, box, 2);
    base_free(box);
    return WEIR_OK;
}

static weir_result draw_particles(render_job *job, const sequence_file *file)
{
    weir_result result;
    weir_particles particles = {0};
    weir_points *points = NULL;
    float *positions = NULL, *velocities = NULL;
    app_attributes attributes = {0};
    if (job->scene) app_attributes_of_scene(job->scene, &attributes);
    WEIR_GOTO_IF_ERROR(app_particles_load(&job->log, file->path, &job->options->particles,
                                          &attributes, &particles));
    share_origin(job, file->path, &particles);
    weir_points_def def = particles.points;
    def.spacing_m = (float)frame_spacing(job, &particles);
    if (job->scene)
        def.support_radius_m = job->info.support_radius_m / job->info.spacing_m * def.spacing_m;
    positions = app_to_y_up_metres(&job->written, def.position, def.count);
    if (def.velocity) velocities = app_to_y_up_metres(&job->written, def.velocity, def.count);
    if (!positions || (def.velocity && !velocities)) {
        result = base_fail(&job->log, WEIR_ERROR_MEMORY, "%s: not enough memory", file->path);
        goto fail;
    }
    def.position = positions;
    def.velocity = velocities;
    warn_of_missing_field(job, &def, file->path);
    WEIR_GOTO_IF_ERROR(weir_points_create(job->device, &def, &points));
    WEIR_GOTO_IF_ERROR(frame_particles(job, &particles));
    if (job->run && weir_scene_deformable_count(job->scene) > 0) {
        weir_output_def run = job->written;
        run.folder = job->run;
        WEIR_GOTO_IF_ERROR(weir_points_load_deformables(points, job->scene, &run, file->frame));
    }
    if (job->pictures.view.whitewater)
        WEIR_GOTO_IF_ERROR(whitewater_files_load_frame(&job->whitewater, &job->written, file->frame,
                                                       points, NULL));
    WEIR_GOTO_IF_ERROR(pictures_write(&job->pictures, points,
                                      frame_time(job, particles.time_s, file), file->frame));
fail:
    base_free(positions);
    base_free(velocities);
    weir_points_release(&points);
    weir_particles_free(&particles);
    return result;
}

static weir_result draw_frame(render_job *job, const sequence_file *file)
{
    bool mesh = weir_file_detect(file->path) == WEIR_FILE_MESH;
    uint32_t first = job->written.start_frame;
    if (file->numbered && file->frame >= first) {
        bodies_jsonl *bodies = &job->bodies;
        WEIR_RETURN_IF_ERROR(bodies_jsonl_read_frame(bodies, &job->written, file->frame - first));
        WEIR_RETURN_IF_ERROR(
            weir_renderer_set_body_poses(job->pictures.renderer, bodies->poses, bodies->count));
    }
    return mesh ? draw_mesh(job, file) : draw_particles(job, file);
}

static weir_result draw_frames(render_job *job, render_counts *tally)
{
    size_t count = job->files.files.count;
    base_interrupt_install();
    for (size_t i = 0; i < count && !base_interrupted(); ++i) {
        const sequence_file *file = &job->files.files.items[i];
        if (job->options->skip_done && pictures_exist(&job->pictures, file->frame)) {
            ++tally->skipped;
            continue;
        }
        WEIR_RETURN_IF_ERROR(draw_frame(job, file));
        ++tally->drawn;
        if (!job->options->source.quiet)
            fprintf(stderr, "%s: %zu of %zu\n", file->path, i + 1, count);
    }
    tally->stopped = tally->drawn + tally->skipped < count;
    return pictures_finish(&job->pictures);
}

static void close_render_job(render_job *job)
{
    pictures_close(&job->pictures);
    bodies_jsonl_close(&job->bodies);
    whitewater_files_close(&job->whitewater);
    weir_scene_destroy(&job->scene);
    weir_device_destroy(&job->device);
    sequence_free(&job->files);
    base_free(job->run);
}

static void print_drawn(const render_job *job, const render_counts *tally, double seconds)
{
    char time[32], skipped[48] = "";
    if (tally->skipped)
        snprintf(skipped, sizeof skipped, ", %zu %s already there", tally->skipped,
                 tally->skipped == 1 ? "was" : "were");
    printf("%s: %zu picture%s in %s%s\n", job->pictures.folder, tally->drawn,
           base_plural(tally->drawn), app_print_seconds(time, seconds), skipped);
}

static int run_render(const render_options *options)
{
    render_job job = {.options = options, .log = app_log(options->source.quiet)};
    render_counts tally = {0};
    double start = base_time_s();
    weir_result result = open_render_job(&job);
    if (result == WEIR_OK) result = draw_frames(&job, &tally);
    if (result == WEIR_OK && !options->source.quiet)
        print_drawn(&job, &tally, base_time_s() - start);
    if (result == WEIR_OK && tally.stopped)
        base_log(&job.log, WEIR_LOG_WARNING,
                 "stopped; to continue, repeat the command with --skip-existing");
    uint32_t complaints = app_validation_errors(&job.log, job.device);
    close_render_job(&job);
    if (result == WEIR_ERROR_ARGUMENT) return APP_WRONG_USE;
    if (result != WEIR_OK || complaints > 0) return APP_FAILED;
    return tally.stopped ? APP_STOPPED : APP_DONE;
}

/* ---- command line --------------------------------------------------------------------------- */

static const char about[] =
    "Draws stored particles or meshes (files, folders, patterns, or the folder of a run) and\n"
    "writes image_0001.png and so on. The scene comes from --scene, else from the run;\n"
    "without one, only the particles or meshes are drawn.";

static const char details[] =
    "A pattern is, for example, out/dam/particles/*.ply. A file with faces (obj, stl, gltf; ply,\n"
    "vtk, bgeo) is drawn as a mesh: as water, or opaque with --mode mesh. A run's scene is in its\n"
    "run.json, in the folder of the files or above it; the poses of bodies come from the run's\n"
    "bodies.jsonl. Particles and meshes are drawn with the run's whitewater, particles also with\n"
    "its cloths, ropes and soft bodies.";

static const char examples[] =
    "weir render out/dam\n"
    "weir render out/dam --size 1920x1080 --video dam.mp4\n"
    "weir render out/dam --frames 20:40 -o pictures\n"
    "weir render out/dam --whitewater out/dam/more_whitewater -o pictures\n"
    "weir render out/dam/particles/particles_0040.ply -o . --mode particles --colour speed\n"
    "weir render 'out/dam/mesh/*.ply' -o pictures\n"
    "weir render bunny.obj -o . --mode mesh\n"
    "weir render sim/ParticleData_Fluid_*.vtk --scene tank.json -o pictures";

int render_main(int argc, char **argv)
{
    render_options o = {.frames = {{0, UINT32_MAX - 1}, 1}, .pictures = pictures_options_default()};
    const args_option options[] = {
        ARGS_OPTION("output", 'o', TEXT, &o.folder, "DIR",
                    "output folder; default: images in the run's folder"),
        ARGS_OPTION("frames", 0, STEPS, &o.frames, "A:B:STEP",
                    "only frames A to B, every STEP-th; \"B\" is \"0:B\""),
        ARGS_OPTION("skip-existing", 0, FLAG, &o.skip_done, NULL,
                    "skip frames that already have a picture"),
        ARGS_OPTION("scene", 0, TEXT, &o.source.scene, "FILE",
                    "solids, colours and camera; default: the run's scene"),
        ARGS_OPTION("set", 0, LIST, &o.source.set, "KEY=VALUE", "override a value of the scene"),
        ARGS_EXPERT_OPTION("spacing", 0, NUMBER, &o.spacing, "M",
                           "particle spacing; default: the file's, the scene's, or estimated"),
        ARGS_EXPERT_OPTION(
            "whitewater", 0, TEXT, &o.whitewater, "DIR",
            "folder of \"weir whitewater\"; default: whitewater in the run's folder"),
        ARGS_EXPERT_OPTION("rate", 0, NUMBER, &o.rate, "HZ", "frames per second of the video"),
        APP_PARTICLE_OPTIONS(o.particles, true),
        PICTURES_OPTIONS(o.pictures, false),
        APP_DEVICE_OPTIONS(o.source),
        APP_QUIET_OPTION(o.source)};
    const args_command command = {.name = "render",
                                  .usage = "PARTICLES|MESHES... [options]",
                                  .about = about,
                                  .details = details,
                                  .examples = examples,
                                  .options = options,
                                  .option_count = BASE_COUNT(options),
                                  .operands = &o.words,
                                  .operand_needed = true};
    args_result outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome;
    return run_render(&o);
}

/* weir mesh: turns stored particles into surfaces. */
#include "mesh_internal.h"

static const char *const ups[] = {"y", "z"};

/* ---- execution ------------------------------------------------------------------------------ */

static int list_frames(mesh_plan *plan)
{
    mesh_counts tally = {0};
    const sequence_file *file;
    bool wait;
    while ((file = mesh_plan_next_file(plan, &tally, &wait)) != NULL) {
        char *name = sequence_name(plan->pattern, file->frame);
        printf("%s -> %s\n", file->path, name ? name : "");
        base_free(name);
    }
    if (tally.skipped)
        printf("%u frame%s skipped: already meshed\n", tally.skipped, base_plural(tally.skipped));
    return APP_DONE;
}

static void print_summary(const mesh_plan *plan, const mesh_counts *tally, double seconds)
{
    char time[32];
    if (plan->options->source.quiet) return;
    printf("%s: %u frame%s meshed in %s, %llu particle%s to %llu triangle%s\n", plan->pattern,
           tally->done, base_plural(tally->done), app_print_seconds(time, seconds),
           (unsigned long long)tally->particles, base_plural(tally->particles),
           (unsigned long long)tally->triangles, base_plural(tally->triangles));
    if (tally->spray)
        printf("%s: %llu spray particle%s\n", plan->spray_pattern, (unsigned long long)tally->spray,
               base_plural(tally->spray));
    if (tally->empty)
        printf("%u frame%s without a surface: wrote an empty mesh for each\n", tally->empty,
               base_plural(tally->empty));
    if (tally->skipped)
        printf("%u frame%s skipped: already meshed\n", tally->skipped, base_plural(tally->skipped));
}

static int report_status(const mesh_plan *plan, const mesh_counts *tally, weir_device *device,
                         weir_result result)
{
    if (result == WEIR_ERROR_ARGUMENT) return APP_WRONG_USE;
    if (tally->failed)
        base_log(&plan->log, WEIR_LOG_ERROR, "%u of %u frame%s failed", tally->failed,
                 tally->failed + tally->done, base_plural(tally->failed + tally->done));
    if (tally->stopped)
        base_log(&plan->log, WEIR_LOG_WARNING,
                 "stopped; to continue, repeat the command with --skip-existing");
    uint32_t complaints = app_validation_errors(&plan->log, device);
    bool good = result == WEIR_OK && !tally->failed && !complaints;
    return !good ? APP_FAILED : tally->stopped ? APP_STOPPED : APP_DONE;
}

static int run_mesher(mesh_plan *plan)
{
    mesh_counts tally = {0};
    weir_device *device = NULL;
    const weir_log log = mesh_device_log(plan);
    const weir_device_def def = app_device_def(&plan->options->source, &log);
    weir_result result = weir_device_create(&def, &device);
    if (result != WEIR_OK) return app_status(&plan->log, device, result);
    double start = base_time_s();
    base_interrupt_install();
    result = mesh_run_pipeline(device, plan, &tally);
    if (result == WEIR_OK) print_summary(plan, &tally, base_time_s() - start);
    int status = report_status(plan, &tally, device, result);
    weir_device_destroy(&device);
    return status;
}

static int mesh_sequence(const mesh_options *options)
{
    mesh_plan plan;
    weir_result result = mesh_plan_create(options, &plan);
    if (result != WEIR_OK) return app_status(&plan.log, NULL, result);
    int status = options->dry_run ? list_frames(&plan) : run_mesher(&plan);
    mesh_plan_free(&plan);
    return status;
}

/* ---- command line --------------------------------------------------------------------------- */

static const char mesh_about[] =
    "Turns stored particles into surface meshes, one per frame. Reads Weir's own files, and those\n"
    "of other programs: PLY, VTK, VTU, VTP, HDF5, NPY, NPZ, LAMMPS, CSV, XYZ, BGEO 5, raw. "
    "PARTICLES\n"
    "are files, folders, the folder of a run, or patterns in quotes.";

static const char mesh_details[] =
    "In a pattern such as 'particles/particles_*.ply', {}, #### and %04d stand for the frame\n"
    "number. Meshes keep their frame's number. The particle spacing comes from the run.json next\n"
    "to the frames, else from the files (BGEO's pscale), else from the distances of particles.\n"
    "OBJ cannot carry velocities: for motion blur write PLY, VTK or BGEO. Reading, meshing and\n"
    "writing overlap. No file is left half-written, and a frame that cannot be meshed does not\n"
    "stop the others. --watch waits until the run's last frame, or the last of --frames.\n"
    "See docs/meshing.md.";

static const char mesh_examples[] =
    "weir mesh out/dam                                        a run's particles, to out/dam/mesh\n"
    "weir mesh 'particles/particles_*.ply' -o mesh/surface_%04d.obj\n"
    "weir mesh 'sim/ParticleData_Fluid_{}.vtk' -o mesh/ --format ply --up z\n"
    "weir mesh out/dam --frames 100:200:10 --cell-size 0.5 --spray-neighbours 6";

int mesh_main(int argc, char **argv)
{
    const char *formats[WEIR_MESH_FORMAT_COUNT];
    args_names(WEIR_ENUM_MESH_FORMAT, formats, WEIR_MESH_FORMAT_COUNT);
    char formats_help[ARGS_JOINED];
    args_join(formats_help, "", formats, BASE_COUNT(formats),
              "; default: by the output's name, or obj");
    mesh_options o = {.format = WEIR_MESH_FORMAT_COUNT,
                      .frames = {{0, UINT32_MAX - 1}, 1},
                      .from_up = ARGS_NOT_GIVEN};
    mesh_option_list surface;
    o.settings = mesh_surface_options_default();
    mesh_option_list_create(&o.settings, "", &surface);
    const args_option options[] = {
        ARGS_OPTION("output", 'o', TEXT, &o.output, "PATTERN",
                    "a name with %04d, or a folder; default: mesh/ next to the particles"),
        ARGS_CHOICE_OPTION("format", &o.format, "FORMAT", formats_help, formats,
                           BASE_COUNT(formats)),
        ARGS_OPTION("frames", 0, STEPS, &o.frames, "A:B:STEP",
                    "only frames A to B, every STEP-th; \"B\" is \"0:B\""),
        ARGS_OPTION("skip-existing", 0, FLAG, &o.skip_done, NULL,
                    "skip frames that already have a mesh"),
        ARGS_OPTION("watch", 0, FLAG, &o.watch, NULL,
                    "wait for frames of a run that is still running, or until Ctrl-C"),
        ARGS_EXPERT_OPTION("dry-run", 0, FLAG, &o.dry_run, NULL,
                           "list what would be read and written, and stop"),
        ARGS_OPTION("spacing", 0, NUMBER, &o.spacing, "D", "particle spacing, in the files' units"),
        ARGS_CHOICE_OPTION("up", &o.up, "y|z", "up axis of the meshes; default y", ups, 2),
        ARGS_EXPERT_CHOICE("input-up", &o.from_up, "y|z",
                           "up axis of the particles; default: the run's, or y", ups, 2),
        ARGS_OPTION("scale", 0, NUMBER, &o.scale, "S", "multiply positions and velocities"),
        APP_PARTICLE_OPTIONS(o.particles, false),
        ARGS_EXPERT_OPTION("max-memory", 0, COUNT, &o.settings.memory_mb, "MB",
                           "limit of device memory; default: half of it"),
        APP_DEVICE_OPTIONS(o.source),
        APP_QUIET_OPTION(o.source)};
    const args_command command = {.name = "mesh",
                                  .usage = "PARTICLES... [options]",
                                  .about = mesh_about,
                                  .details = mesh_details,
                                  .examples = mesh_examples,
                                  .options = options,
                                  .option_count = BASE_COUNT(options),
                                  .more = surface.items,
                                  .more_count = MESH_OPTIONS,
                                  .more_title = "Surface options:",
                                  .operands = &o.words,
                                  .operand_needed = true};
    args_result outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome;
    return mesh_sequence(&o);
}

/* weir run: parses the options. */
#include "run_internal.h"

static const char run_about[] =
    "Simulates SCENE (a scene file, or the run.json of an earlier run) and writes its frames, a\n"
    "table of them and run.json into DIR. Without SCENE: a dam break sized for the device.\n"
    "Without -o: a new folder out/NAME. Ctrl-C saves a checkpoint; --resume continues from it.";

static const char run_details[] =
    "DIR holds particles/particles_0001.ply and so on, stats.csv with a line per frame, run.json\n"
    "with everything needed to repeat it, and with --mesh mesh/surface_0001.obj and so on (\"weir\n"
    "mesh\" makes them later). No frame file is left half-written.\n"
    "\n"
    "Ctrl-C finishes the current frame, writes its files and saves a checkpoint; \"weir run -o\n"
    "DIR --resume\" continues with the same bits. SIGTERM and SIGHUP do the same within two\n"
    "seconds; if the frame takes longer, the run resumes from the last checkpoint.";

static const char run_examples[] =
    "weir run scenes/dam_break.json -o out/dam --particles vtk --fields velocity,density\n"
    "weir run scenes/dam_break.json -o out/fine --set spacing=0.01 --seconds 2\n"
    "weir run -o out/fine --resume\n"
    "weir run changed.json --from out/dam:30 -o out/dam-2\n"
    "weir run scenes/dam_break.json -o out/film --images --size 1920x1080 --video film.mp4\n"
    "weir run scenes/dam_break.json -o out/mesh --mesh ply --particles none\n"
    "weir run scenes/dam_break.json -o out/sweep --sweep spacing=0.04,0.03,0.02";

#define SWEEP_OPTIONS(o)                                                                   \
    ARGS_OPTION("sweep", 0, LIST, &(o).sweeps, "KEY=A,B,C",                                \
                "a run per value, in DIR/KEY=A, ...; a table, DIR/sweep.csv; repeatable"), \
        ARGS_EXPERT_OPTION("list", 0, FLAG, &(o).list, NULL,                               \
                           "with --sweep: print the command of each run, one a line"),     \
        ARGS_EXPERT_OPTION("only", 0, COUNT, &(o).only, "N",                               \
                           "with --sweep: only run N, from 0, as --list numbers them"),    \
        ARGS_EXPERT_OPTION("collect", 0, FLAG, &(o).collect, NULL,                         \
                           "with --sweep: only write DIR/sweep.csv, from finished runs")

static run_options default_options(void)
{
    return (run_options){.frames = {0, ARGS_NOT_GIVEN},
                         .start_frame = ARGS_NOT_GIVEN,
                         .particles = ARGS_NOT_GIVEN,
                         .fields = ARGS_NOT_GIVEN,
                         .up = ARGS_NOT_GIVEN,
                         .mesh = ARGS_NOT_GIVEN,
                         .surface = mesh_surface_options_default(),
                         .gauges = ARGS_NOT_GIVEN,
                         .only = ARGS_NOT_GIVEN,
                         .checkpoint = ARGS_NOT_GIVEN,
                         .checkpoints_kept = 2,
                         .pictures = pictures_options_default()};
}

static int check_sweep_options(const run_options *o)
{
    const int ways = o->list + o->collect + (o->only != ARGS_NOT_GIVEN);
    if (ways > 0 && o->sweeps.count == 0)
        return args_error("--list, --only and --collect need --sweep KEY=A,B,C");
    if (ways > 1) return args_error("--list, --only and --collect: choose one");
    if (o->sweeps.count > 0 && (!o->folder || (o->resume && !o->resume_auto) || o->residuals))
        return args_error("--sweep needs -o DIR, and cannot be combined with --resume, but with "
                          "--resume=auto, or with --residuals");
    return 0;
}

/* Refuses options that contradict each other. Returns 0, or the exit status. */
static int check_options(const run_options *o)
{
    if (o->resume && !o->folder)
        return args_error("--resume needs -o DIR, the folder of the run to continue");
    if (o->from && o->resume && !o->resume_auto)
        return args_error("--resume continues the run in DIR, and --from starts another one from a "
                          "frame of an earlier run: choose one");
    if (o->checkpoints_kept == 0)
        return args_error(
            "--checkpoints-kept must be at least 1; --checkpoint-interval 0 saves none");
    if (o->resume && o->force)
        return args_error("--resume continues a run and --force replaces it: choose one");
    return check_sweep_options(o);
}

static int run_parsed(run_options *o, uint32_t fluid, uint32_t resume, args_words words)
{
    o->resume = resume > 0;
    o->resume_auto = resume > 1;
    const int refused = check_options(o);
    if (refused) return refused;
    app_add_fluid(&o->source.set, fluid);
    if (!run_ranks_parse(o)) return APP_WRONG_USE;
    run_job_show_messages();
    if (o->sweeps.count > 0) return sweep_main(o, (int)words.count, words.items);
    if (run_job_is_wanted(o)) return run_job(o);
    if (o->resume_auto && !resume_choose(o)) return APP_DONE;
    return run_scene(o);
}

static int parse_and_run(int argc, char **argv)
{
    static const char *const ups[] = {"y", "z"};
    const char *formats[WEIR_PARTICLE_FORMAT_COUNT + 1], *fields[WEIR_FIELD_COUNT];
    const char *meshes[WEIR_MESH_FORMAT_COUNT + 1];
    args_names(WEIR_ENUM_PARTICLE_FORMAT, formats, WEIR_PARTICLE_FORMAT_COUNT);
    formats[WEIR_PARTICLE_FORMAT_COUNT] = "none";
    args_names(WEIR_ENUM_MESH_FORMAT, meshes, WEIR_MESH_FORMAT_COUNT);
    meshes[WEIR_MESH_FORMAT_COUNT] = "none";
    args_names(WEIR_ENUM_FIELD, fields, WEIR_FIELD_COUNT);
    char formats_help[ARGS_JOINED], meshes_help[ARGS_JOINED];
    args_join(formats_help, "", formats, BASE_COUNT(formats), "; default ply");
    args_join(meshes_help, "also write surfaces: ", meshes, BASE_COUNT(meshes), " (default)");
    run_options o = default_options();
    static const char *const resume_modes[] = {"auto"};
    uint32_t fluid = ARGS_NOT_GIVEN, resume = 0;
    mesh_option_list surface;
    mesh_option_list_create(&o.surface, "mesh-", &surface);
    static const char *const gauge_times[] = {"frame", "substep"};
    const args_option options[] = {
        ARGS_OPTION("output", 'o', TEXT, &o.folder, "DIR",
                    "output folder; default: a new folder out/NAME"),
        ARGS_OPTION("frames", 0, RANGE, &o.frames, "A:B",
                    "write frames A to B, both included, and stop; \"B\" is \"0:B\""),
        ARGS_EXPERT_OPTION("start-frame", 0, COUNT, &o.start_frame, "N",
                           "the number of frame 0 in file names; default 0"),
        ARGS_CHOICE_OPTION("particles", &o.particles, "FORMAT", formats_help, formats,
                           BASE_COUNT(formats)),
        {"fields", 0, ARGS_CHOICES, &o.fields, "LIST",
         "any of velocity, id, fluid and density; default velocity,id", fields, BASE_COUNT(fields),
         false},
        ARGS_CHOICE_OPTION("mesh", &o.mesh, "FORMAT", meshes_help, meshes, BASE_COUNT(meshes)),
        ARGS_CHOICE_OPTION("up", &o.up, "y|z",
                           "up axis of the files: y (default), or z for Blender", ups, 2),
        ARGS_EXPERT_OPTION("scale", 0, NUMBER, &o.scale, "S",
                           "multiply positions and velocities in the files"),
        ARGS_OPTION("seconds", 0, NUMBER, &o.seconds, "S",
                    "simulated time; default: the scene's duration"),
        ARGS_EXPERT_CHOICE("gauges", &o.gauges, "frame|substep",
                           "gauges.csv has a line per frame or substep; default frame", gauge_times,
                           2),
        ARGS_EXPERT_OPTION(
            "residuals", 0, TEXT, &o.residuals, "FILE",
            "write the density error of every substep and\niteration to FILE as CSV"),
        ARGS_FLUID_OPTION(&fluid),
        ARGS_EXPERT_OPTION("ranks", 0, TEXT, &o.ranks_text, "N|mpi",
                           "simulate on N devices of one kind, or N times on one; mpi: on one of\n"
                           "each process of mpirun, the default there; else the default is 1"),
        SWEEP_OPTIONS(o),
        ARGS_EXPERT_OPTION("checkpoint-interval", 0, COUNT, &o.checkpoint, "N",
                           "save a checkpoint every N frames, 0: never; default: every two\n"
                           "minutes. DIR/checkpoint keeps the newest two"),
        ARGS_EXPERT_OPTION("checkpoints-kept", 0, COUNT, &o.checkpoints_kept, "N",
                           "how many checkpoints DIR/checkpoint keeps; default 2"),
        {"resume", 0, ARGS_MODE, &resume, "[=auto]",
         "continue the run in DIR; auto: or start it, for job scripts", resume_modes, 1, false},
        ARGS_OPTION("from", 0, TEXT, &o.from, "DIR:N",
                    "start from frame N of the run in DIR, or from a checkpoint FILE.weir"),
        ARGS_EXPERT_OPTION("remove-inside", 0, FLAG, &o.remove_inside, NULL,
                           "with --from: remove particles in solids, do not move them out"),
        ARGS_EXPERT_OPTION("trace", 0, TEXT, &o.trace, "FILE",
                           "write a trace of passes and calls for ui.perfetto.dev"),
        ARGS_EXPERT_OPTION("capture", 0, COUNT, &o.capture, "FRAME",
                           "capture the simulation of this frame with RenderDoc"),
        ARGS_OPTION("images", 0, FLAG, &o.images, NULL,
                    "write a picture of every frame into DIR/images"),
        PICTURES_OPTIONS(o.pictures, true),
        ARGS_EXPERT_OPTION("allow-overcompression", 0, FLAG, &o.any_density, NULL,
                           "do not fail when the density error is too high"),
        ARGS_OPTION("force", 0, FLAG, &o.force, NULL, "replace an existing run in DIR"),
        APP_SCENE_OPTIONS(o.source)};
    const args_command command = {.name = "run",
                                  .usage = "[SCENE] -o DIR [options]",
                                  .about = run_about,
                                  .details = run_details,
                                  .examples = run_examples,
                                  .options = options,
                                  .option_count = BASE_COUNT(options),
                                  .more = surface.items,
                                  .more_count = MESH_OPTIONS,
                                  .more_title = "Surface options, with --mesh:",
                                  .operand = &o.source.scene};
    args_words words = {base_alloc((size_t)argc + 1, sizeof *argv), (uint32_t)argc};
    if (!words.items) return APP_FAILED;
    memcpy(words.items, argv, (size_t)argc * sizeof *argv); /* args_parse may move them */
    int status = args_parse(&command, argc, argv);
    if (status == ARGS_RUN) status = run_parsed(&o, fluid, resume, words);
    base_free(words.items);
    return status;
}

int run_main(int argc, char **argv)
{
    run_job_hold_messages();
    const int status = parse_and_run(argc, argv);
    run_job_drop_messages(status);
    return status;
}

/* weir run: parses the options, and runs one simulation or a sweep. */
#include "run_internal.h"

/* Runs the scene once per value, in DIR/key=value, then prints the table. A run that fails does not
 * stop the others; the status of the first failure is returned. */
static int run_sweep(const run_options *options)
{
    sweep s = {0};
    int status = APP_DONE;
    weir_log log = app_log(options->source.quiet);
    const char *folder = options->folder;
    if (!sweep_parse(options->sweep, folder, &s)) status = APP_WRONG_USE;
    for (size_t i = 0; status != APP_WRONG_USE && i < s.runs.count && !base_interrupted(); ++i) {
        run_options one = *options;
        one.sweep_run = &s.runs.items[i];
        one.folder = one.sweep_run->folder;
        one.source.set.items[one.source.set.count++] = one.sweep_run->setting;
        int own = run_scene(&one);
        if (status == APP_DONE) status = own;
    }
    if (status != APP_WRONG_USE && sweep_finish(&log, &s, folder) != WEIR_OK) status = APP_FAILED;
    sweep_free(&s);
    return status;
}

static const char run_about[] =
    "Simulates SCENE (a scene file, or the run.json "
    "of an earlier run, which repeats it) and writes\n"
    "into DIR: particles/particles_0001.ply and so on, "
    "stats.csv with a line per frame, run.json with\n"
    "everything that made the run; with --mesh surfaces "
    "too: mesh/surface_0001.obj (\"weir mesh\" makes\n"
    "them later). Without SCENE: a dam break sized for the device. Without -o: a\n"
    "new folder out/NAME. No frame file is left half-written.\n"
    "\n"
    "Ctrl-C finishes the current frame, writes its files and saves a checkpoint;\n"
    "\"weir run -o DIR --resume\" continues with the same bits. SIGTERM and SIGHUP do the same\n"
    "within two seconds: where the frame takes longer, the last checkpoint has to do.";

static const char run_examples[] =
    "weir run\n"
    "weir run scenes/dam_break.json -o out/dam --particles vtk --fields velocity,density\n"
    "weir run scenes/dam_break.json -o out/fine --set spacing=0.01 --seconds 2 "
    "--checkpoint-interval 20\n"
    "weir run -o out/fine --resume\n"
    "weir run out/dam/run.json -o out/again";

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
                         .checkpoint = ARGS_NOT_GIVEN,
                         .pictures = pictures_options_default()};
}

int run_main(int argc, char **argv)
{
    static const char *const ups[] = {"y", "z"};
    const char *formats[WEIR_PARTICLE_FORMAT_COUNT + 1], *fields[WEIR_FIELD_COUNT];
    const char *meshes[WEIR_MESH_FORMAT_COUNT + 1];
    args_names(WEIR_ENUM_PARTICLE_FORMAT, formats, WEIR_PARTICLE_FORMAT_COUNT);
    formats[WEIR_PARTICLE_FORMAT_COUNT] = "none";
    args_names(WEIR_ENUM_MESH_FORMAT, meshes, WEIR_MESH_FORMAT_COUNT);
    meshes[WEIR_MESH_FORMAT_COUNT] = "none";
    args_names(WEIR_ENUM_FIELD, fields, WEIR_FIELD_COUNT);
    run_options o = default_options();
    mesh_option_list surface;
    mesh_option_list_create(&o.surface, "mesh-", &surface);
    static const char *const gauge_times[] = {"frame", "substep"};
    const args_option options[] = {
        ARGS_OPTION("output", 'o', TEXT, &o.folder, "DIR", "where the files go"),
        ARGS_OPTION("frames", 0, RANGE, &o.frames, "A:B",
                    "write frames A to B, both included, and stop after B;\n"
                    "earlier frames are simulated, not written. \"B\" is \"0:B\""),
        ARGS_OPTION("start-frame", 0, COUNT, &o.start_frame, "N",
                    "the number of frame 0 in file names; default 0"),
        ARGS_CHOICE_OPTION(
            "particles", &o.particles, "FORMAT",
            "ply, vtk, bgeo, xyz, npy, none, or raw: float32 x y z\nwithout a header; default ply",
            formats, BASE_COUNT(formats)),
        {"fields", 0, ARGS_CHOICES, &o.fields, "LIST",
         "fields written beside the position: velocity, id,\nfluid, density; default velocity,id",
         fields, BASE_COUNT(fields)},
        ARGS_CHOICE_OPTION("mesh", &o.mesh, "FORMAT",
                           "surfaces too: obj, ply, vtk, bgeo or none; default none", meshes,
                           BASE_COUNT(meshes)),
        ARGS_CHOICE_OPTION("up", &o.up, "y|z", "z turns the files for Blender; default y", ups, 2),
        ARGS_OPTION("scale", 0, NUMBER, &o.scale, "S",
                    "multiplies positions and velocities in the files"),
        ARGS_OPTION("seconds", 0, NUMBER, &o.seconds, "S",
                    "simulated time, in place of the scene's duration"),
        ARGS_CHOICE_OPTION("gauges", &o.gauges, "frame|substep",
                           "gauges.csv has a line per frame or substep; default frame", gauge_times,
                           2),
        ARGS_OPTION("residuals", 0, TEXT, &o.residuals, "FILE",
                    "write the density error of every substep and\niteration to FILE as CSV"),
        ARGS_OPTION(
            "sweep", 0, TEXT, &o.sweep, "KEY=A,B,C",
            "a run for each value, in DIR/KEY=A and so on, and one\ntable of them: DIR/sweep.csv"),
        ARGS_OPTION("checkpoint-interval", 0, COUNT, &o.checkpoint, "N",
                    "save the whole state every N frames; default every\ntwo minutes; 0: never. "
                    "The two newest are kept in\nDIR/checkpoint"),
        ARGS_OPTION("resume", 0, FLAG, &o.resume, NULL,
                    "continue the run in DIR from its newest checkpoint"),
        ARGS_OPTION("trace", 0, TEXT, &o.trace, "FILE",
                    "write a trace of passes and calls for ui.perfetto.dev"),
        ARGS_OPTION("images", 0, FLAG, &o.images, NULL,
                    "write a picture of every frame into DIR/images"),
        PICTURES_OPTIONS(o.pictures),
        ARGS_OPTION("allow-overcompression", 0, FLAG, &o.any_density, NULL,
                    "end with status 0 also when the fluid was crushed"),
        ARGS_OPTION("force", 0, FLAG, &o.force, NULL, "replace the run that DIR holds"),
        APP_SCENE_OPTIONS(o.source)};
    const args_command command = {.name = "run",
                                  .usage = "[SCENE] -o DIR [options]",
                                  .about = run_about,
                                  .examples = run_examples,
                                  .options = options,
                                  .option_count = BASE_COUNT(options),
                                  .more = surface.items,
                                  .more_count = MESH_OPTIONS,
                                  .more_title = "The surface, with --mesh:",
                                  .operand = &o.source.scene};
    args_result outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome;
    if (o.resume && !o.folder)
        return args_error("--resume needs -o DIR, the folder of the run to continue");
    if (o.resume && o.force)
        return args_error("--resume keeps a run and --force replaces it: choose one");
    if (o.sweep && (!o.folder || o.resume || o.residuals))
        return args_error("--sweep needs -o DIR and goes with neither --resume nor --residuals");
    return o.sweep ? run_sweep(&o) : run_scene(&o);
}

/* weir check: errors and needs of a scene, and statistics of a particle file; check_mesh.c does the
 * same for meshes. */
#include "main_internal.h"

enum { NAMES_MAX = 32 }; /* of file extensions in a message */

/* ---- particles ------------------------------------------------------------------------------ */

static void print_spacing(const weir_particles_info *info)
{
    const double d = (double)info->spacing_m;
    if (d <= 0) return;
    printf("spacing            %.4g m, %s; size %.4g x %.4g x %.4g spacings\n", d,
           info->spacing_estimated ? "estimated from the distances of particles"
                                   : "twice the radius in the file",
           (info->max[0] - info->min[0]) / d, (info->max[1] - info->min[1]) / d,
           (info->max[2] - info->min[2]) / d);
}

static int check_particles(const weir_log *log, const char *path)
{
    weir_particles_info info;
    if (weir_particles_inspect(log, path, &info) != WEIR_OK) return APP_FAILED;
    printf("%s: particles\nparticles          %u\nfields            ", path, info.count);
    for (uint32_t i = 0; i < WEIR_FIELD_COUNT; ++i)
        if (info.fields & 1u << i) printf(" %s", weir_enum_name(WEIR_ENUM_FIELD, i));
    printf("\n");
    if (info.skipped) printf("skipped            %u with NaN or infinite numbers\n", info.skipped);
    if (info.count == 0) return APP_DONE;
    app_print_box(info.min, info.max, " m");
    print_spacing(&info);
    if (info.outliers)
        printf("outliers           %u far from the others (weir mesh --drop-outliers)\n",
               info.outliers);
    if (info.fields & 1u << WEIR_FIELD_VELOCITY)
        printf("speed              %g to %g m/s, mean %g\n", (double)info.speed_min_m_s,
               (double)info.speed_max_m_s, (double)info.speed_mean_m_s);
    return APP_DONE;
}

/* ---- scenes --------------------------------------------------------------------------------- */

/* The device's log. It is muted during the trial run, whose warnings concern other particles. */
typedef struct check_log {
    weir_log shown;
    bool muted;
} check_log;

static void log_unless_muted(void *user, weir_log_level level, const char *text)
{
    const check_log *log = user;
    if (!log->muted) log->shown.write(log->shown.user, level, text);
}

/* Compression at which a fluid still looks incompressible; see
 * weir_estimate.recommended_substeps. */
#define TARGET_COMPRESSION 0.01

/* Prints whether the device's memory suffices. */
static bool print_device_needs(const weir_estimate *needs, const weir_device_info *info)
{
    char need[32], have[32], left[32];
    bool taken = info->memory_available_bytes < info->memory_bytes;
    bool fits = needs->device_bytes <= info->memory_available_bytes;
    bool fits_alone = needs->device_bytes <= info->memory_bytes;
    printf("device memory      %s of %s on %s", app_print_bytes(need, (double)needs->device_bytes),
           app_print_bytes(have, (double)info->memory_bytes), info->name);
    if (taken)
        printf(", %s of it free", app_print_bytes(left, (double)info->memory_available_bytes));
    if (!fits && fits_alone) printf(": NOT ENOUGH; close other programs, or use a larger spacing");
    if (!fits_alone) printf(": NOT ENOUGH; use a larger spacing");
    printf("\n");
    return fits;
}

static bool print_disk_needs(const weir_estimate *needs, const weir_scene_info *info)
{
    char frame[32], all[32], have[32];
    uint64_t disk = base_disk_free(".");
    double whole = (double)needs->frame_bytes * (info->frame_count + 1.0);
    bool fits = disk == UINT64_MAX || whole <= (double)disk;
    printf("disk               %s a frame as PLY, %s in all",
           app_print_bytes(frame, (double)needs->frame_bytes), app_print_bytes(all, whole));
    if (disk != UINT64_MAX)
        printf("; %s free here%s", app_print_bytes(have, (double)disk), fits ? "" : ": NOT ENOUGH");
    printf("\n");
    return fits;
}

/* Prints the compression at the floor of deep fluid, and what reduces it. */
static void print_compression(const weir_scene_info *info, const weir_estimate *needs)
{
    if (needs->predicted_compression <= 0) return;
    printf("compression        %.2g %% predicted at the floor, under %.3g m of fluid",
           100 * needs->predicted_compression, needs->depth_m);
    if (needs->predicted_compression > TARGET_COMPRESSION &&
        needs->recommended_substeps > info->substeps)
        printf("; solver.substeps %u would keep it below %g %%", needs->recommended_substeps,
               100 * TARGET_COMPRESSION);
    else if (needs->predicted_compression >
             TARGET_COMPRESSION) /* for WCSPH, more substeps do not help */
        printf("; a higher solver.sound_speed would keep it below %g %%", 100 * TARGET_COMPRESSION);
    printf("\n");
}

/* Reflection above which the check recommends wider zones. */
#define LARGE_REFLECTION 0.05

/* Prints the length of the waves, and what the sides of the sea reflect of them. */
static void print_sea(const weir_scene_info *info)
{
    const double length = info->sea_wavelength_m, d = (double)info->spacing_m;
    if (info->sea_zone_width_m <= 0) return;
    if (length > 0) printf("waves              %.4g m long, %.4g spacings\n", length, length / d);
    printf("sides of the sea   zones %.4g m wide", info->sea_zone_width_m);
    if (length > 0) printf(", which reflect %.2g %% of the waves", 100 * info->sea_reflection);
    if (info->sea_reflection > LARGE_REFLECTION)
        printf(": TOO MUCH; sea.zone_width %.3g would keep it below %g %%", length,
               100 * LARGE_REFLECTION);
    printf("\n");
}

static void print_scene(const app_scene_options *source, const weir_scene_info *info,
                        const weir_estimate *needs)
{
    printf("%s: scene \"%s\", no errors\n", source->scene, info->name);
    printf("particles          %s%llu", needs->exact ? "" : "at most ",
           (unsigned long long)needs->particles);
    if (needs->max_emitted)
        printf(", and up to %llu from emitters", (unsigned long long)needs->max_emitted);
    double size[3];
    for (int axis = 0; axis < 3; ++axis)
        size[axis] = (double)info->domain_max[axis] - (double)info->domain_min[axis];
    const double d = (double)info->spacing_m;
    printf("\ndomain             %g x %g x %g m, %.4g x %.4g x %.4g spacings", size[0], size[1],
           size[2], size[0] / d, size[1] / d, size[2] / d);
    printf("\nspacing            %g m, %s %g m\n", (double)info->spacing_m,
           info->iterations ? "support radius" : "grid cells of", (double)info->support_radius_m);
    printf("frames             %u after frame 0, %g s at %g Hz\n", info->frame_count,
           info->duration_s, info->frame_rate_hz);
    if (info->iterations)
        printf("steps              %u substep%s a frame, %u iteration%s each\n", info->substeps,
               base_plural(info->substeps), info->iterations, base_plural(info->iterations));
    else
        printf("steps              at most %u substep%s a frame\n", info->substeps,
               base_plural(info->substeps));
    print_compression(info, needs);
    print_sea(info);
}

static weir_result check_scene(const app_scene_options *source, bool quick, bool *fits)
{
    weir_log log = app_log(source->quiet);
    weir_result result = WEIR_OK;
    weir_scene *scene = NULL;
    weir_device *device = NULL;
    weir_scene_info info;
    weir_device_info device_info;
    weir_estimate needs;
    check_log device_log = {.shown = log};
    const weir_log to_device = {log_unless_muted, &device_log, log.level};
    const weir_device_def def = app_device_def(source, &to_device);
    WEIR_GOTO_IF_ERROR(app_scene_load(source, &log, 0, &scene));
    weir_scene_get_info(scene, &info);
    weir_result device_result = weir_device_create(&def, &device);
    WEIR_GOTO_IF_ERROR(weir_scene_estimate(scene, device, &needs));
    print_scene(source, &info, &needs);
    *fits = print_disk_needs(&needs, &info);
    WEIR_GOTO_IF_ERROR(device_result);
    weir_device_get_info(device, &device_info);
    *fits = print_device_needs(&needs, &device_info) && *fits;
    device_log.muted = !source->validation;
    if (!quick && needs.exact) check_print_time(source, &needs, &info, device);
fail:
    weir_device_destroy(&device);
    weir_scene_destroy(&scene);
    return result;
}

/* ---- command -------------------------------------------------------------------------------- */

static size_t copy_names(weir_enum of, const char **names)
{
    size_t count = 0;
    while (count < NAMES_MAX && weir_enum_name(of, (uint32_t)count)) {
        names[count] = weir_enum_name(of, (uint32_t)count);
        count++;
    }
    return count;
}

static int fail_unknown_kind(const weir_log *log, const char *path)
{
    const char *names[NAMES_MAX];
    char particles[ARGS_JOINED], meshes[ARGS_JOINED];
    args_join(particles, "", names, copy_names(WEIR_ENUM_PARTICLE_FILE, names), "");
    args_join(meshes, "", names, copy_names(WEIR_ENUM_MESH_FILE, names), "");
    base_log(log, WEIR_LOG_ERROR,
             "%s: unknown file extension; expected a scene (json), particles (%s) or a mesh (%s)",
             path, particles, meshes);
    return APP_FAILED;
}

static int check_file(const app_scene_options *source, bool quick, bool json)
{
    weir_log log = app_log(source->quiet);
    bool fits = true;
    weir_result result;
    const weir_file_kind kind = weir_file_detect(source->scene);
    if (json && (kind == WEIR_FILE_SCENE || kind == WEIR_FILE_PARTICLES)) {
        base_log(&log, WEIR_LOG_ERROR,
                 "%s: --json works only with meshes (obj, stl, gltf; ply, vtk and bgeo with faces)",
                 source->scene);
        return APP_WRONG_USE;
    }
    switch (kind) {
    case WEIR_FILE_PARTICLES: return check_particles(&log, source->scene);
    case WEIR_FILE_MESH: return check_mesh(&log, source->scene, json);
    case WEIR_FILE_SCENE:
        result = check_scene(source, quick, &fits);
        if (result == WEIR_ERROR_ARGUMENT) return APP_WRONG_USE;
        return result == WEIR_OK && fits ? APP_DONE : APP_FAILED;
    case WEIR_FILE_UNKNOWN: break;
    }
    if (base_path_is_file(source->scene)) return fail_unknown_kind(&log, source->scene);
    base_log(&log, WEIR_LOG_ERROR,
             base_path_is_folder(source->scene) ? "%s: is a folder; give a file in it"
                                                : "%s: no such file",
             source->scene);
    return APP_FAILED;
}

static const char about[] =
    "Reports all errors in a scene, or what its run needs: particles, device memory, disk space\n"
    "and time (from a short trial). For a file of particles or a mesh: its properties and\n"
    "problems.";

static const char details[] =
    "For particles it prints the count, fields, bounds and speeds. For a mesh (obj, stl, gltf;\n"
    "ply, vtk and bgeo with faces): whether it is closed, manifold and consistently wound, its "
    "holes\n"
    "and other problems, components and voids, volume, area, and triangle quality. Exit status 1:\n"
    "the scene has errors or does not fit this machine, the file cannot be read, or the mesh is\n"
    "not closed, manifold and consistently wound.";

int check_main(int argc, char **argv)
{
    app_scene_options source = {0};
    bool quick = false, json = false;
    const args_option options[] = {
        ARGS_OPTION("json", 0, FLAG, &json, NULL, "print a mesh's properties as JSON"),
        ARGS_OPTION("quick", 0, FLAG, &quick, NULL, "skip the trial run and the time estimate"),
        APP_SCENE_OPTIONS(source)};
    const args_command command = {
        .name = "check",
        .usage = "FILE [options]",
        .about = about,
        .details = details,
        .examples = "weir check scenes/dam_break.json\n"
                    "weir check scenes/dam_break.json --set spacing=0.005 --quick\n"
                    "weir check out/dam_break/particles/particles_0010.ply\n"
                    "weir check out/dam_break/mesh/surface_0010.obj --json",
        .options = options,
        .option_count = BASE_COUNT(options),
        .operand = &source.scene,
        .operand_needed = true,
    };
    args_result outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome;
    return check_file(&source, quick, json);
}

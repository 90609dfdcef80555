/* weir check: the time that a scene takes, from a trial with fewer, larger particles. */
#include "main_internal.h"
#include "weir/mesh.h"
#include "weir/render.h"

enum { TIMED_FRAMES = 3 };
/* Frames of a splash take longer than the first ones, whose times are measured. */
#define EASY_FACTOR 0.8
#define HARD_FACTOR 1.5
/* A picture of a trial has a quarter of the pixels of the default size. */
enum { TRIAL_WIDTH = 640, TRIAL_HEIGHT = 360, TRIAL_PIXELS_FACTOR = 4 };

/* Wall times of the trial. */
typedef struct trial_times {
    double least_s, most_s;   /* of a frame */
    double picture_s, mesh_s; /* of one of each; 0: not possible */
} trial_times;

/* Returns the maximum number of particles of a trial run: enough for a steady speed, few enough for
 * a few seconds. */
static double trial_particle_count(weir_device_kind kind)
{
    return kind == WEIR_DEVICE_CPU ? 1e4 : 3e5;
}

/* Times the frames after the first. */
static weir_result time_frames(weir_sim *sim, trial_times *times)
{
    for (int i = 0; i <= TIMED_FRAMES; ++i) {
        double start = base_time_s();
        WEIR_RETURN_IF_ERROR(weir_sim_step(sim, 0));
        WEIR_RETURN_IF_ERROR(weir_sim_wait(sim));
        double spent = base_time_s() - start;
        if (i == 0) continue; /* compiles pipelines */
        times->least_s = i == 1 ? spent : fmin(times->least_s, spent);
        times->most_s = fmax(times->most_s, spent);
    }
    return WEIR_OK;
}

/* Draws a picture twice, the first time to compile pipelines, and times the second. */
static weir_result time_picture(weir_device *device, const weir_scene *scene,
                                const weir_points *points, double *seconds)
{
    weir_result result;
    weir_renderer *renderer = NULL;
    weir_image *image = NULL;
    weir_renderer_def def = weir_renderer_def_default();
    weir_camera view = weir_camera_for_size(scene, 0, TRIAL_WIDTH, TRIAL_HEIGHT);
    view.samples = 2; /* as weir run --images */
    def.scene = scene;
    WEIR_GOTO_IF_ERROR(weir_renderer_create(device, &def, &renderer));
    for (int i = 0; i < 2; ++i) {
        uint32_t width, height;
        const uint8_t *pixels;
        double start = base_time_s();
        WEIR_GOTO_IF_ERROR(weir_render_points(renderer, points, &view, &image));
        WEIR_GOTO_IF_ERROR(weir_image_read(image, &width, &height, &pixels));
        *seconds = TRIAL_PIXELS_FACTOR * (base_time_s() - start);
    }
fail:
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
    return result;
}

/* The same for a mesh. */
static weir_result time_mesh(weir_device *device, const weir_points *points, double *seconds)
{
    weir_result result;
    weir_mesher *mesher = NULL;
    weir_mesh *mesh = NULL;
    WEIR_GOTO_IF_ERROR(weir_mesher_create(device, NULL, &mesher));
    for (int i = 0; i < 2; ++i) {
        double start = base_time_s();
        weir_mesh_destroy(&mesh);
        WEIR_GOTO_IF_ERROR(weir_mesher_run(mesher, points, &mesh));
        *seconds = base_time_s() - start;
    }
fail:
    weir_mesh_destroy(&mesh);
    weir_mesher_destroy(&mesher);
    return result;
}

/* Measures the trial. A device that cannot draw still gets the times of frames and meshes. */
static weir_result measure_trial(weir_device *device, const weir_scene *scene, weir_sim *sim,
                                 trial_times *times)
{
    weir_result result;
    weir_points *points = NULL;
    WEIR_GOTO_IF_ERROR(time_frames(sim, times));
    WEIR_GOTO_IF_ERROR(weir_sim_acquire_points(sim, &points));
    if (time_picture(device, scene, points, &times->picture_s) != WEIR_OK) times->picture_s = 0;
    if (time_mesh(device, points, &times->mesh_s) != WEIR_OK) times->mesh_s = 0;
fail:
    weir_points_release(&points);
    return result;
}

/* Runs a trial and scales its times to the scene's number of particles. */
static weir_result estimate_times(const app_scene_options *source, const weir_estimate *needs,
                                  weir_device *device, trial_times *times)
{
    weir_log silent = {0};
    weir_device_info info;
    weir_scene *scene = NULL, *coarse = NULL;
    weir_sim *sim = NULL;
    uint32_t count = 0;
    weir_device_get_info(device, &info);
    weir_result result = app_scene_load(source, &silent, 0, &scene);
    if (result != WEIR_OK) return result;
    double most = trial_particle_count(info.kind), first = (double)needs->particles;
    double spacing = first > most ? app_spacing_for(scene, needs, most) : 0;
    double mean = first + 0.5 * (double)needs->max_emitted;
    WEIR_GOTO_IF_ERROR(app_scene_load(source, &silent, spacing, &coarse));
    WEIR_GOTO_IF_ERROR(weir_sim_create(device, coarse, &sim));
    WEIR_GOTO_IF_ERROR(measure_trial(device, coarse, sim, times));
    WEIR_GOTO_IF_ERROR(weir_sim_get_particle_count(sim, &count));
    if (count == 0) result = WEIR_ERROR_UNSUPPORTED;
    double factor = count ? mean / count : 0;
    times->least_s *= EASY_FACTOR * factor;
    times->most_s *= HARD_FACTOR * factor;
    times->mesh_s *= factor;
fail:
    weir_sim_destroy(&sim);
    weir_scene_destroy(&coarse);
    weir_scene_destroy(&scene);
    return result;
}

static void print_more(const char *label, double each_s, double frames, const trial_times *times)
{
    char each[32], least[32], most[32];
    if (each_s <= 0) return;
    printf("%-19sabout %s more a frame: %s to %s in all\n", label, app_print_seconds(each, each_s),
           app_print_seconds(least, frames * (times->least_s + each_s)),
           app_print_seconds(most, frames * (times->most_s + each_s)));
}

void check_print_time(const app_scene_options *source, const weir_estimate *needs,
                      const weir_scene_info *scene, weir_device *device)
{
    char least[32], most[32], all_least[32], all_most[32];
    trial_times times = {0};
    const double frames = scene->frame_count;
    if (estimate_times(source, needs, device, &times) != WEIR_OK) {
        printf("time               unknown: no trial with larger particles is possible\n");
        return;
    }
    printf("time               %s to %s a frame, %s to %s in all, from a trial with fewer "
           "particles\n",
           app_print_seconds(least, times.least_s), app_print_seconds(most, times.most_s),
           app_print_seconds(all_least, frames * times.least_s),
           app_print_seconds(all_most, frames * times.most_s));
    print_more("with pictures", times.picture_s, frames, &times);
    print_more("with meshes", times.mesh_s, frames, &times);
}

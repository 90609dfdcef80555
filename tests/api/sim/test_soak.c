/* A long run and many pictures take no more memory and no more open files than at their start. The
   argument is the number of substeps, 3,000 by default. */
#define _XOPEN_SOURCE 700
#include "api_support.h"
#include "weir/profile.h"
#include "weir/render.h"

#include <dirent.h>
#include <unistd.h>

#define SKIPPED 77
#define SUBSTEPS_A_FRAME 2      /* in TINY_SCENE */
#define WARM_UP 4200u           /* substeps, timed: after these no more pass times are kept */
#define RUNS 3                  /* at most, of so many substeps */
#define ROOM_BYTES (128l << 10) /* by which a process may grow */
#define PICTURES 30u
#define PICTURE_ROOM_BYTES (2l << 20) /* by which it may grow in PICTURES of each mode */

static uint32_t substeps = 3000;

/* Returns the resident memory of the process, in bytes; 0 where the system does not report it. */
static long resident(void)
{
    long pages = 0, all = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    int read = fscanf(file, "%ld %ld", &all, &pages);
    fclose(file);
    return read == 2 ? pages * sysconf(_SC_PAGESIZE) : 0;
}

static int open_files(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* Runs like `weir run` without files. */
static void run(weir_sim *sim, uint32_t count)
{
    weir_stats stats;
    for (uint32_t s = 0; s < count; s += SUBSTEPS_A_FRAME) {
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
        assert_int_equal(weir_sim_get_stats(sim, &stats), WEIR_OK);
        assert_int_equal(stats.particle_count, 180);
    }
}

static void a_long_run_takes_no_more_memory_and_files(void **state)
{
    fixture *f = *state;
    /* Later, passes are timed where a frame takes much longer; on a busy machine this is often. */
    weir_device_set_pass_timing(f->device, true);
    run(f->sim, WARM_UP);
    weir_device_set_pass_timing(f->device, false);
    weir_device_info before, after;
    weir_device_get_info(f->device, &before);
    int files = open_files();
    long grown = 0;
    /* The driver may take its next upload buffer of 1 MiB in one of the runs; a leak is in all. */
    for (int runs = 0; runs < RUNS; runs++) {
        long bytes = resident();
        run(f->sim, substeps);
        grown = resident() - bytes;
        print_message("%u substeps: the process has grown by %ld KiB\n", substeps, grown / 1024);
        if (grown <= ROOM_BYTES) break;
    }
    assert_true(grown <= ROOM_BYTES);
    weir_device_get_info(f->device, &after);
    assert_int_equal(open_files(), files);
    assert_memory_equal(after.modules, before.modules, sizeof after.modules);
}

static void draw(weir_renderer *renderer, const weir_points *points, weir_camera *camera,
                 weir_image **image)
{
    for (uint32_t i = 0; i < PICTURES; i++) {
        camera->eye[0] += 0.001f; /* every picture has other parameters, as in a film */
        assert_int_equal(weir_render_points(renderer, points, camera, image), WEIR_OK);
    }
}

static void many_pictures_take_no_more_memory(void **state)
{
    fixture *f = *state;
    weir_renderer_def def = weir_renderer_def_default();
    weir_renderer *renderer = NULL;
    weir_points *points = NULL;
    weir_image *image = NULL;
    weir_camera camera = weir_camera_default(f->scene);
    def.scene = f->scene;
    camera.width = 64;
    camera.height = 36;
    assert_int_equal(weir_renderer_create(f->device, &def, &renderer), WEIR_OK);
    assert_int_equal(weir_sim_acquire_points(f->sim, &points), WEIR_OK);
    for (int m = 0; m < WEIR_RENDER_MODE_COUNT; m++) {
        camera.mode = (weir_render_mode)m;
        if (camera.mode == WEIR_RENDER_MODE_MESH) continue; /* draws meshes only */
        draw(renderer, points, &camera, &image);
        long bytes = resident();
        draw(renderer, points, &camera, &image);
        long grown = resident() - bytes;
        print_message("%u pictures of mode %s: the process has grown by %ld KiB\n", PICTURES,
                      weir_enum_name(WEIR_ENUM_RENDER_MODE, (uint32_t)m), grown / 1024);
        assert_true(grown <= PICTURE_ROOM_BYTES);
    }
    weir_image_destroy(&image);
    weir_points_release(&points);
    weir_renderer_destroy(&renderer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_long_run_takes_no_more_memory_and_files, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(many_pictures_take_no_more_memory, open_fixture,
                                        close_fixture),
    };
    if (resident() == 0) {
        printf("skipped: the system does not tell the memory of a process\n");
        return SKIPPED;
    }
    setenv("LP_NUM_THREADS", "0", 0); /* waking a CPU driver's threads costs more than the work */
    if (argc > 1) substeps = (uint32_t)atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A device as limited as MoltenVK's, simulated by the Vulkan layer tests/layers/like_metal.c. Weir
   simulates, meshes, draws and runs whitewater on it with the same bits. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"

#define METAL "VK_LAYER_PATH=$PWD VK_INSTANCE_LAYERS=VK_LAYER_WEIR_like_metal "

static const char pool_scene[] =
    "{\"name\": \"pool\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]},"
    " \"frame_rate\": 60, \"duration\": 0.2, \"spacing\": 0.05, \"whitewater\": {},"
    " \"solver\": {\"substeps\": 2, \"iterations\": 2},"
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}";

static const char manifest[] =
    "{\"file_format_version\": \"1.0.0\", \"layer\": {\"name\": \"VK_LAYER_WEIR_like_metal\","
    " \"type\": \"GLOBAL\", \"library_path\": \"" LIKE_METAL "\", \"api_version\": \"1.3.0\","
    " \"implementation_version\": \"1\", \"description\": \"a device like MoltenVK's\"}}";

static int open_scratch(void **state)
{
    if (make_scratch("/tmp/weir-metal-XXXXXX") != 0) return -1;
    write_scratch("pool.json", pool_scene);
    write_scratch("like_metal.json", manifest);
    return 0;
}

static void frames_meshes_and_pictures_have_the_same_bits(void **state)
{
#define RUN "$W run pool.json --frames 2 --mesh ply --images --size 64x48 --samples 1 -o "
    assert_status(RUN "rich", DONE);
    assert_status(METAL RUN "poor", DONE);
    if (strstr(said, "like_metal:")) fail_msg("%s", said);
    assert_status(
        "cd rich && for f in particles/*.ply mesh/*.ply; do cmp $f ../poor/$f || exit 1; done",
        DONE);
    assert_status("ls poor/images/*_0002.png", DONE);
}

static void other_solvers_run_too(void **state)
{
    static const char *const methods[] = {"flip", "pcisph", "wcsph"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        char command[256];
        snprintf(command, sizeof command,
                 METAL "$W run pool.json --set solver.method=%s --frames 1 -o %s", methods[i],
                 methods[i]);
        assert_status(command, DONE);
        if (strstr(said, "like_metal:")) fail_msg("%s", said);
    }
}

static void times_of_passes_are_not_made_up(void **state)
{
    assert_status(METAL "$W bench pool.json --substeps 4 --seconds 1", DONE);
    assert_said("the device has no timestamps, so there are no times per pass");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_meshes_and_pictures_have_the_same_bits),
        cmocka_unit_test(other_solvers_run_too),
        cmocka_unit_test(times_of_passes_are_not_made_up),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}

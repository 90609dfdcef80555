/* Fixture for tests of the public API: a log that is kept, a tiny scene, a scratch folder. */
#ifndef WEIR_TESTS_API_SUPPORT_H
#define WEIR_TESTS_API_SUPPORT_H

#include "base.h"

#include "api/kept_log.h"

/* 6 x 5 x 6 particles, 2 substeps per frame. */
#define TINY_SCENE                                                                     \
    "{\"name\": \"tiny\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}," \
    " \"frame_rate\": 60, \"duration\": 0.1, \"spacing\": 0.05,"                       \
    " \"solver\": {\"substeps\": 2, \"iterations\": 2},"                               \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"              \
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}"

static inline weir_result parse_scene(const char *text, weir_scene **scene)
{
    weir_scene_def def = weir_scene_def_default();
    def.log = kept_log();
    return weir_scene_parse(text, strlen(text), &def, scene);
}

typedef struct fixture {
    weir_device *device;
    weir_scene *scene;
    weir_sim *sim;
    char folder[64];
} fixture;

static inline void open_device(fixture *f)
{
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    assert_int_equal(weir_device_create(&def, &f->device), WEIR_OK);
}

static inline int open_fixture(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    strcpy(f->folder, "/tmp/weir-api-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    open_device(f);
    assert_int_equal(parse_scene(TINY_SCENE, &f->scene), WEIR_OK);
    assert_int_equal(weir_sim_create(f->device, f->scene, &f->sim), WEIR_OK);
    logged[0] = '\0';
    *state = f;
    return 0;
}

static inline int close_fixture(void **state)
{
    fixture *f = *state;
    char command[96];
    weir_sim_destroy(&f->sim);
    weir_scene_destroy(&f->scene);
    weir_device_destroy(&f->device);
    snprintf(command, sizeof command, "rm -rf %s", f->folder);
    int status = system(command);
    free(f);
    return status;
}

/* Replaces the fixture's scene, without a simulation. */
static inline void use_scene(fixture *f, const char *text)
{
    weir_sim_destroy(&f->sim);
    weir_scene_destroy(&f->scene);
    if (parse_scene(text, &f->scene) != WEIR_OK) fail_msg("%s", logged);
}

/* Replaces the fixture's scene and simulates it. */
static inline weir_sim *simulate_scene(fixture *f, const char *text)
{
    use_scene(f, text);
    if (weir_sim_create(f->device, f->scene, &f->sim) != WEIR_OK) fail_msg("%s", logged);
    return f->sim;
}

static inline uint64_t hash_of(weir_sim *sim)
{
    uint64_t hash;
    assert_int_equal(weir_sim_get_state_hash(sim, &hash), WEIR_OK);
    return hash;
}

#endif

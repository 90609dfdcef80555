#include "api_support.h"
#include "systems.h"

weir_result parse_scene(const char *text, weir_scene **scene)
{
    weir_scene_def def = weir_scene_def_default();
    def.log = kept_log();
    return weir_scene_parse(text, strlen(text), &def, scene);
}

void open_device(fixture *f)
{
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    assert_int_equal(weir_device_create(&def, &f->device), WEIR_OK);
}

int open_fixture(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    strcpy(f->folder, "/tmp/weir-api-XXXXXX");
    assert_true(make_test_folder(f->folder));
    open_device(f);
    assert_int_equal(parse_scene(TINY_SCENE, &f->scene), WEIR_OK);
    assert_int_equal(weir_sim_create(f->device, f->scene, &f->sim), WEIR_OK);
    logged[0] = '\0';
    *state = f;
    return 0;
}

int close_fixture(void **state)
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

void use_scene(fixture *f, const char *text)
{
    weir_sim_destroy(&f->sim);
    weir_scene_destroy(&f->scene);
    if (parse_scene(text, &f->scene) != WEIR_OK) fail_msg("%s", logged);
}

weir_sim *simulate_scene(fixture *f, const char *text)
{
    use_scene(f, text);
    if (weir_sim_create(f->device, f->scene, &f->sim) != WEIR_OK) fail_msg("%s", logged);
    return f->sim;
}

void step_frames(weir_sim *sim, int frames)
{
    for (int i = 0; i < frames; i++)
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
}

uint32_t count_of(weir_sim *sim)
{
    uint32_t count;
    assert_int_equal(weir_sim_get_particle_count(sim, &count), WEIR_OK);
    return count;
}

uint32_t read_particles(weir_sim *sim, float *positions, float *velocities, uint32_t most)
{
    const uint32_t count = count_of(sim);
    assert_true(count > 0 && count <= most);
    const size_t size = 3 * sizeof(float) * count;
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_POSITION, positions, size), WEIR_OK);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_VELOCITY, velocities, size), WEIR_OK);
    return count;
}

uint64_t hash_of(weir_sim *sim)
{
    uint64_t hash;
    assert_int_equal(weir_sim_get_state_hash(sim, &hash), WEIR_OK);
    return hash;
}

void write_box_mesh(const fixture *f, int number, vec3 low, vec3 high)
{
    static const int faces[12][3] = {{1, 3, 2}, {2, 3, 4}, {5, 6, 7}, {6, 8, 7},
                                     {1, 2, 5}, {2, 6, 5}, {3, 7, 4}, {4, 7, 8},
                                     {1, 5, 3}, {3, 5, 7}, {2, 4, 6}, {4, 8, 6}};
    char path[128];
    snprintf(path, sizeof path, "%s/box_%d.obj", f->folder, number);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int corner = 0; corner < 8; corner++)
        fprintf(file, "v %g %g %g\n", (double)(corner & 1 ? high.x : low.x),
                (double)(corner & 2 ? high.y : low.y), (double)(corner & 4 ? high.z : low.z));
    for (int i = 0; i < 12; i++)
        fprintf(file, "f %d %d %d\n", faces[i][0], faces[i][1], faces[i][2]);
    assert_int_equal(fclose(file), 0);
}

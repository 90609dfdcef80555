/* Output folders: names, rotated and scaled frames, statistics, run.json, resuming, errors of
   the writer. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "io.h"

#include <unistd.h>

static char *path_in(const fixture *f, const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    return path;
}

static weir_output_def output_def(const fixture *f)
{
    weir_output_def def = weir_output_def_default();
    def.log = kept_log();
    def.folder = f->folder;
    return def;
}

/* Writes frame 0 and `frames` more. */
static void write_frames(fixture *f, const weir_output_def *def, uint32_t frames)
{
    weir_output *output;
    assert_int_equal(weir_output_create(def, f->sim, &output), WEIR_OK);
    if (!def->resume) assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    for (uint32_t i = 0; i < frames; ++i) {
        assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
        assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    }
    assert_int_equal(weir_output_flush(output), WEIR_OK);
    weir_output_destroy(&output);
    assert_null(output);
}

static base_blob read_file(const char *path)
{
    base_blob blob = {0};
    assert_int_equal(base_file_read(NULL, path, 1 << 26, &blob), WEIR_OK);
    return blob;
}

static bool file_says(const char *path, const char *words)
{
    base_blob blob = read_file(path);
    base_text text = {0};
    assert_true(base_text_append_bytes(&text, blob.bytes, blob.size));
    bool says = strstr(text.items, words) != NULL;
    base_free(text.items);
    base_blob_free(&blob);
    return says;
}

static size_t count_lines(const char *path)
{
    base_blob blob = read_file(path);
    size_t lines = 0;
    for (size_t i = 0; i < blob.size; ++i)
        lines += blob.bytes[i] == '\n';
    base_blob_free(&blob);
    return lines;
}

static void frames_are_numbered_from_the_start_frame(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f);
    def.start_frame = 9998;
    write_frames(f, &def, 2);
    assert_true(base_path_is_file(path_in(f, "particles/particles_9998.ply")));
    assert_true(base_path_is_file(path_in(f, "particles/particles_9999.ply")));
    assert_true(base_path_is_file(path_in(f, "particles/particles_10000.ply")));
    assert_int_equal(count_lines(path_in(f, "stats.csv")), 1 + 3);
}

static void a_frame_holds_what_the_simulation_holds(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f);
    io_particles read = {0};
    static vec3 positions[180], velocities[180];
    write_frames(f, &def, 1);
    assert_int_equal(weir_sim_read_field(f->sim, WEIR_FIELD_POSITION, positions, sizeof positions),
                     WEIR_OK);
    assert_int_equal(
        weir_sim_read_field(f->sim, WEIR_FIELD_VELOCITY, velocities, sizeof velocities), WEIR_OK);
    assert_int_equal(io_particles_read(NULL, path_in(f, "particles/particles_0001.ply"), &read),
                     WEIR_OK);
    assert_int_equal(read.count, 180);
    assert_memory_equal(read.position, positions, sizeof positions);
    assert_memory_equal(read.velocity, velocities, sizeof velocities);
    assert_non_null(read.id);
    assert_null(read.density);
    io_particles_free(&read);
}

static void z_up_and_scale_turn_positions_and_velocities(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f);
    io_particles read = {0};
    static vec3 positions[180], velocities[180];
    def.y_up = false;
    def.scale = 2;
    write_frames(f, &def, 1);
    weir_sim_read_field(f->sim, WEIR_FIELD_POSITION, positions, sizeof positions);
    weir_sim_read_field(f->sim, WEIR_FIELD_VELOCITY, velocities, sizeof velocities);
    assert_int_equal(io_particles_read(NULL, path_in(f, "particles/particles_0001.ply"), &read),
                     WEIR_OK);
    for (uint32_t i = 0; i < read.count; ++i) {
        vec3 p = vec3_make(2 * positions[i].x, -2 * positions[i].z, 2 * positions[i].y);
        vec3 v = vec3_make(2 * velocities[i].x, -2 * velocities[i].z, 2 * velocities[i].y);
        assert_true(vec3_length(vec3_sub(read.position[i], p)) == 0);
        assert_true(vec3_length(vec3_sub(read.velocity[i], v)) == 0);
    }
    io_particles_free(&read);
}

static void only_the_wanted_frames_have_particles(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f);
    def.first_frame = 1;
    def.last_frame = 1;
    write_frames(f, &def, 2);
    assert_false(base_path_is_file(path_in(f, "particles/particles_0000.ply")));
    assert_true(base_path_is_file(path_in(f, "particles/particles_0001.ply")));
    assert_false(base_path_is_file(path_in(f, "particles/particles_0002.ply")));
    assert_int_equal(count_lines(path_in(f, "stats.csv")), 1 + 3);
}

static void the_series_names_every_frame(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f);
    def.particle_format = WEIR_PARTICLE_FORMAT_VTK;
    write_frames(f, &def, 2);
    const char *series = path_in(f, "particles/particles.vtk.series");
    assert_true(file_says(series, "particles_0000.vtk"));
    assert_true(file_says(series, "particles_0002.vtk"));
    assert_true(file_says(series, "0.0333"));
}

static void run_json_is_the_scene_again(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f);
    weir_scene_def scene_def = weir_scene_def_default();
    weir_scene *again;
    scene_def.log = kept_log();
    write_frames(f, &def, 0);
    assert_int_equal(weir_scene_load(path_in(f, "run.json"), &scene_def, &again), WEIR_OK);
    weir_scene_info first, second;
    weir_scene_get_info(f->scene, &first);
    weir_scene_get_info(again, &second);
    assert_string_equal(first.json, second.json);
    weir_scene_destroy(&again);
}

static void a_scene_from_run_json_takes_overrides(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f);
    weir_scene_def scene_def = weir_scene_def_default();
    weir_scene *again;
    weir_scene_info info;
    const char *set[] = {"solver.iterations=7"};
    scene_def.log = kept_log();
    scene_def.overrides = set;
    scene_def.override_count = 1;
    write_frames(f, &def, 0);
    assert_int_equal(weir_scene_load(path_in(f, "run.json"), &scene_def, &again), WEIR_OK);
    weir_scene_get_info(again, &info);
    assert_int_equal(info.iterations, 7);
    weir_scene_destroy(&again);
}

static void faults_in_run_json_keep_their_line_and_column(void **state)
{
    weir_scene *scene;
    const char *text = "{\n  \"weir\": \"0.1.0\",\n  \"scene\": {\n    \"spacin\": 0.1\n  }\n}\n";
    assert_int_equal(parse_scene(text, &scene), WEIR_ERROR_SCENE);
    assert_logged(":4:15: spacin");
}

static void output_settings_come_back_from_run_json(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f), read = output_def(f);
    def.particle_format = WEIR_PARTICLE_FORMAT_XYZ;
    def.fields = 1u << WEIR_FIELD_POSITION | 1u << WEIR_FIELD_DENSITY;
    def.start_frame = 12;
    def.first_frame = 1;
    def.last_frame = 40;
    def.y_up = false;
    def.scale = 0.1;
    write_frames(f, &def, 0);
    assert_int_equal(weir_output_def_read(path_in(f, "run.json"), &read), WEIR_OK);
    assert_int_equal(read.particle_format, def.particle_format);
    assert_int_equal(read.fields, def.fields);
    assert_int_equal(read.start_frame, 12);
    assert_int_equal(read.first_frame, 1);
    assert_int_equal(read.last_frame, 40);
    assert_false(read.y_up);
    assert_true(read.particles);
    assert_true(read.scale == 0.1);
}

static void a_plain_scene_leaves_the_output_settings_alone(void **state)
{
    fixture *f = *state;
    weir_output_def read = output_def(f), before = read;
    const char *path = path_in(f, "scene.json");
    assert_int_equal(base_file_write(NULL, path, TINY_SCENE, strlen(TINY_SCENE)), WEIR_OK);
    assert_int_equal(weir_output_def_read(path, &read), WEIR_OK);
    assert_memory_equal(&read, &before, sizeof read);
}

/* Every setting differs from its default, so that an omitted one would show. */
static void mesh_settings_come_back_from_run_json(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f), read = output_def(f);
    def.mesh = true;
    def.mesh_format = WEIR_MESH_FORMAT_BGEO;
    def.mesh_refine = false;
    def.mesh_snap_to_solids = true;
    weir_mesher_def *m = &def.mesher;
    m->field = WEIR_MESH_FIELD_COLOUR;
    m->cell_size = 0.7f;
    m->cell_size_m = 0.031f;
    m->search_radius = 3.1f;
    m->particle_radius = 0.8f;
    m->iso_value = 0.55f;
    m->asymptotic_decider = true;
    m->sheet_damping = false;
    m->normals = WEIR_MESH_NORMALS_FACES;
    m->velocity = false;
    m->attributes = true;
    m->spray_neighbours = 4;
    weir_mesh_refine_def *r = &def.refine;
    r->remove_slivers = false;
    r->smooth_method = WEIR_MESH_SMOOTHING_TAUBIN;
    r->smooth_iterations = 3;
    r->smooth_strength = 0.4f;
    r->smooth_neighbours = 9;
    r->min_component_triangles = 20;
    r->min_component_volume_m3 = 1e-7;
    r->remove_voids = true;
    r->decimate_ratio = 0.75;
    r->max_triangles = 1000;
    r->decimate_error_m = 0.001f;
    r->snap_distance_m = 0.02f;
    r->snap_offset_m = -0.001f;
    r->normals = WEIR_MESH_NORMALS_NONE;
    r->normal_smooth_iterations = 2;
    r->clamp_to_box = true;
    r->clamp_min[1] = -0.3f;
    r->clamp_max[2] = 0.7f;
    write_frames(f, &def, 1);
    assert_int_equal(weir_output_def_read(path_in(f, "run.json"), &read), WEIR_OK);
    assert_true(read.mesh && !read.mesh_refine && read.mesh_snap_to_solids);
    assert_int_equal(read.mesh_format, def.mesh_format);
    const weir_mesher_def *n = &read.mesher;
    const weir_mesh_refine_def *q = &read.refine;
    assert_true(n->field == m->field && n->cell_size == m->cell_size &&
                n->cell_size_m == m->cell_size_m);
    assert_true(n->search_radius == m->search_radius && n->particle_radius == m->particle_radius &&
                n->iso_value == m->iso_value);
    assert_true(n->asymptotic_decider && !n->sheet_damping && n->normals == m->normals &&
                !n->velocity);
    assert_true(n->attributes && n->spray_neighbours == m->spray_neighbours);
    assert_true(!q->remove_slivers && q->smooth_method == r->smooth_method &&
                q->smooth_iterations == 3);
    assert_true(q->smooth_strength == r->smooth_strength && q->smooth_neighbours == 9);
    assert_true(q->min_component_triangles == 20 && q->min_component_volume_m3 == 1e-7 &&
                q->remove_voids);
    assert_true(q->decimate_ratio == 0.75 && q->max_triangles == 1000);
    assert_true(q->decimate_error_m == r->decimate_error_m &&
                q->snap_distance_m == r->snap_distance_m);
    assert_true(q->snap_offset_m == r->snap_offset_m && q->normals == r->normals);
    assert_int_equal(q->normal_smooth_iterations, 2);
    assert_true(q->clamp_to_box && q->clamp_min[1] == -0.3f && q->clamp_max[2] == 0.7f);
    assert_true(base_path_is_file(path_in(f, "mesh/surface_0001.bgeo")));
    assert_true(base_path_is_file(path_in(f, "mesh/spray_0001.bgeo")));
}

static void mesh_settings_are_set_by_name(void **state)
{
    static const char *const wrong[][2] = {
        {"iso_vale=0.5", "meshes have no setting \"iso_vale\"; did you mean \"iso_value\"?"},
        {"cell=2", "meshes have no setting \"cell\"; did you mean \"cell_size\"?"},
        {"colour=red", "docs/meshing.md lists the settings"},
        {"iso_value", "expected KEY=VALUE"},
        {"iso_value=high", "iso_value is \"high\", expected a number"},
        {"max_triangles=-1", "is \"-1\", expected a whole number"},
        {"sheet_damping=1", "is \"1\", expected true or false"},
        {"clamp_min=[0,1]", "expected three numbers"},
        {"smooth_method=gauss", "is \"gauss\", expected none, taubin or laplace"},
        {"normals=up", "is \"up\", expected field, faces or none"},
        {"field=sph", "is \"sph\", expected zhu-bridson, colour or anisotropic"},
    };
    fixture *f = *state;
    weir_output_def def = output_def(f);
    assert_int_equal(weir_output_def_set_mesh(&def, "iso_value=0.5"), WEIR_OK);
    assert_int_equal(weir_output_def_set_mesh(&def, "sheet_damping=false"), WEIR_OK);
    assert_int_equal(weir_output_def_set_mesh(&def, "smooth_method=taubin"), WEIR_OK);
    assert_int_equal(weir_output_def_set_mesh(&def, "max_triangles=70"), WEIR_OK);
    assert_int_equal(weir_output_def_set_mesh(&def, "clamp_min=[0,-1,2.5]"), WEIR_OK);
    assert_true(def.mesher.iso_value == 0.5f && !def.mesher.sheet_damping);
    assert_int_equal(def.refine.smooth_method, WEIR_MESH_SMOOTHING_TAUBIN);
    assert_int_equal(def.refine.max_triangles, 70);
    assert_true(def.refine.clamp_min[1] == -1 && def.refine.clamp_min[2] == 2.5f);
    for (size_t i = 0; i < BASE_COUNT(wrong); ++i) {
        assert_int_equal(weir_output_def_set_mesh(&def, wrong[i][0]), WEIR_ERROR_ARGUMENT);
        assert_logged(wrong[i][1]);
    }
    assert_int_equal(weir_output_def_set_mesh(&def, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_output_def_set_mesh(NULL, "iso_value=1"), WEIR_ERROR_ARGUMENT);
}

/* jansson uses one number of digits for a whole text. */
static void numbers_of_run_json_are_short_and_read_back_the_same(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f), read = output_def(f);
    static const double scales[] = {0.1, 1.0 / 3.0, 1e-300, 123456789.125, 2.0};
    def.mesh = true;
    def.mesher.cell_size = 0.7f;
    def.mesher.iso_value = 1.0f / 3.0f;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i) {
        def.scale = scales[i];
        write_frames(f, &def, 0);
        assert_int_equal(weir_output_def_read(path_in(f, "run.json"), &read), WEIR_OK);
        assert_true(read.scale == scales[i]);
        assert_true(read.mesher.cell_size == 0.7f && read.mesher.iso_value == 1.0f / 3.0f);
        if (i > 0) continue;
        assert_true(file_says(path_in(f, "run.json"), "\"scale\": 0.1,\n"));
        assert_true(file_says(path_in(f, "run.json"), "\"cell_size\": 0.7,\n"));
        assert_true(file_says(path_in(f, "run.json"), "\"iso_value\": 0.33333334,\n"));
    }
}

static void a_broken_mesh_setting_is_named(void **state)
{
    static const char *const cases[][2] = {
        {"{\"format\": \"stl\"}", "output.mesh.format is missing or has no valid value"},
        {"{\"format\": \"obj\"}", "output.mesh.field is missing"},
        {"{\"format\": \"obj\", \"field\": \"colour\", \"cell_size\": 1e99}",
         "output.mesh.cell_size is"},
        {"7", "output.mesh.format is missing"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < BASE_COUNT(cases); ++i) {
        weir_output_def read = output_def(f);
        char text[512];
        snprintf(text, sizeof text,
                 "{\"scene\": {}, \"output\": {\"particles\": true, \"format\": \"ply\", "
                 "\"fields\": [], \"start_frame\": 0, \"first_frame\": 0, \"gauges\": \"frame\", "
                 "\"up\": \"y\", \"scale\": 1, \"mesh\": %s}}",
                 cases[i][0]);
        const char *path = path_in(f, "run.json");
        assert_int_equal(base_file_write(NULL, path, text, strlen(text)), WEIR_OK);
        assert_int_equal(weir_output_def_read(path, &read), WEIR_ERROR_IO);
        assert_logged(cases[i][1]);
        assert_false(read.mesh);
    }
}

static void a_broken_run_json_names_the_setting(void **state)
{
    fixture *f = *state;
    weir_output_def read = output_def(f);
    const char *path = path_in(f, "run.json");
    const char *text = "{\"scene\": {}, \"output\": {\"particles\": true, \"format\": \"ply\","
                       " \"fields\": [\"speed\"]}}";
    assert_int_equal(base_file_write(NULL, path, text, strlen(text)), WEIR_OK);
    assert_int_equal(weir_output_def_read(path, &read), WEIR_ERROR_IO);
    assert_logged("output.fields");
}

static void a_resumed_run_has_each_row_once(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f);
    def.particle_format = WEIR_PARTICLE_FORMAT_VTK;
    char checkpoint[256];
    snprintf(checkpoint, sizeof checkpoint, "%s", path_in(f, "state.weir"));
    write_frames(f, &def, 1);
    assert_int_equal(weir_sim_save(f->sim, checkpoint), WEIR_OK);
    weir_sim_destroy(&f->sim);

    /* Lines that the interrupted run wrote after its checkpoint; the last one is truncated. */
    const char *more = "2,0.5,lost\n3,0.6";
    assert_int_equal(base_file_append(NULL, path_in(f, "stats.csv"), more, strlen(more)), WEIR_OK);
    assert_int_equal(weir_sim_create(f->device, f->scene, &f->sim), WEIR_OK);
    assert_int_equal(weir_sim_restore(f->sim, checkpoint), WEIR_OK);
    def.resume = true;
    write_frames(f, &def, 2);
    assert_int_equal(count_lines(path_in(f, "stats.csv")), 1 + 4);
    base_blob stats = read_file(path_in(f, "stats.csv"));
    base_text text = {0};
    base_text_append_bytes(&text, stats.bytes, stats.size);
    assert_null(strstr(text.items, "lost"));
    assert_non_null(strstr(text.items, "\n0,0,"));
    assert_non_null(strstr(text.items, "\n3,0.05,"));
    base_free(text.items);
    base_blob_free(&stats);
    assert_int_equal(count_lines(path_in(f, "particles/particles.vtk.series")) > 0, 1);
    stats = read_file(path_in(f, "particles/particles.vtk.series"));
    text = (base_text){0};
    base_text_append_bytes(&text, stats.bytes, stats.size);
    assert_non_null(strstr(text.items, "particles_0000.vtk"));
    assert_non_null(strstr(text.items, "particles_0003.vtk"));
    base_free(text.items);
    base_blob_free(&stats);
}

static void an_error_of_the_writer_surfaces(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f);
    weir_output *output;
    assert_int_equal(weir_output_create(&def, f->sim, &output), WEIR_OK);
    assert_int_equal(rmdir(path_in(f, "particles")), 0);
    assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    assert_int_equal(weir_output_flush(output), WEIR_ERROR_IO);
    assert_int_equal(weir_output_write_frame(output), WEIR_ERROR_IO);
    assert_logged("particles_0000.ply");
    weir_output_destroy(&output);
}

static void a_frame_that_could_not_be_written_is_tried_again(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f);
    weir_output *output;
    char away[256];
    def.y_up = false; /* must not rotate the particles twice */
    write_frames(f, &def, 1);
    base_blob first = read_file(path_in(f, "particles/particles_0001.ply"));
    assert_int_equal(weir_output_create(&def, f->sim, &output), WEIR_OK);
    snprintf(away, sizeof away, "%s", path_in(f, "away"));
    assert_int_equal(rename(path_in(f, "particles"), away), 0);
    assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    assert_int_equal(weir_output_flush(output), WEIR_ERROR_IO);
    assert_int_equal(rename(away, path_in(f, "particles")), 0);
    assert_int_equal(unlink(path_in(f, "particles/particles_0001.ply")), 0);
    assert_int_equal(weir_output_flush(output), WEIR_OK);
    weir_output_destroy(&output);
    base_blob again = read_file(path_in(f, "particles/particles_0001.ply"));
    assert_int_equal(first.size, again.size);
    assert_memory_equal(first.bytes, again.bytes, first.size);
    base_blob_free(&first);
    base_blob_free(&again);
    assert_int_equal(count_lines(path_in(f, "stats.csv")), 1 + 1);
}

static void an_output_folder_that_is_a_file_is_refused(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f);
    weir_output *output = (weir_output *)f;
    const char *path = path_in(f, "file");
    assert_int_equal(base_file_write(NULL, path, "x", 1), WEIR_OK);
    def.folder = path;
    assert_int_equal(weir_output_create(&def, f->sim, &output), WEIR_ERROR_IO);
    assert_null(output);
}

static void destroying_an_output_writes_what_is_queued(void **state)
{
    fixture *f = *state;
    weir_output_def def = output_def(f);
    weir_output *output;
    assert_int_equal(weir_output_create(&def, f->sim, &output), WEIR_OK);
    assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    weir_output_destroy(&output);
    assert_true(base_path_is_file(path_in(f, "particles/particles_0000.ply")));
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(frames_are_numbered_from_the_start_frame),
        WITH_FIXTURE(a_frame_holds_what_the_simulation_holds),
        WITH_FIXTURE(z_up_and_scale_turn_positions_and_velocities),
        WITH_FIXTURE(only_the_wanted_frames_have_particles),
        WITH_FIXTURE(the_series_names_every_frame),
        WITH_FIXTURE(run_json_is_the_scene_again),
        WITH_FIXTURE(a_scene_from_run_json_takes_overrides),
        cmocka_unit_test(faults_in_run_json_keep_their_line_and_column),
        WITH_FIXTURE(output_settings_come_back_from_run_json),
        WITH_FIXTURE(a_plain_scene_leaves_the_output_settings_alone),
        WITH_FIXTURE(mesh_settings_come_back_from_run_json),
        WITH_FIXTURE(mesh_settings_are_set_by_name),
        WITH_FIXTURE(numbers_of_run_json_are_short_and_read_back_the_same),
        WITH_FIXTURE(a_broken_mesh_setting_is_named),
        WITH_FIXTURE(a_broken_run_json_names_the_setting),
        WITH_FIXTURE(a_resumed_run_has_each_row_once),
        WITH_FIXTURE(an_error_of_the_writer_surfaces),
        WITH_FIXTURE(a_frame_that_could_not_be_written_is_tried_again),
        WITH_FIXTURE(an_output_folder_that_is_a_file_is_refused),
        WITH_FIXTURE(destroying_an_output_writes_what_is_queued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The built program from a user's view: help, typing errors, exit statuses, runs, resuming,
   repeating. WEIR_PROGRAM is its path. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"
#include "io.h"
#include "scene_text.h"

#include <signal.h>
#include <unistd.h>

static int open_scratch(void **state)
{
    if (make_scratch("/tmp/weir-cli-XXXXXX") != 0) return -1;
    write_scratch("tiny.json", scene_text("cli_tiny"));
    return 0;
}

/* ---- help and misuse ------------------------------------------------------------------------ */

static void every_command_has_help_with_an_example(void **state)
{
    static const char *const names[] = {"run", "info", "check", "explain", "bench", "report"};
    char command[64];
    assert_status("$W --help", DONE);
    for (size_t i = 0; i < BASE_COUNT(names); ++i)
        assert_said(names[i]);
    for (size_t i = 0; i < BASE_COUNT(names); ++i) {
        snprintf(command, sizeof command, "$W %s --help", names[i]);
        assert_status(command, DONE);
        assert_said("Examples:\n  weir ");
        snprintf(command, sizeof command, "$W help %s", names[i]);
        assert_status(command, DONE);
        assert_said("Examples:\n  weir ");
        assert_said(names[i]);
    }
}

static void the_version_is_printed(void **state)
{
    char expected[32];
    snprintf(expected, sizeof expected, "weir %d.%d.%d\n", WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR,
             WEIR_VERSION_PATCH);
    assert_status("$W --version", DONE);
    assert_said(expected);
}

static void wrong_use_is_status_2_and_names_what_was_meant(void **state)
{
    static const struct {
        const char *command, *words;
    } cases[] = {
        {"$W", "Commands:"},
        {"$W rnu", "\"run\""},
        {"$W --hepl", "\"help\""},
        {"$W help chekc", "\"check\""},
        {"$W run --frmaes 3", "\"frames\""},
        {"$W run --particles plly", "\"ply\""},
        {"$W run --fields velocity,densty", "\"density\""},
        {"$W run --up x", "y, z"},
        {"$W run --frames 9:3", "range of frames"},
        {"$W run --scale -1", "number above 0"},
        {"$W run --checkpoint-interval often", "whole number"},
        {"$W run --set spacing", "KEY=VALUE"},
        {"$W run --output", "needs a value"},
        {"$W run --force=yes", "takes no value"},
        {"$W run --resume=yes", "--resume accepts auto"},
        {"$W run --resume", "-o DIR"},
        {"$W run a.json b.json", "b.json"},
        {"$W check", "file is missing"},
        {"$W info --device nonesuch", "nonesuch"},
    };
    for (size_t i = 0; i < BASE_COUNT(cases); ++i) {
        assert_status(cases[i].command, WRONG_USE);
        assert_said(cases[i].words);
    }
}

static void missing_and_broken_files_are_status_1(void **state)
{
    assert_status("$W run nosuch.json -o out", FAILED);
    assert_said("nosuch.json");
    assert_status("$W check nosuch.ply", FAILED);
    assert_said("nosuch.ply");
    write_scratch("broken.ply", "ply\nformat ascii 1.0\nelement vertex 1\nend_header\n");
    assert_status("$W check broken.ply", FAILED);
    assert_said("broken.ply");
    write_scratch("notes.txt", "hello");
    assert_status("$W check notes.txt", FAILED);
    assert_said("unknown file extension");
}

static void a_typing_error_in_a_scene_names_line_and_key(void **state)
{
    write_scratch("typo.json", "{\n  \"spacing\": 0.05,\n  \"gravty\": [0, -1, 0]\n}\n");
    assert_status("$W check typo.json", FAILED);
    assert_said("typo.json:3:");
    assert_said("\"gravity\"");
    assert_said("domain");
    assert_status("$W run tiny.json -o out --set solver.iteratons=3", FAILED);
    assert_said("\"iterations\"");
}

/* ---- runs ----------------------------------------------------------------------------------- */

static void read_frame(const char *name, uint32_t count)
{
    char path[192];
    io_particles particles = {0};
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    assert_int_equal(io_particles_read(NULL, path, &particles), WEIR_OK);
    assert_int_equal(particles.count, count);
    io_particles_free(&particles);
}

static void a_run_writes_frames_that_read_back(void **state)
{
    assert_status("$W run tiny.json -o ply --frames 3", DONE);
    assert_said("frames 0 to 3");
    assert_said("state ");
    read_frame("ply/particles/particles_0000.ply", 180);
    read_frame("ply/particles/particles_0003.ply", 180);
    assert_status("test -e ply/particles/particles_0004.ply", 1);
    assert_status("$W run tiny.json -o vtk --frames 1 --particles vtk --fields velocity,density",
                  DONE);
    read_frame("vtk/particles/particles_0001.vtk", 180);
    assert_status("grep -q particles_0001.vtk vtk/particles/particles.vtk.series", 0);
    assert_status("$W run tiny.json -o bgeo --frames 1 --particles=bgeo", DONE);
    read_frame("bgeo/particles/particles_0001.bgeo", 180);
    assert_status("$W run tiny.json -o xyz --frames 1 --particles xyz", DONE);
    read_frame("xyz/particles/particles_0001.xyz", 180);
    assert_status("$W run tiny.json -o npy --frames 1 --particles npy", DONE);
    assert_status("head -c 6 npy/particles/particles_0001.npy | grep -q NUMPY", 0);
    assert_status("$W run tiny.json -o raw --frames 1 --particles raw", DONE);
    read_frame("raw/particles/particles_0001.raw", 180);
    assert_status("test $(wc -c < raw/particles/particles_0001.raw) = 2160", 0);
}

static void fields_that_raw_files_cannot_hold_are_refused(void **state)
{
    assert_status("$W run tiny.json -o rawest --particles raw --fields velocity", WRONG_USE);
    assert_said("raw files store only positions");
    assert_status("test -e rawest", 1);
}

static void statistics_have_a_row_per_frame(void **state)
{
    assert_status("$W run tiny.json -o rows --particles none", DONE);
    assert_status("test -d rows/particles", 1);
    assert_status("wc -l < rows/stats.csv", 0);
    assert_int_equal(atoi(said), 1 + 7);
    assert_status("tail -n 1 rows/stats.csv | cut -d , -f 1,5", 0);
    assert_string_equal(said, "6,180\n");
}

/* The pool is 0.25 m deep and holds about 22.5 kg on a lattice at rest density. */
static void the_first_row_of_statistics_is_that_of_the_fill(void **state)
{
    assert_status("$W run tiny.json -o start --frames 1 --particles none -q && "
                  "sed -n 2p start/stats.csv | cut -d , -f 1,2,5-7,12-22",
                  0);
    double error[2], neighbours, most, energy, centre[3];
    assert_int_equal(sscanf(said, "0,0,180,%lf,%lf,%lf,%lf,0,0,%lf,0,0,0,%lf,%lf,%lf", &error[0],
                            &error[1], &neighbours, &most, &energy, &centre[0], &centre[1],
                            &centre[2]),
                     8);
    assert_true(error[0] < 1e-3 && error[1] < 5e-3 && neighbours > 10 && most == 32);
    assert_true(fabs(energy / (22.5 * 9.81 * 0.125) - 1) < 0.05);
    assert_true(fabs(centre[0] - 0.15) < 1e-6 && fabs(centre[1] - 0.125) < 1e-6);
    assert_true(fabs(centre[2] - 0.15) < 1e-6);
}

static void frames_are_numbered_and_chosen(void **state)
{
    assert_status("$W run tiny.json -o chosen --frames 2:3 --start-frame 101", DONE);
    assert_status("ls chosen/particles", 0);
    assert_string_equal(said, "particles_0103.ply\nparticles_0104.ply\n");
}

static void set_changes_the_scene(void **state)
{
    assert_status("$W run tiny.json -o set --frames 0 --set spacing=0.1", DONE);
    assert_status("grep -q '\"spacing\": 0.1' set/run.json", 0);
    assert_status("$W run tiny.json -o seconds --seconds 0.05 --particles none", DONE);
    assert_said("frames 0 to 3");
}

static void a_run_json_repeats_the_run(void **state)
{
    assert_status("$W run tiny.json -o first --frames 1:4 --up z --scale 2 --particles npy "
                  "--fields velocity,density --set solver.iterations=3 -q",
                  DONE);
    assert_status("$W run first/run.json -o again -q", DONE);
    assert_status("diff -r first/particles again/particles && cmp first/run.json again/run.json",
                  DONE);
}

static void two_runs_write_the_same_bytes(void **state)
{
    assert_status("$W run tiny.json -o one -q && $W run tiny.json -o two -q", DONE);
    assert_status("diff -r one/particles two/particles", DONE);
}

static void a_resumed_run_writes_the_bytes_of_an_uninterrupted_one(void **state)
{
    assert_status("$W run tiny.json -o whole", DONE);
    assert_status("$W run tiny.json -o whole --force && cp said whole.txt", DONE);
    assert_status("$W run tiny.json -o parts --checkpoint-interval 2", DONE);
    assert_status("ls parts/checkpoint", 0);
    assert_string_equal(said, "checkpoint_0004.weir\ncheckpoint_0006.weir\n");
    /* Imitates a run that was killed while it wrote frame 5: the newest checkpoint is that of
       frame 4. */
    assert_status("cd parts && rm checkpoint/checkpoint_0006.weir particles/particles_0006.ply "
                  "&& head -c 40 particles/particles_0003.ply > particles/particles_0005.ply",
                  0);
    assert_status("$W run -o parts --resume && cp said parts.txt", DONE);
    assert_said("checkpoint_0004.weir");
    assert_status("diff -r whole/particles parts/particles", 0);
    assert_status("cut -d , -f 1-8 whole/stats.csv > a; cut -d , -f 1-8 parts/stats.csv | cmp - a",
                  0);
    assert_status("grep ^state whole.txt > a; grep ^state parts.txt | cmp - a", 0);
}

/* The run's folder does not record the options of pictures. */
static void a_resumed_run_names_the_pictures_that_it_does_not_draw(void **state)
{
    assert_status("$W run tiny.json -o drawn --images --size 64x64 --checkpoint-interval 2 "
                  "&& rm drawn/checkpoint/checkpoint_0006.weir",
                  DONE);
    assert_status("$W run -o drawn --resume", DONE);
    assert_said("drawn/images has pictures of earlier frames");
    assert_status("rm drawn/checkpoint/checkpoint_0006.weir; "
                  "$W run -o drawn --resume --images --size 64x64",
                  DONE);
    assert_null(strstr(said, "has pictures of earlier frames"));
}

static void a_broken_checkpoint_gives_way_to_the_one_before(void **state)
{
    assert_status("$W run tiny.json -o torn --checkpoint-interval 2 -q", DONE);
    assert_status("cd torn/checkpoint && head -c 100 checkpoint_0006.weir > t && "
                  "mv t checkpoint_0006.weir",
                  0);
    assert_status("$W run -o torn --resume", DONE);
    assert_said("continuing from torn/checkpoint/checkpoint_0004.weir");
}

static void a_checkpoint_of_another_scene_is_refused(void **state)
{
    assert_status("$W run tiny.json -o other --checkpoint-interval 2 -q", DONE);
    assert_status("$W run tiny.json -o other --resume --set spacing=0.1", WRONG_USE);
    assert_status("$W run tiny.json -o nothing --resume", FAILED);
    assert_said("no checkpoint");
}

static void an_old_run_is_not_overwritten_unasked(void **state)
{
    assert_status("$W run tiny.json -o old -q", DONE);
    assert_status("$W run tiny.json -o old -q --frames 1", WRONG_USE);
    assert_said("--force");
    assert_said("--resume");
    assert_status("touch old/mine && $W run tiny.json -o old -q --frames 1 --force", DONE);
    assert_status("ls old/particles", 0);
    assert_string_equal(said, "particles_0000.ply\nparticles_0001.ply\n");
    assert_status("test -e old/mine", 0);
    assert_status("$W run tiny.json --frames 1 && $W run tiny.json --frames 1", DONE);
    assert_status("ls out", 0);
    assert_string_equal(said, "tiny_pool\ntiny_pool-2\n");
}

static void an_interrupt_leaves_a_run_that_can_go_on(void **state)
{
    assert_status("$W run tiny.json -o stop --seconds 20 > log 2>&1 & pid=$!; "
                  "while ! test -e stop/particles/particles_0003.ply; do sleep 0.05; done; "
                  "kill -INT $pid; wait $pid; status=$?; cat log; exit $status",
                  STOPPED);
    assert_said("weir run -o stop --resume");
    assert_status("ls stop/checkpoint | wc -l", 0);
    assert_int_equal(atoi(said), 1);
}

/* ---- the other commands --------------------------------------------------------------------- */

static void check_says_what_a_scene_needs(void **state)
{
    assert_status("$W check tiny.json", DONE);
    assert_said("no errors");
    assert_said("particles          180");
    assert_said("device memory");
    assert_said("disk");
    assert_said("time");
}

static void check_measures_files(void **state)
{
    assert_status("$W run tiny.json -o measured --frames 1 -q && "
                  "$W check measured/particles/particles_0001.ply",
                  DONE);
    assert_said("particles          180");
    assert_said("position velocity id");
    write_scratch("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
}

/* The same particles, with one wall particle more in the CSV file. */
static void a_csv_file_runs_as_the_ply_file_of_its_particles(void **state)
{
    static const char scene[] =
        "{\"name\": \"two\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]},"
        " \"frame_rate\": 60, \"spacing\": 0.05, \"solver\": {\"substeps\": 2},"
        " \"fluids\": [{\"name\": \"water\", \"fill\": {\"file\": \"two.KIND\"}}]}\n";
    write_scratch("two.KIND", scene);
    write_scratch("two.csv", "Pos.x;Pos.y;Pos.z;Vel.x;Vel.y;Vel.z;Type;\n"
                             "0.125;0.25;0.125;1;0;0;3;\n9;9;9;0;0;0;1;\n"
                             "0.25;0.25;0.125;-1;0;0.5;3;\n");
    write_scratch("two.ply", "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\n"
                             "property float y\nproperty float z\nproperty float vx\n"
                             "property float vy\nproperty float vz\nend_header\n"
                             "0.125 0.25 0.125 1 0 0\n0.25 0.25 0.125 -1 0 0.5\n");
    assert_status("for k in csv ply; do sed s/KIND/$k/ two.KIND > two_$k.json && "
                  "$W check two_$k.json && "
                  "$W run two_$k.json -o from_$k --frames 2 -q || exit 3; done; "
                  "cmp from_csv/particles/particles_0002.ply from_ply/particles/particles_0002.ply",
                  DONE);
    assert_said("particles          2\n");
    read_frame("from_csv/particles/particles_0002.ply", 2);
}

static void check_measures_meshes_and_fails_unless_they_are_closed(void **state)
{
    write_scratch("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_status("$W check one.obj", FAILED);
    assert_said("triangles          1\n");
    assert_said("boundary edges     3");
    assert_said("closed             NO");
    assert_status("$W check one.obj --json", FAILED);
    assert_said("\"boundary_edges\": 3,");
    const char *tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
    char text[160];
    snprintf(text, sizeof text, "%sf 2 3 4\n", tetrahedron);
    write_scratch("four.obj", text);
    assert_status("$W check four.obj --json", DONE);
    assert_said("\"closed\": true");
    assert_said("\"euler\": 2");
    assert_said("\"quality_mean\": 0.");
    snprintf(text, sizeof text, "%sf 4 3 2\n", tetrahedron);
    write_scratch("turned.obj", text);
    assert_status("$W check turned.obj", FAILED);
    assert_said("consistently wound NO");
    write_scratch("points.xyz", "0 0 0\n");
    assert_status("$W check points.xyz --json", WRONG_USE);
}

static void info_names_the_device_that_will_be_used(void **state)
{
    assert_status("$W info", DONE);
    assert_said("will be used: ");
    assert_said("storage range");
}

/* Of the drivers that tests use, lavapipe before Mesa 26 is slower than it need be. */
static void info_names_a_faster_driver_than_an_old_lavapipe(void **state)
{
    const char *old = "grep -q 'driver *llvmpipe Mesa \\(1.\\|2[0-5]\\)\\.' info.txt";
    const char *line = "grep -q 'a faster one exists: lavapipe of Mesa 26' info.txt";
    char command[256];
    assert_status("$W info > info.txt", DONE);
    snprintf(command, sizeof command, "if %s; then %s; else ! %s; fi", old, line, line);
    assert_status(command, DONE);
}

static void explain_lists_the_passes(void **state)
{
    assert_status("$W explain tiny.json", DONE);
    assert_said("constraint solve:");
    assert_said("lambda");
}

static void bench_reports_passes_and_rates(void **state)
{
    assert_status("$W bench tiny.json --substeps 4 --csv bench.csv", DONE);
    assert_said("particle-iterations");
    assert_said("lambda");
    assert_status("head -n 1 bench.csv", 0);
    assert_said("pass,group,calls,median_ms");
    assert_status("grep -q lambda bench.csv", 0);
}

static void validation_has_nothing_to_say(void **state)
{
    write_layer_settings();
    assert_status("VK_LAYER_SETTINGS_PATH=$PWD $W run tiny.json -o valid --frames 2 --validation",
                  DONE);
    assert_status("VK_LAYER_SETTINGS_PATH=$PWD $W run tiny.json -o flip --frames 1 --validation "
                  "--set solver.method=flip",
                  DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_has_help_with_an_example),
        cmocka_unit_test(the_version_is_printed),
        cmocka_unit_test(wrong_use_is_status_2_and_names_what_was_meant),
        cmocka_unit_test(missing_and_broken_files_are_status_1),
        cmocka_unit_test(a_typing_error_in_a_scene_names_line_and_key),
        cmocka_unit_test(a_run_writes_frames_that_read_back),
        cmocka_unit_test(fields_that_raw_files_cannot_hold_are_refused),
        cmocka_unit_test(statistics_have_a_row_per_frame),
        cmocka_unit_test(the_first_row_of_statistics_is_that_of_the_fill),
        cmocka_unit_test(frames_are_numbered_and_chosen),
        cmocka_unit_test(set_changes_the_scene),
        cmocka_unit_test(a_run_json_repeats_the_run),
        cmocka_unit_test(two_runs_write_the_same_bytes),
        cmocka_unit_test(a_resumed_run_writes_the_bytes_of_an_uninterrupted_one),
        cmocka_unit_test(a_resumed_run_names_the_pictures_that_it_does_not_draw),
        cmocka_unit_test(a_broken_checkpoint_gives_way_to_the_one_before),
        cmocka_unit_test(a_checkpoint_of_another_scene_is_refused),
        cmocka_unit_test(an_old_run_is_not_overwritten_unasked),
        cmocka_unit_test(an_interrupt_leaves_a_run_that_can_go_on),
        cmocka_unit_test(check_says_what_a_scene_needs),
        cmocka_unit_test(check_measures_files),
        cmocka_unit_test(a_csv_file_runs_as_the_ply_file_of_its_particles),
        cmocka_unit_test(check_measures_meshes_and_fails_unless_they_are_closed),
        cmocka_unit_test(info_names_the_device_that_will_be_used),
        cmocka_unit_test(info_names_a_faster_driver_than_an_old_lavapipe),
        cmocka_unit_test(explain_lists_the_passes),
        cmocka_unit_test(bench_reports_passes_and_rates),
        cmocka_unit_test(validation_has_nothing_to_say),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}

/* Messages about surprising situations say what happens and what to do. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"
#include "scene_text.h"

/* A room without front and lid: 8 triangles, with 7 boundary edges. */
static const char room_obj[] = "v -0.1 0 -0.1\nv 0.1 0 -0.1\nv 0.1 0 0.1\nv -0.1 0 0.1\n"
                               "v -0.1 0.2 -0.1\nv 0.1 0.2 -0.1\nv 0.1 0.2 0.1\nv -0.1 0.2 0.1\n"
                               "f 1 2 3 4\nf 1 5 6 2\nf 2 6 7 3\nf 4 8 5 1\n";

#define DOMAIN "{\"domain\": {\"min\": [-0.3, 0, -0.3], \"max\": [0.3, 0.6, 0.3]}, "
#define WATER(shape) "\"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": " shape "}}]"
#define BALL "{\"sphere\": {\"radius\": 0.08}, \"position\": [0, 0.45, 0]}"
#define ROOM "{\"mesh\": {\"file\": \"room.obj\"}, \"position\": [0, 0.1, 0]}"

static const char solid_scene[] = DOMAIN "\"spacing\": 0.04, \"duration\": 0.05,\n" WATER(
    BALL) ",\n"
          "\"solids\": [{\"name\": \"room\", \"shape\": " ROOM "}]}";
static const char fill_scene[] = DOMAIN "\"spacing\": 0.04, \"duration\": 0.05,\n" WATER(ROOM) "}";

static int open_scratch(void **state)
{
    if (make_scratch("/tmp/weir-told-XXXXXX") != 0) return -1;
    settings = "export XDG_CACHE_HOME=$PWD";
    write_scratch("room.obj", room_obj);
    write_scratch("solid.json", solid_scene);
    write_scratch("fill.json", fill_scene);
    return 0;
}

static void assert_silent_of(const char *words)
{
    if (strstr(said, words)) fail_msg("\"%s\" was said:\n%s", words, said);
}

static void an_open_mesh_is_told_wherever_a_scene_names_it(void **state)
{
    static const char *const commands[] = {"$W check solid.json", "$W run solid.json -o solid"};
    for (size_t i = 0; i < BASE_COUNT(commands); i++) {
        assert_status(commands[i], DONE);
        assert_said("warning: solid.json:3:12: solid 'room': ");
        assert_said("room.obj is open (6 edges belong to only one triangle): fluid is kept out of "
                    "its inside, with its holes closed by flat lids; to let fluid flow in, set for "
                    "example \"thickness\": 0.02");
        assert_null(strstr(strstr(said, "is open") + 1, "is open"));
    }
    assert_status("$W check fill.json --quick", DONE);
    assert_said("fluid 'water': ");
    assert_said(": fluid fills its inside, with its holes closed by flat lids");
}

static void a_shell_is_no_surprise_unless_it_is_too_thin(void **state)
{
    assert_status("$W check solid.json --quick --set 'solids[0].thickness=0.03'", DONE);
    assert_silent_of("is open");
    assert_status("$W check solid.json --quick --set 'solids[0].thickness=0.003'", DONE);
    assert_said("solid 'room': a shell of 0.003 m is thinner than half the spacing and would let "
                "particles through; using 0.02 m");
}

/* The mesh keeps its name but changes its height; then its bytes are restored. */
static void a_mesh_that_has_changed_stops_a_resume(void **state)
{
    assert_status("$W run solid.json -o changed --checkpoint-interval 1 -q", DONE);
    assert_status("cp room.obj kept.obj && sed 's/0[.]2/0.21/' kept.obj > room.obj && "
                  "$W run -o changed --resume",
                  WRONG_USE);
    assert_said("room.obj: restore that file, or start again");
    assert_status("cp kept.obj room.obj && $W run -o changed --resume", DONE);
}

/* All pairs of 20,000 coincident points would take minutes. */
static void points_on_one_another_are_thinned_and_counted(void **state)
{
    assert_status("yes '0.1 0.1 0.1' | head -20000 > same.xyz", DONE);
    assert_status("$W render same.xyz -o same --spacing 0.05 --size 64x48 --samples 1", DONE);
    assert_said("19744 of 20000 points were removed: more than 256 lie in one cell of 0.1 m, 32 "
                "times as many as at a spacing of 0.05 m; a smaller spacing keeps more");
    assert_status("$W mesh same.xyz -o same.obj --spacing 0.05", DONE);
    assert_said("19744 of 20000 points were removed");
    assert_status("$W check same.obj", DONE);
    assert_status("(yes '0.1 0.1 0.1 1 0 0' | head -20000; echo 0 0 0 0 0 0; echo 1 1 1 0 0 0) > "
                  "f_0.xyz; cp f_0.xyz f_1.xyz",
                  DONE);
    assert_status("$W whitewater f_0.xyz f_1.xyz -o foam --spacing 0.05 --rate 50", DONE);
    assert_said("19705 of 20002 points were removed");
}

static void a_file_that_unpacks_to_far_more_than_it_holds_is_refused(void **state)
{
    assert_status("head -c 300M /dev/zero | gzip > bomb.bgeo", DONE);
    assert_status("$W check bomb.bgeo", FAILED);
    assert_said(" compressed bytes expand to more than 256 MiB, the larger of 256 MiB and 200 "
                "times their size: the file is damaged or malicious; if not, decompress it first");
}

static const char dam_scene[] =
    "{\"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1.2, 0.4]}, \"spacing\": 0.05,"
    " \"duration\": 0.02, \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"
    " {\"min\": [0, 0, 0], \"max\": [0.5, 0.9, 0.4]}}}}]}";

static void softness_is_told_before_the_run(void **state)
{
    write_scratch("dam.json", dam_scene);
    assert_status("$W check dam.json --quick", DONE);
    assert_said("compression        0.92 % predicted at the floor, under 0.9 m of fluid\n");
    assert_status("$W check dam.json --quick --set frame_rate=24", DONE);
    assert_said("10 substeps a frame");
    assert_said("0.92 % predicted at the floor");
    assert_status("$W check dam.json --quick --set solver.substeps=2", DONE);
    assert_said("3.7 % predicted at the floor, under 0.9 m of fluid; solver.substeps 5 would keep "
                "it below");
    assert_status("$W run dam.json -o dam --set solver.substeps=2", DONE);
    assert_said("compress it by 3.7 % at the floor; solver.substeps 5 instead of 2");
}

/* Moves down by 0.2 m in half a millisecond, 400 m/s, high above the water. */
static void a_solid_that_jumps_over_fluid_is_told(void **state)
{
    static const char words[] =
        "at 0.100 s solid press moves 4 spacings per substep, more than 1: it may pass through "
        "fluid without pushing it; make it slower, or use substeps 136 or more";
    write_scratch("press.json", scene_text("messages_press"));
    assert_status("$W check press.json --quick", DONE);
    assert_silent_of("pass through fluid");
#define SHOT                                                                            \
    " --set 'solids[0].motion.keyframes=[{\"time\": 0.1, \"position\": [0.2, 1, 0.2]}," \
    " {\"time\": 0.1005, \"position\": [0.2, 0.8, 0.2]}]'"
    assert_status("$W check press.json --quick" SHOT, DONE);
    assert_said(words);
    assert_status("$W run press.json -o shot --force" SHOT, DONE);
    assert_said(words);
}

static void a_crushed_fluid_is_no_success(void **state)
{
    write_scratch("press.json", scene_text("messages_press"));
    assert_status("$W run press.json -o press", FAILED);
    assert_said("the fluid was overcompressed in 6 frames");
    assert_said("the fluid was overcompressed: in ");
    assert_status("grep -q '\"overcompressed_frames\": [1-9]' press/run.json", DONE);
    assert_status("$W run press.json -o pressed --allow-overcompression", DONE);
    assert_said("the fluid was overcompressed in 6 frames");
}

/* A resumed run counts as many overcompressed frames as an uninterrupted one. */
static void crushed_frames_are_counted_on_where_a_run_resumes(void **state)
{
    assert_status("$W run press.json -o parts --seconds 0.25 --checkpoint-interval 1 "
                  "--allow-overcompression -q",
                  DONE);
    assert_status("$W run press.json -o parts --resume", FAILED);
    assert_said("the fluid was overcompressed: in ");
    assert_status("grep overcompressed_frames press/run.json > whole; grep overcompressed_frames "
                  "parts/run.json | "
                  "diff whole -",
                  DONE);
}

static const char full_scene[] =
    "{\"domain\": {\"min\": [0, 0, 0], \"max\": [0.3, 0.3, 0.3]}, \"spacing\": 0.05,"
    " \"duration\": 0.5, \"fluids\": [{\"name\": \"water\"}],"
    " \"emitters\": [{\"name\": \"tap\", \"fluid\": \"water\", \"position\": [0.15, 0.25, 0.15],"
    " \"direction\": [0, -1, 0], \"radius\": 0.1, \"speed\": 2}]}";

static void an_emitter_into_a_full_box_stops_and_counts(void **state)
{
    write_scratch("full.json", full_scene);
    assert_status("$W run full.json -o full", DONE);
    assert_said("the closed domain is full, with 208 particles: emitters emit only as many "
                "particles as fit; the column not_emitted of stats.csv counts the others");
    assert_said("full: frames 0 to 30 in ");
    assert_said(", 208 particles\n");
    assert_said(" not emitted: the domain is full");
    assert_status("head -1 full/stats.csv | grep -q ,not_emitted,", DONE);
}

/* A sheet between two sides that is too heavy for its strength. */
static const char torn_scene[] = DOMAIN "\"spacing\": 0.04, \"duration\": 0.3,\n" WATER(
    BALL) ",\n"
          "\"cloths\": [{\"name\": \"sheet\", \"area_density\": 12, \"stiffness\": 200, "
          "\"tear_strain\": "
          "0.05, \"grid\":"
          " {\"corner\": [-0.2, 0.4, -0.2], \"along\": [0.4, 0, 0], \"across\": [0, 0, 0.4], "
          "\"spacing\": 0.1},"
          " \"pins\": [{\"vertices\": [0, 4, 20, 24]}]}]}";

static void torn_edges_are_counted(void **state)
{
    write_scratch("torn.json", torn_scene);
    assert_status("$W run torn.json -o torn", DONE);
    assert_said("cloth 'sheet' tears");
    assert_said(" of cloths and ropes torn");
    assert_status("head -1 torn/stats.csv | grep -q ,torn_edges,", DONE);
}

static const char shot_scene[] =
    DOMAIN "\"spacing\": 0.04, \"duration\": 0.1, \"gravity\": [0, 0, "
           "0],\n" WATER("{\"box\": {\"size\": [0.1, 0.1, 0.1]}, \"position\": "
                         "[0, 0.1, 0.2]}") ", "
                                           "\"bodies\": [{\"name\": \"still\", "
                                           "\"density\": 500, \"shape\":"
                                           " {\"sphere\": {\"radius\": 0.06}, "
                                           "\"position\": [0.2, 0.5, 0.2]}},"
                                           " {\"name\": \"shot\", \"density\": "
                                           "500, \"velocity\": [47, 0, 0], "
                                           "\"shape\":"
                                           " {\"sphere\": {\"radius\": 0.06}, "
                                           "\"position\": [-0.2, 0.3, 0]}}]}";

/* The cap is 48 m/s: 5 spacings in 1/240 s. */
static void a_bodys_speed_that_is_cut_is_told_with_its_frame(void **state)
{
    write_scratch("shot.json", shot_scene);
    assert_status("$W run shot.json -o still", DONE);
    assert_silent_of("was clamped");
    assert_silent_of("speeds");
#define SHOT_AT(speed) " --set 'bodies[1].velocity=[" speed ", 0, 0]'"
    assert_status("$W run shot.json -o shot --force" SHOT_AT("90"), DONE);
    assert_said("in frame 1, up to 0.017 s, the speed of body 'shot' was clamped from 90 m/s to 48 "
                "m/s, 5 spacings per substep: use a solver.max_speed of 9.38 or more. The column "
                "clamped_speeds of stats.csv counts later cases");
    assert_said(
        "speeds or rotations of bodies were clamped 1 time: use more solver.substeps, or a larger");
    assert_status("$W run shot.json -o shot --force" SHOT_AT("950"), DONE);
    assert_said("to 48 m/s, 5 spacings per substep: use solver.substeps 80 or more. The column "
                "clamped_speeds of stats.csv counts later cases");
    assert_status("$W run shot.json -o shot --force --set solver.substeps=80" SHOT_AT("950"), DONE);
    assert_silent_of("was clamped");
    assert_silent_of("speeds");
    assert_status("$W run shot.json -o shot --force" SHOT_AT("10000") " --set solver.max_speed=1",
                  DONE);
    assert_said("use a solver.max_speed of 10 and solver.substeps 417 or more. The column");
    assert_status("$W run shot.json -o shot --force" SHOT_AT("10000") " --set frame_rate=20", DONE);
    assert_said("no number of solver.substeps suffices: make it slower. The column");
#define PUSH                                                                   \
    " --set 'forces=[{\"type\": \"uniform\", \"acceleration\": [0, 600, 0]}]'" \
    " --set domain.max=[0.3,6,0.3]"
    assert_status("$W run shot.json -o shot --force" SHOT_AT("0") PUSH, DONE);
    assert_said(
        "in frame 5, up to 0.083 s, the speed of body 'still' was clamped from 50 m/s to 48 m/s");
    assert_null(strstr(strstr(said, "was clamped") + 1, "was clamped"));
}

static void speeds_and_corrections_that_are_cut_are_counted_at_the_end(void **state)
{
    write_scratch("dam.json", dam_scene);
    assert_status("$W run dam.json -o cut --force", DONE);
    assert_silent_of("were clamped");
    assert_status("$W run dam.json -o cut --force --set fluids[0].fill.velocity=[100,0,0]", DONE);
    assert_said("\nspeeds were clamped ");
    assert_said(" times: use more solver.substeps, or a larger solver.max_speed\n");
    assert_said(" % of all: use more solver.substeps");
    assert_status("$W run dam.json -o cut --force --seconds 0.3 --set solver.max_correction=0.01",
                  DONE);
    assert_said("corrections were clamped to solver.max_correction ");
    assert_silent_of("speeds were clamped");
}

/* The command is correct, the scene is not: status 1. */
static void a_domain_that_no_grid_fits_is_the_scenes_fault(void **state)
{
    static const char *const methods[] = {"pbf", "flip"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        char command[160];
        snprintf(command, sizeof command,
                 "$W run full.json -o huge --set solver.method=%s --set domain.max=[400,400,400]",
                 methods[i]);
        assert_status(command, FAILED);
        assert_said("make the domain smaller or the spacing larger");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_open_mesh_is_told_wherever_a_scene_names_it),
        cmocka_unit_test(a_shell_is_no_surprise_unless_it_is_too_thin),
        cmocka_unit_test(a_mesh_that_has_changed_stops_a_resume),
        cmocka_unit_test(points_on_one_another_are_thinned_and_counted),
        cmocka_unit_test(softness_is_told_before_the_run),
        cmocka_unit_test(a_solid_that_jumps_over_fluid_is_told),
        cmocka_unit_test(a_crushed_fluid_is_no_success),
        cmocka_unit_test(crushed_frames_are_counted_on_where_a_run_resumes),
        cmocka_unit_test(an_emitter_into_a_full_box_stops_and_counts),
        cmocka_unit_test(torn_edges_are_counted),
        cmocka_unit_test(a_bodys_speed_that_is_cut_is_told_with_its_frame),
        cmocka_unit_test(speeds_and_corrections_that_are_cut_are_counted_at_the_end),
        cmocka_unit_test(a_domain_that_no_grid_fits_is_the_scenes_fault),
        cmocka_unit_test(a_file_that_unpacks_to_far_more_than_it_holds_is_refused),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}

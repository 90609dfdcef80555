/* weir whitewater: the whitewater of stored frames equals the run's; which velocities it needs,
   and its messages without them. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"
#include "scene_text.h"

static int open_scratch(void **state)
{
    if (make_scratch("/tmp/weir-foam-XXXXXX") != 0) return -1;
    write_scratch("dam.json", scene_text("whitewater_command_dam"));
    return shell("$W run dam.json -o run -q") == DONE ? 0 : -1;
}

/* Returns the number before the words, separated by a blank. */
static unsigned number_before(const char *words)
{
    const char *at = strstr(said, words);
    assert_true(at && at > said);
    at--;
    while (at > said && at[-1] != ' ')
        at--;
    return (unsigned)strtoul(at, NULL, 10);
}

static void stored_frames_give_the_runs_whitewater_bit_for_bit(void **state)
{
    assert_status("$W whitewater run -o again", DONE);
    assert_true(number_before("particles emitted") > 300);
    assert_status("for f in run/whitewater/*; do cmp $f again/${f##*/} || exit 1; done", DONE);
    assert_status("ls run/whitewater | wc -l", DONE);
    assert_said("19");
}

/* Written with other axes: after rotation the numbers are the same. */
static void the_axes_of_the_run_are_kept(void **state)
{
    assert_status("$W run dam.json -o turned -q --up z --particles bgeo", DONE);
    assert_status("$W whitewater turned -o turned_again -q", DONE);
    assert_status("for f in turned/whitewater/*; do cmp $f turned_again/${f##*/} || exit 1; done",
                  DONE);
}

/* bodies.jsonl gives the poses; whitewater passes through bodies that it does not name. */
static void bodies_are_where_the_run_had_them(void **state)
{
    write_scratch("swept.json", scene_text("whitewater_command_swept"));
    assert_status("$W run swept.json -o swept -q && $W whitewater swept -o swept_again -q", DONE);
    assert_status("for f in swept/whitewater/*; do cmp $f swept_again/${f##*/} || exit 1; done",
                  DONE);
    assert_status(
        "$W run swept.json -o swept_z -q --up z && $W whitewater swept_z -o swept_z/again -q",
        DONE);
    assert_status("for f in swept_z/whitewater/*; do cmp $f swept_z/again/${f##*/} || exit 1; done",
                  DONE);
    assert_status("sed -i 12,99d swept/bodies.jsonl && $W whitewater swept -o cut", DONE);
    assert_said("swept/bodies.jsonl has no line for frame 11: its bodies are ignored");
    assert_status("cmp swept/whitewater/whitewater_0010.ply cut/whitewater_0010.ply"
                  " && ! cmp swept/whitewater/whitewater_0018.ply cut/whitewater_0018.ply",
                  DONE);
    assert_status("rm swept/bodies.jsonl && $W whitewater swept -o gone", DONE);
    assert_said("the poses of the scene's 1 bodies are unknown: expected them in ");
    assert_said("swept/bodies.jsonl, which a run writes next to its frames");
    assert_status("! cmp swept/whitewater/whitewater_0018.ply gone/whitewater_0018.ply", DONE);
}

static void settings_can_be_changed_without_simulating_again(void **state)
{
    assert_status("$W whitewater run -o usual --frames 0:12", DONE);
    unsigned usual = number_before("particles emitted");
    assert_status("$W whitewater run -o twice --frames 0:12 --set whitewater.emission_rate=0.4",
                  DONE);
    unsigned twice = number_before("particles emitted");
    assert_in_range(twice, usual * 19 / 10, usual * 21 / 10);
}

/* Without run.json the frames may come from another program: a tank around them replaces the
   scene. */
static void velocities_come_from_ids_where_files_have_none(void **state)
{
    assert_status("$W run dam.json -o bare -q --fields id && rm bare/run.json", DONE);
    assert_status("$W whitewater bare -o bare/whitewater --rate 30 --scene dam.json", DONE);
    assert_said("particles_0000.ply has no velocities: computing them from the motion of each id");
    unsigned found = number_before("particles emitted");
    assert_status("$W whitewater run -o given", DONE);
    unsigned given = number_before("particles emitted");
    assert_in_range(found, given * 2 / 3, given * 4 / 3);
    assert_status("$W whitewater bare -o tank --rate 30", DONE);
    assert_true(number_before("particles emitted") > 100);
}

static void a_run_without_foam_takes_its_defaults(void **state)
{
    assert_status("sed /whitewater/d dam.json > dry.json"
                  " && $W run dry.json -o dry -q && test ! -e dry/whitewater",
                  DONE);
    assert_status("$W whitewater dry -o dry/whitewater --set whitewater.emission_rate=0.2", DONE);
    assert_status("for f in run/whitewater/*; do cmp $f dry/whitewater/${f##*/} || exit 1; done",
                  DONE);
    assert_status("$W whitewater dry -o dry/more", DONE);
    unsigned usual = number_before("particles emitted");
    assert_status("$W whitewater run -o run/more --set whitewater.emission_rate=1", DONE);
    assert_int_equal(usual, number_before("particles emitted"));
}

static void a_probe_prints_the_potentials_and_makes_nothing(void **state)
{
    assert_status("$W whitewater run --probe -q -o probed && test ! -e probed", DONE);
    assert_said("L = 0.38 m, U = 1.93");
    assert_said("trapped air");
    assert_said("Particles emit whitewater");
}

static void stored_frames_are_drawn_with_their_whitewater(void **state)
{
    const char *const draw =
        "$W render run/particles/particles_0017.ply --size 96x54 --samples 1 -q";
    char command[512];
    snprintf(command, sizeof command,
             "%s -o own && %s -o plain --no-whitewater && ! cmp -s own/image_0017.png "
             "plain/image_0017.png",
             draw, draw);
    assert_status(command, DONE);
    snprintf(command, sizeof command,
             "cp -r run/whitewater kept && %s -o named --whitewater kept && cmp own/image_0017.png "
             "named/image_0017.png && rm kept/whitewater_0017.ply",
             draw);
    assert_status(command, DONE);
    snprintf(command, sizeof command,
             "%s -o without --whitewater kept && cmp plain/image_0017.png without/image_0017.png",
             draw);
    assert_status(command, DONE);
    assert_said("frame 17 has no whitewater file next to kept/whitewater_0000.ply");
    snprintf(command, sizeof command, "%s -o x --whitewater run/particles", draw);
    assert_status(command, FAILED);
    assert_said("run/particles/particles_0017.ply: its particles have no \"kind\"");
}

static void what_is_missing_is_said(void **state)
{
    assert_status("$W run dam.json -o none -q --fields density && rm none/run.json", DONE);
    assert_status("$W whitewater none -o x --rate 30", FAILED);
    assert_said("neither velocities nor ids from which velocities could be computed");
    assert_status("$W whitewater run/particles/particles_0003.ply -o x", WRONG_USE);
    assert_said("whitewater needs at least two frames, found 1");
    assert_status("$W whitewater run -o x --set whitewater.lifetime=0", FAILED);
    assert_said("whitewater.lifetime: is 0, expected a number from 0.01 to 10000 s");
    assert_status("$W whitewater run -o x --set 'gravity=[0,0,0]'", FAILED);
    assert_said("needs gravity");
    assert_status(
        "sed 's/comment time_s=[0-9.]*/comment/' run/particles/particles_0003.ply > a_1.ply "
        "&& cp a_1.ply a_2.ply && $W whitewater 'a_*.ply' -o x",
        WRONG_USE);
    assert_said("a_2.ply: the time of this frame is unknown");
    write_scratch("lone_1.xyz", "0.5 0.5 0.5 1 0 0\n");
    assert_status("cp lone_1.xyz lone_2.xyz && $W whitewater 'lone_*.xyz' --rate 30 -o x", FAILED);
    assert_said("cannot estimate the particle spacing: set it with --spacing METRES");
}

/* Messages use the user's terms, not those of the tank that replaces a scene. */
static void points_without_extent_are_refused(void **state)
{
    write_scratch("h_1.xyz", "0.5 0.5 0.5 1 0 0\n0.5 0.5 0.5 0 1 0\n");
    write_scratch("v_1.xyz", "0 0.5 0.5 1 0 0\n1 1 0.5 0 1 0\n");
    assert_status("cp h_1.xyz h_2.xyz && cp v_1.xyz v_2.xyz && "
                  "$W whitewater h_1.xyz h_2.xyz -o x --rate 30 --spacing 0.05",
                  WRONG_USE);
    assert_said("the particles of all 2 frames span only 0 m along x, expected at least their "
                "spacing, 0.05 m");
    assert_said("set a smaller spacing with --spacing, or name their scene with --scene");
    assert_null(strstr(said, "domain is"));
    assert_status("$W whitewater v_1.xyz v_2.xyz -o x --rate 30 --spacing 0.05", WRONG_USE);
    assert_said("span only 0 m along z");
    assert_status("$W whitewater v_1.xyz v_2.xyz -o x --rate 30 --spacing 0.05 --up z", DONE);
}

static void more_than_the_limit_is_told(void **state)
{
    assert_status("$W whitewater run -o x --set whitewater.max_particles=100", DONE);
    assert_said("the whitewater has reached its limit of 100 particles, so the emission rate is "
                "reduced everywhere while the limit is reached; raise whitewater.max_particles, or "
                "lower whitewater.emission_rate");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_frames_give_the_runs_whitewater_bit_for_bit),
        cmocka_unit_test(the_axes_of_the_run_are_kept),
        cmocka_unit_test(bodies_are_where_the_run_had_them),
        cmocka_unit_test(settings_can_be_changed_without_simulating_again),
        cmocka_unit_test(velocities_come_from_ids_where_files_have_none),
        cmocka_unit_test(a_run_without_foam_takes_its_defaults),
        cmocka_unit_test(a_probe_prints_the_potentials_and_makes_nothing),
        cmocka_unit_test(stored_frames_are_drawn_with_their_whitewater),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(points_without_extent_are_refused),
        cmocka_unit_test(more_than_the_limit_is_told),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}

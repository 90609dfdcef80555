/* docs/limits.md is true: each limit of the source stands there with its figure, and none that the
 * source has is left out. tests/unit/test_scene_limits.c tries those of scenes. */
#include "walls.h"

#include <setjmp.h>

#include <cmocka.h>

/* A constant, its value as the source writes it, and what the page says. */
typedef struct limit {
    const char *file, *name, *value, *words;
} limit;

#define SCENE "src/scene/scene_internal.h"

static const limit limits[] = {
    {SCENE, "SCENE_MAX_BYTES", "(16u << 20)",
     "| a scene, or a `run.json` that is run again | 16 MiB |"},
    {SCENE, "SCENE_MAX_VALUES", "1000000u", "| 1,000,000 values,"},
    {SCENE, "SCENE_MAX_DEPTH", "64u", " values, 64 levels;"},
    {SCENE, "SCENE_MAX_FAULTS", "100u", "| faults of a scene | 100 are listed |"},
    {SCENE, "SCENE_MAX_SOLIDS", "1024u",
     "| solids, emitters, sinks, fills of a fluid | 1024 each |"},
    {SCENE, "SCENE_MAX_BODIES", "1024u", "| bodies | 1024;"},
    {SCENE, "SCENE_MAX_SOFTS", "256u", "| cloths, ropes, soft bodies | 256 of each,"},
    {SCENE, "SCENE_MAX_PINS", "64u", "| pins of a cloth, a rope or a soft body | 64;"},
    {SCENE, "SCENE_MAX_LISTED", "4096u", "each lists at most 4096 vertices"},
    {SCENE, "SCENE_MAX_LISTED", "4096u", "| points of a rope | 4096 |"},
    {SCENE, "SCENE_MAX_KEYFRAMES", "100000u", "emitter's speed | 100,000 of each |"},
    {SCENE, "SCENE_MAX_MESH_FILES", "100000u", "| files of a mesh sequence | 100,000,"},
    {SCENE, "SCENE_MAX_FRAMES", "1000000u", "| frames of a run | 1,000,000 |"},
    {"src/scene/scene.h", "SCENE_MAX_SUBSTEPS", "1000u",
     "| substeps of a frame, iterations of a substep | 1000, 100 |"},
    {"src/scene/scene.h", "SCENE_MAX_SWEEPS", "64u",
     "| sweeps of cloths, ropes and soft bodies in an iteration | 64 |"},
    {"src/api/foam_points.c", "MOST_RADIUS", "4.0f",
     "| radius of whitewater that is drawn from files or given by a program | 4 spacings"},
    {"src/sim/fast_solids.c", "MOST_STEPS", "200000u", "| the first 200,000,"},
    {"src/scene/scene.h", "SCENE_MAX_FLUIDS", "16u", "| fluids, forces, gauges | 16, "},
    {"src/scene/scene.h", "SCENE_MAX_FORCES", "4u", "| fluids, forces, gauges | 16, 4, "},
    {"src/scene/scene.h", "SCENE_MAX_GAUGES", "32u", "| 16, 4, 32 "},
    {"src/scene/scene.h", "SCENE_MAX_FORCE_GAUGES", "4u", " 32 (4 of them of force) |"},
    {"src/scene/scene.h", "SCENE_SHAPE_DEPTH", "7u", "sets nested 7 deep,"},
    {"src/scene/scene.h", "SCENE_SHAPE_LEAVES", "128u", " 128 simple shapes,"},
    {"src/scene/scene_world.c", "SPACINGS_FROM_ORIGIN", "16384.0f",
     "within 16,384 spacings of the origin"},
    {"src/io/io_internal.h", "IO_SIZE_MAX", "((size_t)8 << 30)",
     "| a file of particles or a mesh, a checkpoint | 8 GiB |"},
    {"src/sim/files.c", "FILE_MOST", "((size_t)8 << 30)",
     "| a file of particles or a mesh, a checkpoint | 8 GiB |"},
    {"src/io/io.h", "IO_STATE_BLOCKS", "32u", "| blocks of a checkpoint | 32 |"},
    {"src/io/pack.c", "UNPACKED_MAX", "((size_t)4 << 30)", "unpacked at most 4 GiB,"},
    {"src/io/pack.c", "UNPACKED_FREE", "((size_t)256 << 20)", "the larger of 256 MiB and"},
    {"src/io/pack.c", "UNPACKED_RATIO", "200u", "and 200 times its packed size"},
    {"src/io/radiance.c", "MAX_BYTES", "((size_t)1 << 30)", "(`.hdr`) | 1 GiB, "},
    {"src/io/radiance.c", "MAX_SIDE", "16384u", "(`.hdr`) | 1 GiB, 16,384 pixels on a side"},
    {"src/io/xyz.c", "COLUMNS", "64u", "XYZ 64, CSV"},
    {"src/io/csv.c", "COLUMNS", "256u", "CSV 256, NPY"},
    {"src/io/csv.c", "LINE_MAX_BYTES", "65536u", "of at most 65,536 bytes"},
    {"src/io/csv.c", "HEAD_LINES", "100u", "| among the first 100 lines,"},
    {"src/io/npy.c", "COLUMNS_MAX", "4096u", "NPY 4096 |"},
    {"src/io/io_internal.h", "IO_PLY_ELEMENTS", "32u", "PLY 32 elements"},
    {"src/io/io_internal.h", "IO_PLY_PROPERTIES", "256u", "with 256 properties in all"},
    {"src/io/io_internal.h", "IO_TAG_ATTRIBUTES", "32u", "32 attributes of a tag"},
    {"src/io/bgeo.c", "ATTRIBUTES", "256u", "BGEO 256 attributes"},
    {"src/io/vtu.c", "ARRAYS", "64u", "VTU and VTP 64 arrays"},
    {"src/io/vtk_read.c", "ARRAYS", "16u", "VTK the first 16 arrays"},
    {"src/api/output_run.c", "RUN_FILE_MAX", "((size_t)64 << 20)",
     "| the `run.json` of a run that is resumed or whose frames are read | 64 MiB |"},
    {"src/api/output_table.c", "TABLE_FILE_MAX", "((size_t)1 << 30)",
     "`bodies.jsonl` of a run that is resumed | 1 GiB each |"},
    {"src/api/series.c", "SERIES_MAX", "((size_t)64 << 20)",
     "(`.vtk.series`) of a run that is "
     "resumed | 64 MiB |"},
    {"src/api/constraint.c", "PARTICLES_MOST", "(1u << 28)",
     "density constraint alone | 268,435,456 |"},
    {"src/app/stored_bodies.c", "FILE_MAX", "((size_t)1 << 30)",
     "| the `bodies.jsonl` of a run whose frames are drawn | 1 GiB |"},
    {"src/app/bench/compare.c", "FILE_MAX", "((size_t)256 << 20)", "--compare` | 256 MiB a file |"},
    {"src/app/bench/bench.c", "SWEEP_MAX", "4", "| `weir bench --sweep` | 4 values:"},
    {"src/app/main/report.c", "FILE_MOST", "((size_t)64 << 20)",
     "| what `weir report` packs | a scene or a `run.json` of 64 MiB,"},
    {"src/app/main/report.c", "STATS_MOST", "((size_t)1 << 30)", "a `stats.csv` of 1 GiB |"},
    {"src/app/app.h", "ARGS_LIST_MAX", "64", "| `--set`, `--var` and other lists | 64 values |"},
    {"src/app/view/play.c", "SCRIPT_MAX", "(1u << 20)", "| a script of the viewer | 1 MiB,"},
    {"src/app/view/script.c", "WORDS_MAX", "32u", "1 MiB, 32 words a command"},
    {"src/app/view/script.c", "FAULTS_MAX", "20u", "; 20 faults are listed |"},
    {"src/app/view/view.c", "SIDE_MAX", "16384u",
     "| a picture, the viewer's window | 16,384 pixels on a side,"},
    {"src/app/view/act.c", "SIDE_MAX", "16384.0",
     "| a picture, the viewer's window | 16,384 pixels on a side,"},
    {"src/api/view.c", "MOST_PIXELS", "16384u",
     "| a picture, the viewer's window | 16,384 pixels on a side,"},
    {"src/app/view/act_files.c", "NUMBERED_MAX", "10000", "names itself | 9999 of each"},
    {"src/sim/checkpoint.c", "FRAMES_MAX", "(UINT64_C(1) << 32)", "of at most 2³² frames"},
    {"src/sim/checkpoint.c", "TIME_MAX_S", "1e9", "frames and 10⁹ s,"},
    {"src/sim/nozzles.c", "SPEED_MOST", "1000.0f",
     "| speed of an emitter that a caller or a checkpoint sets | 1000 m/s |"},
    {"src/sim/sim_internal.h", "SIM_SPEED_MAX", "1e9f",
     "| speed of a particle that a caller sets | 1,000,000,000 m/s |"},
    {"src/sim/sim_internal.h", "SIM_EMISSIONS", "4096u", "release in a frame | 4096 |"},
    {"src/gpu/gpu_internal.h", "GPU_MAX_WORKGROUP", "256u", "workgroups of 256 invocations"},
    {"src/gpu/gpu.h", "GPU_ROW_USES", "16", "and 16 storage buffers of a shader"},
    {"src/gpu/gpu_internal.h", "GPU_MAX_SHARED_BYTES", "16384u", "at most the 16,384 bytes"},
    {"src/gpu/gpu_internal.h", "GPU_MAX_UNIFORM_BYTES", "16384u", "at most the 16,384 bytes"},
    {"src/gpu/gpu_internal.h", "GPU_MAX_DEVICES", "32u", "more than 32 devices the first 32"},
    {"src/render/rows.c", "MOST_FLOW_STEPS", "64u", "filter `curvature-flow` | 64;"},
    {"src/grid/grid.c", "SEGMENTS_MOST", "((1u << 27) - 8u)", "| 134,217,720 segments of"},
    {"shaders/shared/grid.h", "GRID_SEGMENT_CELLS", "32u", "segments of 32 cells"},
    {"src/poisson/poisson.c", "ENTRIES_MOST", "(1u << 24)", "16,777,216 blocks of 8³ cells"},
    {"src/body/body_internal.h", "BODY_MEET_CELLS_MOST", "4096u",
     "| cells of one size in which an overlap of two bodies is sought | 4096,"},
    {"src/soft/shape.c", "VERTICES_MOST", "2000000u", "2,000,000 vertices each,"},
    {"src/soft/soft_internal.h", "SOFT_COLOURS", "64u", " 64 colours of bonds;"},
    {"src/soft/clusters.c", "MEMBERS_MOST", "8000000u", "| 8,000,000 members of all"},
    {"src/soft/lattice.c", "CELLS_MOST", "4000000.0",
     "| the lattice of a soft body | 4,000,000 cells"},
    {"mesher/surface_internal.h", "SURFACE_TRIANGLES_MAX", "(UINT32_MAX / 3u - 1u)",
     "as many triangles: 1,431,655,764 |"},
    {"shaders/shared/soft.h", "SOFT_NEAR_MOST", "31u", "near one vertex | 31 are met,"},
    {"shaders/shared/solid.h", "SOLID_MAX_NODES", "256u", "256 shapes and set operations |"},
    {"shaders/shared/sim.h", "SIM_MAX_FLUIDS", "16u", "| fluids, forces, gauges | 16, "},
    {"shaders/shared/sim.h", "SIM_DRIFT_MOST", "0.5f", "too full | 0.5 of a full cell |"},
    {"shaders/shared/sim.h", "SIM_VISCOUS_MOST", "100u", "solve for viscosity | 100 |"},
    {"shaders/shared/mesh.h", "MESH_BIN_MOST", "65000u",
     "a bin of the mesher, 4 or 8 cells wide "
     "| 65,000 |"},
    {"mesher/frame.c", "MOST_SUPERS", "(1u << 25)", /* of 64 cells on a side */
     "| the box of the points that are meshed | 2⁴³ = 8.8·10¹² cells |"},
    {"shaders/shared/mesh.h", "MESH_REACH_MAX", "32u", "search radius | 1 to 32 cells |"},
    {"shaders/shared/probe.h", "PROBE_STEPS_MOST", "16384u", "| 16,384 half spacings |"},
    {"shaders/shared/foam.h", "FOAM_BIRTHS_MOST", "1000u", "bears at most 1000 of each kind"},
    {"shaders/shared/body.h", "BODY_TURN_MOST", "1.0f", "| a turn of 1 rad and"},
    {"shaders/shared/body.h", "BODY_HAND_MOST", "50.0f",
     "| a hand's acceleration of a body | 50 m/s² beyond its weight |"},
};

/* Bounds of other kinds, and why the page has no word of them. */
static const char *const apart[][2] = {
    {"COORDINATE_MAX", "a range of keys: parameters.md"},
    {"TIME_MAX", "a range of keys: parameters.md"},
    {"SPEED_MAX", "a range of keys: parameters.md"},
    {"SCENE_FILE_MAX", "what is read at all, so that the parser can name its own limit"},
    {"HEAD_MAX", "of a file that Weir wrote"},
    {"CELLS_MOST", "src/api/sets.c: how finely a picture shows a set; lattice.c is above"},
    {"FAN_MOST", "around more triangles a picture shades them flat"},
    {"EXTENT_MAX", "of a fixed point, chosen by the domain's size"},
    {"ORIGIN_MOST_S", "of a time that a checkpoint holds"},
    {"MOVES_MOST", "how a lattice is fitted to its surface"},
    {"HALF_MAX", "of the EXR format"},
    {"ITERATIONS_MAX", "above the most iterations of a scene"},
    {"SIM_MAX_ITERATIONS", "above the most iterations of a scene"},
    {"SIM_ERRORS_MAX", "a place in a table"},
    {"PITCH_MAX", "how far the viewer's camera tilts"},
    {"DISTANCE_MAX", "how far the viewer's camera goes"},
    {"FOV_MAX_DEGREES", "of the viewer's lens"},
    {"VIEW_PARAMS_MAX", "above the number of keys"},
    {"ANISOTROPY_AXIS_MAX", "the shape of an ellipsoid"},
    {"SOFT_CELLS_MOST", "beyond it the cells are larger, with the same results"},
    {"LISTED_MAX", "what a driver tells of a kernel, for tools/isa"},
    {"LISTING_MAX", "what a driver tells of a kernel, for tools/isa"},
    {"GPU_PARTS_MOST", "of a kernel that takes long: of more, each takes longer"},
    {"GPU_MAX_CONSTANTS", "of a kernel, which the project's own shaders keep"},
    {"MAX_BYTES", "of the pipelines' cache, without which they are made anew"},
    {"SOURCE_MAX", "of the project's own shaders, when they are reloaded"},
    {"COUNTERS_MAX", "of a pass"},
    {"MOST_DROPS", "how many drops a particle of spray is drawn as"},
    {"MOST_PARTS", "how many drops each of these is drawn as"},
    {"MOST", "src/app/validate/gradient.c: of a gate's own scene"},
    {"MODES_MAX", "of a gate's own scene"},
    {"MESH_WINDOW_MAX", "of bins, from MESH_REACH_MAX"},
};

/* The value of "#define NAME value", without a comment behind it; NULL where there is none. */
static const char *value_of(const char *text, const char *name, size_t *size)
{
    char start[96];
    snprintf(start, sizeof start, "#define %s ", name);
    for (const char *line = text; line; line = walls_next_line(line)) {
        if (strncmp(line, start, strlen(start)) != 0) continue;
        const char *value = line + strlen(start), *end = line + walls_line_length(line);
        const char *remark = strstr(value, "/*");
        if (remark && remark < end) end = remark;
        while (end > value && end[-1] == ' ')
            end--;
        *size = (size_t)(end - value);
        return value;
    }
    return NULL;
}

static void the_page_has_the_figures_of_the_source(void **state)
{
    (void)state;
    size_t faults = 0;
    char *page = walls_read("docs/limits.md");
    assert_non_null(page);
    for (size_t i = 0; i < BASE_COUNT(limits); i++) {
        const limit *l = &limits[i];
        size_t size = 0;
        char *text = walls_read(l->file);
        const char *value = text ? value_of(text, l->name, &size) : NULL;
        bool same = value && size == strlen(l->value) && strncmp(value, l->value, size) == 0;
        if (!same)
            print_error("%s: %s is %.*s and was %s: write it into docs/limits.md and here\n",
                        l->file, l->name, (int)size, value ? value : "", l->value);
        bool told = strstr(page, l->words) != NULL;
        if (!told) print_error("docs/limits.md: \"%s\" is missing\n", l->words);
        faults += (same ? 0u : 1u) + (told ? 0u : 1u);
        base_free(text);
    }
    base_free(page);
    assert_int_equal(faults, 0);
}

/* ---- none is left out ----------------------------------------------------------------------- */

typedef struct tally {
    size_t found, faults;
} tally;

/* A word of a constant's name, between underscores. */
static bool has_word(const char *name, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = name; at + length <= name + size; at++) {
        bool begins = at == name || at[-1] == '_';
        bool ends = at + length == name + size || at[length] == '_';
        if (begins && ends && strncmp(at, word, length) == 0) return true;
    }
    return false;
}

static bool is_known(const walls_file *file, const char *name)
{
    for (size_t i = 0; i < BASE_COUNT(limits); i++)
        if (strcmp(limits[i].file, file->path) == 0 && strcmp(limits[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < BASE_COUNT(apart); i++)
        if (strcmp(apart[i][0], name) == 0) return true;
    return false;
}

static void check_file(void *user, const walls_file *file)
{
    static const char start[] = "#define ";
    tally *t = user;
    for (const char *line = file->text; line; line = walls_next_line(line)) {
        if (strncmp(line, start, sizeof start - 1) != 0) continue;
        const char *name = line + sizeof start - 1;
        char whole[96];
        size_t size = strcspn(name, " (\n");
        if (name[size] == '(' || size >= sizeof whole) continue; /* of a macro with parameters */
        if (!has_word(name, size, "MAX") && !has_word(name, size, "MOST")) continue;
        snprintf(whole, sizeof whole, "%.*s", (int)size, name);
        t->found++;
        if (is_known(file, whole)) continue;
        print_error("%s: %s is a limit that docs/limits.md does not name: write it there and into "
                    "the table of this test, or into `apart` with the reason\n",
                    file->path, whole);
        t->faults++;
    }
}

static void every_limit_of_the_source_is_on_the_page_or_apart(void **state)
{
    (void)state;
    tally t = {0};
    static const char *const shared = "shaders/shared";
    walls_each(walls_source_folders, BASE_COUNT(walls_source_folders), check_file, &t);
    walls_each(&shared, 1, check_file, &t);
    assert_true(t.found > 60);
    assert_int_equal(t.faults, 0);
}

static void a_new_limit_is_found(void **state)
{
    (void)state;
    static const walls_file bad[] = {
        {"src/io", "src/io/x.c", "\n#define LINES_MAX 12u /* of a file */\n"},
        {"src/io", "src/io/x.c", "#define MAX_LINES 12u\n"},
        {"src/sim", "src/sim/x.c", "#define SIM_MOST_LINES 12u\n"},
        {"src/sim", "src/sim/x.c", "#define FILE_MOST 12u\n"}, /* another file's */
    };
    static const walls_file good = {"src/io", "src/io/x.c",
                                    "#define CLIMAX 1\n#define MAX(a, b) a\n#define MOSTLY 2\n"};
    for (size_t i = 0; i < BASE_COUNT(bad); i++) {
        tally t = {0};
        check_file(&t, &bad[i]);
        assert_int_equal(t.faults, 1);
    }
    tally t = {0};
    check_file(&t, &good);
    assert_int_equal(t.found, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_has_the_figures_of_the_source),
        cmocka_unit_test(every_limit_of_the_source_is_on_the_page_or_apart),
        cmocka_unit_test(a_new_limit_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

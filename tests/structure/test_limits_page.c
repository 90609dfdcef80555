/* docs/limits.md is correct: it lists each limit of the source with its value, and omits none.
   tests/unit/scene/test_scene_limits.c tests those of scenes. */
#include "structure.h"

#include <setjmp.h>

#include <cmocka.h>

/* A constant, its value as written in the source, and the text of the page. */
typedef struct limit {
    const char *file, *name, *value, *words;
} limit;

#define SCENE "src/scene/scene_internal.h"

static const limit limits[] = {
    {SCENE, "SCENE_MAX_BYTES", "(16u << 20)",
     "| a scene, or a `run.json` that is run again | 16 MiB |"},
    {SCENE, "SCENE_MAX_VALUES", "1000000u", "| 1,000,000 values,"},
    {SCENE, "SCENE_MAX_DEPTH", "64u", " values, 64 levels;"},
    {SCENE, "SCENE_MAX_ERRORS", "100u", "| faults of a scene | 100 are listed |"},
    {SCENE, "SCENE_MAX_SOLIDS", "1024u",
     "| solids, emitters, sinks, fills of a fluid | 1024 each |"},
    {SCENE, "SCENE_MAX_BODIES", "1024u", "| bodies | 1024;"},
    {SCENE, "SCENE_MAX_DEFORMABLES", "256u", "| cloths, ropes, soft bodies | 256 of each,"},
    {SCENE, "SCENE_MAX_PINS", "64u", "| pins of a cloth, a rope or a soft body | 64;"},
    {SCENE, "SCENE_MAX_LISTED", "4096u", "each lists at most 4096 vertices"},
    {SCENE, "SCENE_MAX_LISTED", "4096u", "| points of a rope | 4096 |"},
    {SCENE, "SCENE_MAX_KEYFRAMES", "100000u", "emitter's speed | 100,000 of each |"},
    {SCENE, "SCENE_MAX_MESH_FILES", "100000u", "| files of a mesh sequence | 100,000,"},
    {SCENE, "SCENE_MAX_FRAMES", "1000000u", "| frames of a run | 1,000,000 |"},
    {"src/scene/scene.h", "SCENE_MAX_SUBSTEPS", "1000u",
     "| substeps of a frame, iterations of a substep | 1000, 100 |"},
    {"src/scene/scene.h", "SCENE_MAX_DEFORMABLE_ITERATIONS", "64u",
     "| sweeps of cloths, ropes and soft bodies in an iteration | 64 |"},
    {"src/api/whitewater/whitewater_points.c", "MAX_RADIUS_SPACINGS", "4.0f",
     "| radius of whitewater that is drawn from files or given by a program | 4 spacings"},
    {"src/sim/stability/fast_motion.c", "MAX_STEPS", "200000u", "| the first 200,000,"},
    {"shaders/shared/sim.h", "SIM_MAX_ATTRIBUTE_VECTORS", "4u", "16 in all |"},
    {"src/base/base.h", "BASE_MAX_ATTRIBUTES", "8u", "| attributes of particles | 8,"},
    {"src/include/weir/attributes.h", "WEIR_MAX_ATTRIBUTES", "8", "| attributes of particles | 8,"},
    {"src/scene/scene_attribute.h", "SCENE_MAX_ATTRIBUTES", "8u", "| attributes of particles | 8,"},
    {"src/scene/scene_attribute.h", "SCENE_ATTRIBUTE_COMPONENTS", "4u", "of 1 to 4 components"},
    {"src/scene/scene_attribute.h", "SCENE_ATTRIBUTE_TOTAL_COMPONENTS", "16u", "each, 16 in all |"},
    {"src/scene/scene.h", "SCENE_MAX_FLUIDS", "16u", "| fluids, forces, gauges | 16, "},
    {"src/scene/parse/scene_method_support.c", "MAX_DENSITY_RATIO", "100.0f",
     "| densities of fluids | with `flip` and `apic` the heaviest at most 100 times the lightest "
     "|"},
    {"src/include/weir/ranks.h", "WEIR_MAX_RANKS", "64", "| ranks of a simulation | 64,"},
    {"src/app/run/run_internal.h", "SWEEP_MAX_AXES", "8u", "| `--sweep` | 8 keys,"},
    {"src/app/run/sweep.c", "SWEEP_MAX_RUNS", "10000u", "keys, 10,000 runs;"},
    {"src/app/run/sweep_table.c", "STATS_FILE_MAX", "((size_t)1 << 30)",
     "| a `stats.csv` that `--sweep --collect` reads | 1 GiB |"},
    {"src/scene/scene_sea.h", "SCENE_MAX_SEA_WAVES", "64u", "waves of a sea | 64 |"},
    {"src/scene/scene_force.h", "SCENE_MAX_FORCES", "8u", "| fluids, forces, gauges | 16, 8, "},
    {"src/sim/input/force_fields.c", "MAX_FILE_NODES", "(1u << 21)",
     "sampled forces | 2,097,152; "},
    {"src/sim/input/force_fields.c", "MAX_NODES", "(4u << 20)", "| 2,097,152; 4,194,304 |"},
    {"src/scene/scene_force.h", "SCENE_MAX_CURVE_POINTS", "256u",
     "| points of the curve of a force; of a number over an attribute | 256; "},
    {"src/scene/scene.h", "SCENE_MAX_CURVE_VALUES", "32u", "over an attribute | 256; 32 |"},
    {"src/scene/scene_force.h", "SCENE_MAX_OCTAVES", "6u",
     "| octaves of the noise of a force | 6 |"},
    {"src/scene/scene_whitewater.h", "SCENE_MAX_WHITEWATER_EMITTERS", "16u",
     "| emitters of whitewater | 16 |"},
    {"src/scene/scene.h", "SCENE_MAX_GAUGES", "32u", "| 16, 8, 32 "},
    {"src/scene/scene.h", "SCENE_MAX_FORCE_GAUGES", "4u", " 32 (4 of them of force) |"},
    {"src/scene/scene.h", "SCENE_SHAPE_DEPTH", "7u", "sets nested 7 deep,"},
    {"src/scene/scene.h", "SCENE_SHAPE_LEAVES", "128u", " 128 simple shapes,"},
    {"src/scene/items/scene_world.c", "MAX_ORIGIN_SPACINGS", "16384.0f",
     "within 16,384 spacings of the origin"},
    {"src/io/io_internal.h", "IO_SIZE_MAX", "((size_t)8 << 30)",
     "| a file of particles or a mesh, a checkpoint | 8 GiB |"},
    {"src/sim/input/file_hashes.c", "MAX_FILE_BYTES", "((size_t)8 << 30)",
     "| a file of particles or a mesh, a checkpoint | 8 GiB |"},
    {"src/io/io.h", "IO_BLOCK_FILE_BLOCKS", "32u", "| blocks of a checkpoint | 32 |"},
    {"src/io/stream/gzip.c", "MAX_DECOMPRESSED_BYTES", "((size_t)4 << 30)",
     "unpacked at most 4 GiB,"},
    {"src/io/stream/gzip.c", "UNCHECKED_BYTES", "((size_t)256 << 20)", "the larger of 256 MiB and"},
    {"src/io/stream/gzip.c", "MAX_DECOMPRESSION_RATIO", "200u", "and 200 times its packed size"},
    {"src/io/image/radiance_read.c", "MAX_BYTES", "((size_t)1 << 30)", "(`.hdr`) | 1 GiB, "},
    {"src/io/image/radiance_read.c", "MAX_SIDE", "16384u",
     "(`.hdr`) | 1 GiB, 16,384 pixels on a side"},
    {"src/io/particles/xyz.c", "COLUMNS", "64u", "XYZ 64, CSV and"},
    {"src/io/particles/csv_read.c", "COLUMNS", "256u", "CSV and LAMMPS 256, NPY"},
    {"src/io/particles/csv_read.c", "LINE_MAX_BYTES", "65536u", "of at most 65,536 bytes"},
    {"src/io/particles/csv_read.c", "HEAD_LINES", "100u", "| among the first 100 lines,"},
    {"src/io/particles/lammps_read.c", "COLUMNS", "256u", "CSV and LAMMPS 256, NPY"},
    {"src/io/particles/npy_read.c", "COLUMNS_MAX", "4096u", "NPY 4096, fields"},
    {"src/io/particles/npy.h", "IO_NPY_FIELDS", "128u", "fields of records 128 |"},
    {"src/io/particles/npz_read.c", "MEMBERS", "32u", "NPZ 32 arrays with known names"},
    {"src/io/particles/hdf5_read.c", "OBJECTS_MAX", "10000u", "HDF5 10,000 objects"},
    {"src/io/io_internal.h", "IO_PLY_ELEMENTS", "32u", "PLY 32 elements"},
    {"src/io/io_internal.h", "IO_POLYGON_CORNERS_MAX", "10000u",
     "10,000 corners of a face that is not convex"},
    {"src/io/io_internal.h", "IO_PLY_PROPERTIES", "256u", "with 256 properties in all"},
    {"src/io/io_internal.h", "IO_TAG_ATTRIBUTES", "32u", "32 attributes of a tag"},
    {"src/io/particles/bgeo_read.c", "ATTRIBUTES", "256u", "BGEO 256 attributes"},
    {"src/io/vtk_xml.h", "VTK_XML_ARRAYS", "64u", "VTU and VTP 64 arrays"},
    {"src/io/particles/vtk_read.c", "ARRAYS", "16u", "VTK the first 16 arrays"},
    {"src/output/run_json.c", "RUN_FILE_MAX", "((size_t)64 << 20)",
     "| the `run.json` of a run that is resumed or whose frames are read | 64 MiB |"},
    {"src/output/line_table.c", "TABLE_FILE_MAX", "((size_t)1 << 30)",
     "`bodies.jsonl` of a run that is resumed | 1 GiB each |"},
    {"src/io/vtk_series.c", "SERIES_MAX", "((size_t)64 << 20)",
     "(`.vtk.series`, `.vtp.series`) of a run that is "
     "resumed | 64 MiB |"},
    {"src/api/density_solver.c", "MAX_PARTICLES", "(1u << 28)",
     "density constraint alone | 268,435,456 |"},
    {"src/app/bodies_jsonl.c", "FILE_MAX", "((size_t)1 << 30)",
     "| the `bodies.jsonl` of a run whose frames are drawn | 1 GiB |"},
    {"src/app/bench/compare.c", "FILE_MAX", "((size_t)256 << 20)", "--compare` | 256 MiB a file |"},
    {"src/app/bench/bench_internal.h", "BENCH_MAX_ROUNDS", "100",
     "| `weir bench --against` | 3 to 100 rounds |"},
    {"src/app/summary/summary_command.c", "TABLE_MAX", "((size_t)256 << 20)",
     "| a table or a JSON file of `weir summary` | 256 MiB;"},
    {"src/app/summary/summary_command.c", "FILE_MAX", "((size_t)1 << 30)",
     "of `weir summary` | 256 MiB; a picture 1 GiB |"},
    {"src/app/bench/bench_command.c", "SWEEP_MAX", "4", "| `weir bench --sweep` | 4 values:"},
    {"src/app/main/report.c", "MAX_FILE_BYTES", "((size_t)64 << 20)",
     "| what `weir report` packs | a scene or a `run.json` of 64 MiB,"},
    {"src/app/main/report.c", "MAX_STATS_BYTES", "((size_t)1 << 30)", "a `stats.csv` of 1 GiB |"},
    {"src/app/app.h", "ARGS_LIST_MAX", "64", "| `--set`, `--var` and other lists | 64 values |"},
    {"src/app/view/commands/script_player.c", "SCRIPT_MAX", "(1u << 20)",
     "| a script of the viewer | 1 MiB,"},
    {"src/app/view/commands/script_parser.c", "WORDS_MAX", "32u", "1 MiB, 32 words a command"},
    {"src/app/view/commands/script_parser.c", "MAX_ERRORS", "20u", "; 20 faults are listed |"},
    {"src/app/view/view_command.c", "SIDE_MAX", "16384u",
     "| a picture, the viewer's window | 16,384 pixels on a side,"},
    {"src/app/view/commands/dispatch_command.c", "SIDE_MAX", "16384.0",
     "| a picture, the viewer's window | 16,384 pixels on a side,"},
    {"src/api/render/view.c", "MAX_PIXELS_PER_SIDE", "16384u",
     "| a picture, the viewer's window | 16,384 pixels on a side,"},
    {"src/app/view/commands/file_commands.c", "MAX_FILE_NUMBER", "10000",
     "names itself | 9999 of each"},
    {"src/sim/world/checkpoint.c", "FRAMES_MAX", "(UINT64_C(1) << 32)", "of at most 2³² frames"},
    {"src/sim/world/checkpoint.c", "TIME_MAX_S", "1e9", "frames and 10⁹ s,"},
    {"src/scene/scene_emitter.h", "SCENE_EMITTER_MAX_SPEED", "1000.0f",
     "| speed of an emitter that a caller or a checkpoint sets | 1000 m/s |"},
    {"src/sim/state/sim_state.h", "SIM_SPEED_MAX", "1e9f",
     "| speed of a particle that a caller sets | 1,000,000,000 m/s |"},
    {"src/scene/scene_emitter.h", "SCENE_EMITTER_MAX_MOVE", "1e5f",
     "a caller moves the shape of an emitter | 100,000 m |"},
    {"src/sim/input/emitter_sites.c", "MAX_LATTICE_SITES", "(1 << 24)",
     "around the shape of an emitter | 16,777,216 |"},
    {"src/sim/state/sim_state.h", "SIM_MAX_EMISSIONS", "4096u", "release in a frame | 4096 |"},
    {"src/gpu/gpu_internal.h", "GPU_MAX_WORKGROUP", "256u", "workgroups of 256 invocations"},
    {"src/gpu/gpu.h", "GPU_PASS_BUFFERS", "16", "and 16 storage buffers of a shader"},
    {"src/gpu/gpu_internal.h", "GPU_MAX_SHARED_BYTES", "16384u", "at most the 16,384 bytes"},
    {"src/gpu/gpu_internal.h", "GPU_MAX_DEVICES", "32u", "more than 32 devices the first 32"},
    {"src/render/passes.c", "MAX_FLOW_STEPS", "64u", "filter `curvature-flow` | 64;"},
    {"src/grid/grid.c", "MAX_SEGMENTS", "((1u << 27) - 8u)", "| 134,217,720 segments of"},
    {"shaders/shared/grid.h", "GRID_SEGMENT_BINS", "32u", "segments of 32 cells"},
    {"src/poisson/poisson.c", "MAX_BLOCK_ENTRIES", "(1u << 24)", "16,777,216 blocks of 8³ cells"},
    {"src/body/body_internal.h", "BODY_PENETRATION_MAX_CELLS", "4096u",
     "| cells of one size in which an overlap of two bodies is sought | 4096,"},
    {"src/deformable/cloth_rope_shape.c", "MAX_VERTICES", "2000000u", "2,000,000 vertices each,"},
    {"src/deformable/deformable_internal.h", "DEFORMABLE_MAX_COLOURS", "64u",
     " 64 colours of bonds;"},
    {"src/deformable/clusters.c", "MAX_MEMBERS", "8000000u", "| 8,000,000 members of all"},
    {"src/deformable/soft_body_lattice.c", "MAX_CELLS", "4000000.0",
     "| the lattice of a soft body | 4,000,000 cells"},
    {"mesher/surface_internal.h", "SURFACE_TRIANGLES_MAX", "(UINT32_MAX / 3u - 1u)",
     "as many triangles: 1,431,655,764 |"},
    {"shaders/shared/deformable.h", "DEFORMABLE_MAX_CANDIDATES", "31u",
     "near one vertex | 31 are met,"},
    {"shaders/shared/solid.h", "SOLID_MAX_NODES", "256u", "256 shapes and set operations |"},
    {"shaders/shared/sim.h", "SIM_MAX_FLUIDS", "16u", "| fluids, forces, gauges | 16, "},
    {"shaders/shared/sim.h", "SIM_DRIFT_MAX_ERROR", "0.5f", "too full | 0.5 of a full cell |"},
    {"shaders/shared/sim.h", "SIM_VISCOUS_MAX_ITERATIONS", "100u", "solve for viscosity | 100 |"},
    {"shaders/shared/mesh.h", "MESH_BIN_MAX", "65000u",
     "a bin of the mesher, 4 or 8 cells wide "
     "| 65,000 |"},
    {"mesher/frame.c", "MAX_SUPER_BLOCKS", "(1u << 25)", /* blocks of 64 cells on a side */
     "| the box of the points that are meshed | 2⁴³ = 8.8·10¹² cells |"},
    {"shaders/shared/mesh.h", "MESH_SEARCH_MAX", "32u", "search radius | 1 to 32 cells |"},
    {"shaders/shared/probe.h", "PROBE_MAX_STEPS", "16384u", "| 16,384 half spacings |"},
    {"shaders/shared/whitewater.h", "WHITEWATER_MAX_EMITTED", "1000u",
     "bears at most 1000 of each kind"},
    {"shaders/shared/body.h", "BODY_MAX_ROTATION", "1.0f", "| a turn of 1 rad and"},
    {"src/geometry/point_thinning.c", "MAX_DENSITY_RATIO", "32.0",
     "| 32 times as many as a lattice"},
    {"shaders/shared/sim.h", "SIM_MAX_FORCE_GAUGE_SOLIDS", "4u", " 32 (4 of them of force) |"},
    {"shaders/shared/body.h", "BODY_MAX_SPIN_ENERGY_GAIN", "0.01f", "turns it may add 1 % to it,"},
    {"shaders/shared/body.h", "BODY_JOINT_MAX_ACCELERATION", "50.0f",
     "| a hand's acceleration of a body | 50 m/s² beyond its weight |"},
};

/* Constants that are no limits of this kind, and why the page does not mention them, or how it
   does. */
static const char *const apart[][2] = {
    {"MAX_COUNTERS", "of a trace: Weir has three"},
    {"MAX_SAMPLED_NODES", "of a curve or a shape of a force, whose cells are chosen to fit"},
    {"COORDINATE_MAX", "a range of keys: parameters.md"},
    {"POSITION_MAX", "a range of keys: parameters.md"},
    {"TIME_MAX", "a range of keys: parameters.md"},
    {"SPEED_MAX", "a range of keys: parameters.md"},
    {"MAX_TIME_S", "the time of a state, as of a checkpoint"},
    {"FLOW_RATE_MAX", "a range of a key: parameters.md"},
    {"SCENE_MAX_SPEED_SPACINGS", "a range of a key: parameters.md"},
    {"SCENE_FILE_MAX", "what is read at all, so that the parser can name its own limit"},
    {"COMM_MAX_RANKS", "ranks of a simulation: WEIR_MAX_RANKS"},
    {"MAX_MESSAGES", "that a rank sends in one exchange: two to each neighbour"},
    {"MAX_REQUESTS", "that a rank of MPI has begun: a message to and from each other rank"},
    {"MAX_PARTS", "of one request of MPI"},
    {"GRID_PARTS_MAX", "the parts into which the bins of a rank are numbered"},
    {"HEAD_MAX", "of a file that Weir wrote"},
    {"MAX_LIST_RETRIES", "of a list of frames that others write at the same time; then a message"},
    {"WATCH_MAX_READS", "of a frame that another program may still be writing"},
    {"MAX_FOLDER_NUMBERS", "of run folders beside each other; then a message"},
    {"MAX_COMPRESSION_RATIO", "of deflate: what the format can reach"},
    {"MAX_CELLS",
     "src/geometry/csg_mesh.c: how finely a picture shows a set; soft_body_lattice.c is above"},
    {"MAX_CELLS_THIN_SHELL", "how finely a picture shows a set"},
    {"MAX_CELL_INDEX", "what a 64-bit integer holds"},
    {"MAX_FAN_TRIANGLES", "around more triangles a picture shades them flat"},
    {"EXTENT_MAX", "of a fixed point, chosen by the domain's size"},
    {"MAX_ORIGIN_S", "of a time that a checkpoint holds"},
    {"MAX_MOVE", "how a lattice is fitted to its surface"},
    {"MAX_SEARCH_STEPS", "how far the lattice under a vertex of a surface is sought"},
    {"MAX_GAP", "how close a cloth's vertices lie"},
    {"HALF_MAX", "of the EXR format"},
    {"ITERATIONS_MAX", "above the most iterations of a scene"},
    {"SIM_MAX_ITERATIONS", "above the most iterations of a scene"},
    {"SIM_DENSITY_ERRORS_MAX", "a place in a table"},
    {"SIM_EXTERNAL_MAX_NEIGHBOURS", "of one particle of a caller: more are far beyond a fluid"},
    {"SIM_NEAR_BODIES_MAX", "more of them take the longer way of the overflow queue"},
    {"SIM_SDF_MAX_SLOPE", "of the distance in a cell: the square root of 3"},
    {"SIM_MAC_MAX_ITERATIONS", "of the pressure solve, whose residual stats.csv has"},
    {"SIM_MAC_MAX_ITERATIONS_COUPLED", "of the pressure solve with bodies"},
    {"SIM_DRIFT_MAX_CELLS", "how fast the density correction works"},
    {"SIM_RESEED_MAX_PER_LINE", "above the particles that a line of a cell holds"},
    {"POISSON_MAX_LEVELS", "above the levels of the largest grid"},
    {"GRID_MAX_DISPATCH_X", "what every device grants; larger dispatches have rows"},
    {"MAX_HALF_BIN_SEGMENTS", "beyond it the lists are tuned on whole bins"},
    {"MAX_HALVINGS", "of a lattice's spacing in the autotuning of neighbour lists"},
    {"RENDER_MAX_FLUIDS", "as many as a scene may have"},
    {"PROBE_MAX_IN_FLIGHT", "of queries; another waits for the first"},
    {"BODY_MAX_CANDIDATES",
     "of a sample of a body; what more would do is the body's thickness, on the page"},
    {"BODY_MAX_SAMPLE_ITEMS", "how samples are packed for the dispatch"},
    {"BODY_MAX_BIT_WORDS", "1024 bodies, on the page"},
    {"BODY_BROAD_PHASE_MAX_WORDS", "beyond it the cells are larger, with the same results"},
    {"BODY_MAX_QUERY_CELLS", "beyond it all bodies are tested, with the same results"},
    {"MAX_SUBDIVISIONS", "of a cell in the search for the deepest point"},
    {"MAX_STEPS", "src/body: of a search along a ray or a distance; fast_motion.c is above"},
    {"PITCH_MAX", "how far the viewer's camera tilts"},
    {"DISTANCE_MAX", "how far the viewer's camera goes"},
    {"FOV_MAX_DEGREES", "of the viewer's lens"},
    {"VIEW_PARAMS_MAX", "above the number of keys"},
    {"ANISOTROPY_AXIS_MAX", "the shape of an ellipsoid"},
    {"DEFORMABLE_MAX_FACET_BINS", "beyond it the cells are larger, with the same results"},
    {"DEFORMABLE_MAX_VERTICES", "of a bond"},
    {"MAX_DRAWS", "of a point of a whitewater emitter's shape, whose share of its box is checked"},
    {"LISTED_MAX", "what a driver tells of a kernel, for weir_device_def.isa_folder"},
    {"LISTING_MAX", "what a driver tells of a kernel, for weir_device_def.isa_folder"},
    {"GPU_MAX_PARTS", "of a kernel that takes long: of more, each takes longer"},
    {"GPU_MAX_CONSTANTS", "of a kernel, which the project's own shaders keep"},
    {"MAX_IDLE_PIPELINES", "of pipelines kept for later, without which they are made again"},
    {"MAX_CACHED_SETS", "of descriptor sets kept for later, without which they are made again"},
    {"MAX_CACHE_BYTES", "of the pipelines' cache, without which they are made again"},
    {"MAX_BYTES", "of the pipelines' cache, without which they are made again"},
    {"SOURCE_MAX", "of the project's own shaders, when they are reloaded"},
    {"COUNTERS_MAX", "of a pass"},
    {"MAX_DROPS", "how many drops a particle of spray is drawn as"},
    {"MAX_SUB_DROPS", "how many drops each of these is drawn as"},
    {"MAX_DROP_DIAMETER_M", "of drops that last in the air"},
    {"MAX_DENSITY_ERROR_SHOWN", "the end of a colour scale"},
    {"MAX_THINNING_TRIES", "\"beyond it fewer are born\""},
    {"WHITEWATER_MAX_PASSES", "of the module's own table"},
    {"WHITEWATER_MAX_PARENT_DEPTH", "what makes whitewater: docs/parameters.md"},
    {"WHITEWATER_MAX_SURFACE_FRACTION", "what a surface is"},
    {"WHITEWATER_MAX_SURFACE_PULL", "what a surface is"},
    {"MAX_MOVE_SPACINGS",
     "how far a particle moves between two stored frames that belong together"},
    {"CLEAN_MAX_ANGLE", "of the triangles that the clean-up works on"},
    {"MAX_SWEPT_VOLUME", "of one step of the clean-up"},
    {"MAX_ARRAYS", "of a mesh's read-back: its own attributes"},
    {"MAX_OFFSET_RATIO", "of one step of smoothing"},
    {"MAX_DROP_GROWTH", "of one step of smoothing"},
    {"WEIR_VULKAN_MAX_SYNCS", "of a call; beyond it ARGUMENT, as weir/vulkan.h says"},
    {"MODES_MAX", "of a gate's own scene"},
    {"MESH_BIN_WINDOW_MAX", "of bins, from MESH_SEARCH_MAX"},
};

/* Returns the value of "#define NAME value", without a trailing comment, on the same line or the
   next; NULL if there is none. */
static const char *value_of(const char *text, const char *name, size_t *size)
{
    char start[96];
    snprintf(start, sizeof start, "#define %s ", name);
    for (const char *line = text; line; line = structure_next_line(line)) {
        if (strncmp(line, start, strlen(start)) != 0) continue;
        const char *value = line + strlen(start), *end = line + structure_line_length(line);
        if (strncmp(value, "\\\n", 2) == 0) {
            value += 2 + strspn(value + 2, " ");
            end = value + structure_line_length(value);
        }
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
    size_t faults = 0;
    char *page = structure_read_file("docs/limits.md");
    assert_non_null(page);
    for (size_t i = 0; i < BASE_COUNT(limits); i++) {
        const limit *l = &limits[i];
        size_t size = 0;
        char *text = structure_read_file(l->file);
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

/* ---- completeness --------------------------------------------------------------------------- */

typedef struct tally {
    size_t found, faults;
} tally;

/* Returns whether a constant's name has the word, between underscores. */
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

static bool is_known(const structure_file *file, const char *name)
{
    for (size_t i = 0; i < BASE_COUNT(limits); i++)
        if (strcmp(limits[i].file, file->path) == 0 && strcmp(limits[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < BASE_COUNT(apart); i++)
        if (strcmp(apart[i][0], name) == 0) return true;
    return false;
}

static void check_file(void *user, const structure_file *file)
{
    static const char start[] = "#define ";
    tally *t = user;
    for (const char *line = file->text; line; line = structure_next_line(line)) {
        if (strncmp(line, start, sizeof start - 1) != 0) continue;
        const char *name = line + sizeof start - 1;
        char whole[96];
        size_t size = strcspn(name, " (\n");
        if (name[size] == '(' || size >= sizeof whole) continue; /* a macro with parameters */
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
    tally t = {0};
    static const char *const shared = "shaders/shared";
    structure_each_file(structure_source_folders, BASE_COUNT(structure_source_folders), check_file,
                        &t);
    structure_each_file(&shared, 1, check_file, &t);
    assert_true(t.found > 60);
    assert_int_equal(t.faults, 0);
}

static void a_new_limit_is_found(void **state)
{
    static const structure_file bad[] = {
        {"src/io", "src/io/x.c", "\n#define LINES_MAX 12u /* of a file */\n"},
        {"src/io", "src/io/x.c", "#define MAX_LINES 12u\n"},
        {"src/sim", "src/sim/x.c", "#define SIM_MOST_LINES 12u\n"},
        {"src/sim", "src/sim/x.c", "#define FILE_MOST 12u\n"}, /* in another file */
    };
    static const structure_file good = {
        "src/io", "src/io/x.c", "#define CLIMAX 1\n#define MAX(a, b) a\n#define MOSTLY 2\n"};
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

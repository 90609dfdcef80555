/* Creates every kernel that a scene, a mesher or a picture can need, and runs none of them:
 * isa_layer.c compiles them for tests/isa/test_isa.py and
 * tools/gpu-report. */
#include "autotune_lists.h"
#include "mesher_internal.h"
#include "overlay.h"
#include "probe.h"
#include "render_internal.h"
#include "sim_density_solver.h"
#include "sim_solvers.h"
#include "solid_internal.h"
#include "whitewater.h"

#include "grid/shaders.h"
#include "shared/grid.h"

#include <stdlib.h>

/* One gauge of each kind. */
#define GAUGES                                                                           \
    "gauges=[{\"name\": \"h\", \"height\": {\"min\": [1, 0, 0], \"max\": [2, 1, 0.9]}}," \
    "{\"name\": \"t\", \"front\": {\"min\": [1, 0, 0], \"max\": [2, 1, 0.9]}},"          \
    "{\"name\": \"p\", \"pressure\": {\"position\": [1, 0.2, 0.5]}},"                    \
    "{\"name\": \"f\", \"force\": {\"solid\": \"paddle\"}},"                             \
    "{\"name\": \"q\", \"flow\": {\"position\": [2, 0.2, 0.5], \"direction\": [1, 0, 0]}}]"

#define BODY                                                                       \
    "bodies=[{\"name\": \"b\", \"density\": 500, \"shape\": {\"box\": {\"size\": " \
    "[0.5, 0.5, 0.5]}, \"position\": [2, 0.5, 0.5]}}]"

#define ATTRIBUTES                                                                  \
    "attributes=[{\"name\": \"dye\", \"diffusivity\": 1e-4}, {\"name\": \"tint\", " \
    "\"components\": "                                                              \
    "3}]"
#define CURVES(key)                                                                           \
    ATTRIBUTES,                                                                               \
        "fluids[0]." key "_curve={\"attribute\": \"dye\", \"points\": [{\"value\": 0, \"" key \
        "\": 1}, {\"value\": 1, \"" key "\": 2}]}"
#define KEPT_ATTRIBUTES "attributes=[{\"name\": \"dye\"}, {\"name\": \"tint\", \"components\": 4}]"

/* Scenes for every method, as coarse as possible. */
typedef struct scene_case {
    const char *path;
    const char *sets[4];
    bool compact; /* with both kinds of lists */
} scene_case;

static const scene_case scenes[] = {
    {"scenes/dam_break.json", {"spacing=0.1"}, true},
    {"scenes/dam_break.json",
     {"spacing=0.1", "solver.long_range_correction=on", "solver.tolerance.mean=0.01",
      "solver.residuals=true"},
     false},
    {"scenes/dam_break.json",
     {"spacing=0.1", "solver.method=pcisph", "solver.adaptive=true"},
     true},
    {"scenes/dam_break.json", {"spacing=0.1", "solver.method=wcsph"}, true},
    {"scenes/flip_dam.json", {"spacing=0.06"}, false},
    {"scenes/flip_dam.json", {"spacing=0.06", "solver.method=apic"}, false},
    {"scenes/dam_break.json", {"spacing=0.1", ATTRIBUTES}, true},
    {"scenes/flip_dam.json", {"spacing=0.06", "solver.reseed=true", ATTRIBUTES}, false},
    {"scenes/fountain.json", {"spacing=0.08", KEPT_ATTRIBUTES}, false},
    {"scenes/flip_dam.json", {"spacing=0.06", "sea={\"level\": 0.3}"}, false},
    {"scenes/flip_dam.json",
     {"spacing=0.06", "forces=[{\"type\": \"noise\", \"amplitude\": 1, \"size\": 1}]"},
     false},
    {"scenes/dam_break.json", {"spacing=0.1", CURVES("dynamic_viscosity")}, true},
    {"scenes/dam_break.json", {"spacing=0.1", CURVES("surface_tension")}, true},
    {"scenes/flip_dam.json", {"spacing=0.06", CURVES("dynamic_viscosity")}, false},
    {"scenes/oil_and_water.json", {"spacing=0.1"}, true},
    {"scenes/honey.json", {"spacing=0.02"}, true},
    {"scenes/honey.json", {"spacing=0.02", "solver.method=flip"}, false},
    {"scenes/fountain.json", {"spacing=0.08"}, false},
    {"scenes/wave_tank.json", {"spacing=0.16", "solver.long_range_correction=on"}, false},
    {"scenes/wave_tank.json", {"spacing=0.16", "solver.method=pcisph"}, false},
    {"scenes/wave_tank.json", {"spacing=0.16", "solver.method=wcsph"}, false},
    {"scenes/wave_tank.json", {"spacing=0.16", "solver.method=flip"}, false},
    {"scenes/wave_tank.json", {"spacing=0.16", "solver.method=pbf", GAUGES}, false},
    {"scenes/wave_tank.json",
     {"spacing=0.16", "solver.method=flip", GAUGES, "domain.friction=0.2"},
     false},
    {"scenes/rafts.json", {"spacing=0.1"}, false},
    {"scenes/rafts.json",
     {"spacing=0.1", "solver.method=flip", "solver.reseed=true", "domain.friction=0.2"},
     false},
    {"scenes/rafts.json", {"spacing=0.1", "solver.method=apic"}, false},
    {"scenes/rafts.json", {"spacing=0.1", "fluids[0].dynamic_viscosity=10"}, false},
    {"scenes/tarpaulin.json", {"spacing=0.1"}, false},
    {"scenes/tarpaulin.json", {"spacing=0.1", "cloths[0].permeability=1e-4"}, false},
    {"scenes/flag.json", {"spacing=0.1"}, false},
    {"scenes/jelly.json", {"spacing=0.05"}, false},
    /* Last: a kernel's statistics are those of the first scene that creates it. */
    {"scenes/wave_tank.json", {"spacing=0.16", "solver.solid_forces=true", BODY}, false},
    {"scenes/wave_tank.json",
     {"spacing=0.16", "solver.method=flip", "solver.solid_forces=true"},
     false},
    {"scenes/wave_tank.json",
     {"spacing=0.16", "solver.solid_forces=true", "fluids[0].dynamic_viscosity=10"},
     false},
};

/* Ids of the specialization constants. */
#define IS(id, name) GRID_CONSTANT_##name = (id),
enum { GRID_CONSTANTS(IS, IS) };

static void print(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    fprintf(stderr, "%s\n", text);
}

static const weir_log to_stderr = {print, NULL, WEIR_LOG_ERROR};

/* Creates the kernels that a simulation creates on request: particles in the order of their ids, a
 * slice. */
static weir_result make_readers(sim_world *world)
{
    static const int shaders[] = {SIM_READBACK_MARK_IDS, SIM_READBACK_POPCOUNT,
                                  SIM_READBACK_ID_RANKS, SIM_READBACK_GATHER};
    for (size_t i = 0; i < BASE_COUNT(shaders); i++)
        WEIR_RETURN_IF_ERROR(sim_require_pipeline(world, shaders[i]));
    return scene_has_grid(&world->scene->solver) ? sim_require_pipeline(world, SIM_MAC_SLICE)
                                                 : WEIR_OK;
}

static weir_result read_scene(const scene_case *of, scene_data **scene)
{
    base_blob text = {0};
    scene_input input = {.source = of->path, .folder = "scenes", .overrides = of->sets};
    while (input.override_count < BASE_COUNT(of->sets) && of->sets[input.override_count])
        input.override_count++;
    WEIR_RETURN_IF_ERROR(base_file_read(&to_stderr, of->path, 1u << 20, &text));
    input.text = (const char *)text.bytes;
    input.size = text.size;
    weir_result result = scene_parse(&to_stderr, &input, scene);
    base_blob_free(&text);
    return result;
}

/* The simulation's shaders that a scene has created. */
static bool made[SIM_SHADERS];

static weir_result make_scene(gpu_device *device, const scene_case *of)
{
    weir_result result;
    scene_data *scene = NULL;
    WEIR_RETURN_IF_ERROR(read_scene(of, &scene));
    for (int compact = 0; compact <= of->compact; compact++) {
        sim_world *world = NULL;
        const sim_create_options choices = {.compact_lists = compact};
        WEIR_GOTO_IF_ERROR(sim_create_with_options(device, scene, &choices, &world));
        result = make_readers(world);
        for (int shader = 0; shader < SIM_SHADERS; shader++)
            made[shader] |= world->pipelines[shader] != NULL;
        sim_destroy(&world);
        if (result != WEIR_OK) goto fail;
    }
fail:
    scene_destroy(&scene);
    return result;
}

/* Creates the shaders that no scene above needs as the first scene would, so that a new force needs
 * no scene here. */
static weir_result make_other_shaders(gpu_device *device)
{
    const sim_create_options choices = {.compact_lists = false};
    scene_data *scene = NULL;
    sim_world *world = NULL;
    weir_result result;
    WEIR_GOTO_IF_ERROR(read_scene(&scenes[0], &scene));
    WEIR_GOTO_IF_ERROR(sim_create_with_options(device, scene, &choices, &world));
    for (int shader = 0; shader < SIM_SHADERS; shader++)
        if (!made[shader]) WEIR_GOTO_IF_ERROR(sim_require_pipeline(world, shader));
fail:
    sim_destroy(&world);
    scene_destroy(&scene);
    return result;
}

/* Creates the density solver alone, for the first scene: it searches for lists, and accepts a
 * caller's. */
static weir_result make_constraint(gpu_device *device)
{
    scene_data *scene = NULL;
    sim_density_solver *constraint = NULL;
    WEIR_RETURN_IF_ERROR(read_scene(&scenes[0], &scene));
    const sim_density_solver_call lists = {.count = 1, .provided = {[SIM_EXTERNAL_OFFSET] = true}};
    weir_result result = sim_density_solver_create(device, scene, &constraint);
    if (result == WEIR_OK) result = sim_density_solver_reserve(constraint, &lists);
    sim_density_solver_destroy(&constraint);
    scene_destroy(&scene);
    return result;
}

static weir_result make_meshers(gpu_device *device)
{
    static const char *const presets[] = {"calibrated", "sph", "anisotropic"};
    for (size_t i = 0; i < BASE_COUNT(presets); i++) {
        mesher *m;
        weir_mesher_def def = weir_mesher_def_default(presets[i]);
        WEIR_RETURN_IF_ERROR(mesher_create(device, &def, &m));
        mesher_destroy(&m);
    }
    return WEIR_OK;
}

/* Creates pictures with the simplest light, with every option, and as a host with parallel rays
 * uses them. */
static weir_result make_pictures(gpu_device *device)
{
    static const render_shade_variant lights[] = {
        {0},
        {true, true, true, true, true, true, false, false, true, true},
        {.solids = true, .parallel = true, .studio = true}};
    static const render_liquid water = {.colour = {0.1f, 0.2f, 0.3f}};
    const render_def def = {
        .max = {1, 1, 1}, .liquids = &water, .liquid_count = 1, .look = render_look_default()};
    static const grid_anisotropy_def fit = {.max = {1, 1, 1},
                                            .capacity = 1,
                                            .spacing_m = 0.1f,
                                            .radius_m = 0.2f,
                                            .smoothing = 0.9f,
                                            .stretch = 4,
                                            .sheet_reach = 1.5f};
    weir_result result;
    renderer *r;
    render_overlay *overlay;
    grid_anisotropy *anisotropy;
    WEIR_RETURN_IF_ERROR(render_create(device, &def, &r));
    for (size_t light = 0; light < BASE_COUNT(lights); light++) {
        r->light = lights[light];
        for (render_pipeline k = 0; k < RENDER_PIPELINES; k++) {
            const gpu_pipeline *kernel;
            WEIR_GOTO_IF_ERROR(render_pipeline_get(r, k, &kernel));
        }
    }
    WEIR_GOTO_IF_ERROR(render_overlay_create(device, &overlay));
    render_overlay_destroy(device, &overlay);
    WEIR_GOTO_IF_ERROR(grid_anisotropy_create(device, &fit, &anisotropy));
    grid_anisotropy_destroy(device, &anisotropy);
fail:
    render_destroy(&r);
    return result;
}

/* Creates whitewater without solids, and with those of a scene. */
static weir_result make_whitewater(gpu_device *device)
{
    static const scene_case tank = {.path = "scenes/wave_tank.json", .sets = {"spacing=0.16"}};
    weir_result result;
    const sim_create_options choices = {.compact_lists = false};
    whitewater_def def = {.max = {1, 1, 1}, .spacing_m = 0.1f, .limit = 1000};
    scene_data *scene = NULL;
    sim_world *world = NULL;
    WEIR_GOTO_IF_ERROR(read_scene(&tank, &scene));
    WEIR_GOTO_IF_ERROR(sim_create_with_options(device, scene, &choices, &world));
    for (int walls = 0; walls < 2; walls++) {
        whitewater *f = NULL;
        def.solids = walls ? sim_solids(world) : NULL;
        WEIR_GOTO_IF_ERROR(whitewater_create(device, &def, &f));
        whitewater_destroy(&f);
    }
fail:
    sim_destroy(&world);
    scene_destroy(&scene);
    return result;
}

static weir_result make_questions(gpu_device *device)
{
    static const probe_def def = {.max = {1, 1, 1}, .up = {0, 1, 0}};
    probe *p;
    WEIR_RETURN_IF_ERROR(probe_create(device, &def, &p));
    probe_destroy(&p);
    return WEIR_OK;
}

/* Creates the kernel of the trial of both kinds of lists, which src/grid/autotune_lists.c runs and
 * this program does not. */
static weir_result make_trial(gpu_device *device)
{
    for (uint32_t compact = 0; compact < GRID_LIST_KINDS; compact++) {
        const uint32_t constants[] = {[GRID_CONSTANT_COMPACT] = compact,
                                      [GRID_CONSTANT_FIXED] = true,
                                      [GRID_CONSTANT_PARTICLE_WORKGROUP] =
                                          gpu_device_workgroup(device)};
        const gpu_pipeline_def def = {.shader = &grid_shaders[GRID_BENCHMARK_LIST_READ],
                                      .constants = constants,
                                      .constant_count = BASE_COUNT(constants)};
        gpu_pipeline *kernel;
        WEIR_RETURN_IF_ERROR(gpu_pipeline_create(device, &def, &kernel));
        gpu_pipeline_destroy(device, &kernel);
    }
    return WEIR_OK;
}

static weir_result make_all(gpu_device *device)
{
    solid_sdf_baker *baker;
    for (size_t i = 0; i < BASE_COUNT(scenes); i++)
        WEIR_RETURN_IF_ERROR(make_scene(device, &scenes[i]));
    WEIR_RETURN_IF_ERROR(make_constraint(device));
    WEIR_RETURN_IF_ERROR(make_other_shaders(device));
    WEIR_RETURN_IF_ERROR(make_meshers(device));
    WEIR_RETURN_IF_ERROR(make_pictures(device));
    WEIR_RETURN_IF_ERROR(make_whitewater(device));
    WEIR_RETURN_IF_ERROR(make_questions(device));
    WEIR_RETURN_IF_ERROR(make_trial(device));
    WEIR_RETURN_IF_ERROR(solid_sdf_baker_create(device, &baker));
    solid_sdf_baker_destroy(device, &baker);
    return WEIR_OK;
}

int main(void)
{
    gpu_device *device;
    weir_device_def def = weir_device_def_default();
    def.log = to_stderr;
    def.cache_folder = "";
    if (gpu_device_create(&def, &device) != WEIR_OK) return EXIT_FAILURE;
    weir_result result = make_all(device);
    gpu_device_destroy(&device);
    return result == WEIR_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Hostile scenes, one table row each. A scene is either refused with a message, or it runs a few
   frames with each method, logs exactly the warnings of its row, and no number turns into NaN or
   infinity. Bodies, cloths, ropes and soft bodies gain no energy from nowhere. */
#include "sim_support.h"

#define FRAMES 3
#define SET_MOST 5

static const char base_scene[] =
    "{'domain': {'min': [0, 0, 0], 'max': [0.6, 0.6, 0.6]}, 'spacing': 0.05,"
    " 'solver': {'substeps': 2, 'iterations': 2},"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0],"
    " 'max': [0.3, 0.3, 0.3]}}}}],"
    " 'solids': [{'name': 'ball', 'shape': {'sphere': {'radius': 0.08}, 'position': [0.45, 0.1, "
    "0.3]}}],"
    " 'emitters': [{'name': 'tap', 'fluid': 'water', 'position': [0.3, 0.45, 0.3],"
    " 'direction': [0, -1, 0], 'radius': 0.06, 'speed': 1}]}";

typedef struct hostile {
    const char *what;
    weir_result status;
    const char *words; /* part of a logged message; NULL: nothing is logged */
    const char *set[SET_MOST];
} hostile;

#define TWO_FILLS                                                                              \
    "fluids[0].fill=[{\"shape\": {\"box\": {\"min\": [0, 0, 0], \"max\": [0.3, 0.3, 0.3]}}}, " \
    "{\"shape\": {\"box\": {\"min\": [0, 0, 0], \"max\": [0.3, 0.3, 0.3]}}, \"jitter\": 0.5}]"
#define TELEPORT                                                                            \
    "solids[0].motion={\"keyframes\": [{\"time\": 0, \"position\": [0, 0, 0]}, {\"time\": " \
    "0.001, \"position\": [-0.3, 0, 0]}]}"
#define SPIN                                                                                    \
    "solids[0].motion={\"spin\": {\"axis\": [0, 1, 0], \"rate\": 5000, \"centre\": [0.3, 0.1, " \
    "0.3]}}"
#define SHAKE "solids[0].motion={\"oscillation\": {\"amplitude\": [0.3, 0, 0], \"frequency\": 500}}"
#define GIANT "solids[0].shape={\"box\": {\"size\": [2, 2, 2]}}"
#define SHELL "solids[0].thickness=1e-6"
#define BY(method) "solver={\"method\": \"" method "\", \"substeps\": 2}"
#define STAR "gravity=[0, -10000, 0]"
#define BULLET "fluids[0].fill.velocity=[1000, 0, 0]"
#define NO_SOLID "solids=[]"
#define NO_TAP "emitters=[]"
#define BODIES(list) NO_TAP, "bodies=[" list "]"
#define BALL(mass, place, more)                                                             \
    "{\"name\": \"ball\", \"mass\": " mass ", \"shape\": {\"sphere\": {\"radius\": 0.08}, " \
    "\"position\": " place "}" more "}"
#define BRICK(name, mass, place, more)                                              \
    "{\"name\": \"" name "\", \"mass\": " mass ", \"shape\": {\"box\": {\"size\": " \
    "[0.1, 0.06, 0.16]}, \"position\": " place "}" more "}"
#define JELLY(name, place, more)                                                          \
    "{\"name\": \"" name "\", \"density\": 900, \"spacing\": 0.05, \"shape\": {\"box\": " \
    "{\"size\": [0.14, 0.14, 0.14]}, \"position\": " place "}, " more "}"
#define SHEET(weight, height, more)                                                                \
    NO_TAP,                                                                                        \
        "cloths=[{\"name\": \"sheet\", \"area_density\": " weight ", \"grid\": {\"corner\": "      \
        "[0.05, " height ", 0.05], \"along\": [0.3, 0, 0], \"across\": [0, 0, 0.3], \"spacing\": " \
        "0.05}" more "}]"

static const hostile table[] = {
    {"time steps a hundred times too long",
     WEIR_OK,
     "will compress it by",
     {"frame_rate=1", "solver.substeps=1"}},
    {"the fastest frames", WEIR_OK, NULL, {"frame_rate=10000"}},
    {"gravity of a neutron star", WEIR_OK, "will compress it by", {STAR}},
    {"gravity to the side",
     WEIR_OK,
     "may collide before they become neighbours",
     {"gravity=[10000, 10000, -10000]"}},
    {"no gravity", WEIR_OK, NULL, {"gravity=[0, 0, 0]"}},
    {"fluids of 1 and 30,000 kg/m3", WEIR_OK, NULL, {"fluids[0].density=30000"}},
    {"the lightest fluid", WEIR_OK, NULL, {"fluids[0].density=1"}},
    {"a fluid without mass", WEIR_ERROR_SCENE, "density", {"fluids[0].density=0"}},
    {"two fills in one place", WEIR_OK, "216 on top of other particles", {TWO_FILLS}},
    {"particles thrown about", WEIR_OK, NULL, {"fluids[0].fill.jitter=0.5"}},
    {"a fill as fast as a bullet", WEIR_OK, "use substeps 334 or more", {BULLET}},
    {"a fill faster than the range",
     WEIR_ERROR_SCENE,
     "velocity",
     {"fluids[0].fill.velocity=[1e9, 0, 0]"}},
    {"a fill that turns wildly",
     WEIR_OK,
     "use substeps 917 or more",
     {"fluids[0].fill.velocity_gradient={\"x\": [0, 10000, 0]}"}},
    {"a fill outside the domain",
     WEIR_ERROR_SCENE,
     "is outside the domain",
     {"fluids[0].fill.shape.box={\"min\": [2, 2, 2], \"max\": [3, 3, 3]}"}},
    {"a fill without size",
     WEIR_ERROR_SCENE,
     "min not below max",
     {"fluids[0].fill.shape.box={\"min\": [0.1, 0.1, 0.1], \"max\": [0.1, 0.1, 0.1]}"}},
    {"a domain of one cell",
     WEIR_OK,
     NULL,
     {"domain.max=[0.12, 0.12, 0.12]", NO_SOLID, NO_TAP,
      "fluids[0].fill.shape.box={\"min\": [0, 0, 0], \"max\": [0.12, 0.12, 0.12]}"}},
    {"a domain narrower than a support",
     WEIR_ERROR_SCENE,
     "domain",
     {"domain.max=[0.6, 0.6, 0.05]", NO_SOLID, NO_TAP}},
    {"a domain inside out", WEIR_ERROR_SCENE, "domain", {"domain.max=[-1, 0.6, 0.6]"}},
    {"a domain far away",
     WEIR_ERROR_SCENE,
     "origin",
     {"domain.min=[90000, 0, 0]", "domain.max=[90001, 1, 1]"}},
    {"no spacing", WEIR_ERROR_SCENE, "spacing", {"spacing=0"}},
    {"a spacing wider than the fluid", WEIR_ERROR_SCENE, "spacing", {"spacing=50"}},
    {"a spacing that no memory holds", WEIR_ERROR_SCENE, "too coarse beyond", {"spacing=0.00002"}},
    {"a number that is none", WEIR_ERROR_SCENE, "spacing", {"spacing=NaN"}},
    {"an endless number", WEIR_ERROR_SCENE, "expected three numbers", {"gravity=[0, -1e999, 0]"}},
    {"a solid that jumps through the fluid", WEIR_OK, "solid ball moves 6 spacings", {TELEPORT}},
    {"a solid that spins at 5000 rad/s", WEIR_OK, "it may pass through fluid", {SPIN}},
    {"a solid that shakes at 500 Hz", WEIR_OK, "it may pass through fluid", {SHAKE}},
    {"a solid that fills the domain", WEIR_ERROR_SCENE, "has no particles", {GIANT}},
    {"a solid in the fluid",
     WEIR_OK,
     "8 in or at a wall or a solid",
     {"solids[0].shape.position=[0.15, 0.15, 0.15]"}},
    {"a solid without size", WEIR_ERROR_SCENE, "radius", {"solids[0].shape.sphere.radius=0"}},
    {"a shell without thickness", WEIR_OK, "using 0.025 m", {SHELL}},
    {"an emitter at 1000 m/s",
     WEIR_ERROR_ARGUMENT,
     "more than 4096 layers",
     {"emitters[0].speed=1000", "frame_rate=1"}},
    {"an emitter at the wall", WEIR_OK, NULL, {"emitters[0].position=[0.3, 0, 0.3]"}},
    {"an emitter in a solid", WEIR_OK, NULL, {"emitters[0].position=[0.45, 0.1, 0.3]"}},
    {"an emitter without a direction",
     WEIR_ERROR_SCENE,
     "direction",
     {"emitters[0].direction=[0, 0, 0]"}},
    {"no iteration to speak of",
     WEIR_OK,
     "will compress it by",
     {"solver.iterations=1", "solver.substeps=1"}},
    {"a relaxation beyond stability",
     WEIR_OK,
     "the particles will jitter",
     {"solver.relaxation=2", "solver.constraint_softening=0"}},
    {"the widest support", WEIR_OK, "the particles will jitter", {"solver.support_radius=4"}},
    {"all forces at once",
     WEIR_OK,
     "may collide before they become neighbours",
     {"forces=[{\"type\": \"central\", \"centre\": [0.3, 0.3, 0.3], \"strength\": 1000000}]"}},
    {"surface tension of 1000 N/m",
     WEIR_OK,
     "which the surface tension of fluid water allows",
     {"fluids[0].surface_tension=1000"}},
    {"tar in long steps",
     WEIR_OK,
     "will compress it by",
     {"fluids[0].dynamic_viscosity=100000", "solver.substeps=1"}},
    {"every side open",
     WEIR_OK,
     NULL,
     {"domain.sides={\"x\": \"open\", \"y\": \"open\", \"z\": \"open\"}"}},
    {"every side periodic",
     WEIR_OK,
     NULL,
     {"domain.sides={\"x\": \"periodic\", \"y\": \"periodic\", \"z\": \"periodic\"}"}},
    {"a sink that takes all",
     WEIR_OK,
     NULL,
     {"sinks=[{\"name\": \"drain\", \"shape\": {\"sphere\": {\"radius\": 9}}}]"}},
    {"vorticity without measure", WEIR_OK, NULL, {"solver.vorticity_confinement=10"}},
    {"a ball of ten tonnes on water",
     WEIR_OK,
     NULL,
     {BODIES(BALL("10000", "[0.15, 0.4, 0.15]", ""))}},
    {"a ball of a milligram in water",
     WEIR_OK,
     NULL,
     {BODIES(BALL("1e-6", "[0.15, 0.15, 0.15]", ""))}},
    {"a ball of ten tonnes in cells",
     WEIR_OK,
     NULL,
     {BODIES(BALL("10000", "[0.15, 0.15, 0.15]", "")), "solver.method=flip"}},
    {"a ball without mass",
     WEIR_ERROR_SCENE,
     "density",
     {BODIES(BALL("0", "[0.15, 0.4, 0.15]", ""))}},
    {"a body that turns at 10,000 rad/s",
     WEIR_OK,
     NULL,
     {BODIES(
         BRICK("brick", "1", "[0.15, 0.4, 0.15]", ", \"angular_velocity\": [10000, 10000, 100]"))}},
    {"a body as fast as a bullet",
     WEIR_OK,
     "may pass through thin obstacles",
     {BODIES(BRICK("brick", "1", "[0.45, 0.4, 0.3]", ", \"velocity\": [-1000, -1000, 0]"))}},
    {"ten tonnes on ten grams on water",
     WEIR_OK,
     NULL,
     {BODIES(BRICK("light", "0.01", "[0.15, 0.34, 0.15]",
                   "") "," BRICK("heavy", "10000", "[0.15, 0.41, 0.15]", ""))}},
    {"bodies in each other",
     WEIR_ERROR_SCENE,
     "into body",
     {BODIES(BRICK("one", "1", "[0.15, 0.4, 0.15]", "") "," BRICK("two", "1", "[0.17, 0.41, 0.15]",
                                                                  ""))}},
    {"soft bodies in each other",
     WEIR_OK,
     "overlaps soft body",
     {NO_TAP, "soft_bodies=[" JELLY("one", "[0.15, 0.42, 0.15]", "\"stiffness\": 1e5") "," JELLY(
                  "two", "[0.18, 0.45, 0.17]", "\"stiffness\": 1e5") "]"}},
    {"a soft body of steel that flies",
     WEIR_OK,
     "set solver.substeps to 259",
     {NO_TAP, "soft_bodies=[" JELLY("one", "[0.4, 0.42, 0.4]",
                                    "\"stiffness\": 1e9, \"velocity\": [-100, -100, 20]") "]"}},
    {"a soft body in a solid",
     WEIR_ERROR_SCENE,
     "starts in solid 'ball'",
     {NO_TAP, "soft_bodies=[" JELLY("one", "[0.45, 0.15, 0.3]", "\"stiffness\": 1e4") "]"}},
    {"a soft body that touches a solid",
     WEIR_OK,
     "overlaps solid 'ball'",
     {NO_TAP, "soft_bodies=[" JELLY("one", "[0.45, 0.24, 0.3]", "\"stiffness\": 1e4") "]"}},
    {"a soft body below the floor",
     WEIR_ERROR_SCENE,
     "starts beyond the domain's side '-y'",
     {NO_TAP, "soft_bodies=[" JELLY("one", "[0.45, -1, 0.3]", "\"stiffness\": 1e4") "]"}},
    {"a cloth below the floor",
     WEIR_ERROR_SCENE,
     "starts beyond the domain's side '-y'",
     {SHEET("100", "-1.2", "")}},
    {"a cloth through a body",
     WEIR_ERROR_SCENE,
     "starts in body 'ball'",
     {SHEET("100", "0.4", ""), "bodies=[" BALL("1", "[0.2, 0.4, 0.2]", "") "]"}},
    {"a rope half outside",
     WEIR_ERROR_SCENE,
     "starts beyond the domain's side '+x'",
     {NO_TAP, "ropes=[{\"name\": \"line\", \"line_density\": 1, \"diameter\": 0.02, "
              "\"points\": [[0.3, 0.4, 0.3], [0.9, 0.4, 0.3]]}]"}},
    {"a cloth of a tenth of a gram under water",
     WEIR_OK,
     "will stretch and leak",
     {SHEET("1e-4", "0.15", "")}},
    {"a cloth of ten tonnes on water", WEIR_OK, NULL, {SHEET("10000", "0.35", "")}},
    {"a cloth as fast as a bullet",
     WEIR_OK,
     "will stretch and leak",
     {SHEET("1", "0.35", ", \"velocity\": [0, -1000, 0], \"tear_strain\": 0.1")}},
    {"ten tonnes on a thread",
     WEIR_OK,
     "will stretch and leak",
     {BODIES(BALL("10000", "[0.15, 0.4, 0.15]", "")),
      "ropes=[{\"name\": \"thread\", \"line_density\": 1e-6, \"diameter\": 0.01, \"points\": "
      "[[0.15, 0.48, 0.15], [0.15, 0.58, 0.15]], \"pins\": [{\"vertices\": [0], \"body\": "
      "\"ball\"}, {\"vertices\": [-1]}]}]"}},
    {"nothing but PCISPH", WEIR_OK, NULL, {BY("pcisph")}},
    {"nothing but WCSPH", WEIR_OK, NULL, {BY("wcsph")}},
    {"nothing but FLIP", WEIR_OK, NULL, {BY("flip")}},
    {"nothing but APIC", WEIR_OK, NULL, {BY("apic")}},
    {"gravity of a neutron star by PCISPH",
     WEIR_OK,
     "may collide before they become neighbours",
     {BY("pcisph"), STAR}},
    {"gravity of a hundred earths by WCSPH", WEIR_OK, NULL, {BY("wcsph"), "gravity=[0, -981, 0]"}},
    {"gravity of a neutron star by FLIP",
     WEIR_OK,
     "its path leaves the known velocities; use substeps ",
     {BY("flip"), STAR}},
    {"gravity of a neutron star by APIC",
     WEIR_OK,
     "its path leaves the known velocities; use substeps ",
     {BY("apic"), STAR}},
    {"a bullet by PCISPH", WEIR_OK, "use substeps 334 or more", {BY("pcisph"), BULLET}},
    {"a bullet by WCSPH",
     WEIR_ERROR_SCENE,
     "which needs 7937 substeps per frame, expected at most ",
     {BY("wcsph"), BULLET}},
    {"a bullet by FLIP", WEIR_OK, "83 cells per substep", {BY("flip"), BULLET}},
    {"a bullet by APIC", WEIR_OK, "83 cells per substep", {BY("apic"), BULLET}},
};

static gpu_device *device;
static char said[8192];

static void keep(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    size_t size = strlen(said);
    snprintf(said + size, sizeof said - size, "%s\n", text);
}

static int open_device(void **state)
{
    weir_device_def def = weir_device_def_default();
    def.log = (weir_log){.write = keep, .level = WEIR_LOG_WARNING};
    def.cache_folder = "";
    return gpu_device_create(&def, &device) == WEIR_OK ? 0 : -1;
}

static int close_device(void **state)
{
    gpu_device_destroy(&device);
    return 0;
}

static weir_result parse(const hostile *row, scene_data **scene)
{
    char json[sizeof base_scene];
    for (size_t i = 0; i < sizeof json; i++)
        json[i] = base_scene[i] == '\'' ? '"' : base_scene[i];
    const weir_log log = {.write = keep, .level = WEIR_LOG_WARNING};
    scene_input input = {
        .text = json, .size = sizeof json - 1, .source = "hostile", .overrides = row->set};
    while (input.override_count < SET_MOST && row->set[input.override_count])
        input.override_count++;
    return scene_parse(&log, &input, scene);
}

static void assert_finite(const hostile *row, sim_world *world)
{
    static const weir_field fields[] = {WEIR_FIELD_POSITION, WEIR_FIELD_VELOCITY};
    uint32_t count = 0;
    OK(sim_particle_count(world, &count));
    float *values = base_alloc(3ull * count, sizeof *values);
    for (size_t f = 0; f < BASE_COUNT(fields); f++) {
        OK(sim_read_field(world, fields[f], values, 12ull * count));
        for (size_t i = 0; i < 3ull * count; i++)
            if (!isfinite(values[i]))
                fail_msg("%s: %g is in the state", row->what, (double)values[i]);
    }
    base_free(values);
}

static double sum_mass(sim_world *world)
{
    const double d = (double)world->scene->spacing;
    uint32_t particles, vertices = world->deformables ? sim_deformable_vertex_count(world) : 0;
    OK(sim_particle_count(world, &particles));
    double mass = particles * d * d * d * (double)world->scene->fluids[0].density;
    for (uint32_t i = 0; i < world->scene->body_count; i++)
        mass += body_set_mass_properties(world->bodies)[i].mass_kg;
    for (uint32_t i = 0; i < vertices; i++)
        mass += (double)deformable_set_mass(world->deformables, i);
    return mass;
}

/* Sums the energy of everything that moves, J. */
static double sum_energy(sim_world *world)
{
    weir_stats stats;
    OK(sim_stats(world, &stats));
    return stats.kinetic_energy_j + stats.bodies_kinetic_energy_j;
}

/* Speed at which overlapping or compressed parts may separate. */
#define BURST 1.0 /* m/s */

/* Asserts that the energy stays small, compared with the scene's own at its start. */
static void assert_tame(const hostile *row, sim_world *world, double start)
{
    const double energy = sum_energy(world), mass = sum_mass(world);
    print_message("  %s: %.3g J for %.3g\n", row->what, energy, start);
    if (!(energy <= 1.05 * start + 0.5 * mass * BURST * BURST))
        fail_msg("%s: %g J, and it began with %g", row->what, energy, start);
}

/* A run that ends UNSTABLE also leaves a state of finite numbers. */
static weir_result run(const hostile *row, const scene_data *scene)
{
    sim_world *world = NULL;
    weir_result result = sim_create(device, scene, &world);
    if (result != WEIR_OK) return result;
    const bool solid = scene->body_count > 0 || scene_deformable_count(scene) > 0;
    const double start = solid ? sum_energy(world) : 0.0;
    for (int frame = 0; frame < FRAMES && result == WEIR_OK; frame++)
        result = sim_step(world, 0);
    if (result == WEIR_OK) result = sim_wait(world);
    if (result == WEIR_OK || result == WEIR_ERROR_UNSTABLE) {
        assert_finite(row, world);
        if (solid) assert_tame(row, world, start);
    }
    sim_destroy(&world);
    return result;
}

static void assert_answer(const hostile *row, weir_result result)
{
    if (result != row->status)
        fail_msg("%s: status %d, not %d: %s", row->what, result, row->status, said);
    if (row->words ? !strstr(said, row->words) : said[0] != '\0')
        fail_msg("%s: says not \"%s\" but: %s", row->what, row->words ? row->words : "", said);
}

static void nonsense_is_refused_or_survived(void **state)
{
    assert_true(BASE_COUNT(table) >= 36);
    for (size_t i = 0; i < BASE_COUNT(table); i++) {
        scene_data *scene = NULL;
        said[0] = '\0';
        weir_result result = parse(&table[i], &scene);
        if (result == WEIR_OK) result = run(&table[i], scene);
        scene_destroy(&scene);
        assert_answer(&table[i], result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nonsense_is_refused_or_survived)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}

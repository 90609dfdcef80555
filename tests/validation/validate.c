/* weir validate: the physics, compared with theory and experiment through the public API. */
#include "validate_internal.h"

#include <jansson.h>

const validate_case validate_cases[] = {
    {"G0", "kernels", VALIDATE_QUICK, validate_kernels, "kernels: integrals and lattice sum"},
    {"G0", "gradient", VALIDATE_QUICK, validate_gradient, "the gradient of C by differences"},
    {"G1", "order", VALIDATE_QUICK, validate_neighbours, "neighbours, same bits, permutations"},
    {"G2", "response", VALIDATE_QUICK, validate_density_wave,
     "one iteration on every density wave of a lattice"},
    {"G2", "momentum", VALIDATE_QUICK, validate_momentum, "momentum, fixed point, repulsion"},
    {"G3", "invariants", VALIDATE_QUICK, validate_invariants,
     "free fall, moving frames, rotations, symmetry, energy"},
    {"G3", "scaling", VALIDATE_QUICK, validate_scaling, "other units of length and mass"},
    {"G4", "hydrostatic", VALIDATE_QUICK, validate_hydrostatic, "compression of a resting column"},
    {"G4", "walls", VALIDATE_QUICK, validate_walls, "layers and creep at walls"},
    {"G4", "pool", VALIDATE_FULL, validate_pool_at_rest,
     "a pool of 1 m and a dam break against the law"},
    {"G5", "ellipse", VALIDATE_QUICK, validate_ellipse, "free elliptical drop"},
    {"G5", "oscillation", VALIDATE_QUICK, validate_oscillation, "drop in a central force"},
    {"G5", "droplet", VALIDATE_FULL, validate_droplet, "a droplet's period"},
    {"G6", "wave", VALIDATE_QUICK, validate_standing_wave, "standing wave in a tank"},
    {"G6", "shear", VALIDATE_QUICK, validate_shear, "the viscosity of XSPH"},
    {"G6", "dam", VALIDATE_QUICK, validate_dam, "Martin and Moyce's dam break"},
    {"G6", "ritter", VALIDATE_FULL, validate_ritter, "Ritter's dam break on a long reservoir"},
    {"G6", "wcsph-wave", VALIDATE_FULL, validate_wcsph_wave, "the standing wave by WCSPH"},
    {"G6", "wcsph-dam", VALIDATE_FULL, validate_wcsph_dam, "Martin and Moyce's dam break by WCSPH"},
    {"G7", "spheric-coarse", VALIDATE_FULL, validate_spheric_coarse,
     "SPHERIC test 2 at twice the spacing"},
    {"G7", "spheric", VALIDATE_LONG, validate_spheric, "SPHERIC test 2: dam break on a box"},
    {"G7", "wcsph-spheric", VALIDATE_LONG, validate_wcsph_spheric,
     "SPHERIC test 2 by WCSPH at twice the spacing"},
    {"G8", "plates", VALIDATE_QUICK, validate_plate_flows, "Poiseuille and Couette flow"},
    {"G8", "tar", VALIDATE_QUICK, validate_stiff_viscosity, "1 kPa s at 60 Hz"},
    {"G8", "current", VALIDATE_FULL, validate_gravity_current, "Huppert's current in the plane"},
    {"G8", "round-current", VALIDATE_LONG, validate_axisymmetric_current,
     "Huppert's round current"},
    {"G9", "flip-rest", VALIDATE_QUICK, validate_flip_rest, "a tank at rest on a grid"},
    {"G9", "flip-slosh", VALIDATE_QUICK, validate_flip_slosh, "volume while a tank sloshes"},
    {"G9", "flip-vortices", VALIDATE_QUICK, validate_flip_vortices,
     "Taylor and Green's vortices: order and energy"},
    {"G9", "flip-pressure", VALIDATE_FULL, validate_flip_pressure,
     "iterations of the pressure at 32 to 128 cells"},
    {"G9", "flip-pressure-fine", VALIDATE_LONG, validate_flip_pressure_fine,
     "the same at 256 x 256 x 64 cells"},
    {"G9", "flip-dam", VALIDATE_FULL, validate_flip_dam, "Martin and Moyce's dam break on a grid"},
    {"G9", "flip-spheric-coarse", VALIDATE_FULL, validate_flip_spheric_coarse,
     "SPHERIC test 2 on a grid at twice the spacing"},
    {"G9", "flip-spheric", VALIDATE_LONG, validate_flip_spheric, "SPHERIC test 2 on a grid"},
    {"G10", "rafts", VALIDATE_QUICK, validate_floating_rafts, "Archimedes: how deep rafts float"},
    {"G10", "heave", VALIDATE_QUICK, validate_heaving_ball, "the period of a half-sunk ball"},
    {"G10", "sinking", VALIDATE_FULL, validate_sinking_ball, "a sinking ball and the law of drag"},
    {"G10", "slope", VALIDATE_QUICK, validate_body_on_slope,
     "a block that slides, or does not creep"},
    {"G10", "tower", VALIDATE_QUICK, validate_body_tower, "a tower of ten boxes"},
    {"G10", "body-momentum", VALIDATE_QUICK, validate_body_momentum,
     "momentum of fluid and bodies together"},
    {"G10", "cube", VALIDATE_QUICK, validate_cube, "a dam break that moves a cube"},
    {"G10", "cube-fine", VALIDATE_LONG, validate_cube_fine, "the same at half the spacing"},
    {"G11", "births", VALIDATE_FULL, validate_whitewater_emission, "whitewater at other spacings"},
    {"F2", "clustering", VALIDATE_FULL, validate_clustering, "the paper's figure 2"},
    {"F4", "bunny", VALIDATE_FULL, validate_bunny, "the paper's figure 4: PBF and PCISPH"},
    {"F4", "bunny-fine", VALIDATE_LONG, validate_bunny_fine, "the same with 80,000 particles"},
    {"F5", "vorticity", VALIDATE_FULL, validate_vorticity, "the paper's figure 5"},
    {"F6", "convergence", VALIDATE_FULL, validate_convergence, "the paper's figure 6"},
};
const size_t validate_case_count = BASE_COUNT(validate_cases);

typedef struct validate_options {
    args_words gates;
    app_scene_options source;
    const char *folder, *csv, *json;
    bool quick, all, list;
} validate_options;

/* ---- selection of cases --------------------------------------------------------------------- */

static bool is_named(const args_words *words, const validate_case *c)
{
    for (uint32_t i = 0; i < words->count; ++i)
        if (strcmp(words->items[i], c->gate) == 0 || strcmp(words->items[i], c->name) == 0)
            return true;
    return false;
}

static bool is_wanted(const validate_options *options, const validate_case *c)
{
    if (options->gates.count) return is_named(&options->gates, c);
    return options->all || (int)c->tier <= (options->quick ? VALIDATE_QUICK : VALIDATE_FULL);
}

static bool gates_are_known(const args_words *words)
{
    const char *names[2 * BASE_COUNT(validate_cases)];
    size_t count = 0;
    for (size_t i = 0; i < validate_case_count; ++i) {
        names[count++] = validate_cases[i].gate;
        names[count++] = validate_cases[i].name;
    }
    for (uint32_t w = 0; w < words->count; ++w) {
        bool known = false;
        for (size_t i = 0; i < count && !known; ++i)
            known = strcmp(words->items[w], names[i]) == 0;
        if (known) continue;
        args_unknown_name("gate", words->items[w], names, count);
        fprintf(stderr, "weir: \"weir validate --list\" lists the gates\n");
        return false;
    }
    return true;
}

static void print_list(void)
{
    static const char *const tiers[] = {"--quick", "", "--all"};
    for (size_t i = 0; i < validate_case_count; ++i)
        printf("%-4s%-20s%-9s%s\n", validate_cases[i].gate, validate_cases[i].name,
               tiers[validate_cases[i].tier], validate_cases[i].about);
}

/* ---- results -------------------------------------------------------------------------------- */

static const char *verdict_of(const validate_check *check)
{
    return check->rule == VALIDATE_REPORT ? "reported" : check->passed ? "held" : "MISSED";
}

static void print_expected(char text[64], const validate_check *check)
{
    text[0] = '\0';
    if (check->rule == VALIDATE_WITHIN)
        snprintf(text, 64, "%.5g +- %.3g", check->expected, check->tolerance);
    if (check->rule == VALIDATE_AT_MOST) snprintf(text, 64, "at most %.3g", check->expected);
}

static void print_checks(const validate *v, size_t first)
{
    for (size_t i = first; i < v->checks.count; ++i) {
        const validate_check *check = &v->checks.items[i];
        char expected[64];
        print_expected(expected, check);
        printf("%-4s%-19s %-58s %11.5g   %-22s %s\n", check->gate_case->gate,
               check->gate_case->name, check->what, check->got, expected, verdict_of(check));
    }
    fflush(stdout);
}

static const char *const rules[] = {"within", "at most", "report"};

static weir_result write_csv(const validate *v, const char *path)
{
    base_text text = {0};
    bool ok =
        base_text_append(&text, "gate,name,check,got,expected,tolerance,rule,verdict,again\n");
    for (size_t i = 0; ok && i < v->checks.count; ++i) {
        const validate_check *c = &v->checks.items[i];
        ok =
            base_text_append(&text, "%s,%s,", c->gate_case->gate, c->gate_case->name) &&
            app_csv_append_quoted(&text, c->what) &&
            base_text_append(&text, ",%.9g,%.9g,%.9g,%s,%s,weir validate %s\n", c->got, c->expected,
                             c->tolerance, rules[c->rule], verdict_of(c), c->gate_case->name);
    }
    weir_result result =
        ok ? base_file_write(&v->log, path, text.items, text.count) : WEIR_ERROR_MEMORY;
    base_free(text.items);
    return result;
}

static json_t *json_of(const validate_check *c)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:s}", "gate", c->gate_case->gate, "name",
                     c->gate_case->name, "check", c->what, "got", app_json_number(c->got),
                     "expected", app_json_number(c->expected), "tolerance",
                     app_json_number(c->tolerance), "rule", rules[c->rule], "verdict",
                     verdict_of(c));
}

static weir_result write_json(const validate *v, const char *path)
{
    char date[32];
    weir_device_info info;
    json_t *checks = json_array(), *setups = json_array();
    weir_device_get_info(v->device, &info);
    base_time_utc(date);
    for (size_t i = 0; i < v->checks.count; ++i)
        checks = app_json_append(checks, json_of(&v->checks.items[i]));
    for (size_t i = 0; i < v->setups.count; ++i)
        setups = app_json_append(setups,
                                 json_pack("{s:s, s:s}", "name", v->setups.items[i].gate_case->name,
                                           "setup", v->setups.items[i].text));
    json_t *all =
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "weir", weir_version(), "date", date, "device",
                  info.name, "driver", info.driver, "checks", checks, "setups", setups);
    return app_json_write(&v->log, path, all);
}

/* ---- running -------------------------------------------------------------------------------- */

static weir_result run_case(validate *v, const validate_case *c)
{
    size_t first = v->checks.count;
    double start = base_time_s();
    v->running = c;
    base_log(&v->log, WEIR_LOG_INFO, "%s %s: %s", c->gate, c->name, c->about);
    weir_result result = c->run(v);
    if (v->out_of_memory) result = WEIR_ERROR_MEMORY;
    validate_discard_unwritten(v);
    print_checks(v, first);
    base_log(&v->log, WEIR_LOG_INFO, "%s %s took %.1f s", c->gate, c->name, base_time_s() - start);
    if (result != WEIR_OK)
        base_log(&v->log, WEIR_LOG_ERROR, "%s %s broke off: %s", c->gate, c->name,
                 weir_result_name(result));
    return result;
}

static uint32_t count_missed(const validate *v)
{
    uint32_t missed = 0;
    for (size_t i = 0; i < v->checks.count; ++i)
        missed += !v->checks.items[i].passed;
    return missed;
}

static weir_result run_all(validate *v, const validate_options *options)
{
    weir_result result = WEIR_OK, first = WEIR_OK;
    for (size_t i = 0; i < validate_case_count && !base_interrupted(); ++i) {
        if (!is_wanted(options, &validate_cases[i])) continue;
        result = run_case(v, &validate_cases[i]);
        if (first == WEIR_OK) first = result;
    }
    if (options->csv) WEIR_GOTO_IF_ERROR(write_csv(v, options->csv));
    if (options->json) WEIR_GOTO_IF_ERROR(write_json(v, options->json));
    result = first;
fail:
    return result;
}

static weir_result open_device(validate *v, const validate_options *options)
{
    weir_device_def def = app_device_def(&options->source, &v->log);
    if (!def.validation) def.log.level = WEIR_LOG_ERROR; /* gates exceed limits on purpose */
    return weir_device_create(&def, &v->device);
}

static int run_gates(const validate_options *options)
{
    validate v = {.log = app_log(options->source.quiet), .full = !options->quick};
    char *folder = base_path_absolute(options->folder);
    weir_result result = WEIR_ERROR_MEMORY;
    base_interrupt_install();
    if (!folder) goto fail;
    v.folder = folder;
    WEIR_GOTO_IF_ERROR(base_folder_make(&v.log, folder));
    WEIR_GOTO_IF_ERROR(open_device(&v, options));
    result = run_all(&v, options);
    printf("%zu check%s, %u missed; tables in %s\n", v.checks.count, base_plural(v.checks.count),
           count_missed(&v), options->folder);
fail:;
    int status = v.device ? app_complete_status(&v.log, v.device, result) : APP_FAILED;
    if (status == APP_DONE && count_missed(&v)) status = APP_FAILED;
    for (size_t i = 0; i < v.checks.count; ++i)
        base_free(v.checks.items[i].what);
    BASE_ARRAY_FREE(&v.checks);
    for (size_t i = 0; i < v.setups.count; ++i)
        base_free(v.setups.items[i].text);
    BASE_ARRAY_FREE(&v.setups);
    weir_device_destroy(&v.device);
    base_free(folder);
    return status;
}

/* ---- command line --------------------------------------------------------------------------- */

static const char validate_about[] =
    "Runs small scenes whose result is known from theory or experiment, and prints how far off\n"
    "the simulation is. GATE is a level (G0 to G11, or F2 to F6 for the paper's figures) or a\n"
    "name; without one, all gates but the long ones run.";

static const char validate_details[] =
    "A check that misses its gate is printed as MISSED, and the exit status is then 1.\n"
    "docs/validation.md shows the results with plots.";

static const char validate_examples[] = "weir validate --quick\n"
                                        "weir validate response hydrostatic --csv gates.csv\n"
                                        "weir validate G5 --device llvmpipe -o out/drops";

int validate_main(int argc, char **argv)
{
    validate_options o = {.folder = "out/validate"};
    const args_option options[] = {
        ARGS_OPTION("quick", 0, FLAG, &o.quick, NULL,
                    "only the quick gates: some minutes on two cores"),
        ARGS_OPTION("all", 0, FLAG, &o.all, NULL, "the long gates too"),
        ARGS_OPTION("list", 0, FLAG, &o.list, NULL, "list the gates and exit"),
        ARGS_OPTION("output", 'o', TEXT, &o.folder, "DIR",
                    "folder for start particles and tables for plots;\ndefault out/validate"),
        ARGS_OPTION("csv", 0, TEXT, &o.csv, "FILE", "write the checks as CSV"),
        ARGS_OPTION("json", 0, TEXT, &o.json, "FILE",
                    "write the checks as JSON, with driver and date"),
        APP_DEVICE_OPTIONS(o.source),
        ARGS_OPTION("quiet", 'q', FLAG, &o.source.quiet, NULL, "print the checks only"),
    };
    const args_command command = {.name = "validate",
                                  .usage = "[GATE ...] [options]",
                                  .about = validate_about,
                                  .details = validate_details,
                                  .examples = validate_examples,
                                  .options = options,
                                  .option_count = BASE_COUNT(options),
                                  .operands = &o.gates};
    args_result outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome;
    if (o.list) {
        print_list();
        return APP_DONE;
    }
    if (!gates_are_known(&o.gates)) return APP_WRONG_USE;
    return run_gates(&o);
}

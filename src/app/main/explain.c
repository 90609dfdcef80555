/* weir explain: prints the pass list of a scene's substep as it will run. */
#include "main_internal.h"
#include "weir/profile.h"

static void print_line(void *user, const char *line)
{
    (void)user;
    puts(line);
}

int explain_main(int argc, char **argv)
{
    app_scene_options source = {0};
    static const char *const formats[WEIR_EXPLAIN_FORMAT_COUNT] = {
        [WEIR_EXPLAIN_TEXT] = "text", [WEIR_EXPLAIN_JSON] = "json", [WEIR_EXPLAIN_DOT] = "dot"};
    uint32_t format = WEIR_EXPLAIN_TEXT;
    const args_option options[] = {
        ARGS_CHOICE_OPTION("format", &format, "FORMAT",
                           "text (default), json, or dot: a graph for Graphviz", formats,
                           WEIR_EXPLAIN_FORMAT_COUNT),
        APP_SCENE_OPTIONS(source),
    };
    const args_command command = {
        .name = "explain",
        .usage = "[SCENE] [options]",
        .about =
            "Prints the passes of one substep in the order in which they run on the device: the\n"
            "dispatch size of each, the buffers it reads and writes, the barriers between passes, "
            "and\n"
            "the memory. Default scene: the built-in dam break.",
        .examples = "weir explain scenes/dam_break.json\n"
                    "weir explain scenes/dam_break.json --set solver.iterations=8\n"
                    "weir explain scenes/dam_break.json --format dot | dot -Tsvg -o passes.svg",
        .options = options,
        .option_count = BASE_COUNT(options),
        .operand = &source.scene,
    };
    args_result outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome;

    app_context work;
    weir_sim *sim = NULL;
    weir_result result = app_context_open(&source, &work);
    if (result != WEIR_OK) return app_context_status(&work, result);
    result = weir_sim_create(work.device, work.scene, &sim);
    if (result == WEIR_OK)
        result = weir_sim_explain(sim, (weir_explain_format)format, print_line, NULL);
    weir_sim_destroy(&sim);
    int status = app_context_status(&work, result);
    app_context_close(&work);
    return status;
}

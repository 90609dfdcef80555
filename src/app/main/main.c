/* The weir program: finds the command and calls it. */
#include "main_internal.h"

static const struct {
    const char *name;
    int (*main)(int argc, char **argv);
    const char *usage, *about;
} commands[] = {
    {"run", run_main, "[SCENE] -o DIR", "simulate a scene and write its frames"},
    {"mesh", mesh_main, "PARTICLES...", "turn stored particles of any program into meshes"},
    {"whitewater", whitewater_main, "PARTICLES...",
     "add spray, foam and bubbles to stored particles"},
    {"info", info_main, "", "list devices, their limits, and which one will be used"},
    {"check", check_main, "FILE",
     "check a scene for errors and print what it needs,\n"
     "or describe a particle or mesh file"},
    {"explain", explain_main, "[SCENE]",
     "print the passes of a substep: buffers, barriers, memory"},
    {"render", render_main, "PARTICLES...", "draw pictures of stored frames"},
    {"view", view_main, "[SCENE]", "open a scene in a window: view, change, measure"},
    {"bench", bench_main, "[SUITE]", "measure GPU times per pass, compare measurements"},
    {"summary", summary_main, "RUN|BENCH...", "write one HTML page about runs and measurements"},
    {"report", report_main, "[RUN | SCENE]", "collect what a bug report needs in one file"},
};

static void print_help(void)
{
    printf("weir %s: particle fluids on Vulkan\n\nCommands:\n", weir_version());
    for (size_t i = 0; i < BASE_COUNT(commands); ++i) {
        const char *about = commands[i].about, *end = strchr(about, '\n');
        printf("  weir %-11s%-15s%.*s\n", commands[i].name, commands[i].usage,
               (int)(end ? end - about : (ptrdiff_t)strlen(about)), about);
        if (end) printf("%33s%s\n", "", end + 1);
    }
    printf("  weir help COMMAND              the command's common options, with examples\n"
           "  weir COMMAND --help-all        all of its options\n"
           "  weir --version                 the version\n"
           "\n"
           "Example:\n"
           "  weir run scenes/dam_break.json -o out/dam --particles vtk\n"
           "\n"
           "Exit status: 0 success, 1 failure, 2 wrong usage (docs/exit-statuses.md).\n");
}

static int run_command(const char *name, int argc, char **argv)
{
    const char *names[BASE_COUNT(commands) + 1];
    for (size_t i = 0; i < BASE_COUNT(commands); ++i) {
        if (strcmp(name, commands[i].name) == 0) return commands[i].main(argc, argv);
        names[i] = commands[i].name;
    }
    const char *now = renamed_command(name);
    if (now) {
        fprintf(stderr, "weir: the command \"%s\" is now called \"%s\"\n", name, now);
        return APP_WRONG_USE;
    }
    if (strcmp(name, "validate") == 0) {
        fprintf(stderr, "weir: the physics gates are a program of their own now: tools/validate in "
                        "Weir's source tree\n");
        return APP_WRONG_USE;
    }
    names[BASE_COUNT(commands)] = "help";
    args_unknown_name("command", name, names, BASE_COUNT(names));
    fprintf(stderr, "weir: \"weir --help\" lists the commands\n");
    return APP_WRONG_USE;
}

/* Prints the man page or the completion script of all commands, for packages. */
static int print_manual(const char *format)
{
    const char *names[BASE_COUNT(commands)];
    for (size_t i = 0; i < BASE_COUNT(commands); ++i)
        names[i] = commands[i].name;
    if (!help_choose(format)) return APP_WRONG_USE;
    help_begin(&(help_names){names, BASE_COUNT(names)});
    for (size_t i = 0; i < BASE_COUNT(commands); ++i) {
        char *help[] = {"--help", NULL};
        commands[i].main(1, help);
    }
    help_end();
    return APP_DONE;
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int run_words(int argc, char **argv)
{
    if (argc < 2) {
        print_help();
        return APP_WRONG_USE;
    }
    const char *word = argv[1];
    if (is_one_of(word, "--version", "-V")) {
        printf("weir %s\n", weir_version());
        return APP_DONE;
    }
    if (is_one_of(word, "--help", "-h") || (argc == 2 && strcmp(word, "help") == 0)) {
        print_help();
        return APP_DONE;
    }
    if (argc == 4 && strcmp(word, "help") == 0 && strcmp(argv[2], "--format") == 0)
        return print_manual(argv[3]);
    if (strcmp(word, "help") == 0) {
        char *help[] = {"--help", NULL};
        return run_command(argv[2], 1, help);
    }
    if (word[0] == '-') {
        static const char *const known[] = {"help", "version"};
        args_unknown_name("option", word + strspn(word, "-"), known, BASE_COUNT(known));
        return APP_WRONG_USE;
    }
    return run_command(word, argc - 2, argv + 2);
}

int main(int argc, char **argv)
{
    base_open_standard_streams();
    base_utf8_arguments(&argc, &argv);
    if (argc > 0) app_program = argv[0];
    int status = run_words(argc, argv);
    if (app_output_close()) return status;
    fprintf(stderr, "weir: error: could not write all of standard output: the disk is full, or the "
                    "reading program has ended\n");
    return status == APP_DONE ? APP_FAILED : status;
}

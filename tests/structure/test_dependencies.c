/* The walls between the rooms: who may include whom. */
#include "structure.h"

#include <setjmp.h>

#include <cmocka.h>

/* `may`: rooms whose header it may include, beside its own and src/include. `outside`: headers of
 * systems and libraries, beside those of the C standard. */
typedef struct module {
    const char *folder, *name;
    const char *allowed_modules;
    const char *allowed_external;
} module;

/* gpu fills the push constants that every row shares. solid reads meshes by io, and finds a scene's
 * solids in the scene's plain data; the program takes terminal, clock and file calls from base,
 * which alone may call the system. */
static const module modules[] = {
    {"src/include", "include", "", "vulkan/vulkan.h"},
    {"src/base", "base", "", "jansson.h"},
    {"src/scene", "scene", "base", "jansson.h"},
    {"src/io", "io", "base", "openexr.h png.h zlib.h"},
    {"src/gpu", "gpu", "base shared", "volk.h"},
    {"src/grid", "grid", "base gpu shared", ""},
    {"src/solid", "solid", "base gpu scene io shared", ""},
    {"src/poisson", "poisson", "base gpu grid shared", ""},
    {"src/foam", "foam", "base gpu grid solid shared", ""},
    {"src/probe", "probe", "base gpu grid shared", ""},
    {"src/body", "body", "base gpu solid scene shared", ""},
    {"src/soft", "soft", "base gpu solid scene io shared", ""},
    {"src/sim", "sim", "base gpu grid solid poisson body soft scene io shared", ""},
    {"mesher", "mesher", "base gpu grid shared", "meshoptimizer.h"},
    {"src/render", "render", "base gpu grid solid shared", ""},
    {"src/api", "api",
     "base scene io gpu grid solid poisson foam probe body soft sim mesher render shared",
     "jansson.h"},
    {"src/app", "app", "base", "jansson.h"},
    {"src/app/mesh", "mesh", "base app", ""},
    {"src/app/pictures", "pictures", "base app", "jansson.h"},
    {"src/app/whitewater_command", "whitewater_command", "base app", ""},
    {"src/app/run", "run", "base app mesh pictures", ""},
    {"src/app/bench", "bench", "base app", "jansson.h"},
    {"src/app/validate", "validate", "base app", "jansson.h"},
    {"src/app/view", "view", "base app", "GLFW/glfw3.h imgui.h"},
    {"src/app/main", "main", "base app mesh pictures whitewater_command run bench validate view",
     "jansson.h"},
    {"tests/ref", "ref", "base shared", ""},
};

/* Headers that a room shows to others beside <room>.h. */
static const char *const extra_public_headers[] = {
    "src/gpu/gpu_adopt.h",           "src/include/weir.h",        "src/include/weir/bodies.h",
    "src/include/weir_foam.h",       "src/include/weir/render.h", "src/include/weir/probe.h",
    "src/include/weir/profile.h",    "src/include/weir_soft.h",   "src/include/weir/sim.h",
    "src/include/weir/version.h",    "src/include/weir/vulkan.h", "src/include/weir/vulkan.h",
    "src/include/weir_constraint.h", "src/include/weir/vulkan.h", "src/sim/sim_density_solver.h",
    "src/render/overlay.h",          "src/include/weir/bodies.h"};

static const char standard_headers[] =
    " assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h "
    "math.h "
    "setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h "
    "stdlib.h "
    "stdnoreturn.h string.h tgmath.h time.h uchar.h wchar.h wctype.h ";

enum { OTHER_HEADERS_MAX = 4 };

typedef struct include_counts {
    size_t includes, violations;
    size_t other_module_headers; /* headers of other rooms in this file */
} include_counts;

static void report_violation(include_counts *t, const structure_file *file, const char *header,
                             const char *why)
{
    print_error("%s: #include of %s: %s\n", file->path, header, why);
    t->violations++;
}

static bool contains_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = words; (p = strstr(p, word)); p += length)
        if ((p == words || p[-1] == ' ') && (p[length] == ' ' || !p[length])) return true;
    return false;
}

static const module *module_of_folder(const char *folder)
{
    for (size_t i = 0; i < BASE_COUNT(modules); i++)
        if (strcmp(modules[i].folder, folder) == 0) return &modules[i];
    return NULL;
}

static bool is_public_header(const module *owner, const char *path)
{
    for (size_t i = 0; i < BASE_COUNT(extra_public_headers); i++)
        if (strcmp(extra_public_headers[i], path) == 0) return true;
    const char *name = base_path_name(path);
    size_t length = strlen(owner->name);
    return strncmp(name, owner->name, length) == 0 && strcmp(name + length, ".h") == 0;
}

/* The table of a folder's shaders, which the build makes. */
static bool is_shader(const char *header)
{
    return strcmp(base_path_name(header), "shaders.h") == 0;
}

/* "sim/shaders.h" belongs to the room of that name; "mesh/" to the mesher. */
static void check_shader(include_counts *t, const module *self, const structure_file *file,
                         const char *header)
{
    size_t length = strcspn(header, "/");
    bool own = strlen(self->name) >= length && strncmp(header, self->name, length) == 0;
    if (!own) report_violation(t, file, header, "a room uses its own shaders only");
}

static void check_module_header(include_counts *t, const module *self, const structure_file *file,
                                const char *header)
{
    for (size_t i = 0; i < BASE_COUNT(modules); i++) {
        const module *owner = &modules[i];
        char path[512];
        snprintf(path, sizeof path, "%s/%s", owner->folder, header);
        if (owner == self || !base_path_is_file(path)) continue;
        bool is_include = strcmp(owner->name, "include") == 0;
        if (!is_include) t->other_module_headers++;
        if (!is_include && !contains_word(self->allowed_modules, owner->name))
            report_violation(t, file, header, "this room may not include that one");
        else if (!is_public_header(owner, path))
            report_violation(t, file, header, "it is private to its room");
        return;
    }
    report_violation(t, file, header, "no room has such a header");
}

static void check_quoted(include_counts *t, const module *self, const structure_file *file,
                         const char *header)
{
    char own[512], shared[512];
    snprintf(own, sizeof own, "%s/%s", file->folder, header);
    snprintf(shared, sizeof shared, "shaders/%s", header);
    if (base_path_is_file(own)) return;
    if (is_shader(header)) {
        check_shader(t, self, file, header);
    } else if (strncmp(header, "shared/", 7) == 0 && base_path_is_file(shared)) {
        t->other_module_headers++;
        if (!contains_word(self->allowed_modules, "shared"))
            report_violation(t, file, header, "this room may not see shared blocks");
    } else if (strstr(header, ".json.inc")) {
        if (strcmp(self->name, "app") != 0)
            report_violation(t, file, header, "scenes are embedded in the program only");
    } else {
        check_module_header(t, self, file, header);
    }
}

static void check_angled(include_counts *t, const module *self, const structure_file *file,
                         const char *header)
{
    bool system_source = strncmp(file->path, "src/base/os_", 12) == 0;
    if (system_source || contains_word(standard_headers, header) ||
        contains_word(self->allowed_external, header))
        return;
    report_violation(t, file, header, "only base/os_* calls the system, only gpu calls Vulkan");
}

static void check_include(include_counts *t, const structure_file *file, const char *start)
{
    const module *self = module_of_folder(file->folder);
    char close = *start == '<' ? '>' : '"', header[256];
    const char *end = strchr(start + 1, close);
    if (!self || !end || (size_t)(end - start) > sizeof header) {
        report_violation(t, file, "?", "cannot be read");
        return;
    }
    snprintf(header, sizeof header, "%.*s", (int)(end - start - 1), start + 1);
    t->includes++;
    if (close == '>')
        check_angled(t, self, file, header);
    else
        check_quoted(t, self, file, header);
}

static void check_file(void *user, const structure_file *file)
{
    include_counts *t = user;
    t->other_module_headers = 0;
    for (const char *line = file->text; line; line = structure_next_line(line)) {
        static const char word[] = "#include ";
        if (strncmp(line, word, sizeof word - 1) == 0)
            check_include(t, file, line + sizeof word - 1);
    }
    if (t->other_module_headers > OTHER_HEADERS_MAX &&
        strcmp(base_path_extension(file->path), "c") == 0) {
        print_error("%s: %zu headers of other rooms, at most %d\n", file->path,
                    t->other_module_headers, OTHER_HEADERS_MAX);
        t->violations++;
    }
}

static void modules_include_only_what_the_table_allows(void **state)
{
    (void)state;
    include_counts t = {0};
    structure_each_file(structure_source_folders, BASE_COUNT(structure_source_folders), check_file,
                        &t);
    static const char *const ref[] = {"tests/ref"};
    structure_each_file(ref, 1, check_file, &t);
    assert_true(t.includes > 50);
    assert_int_equal(t.violations, 0);
}

/* Each of these breaks one wall, and the checker must find each. */
static void every_kind_of_violation_is_found(void **state)
{
    (void)state;
    static const structure_file breaches[] = {
        {"src/base", "src/base/x.c", "#include \"gpu.h\"\n"},
        {"src/scene", "src/scene/x.c", "#include \"io.h\"\n"},
        {"src/io", "src/io/x.c", "#include \"scene.h\"\n"},
        {"src/gpu", "src/gpu/x.c", "#include <unistd.h>\n"},
        {"src/api", "src/api/x.c", "#include \"scene_internal.h\"\n"},
        {"src/app", "src/app/x.c", "\n#include \"sim.h\"\n"},
        {"src/app", "src/app/x.c", "#include \"run.h\"\n"},
        {"src/app/run", "src/app/run/x.c", "#include \"mesh_internal.h\"\n"},
        {"src/sim", "src/sim/x.c", "#include \"grid/shaders.h\"\n"},
        {"src/sim", "src/sim/x.c", "#include <vulkan/vulkan.h>\n"},
        {"src/scene", "src/scene/x.c", "#include \"shared/sim.h\"\n"},
        {"src/io", "src/io/x.c", "#include <pthread.h>\n"},
        {"src/base", "src/base/file.c", "#include <unistd.h>\n"},
        {"src/grid", "src/grid/x.c", "#include \"nowhere.h\"\n"},
        {"src/api", "src/api/x.c",
         "#include \"base.h\"\n#include \"gpu.h\"\n#include \"io.h\"\n#include "
         "\"scene.h\"\n#include \"sim.h\"\n"},
    };
    for (size_t i = 0; i < BASE_COUNT(breaches); i++) {
        include_counts t = {0};
        check_file(&t, &breaches[i]);
        if (t.violations == 0) fail_msg("passed: %s", breaches[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_include_only_what_the_table_allows),
        cmocka_unit_test(every_kind_of_violation_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

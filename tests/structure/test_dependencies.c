/* Checks which module includes which. */
#include "structure.h"

#include <setjmp.h>

#include <cmocka.h>

/* A module is a folder with its subfolders, except those that are modules themselves.
   `allowed_modules`: modules whose public headers it may include, in addition to its own and
   src/include. `allowed_external`: headers of systems and libraries, in addition to those of the
   C standard. */
typedef struct module {
    const char *folder, *name;
    const char *allowed_modules;
    const char *allowed_external;
} module;

/* gpu fills the push constants that every pass shares. solid reads meshes with io, and finds a
   scene's solids in the scene's plain data. api combines the modules; geometry helps it; output
   is a client of api, with access to the contents of its handles. The folders of src/sim form an
   order; each has one header. app uses terminal, clock and
   files from base, the only module that may call the system. */
#define BELOW_SIM "base gpu grid solid poisson body deformable scene io comm shared"
static const module modules[] = {
    {"src/include", "include", "", "vulkan/vulkan.h"},
    {"src/base", "base", "", "jansson.h tracy/TracyC.h"},
    {"src/comm", "comm", "base", ""},
    {"src/mpi", "mpi", "comm", "mpi.h"},
    {"src/scene", "scene", "base", "jansson.h"},
    {"src/io", "io", "base", "jansson.h openexr.h png.h zlib.h"},
    {"src/gpu", "gpu", "base shared", "volk.h"},
    {"src/grid", "grid", "base gpu shared", ""},
    {"src/solid", "solid", "base gpu scene io shared", ""},
    {"src/poisson", "poisson", "base gpu grid shared", ""},
    {"src/whitewater", "whitewater", "base gpu grid solid shared", ""},
    {"src/probe", "probe", "base gpu grid shared", ""},
    {"src/body", "body", "base gpu solid scene shared", ""},
    {"src/deformable", "deformable", "base gpu solid scene io shared", ""},
    {"src/sim", "sim", BELOW_SIM, ""},
    {"src/sim/state", "sim_state", BELOW_SIM " sim", ""},
    {"src/sim/ranks", "sim_ranks", BELOW_SIM " sim sim_state", ""},
    {"src/sim/coupling", "sim_coupling", BELOW_SIM " sim sim_state", ""},
    {"src/sim/stability", "sim_stability", BELOW_SIM " sim sim_state sim_coupling", ""},
    {"src/sim/solvers", "sim_solvers", BELOW_SIM " sim sim_state sim_ranks sim_stability", ""},
    {"src/sim/input", "sim_input", BELOW_SIM " sim sim_state sim_coupling sim_solvers", ""},
    {"src/sim/frame", "sim_frame",
     BELOW_SIM " sim sim_state sim_ranks sim_coupling sim_stability sim_solvers sim_input", ""},
    {"src/sim/world", "sim_world",
     BELOW_SIM
     " sim sim_state sim_ranks sim_coupling sim_stability sim_solvers sim_input sim_frame",
     ""},
    {"src/sim/readout", "sim_readout",
     BELOW_SIM
     " sim sim_state sim_ranks sim_coupling sim_stability sim_solvers sim_input sim_frame "
     "sim_world",
     ""},
    {"src/sim/team", "sim_team", BELOW_SIM " sim sim_state sim_ranks sim_frame sim_readout", ""},
    {"src/sim/density_solver", "sim_density_solver", BELOW_SIM " sim sim_state sim_solvers", ""},
    {"mesher", "mesher", "base gpu grid shared", "meshoptimizer.h"},
    {"src/render", "render", "base gpu grid solid shared", ""},
    {"src/geometry", "geometry", "base scene io solid shared", ""},
    {"src/api", "api",
     "base comm scene io gpu grid solid poisson whitewater probe body deformable sim mesher "
     "render geometry shared",
     ""},
    {"src/output", "output", "base io api", "jansson.h"},
    {"src/app", "app", "base", "jansson.h"},
    {"src/app/mesh", "mesh_command", "base app", ""},
    {"src/app/render", "render_command", "base app", "jansson.h"},
    {"src/app/whitewater", "whitewater_command", "base app", ""},
    {"src/app/run", "run_command", "base app mesh_command render_command", "jansson.h"},
    {"src/app/bench", "bench_command", "base app", "jansson.h"},
    {"src/app/summary", "summary_command", "base app", "jansson.h"},
    {"tests/validation", "validation", "base app", "jansson.h"},
    {"src/app/view", "view_command", "base app", "GLFW/glfw3.h imgui.h"},
    {"src/app/main", "main",
     "base app mesh_command render_command whitewater_command run_command bench_command "
     "summary_command view_command",
     "jansson.h"},
    {"tests/ref", "ref", "base shared", ""},
};

/* Headers that a module offers to others. */
static const char *const public_headers[] = {
    "src/base/base.h",
    "src/base/base_tracy.h",
    "src/comm/comm.h",
    "src/comm/comm_mpi.h",
    "src/comm/mpi_module.h",
    "src/scene/scene.h",
    "src/io/io.h",
    "src/io/io_json.h",
    "src/scene/scene_query.h",
    "src/gpu/gpu.h",
    "src/gpu/gpu_adopt.h",
    "src/grid/grid.h",
    "src/grid/parts.h",
    "src/solid/solid.h",
    "src/poisson/poisson.h",
    "src/whitewater/whitewater.h",
    "src/probe/probe.h",
    "src/body/body.h",
    "src/deformable/deformable.h",
    "src/sim/sim.h",
    "src/sim/sim_density_solver.h",
    "src/sim/sim_team.h",
    "src/sim/state/sim_state.h",
    "src/sim/ranks/sim_ranks.h",
    "src/sim/coupling/sim_coupling.h",
    "src/sim/stability/sim_stability.h",
    "src/sim/solvers/sim_solvers.h",
    "src/sim/input/sim_input.h",
    "src/sim/frame/sim_frame.h",
    "src/sim/world/sim_world.h",
    "src/sim/readout/sim_readout.h",
    "mesher/mesher.h",
    "src/render/render.h",
    "src/render/overlay.h",
    "src/geometry/geometry.h",
    "src/api/api_access.h",
    "src/api/api_require.h",
    "src/app/app.h",
    "src/app/mesh/mesh.h",
    "src/app/render/pictures.h",
    "src/app/whitewater/whitewater_command.h",
    "src/app/run/run.h",
    "src/app/bench/bench.h",
    "src/app/summary/summary.h",
    "src/app/view/view_command.h",
    "tests/ref/ref.h",
};

static const char standard_headers[] =
    " assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h "
    "math.h "
    "setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h "
    "stdlib.h "
    "stdnoreturn.h string.h tgmath.h time.h uchar.h wchar.h wctype.h ";

enum { OTHER_HEADERS_MAX = 4 };

typedef struct include_counts {
    size_t includes, violations;
    size_t other_module_headers; /* headers of other modules in this file */
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

/* Returns the innermost module that contains the folder. */
static const module *module_of_folder(const char *folder)
{
    const module *found = NULL;
    for (size_t i = 0; i < BASE_COUNT(modules); i++)
        if (structure_is_in(folder, modules[i].folder) &&
            (!found || strlen(modules[i].folder) > strlen(found->folder)))
            found = &modules[i];
    return found;
}

static bool is_public_header(const char *path)
{
    if (strncmp(path, "src/include/", 12) == 0) return true;
    for (size_t i = 0; i < BASE_COUNT(public_headers); i++)
        if (strcmp(public_headers[i], path) == 0) return true;
    return false;
}

typedef struct module_header {
    const module *owner;
    char *path;
} module_header;

typedef BASE_ARRAY(module_header) module_headers;

static module_headers headers;

static void add_header(void *user, const structure_file *file)
{
    (void)user;
    if (strcmp(base_path_extension(file->path), "h") != 0) return;
    module_header header = {module_of_folder(file->folder), base_strdup(file->path)};
    assert_true(header.owner && header.path);
    assert_true(BASE_ARRAY_PUSH(&headers, header));
}

static const char *const test_modules[] = {"tests/ref", "tests/validation"};

static int list_headers(void **state)
{
    bool all = structure_each_file(structure_source_folders, BASE_COUNT(structure_source_folders),
                                   add_header, NULL) > 0 &&
               structure_each_file(test_modules, BASE_COUNT(test_modules), add_header, NULL) > 0;
    return all ? 0 : -1;
}

static int free_headers(void **state)
{
    for (size_t i = 0; i < headers.count; i++)
        base_free(headers.items[i].path);
    BASE_ARRAY_FREE(&headers);
    return 0;
}

/* The folders of src/include are part of a header's name, those of other modules are not. */
static bool is_named(const module_header *header, const char *name)
{
    const char *path = header->path;
    if (strcmp(header->owner->name, "include") == 0)
        return strcmp(path + strlen("src/include/"), name) == 0;
    return strcmp(base_path_name(path), name) == 0;
}

/* Returns whether the header is the generated table of a folder's shaders. */
static bool is_shader(const char *header)
{
    return strcmp(base_path_name(header), "shaders.h") == 0;
}

/* Checks that "sim/shaders.h" is included by src/sim, and "mesh/shaders.h" by the mesher. */
static void check_shader(include_counts *t, const module *self, const structure_file *file,
                         const char *header)
{
    size_t length = strcspn(header, "/");
    bool own = strlen(self->name) >= length && strncmp(header, self->name, length) == 0;
    if (!own) report_violation(t, file, header, "a module uses its own shaders only");
}

/* Returns whether both are folders of one module, such as src/sim. */
static bool share_folder(const module *a, const module *b)
{
    size_t length = strcspn(a->folder + strlen("src/"), "/") + strlen("src/");
    return strncmp(a->folder, b->folder, length) == 0 &&
           (b->folder[length] == '/' || b->folder[length] == '\0');
}

static void check_module_header(include_counts *t, const module *self, const structure_file *file,
                                const char *name)
{
    for (size_t i = 0; i < headers.count; i++) {
        const module_header *header = &headers.items[i];
        if (!is_named(header, name)) continue;
        if (header->owner == self) return;
        bool is_include = strcmp(header->owner->name, "include") == 0;
        if (!is_include && !share_folder(self, header->owner)) t->other_module_headers++;
        if (!is_include && !contains_word(self->allowed_modules, header->owner->name))
            report_violation(t, file, name, "this module may not include that one");
        else if (!is_public_header(header->path))
            report_violation(t, file, name, "it is private to its module");
        return;
    }
    report_violation(t, file, name, "no module has such a header");
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
            report_violation(t, file, header, "this module may not see shared blocks");
    } else if (strstr(header, ".json.inc")) {
        if (strcmp(self->name, "app") != 0)
            report_violation(t, file, header, "scenes are embedded in the program only");
    } else if (strcmp(header, "page.html.inc") == 0) {
        if (strcmp(self->name, "summary_command") != 0)
            report_violation(t, file, header, "only weir summary has this page");
    } else if (strcmp(header, "legend_letters.inc") == 0) {
        if (strcmp(self->name, "render") != 0)
            report_violation(t, file, header, "only legends have these letters");
    } else {
        check_module_header(t, self, file, header);
    }
}

static void check_angled(include_counts *t, const module *self, const structure_file *file,
                         const char *header)
{
    bool system_source = structure_is_in(file->folder, "src/base/posix") ||
                         structure_is_in(file->folder, "src/base/windows");
    if (system_source || contains_word(standard_headers, header) ||
        contains_word(self->allowed_external, header))
        return;
    report_violation(t, file, header,
                     "only src/base/posix and src/base/windows call the system, "
                     "only gpu calls Vulkan");
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
        print_error("%s: %zu headers of other modules, at most %d\n", file->path,
                    t->other_module_headers, OTHER_HEADERS_MAX);
        t->violations++;
    }
}

static void modules_include_only_what_the_table_allows(void **state)
{
    include_counts t = {0};
    assert_true(structure_each_file(structure_source_folders, BASE_COUNT(structure_source_folders),
                                    check_file, &t) > 0);
    assert_true(structure_each_file(test_modules, BASE_COUNT(test_modules), check_file, &t) > 0);
    assert_true(t.includes > 50);
    assert_int_equal(t.violations, 0);
}

/* Each of these violates a rule, and the checker must find each. */
static void every_kind_of_violation_is_found(void **state)
{
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
        {"src/base", "src/base/os_clock.c", "#include <unistd.h>\n"},
        {"src/sim/solvers", "src/sim/solvers/x.c", "#include \"body_internal.h\"\n"},
        {"src/sim/state", "src/sim/state/x.c", "#include \"sim_frame.h\"\n"},
        {"src/io/mesh", "src/io/mesh/x.c", "#include \"api_access.h\"\n"},
        {"src/geometry", "src/geometry/x.c", "#include \"api_internal.h\"\n"},
        {"src/output", "src/output/x.c", "#include \"api_internal.h\"\n"},
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
    return cmocka_run_group_tests(tests, list_headers, free_headers);
}

/* The walls between the rooms: who may include whom. */
#include "walls.h"

#include <setjmp.h>

#include <cmocka.h>

/* `may`: rooms whose header it may include, beside its own and src/include. `outside`: headers of
 * systems and libraries, beside those of the C standard. */
typedef struct room {
    const char *folder, *name;
    const char *may;
    const char *outside;
} room;

/* gpu fills the push constants that every row shares. solid reads meshes by io, and finds a scene's
 * solids in the scene's plain data; the program takes terminal, clock and file calls from base,
 * which alone may call the system. */
static const room rooms[] = {
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
    {"src/app/stored_foam", "stored_foam", "base app", ""},
    {"src/app/run", "run", "base app mesh pictures", ""},
    {"src/app/bench", "bench", "base app", "jansson.h"},
    {"src/app/validate", "validate", "base app", "jansson.h"},
    {"src/app/view", "view", "base app", "GLFW/glfw3.h imgui.h"},
    {"src/app/main", "main", "base app mesh pictures stored_foam run bench validate view",
     "jansson.h"},
    {"tests/ref", "ref", "base shared", ""},
};

/* Headers that a room shows to others beside <room>.h. */
static const char *const more_fronts[] = {
    "src/gpu/gpu_adopt.h",           "src/include/weir.h",
    "src/include/weir_body.h",       "src/include/weir_foam.h",
    "src/include/weir_picture.h",    "src/include/weir_probe.h",
    "src/include/weir_profile.h",    "src/include/weir_soft.h",
    "src/include/weir_steer.h",      "src/include/weir_version.h",
    "src/include/weir_vulkan.h",     "src/include/weir_vulkan_mesh.h",
    "src/include/weir_constraint.h", "src/include/weir_vulkan_constraint.h",
    "src/sim/sim_constraint.h",      "src/render/overlay.h",
    "src/include/weir_force.h"};

static const char standard_headers[] =
    " assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h "
    "math.h "
    "setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h "
    "stdlib.h "
    "stdnoreturn.h string.h tgmath.h time.h uchar.h wchar.h wctype.h ";

enum { OTHER_HEADERS_MAX = 4 };

typedef struct tally {
    size_t includes, faults;
    size_t others; /* headers of other rooms in this file */
} tally;

static void blame(tally *t, const walls_file *file, const char *header, const char *why)
{
    print_error("%s: #include of %s: %s\n", file->path, header, why);
    t->faults++;
}

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = words; (p = strstr(p, word)); p += length)
        if ((p == words || p[-1] == ' ') && (p[length] == ' ' || !p[length])) return true;
    return false;
}

static const room *room_of(const char *folder)
{
    for (size_t i = 0; i < BASE_COUNT(rooms); i++)
        if (strcmp(rooms[i].folder, folder) == 0) return &rooms[i];
    return NULL;
}

static bool is_front(const room *owner, const char *path)
{
    for (size_t i = 0; i < BASE_COUNT(more_fronts); i++)
        if (strcmp(more_fronts[i], path) == 0) return true;
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
static void check_shader(tally *t, const room *self, const walls_file *file, const char *header)
{
    size_t length = strcspn(header, "/");
    bool own = strlen(self->name) >= length && strncmp(header, self->name, length) == 0;
    if (!own) blame(t, file, header, "a room uses its own shaders only");
}

static void check_room_header(tally *t, const room *self, const walls_file *file,
                              const char *header)
{
    for (size_t i = 0; i < BASE_COUNT(rooms); i++) {
        const room *owner = &rooms[i];
        char path[512];
        snprintf(path, sizeof path, "%s/%s", owner->folder, header);
        if (owner == self || !base_path_is_file(path)) continue;
        bool is_include = strcmp(owner->name, "include") == 0;
        if (!is_include) t->others++;
        if (!is_include && !has_word(self->may, owner->name))
            blame(t, file, header, "this room may not include that one");
        else if (!is_front(owner, path))
            blame(t, file, header, "it is private to its room");
        return;
    }
    blame(t, file, header, "no room has such a header");
}

static void check_quoted(tally *t, const room *self, const walls_file *file, const char *header)
{
    char own[512], shared[512];
    snprintf(own, sizeof own, "%s/%s", file->folder, header);
    snprintf(shared, sizeof shared, "shaders/%s", header);
    if (base_path_is_file(own)) return;
    if (is_shader(header)) {
        check_shader(t, self, file, header);
    } else if (strncmp(header, "shared/", 7) == 0 && base_path_is_file(shared)) {
        t->others++;
        if (!has_word(self->may, "shared"))
            blame(t, file, header, "this room may not see shared blocks");
    } else if (strstr(header, ".json.inc")) {
        if (strcmp(self->name, "app") != 0)
            blame(t, file, header, "scenes are embedded in the program only");
    } else {
        check_room_header(t, self, file, header);
    }
}

static void check_angled(tally *t, const room *self, const walls_file *file, const char *header)
{
    bool system_source = strncmp(file->path, "src/base/os_", 12) == 0;
    if (system_source || has_word(standard_headers, header) || has_word(self->outside, header))
        return;
    blame(t, file, header, "only base/os_* calls the system, only gpu calls Vulkan");
}

static void check_include(tally *t, const walls_file *file, const char *start)
{
    const room *self = room_of(file->folder);
    char close = *start == '<' ? '>' : '"', header[256];
    const char *end = strchr(start + 1, close);
    if (!self || !end || (size_t)(end - start) > sizeof header) {
        blame(t, file, "?", "cannot be read");
        return;
    }
    snprintf(header, sizeof header, "%.*s", (int)(end - start - 1), start + 1);
    t->includes++;
    if (close == '>')
        check_angled(t, self, file, header);
    else
        check_quoted(t, self, file, header);
}

static void check_file(void *user, const walls_file *file)
{
    tally *t = user;
    t->others = 0;
    for (const char *line = file->text; line; line = walls_next_line(line)) {
        static const char word[] = "#include ";
        if (strncmp(line, word, sizeof word - 1) == 0)
            check_include(t, file, line + sizeof word - 1);
    }
    if (t->others > OTHER_HEADERS_MAX && strcmp(base_path_extension(file->path), "c") == 0) {
        print_error("%s: %zu headers of other rooms, at most %d\n", file->path, t->others,
                    OTHER_HEADERS_MAX);
        t->faults++;
    }
}

static void rooms_include_only_whom_the_plan_allows(void **state)
{
    (void)state;
    tally t = {0};
    walls_each(walls_source_folders, BASE_COUNT(walls_source_folders), check_file, &t);
    static const char *const ref[] = {"tests/ref"};
    walls_each(ref, 1, check_file, &t);
    assert_true(t.includes > 50);
    assert_int_equal(t.faults, 0);
}

/* Each of these breaks one wall, and the checker must find each. */
static void every_kind_of_breach_is_found(void **state)
{
    (void)state;
    static const walls_file breaches[] = {
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
        tally t = {0};
        check_file(&t, &breaches[i]);
        if (t.faults == 0) fail_msg("passed: %s", breaches[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rooms_include_only_whom_the_plan_allows),
        cmocka_unit_test(every_kind_of_breach_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

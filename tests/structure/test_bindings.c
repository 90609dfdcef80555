/* Binding numbers and specialization constants. The headers in shaders/shared number them
   consecutively, or C and the build count the rows of a table alike. Shaders declare bindings
   and constants only with the macros of shaders/lib/bindings/bindings.glsl. Only
   shaders/lib/bindings/dispatch.glsl knows where a workgroup is in its pass, of which a dispatch
   may be a part. */
#include "structure.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#include "body/shaders.h"
#include "deformable/shaders.h"
#include "mesh/shaders.h"
#include "poisson/shaders.h"
#include "sim/shaders.h"
#include "whitewater/shaders.h"

#include "shared/body.h"
#include "shared/deformable.h"
#include "shared/mesh.h"
#include "shared/poisson.h"
#include "shared/sim.h"
#include "shared/whitewater.h"

#define BINDING_MACROS "shaders/lib/bindings/bindings.glsl"
#define DISPATCH_INDEX_BUILTINS "shaders/lib/bindings/dispatch.glsl"

typedef struct violation_counts {
    size_t bindings, constants, violations;
} violation_counts;

static void report_violation(violation_counts *t, const char *path, const char *what,
                             const char *at)
{
    print_error("%s: %s: %.*s\n", path, what, (int)structure_line_length(at), at);
    t->violations++;
}

/* #define BUFFER(name, type, count) SIM_BIND_##name: the C compiler counts the rows of a table. */
static bool counts_rows(const char *line)
{
    const char *row = strstr(line, "BIND_##");
    return row && row < line + structure_line_length(line);
}

/* Checks #define SIM_BIND_name WEIR_ARRAY(4, vec4), possibly on two lines: 0, 1, 2 and so on.
   #define SIM_BINDINGS 50u, if present, is the number after the last. */
static void check_bindings(violation_counts *t, const structure_file *file)
{
    long next = 0;
    for (const char *line = file->text; line; line = structure_next_line(line)) {
        const char *end = line + structure_line_length(line);
        const char *name = strstr(line, "_BIND_"), *count = strstr(line, "_BINDINGS ");
        if (strncmp(line, "#define ", 8) != 0 || counts_rows(line)) continue;
        if (name && name < end) {
            const char *number = strchr(name, '(');
            if (!number || atol(number + 1) != next)
                report_violation(t, file->path, "out of order", line);
            next++;
        } else if (count && count < end && atol(count + strlen("_BINDINGS ")) != next) {
            report_violation(t, file->path, "not the count", line);
        }
    }
    t->bindings += (size_t)next;
}

/* Checks FLAG(1, NAME) and NUMBER(2, NAME) after #define X_CONSTANTS: 1, 2 and so on; 0 is the
   workgroup size. */
static void check_constants(violation_counts *t, const structure_file *file)
{
    const char *list = strstr(file->text, "_CONSTANTS(");
    long last = 0;
    for (const char *line = list; line; line = structure_next_line(line)) {
        const char *entry = line + strspn(line, " ");
        bool flag = strncmp(entry, "FLAG(", 5) == 0, number = strncmp(entry, "NUMBER(", 7) == 0;
        if (!flag && !number) {
            if (line == list) continue;
            break;
        }
        if (atol(strchr(entry, '(') + 1) != ++last)
            report_violation(t, file->path, "out of order", line);
    }
    if (list && last == 0) report_violation(t, file->path, "an empty list", list);
    t->constants += (size_t)last;
}

static void check_header(void *user, const structure_file *file)
{
    check_bindings(user, file);
    check_constants(user, file);
}

/* Built-ins that refer to the dispatch, not to the pass. */
static const char *const places[] = {"gl_WorkGroupID", "gl_GlobalInvocationID", "gl_NumWorkGroups"};

static void check_dispatch_index(violation_counts *t, const structure_file *file)
{
    if (strcmp(file->path, DISPATCH_INDEX_BUILTINS) == 0) return;
    for (size_t i = 0; i < BASE_COUNT(places); i++) {
        const char *at = strstr(file->text, places[i]);
        if (at) report_violation(t, file->path, "a place in the dispatch", at);
    }
}

/* Shaders of tests have constants of their own. */
static void check_shader(void *user, const structure_file *file)
{
    bool test = strcmp(file->folder, "shaders/tests") == 0;
    if (strcmp(file->path, BINDING_MACROS) == 0) return;
    check_dispatch_index(user, file);
    for (const char *line = file->text; line; line = structure_next_line(line)) {
        char text[512];
        snprintf(text, sizeof text, "%.*s", (int)structure_line_length(line), line);
        const char *layout = strstr(text, "layout");
        if (layout && strstr(layout, "binding"))
            report_violation(user, file->path, "binds by itself", line);
        if (!test && strstr(text, "constant_id"))
            report_violation(user, file->path, "its own constant", line);
    }
}

static void headers_count_bindings_and_constants_in_order(void **state)
{
    static const char *const folder[] = {"shaders/shared"};
    violation_counts t = {0};
    structure_each_file(folder, 1, check_header, &t);
    print_message("%zu bindings, %zu constants\n", t.bindings, t.constants);
    assert_true(t.bindings > 50 && t.constants > 20);
    assert_int_equal(t.violations, 0);
}

static const char *const body_names[] = {
#define BUFFER(name, ...) [BODY_BIND_##name] = #name,
#define EXTERNAL(name, ...) [BODY_BIND_##name] = #name,
#include "shared/body_buffers.def"
};
static const char *const deformable_names[] = {
#define BUFFER(name, ...) [DEFORMABLE_BIND_##name] = #name,
#define EXTERNAL(name, ...) [DEFORMABLE_BIND_##name] = #name,
#include "shared/deformable_buffers.def"
};
static const char *const mesh_names[] = {
#define BUFFER(name, ...) [MESH_BIND_##name] = #name,
#define EXTERNAL(name, ...) [MESH_BIND_##name] = #name,
#include "shared/mesh_buffers.def"
};
static const char *const poisson_names[] = {
#define BUFFER(name, ...) [POISSON_BIND_##name] = #name,
#define EXTERNAL(name, ...) [POISSON_BIND_##name] = #name,
#include "shared/poisson_buffers.def"
};
static const char *const sim_names[] = {
#define BUFFER(name, ...) [SIM_BIND_##name] = #name,
#define ALIAS(name, ...) [SIM_BIND_##name] = #name,
#define EXTERNAL(name, ...) [SIM_BIND_##name] = #name,
#include "shared/sim_buffers.def"
};
static const char *const whitewater_names[] = {
#define BUFFER(name, ...) [WHITEWATER_BIND_##name] = #name,
#define EXTERNAL(name, ...) [WHITEWATER_BIND_##name] = #name,
#include "shared/whitewater_buffers.def"
};

static size_t check_names(const gpu_shader *shaders, int count, const char *const *names,
                          size_t name_count)
{
    size_t checked = 0;
    for (int i = 0; i < count; i++)
        for (uint32_t u = 0; u < shaders[i].use_count; u++, checked++) {
            const gpu_shader_binding *use = &shaders[i].uses[u];
            assert_true(use->binding < name_count);
            assert_string_equal(use->name, names[use->binding]);
        }
    return checked;
}

static void shaders_and_c_number_a_table_alike(void **state)
{
#define CHECK(shaders, count, names) \
    assert_true(check_names(shaders, count, names, BASE_COUNT(names)) > 50)
    CHECK(body_shaders, BODY_SHADERS, body_names);
    CHECK(deformable_shaders, DEFORMABLE_SHADERS, deformable_names);
    CHECK(mesh_shaders, MESHER_SHADERS, mesh_names);
    CHECK(poisson_shaders, POISSON_SHADERS, poisson_names);
    CHECK(sim_shaders, SIM_SHADERS, sim_names);
    CHECK(whitewater_shaders, WHITEWATER_SHADERS, whitewater_names);
}

static void shaders_bind_by_the_words_alone(void **state)
{
    violation_counts t = {0};
    assert_true(structure_each_file(structure_shader_folders, BASE_COUNT(structure_shader_folders),
                                    check_shader, &t) > 100);
    assert_int_equal(t.violations, 0);
}

static size_t count_violations(structure_visit *check, char *text)
{
    violation_counts t = {0};
    check(&t, &(structure_file){"shaders/x", "shaders/x/x.comp", text});
    return t.violations;
}

static void every_fault_is_found(void **state)
{
    char right[] = "#define X_BIND_a WEIR_STRUCT(0, x)\n#define X_BIND_b \\\n    WEIR_IMAGE(1)\n"
                   "#define X_BINDINGS 2u\n#define X_CONSTANTS(FLAG, NUMBER) \\\n"
                   "    FLAG(1, A) \\\n    NUMBER(2, B)\n";
    char twice[] = "#define X_BIND_a WEIR_IMAGE(0)\n#define X_BIND_b WEIR_IMAGE(0)\n";
    char gap[] = "#define X_BIND_a WEIR_IMAGE(0)\n#define X_BIND_b WEIR_IMAGE(2)\n";
    char count[] = "#define X_BIND_a WEIR_IMAGE(0)\n#define X_BINDINGS 2u\n";
    char constants[] = "#define X_CONSTANTS(FLAG) \\\n    FLAG(2, A) \\\n    FLAG(1, B)\n";
    char shader[] = "layout(std430, binding = 3) buffer x { float y[]; };\n"
                    "layout(constant_id = 1) const bool Z = false;\n"
                    "layout(local_size_x_id = 0) in;\n"
                    "uint i = gl_GlobalInvocationID.x;\n";
    assert_int_equal(count_violations(check_header, right), 0);
    assert_int_equal(count_violations(check_header, twice), 1);
    assert_int_equal(count_violations(check_header, gap), 1);
    assert_int_equal(count_violations(check_header, count), 1);
    assert_int_equal(count_violations(check_header, constants), 2);
    assert_int_equal(count_violations(check_shader, shader), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_count_bindings_and_constants_in_order),
        cmocka_unit_test(shaders_and_c_number_a_table_alike),
        cmocka_unit_test(shaders_bind_by_the_words_alone),
        cmocka_unit_test(every_fault_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

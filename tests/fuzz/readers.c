/* Targets: scenes, command-line words, scripts, tables, meshes, particles, pictures. */
#include "command_table.h"
#include "fuzz.h"
#include "io.h"
#include "output_internal.h"

static char *text_of(const fuzz_input *input)
{
    char *text = base_format("%.*s", (int)input->size, (const char *)input->bytes);
    WEIR_ASSERT(text);
    return text;
}

/* ---- scenes --------------------------------------------------------------------------------- */

/* The effective scene is also a valid scene, with the same meaning. */
static void check_scene(const weir_scene *scene, const weir_scene_def *def)
{
    weir_scene_info info, again;
    weir_scene *second = NULL;
    weir_param param;
    weir_scene_get_info(scene, &info);
    WEIR_ASSERT(weir_scene_parse(info.json, strlen(info.json), def, &second) == WEIR_OK);
    weir_scene_get_info(second, &again);
    WEIR_ASSERT(strcmp(info.json, again.json) == 0);
    for (uint32_t i = 0; weir_scene_get_param(scene, i, &param); i++)
        WEIR_ASSERT(param.key[0] && param.count >= 1 && param.count <= 3);
    weir_scene_destroy(&second);
}

bool fuzz_scene(const fuzz_input *input)
{
    weir_scene_def def = weir_scene_def_default();
    weir_scene *scene = NULL;
    def.log = fuzz_log;
    if (weir_scene_load(input->path, &def, &scene) != WEIR_OK) return false;
    check_scene(scene, &def);
    weir_scene_destroy(&scene);
    return true;
}

static const char base_scene[] =
    "{\"spacing\": 0.1, \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]},"
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"
    " {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.5]}}}}],"
    " \"solids\": [{\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.1}}}]}";

/* A line is one --set. An override is a word of the command line and contains no NUL. Chosen
   inputs also check that the effective scene means the same; the target "scene" checks it for
   every input. */
bool fuzz_set(const fuzz_input *input)
{
    enum { LINES = 4 };
    const char *lines[LINES];
    uint32_t count = 0;
    weir_scene_def def = weir_scene_def_default();
    weir_scene *scene = NULL;
    char *text = text_of(input);
    for (char *at = text; *at && count < LINES;) {
        lines[count++] = at;
        at += strcspn(at, "\n");
        if (*at) *at++ = '\0';
    }
    def.log = fuzz_log;
    def.overrides = lines;
    def.override_count = count;
    bool good = weir_scene_parse(base_scene, sizeof base_scene - 1, &def, &scene) == WEIR_OK;
    def.override_count = 0;
    if (good && fuzz_is_chosen(input)) check_scene(scene, &def);
    weir_scene_destroy(&scene);
    base_free(text);
    return good;
}

/* A run.json is read twice: for the output settings, and for the scene. */
bool fuzz_run_json(const fuzz_input *input)
{
    weir_output_def def = weir_output_def_default();
    def.log = fuzz_log;
    if (weir_output_def_read(input->path, &def) != WEIR_OK) return false;
    WEIR_ASSERT(def.particle_format < WEIR_PARTICLE_FORMAT_COUNT &&
                def.mesh_format < WEIR_MESH_FORMAT_COUNT);
    return fuzz_scene(input);
}

/* ---- scripts and tables --------------------------------------------------------------------- */

bool fuzz_script(const fuzz_input *input)
{
    view_script script;
    char *text = text_of(input);
    bool good = view_script_parse(&fuzz_log, "script", text, &script) == WEIR_OK;
    for (size_t i = 0; good && i < script.calls.count; i++) {
        const view_call *call = &script.calls.items[i];
        WEIR_ASSERT(call->id < VIEW_COMMANDS);
        for (uint32_t k = 0; k < VIEW_PARAMETERS; k++)
            WEIR_ASSERT(isfinite(call->values[k].number));
    }
    if (good) view_script_free(&script);
    base_free(text);
    return good;
}

/* --resume keeps the whole lines of a stats.csv for frames up to 5. */
bool fuzz_stats(const fuzz_input *input)
{
    weir_output output = {.def = {.log = fuzz_log, .resume = true}};
    base_text text = {0};
    bool good = base_text_append(&text, "frame,time_s\n") &&
                output_open_line_table(&output, input->path, &text, 5) == WEIR_OK;
    WEIR_ASSERT(!good || text.items[text.count - 1] == '\n');
    BASE_ARRAY_FREE(&text);
    return good;
}

/* ---- files of meshes, particles and pictures ------------------------------------------------ */

static bool is_finite(vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

bool fuzz_mesh(const fuzz_input *input)
{
    io_mesh mesh;
    (void)io_file_kind(input->path);
    if (io_mesh_read(&fuzz_log, input->path, &mesh) != WEIR_OK) return false;
    WEIR_ASSERT(mesh.triangle_count > 0);
    for (uint32_t i = 0; i < mesh.vertex_count; i++)
        WEIR_ASSERT(is_finite(mesh.vertices[i]));
    for (size_t i = 0; i < 3 * (size_t)mesh.triangle_count; i++)
        WEIR_ASSERT(mesh.indices[i] < mesh.vertex_count);
    io_mesh_free(&mesh);
    return true;
}

static void fuzz_whitewater(const fuzz_input *input)
{
    io_particles p;
    if (io_whitewater_read(&fuzz_log, input->path, NULL, &p) != WEIR_OK) return;
    for (uint32_t i = 0; i < p.count; i++)
        WEIR_ASSERT(isfinite(p.radius[i]) && p.kind && (!p.age || isfinite(p.age[i])));
    io_particles_free(&p);
}

bool fuzz_particles(const fuzz_input *input)
{
    io_particles p;
    (void)io_file_kind(input->path);
    fuzz_whitewater(input);
    if (io_particles_read(&fuzz_log, input->path, &p) != WEIR_OK) return false;
    WEIR_ASSERT(p.position && p.radius_m >= 0 && isfinite(p.time_s));
    for (uint32_t i = 0; i < p.count; i++) {
        WEIR_ASSERT(is_finite(p.position[i]));
        WEIR_ASSERT(!p.velocity || is_finite(p.velocity[i]));
        WEIR_ASSERT(!p.density || isfinite(p.density[i]));
    }
    io_particles_free(&p);
    return true;
}

bool fuzz_radiance(const fuzz_input *input)
{
    io_radiance_image image;
    if (io_radiance_read(&fuzz_log, input->path, &image) != WEIR_OK) return false;
    for (size_t i = 0; i < 3 * (size_t)image.width * image.height; i++)
        WEIR_ASSERT(isfinite(image.rgb[i]) && image.rgb[i] >= 0);
    io_radiance_free(&image);
    return true;
}

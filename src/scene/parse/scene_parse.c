/* Parses the bytes of a scene file into scene_data, and destroys it. */
#include "scene_internal.h"

static weir_result parse_text(scene_parser *parser)
{
    const char *text = parser->input->text;
    size_t size = parser->input->size;
    const char *source = parser->scene->source, *within = parser->input->within;
    json_error_t error;
    if (size > SCENE_MAX_BYTES)
        return base_fail(
            parser->log, WEIR_ERROR_SCENE,
            "%s: is %zu bytes, expected at most %u; store particles and meshes in separate files",
            source, size, SCENE_MAX_BYTES);
    /* Some editors start UTF-8 files with a byte order mark, which JSON does not allow. */
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        size -= 3;
    }
    /* This limits the depth before jansson recurses. */
    weir_result result = scene_positions_build(text, size, within, &parser->positions);
    if (result == WEIR_ERROR_SCENE)
        return base_fail(parser->log, result, "%s:%d:%d: %s", source, parser->positions.line,
                         parser->positions.column, parser->positions.refusal);
    if (result != WEIR_OK) return result;
    parser->root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!parser->root && json_error_code(&error) == json_error_out_of_memory)
        return WEIR_ERROR_MEMORY;
    if (!parser->root)
        return base_fail(parser->log, WEIR_ERROR_SCENE,
                         "%s:%d:%d: not a JSON object: %s; note that JSON allows no comments and "
                         "no comma before a closing bracket",
                         source, error.line < 1 ? 1 : error.line,
                         error.column < 1 ? 1 : error.column, error.text);
    if (within) {
        json_t *whole = parser->root;
        parser->root = json_incref(json_object_get(whole, within));
        json_decref(whole);
    }
    if (!json_is_object(parser->root))
        return base_fail(parser->log, WEIR_ERROR_SCENE,
                         "%s:1:1: the scene is %s, expected an object in "
                         "braces",
                         source, scene_format_value(parser->root).text);
    return WEIR_OK;
}

/* Checks that every fluid has a fill or an emitter. */
static void check_sources(scene_parser *parser)
{
    const scene_data *scene = parser->scene;
    scene_location top = {0}, fluids = scene_location_key(&top, "fluids");
    for (uint32_t i = 0; i < scene->fluid_count; ++i) {
        bool used = scene->fluids[i].fill_count > 0;
        for (uint32_t e = 0; e < scene->emitter_count && !used; ++e)
            used = scene->emitters[e].fluid == i;
        scene_location at = scene_location_element(&fluids, i);
        if (!used) scene_error(parser, &at, "has neither a fill nor an emitter; add one of them");
    }
}

/* A scene of another format has keys of other meanings, so errors in these would mislead: this is
 * the only one then. The effective scene lacks the key, so that a scene which gains it is the same
 * scene for checkpoints. */
static bool check_format(scene_parser *parser)
{
    json_t *format = json_object_get(parser->root, "format");
    scene_location top = {0}, at = scene_location_key(&top, "format");
    if (!format) return true;
    if (json_is_integer(format) && json_integer_value(format) == SCENE_FORMAT) {
        json_object_del(parser->root, "format");
        return true;
    }
    if (json_is_integer(format) && json_integer_value(format) > SCENE_FORMAT)
        scene_error(parser, &at,
                    "is %s, and Weir %d.%d.%d reads scenes of format %d: install a newer Weir, or "
                    "write the scene for format %d",
                    scene_format_value(format).text, WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR,
                    WEIR_VERSION_PATCH, SCENE_FORMAT, SCENE_FORMAT);
    else
        scene_error(parser, &at,
                    "is %s, expected the number of a format: %d, also if it is left out",
                    scene_format_value(format).text, SCENE_FORMAT);
    return false;
}

static void read_all(scene_parser *parser)
{
    scene_apply_overrides(parser);
    if (!check_format(parser)) return;
    scene_ignore_unsupported(parser);
    scene_prepare_sea(parser);
    scene_read_world(parser);
    scene_read_sea(parser);
    scene_read_attributes(parser);
    scene_read_fluids(parser);
    scene_read_forces(parser);
    scene_read_solids(parser);
    scene_read_bodies(parser);
    scene_read_deformables(parser);
    scene_read_emitters(parser);
    scene_read_sinks(parser);
    scene_read_whitewater_emitters(parser);
    scene_read_gauges(parser);
    scene_check_method_support(parser);
    scene_choose_sound_speed(parser);
    if (parser->errors == 0) check_sources(parser);
}

static int dump_bytes(const char *bytes, size_t size, void *user)
{
    return base_text_append_bytes(user, bytes, size) ? 0 : -1;
}

static weir_result write_json(scene_parser *parser)
{
    base_text text = {0};
    const size_t flags = JSON_INDENT(2) | JSON_REAL_PRECISION(9);
    if (json_dump_callback(parser->root, dump_bytes, &text, flags) != 0) {
        base_free(text.items);
        return WEIR_ERROR_MEMORY;
    }
    parser->scene->json = text.items;
    return WEIR_OK;
}

static weir_result start_scene(scene_parser *parser)
{
    const scene_input *input = parser->input;
    parser->scene = base_alloc(1, sizeof *parser->scene);
    if (!parser->scene) return WEIR_ERROR_MEMORY;
    parser->scene->source = base_strdup(input->source ? input->source : "scene");
    parser->scene->folder = base_strdup(input->folder ? input->folder : "");
    return parser->scene->source && parser->scene->folder ? WEIR_OK : WEIR_ERROR_MEMORY;
}

weir_result scene_parse(const weir_log *log, const scene_input *input, scene_data **scene)
{
    scene_parser parser = {.log = log, .input = input};
    weir_result result;
    *scene = NULL;
    WEIR_GOTO_IF_ERROR(start_scene(&parser));
    WEIR_GOTO_IF_ERROR(parse_text(&parser));
    read_all(&parser);
    scene_log_reports(&parser);
    WEIR_GOTO_IF_ERROR(parser.out_of_memory ? WEIR_ERROR_MEMORY
                       : parser.errors      ? WEIR_ERROR_SCENE
                                            : WEIR_OK);
    WEIR_GOTO_IF_ERROR(write_json(&parser));
    *scene = parser.scene;
    parser.scene = NULL;
fail:
    if (result == WEIR_ERROR_MEMORY)
        base_log(log, WEIR_LOG_ERROR, "out of memory while reading a scene");
    json_decref(parser.root);
    scene_positions_free(&parser.positions);
    BASE_ARRAY_FREE(&parser.overrides);
    BASE_ARRAY_FREE(&parser.ignored);
    scene_destroy(&parser.scene);
    return result;
}

static void free_deformables(scene_deformable *deformables, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t p = 0; p < deformables[i].pin_count; ++p)
            base_free(deformables[i].pins[p].vertices);
        base_free(deformables[i].pins);
        base_free(deformables[i].points);
        base_free(deformables[i].path);
        base_free(deformables[i].name);
    }
    base_free(deformables);
}

static void free_lists(scene_data *scene)
{
    for (uint32_t i = 0; i < scene->attribute_count; ++i)
        base_free(scene->attributes[i].name);
    for (uint32_t i = 0; i < scene->fluid_count; ++i) {
        for (uint32_t f = 0; f < scene->fluids[i].fill_count; ++f)
            base_free(scene->fluids[i].fills[f].path);
        base_free(scene->fluids[i].fills);
        base_free(scene->fluids[i].name);
    }
    for (uint32_t i = 0; i < scene->force_count; ++i) {
        base_free(scene->forces[i].points);
        base_free(scene->forces[i].path);
    }
    for (uint32_t i = 0; i < scene->solid_count; ++i) {
        base_free(scene->solids[i].motion.keys);
        base_free(scene->solids[i].name);
    }
    for (uint32_t i = 0; i < scene->body_count; ++i)
        base_free(scene->bodies[i].name);
    for (uint32_t i = 0; i < scene->emitter_count; ++i) {
        base_free(scene->emitters[i].motion.keys);
        base_free(scene->emitters[i].speed_keys);
        base_free(scene->emitters[i].name);
    }
    for (uint32_t i = 0; i < scene->sink_count; ++i) {
        base_free(scene->sinks[i].motion.keys);
        base_free(scene->sinks[i].name);
    }
    for (uint32_t i = 0; i < scene->whitewater.emitter_count; ++i)
        base_free(scene->whitewater.emitters[i].motion.keys);
    base_free(scene->whitewater.emitters);
    for (uint32_t i = 0; i < scene->gauge_count; ++i)
        base_free(scene->gauges[i].name);
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
        base_free(scene->meshes[i].path);
}

void scene_destroy(scene_data **scene)
{
    scene_data *s = *scene;
    if (!s) return;
    free_lists(s);
    base_free(s->attributes);
    base_free(s->fluids);
    base_free(s->solids);
    base_free(s->bodies);
    free_deformables(s->cloths, s->cloth_count);
    free_deformables(s->ropes, s->rope_count);
    free_deformables(s->soft_bodies, s->soft_body_count);
    base_free(s->emitters);
    base_free(s->sinks);
    base_free(s->gauges);
    base_free(s->meshes);
    base_free(s->shapes);
    base_free(s->shape_children);
    base_free(s->source);
    base_free(s->folder);
    base_free(s->json);
    base_free(s->name);
    base_free(s->description);
    base_free(s->camera.keys);
    base_free(s->gravity_keys);
    scene_free_tracks(s);
    base_free(s->look.environment);
    base_free(s);
    *scene = NULL;
}

/* Reads the emitters of whitewater and of tracers. */
#include "scene_internal.h"

static void read_emitter(scene_parser *parser, const scene_location *where, json_t *object,
                         scene_whitewater_emitter *emitter)
{
    scene_location shape = scene_location_key(where, "shape");
    emitter->line = scene_line(parser, where, &emitter->column);
    if (!scene_read_fields(parser, where, object, &scene_table_whitewater_emitter, emitter)) return;
    json_t *given = json_object_get(object, "shape");
    if (given) emitter->shape = scene_read_shape(parser, &shape, given);
    scene_check_times(parser, where, emitter->start_s, emitter->end_s);
    const scene_location at = scene_read_motion_or_attachment(
        parser, where, object, &emitter->motion, &emitter->attached_to);
    if (emitter->motion.kind == SCENE_MOTION_HOST_DRIVEN)
        scene_error(parser, &at,
                    "is moved by the host program, which an emitter of whitewater cannot follow: "
                    "give it keyframes, or attach it to a body");
}

void scene_read_whitewater_emitters(scene_parser *parser)
{
    scene_whitewater *whitewater = &parser->scene->whitewater;
    const scene_location top = {0}, where = scene_location_key(&top, "whitewater"),
                         list = scene_location_key(&where, "emitters");
    uint32_t count;
    if (!whitewater->given) return;
    json_t *object = json_object_get(parser->root, "whitewater");
    json_t *array = scene_read_array(parser, &list, object, SCENE_MAX_WHITEWATER_EMITTERS, &count);
    whitewater->emitters = count ? scene_alloc(parser, count, sizeof *whitewater->emitters) : NULL;
    if (!whitewater->emitters) return;
    whitewater->emitter_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const scene_location at = scene_location_element(&list, i);
        read_emitter(parser, &at, json_array_get(array, i), &whitewater->emitters[i]);
    }
}

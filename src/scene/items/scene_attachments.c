/* Reads what an emitter or a sink moves with: a motion of its own, a solid or a body. */
#include "scene_internal.h"

/* Finds the solid or the body with the name at `where`. */
static void find_owner(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_attachment *attachment)
{
    const scene_data *scene = parser->scene;
    const scene_names solids = {scene->solids, sizeof *scene->solids, scene->solid_count};
    const scene_names bodies = {scene->bodies, sizeof *scene->bodies, scene->body_count};
    const char *word = scene_read_word(parser, where, object), *near;
    if (!word) return;
    const uint32_t solid = scene_index_of_name(&solids, word);
    const uint32_t body = scene_index_of_name(&bodies, word);
    if (solid != UINT32_MAX && body != UINT32_MAX) {
        scene_error(parser, where, "is the name of a solid and of a body; rename one of them");
        return;
    }
    if (solid != UINT32_MAX) attachment->solid = solid + 1;
    if (body != UINT32_MAX) attachment->body = body + 1;
    if (solid != UINT32_MAX || body != UINT32_MAX) return;
    near = scene_nearest_name(&solids, word);
    if (!near) near = scene_nearest_name(&bodies, word);
    scene_error(parser, where, "is %s, expected the name of a solid or a body of this scene%s%s%s",
                scene_format_value(json_object_get(object, where->key)).text,
                near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static void copy_motion(scene_parser *parser, const scene_motion *from, scene_motion *motion)
{
    *motion = *from;
    motion->keys = NULL;
    if (motion->key_count == 0) return;
    motion->keys = scene_alloc(parser, motion->key_count, sizeof *motion->keys);
    if (motion->keys)
        memcpy(motion->keys, from->keys, motion->key_count * sizeof *motion->keys);
    else
        motion->key_count = 0;
}

scene_location scene_read_motion_or_attachment(scene_parser *parser, const scene_location *where,
                                               json_t *object, scene_motion *motion,
                                               scene_attachment *attachment)
{
    const bool attached = json_object_get(object, "attached_to") != NULL;
    const scene_location at = scene_location_key(where, attached ? "attached_to" : "motion");
    json_t *own = json_object_get(object, "motion");
    if (!attached) {
        if (own) scene_read_motion(parser, &at, own, motion);
        return at;
    }
    if (own) scene_error(parser, &at, "is given together with \"motion\": remove one of them");
    find_owner(parser, &at, object, attachment);
    if (attachment->solid)
        copy_motion(parser, &parser->scene->solids[attachment->solid - 1].motion, motion);
    return at;
}

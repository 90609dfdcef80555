/* Reads lists of named items, and texts that refer to such an item. */
#include "scene_internal.h"

void *scene_alloc(scene_parser *parser, size_t count, size_t size)
{
    void *items = base_alloc(count, size);
    if (!items) parser->out_of_memory = true;
    return items;
}

static const char *name_of(const scene_names *names, uint32_t index)
{
    return *(char *const *)(const void *)((const char *)names->items + index * names->size);
}

/* Reports an error when an earlier item of the list has the same name. */
static void check_name(scene_parser *parser, const scene_location *item, const scene_names *names,
                       uint32_t index)
{
    const char *name = name_of(names, index);
    scene_location at = scene_location_key(item, "name");
    for (uint32_t i = 0; i < index && name; ++i) {
        const char *other = name_of(names, i);
        if (!other || strcmp(name, other) != 0) continue;
        scene_error(parser, &at,
                    "is \"%s\", which is already the name of [%u]; choose another name", name, i);
        return;
    }
}

void *scene_read_list(scene_parser *parser, const scene_list *list, uint32_t *count)
{
    scene_location top = {0}, where = scene_location_key(&top, list->key);
    uint32_t found;
    json_t *array = scene_read_array(parser, &where, parser->root, list->max, &found);
    char *items = found ? scene_alloc(parser, found, list->size) : NULL;
    if (!items) return NULL;
    *count = found;
    const scene_names names = {items, list->size, found};
    for (uint32_t i = 0; i < found; ++i) {
        scene_location at = scene_location_element(&where, i);
        list->read(parser, &at, json_array_get(array, i), items + i * list->size);
        check_name(parser, &at, &names, i);
    }
    return items;
}

uint32_t scene_index_of_name(const scene_names *names, const char *word)
{
    for (uint32_t i = 0; i < names->count; ++i) {
        const char *name = name_of(names, i);
        if (name && strcmp(name, word) == 0) return i;
    }
    return UINT32_MAX;
}

const char *scene_nearest_name(const scene_names *names, const char *word)
{
    const char *known[64];
    size_t count = 0;
    for (uint32_t i = 0; i < names->count && count < BASE_COUNT(known); ++i)
        if (name_of(names, i)) known[count++] = name_of(names, i);
    return base_nearest_name(word, known, count);
}

void scene_find_name(scene_parser *parser, const scene_location *where, json_t *object,
                     const scene_names *names, uint32_t *index)
{
    const char *word = scene_read_word(parser, where, object);
    if (!word) return;
    const uint32_t found = scene_index_of_name(names, word);
    if (found != UINT32_MAX) {
        *index = found;
        return;
    }
    const char *near = scene_nearest_name(names, word);
    scene_error(parser, where, "is %s, expected the name of a %s of this scene%s%s%s",
                scene_format_value(json_object_get(object, where->key)).text, where->key,
                near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

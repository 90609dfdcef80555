/* Maps locations in a scene to positions in its text. jansson gives positions of syntax errors
 * only, so a second scan of the same text records the line and column of every value. */
#include "scene_internal.h"

#include <stdlib.h>

static uint64_t hash_key(uint64_t parent, const char *key, size_t size)
{
    return base_hash64(key, size, parent);
}

static uint64_t hash_element(uint64_t parent, uint32_t index)
{
    return base_hash64(&index, sizeof index, ~parent);
}

/* Collects the links from the whole scene down to `where`, at most SCENE_MAX_DEPTH. */
static size_t collect_chain(const scene_location *where,
                            const scene_location *chain[SCENE_MAX_DEPTH])
{
    size_t depth = 0;
    for (const scene_location *p = where; p->parent; p = p->parent)
        ++depth;
    WEIR_ASSERT(depth <= SCENE_MAX_DEPTH);
    size_t at = depth;
    for (const scene_location *p = where; p->parent; p = p->parent)
        chain[--at] = p;
    return depth;
}

bool scene_location_text(const scene_location *where, base_text *text)
{
    const scene_location *chain[SCENE_MAX_DEPTH];
    size_t depth = collect_chain(where, chain);
    bool ok = base_text_append(text, "%s", "");
    for (size_t i = 0; i < depth && ok; ++i)
        ok = chain[i]->key ? base_text_append(text, "%s%s", i ? "." : "", chain[i]->key)
                           : base_text_append(text, "[%u]", chain[i]->index);
    return ok;
}

uint64_t scene_location_hash(const scene_location *where)
{
    const scene_location *chain[SCENE_MAX_DEPTH];
    size_t depth = collect_chain(where, chain);
    uint64_t hash = 0;
    for (size_t i = 0; i < depth; ++i)
        hash = chain[i]->key ? hash_key(hash, chain[i]->key, strlen(chain[i]->key))
                             : hash_element(hash, chain[i]->index);
    return hash;
}

/* ---- scanning the text ----------------------------------------------------------------------- */

typedef struct container {
    uint64_t location;
    uint32_t index; /* of the next element */
    bool array;
    bool value_next; /* in an object: the key has been read */
    uint64_t member;
} container;

typedef struct scanner {
    const char *at, *end;
    int line, column;
    size_t depth;
    container stack[SCENE_MAX_DEPTH];
    const char *within;
    scene_positions *positions;
} scanner;

/* Location of the text's outer object when the scene is inside it; no value of a scene has it. */
#define OUTSIDE 1u

static void scan_next(scanner *s)
{
    if (*s->at == '\n') {
        ++s->line;
        s->column = 1;
    } else if (((unsigned char)*s->at & 0xC0) != 0x80) { /* columns count code points */
        ++s->column;
    }
    ++s->at;
}

/* Returns the raw text between the quotes and its size, and moves the scanner past the closing
 * quote. */
static const char *scan_string(scanner *s, size_t *size)
{
    scan_next(s);
    const char *start = s->at;
    while (s->at < s->end && *s->at != '"') {
        if (*s->at == '\\' && s->at + 1 < s->end) scan_next(s);
        scan_next(s);
    }
    *size = (size_t)(s->at - start);
    if (s->at < s->end) scan_next(s);
    return start;
}

static uint64_t next_location(const scanner *s)
{
    if (s->depth == 0) return s->within ? OUTSIDE : 0;
    const container *c = &s->stack[s->depth - 1];
    return c->array ? hash_element(c->location, c->index) : c->member;
}

static weir_result fail_scan(scanner *s, const char *why)
{
    s->positions->refusal = why;
    s->positions->line = s->line;
    s->positions->column = s->column;
    return WEIR_ERROR_SCENE;
}

static weir_result add_position(scanner *s)
{
    if (s->positions->values.count >= SCENE_MAX_VALUES)
        return fail_scan(s, "the scene has more than a million values; put particles into a file");
    scene_position position = {next_location(s), s->line, s->column};
    return BASE_ARRAY_PUSH(&s->positions->values, position) ? WEIR_OK : WEIR_ERROR_MEMORY;
}

static weir_result open_container(scanner *s, bool array)
{
    if (s->depth == SCENE_MAX_DEPTH)
        return fail_scan(s, "values are nested more than 64 levels deep; flatten the scene");
    WEIR_RETURN_IF_ERROR(add_position(s));
    s->stack[s->depth] = (container){.location = next_location(s), .array = array};
    ++s->depth;
    scan_next(s);
    return WEIR_OK;
}

static void scan_punctuation(scanner *s)
{
    container *c = s->depth ? &s->stack[s->depth - 1] : NULL;
    if (c && *s->at == ',') {
        if (c->array) ++c->index;
        c->value_next = false;
    } else if (c && *s->at == ':') {
        c->value_next = true;
    } else if (c && (*s->at == '}' || *s->at == ']')) {
        --s->depth;
    }
    scan_next(s);
}

static weir_result scan_text(scanner *s)
{
    container *c = s->depth ? &s->stack[s->depth - 1] : NULL;
    size_t size;
    if (c && !c->array && !c->value_next) {
        const char *key = scan_string(s, &size);
        bool scene = s->within && s->depth == 1 && size == strlen(s->within) &&
                     memcmp(key, s->within, size) == 0;
        c->member = scene ? 0 : hash_key(c->location, key, size);
        return WEIR_OK;
    }
    weir_result result = add_position(s);
    scan_string(s, &size);
    return result;
}

static weir_result scan_scalar(scanner *s)
{
    weir_result result = add_position(s);
    while (s->at < s->end && !strchr(" \t\r\n,:[]{}\"", *s->at))
        scan_next(s);
    if (s->at < s->end && *s->at == '\0') scan_next(s);
    return result;
}

static int compare_positions(const void *a, const void *b)
{
    uint64_t x = ((const scene_position *)a)->location, y = ((const scene_position *)b)->location;
    return (x > y) - (x < y);
}

weir_result scene_positions_build(const char *text, size_t size, const char *within,
                                  scene_positions *positions)
{
    scanner s = {text, text + size, 1, 1, 0, {{0}}, within, positions};
    weir_result result = WEIR_OK;
    while (s.at < s.end && result == WEIR_OK) {
        switch (*s.at) {
        case ' ':
        case '\t':
        case '\r':
        case '\n': scan_next(&s); break;
        case '{':
        case '[': result = open_container(&s, *s.at == '['); break;
        case '}':
        case ']':
        case ',':
        case ':': scan_punctuation(&s); break;
        case '"': result = scan_text(&s); break;
        default: result = scan_scalar(&s); break;
        }
    }
    if (positions->values.count)
        qsort(positions->values.items, positions->values.count, sizeof(scene_position),
              compare_positions);
    return result;
}

void scene_positions_free(scene_positions *positions)
{
    BASE_ARRAY_FREE(&positions->values);
}

scene_position scene_positions_find(const scene_positions *positions, const scene_location *where)
{
    for (const scene_location *p = where; p && positions->values.count; p = p->parent) {
        scene_position wanted = {scene_location_hash(p), 0, 0};
        const scene_position *found =
            bsearch(&wanted, positions->values.items, positions->values.count,
                    sizeof(scene_position), compare_positions);
        if (found) return *found;
    }
    return (scene_position){0, 1, 1};
}

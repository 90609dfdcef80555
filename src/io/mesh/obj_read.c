/* Reads Wavefront OBJ: the v, vn and f lines, of polygons; other lines are skipped. A
 * backslash at the end of a line continues it on the next one. Normals only affect shading, so an
 * unreadable normal counts as missing. */
#include "io_internal.h"

typedef struct obj {
    io_reader *reader;
    io_mesh_build *build;
    /* Largest index so far, and its place in the file; vertices may follow their faces. */
    uint64_t largest;
    const uint8_t *largest_at;
    BASE_ARRAY(vec3) normals;           /* from the vn lines */
    BASE_ARRAY(uint32_t) corner_normal; /* one per element of build->indices, from 1; 0: none */
} obj;

/* Returns the size of a line continuation ("\" and a line end) at the reader, 0 if there is
 * none. */
static size_t joined_line_bytes(const io_reader *reader)
{
    size_t room = io_remaining(reader);
    const uint8_t *at = reader->at;
    if (room < 2 || at[0] != '\\') return 0;
    if (at[1] == '\n') return 2;
    if (at[1] != '\r') return 0;
    return room > 2 && at[2] == '\n' ? 3 : 2;
}

/* Moves to the next word of the logical line; returns false at its end. */
static bool next_word(io_reader *reader)
{
    for (;;) {
        io_skip_blanks(reader);
        size_t joint = joined_line_bytes(reader);
        if (!joint) break;
        reader->at += joint;
    }
    return !io_at_line_end(reader) && *reader->at != '#';
}

/* Reads a word, which also ends at a line continuation. */
static io_token read_word(io_reader *reader)
{
    io_token word = {reader->at, 0};
    while (!io_at_line_end(reader) && *reader->at != ' ' && *reader->at != '\t' &&
           !joined_line_bytes(reader))
        reader->at++;
    word.size = (size_t)(reader->at - word.at);
    return word;
}

/* Skips the rest of the logical line. A backslash at the end of a comment continues nothing, since
 * comments such as "# made from C:\models\" are common. */
static void skip_logical_line(io_reader *reader)
{
    while (!io_at_line_end(reader) && *reader->at != '#') {
        size_t joint = joined_line_bytes(reader);
        reader->at += joint ? joint : 1;
    }
    io_skip_line(reader);
}

static weir_result read_vertex(obj *obj)
{
    static const char *const names[] = {"x", "y", "z"};
    io_reader *reader = obj->reader;
    float position[3];
    for (int axis = 0; axis < 3; axis++) {
        if (!next_word(reader))
            return io_fail(reader, reader->at, "a vertex line needs three numbers; %s is missing",
                           names[axis]);
        io_token word = read_word(reader);
        io_number number;
        WEIR_RETURN_IF_ERROR(io_parse_number(reader, word, names[axis], &number));
        number.value -= reader->origin[axis];
        WEIR_RETURN_IF_ERROR(io_to_float(reader, number, names[axis], &position[axis]));
    }
    return io_mesh_add_vertex(reader, obj->build, vec3_make(position[0], position[1], position[2]));
}

static weir_result read_normal(obj *obj)
{
    float n[3] = {0};
    bool good = true;
    for (int axis = 0; axis < 3; axis++) {
        double value = NAN;
        good = good && next_word(obj->reader) && io_token_double(read_word(obj->reader), &value) &&
               fabs(value) < 1e6;
        n[axis] = good ? (float)value : 0.0f;
    }
    vec3 normal = good ? vec3_make(n[0], n[1], n[2]) : vec3_make(0, 0, 0);
    if (!BASE_ARRAY_PUSH(&obj->normals, normal)) return io_fail_memory(obj->reader, "its normals");
    return WEIR_OK;
}

/* Returns the normal, from 1, of the corner whose vertex index ends at `text`; 0: none. */
static uint32_t normal_index(const obj *obj, const char *text, const char *end)
{
    int64_t index, count = (int64_t)obj->normals.count;
    const char *slash = text < end ? memchr(text + 1, '/', (size_t)(end - text - 1)) : NULL;
    if (!slash || !base_parse_int64(slash + 1, end, &index, &text) || text != end) return 0;
    if (index < 0) index += count + 1;
    return index > 0 && index <= UINT32_MAX ? (uint32_t)index : 0;
}

/* Reads the vertex of a corner "v", "v/vt", "v//vn" or "v/vt/vn", counted from 0, and its
 * normal. */
static weir_result read_corner(obj *obj, uint32_t *corner, uint32_t *normal)
{
    io_reader *reader = obj->reader;
    io_token word = read_word(reader);
    const char *text = (const char *)word.at, *end = text + word.size, *next;
    int64_t index, count = (int64_t)obj->build->vertices.count;
    if (!base_parse_int64(text, end, &index, &next) || (next != end && *next != '/'))
        return io_fail(reader, word.at,
                       "\"%.*s\" is not a face corner; expected v, v/vt, v//vn or v/vt/vn",
                       IO_TOKEN_ARGUMENTS(word));
    if (index == 0 || index < -count || index > UINT32_MAX)
        return io_fail(reader, word.at,
                       "vertex index %lld; expected 1 to the number of vertices, or -%lld to -1 "
                       "counted back from here",
                       (long long)index, (long long)count);
    if (index < 0) index += count + 1;
    if ((uint64_t)index > obj->largest) {
        obj->largest = (uint64_t)index;
        obj->largest_at = word.at;
    }
    *corner = (uint32_t)(index - 1);
    *normal = normal_index(obj, next, end);
    return WEIR_OK;
}

/* Appends the normals of the triangle that was just added to the fan. */
static weir_result add_normals(obj *obj, uint32_t a, uint32_t b, uint32_t c)
{
    if (!BASE_ARRAY_RESERVE(&obj->corner_normal, 3))
        return io_fail_memory(obj->reader, "its normals");
    uint32_t *corner = obj->corner_normal.items + obj->corner_normal.count;
    corner[0] = a, corner[1] = b, corner[2] = c;
    obj->corner_normal.count += 3;
    return WEIR_OK;
}

static weir_result read_face(obj *obj)
{
    io_polygon_fan fan = {0};
    uint32_t corner = 0, normal = 0, first = 0, last = 0;
    const uint8_t *at = obj->reader->at - 1; /* position of the "f" */
    while (next_word(obj->reader)) {
        WEIR_RETURN_IF_ERROR(read_corner(obj, &corner, &normal));
        WEIR_RETURN_IF_ERROR(io_fan_add(obj->reader, obj->build, &fan, corner));
        if (fan.corners >= 3) WEIR_RETURN_IF_ERROR(add_normals(obj, first, last, normal));
        if (fan.corners == 1) first = normal;
        last = normal;
    }
    WEIR_RETURN_IF_ERROR(io_check_corners(obj->reader, at, fan.corners));
    return io_fan_end(obj->reader, obj->build, &fan);
}

static weir_result read_lines(obj *obj)
{
    io_reader *reader = obj->reader;
    while (reader->at < reader->end) {
        io_token word = next_word(reader) ? read_word(reader) : (io_token){0};
        if (word.size == 1 && word.at[0] == 'v') WEIR_RETURN_IF_ERROR(read_vertex(obj));
        if (word.size == 2 && memcmp(word.at, "vn", 2) == 0) WEIR_RETURN_IF_ERROR(read_normal(obj));
        if (word.size == 1 && word.at[0] == 'f') WEIR_RETURN_IF_ERROR(read_face(obj));
        skip_logical_line(reader);
    }
    if (obj->largest > obj->build->vertices.count)
        return io_fail(reader, obj->largest_at, "vertex index %llu, but the file has %zu vertices",
                       (unsigned long long)obj->largest, obj->build->vertices.count);
    return WEIR_OK;
}

/* Assigns the normals after reading, since they may follow their faces. */
static weir_result scatter_normals(obj *obj)
{
    const size_t count = obj->corner_normal.count;
    if (obj->normals.count == 0) return WEIR_OK;
    if (!BASE_ARRAY_RESERVE(&obj->build->normals, count))
        return io_fail_memory(obj->reader, "its normals");
    for (size_t i = 0; i < count; i++) {
        uint32_t from = obj->corner_normal.items[i];
        bool known = from > 0 && from <= obj->normals.count;
        obj->build->normals.items[i] = known ? obj->normals.items[from - 1] : vec3_make(0, 0, 0);
    }
    obj->build->normals.count = count;
    return WEIR_OK;
}

weir_result io_obj_read(io_reader *reader, io_mesh_build *build)
{
    obj obj = {.reader = reader, .build = build};
    weir_result result = read_lines(&obj);
    if (result == WEIR_OK) result = scatter_normals(&obj);
    BASE_ARRAY_FREE(&obj.normals);
    BASE_ARRAY_FREE(&obj.corner_normal);
    return result;
}

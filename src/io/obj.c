/* Wavefront OBJ: v and f lines, polygons as fans; all other lines are passed over. A backslash at a
 * line's end joins the next line to it. */
#include "io_internal.h"

typedef struct obj {
    io_reader *reader;
    io_mesh_build *build;
    uint64_t largest; /* the largest index so far, and where: vertices may come after their faces */
    const uint8_t *largest_at;
} obj;

/* The size of a joint ("\\" and a line end) where the reader stands, 0 if there is none. */
static size_t joint_size(const io_reader *reader)
{
    size_t room = io_remaining(reader);
    const uint8_t *at = reader->at;
    if (room < 2 || at[0] != '\\') return 0;
    if (at[1] == '\n') return 2;
    if (at[1] != '\r') return 0;
    return room > 2 && at[2] == '\n' ? 3 : 2;
}

/* To the next word of the logical line; false when there is none left. */
static bool next_word(io_reader *reader)
{
    for (;;) {
        io_skip_blanks(reader);
        size_t joint = joint_size(reader);
        if (!joint) break;
        reader->at += joint;
    }
    return !io_at_line_end(reader) && *reader->at != '#';
}

/* A word ends at a joint as well. */
static io_word read_word(io_reader *reader)
{
    io_word word = {reader->at, 0};
    while (!io_at_line_end(reader) && *reader->at != ' ' && *reader->at != '\t' &&
           !joint_size(reader))
        reader->at++;
    word.size = (size_t)(reader->at - word.at);
    return word;
}

/* A backslash at a comment's end joins nothing: "# made from C:\\models\\" is common. */
static void skip_logical_line(io_reader *reader)
{
    while (!io_at_line_end(reader) && *reader->at != '#') {
        size_t joint = joint_size(reader);
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
        io_word word = read_word(reader);
        io_number number;
        WEIR_NEED(io_parse_number(reader, word, names[axis], &number));
        WEIR_NEED(io_to_float(reader, number, names[axis], &position[axis]));
    }
    return io_mesh_add_vertex(reader, obj->build, vec3_make(position[0], position[1], position[2]));
}

/* The vertex of a corner "v", "v/vt", "v//vn" or "v/vt/vn", counted from 0. */
static weir_result read_corner(obj *obj, uint32_t *corner)
{
    io_reader *reader = obj->reader;
    io_word word = read_word(reader);
    const char *text = (const char *)word.at, *end = text + word.size, *next;
    int64_t index, count = (int64_t)obj->build->vertices.count;
    if (!base_parse_int64(text, end, &index, &next) || (next != end && *next != '/'))
        return io_fail(reader, word.at,
                       "\"%.*s\" is no face corner; expected v, v/vt, v//vn or v/vt/vn",
                       IO_WORD_ARGUMENTS(word));
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
    return WEIR_OK;
}

static weir_result read_face(obj *obj)
{
    io_fan fan = {0};
    uint32_t corner = 0;
    const uint8_t *at = obj->reader->at - 1; /* the "f" */
    while (next_word(obj->reader)) {
        WEIR_NEED(read_corner(obj, &corner));
        WEIR_NEED(io_fan_add(obj->reader, obj->build, &fan, corner));
    }
    return io_check_corners(obj->reader, at, fan.corners);
}

weir_result io_obj_read(io_reader *reader, io_mesh_build *build)
{
    obj obj = {.reader = reader, .build = build};
    while (reader->at < reader->end) {
        io_word word = next_word(reader) ? read_word(reader) : (io_word){0};
        if (word.size == 1 && word.at[0] == 'v') WEIR_NEED(read_vertex(&obj));
        if (word.size == 1 && word.at[0] == 'f') WEIR_NEED(read_face(&obj));
        skip_logical_line(reader);
    }
    if (obj.largest > build->vertices.count)
        return io_fail(reader, obj.largest_at, "vertex index %llu, but the file has %zu vertices",
                       (unsigned long long)obj.largest, build->vertices.count);
    return WEIR_OK;
}

/* Writes meshes as OBJ text: only v, vn and f lines, without groups, because sequence loaders keep
 * only the first object of a file. Numbers are formatted here, two digits at a time: printf takes
 * five times as long and depends on the locale's decimal point. */
#include "io_internal.h"

enum {
    DECIMALS_MAX = 9,
    NORMAL_DECIMALS = 4,
    NUMBER_BYTES = 20,                   /* sign, 9 digits, point, 9 digits */
    VECTOR_BYTES = 3 + 3 * NUMBER_BYTES, /* "vn", a blank before each number, the newline */
    INDEX_BYTES = 10,
    FACE_BYTES = 2 + 3 * (2 * INDEX_BYTES + 3) + 16, /* including the excess of 16-byte stores */
};

typedef struct obj {
    const io_mesh_output *out;
    uint32_t decimals;
} obj;

/* ---- numbers -------------------------------------------------------------------------------- */

static const char digit_pairs[201] = "00010203040506070809101112131415161718192021222324"
                                     "25262728293031323334353637383940414243444546474849"
                                     "50515253545556575859606162636465666768697071727374"
                                     "75767778798081828384858687888990919293949596979899";

static const uint64_t powers[] = {1,      10,      100,      1000,      10000,
                                  100000, 1000000, 10000000, 100000000, 1000000000};

static uint32_t count_digits(uint32_t value)
{
    uint32_t count = 1;
    while (count < 10 && value >= powers[count])
        count++;
    return count;
}

/* Writes exactly `count` digits, with leading zeros. */
static uint8_t *put_digits(uint8_t *out, uint32_t value, uint32_t count)
{
    uint32_t at = count;
    for (; at >= 2; value /= 100)
        memcpy(out + (at -= 2), digit_pairs + value % 100 * 2, 2);
    if (at) out[0] = (uint8_t)('0' + value % 10);
    return out + count;
}

static uint8_t *put_text(uint8_t *out, const char *text)
{
    while (*text)
        *out++ = (uint8_t)*text++;
    return out;
}

/* Writes a number rounded to nearest, halves away from zero; never "-0". base_print_float prints
 * numbers too large for fixed decimals. */
static uint8_t *put_fixed(uint8_t *out, double value, uint32_t decimals)
{
    double size = fabs(value), scale = (double)powers[decimals];
    if (!(size < 1e9)) {
        char text[32];
        base_print_float(text, (float)value);
        return put_text(out, text);
    }
    uint64_t units = (uint64_t)(size * scale + 0.5);
    uint32_t whole = (uint32_t)(units / powers[decimals]);
    *out = '-';
    out += value < 0 && units > 0;
    out = put_digits(out, whole, count_digits(whole));
    if (decimals == 0) return out;
    *out++ = '.';
    return put_digits(out, (uint32_t)(units - whole * powers[decimals]), decimals);
}

static uint8_t *put_vector(uint8_t *out, vec3 v, const double origin[3], uint32_t decimals)
{
    *out++ = ' ';
    out = put_fixed(out, origin[0] + (double)v.x, decimals);
    *out++ = ' ';
    out = put_fixed(out, origin[1] + (double)v.y, decimals);
    *out++ = ' ';
    out = put_fixed(out, origin[2] + (double)v.z, decimals);
    *out++ = '\n';
    return out;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static uint8_t *put_positions(const void *user, uint64_t first, uint64_t end, uint8_t *out)
{
    const obj *obj = user;
    const io_mesh_write_def *def = obj->out->def;
    for (uint64_t i = first; i < end; i++) {
        *out++ = 'v';
        out = put_vector(out, io_mesh_transform_position(def, obj->out->mesh->position[i]),
                         def->origin, obj->decimals);
    }
    return out;
}

static uint8_t *put_normals(const void *user, uint64_t first, uint64_t end, uint8_t *out)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const obj *obj = user;
    const io_mesh_write_def *def = obj->out->def;
    for (uint64_t i = first; i < end; i++) {
        out = put_text(out, "vn");
        out = put_vector(out, io_mesh_transform_direction(def, obj->out->mesh->normal[i]), none,
                         NORMAL_DECIMALS);
    }
    return out;
}

/* Writes "f a b c" or "f a//a b//b c//c". The digits of a corner are formatted once and stored 16
 * bytes at a time. */
static uint8_t *put_faces(const void *user, uint64_t first, uint64_t end, uint8_t *out)
{
    const obj *obj = user;
    const uint32_t *index = obj->out->mesh->index;
    bool normals = obj->out->mesh->normal != NULL;
    for (uint64_t i = 3 * first; i < 3 * end; i++) {
        uint8_t digits[16] = {0};
        uint32_t count = count_digits(index[i] + 1);
        put_digits(digits, index[i] + 1, count);
        if (i % 3 == 0) *out++ = 'f';
        *out++ = ' ';
        memcpy(out, digits, sizeof digits);
        out += count;
        if (normals) {
            *out++ = '/';
            *out++ = '/';
            memcpy(out, digits, sizeof digits);
            out += count;
        }
        if (i % 3 == 2) *out++ = '\n';
    }
    return out;
}

/* ---- the file ------------------------------------------------------------------------------- */

/* Returns the decimals whose last digit resolves the precision or, if none is given, the finest
 * step of the largest coordinate. */
static uint32_t choose_decimals(const io_mesh_output *out)
{
    const float float_step = 0x1p-24f;
    float precision = out->def->precision_m * out->def->scale, largest = 0;
    for (uint32_t i = 0; !(precision > 0) && i < out->mesh->vertex_count; i++) {
        vec3 p = io_mesh_transform_position(out->def, out->mesh->position[i]);
        largest = fmaxf(largest, fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z))));
    }
    if (!(precision > 0)) precision = largest * float_step;
    uint32_t decimals = 0;
    const double slack = 1.0001; /* 1e-4f is slightly less than 1e-4 */
    for (double step = 1; decimals < DECIMALS_MAX && step > slack * (double)precision; step /= 10)
        decimals++;
    return decimals;
}

static void write_comment(const io_mesh_output *out)
{
    static const char *const ups[] = {"y up", "z up", "y up"};
    char time[32], scale[32];
    io_print_decimal(time, out->def->time_s);
    base_print_float(scale, out->def->scale);
    io_writer_put_text(out->writer, "# Weir surface: %s, scale %s, time_s=%s\n",
                       ups[out->def->turn], scale, time);
    io_writer_put_text(out->writer, "# %u vertices, %u triangles\n", out->mesh->vertex_count,
                       out->mesh->triangle_count);
}

void io_obj_write_mesh(const io_mesh_output *out)
{
    const io_mesh_view *mesh = out->mesh;
    const obj obj = {out, choose_decimals(out)};
    const io_array_part parts[] = {
        {mesh->vertex_count, VECTOR_BYTES, put_positions, &obj},
        {mesh->normal ? mesh->vertex_count : 0, VECTOR_BYTES, put_normals, &obj},
        {mesh->triangle_count, FACE_BYTES, put_faces, &obj},
    };
    write_comment(out);
    for (size_t i = 0; i < BASE_COUNT(parts); i++)
        io_write_array_part(out, &parts[i]);
}

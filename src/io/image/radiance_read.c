/* Reads Radiance pictures (.hdr): a text header, then scanlines of RGBE, plain or run-length
 * encoded by component (Ward, "Real pixels", Graphics Gems II; the format's reference manual). */
#include "io_internal.h"

#define MAX_BYTES ((size_t)1 << 30)
#define MAX_SIDE 16384u

static bool read_dimension(io_reader *reader, const char *prefix, uint32_t *side)
{
    int64_t value;
    const char *next;
    if (!io_starts_with(reader, prefix)) return false;
    const char *text = (const char *)reader->at + strlen(prefix), *end = (const char *)reader->end;
    if (!base_parse_int64(text, end, &value, &next) || value < 1 || value > MAX_SIDE) return false;
    reader->at = (const uint8_t *)next;
    *side = (uint32_t)value;
    return true;
}

static weir_result read_header(io_reader *reader, io_radiance_image *image)
{
    bool format = false;
    if (!io_starts_with(reader, "#?"))
        return io_fail(reader, reader->at, "not a Radiance picture: it does not start with #?");
    for (io_token line = io_read_line(reader); line.size; line = io_read_line(reader))
        format |= io_token_is(line, "FORMAT=32-bit_rle_rgbe");
    if (!format) return io_fail(reader, reader->at, "the header has no FORMAT=32-bit_rle_rgbe");
    if (!read_dimension(reader, "-Y ", &image->height) ||
        !read_dimension(reader, " +X ", &image->width))
        return io_fail(reader, reader->at,
                       "expected the resolution as \"-Y height +X width\", sides 1 to 16384");
    io_skip_line(reader);
    return WEIR_OK;
}

/* Decodes the runs of one component; returns false when they do not end with the line. */
static bool read_run_lengths(io_reader *c, uint8_t *line, uint32_t width)
{
    for (uint32_t x = 0; x < width;) {
        if (c->end - c->at < 2) return false;
        uint32_t length = *c->at++;
        bool run = length > 128;
        if (run) length -= 128;
        if (length == 0 || length > width - x) return false;
        if (!run && (size_t)(c->end - c->at) < length) return false;
        for (uint32_t i = 0; i < length; i++)
            line[4 * (x++)] = run ? *c->at : *c->at++;
        if (run) c->at++;
    }
    return true;
}

static bool read_line(io_reader *c, uint8_t *line, uint32_t width)
{
    bool coded = width >= 8 && width < 32768 && c->end - c->at >= 4 && c->at[0] == 2 &&
                 c->at[1] == 2 && c->at[2] < 128;
    if (!coded) {
        if ((size_t)(c->end - c->at) < 4u * (size_t)width) return false;
        memcpy(line, c->at, 4u * (size_t)width);
        c->at += 4u * (size_t)width;
        return true;
    }
    if (((uint32_t)c->at[2] << 8 | c->at[3]) != width) return false;
    c->at += 4;
    for (int k = 0; k < 4; k++)
        if (!read_run_lengths(c, line + k, width)) return false;
    return true;
}

static void decode_rgbe(const uint8_t *line, uint32_t width, float *rgb)
{
    for (uint32_t x = 0; x < width; x++) {
        const uint8_t *p = line + 4 * (size_t)x;
        float scale = p[3] ? ldexpf(1.0f, (int)p[3] - 136) : 0.0f;
        for (int k = 0; k < 3; k++)
            rgb[3 * (size_t)x + (size_t)k] = p[3] ? ((float)p[k] + 0.5f) * scale : 0.0f;
    }
}

static weir_result read_scanlines(io_reader *reader, uint8_t *line, io_radiance_image *image)
{
    size_t stride = 3 * (size_t)image->width;
    for (uint32_t y = 0; y < image->height; y++) {
        if (!read_line(reader, line, image->width))
            return io_fail(reader, reader->at,
                           "the file is cut off, or a run is longer than its line");
        decode_rgbe(line, image->width, image->rgb + stride * y);
    }
    return WEIR_OK;
}

weir_result io_radiance_read(const weir_log *log, const char *path, io_radiance_image *image)
{
    weir_result result;
    base_blob blob = {0};
    uint8_t *line = NULL;
    *image = (io_radiance_image){0};
    WEIR_GOTO_IF_ERROR(base_file_read(log, path, MAX_BYTES, &blob));
    io_reader reader = io_reader_make(log, path, &blob);
    WEIR_GOTO_IF_ERROR(read_header(&reader, image));
    line = base_alloc(image->width, 4);
    image->rgb = base_alloc((size_t)image->width * image->height, 3 * sizeof(float));
    WEIR_GOTO_IF_ERROR(line && image->rgb ? read_scanlines(&reader, line, image)
                                          : io_fail_memory(&reader, "its pixels"));
fail:
    base_free(line);
    base_blob_free(&blob);
    if (result != WEIR_OK) io_radiance_free(image);
    return result;
}

void io_radiance_free(io_radiance_image *image)
{
    base_free(image->rgb);
    *image = (io_radiance_image){0};
}

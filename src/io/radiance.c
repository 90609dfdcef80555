/* Radiance pictures (.hdr): a text header, then scanlines of RGBE, plain or run-length coded by
 * component (Ward, "Real pixels", Graphics Gems II; the format's reference manual). */
#include "io.h"

#define MAX_BYTES ((size_t)1 << 30)
#define MAX_SIDE 16384u

typedef struct cursor {
    const uint8_t *at, *end, *start;
} cursor;

static weir_result damaged(const weir_log *log, const char *path, const cursor *c, const char *what)
{
    return base_fail(log, WEIR_IO, "%s: byte %zu: %s", path, (size_t)(c->at - c->start), what);
}

/* The next header line without its end; false at the end of the file. */
static bool next_line(cursor *c, char *line, size_t room)
{
    size_t used = 0;
    if (c->at == c->end) return false;
    while (c->at < c->end && *c->at != '\n') {
        if (used + 1 < room) line[used++] = (char)*c->at;
        c->at++;
    }
    if (c->at < c->end) c->at++;
    line[used] = '\0';
    return true;
}

static bool parse_side(const char **at, const char *prefix, uint32_t *side)
{
    int64_t value;
    size_t length = strlen(prefix);
    if (strncmp(*at, prefix, length) != 0) return false;
    if (!base_parse_int64(*at + length, *at + strlen(*at), &value, at)) return false;
    if (value < 1 || value > MAX_SIDE) return false;
    *side = (uint32_t)value;
    return true;
}

static weir_result read_header(const weir_log *log, const char *path, cursor *c, io_radiance *image)
{
    char line[256];
    bool format = false;
    if (!next_line(c, line, sizeof line) || strncmp(line, "#?", 2) != 0)
        return damaged(log, path, c, "not a Radiance picture: it does not start with #?");
    while (next_line(c, line, sizeof line) && line[0] != '\0')
        format |= strcmp(line, "FORMAT=32-bit_rle_rgbe") == 0;
    if (!format) return damaged(log, path, c, "the header lacks FORMAT=32-bit_rle_rgbe");
    const char *at = line;
    if (next_line(c, line, sizeof line) && parse_side(&at, "-Y ", &image->height) &&
        parse_side(&at, " +X ", &image->width))
        return WEIR_OK;
    return damaged(log, path, c,
                   "expected the resolution as \"-Y height +X width\", sides 1 to 16384");
}

/* Runs of one component; false when they do not end with the line. */
static bool read_runs(cursor *c, uint8_t *line, uint32_t width)
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

static bool read_line(cursor *c, uint8_t *line, uint32_t width)
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
        if (!read_runs(c, line + k, width)) return false;
    return true;
}

static void expand(const uint8_t *line, uint32_t width, float *rgb)
{
    for (uint32_t x = 0; x < width; x++) {
        const uint8_t *p = line + 4 * (size_t)x;
        float scale = p[3] ? ldexpf(1.0f, (int)p[3] - 136) : 0.0f;
        for (int k = 0; k < 3; k++)
            rgb[3 * (size_t)x + (size_t)k] = p[3] ? ((float)p[k] + 0.5f) * scale : 0.0f;
    }
}

weir_result io_radiance_read(const weir_log *log, const char *path, io_radiance *image)
{
    weir_result result;
    base_blob blob = {0};
    uint8_t *line = NULL;
    *image = (io_radiance){0};
    WEIR_TRY(base_file_read(log, path, MAX_BYTES, &blob));
    cursor c = {blob.bytes, blob.bytes + blob.size, blob.bytes};
    WEIR_TRY(read_header(log, path, &c, image));
    line = base_alloc(image->width, 4);
    image->rgb = base_alloc((size_t)image->width * image->height, 3 * sizeof(float));
    if (!line || !image->rgb) {
        result = base_fail(log, WEIR_MEMORY, "%s: no memory for %u x %u pixels", path, image->width,
                           image->height);
        goto fail;
    }
    for (uint32_t y = 0; y < image->height; y++) {
        if (!read_line(&c, line, image->width)) {
            result =
                damaged(log, path, &c, "the picture ends early or a run is longer than its line");
            goto fail;
        }
        expand(line, image->width, image->rgb + 3 * (size_t)image->width * y);
    }
    base_free(line);
    base_blob_free(&blob);
    return WEIR_OK;
fail:
    base_free(line);
    base_blob_free(&blob);
    io_radiance_free(image);
    return result;
}

void io_radiance_free(io_radiance *image)
{
    base_free(image->rgb);
    *image = (io_radiance){0};
}

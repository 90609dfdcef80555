/* Radiance pictures are read, and broken ones refused with the position; PNGs and EXRs survive a
   round trip. */
#define _POSIX_C_SOURCE 200809L
#include "io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>
#include <png.h>
#ifdef WEIR_OPENEXR
#include <openexr.h>
#endif

static char said[1024];
static char folder[64];

static void keep(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(said, sizeof said, "%s", text);
}

static const weir_log logger = {.write = keep, .level = WEIR_LOG_WARNING};

static int make_folder(void **state)
{
    strcpy(folder, "/tmp/weir-pictures-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static char *scratch(const char *name)
{
    char *path = base_path_join(folder, name);
    assert_non_null(path);
    return path;
}

#define HEADER "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n"

static void write_bytes(const char *path, const char *head, const uint8_t *bytes, size_t size)
{
    uint8_t all[512];
    size_t length = strlen(head);
    assert_true(length + size <= sizeof all);
    memcpy(all, head, length);
    memcpy(all + length, bytes, size);
    assert_int_equal(base_file_write(&logger, path, all, length + size), WEIR_OK);
}

static void plain_pixels_are_read(void **state)
{
    static const uint8_t pixels[] = {128, 64, 0, 129, 255, 255, 255, 136,
                                     9,   9,  9, 0,   0,   0,   128, 128};
    io_radiance_image image;
    char *path = scratch("plain.hdr");
    write_bytes(path, HEADER "-Y 2 +X 2\n", pixels, sizeof pixels);
    assert_int_equal(io_radiance_read(&logger, path, &image), WEIR_OK);
    assert_int_equal(image.width, 2);
    assert_int_equal(image.height, 2);
    assert_true(fabsf(image.rgb[0] - 128.5f / 128.0f) < 1e-6f);
    assert_true(fabsf(image.rgb[3] - 255.5f) < 1e-4f);
    assert_true(image.rgb[6] == 0.0f); /* exponent 0: black */
    io_radiance_free(&image);
    base_free(path);
}

static const uint8_t coded[] = {2, 2, 0, 8, 136, 128, /* a run of eight */
                                /* four literal values, a run of four */
                                4, 1, 2, 3, 4, 132, 5, 136, 0, 8, 129, 129, 129, 129, 129, 129, 129,
                                129};

static void run_lengths_are_read(void **state)
{
    io_radiance_image image;
    char *path = scratch("coded.hdr");
    write_bytes(path, HEADER "-Y 1 +X 8\n", coded, sizeof coded);
    assert_int_equal(io_radiance_read(&logger, path, &image), WEIR_OK);
    for (int x = 0; x < 8; x++) {
        assert_true(fabsf(image.rgb[3 * x] - 128.5f / 128.0f) < 1e-6f);
        float green = (x < 4 ? (float)x + 1.0f : 5.0f) + 0.5f;
        assert_true(fabsf(image.rgb[3 * x + 1] - green / 128.0f) < 1e-6f);
    }
    io_radiance_free(&image);
    base_free(path);
}

static void refuse(const char *head, const uint8_t *bytes, size_t size, const char *words)
{
    io_radiance_image image;
    char *path = scratch("broken.hdr");
    write_bytes(path, head, bytes, size);
    said[0] = '\0';
    assert_int_equal(io_radiance_read(&logger, path, &image), WEIR_ERROR_IO);
    assert_null(image.rgb);
    if (!strstr(said, words)) fail_msg("\"%s\" is not in \"%s\"", words, said);
    base_free(path);
}

static void broken_pictures_are_refused_with_their_place(void **state)
{
    static const uint8_t too_long[] = {2, 2, 0, 8, 140, 1};
    refuse("P6\n", coded, 0, "byte 0: not a Radiance picture");
    refuse("#?RADIANCE\n\n-Y 1 +X 8\n", coded, sizeof coded, "has no FORMAT");
    refuse(HEADER "-Y 0 +X 8\n", coded, sizeof coded, "expected the resolution");
    refuse(HEADER "+X 8 -Y 1\n", coded, sizeof coded, "expected the resolution");
    refuse(HEADER "-Y 1 +X 99999\n", coded, sizeof coded, "sides 1 to 16384");
    refuse(HEADER "-Y 1 +X 8\n", too_long, sizeof too_long, "a run is longer than its line");
    for (size_t size = 0; size < sizeof coded; size++)
        refuse(HEADER "-Y 1 +X 8\n", coded, size, "is cut off");
}

static void assert_png(uint8_t alpha, uint32_t channels)
{
    uint8_t rgba[4 * 15], back[4 * 15];
    char *path = scratch("picture.png");
    for (size_t i = 0; i < sizeof rgba; i++)
        rgba[i] = i % 4 == 3 ? alpha : (uint8_t)(17 * i);
    assert_int_equal(io_png_write(&logger, path, &(io_rgba8_image){5, 3, rgba}), WEIR_OK);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, 5);
    assert_int_equal(image.height, 3);
    assert_int_equal(PNG_IMAGE_SAMPLE_CHANNELS(image.format), channels);
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, back, 0, NULL));
    assert_memory_equal(rgba, back, sizeof rgba);
    base_free(path);
}

static void pngs_come_back_as_written(void **state)
{
    assert_png(255, 3); /* opaque: no alpha channel */
    assert_png(90, 4);
    said[0] = '\0';
    const uint8_t pixel[4] = {1, 2, 3, 255};
    char *path = scratch("no/such/folder/picture.png");
    assert_int_equal(io_png_write(&logger, path, &(io_rgba8_image){1, 1, pixel}), WEIR_ERROR_IO);
    assert_non_null(strstr(said, path));
    base_free(path);
}

#ifdef WEIR_OPENEXR

/* Reads an EXR of at most 16 lines, one chunk and 15 pixels. Returns its number of channels. */
static int read_exr(const char *path, uint32_t width, float *rgba)
{
    exr_context_initializer_t def = EXR_DEFAULT_CONTEXT_INITIALIZER;
    exr_context_t file = NULL;
    exr_chunk_info_t chunk;
    exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
    float planes[4][15];
    assert_int_equal(exr_start_read(&file, path, &def), EXR_ERR_SUCCESS);
    assert_int_equal(exr_read_scanline_chunk_info(file, 0, 0, &chunk), EXR_ERR_SUCCESS);
    assert_int_equal(exr_decoding_initialize(file, 0, &chunk, &decoder), EXR_ERR_SUCCESS);
    int count = decoder.channel_count;
    for (int i = 0; i < count; i++) {
        exr_coding_channel_info_t *c = &decoder.channels[i];
        assert_int_equal(c->data_type, EXR_PIXEL_HALF);
        c->decode_to_ptr = (uint8_t *)planes[strcspn("RGBA", c->channel_name)];
        c->user_bytes_per_element = 4;
        c->user_data_type = EXR_PIXEL_FLOAT;
        c->user_pixel_stride = 4;
        c->user_line_stride = (int32_t)(4 * width);
    }
    assert_int_equal(exr_decoding_choose_default_routines(file, 0, &decoder), EXR_ERR_SUCCESS);
    assert_int_equal(exr_decoding_run(file, 0, &decoder), EXR_ERR_SUCCESS);
    for (int i = 0; i < 4 * 15; i++)
        rgba[i] = planes[i % 4][i / 4];
    exr_decoding_destroy(file, &decoder);
    exr_finish(&file);
    return count;
}

/* The values are representable in half floats. */
static void light_comes_back_as_written(void **state)
{
    float rgba[4 * 15], back[4 * 15];
    char *path = scratch("light.exr"), *nowhere = scratch("no/such/folder/light.exr");
    const io_hdr_image light = {5, 3, rgba};
    for (int i = 0; i < 4 * 15; i++)
        rgba[i] = i % 4 == 3 ? 1.0f : ldexpf(1.0f + (float)i / 64.0f, i % 7 - 3);
    assert_int_equal(io_exr_write(&logger, path, &light), WEIR_OK);
    assert_int_equal(read_exr(path, 5, back), 3); /* opaque: no alpha channel */
    for (int i = 0; i < 4 * 15; i++)
        assert_true(i % 4 == 3 || back[i] == rgba[i]);
    rgba[3] = 0.25f;
    rgba[4] = NAN;
    rgba[5] = INFINITY;
    rgba[6] = -1e9f;
    assert_int_equal(io_exr_write(&logger, path, &light), WEIR_OK);
    assert_int_equal(read_exr(path, 5, back), 4);
    rgba[4] = 0.0f;
    rgba[5] = 65504.0f;
    rgba[6] = -65504.0f;
    assert_memory_equal(back, rgba, sizeof back);
    said[0] = '\0';
    assert_int_equal(io_exr_write(&logger, nowhere, &light), WEIR_ERROR_IO);
    assert_non_null(strstr(said, nowhere));
    base_free(nowhere);
    base_free(path);
}

#else

static void light_comes_back_as_written(void **state)
{
    const float pixel[4] = {1, 1, 1, 1};
    said[0] = '\0';
    assert_int_equal(io_exr_write(&logger, "light.exr", &(io_hdr_image){1, 1, pixel}),
                     WEIR_ERROR_UNSUPPORTED);
    assert_non_null(strstr(said, "libopenexr-dev"));
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_pixels_are_read),
        cmocka_unit_test(run_lengths_are_read),
        cmocka_unit_test(broken_pictures_are_refused_with_their_place),
        cmocka_unit_test(pngs_come_back_as_written),
        cmocka_unit_test(light_comes_back_as_written),
    };
    return cmocka_run_group_tests(tests, make_folder, NULL);
}

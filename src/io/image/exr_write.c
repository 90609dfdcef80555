/* Writes OpenEXR files with its C core: half floats with ZIP compression. */
#include "io.h"

#ifndef WEIR_OPENEXR

bool io_exr_is_built(void)
{
    return false;
}

weir_result io_exr_write(const weir_log *log, const char *path, const io_hdr_image *light)
{
    (void)light;
    return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                     "%s: this build lacks OpenEXR: install libopenexr-dev (tools/setup) and build "
                     "Weir again, or write a PNG file",
                     path);
}

#else

#include <openexr.h>

#define HALF_MAX 65504.0f

bool io_exr_is_built(void)
{
    return true;
}

/* OpenEXR itself writes to a temporary file next to the requested one. */
typedef struct temporary_output {
    const weir_log *log;
    const char *path;
    char *part;
} temporary_output;

static void log_exr_error(exr_const_context_t context, exr_result_t code, const char *text)
{
    void *user = NULL;
    (void)code;
    if (exr_get_user_data(context, &user) != EXR_ERR_SUCCESS || !user) return;
    const temporary_output *out = user;
    base_log(out->log, WEIR_LOG_ERROR, "%s: OpenEXR cannot write it: %s", out->path, text);
}

/* Writes the header, with the channels in alphabetical order. */
static exr_result_t write_header(exr_context_t file, const io_hdr_image *light, bool opaque)
{
    static const char *const names[] = {"A", "B", "G", "R"};
    int part;
    exr_result_t result = exr_add_part(file, "rgba", EXR_STORAGE_SCANLINE, &part);
    if (result == EXR_ERR_SUCCESS)
        result = exr_initialize_required_attr_simple(file, part, (int32_t)light->width,
                                                     (int32_t)light->height, EXR_COMPRESSION_ZIP);
    for (int i = opaque; i < 4 && result == EXR_ERR_SUCCESS; i++)
        result = exr_add_channel(file, part, names[i], EXR_PIXEL_HALF, EXR_PERCEPTUALLY_LOGARITHMIC,
                                 1, 1);
    return result == EXR_ERR_SUCCESS ? exr_write_header(file) : result;
}

/* Writes the scanlines of the chunk at `y`; the first call, at 0, initializes `coder`. */
static exr_result_t write_chunk(exr_context_t file, const io_hdr_image *light, int32_t y,
                                exr_encode_pipeline_t *coder)
{
    exr_chunk_info_t chunk;
    exr_result_t result = exr_write_scanline_chunk_info(file, 0, y, &chunk);
    if (result != EXR_ERR_SUCCESS) return result;
    result = y == 0 ? exr_encoding_initialize(file, 0, &chunk, coder)
                    : exr_encoding_update(file, 0, &chunk, coder);
    if (result != EXR_ERR_SUCCESS) return result;
    for (int i = 0; i < coder->channel_count; i++) {
        exr_coding_channel_info_t *channel = &coder->channels[i];
        size_t component = strcspn("RGBA", channel->channel_name);
        const float *first = light->rgba + 4 * (size_t)light->width * (size_t)y + component;
        channel->encode_from_ptr = (const uint8_t *)first;
        channel->user_bytes_per_element = 4;
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_pixel_stride = 16;
        channel->user_line_stride = (int32_t)(16 * light->width);
    }
    if (y == 0) result = exr_encoding_choose_default_routines(file, 0, coder);
    return result == EXR_ERR_SUCCESS ? exr_encoding_run(file, 0, coder) : result;
}

static exr_result_t write_lines(exr_context_t file, const io_hdr_image *light)
{
    exr_encode_pipeline_t coder = EXR_ENCODE_PIPELINE_INITIALIZER;
    int32_t lines = 1;
    exr_result_t result = exr_get_scanlines_per_chunk(file, 0, &lines);
    for (int32_t y = 0; y < (int32_t)light->height && result == EXR_ERR_SUCCESS; y += lines)
        result = write_chunk(file, light, y, &coder);
    exr_encoding_destroy(file, &coder);
    return result;
}

static bool is_opaque(const io_hdr_image *light)
{
    size_t count = (size_t)light->width * light->height;
    for (size_t i = 0; i < count; i++)
        if (light->rgba[4 * i + 3] < 1.0f) return false;
    return true;
}

/* Copies the image; values beyond the range of half floats become the largest one, and NaN becomes
 * 0. */
static float *largest_finite(const io_hdr_image *light)
{
    size_t count = 4 * (size_t)light->width * light->height;
    float *limited = base_alloc(count, sizeof *limited);
    for (size_t i = 0; limited && i < count; i++)
        limited[i] =
            isnan(light->rgba[i]) ? 0.0f : fminf(fmaxf(light->rgba[i], -HALF_MAX), HALF_MAX);
    return limited;
}

static exr_result_t encode_image(temporary_output *out, const io_hdr_image *light)
{
    exr_context_initializer_t def = EXR_DEFAULT_CONTEXT_INITIALIZER;
    exr_context_t file = NULL;
    def.error_handler_fn = log_exr_error;
    def.user_data = out;
    exr_result_t result = exr_start_write(&file, out->part, EXR_WRITE_FILE_DIRECTLY, &def);
    if (result == EXR_ERR_SUCCESS) result = write_header(file, light, is_opaque(light));
    if (result == EXR_ERR_SUCCESS) result = write_lines(file, light);
    exr_result_t finished = file ? exr_finish(&file) : EXR_ERR_SUCCESS;
    return result == EXR_ERR_SUCCESS ? finished : result;
}

/* Returns the name of a hidden file in the same folder; NULL when memory is short. */
static char *temporary_path(const char *path)
{
    char *folder = base_path_folder(path), *name = base_format(".%s.part", base_path_name(path)),
         *part = folder && name ? base_path_join(folder, name) : NULL;
    base_free(folder);
    base_free(name);
    return part;
}

static weir_result replace_target(const temporary_output *out)
{
    base_blob bytes = {0};
    WEIR_RETURN_IF_ERROR(base_file_read(out->log, out->part, SIZE_MAX, &bytes));
    weir_result result = base_file_write(out->log, out->path, bytes.bytes, bytes.size);
    base_blob_free(&bytes);
    return result;
}

weir_result io_exr_write(const weir_log *log, const char *path, const io_hdr_image *light)
{
    temporary_output out = {.log = log, .path = path, .part = temporary_path(path)};
    weir_result result = WEIR_ERROR_MEMORY;
    float *limited = largest_finite(light);
    if (!limited || !out.part) {
        base_log(log, WEIR_LOG_ERROR, "%s: not enough memory for a picture", path);
        goto fail;
    }
    exr_result_t coded = encode_image(&out, &(io_hdr_image){light->width, light->height, limited});
    if (coded == EXR_ERR_SUCCESS)
        result = replace_target(&out);
    else
        result = coded == EXR_ERR_OUT_OF_MEMORY ? WEIR_ERROR_MEMORY : WEIR_ERROR_IO;
    base_file_remove(NULL, out.part);
fail:
    base_free(limited);
    base_free(out.part);
    return result;
}

#endif

/* Writes PNG files with libpng's simplified interface, which returns its errors instead of
 * jumping. */
#include "io.h"

#include <png.h>

static bool is_opaque(const io_rgba8_image *pixels)
{
    size_t count = (size_t)pixels->width * pixels->height;
    for (size_t i = 0; i < count; i++)
        if (pixels->rgba[4 * i + 3] != 255) return false;
    return true;
}

/* Copies the pixels without alpha; returns NULL when memory is short. */
static uint8_t *drop_alpha(const io_rgba8_image *pixels)
{
    size_t count = (size_t)pixels->width * pixels->height;
    uint8_t *rgb = base_alloc(count, 3);
    for (size_t i = 0; rgb && i < count; i++)
        memcpy(rgb + 3 * i, pixels->rgba + 4 * i, 3);
    return rgb;
}

weir_result io_png_write(const weir_log *log, const char *path, const io_rgba8_image *pixels)
{
    weir_result result = WEIR_ERROR_MEMORY;
    bool opaque = is_opaque(pixels);
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = pixels->width,
                       .height = pixels->height,
                       .format = opaque ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA};
    uint8_t *rgb = opaque ? drop_alpha(pixels) : NULL;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *bytes = base_alloc(size, 1);
    if (!bytes || (opaque && !rgb)) {
        base_log(log, WEIR_LOG_ERROR, "%s: not enough memory for a picture of %u x %u pixels", path,
                 pixels->width, pixels->height);
        goto fail;
    }
    if (!png_image_write_to_memory(&image, bytes, &size, 0, opaque ? rgb : pixels->rgba, 0, NULL)) {
        result =
            base_fail(log, WEIR_ERROR_IO, "%s: libpng cannot write it: %s", path, image.message);
        goto fail;
    }
    result = base_file_write(log, path, bytes, size);
fail:
    base_free(bytes);
    base_free(rgb);
    return result;
}

/* Films by ffmpeg, which reads raw pictures from a pipe. */
#include "film.h"

static weir_result start(view_film *film, const weir_log *log, double rate_hz)
{
    char size[32], rate[32];
    snprintf(size, sizeof size, "%ux%u", film->width, film->height);
    base_print_float(rate, (float)rate_hz);
    const char *const words[] = {"ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt",
                                 "rgba", "-s", size, "-r", rate, "-i", "-", "-c:v", "libx264",
                                 /* Players want even sides and no more colour than this. */
                                 "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt", "yuv420p",
                                 "-crf", "18", film->path, NULL};
    return base_process_open(log, words, &film->feed);
}

void view_film_begin(view_film *film, const weir_log *log, const char *path)
{
    *film = (view_film){.on = true};
    snprintf(film->path, sizeof film->path, "%s", path);
    base_log(log, WEIR_LOG_INFO, "filming into %s", path);
}

void view_film_frame(view_film *film, const weir_log *log, weir_image *image, double rate_hz)
{
    weir_result result;
    uint32_t width, height;
    const uint8_t *pixels;
    if (!film->on) return;
    WEIR_TRY(weir_image_read(image, &width, &height, &pixels));
    if (!film->feed) {
        film->width = width;
        film->height = height;
        WEIR_TRY(start(film, log, rate_hz));
    }
    if (width != film->width || height != film->height) {
        base_log(log, WEIR_LOG_INFO, "the window has another size: the film ends");
        goto fail;
    }
    WEIR_TRY(base_process_write(film->feed, pixels, (size_t)width * height * 4));
    film->frames++;
    return;
fail:
    view_film_end(film, log);
}

weir_result view_film_end(view_film *film, const weir_log *log)
{
    if (!film->on) return WEIR_OK;
    weir_result result = base_process_finish(&film->feed);
    if (result == WEIR_OK && film->frames)
        base_log(log, WEIR_LOG_INFO, "%llu frames are in %s", (unsigned long long)film->frames,
                 film->path);
    film->on = false;
    return result;
}

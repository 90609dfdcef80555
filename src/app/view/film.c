/* Films: the pictures of all simulated frames go to ffmpeg. */
#include "film.h"
#include "picture.h"

struct view_film {
    base_process *feed;
    uint32_t width, height;
    uint64_t frames;
    char path[512];
};

/* The pictures' size is not known before the first one. */
static weir_result start(viewer *v, uint32_t width, uint32_t height)
{
    char size[32], rate[32];
    struct view_film *film = v->film;
    snprintf(size, sizeof size, "%ux%u", width, height);
    base_print_float(rate, (float)v->work.scene_info.frame_rate_hz);
    const char *const words[] = {"ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt",
                                 "rgba", "-s", size, "-r", rate, "-i", "-", "-c:v", "libx264",
                                 /* players want even sides and no more colour than this */
                                 "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt", "yuv420p",
                                 "-crf", "18", film->path, NULL};
    film->width = width;
    film->height = height;
    return base_process_open(&v->work.log, words, &film->feed);
}

weir_result view_film_begin(viewer *v, const char *path)
{
    v->film = base_alloc(1, sizeof *v->film);
    if (!v->film) return base_fail(&v->work.log, WEIR_MEMORY, "no memory for a film");
    snprintf(v->film->path, sizeof v->film->path, "%s", path);
    view_note(v, "filming into %s", path);
    return WEIR_OK;
}

weir_result view_film_frame(viewer *v)
{
    weir_result result;
    struct view_film *film = v->film;
    uint32_t width, height;
    const uint8_t *pixels;
    if (!film) return WEIR_OK;
    WEIR_TRY(view_picture_read(v, &width, &height, &pixels));
    if (!film->feed) WEIR_TRY(start(v, width, height));
    if (width != film->width || height != film->height) {
        view_note(v, "the window has another size: the film ends");
        return view_film_end(v);
    }
    WEIR_TRY(base_process_write(film->feed, pixels, (size_t)width * height * 4));
    film->frames++;
    return WEIR_OK;
fail:
    view_film_end(v);
    return result;
}

weir_result view_film_end(viewer *v)
{
    struct view_film *film = v->film;
    if (!film) return WEIR_OK;
    weir_result result = base_process_finish(&film->feed);
    if (result == WEIR_OK && film->frames)
        view_note(v, "%llu frames are in %s", (unsigned long long)film->frames, film->path);
    base_free(film);
    v->film = NULL;
    return result;
}

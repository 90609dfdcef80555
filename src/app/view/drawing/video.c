/* Records videos with ffmpeg, which reads raw pictures from a pipe. */
#include "video.h"

static weir_result start_ffmpeg(view_video *video, const weir_log *log, double rate_hz)
{
    char size[32], rate[32];
    snprintf(size, sizeof size, "%ux%u", video->width, video->height);
    base_print_float(rate, (float)rate_hz);
    const char *const words[] = {"ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt",
                                 "rgba", "-s", size, "-r", rate, "-i", "-", "-c:v", "libx264",
                                 /* Players require even sides and 4:2:0 chroma subsampling. */
                                 "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt", "yuv420p",
                                 "-crf", "18", video->path, NULL};
    return base_process_open(log, words, &video->feed);
}

void view_video_begin(view_video *video, const weir_log *log, const char *path)
{
    *video = (view_video){.on = true};
    snprintf(video->path, sizeof video->path, "%s", path);
    base_log(log, WEIR_LOG_INFO, "recording to %s", path);
}

void view_video_frame(view_video *video, const weir_log *log, weir_image *image, double rate_hz)
{
    weir_result result;
    uint32_t width, height;
    const uint8_t *pixels;
    if (!video->on) return;
    WEIR_GOTO_IF_ERROR(weir_image_read(image, &width, &height, &pixels));
    if (!video->feed) {
        video->width = width;
        video->height = height;
        WEIR_GOTO_IF_ERROR(start_ffmpeg(video, log, rate_hz));
    }
    if (width != video->width || height != video->height) {
        base_log(log, WEIR_LOG_INFO, "the window was resized: the recording stops");
        goto fail;
    }
    WEIR_GOTO_IF_ERROR(base_process_write(video->feed, pixels, (size_t)width * height * 4));
    video->frames++;
    return;
fail:
    view_video_end(video, log);
}

weir_result view_video_end(view_video *video, const weir_log *log)
{
    if (!video->on) return WEIR_OK;
    weir_result result = base_process_wait(&video->feed);
    if (result == WEIR_OK && video->frames)
        base_log(log, WEIR_LOG_INFO, "%llu frame%s in %s", (unsigned long long)video->frames,
                 base_plural(video->frames), video->path);
    video->on = false;
    return result;
}

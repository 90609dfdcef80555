/* video: sends the picture of every simulated frame to ffmpeg. */
#ifndef WEIR_VIEW_FILM_H
#define WEIR_VIEW_FILM_H

#include "base.h"

typedef struct view_video {
    bool on;
    base_process *feed;     /* NULL before the first picture, which determines the size */
    uint32_t width, height; /* pixels */
    uint64_t frames;
    char path[512];
} view_video;

void view_video_begin(view_video *video, const weir_log *log, const char *path);
/* Adds a picture while recording. A picture of another size, or a failure, ends the video. */
void view_video_frame(view_video *video, const weir_log *log, weir_image *image, double rate_hz);
/* Ends the video; does nothing when not recording. */
weir_result view_video_end(view_video *video, const weir_log *log);

#endif

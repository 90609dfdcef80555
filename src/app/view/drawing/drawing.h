/* drawing: draws the viewer's pictures. While something moves, or the simulation runs, they are
 * smaller than the window and scaled up; a picture that stays is drawn once at full size. Scripts,
 * saved pictures and videos always have the full size. */
#ifndef WEIR_VIEW_DRAWING_H
#define WEIR_VIEW_DRAWING_H

#include "resolution.h"
#include "weir/render.h"
#include "weir/vulkan.h"

typedef struct viewer viewer;

/* What a picture shows, apart from its camera. */
typedef struct view_content {
    uint64_t acquired;     /* view_session.acquired */
    uint64_t prepared;     /* view_picture.prepared */
    const void *inspected; /* points of an inspected pass */
    uint64_t slices;       /* view_slice.made */
} view_content;

typedef struct view_drawing {
    view_resolution resolution;
    weir_overlay overlay; /* the panels of this frame */
    bool reduced;         /* a script allows reduced pictures */
    bool exists;          /* there is a picture; the members below describe it */
    bool provisional;     /* it shows particles because no picture of the surface exists yet */
    uint32_t level;       /* see view_resolution */
    weir_camera view;     /* at the window's size */
    view_content content;
    double changed_s; /* base_time_s at which the view or the content last changed */
    double drawn_s;   /* base_time_s at which the picture was drawn */
    double shown_s;   /* base_time_s at which the window was last updated */
    float interval_s; /* between pictures while something moves, smoothed; 0: unknown */
} view_drawing;

/* Reports whether pictures may be smaller than the window at the moment. */
bool view_draws_reduced(const viewer *v);
/* Reports whether the picture in the window is up to date and at full size. */
bool view_drawing_is_complete(const viewer *v);
/* Lays out the panels and executes what is clicked in them. */
void view_draw_panels(viewer *v);
/* Draws what has changed and updates the window. `fresh`: it is the first picture of a simulated
 * frame. */
weir_result view_draw_picture(viewer *v, bool fresh);
/* For weir_sim_set_yield: handles events and updates the window while a frame is being simulated.
 * `user` is the viewer. */
void view_draw_meanwhile(void *user);
/* Prints how the picture is drawn, such as "drawn at 640 x 360, 12 pictures a second". */
void view_drawing_print(const viewer *v, char out[96]);

#endif

/* Pictures of frames: options, files, video. */
#include "pictures.h"

#include "weir/render.h"

const char *const *pictures_modes(void)
{
    static const char *names[WEIR_RENDER_MODE_COUNT];
    args_names(WEIR_ENUM_RENDER_MODE, names, WEIR_RENDER_MODE_COUNT);
    return names;
}

const char *const *pictures_colourings(void)
{
    static const char *names[WEIR_COLOURING_COUNT];
    args_names(WEIR_ENUM_COLOURING, names, WEIR_COLOURING_COUNT);
    return names;
}

const char *const *pictures_colour_maps(void)
{
    static const char *names[WEIR_COLOUR_MAP_COUNT];
    args_names(WEIR_ENUM_COLOUR_MAP, names, WEIR_COLOUR_MAP_COUNT);
    return names;
}

const char *const *pictures_splatters(void)
{
    static const char *const names[WEIR_SPLAT_COUNT] = {"auto", "raster", "compute"};
    return names;
}

pictures_options pictures_options_default(void)
{
    return (pictures_options){.mode = ARGS_NOT_GIVEN,
                              .colouring = ARGS_NOT_GIVEN,
                              .colour_map = ARGS_NOT_GIVEN,
                              .filter = ARGS_NOT_GIVEN,
                              .splatter = ARGS_NOT_GIVEN,
                              .look = ARGS_NOT_GIVEN};
}

/* ---- the view ------------------------------------------------------------------------------- */

/* Parses exactly `count` numbers, separated by a comma or an x. */
static weir_result read_numbers(const weir_log *log, const char *option, const char *text,
                                uint32_t count, double *values)
{
    const char *at = text, *end = text + strlen(text);
    for (uint32_t i = 0; i < count; ++i) {
        if (i > 0 && at < end && (*at == ',' || *at == 'x')) ++at;
        if (!base_parse_double(at, end, &values[i], &at))
            return base_fail(log, WEIR_ERROR_ARGUMENT, "--%s %s: expected %u numbers, such as %s",
                             option, text, count, count == 3 ? "1.5,2,0" : "1280x720");
    }
    if (at == end) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_ARGUMENT, "--%s %s: unexpected \"%s\" after %u numbers",
                     option, text, at, count);
}

static weir_result parse_vector(const weir_log *log, const char *option, const char *text,
                                float to[3])
{
    double values[3];
    if (!text) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(read_numbers(log, option, text, 3, values));
    for (int k = 0; k < 3; ++k)
        to[k] = (float)values[k];
    return WEIR_OK;
}

static weir_result parse_size(const weir_log *log, const char *text, weir_camera *view)
{
    double size[2];
    if (!text) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(read_numbers(log, "size", text, 2, size));
    if (!(size[0] >= 1 && size[0] <= 16384 && size[1] >= 1 && size[1] <= 16384))
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "--size %s: expected 1 to 16384 pixels on a side", text);
    view->width = (uint32_t)size[0];
    view->height = (uint32_t)size[1];
    return WEIR_OK;
}

static void apply_choices(const pictures_options *o, weir_camera *view)
{
    if (o->mode != ARGS_NOT_GIVEN) view->mode = (weir_render_mode)o->mode;
    view->colouring =
        o->colouring != ARGS_NOT_GIVEN ? (weir_colouring)o->colouring : WEIR_COLOURING_SPEED;
    view->attribute = o->attribute;
    if (o->attribute) view->colouring = WEIR_COLOURING_ATTRIBUTE;
    if (o->colour_map != ARGS_NOT_GIVEN) view->colour_map = (weir_colour_map)o->colour_map;
    if (o->filter != ARGS_NOT_GIVEN) view->filter = (weir_depth_filter)o->filter;
    if (o->splatter != ARGS_NOT_GIVEN) view->splat_method = (weir_splat_method)o->splatter;
    if (o->fov > 0) view->fov_y_degrees = (float)o->fov;
    if (o->exposure > 0) view->exposure = (float)o->exposure;
    if (o->filter_size > 0) view->filter_size = (float)o->filter_size;
    if (o->exposures) view->accumulation_samples = o->exposures;
    view->aperture_m = (float)o->aperture;
    view->linear_light = o->exr;
    view->samples = o->samples ? o->samples : 2;
    view->transparent = o->transparent;
    view->shadows = !o->no_shadows;
    view->whitewater = !o->no_whitewater;
    view->legend = !o->no_legend;
}

static weir_result apply_view_options(const weir_log *log, const pictures_options *o,
                                      weir_camera *view)
{
    double range[2];
    apply_choices(o, view);
    if (o->attribute && view->mode > WEIR_RENDER_MODE_PARTICLES)
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "--colour-attribute %s: pictures of this --mode show no attributes; "
                         "choose surface, ellipsoids or particles",
                         o->attribute);
    if (o->percentiles) {
        WEIR_RETURN_IF_ERROR(read_numbers(log, "colour-percentiles", o->percentiles, 2, range));
        if (!(range[0] >= 0 && range[0] < range[1] && range[1] <= 100))
            return base_fail(log, WEIR_ERROR_ARGUMENT,
                             "--colour-percentiles %s: expected two numbers from 0 to 100, the "
                             "first below the second, such as 1,99",
                             o->percentiles);
        view->value_percentiles[0] = (float)range[0];
        view->value_percentiles[1] = (float)range[1];
    }
    WEIR_RETURN_IF_ERROR(parse_vector(log, "eye", o->eye, view->eye));
    WEIR_RETURN_IF_ERROR(parse_vector(log, "target", o->target, view->target));
    if (o->range) {
        WEIR_RETURN_IF_ERROR(read_numbers(log, "colour-range", o->range, 2, range));
        view->value_range[0] = (float)range[0];
        view->value_range[1] = (float)range[1];
    }
    if (o->exr && !weir_has_exr())
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "--exr needs OpenEXR, which this build lacks: install libopenexr-dev "
                         "(tools/setup) and build Weir again, or omit --exr");
    if (view->samples <= 4) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_ARGUMENT, "--samples %u: expected 1 to 4", view->samples);
}

/* ---- the video ------------------------------------------------------------------------------ */

static weir_result check_ffmpeg(const weir_log *log)
{
    const char *const words[] = {"ffmpeg", "-version", NULL};
    const weir_log quiet = {0};
    base_text said = {0};
    int status = 0;
    weir_result result = base_process_capture(&quiet, words, &said, &status);
    BASE_ARRAY_FREE(&said);
    if (result != WEIR_ERROR_IO) return result;
    return base_fail(
        log, WEIR_ERROR_IO,
        "--video needs the program ffmpeg, which is not in the search path: install it "
        "(Debian: apt-get install ffmpeg), or write PNG files without --video");
}

/* Every player supports yuv420p, which requires even sides. */
weir_result pictures_check_video(const weir_log *log, const pictures_options *options)
{
    weir_camera camera = weir_camera_default(NULL);
    if (!options->video) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(parse_size(log, options->size, &camera));
    if (camera.width % 2 || camera.height % 2)
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "cannot make a video of %ux%u pixels: both sides must be even",
                         camera.width, camera.height);
    return check_ffmpeg(log);
}

/* ffmpeg reads raw pixels. */
static weir_result open_video(const pictures_def *def, pictures *p)
{
    char size[32], rate[32];
    snprintf(size, sizeof size, "%ux%u", p->view.width, p->view.height);
    base_print_float(rate, (float)def->frame_rate_hz);
    const char *words[] = {"ffmpeg",   "-loglevel", "error", "-y", "-f",
                           "rawvideo", "-pix_fmt",  "rgba",  "-s", size,
                           "-r",       rate,        "-i",    "-",  "-an",
                           "-pix_fmt", "yuv420p",   "-crf",  "18", def->options->video,
                           NULL};
    return base_process_open(&p->log, words, &p->video);
}

static weir_result write_video_frame(pictures *p)
{
    uint32_t width, height;
    const uint8_t *pixels;
    WEIR_RETURN_IF_ERROR(weir_image_read(p->image, &width, &height, &pixels));
    return base_process_write(p->video, pixels, (size_t)width * height * 4);
}

/* ---- the files ------------------------------------------------------------------------------ */

weir_result pictures_open(const pictures_def *def, pictures *p)
{
    weir_result result;
    const pictures_options *o = def->options;
    *p =
        (pictures){.device = def->device, .log = def->log, .view = weir_camera_default(def->scene)};
    WEIR_GOTO_IF_ERROR(parse_size(&p->log, o->size, &p->view));
    p->view = weir_camera_for_size(def->scene, 0.0, p->view.width, p->view.height);
    weir_renderer_def renderer = weir_renderer_def_default();
    renderer.scene = def->scene;
    renderer.environment = o->environment;
    renderer.look = weir_enum_name(WEIR_ENUM_LOOK, o->look);
    if (!def->scene) renderer.camera = &p->view;
    p->framed = def->scene || o->eye || o->target;
    WEIR_GOTO_IF_ERROR(apply_view_options(&p->log, o, &p->view));
    p->view.shutter_s = (float)(o->shutter / def->frame_rate_hz);
    p->turntable = (float)(0.017453292519943295 * o->turntable);
    bool own = o->eye || o->target || o->fov > 0 || p->turntable != 0.0f;
    p->scene = own ? NULL : def->scene;
    p->folder = base_strdup(def->folder);
    if (!p->folder)
        return base_fail(&p->log, WEIR_ERROR_MEMORY, "not enough memory for a folder's name");
    WEIR_GOTO_IF_ERROR(weir_renderer_create(def->device, &renderer, &p->renderer));
    WEIR_GOTO_IF_ERROR(base_folder_make(&p->log, p->folder));
    if (o->video) WEIR_GOTO_IF_ERROR(open_video(def, p));
    return WEIR_OK;
fail:
    pictures_close(p);
    return result;
}

void pictures_frame_particles(pictures *p, const float *positions, uint32_t count)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    if (p->framed || count == 0) return;
    for (size_t i = 0; i < 3 * (size_t)count; ++i) {
        low[i % 3] = fminf(low[i % 3], positions[i]);
        high[i % 3] = fmaxf(high[i % 3], positions[i]);
    }
    /* The default view shows the cube from -1 to 1; it is scaled and moved here. */
    float half = fmaxf(fmaxf(high[0] - low[0], high[1] - low[1]), high[2] - low[2]) / 2.0f;
    for (int k = 0; k < 3; ++k) {
        float middle = (low[k] + high[k]) / 2.0f, away = p->view.eye[k] - p->view.target[k];
        p->view.target[k] = middle;
        p->view.eye[k] = middle + fmaxf(half, 1e-3f) * away;
    }
    p->framed = true;
}

/* Sets the camera of the turntable for a time: the world turns to the right. */
static void apply_turntable(pictures *p, double time_s)
{
    weir_camera *v = &p->view;
    vec3 target = vec3_make(v->target[0], v->target[1], v->target[2]);
    if (p->turntable == 0.0f) return;
    if (!p->turns) p->start_eye = vec3_make(v->eye[0], v->eye[1], v->eye[2]);
    p->turns = true;
    float angle = (float)fmod(-(double)p->turntable * time_s, 6.283185307179586);
    quat turn = quat_from_axis_angle(vec3_make(v->up[0], v->up[1], v->up[2]), angle);
    vec3 eye = vec3_add(target, quat_rotate(turn, vec3_sub(p->start_eye, target)));
    v->eye[0] = eye.x;
    v->eye[1] = eye.y;
    v->eye[2] = eye.z;
}

/* Sets the camera from the scene's keyframes for a time. */
static void apply_keyframes(pictures *p, double time_s)
{
    weir_camera *v = &p->view;
    v->time_s = time_s;
    apply_turntable(p, time_s);
    if (!p->scene) return;
    const weir_camera there = weir_camera_for_size(p->scene, time_s, v->width, v->height);
    memcpy(v->eye, there.eye, sizeof v->eye);
    memcpy(v->target, there.target, sizeof v->target);
    memcpy(v->up, there.up, sizeof v->up);
    v->fov_y_degrees = there.fov_y_degrees;
}

/* Returns FOLDER/image_NUMBER.KIND. Release with base_free. */
static char *picture_path(const pictures *p, uint64_t number, const char *kind)
{
    return base_format("%s/image_%04llu.%s", p->folder, (unsigned long long)number, kind);
}

static bool file_exists(const pictures *p, uint64_t number, const char *kind)
{
    char *path = picture_path(p, number, kind);
    const bool exists = path && base_path_is_file(path);
    base_free(path);
    return exists;
}

bool pictures_exist(const pictures *p, uint64_t number)
{
    return file_exists(p, number, "png") &&
           (!p->view.linear_light || file_exists(p, number, "exr"));
}

static weir_result save_file(pictures *p, uint64_t number, const char *kind)
{
    char *path = picture_path(p, number, kind);
    if (!path) return base_fail(&p->log, WEIR_ERROR_MEMORY, "not enough memory for a file's name");
    weir_result result = weir_image_save(p->image, path);
    base_free(path);
    return result;
}

/* Writes the picture that has been drawn. */
static weir_result save_picture(pictures *p, uint64_t number)
{
    WEIR_RETURN_IF_ERROR(save_file(p, number, "png"));
    if (p->view.linear_light) WEIR_RETURN_IF_ERROR(save_file(p, number, "exr"));
    return p->video ? write_video_frame(p) : WEIR_OK;
}

weir_result pictures_write(pictures *p, const weir_points *points, double time_s, uint64_t number)
{
    apply_keyframes(p, time_s);
    WEIR_RETURN_IF_ERROR(weir_render_points(p->renderer, points, &p->view, &p->image));
    return save_picture(p, number);
}

weir_result pictures_write_mesh(pictures *p, const weir_mesh *mesh, double time_s, uint64_t number)
{
    if (p->view.attribute)
        return base_fail(&p->log, WEIR_ERROR_ARGUMENT,
                         "--colour-attribute %s: pictures of meshes show no attributes; draw the "
                         "particles instead",
                         p->view.attribute);
    apply_keyframes(p, time_s);
    WEIR_RETURN_IF_ERROR(weir_render_mesh(p->renderer, mesh, &p->view, &p->image));
    return save_picture(p, number);
}

weir_result pictures_finish(pictures *p)
{
    return base_process_wait(&p->video);
}

void pictures_close(pictures *p)
{
    base_process_wait(&p->video);
    weir_image_destroy(&p->image);
    weir_renderer_destroy(&p->renderer);
    base_free(p->folder);
    p->folder = NULL;
}

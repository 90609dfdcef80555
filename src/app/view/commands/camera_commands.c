/* Executes the commands that move the camera, and picks points of the picture. */
#include "camera_commands.h"

#define DEGREES 0.01745329252f

/* Finds the nearest particle that the ray hits; its sphere has a radius of one spacing. */
static bool ray_pick_particle(view_session *s, camera_ray ray, vec3 *point)
{
    uint32_t count = 0;
    float nearest = INFINITY, radius = s->work.scene_info.spacing_m;
    if (weir_sim_get_particle_count(s->sim, &count) != WEIR_OK || count == 0) return false;
    vec3 *x = base_alloc(count, sizeof *x);
    if (x && weir_sim_read_field(s->sim, WEIR_FIELD_POSITION, x, count * sizeof *x) == WEIR_OK)
        for (uint32_t i = 0; i < count; i++) {
            vec3 offset = vec3_sub(x[i], ray.origin);
            float along = vec3_dot(offset, ray.direction);
            vec3 across = vec3_sub(offset, vec3_scale(ray.direction, along));
            if (along > 0 && along < nearest && vec3_dot(across, across) < radius * radius)
                nearest = along;
        }
    base_free(x);
    if (nearest == INFINITY) return false;
    *point = vec3_add(ray.origin, vec3_scale(ray.direction, nearest));
    return true;
}

/* Finds the nearest particle at a point of the picture; if there is none, the floor of the
 * domain. */
static bool ray_pick_point(const camera *c, view_session *s, camera_world_to_view at, vec3 *found)
{
    camera_ray ray = camera_ray_at(c, at);
    if (ray_pick_particle(s, ray, found)) return true;
    float length = (s->scene.domain_min.y - ray.origin.y) / ray.direction.y;
    if (!(length > 0 && length < 100 * c->distance)) return false;
    *found = vec3_add(ray.origin, vec3_scale(ray.direction, length));
    return true;
}

static void move_pivot(camera *c, view_session *s, camera_world_to_view at)
{
    vec3 found;
    if (ray_pick_point(c, s, at, &found))
        camera_set_pivot(c, found);
    else
        base_log(&s->work.log, WEIR_LOG_INFO,
                 "there is no fluid or ground at this point to turn about");
}

static weir_result zoom_camera(camera *c, const weir_log *log, double factor,
                               camera_world_to_view at)
{
    if (!(factor > 1e-3 && factor < 1e3))
        return base_fail(log, WEIR_ERROR_ARGUMENT, "zoom %g: expected a factor from 0.001 to 1000",
                         factor);
    camera_zoom(c, (float)factor, at);
    return WEIR_OK;
}

static weir_result paste_camera(camera *c, const weir_log *log, const char *text)
{
    if (camera_parse(c, text)) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_ARGUMENT,
                     "\"%.40s\" is not a camera: expected \"eye=X,Y,Z target=X,Y,Z fov=DEGREES\" "
                     "with eye and target apart",
                     text);
}

/* Returns the point given by two values, or the centre of the picture without them. */
static camera_world_to_view picture_point(const view_value *values, const view_window *window)
{
    return (camera_world_to_view){
        .x = values[0].given ? (float)values[0].number : 0.5f,
        .y = values[1].given ? (float)values[1].number : 0.5f,
        .aspect = view_window_aspect(window),
    };
}

weir_result view_run_camera_command(camera *c, view_session *s, const view_window *window,
                                    const view_call *call)
{
    const weir_log *log = &s->work.log;
    const view_value *values = call->values;
    const float x = (float)values[0].number, y = (float)values[1].number;
    switch (call->id) {
    case VIEW_ORBIT: camera_orbit(c, x * DEGREES, y * DEGREES); return WEIR_OK;
    case VIEW_PAN: camera_pan(c, x, y); return WEIR_OK;
    case VIEW_ZOOM: return zoom_camera(c, log, values[0].number, picture_point(values + 1, window));
    case VIEW_PIVOT: move_pivot(c, s, picture_point(values, window)); return WEIR_OK;
    case VIEW_CAMERA_SET: return paste_camera(c, log, values[0].text);
    case VIEW_HOME: *c = s->scene.home; return WEIR_OK;
    default: return paste_camera(c, log, view_window_clipboard(window));
    }
}

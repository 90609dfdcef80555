/* Mouse tools: turn rays from the camera into ray forces, the hose, and targets of the mouse
 * joint. */
#include "mouse_tools.h"

#define POINTER_RADIUS_RATIO 0.12f /* fraction of the picture's height, at the pivot */
#define POINTER_ACCELERATION 45.0f /* m/s2 */

static void aim_force_ray(weir_ray_force *pointer, const camera *c, camera_world_to_view point,
                          bool away)
{
    camera_ray ray = camera_ray_at(c, point);
    *pointer = (weir_ray_force){
        .origin = {ray.origin.x, ray.origin.y, ray.origin.z},
        .direction = {ray.direction.x, ray.direction.y, ray.direction.z},
        .radius_m = POINTER_RADIUS_RATIO * 2 * c->distance * tanf(0.5f * c->fov),
        .acceleration = away ? POINTER_ACCELERATION : -POINTER_ACCELERATION,
    };
}

/* Finds the point, slightly inside the domain, where the ray enters it. Returns false if it
 * misses. */
static bool hose_entry_point(const view_session *s, camera_ray ray, vec3 *position)
{
    const vec3 eye = ray.origin, direction = ray.direction;
    const vec3 min = s->scene.domain_min, max = s->scene.domain_max;
    const float margin = 5 * s->work.scene_info.spacing_m;
    const float e[3] = {eye.x, eye.y, eye.z};
    const float w[3] = {direction.x, direction.y, direction.z};
    const float low[3] = {min.x, min.y, min.z}, high[3] = {max.x, max.y, max.z};
    float enters = 0, leaves = INFINITY;
    for (int i = 0; i < 3; i++) {
        float a = (low[i] + margin - e[i]) / w[i], b = (high[i] - margin - e[i]) / w[i];
        if (w[i] == 0 && (e[i] < low[i] + margin || e[i] > high[i] - margin)) return false;
        if (w[i] == 0) continue;
        enters = fmaxf(enters, fminf(a, b));
        leaves = fminf(leaves, fmaxf(a, b));
    }
    *position = vec3_add(eye, vec3_scale(direction, enters));
    return enters < leaves;
}

weir_result view_update_hose(view_session *s, const camera *c)
{
    vec3 position, size = vec3_sub(s->scene.domain_max, s->scene.domain_min);
    camera_ray ray = camera_ray_at(c, (camera_world_to_view){0.5f, 0.5f, 1});
    s->controls.hose.speed = 0;
    if (s->emitting && hose_entry_point(s, ray, &position))
        s->controls.hose = (weir_hose){
            .position = {position.x, position.y, position.z},
            .direction = {ray.direction.x, ray.direction.y, ray.direction.z},
            .speed = fminf(sqrtf(2 * 9.81f * vec3_length(size)), 100),
        };
    return weir_sim_set_controls(s->sim, &s->controls);
}

/* Grabs the body visible at the point; if there is none, the tool pushes fluid. */
static weir_result grab(view_session *s, const camera *c, camera_world_to_view point)
{
    view_mouse_tool *mouse_tool = &s->mouse_tool;
    camera_ray ray = camera_ray_at(c, point);
    const float origin[3] = {ray.origin.x, ray.origin.y, ray.origin.z};
    const float direction[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
    WEIR_RETURN_IF_ERROR(weir_sim_pick_body(s->sim, origin, direction, &mouse_tool->grab));
    const float *at = mouse_tool->grab.position;
    mouse_tool->pushes = !mouse_tool->grab.name;
    mouse_tool->depth =
        -vec3_dot(vec3_sub(vec3_make(at[0], at[1], at[2]), ray.origin), camera_get_basis(c).back);
    return WEIR_OK;
}

/* Drags the body to the point of the ray with the depth at which the body was grabbed. */
static weir_result drag_grabbed_body(view_session *s, const camera *c, camera_world_to_view point)
{
    camera_ray ray = camera_ray_at(c, point);
    float along = -s->mouse_tool.depth / vec3_dot(ray.direction, camera_get_basis(c).back);
    vec3 to = vec3_add(ray.origin, vec3_scale(ray.direction, along));
    return weir_sim_grab_body(s->sim, &s->mouse_tool.grab, (const float[]){to.x, to.y, to.z});
}

static weir_result release_tool(view_session *s)
{
    s->mouse_tool = (view_mouse_tool){.pushes = false};
    return weir_sim_grab_body(s->sim, NULL, NULL);
}

weir_result view_mouse_tool_command(view_session *s, const camera *c, float aspect,
                                    const view_call *call)
{
    const view_value *at = call->values;
    view_session_leave_pass(s);
    if (call->id == VIEW_HOSE) {
        s->emitting = view_call_switch(call, s->emitting);
        return view_update_hose(s, c);
    }
    const camera_world_to_view point = {(float)at[0].number, (float)at[1].number, aspect};
    view_mouse_tool *mouse_tool = &s->mouse_tool;
    if (call->id != VIEW_DRAG_BODY) WEIR_RETURN_IF_ERROR(release_tool(s));
    if (call->id == VIEW_DRAG_BODY && !mouse_tool->pushes && !mouse_tool->grab.name)
        WEIR_RETURN_IF_ERROR(grab(s, c, point));
    if (mouse_tool->grab.name) return drag_grabbed_body(s, c, point);
    s->controls.ray_force.acceleration = 0;
    if (call->id != VIEW_RELEASE_TOOL)
        aim_force_ray(&s->controls.ray_force, c, point, call->id != VIEW_PULL);
    return weir_sim_set_controls(s->sim, &s->controls);
}

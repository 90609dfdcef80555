/* The input of a frame: parameters, forces, poses and emissions, which the host computes before the
 * frame is recorded. */
#include "sim_coupling.h"
#include "sim_frame.h"
#include "sim_input.h"
#include "sim_ranks.h"
#include "sim_stability.h"

#define SPEED_MARGIN 1.25 /* factor on the speed expected from the last frames */

/* Returns the number of substeps to record: those that the frame is expected to take, with a
 * margin. The GPU chooses the actual number (shaders/sim/frame/choose_substep_count.comp), whereas
 * the host knows only the speeds of earlier frames. A frame that takes more continues where it
 * stopped; a frame that takes fewer costs the recording of passes that do nothing. */
static uint32_t expected_substeps(const sim_world *world, const sim_frame *frame)
{
    const struct sim_params *p = &world->params;
    uint32_t max_substeps = world->scene->solver.substeps, n = 1;
    if (!p->adaptive || world->frames_done == 0) return max_substeps;
    double seconds = frame->seconds, fastest = (double)world->last_result.sums.speed_max;
    double ahead = (double)(world->frames_begun - world->frames_done) + 1.0;
    const vec4 *g = &p->gravity;
    double fall = (double)vec3_length(vec3_make(g->x, g->y, g->z)) * seconds * ahead;
    fastest = fmax(fastest, (double)frame->emitted_speed);
    fastest = fmax(fastest, (double)sim_max_body_speed(world));
    for (uint64_t f = world->frames_done; f < world->frames_begun; f++)
        fastest = fmax(fastest, (double)world->frames[f % SIM_FRAMES_IN_FLIGHT].emitted_speed);
    double speed = SPEED_MARGIN * (fastest + fall);
    double wanted = ceil(speed * seconds / (double)(p->cfl * p->spacing));
    if (!(wanted < max_substeps)) return max_substeps;
    while (n < max_substeps && (n < wanted || max_substeps % n != 0))
        n++;
    return n;
}

/* Sets the numbers of the scene that have keyframes to their values at a time. */
static void update_numbers(sim_world *world, double time_s)
{
    const scene_data *scene = world->scene;
    scene_moment moment;
    if (scene->track_count == 0) return;
    scene_at_time(scene, time_s, &moment);
    world->scene = &moment.scene;
    sim_params_fill(world);
    sim_force_fields_fill(world);
    world->scene = scene;
}

void sim_plan_frame(sim_world *world, sim_frame *frame, double seconds)
{
    sim_frame_input *input = gpu_buffer_map(frame->input);
    struct solid_pose *poses = gpu_buffer_map(frame->poses);
    uint32_t substeps = world->scene->solver.substeps;
    double dt = seconds / substeps;
    frame->gpu_ms = 0.0;
    frame->number = world->frame + 1;
    frame->start_s = world->time_s;
    frame->seconds = seconds;
    update_numbers(world, world->time_s + 0.5 * seconds);
    sim_update_gravity(world, world->time_s + 0.5 * seconds);
    sim_emission_plan plan = {.items = input->emissions, .moving_emitters = input->moving_emitters};
    sim_plan_emissions(world, world->time_s, seconds, &plan);
    frame->emission_count = plan.count;
    frame->moving_count = plan.moving_count;
    frame->emitted_speed = plan.max_speed;
    frame->recorded_substeps = expected_substeps(world, frame);
    input->params = world->params;
    input->params.emitted_elsewhere = world->ranks && world->ranks->rank > 0;
    input->params.emitted_speed = frame->emitted_speed;
    input->params.rest_positions.y =
        sim_reset_rest_positions(world->scene, world->time_s, world->time_s + seconds);
    input->ray_force = world->ray_force;
    if (world->scene->sea.given) sim_sea_at(world, world->time_s, &input->sea);
    sim_force_fields_at(world, world->time_s, &input->force_fields);
    input->hose = world->hose.emitter;
    frame->has_hose = world->hose.open;
    frame->has_ray_force = world->ray_force.direction.w != 0.0f;
    input->mouse_joint = world->mouse_joint;
    frame->has_mouse_joint = world->has_mouse_joint;
    input->params.frame_dt = (float)seconds;
    input->params.emission_count = frame->emission_count;
    solid_set_begin_frame(world->solids, world->time_s, world->time_s + seconds);
    for (uint32_t s = 0; s < substeps && solid_item_count(world->solids); s++)
        solid_poses_at(world->solids, world->time_s + (s + 1) * dt, dt,
                       poses + (size_t)s * solid_item_count(world->solids));
}

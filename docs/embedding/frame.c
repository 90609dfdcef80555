/* A program with a Vulkan of its own. Each frame steps a simulation, and draws a triangle, a
 * floating box and the fluid from where Weir has left them on the device: nothing is copied to the
 * CPU, and no frame waits for the one before. The last picture goes into the file that the command
 * names, and a line says how hard the water has pushed the box. With "surface" as third argument
 * the fluid is drawn as triangles. docs/embedding.md explains it. */
#include "device.h"
#include "picture.h"
#include "weir/bodies.h"
#include "weir/vulkan.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES = 45, UNDER_WAY = 2 };
#define STEP_S (1.0 / 60)

static const uint32_t triangle_vert[] =
#include "triangle.vert.inc"
    ;
static const uint32_t box_vert[] =
#include "box.vert.inc"
    ;
static const uint32_t fluid_vert[] =
#include "fluid.vert.inc"
    ;
static const uint32_t surface_vert[] =
#include "surface.vert.inc"
    ;
static const uint32_t plain_frag[] =
#include "plain.frag.inc"
    ;
static const uint32_t fluid_frag[] =
#include "fluid.frag.inc"
    ;

typedef struct pipelines {
    VkPipeline triangle, box, fluid, surface;
} pipelines;

static pipelines make_pipelines(const picture *p)
{
    const words plain = {plain_frag, sizeof plain_frag};
    return (pipelines){
        .triangle =
            picture_pipeline(p, (words){triangle_vert, sizeof triangle_vert}, plain, NO_VERTICES),
        .box = picture_pipeline(p, (words){box_vert, sizeof box_vert}, plain, BODIES),
        .fluid = picture_pipeline(p, (words){fluid_vert, sizeof fluid_vert},
                                  (words){fluid_frag, sizeof fluid_frag}, PARTICLES),
        .surface =
            picture_pipeline(p, (words){surface_vert, sizeof surface_vert}, plain, TRIANGLES),
    };
}

/* What is simulated; without a mesher the fluid is drawn as balls. */
typedef struct world {
    weir_sim *sim;
    weir_mesher *mesher;
    float push; /* N: how hard the water has pushed the box up at most */
} world;

/* In the newest frame that is known to have finished: this does not wait. */
static void feel_push(world *w)
{
    weir_force force;
    uint32_t one = 1;
    need(weir_sim_get_body_forces(w->sim, &force, &one) == WEIR_OK, "forces");
    if (force.force[1] > w->push) w->push = force.force[1];
}

static void tell_push(world *w)
{
    weir_body box;
    uint32_t one = 1;
    need(weir_sim_get_bodies(w->sim, &box, &one) == WEIR_OK, "bodies"); /* waits */
    feel_push(w);
    printf("The box weighs %.1f N. The water has pushed it up with %.1f N at most.\n",
           9.81 * box.mass_kg, (double)w->push);
}

static void draw_surface(VkCommandBuffer commands, const weir_vulkan_mesh *mesh)
{
    const VkBuffer vertices[2] = {mesh->position.buffer, mesh->normal.buffer};
    const VkDeviceSize starts[2] = {0};
    vkCmdBindVertexBuffers(commands, 0, 2, vertices, starts);
    vkCmdBindIndexBuffer(commands, mesh->index.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexedIndirect(commands, mesh->draw_arguments, 0, 1, 0);
}

/* Weir's buffers are vertex buffers, with one element for each body, particle or vertex. */
static void draw(VkCommandBuffer commands, const pipelines *with, const weir_points *points,
                 const weir_vulkan_mesh *mesh)
{
    weir_vulkan_points fluid;
    const VkDeviceSize start = 0;
    need(weir_vulkan_get_points(points, &fluid) == WEIR_OK, "points");
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, with->triangle);
    vkCmdDraw(commands, 3, 1, 0, 0);

    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, with->box);
    vkCmdBindVertexBuffers(commands, 0, 1, &fluid.body.buffer, &start);
    vkCmdDraw(commands, 36, fluid.body_count, 0, 0);

    if (mesh->generation) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, with->surface);
        draw_surface(commands, mesh);
        return;
    }
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, with->fluid);
    vkCmdBindVertexBuffers(commands, 0, 1, &fluid.field[WEIR_FIELD_POSITION].buffer, &start);
    vkCmdDrawIndirect(commands, fluid.counts, offsetof(weir_vulkan_counts, quads), 1, 0);
}

/* The program's own work of a frame, and the fence that says when it is done. */
typedef struct frame {
    VkCommandBuffer commands;
    VkFence fence;
} frame;

static frame make_frame(VkDevice device, VkCommandPool pool)
{
    frame f;
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                     .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    need(vkAllocateCommandBuffers(device, &commands, &f.commands) == VK_SUCCESS, "commands");
    need(vkCreateFence(device, &fence, NULL, &f.fence) == VK_SUCCESS, "fence");
    return f;
}

static void run_frame(const vulkan *v, const frame *f, const picture *p, const pipelines *with,
                      world *w)
{
    static const float eye[3] = {1.15f, 0.8f, 1.5f}, target[3] = {0.5f, 0.15f, 0.2f};
    const camera c = camera_look_at(eye, target);
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &f->commands};
    weir_points *points = NULL;
    weir_vulkan_mesh mesh = {0};
    /* That of the frame before the last. */
    vkWaitForFences(v->device, 1, &f->fence, VK_TRUE, UINT64_MAX);
    vkResetFences(v->device, 1, &f->fence);
    need(weir_vulkan_step(w->sim, STEP_S, NULL, &points) == WEIR_OK, "step");
    if (w->mesher) need(weir_vulkan_mesher_run(w->mesher, points, NULL, &mesh) == WEIR_OK, "surface");
    feel_push(w);
    vkBeginCommandBuffer(f->commands, &begin);
    picture_begin(p, f->commands, &c);
    draw(f->commands, with, points, &mesh);
    picture_end(p, f->commands);
    vkEndCommandBuffer(f->commands);
    /* Behind the step on the same queue; the points may go as soon as this is submitted. */
    need(vkQueueSubmit(v->queue, 1, &submit, f->fence) == VK_SUCCESS, "submission");
    weir_points_release(&points);
}

int main(int count, char **arguments)
{
    need(count == 3 || (count == 4 && strcmp(arguments[3], "surface") == 0),
         "scene and picture: frame SCENE PICTURE [surface]");
    weir_scene *scene = NULL;
    vulkan v;
    world w = {0};
    const weir_mesher_def mesher = weir_mesher_def_default("calibrated");
    weir_scene_def def = weir_scene_def_default();
    def.log = messages;
    weir_device *weir = vulkan_open(&v);
    need(weir_scene_load(arguments[1], &def, &scene) == WEIR_OK, "scene");
    need(weir_sim_create(weir, scene, &w.sim) == WEIR_OK, "simulation");
    if (count == 4) need(weir_mesher_create(weir, &mesher, &w.mesher) == WEIR_OK, "mesher");

    VkCommandPool pool;
    const VkCommandPoolCreateInfo reset = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                           .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                           .queueFamilyIndex = v.family};
    need(vkCreateCommandPool(v.device, &reset, NULL, &pool) == VK_SUCCESS, "command pool");
    picture p = picture_create(v.physical, v.device);
    const pipelines with = make_pipelines(&p);
    const frame frames[UNDER_WAY] = {make_frame(v.device, pool), make_frame(v.device, pool)};
    for (int i = 0; i < FRAMES; i++)
        run_frame(&v, &frames[i % UNDER_WAY], &p, &with, &w);
    vkQueueWaitIdle(v.queue);
    picture_save(&p, arguments[2]);
    tell_push(&w);

    weir_mesher_destroy(&w.mesher);
    weir_sim_destroy(&w.sim); /* Weir first, then the device that it was lent */
    weir_scene_destroy(&scene);
    weir_device_destroy(&weir);
    for (int i = 0; i < UNDER_WAY; i++)
        vkDestroyFence(v.device, frames[i].fence, NULL);
    vkDestroyCommandPool(v.device, pool, NULL);
    vkDestroyPipeline(v.device, with.triangle, NULL);
    vkDestroyPipeline(v.device, with.box, NULL);
    vkDestroyPipeline(v.device, with.fluid, NULL);
    vkDestroyPipeline(v.device, with.surface, NULL);
    picture_destroy(&p);
    vulkan_close(&v);
    return 0;
}

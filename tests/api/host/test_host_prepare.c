/* Pipelines that a host lets Weir compile before its first frame: what the driver compiles, and
   when. */
#include "host_reader.h"

#include "weir/probe.h"
#include "weir/vulkan.h"

#include <math.h>

#define SCENE                                                                              \
    "{\"name\": \"prepared\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}," \
    " \"frame_rate\": 60, \"duration\": 0.2, \"spacing\": 0.05,"                           \
    " \"solver\": {\"substeps\": 2, \"iterations\": 2, \"vorticity_confinement\": 0.1},"   \
    " \"fluids\": [{\"name\": \"water\", \"xsph\": 0.01, \"fill\": {\"shape\": {\"box\":"  \
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}"
#define WIDTH 48u
#define HEIGHT 32u

/* ---- a counting driver ---------------------------------------------------------------------- */

static uint32_t compiled; /* shaders; those of a pipeline are created right before it */
static PFN_vkGetDeviceProcAddr get_device_call;
static PFN_vkCreateShaderModule create_module;

static VkResult VKAPI_PTR count_module(VkDevice device, const VkShaderModuleCreateInfo *info,
                                       const VkAllocationCallbacks *allocator,
                                       VkShaderModule *module)
{
    compiled++;
    return create_module(device, info, allocator, module);
}

static PFN_vkVoidFunction VKAPI_PTR counted_device_call(VkDevice device, const char *name)
{
    PFN_vkVoidFunction found = get_device_call(device, name);
    if (strcmp(name, "vkCreateShaderModule") != 0) return found;
    create_module = (PFN_vkCreateShaderModule)found;
    return (PFN_vkVoidFunction)count_module;
}

static PFN_vkVoidFunction VKAPI_PTR counted_call(VkInstance instance, const char *name)
{
    PFN_vkVoidFunction found = vkGetInstanceProcAddr(instance, name);
    if (strcmp(name, "vkGetDeviceProcAddr") != 0) return found;
    get_device_call = (PFN_vkGetDeviceProcAddr)found;
    return (PFN_vkVoidFunction)counted_device_call;
}

/* ---- a target ------------------------------------------------------------------------------- */

typedef struct picture {
    VkImage image[2]; /* colour, depth */
    VkImageView view[2];
    VkDeviceMemory memory[2];
    weir_vulkan_target *target;
} picture;

static const VkFormat formats[2] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT};

static void make_image(const host *h, picture *p, int depth)
{
    VkMemoryRequirements needs;
    uint32_t type = 0;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = formats[depth],
                                    .extent = {WIDTH, HEIGHT, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                             (depth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                                    : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)};
    assert_int_equal(vkCreateImage(h->device, &info, NULL, &p->image[depth]), VK_SUCCESS);
    vkGetImageMemoryRequirements(h->device, p->image[depth], &needs);
    while (!(needs.memoryTypeBits >> type & 1u))
        type++;
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = type};
    assert_int_equal(vkAllocateMemory(h->device, &memory, NULL, &p->memory[depth]), VK_SUCCESS);
    vkBindImageMemory(h->device, p->image[depth], p->memory[depth], 0);
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = p->image[depth],
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = formats[depth],
        .subresourceRange = {depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                             1}};
    assert_int_equal(vkCreateImageView(h->device, &view, NULL, &p->view[depth]), VK_SUCCESS);
}

/* The drawn content does not matter here. */
static void clear_images(reader *r, const picture *p)
{
    begin_commands(r->commands);
    for (int depth = 0; depth < 2; depth++) {
        const VkImageMemoryBarrier barrier = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
            .newLayout = VK_IMAGE_LAYOUT_GENERAL,
            .image = p->image[depth],
            .subresourceRange = {depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0,
                                 1, 0, 1}};
        vkCmdPipelineBarrier(r->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    }
    submit_commands(r->h, r->commands, VK_NULL_HANDLE, r->fence);
    end_read(r);
}

static picture make_picture(reader *r, weir_device *device)
{
    picture p = {0};
    weir_vulkan_target_def def = weir_vulkan_target_def_default();
    for (int depth = 0; depth < 2; depth++)
        make_image(r->h, &p, depth);
    clear_images(r, &p);
    def.width = WIDTH;
    def.height = HEIGHT;
    def.colour = p.image[0];
    def.depth = p.image[1];
    def.colour_view = p.view[0];
    def.depth_view = p.view[1];
    def.colour_format = formats[0];
    def.depth_format = formats[1];
    def.colour_layout = def.depth_layout = VK_IMAGE_LAYOUT_GENERAL;
    if (weir_vulkan_target_create(device, &def, &p.target) != WEIR_OK) fail_msg("%s", logged);
    return p;
}

static void destroy_picture(const host *h, picture *p)
{
    weir_vulkan_target_destroy(&p->target);
    for (int depth = 0; depth < 2; depth++) {
        vkDestroyImageView(h->device, p->view[depth], NULL);
        vkDestroyImage(h->device, p->image[depth], NULL);
        vkFreeMemory(h->device, p->memory[depth], NULL);
    }
}

/* ---- objects of a program ------------------------------------------------------------------- */

typedef struct program {
    reader reader;
    weir_device *device;
    weir_scene *scene;
    weir_sim *sim;
    weir_mesher *mesher;
    weir_density_solver *constraint;
    weir_probe *probe;
    weir_renderer *renderer;
    picture picture;
} program;

static program open_program(host *h, bool deferred)
{
    program p = {0};
    weir_vulkan_host vulkan = hand_over(h);
    const weir_mesher_def mesher = weir_mesher_def_default(NULL);
    weir_renderer_def renderer = weir_renderer_def_default();
    vulkan.get_proc = counted_call;
    vulkan.defer_pipelines = deferred;
    open_reader(h, &p.reader);
    p.device = adopt(h, vulkan, "");
    p.scene = parse(SCENE);
    renderer.scene = p.scene;
    compiled = 0;
    assert_int_equal(weir_sim_create(p.device, p.scene, &p.sim), WEIR_OK);
    assert_int_equal(weir_mesher_create(p.device, &mesher, &p.mesher), WEIR_OK);
    assert_int_equal(weir_density_solver_create(p.device, p.scene, &p.constraint), WEIR_OK);
    assert_int_equal(weir_probe_create(p.device, p.scene, &p.probe), WEIR_OK);
    assert_int_equal(weir_renderer_create(p.device, &renderer, &p.renderer), WEIR_OK);
    p.picture = make_picture(&p.reader, p.device);
    return p;
}

static void close_program(host *h, program *p)
{
    destroy_picture(h, &p->picture);
    weir_renderer_destroy(&p->renderer);
    weir_probe_destroy(&p->probe);
    weir_density_solver_destroy(&p->constraint);
    weir_mesher_destroy(&p->mesher);
    weir_sim_destroy(&p->sim);
    weir_scene_destroy(&p->scene);
    weir_device_destroy(&p->device);
    close_reader(&p->reader);
}

/* Draws from the front, centred. */
static void draw(program *p, const weir_points *points, bool prepare)
{
    weir_vulkan_draw_def drawing = weir_vulkan_draw_def_default();
    drawing.prepare_only = prepare;
    for (int i = 0; i < 4; i++)
        drawing.view[5 * i] = 1.0f;
    drawing.view[12] = -0.2f;
    drawing.view[13] = -0.1f;
    drawing.view[14] = -1.0f;
    drawing.projection[0] = 2.0f * HEIGHT / WIDTH;
    drawing.projection[5] = -2.0f;
    drawing.projection[11] = -1.0f;
    drawing.projection[14] = 0.1f;
    if (weir_vulkan_draw(p->renderer, points, p->picture.target, &drawing) != WEIR_OK)
        fail_msg("%s", logged);
}

static uint32_t prepare(const program *p, double seconds)
{
    uint32_t left = UINT32_MAX;
    if (weir_vulkan_compile_pipelines(p->device, seconds, &left) != WEIR_OK) fail_msg("%s", logged);
    return left;
}

/* The pipelines for probes and the density solver follow from the particles, so only a first
   call knows them. */
static void ask_and_solve(program *p, const weir_points *points)
{
    const float place[3] = {0.1f, 0.1f, 0.1f};
    float x[6] = {0.1f, 0.1f, 0.1f, 0.12f, 0.1f, 0.1f};
    weir_density_solver_particles pair = weir_density_solver_particles_default();
    pair.count = 2;
    pair.dt_s = 0.01f;
    pair.positions = x;
    assert_int_equal(weir_probe_submit(p->probe, points, place, 1), WEIR_OK);
    assert_int_equal(weir_density_solver_solve(p->constraint, &pair, NULL), WEIR_OK);
}

/* Runs two frames with everything that the program has. */
static void run(program *p)
{
    for (int frame = 0; frame < 2; frame++) {
        weir_points *points = NULL;
        weir_vulkan_mesh mesh;
        assert_int_equal(weir_vulkan_step(p->sim, 0, NULL, &points), WEIR_OK);
        draw(p, points, false);
        assert_int_equal(weir_vulkan_mesher_run(p->mesher, points, NULL, &mesh), WEIR_OK);
        assert_true(mesh.triangle_count > 0);
        ask_and_solve(p, points);
        weir_points_release(&points);
    }
    assert_int_equal(weir_sim_wait(p->sim), WEIR_OK);
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* Compiles one by one, then everything that a picture adds; then the frames compile nothing. */
static void what_is_prepared_is_not_compiled_later(void **state)
{
    program p = open_program(*state, true);
    weir_points *points = NULL;
    uint32_t left = prepare(&p, 0.0), first = left;
    assert_int_equal(compiled, 1);
    assert_true(first > 20);
    while (left > first / 2) {
        uint32_t before = compiled, now = prepare(&p, 0.0);
        assert_int_equal(now, left - 1);
        assert_int_equal(compiled, before + 1);
        left = now;
    }
    assert_int_equal(prepare(&p, INFINITY), 0);
    assert_int_equal(compiled, first + 1);
    assert_int_equal(weir_sim_acquire_points(p.sim, &points), WEIR_OK);
    assert_int_equal(compiled, first + 1);
    draw(&p, points, true);
    assert_int_equal(compiled, first + 1);
    assert_int_equal(prepare(&p, INFINITY), 0);
    assert_true(compiled > first + 5);
    ask_and_solve(&p, points);
    weir_points_release(&points);
    uint32_t all = compiled;
    run(&p);
    assert_int_equal(compiled, all);
    assert_int_equal(prepare(&p, INFINITY), 0);
    close_program(*state, &p);
}

static void what_is_not_prepared_is_compiled_when_it_is_needed(void **state)
{
    program p = open_program(*state, true);
    assert_int_equal(compiled, 0);
    run(&p);
    uint32_t needed = compiled;
    assert_true(needed > 20);
    run(&p);
    assert_int_equal(compiled, needed);
    close_program(*state, &p);
}

/* Without `deferred`, pipelines are compiled when objects are created, and by a renderer on
   request. */
static void things_are_compiled_where_they_are_made(void **state)
{
    program p = open_program(*state, false);
    weir_points *points = NULL;
    uint32_t made = compiled;
    assert_true(made > 20);
    assert_int_equal(prepare(&p, INFINITY), 0);
    assert_int_equal(compiled, made);
    assert_int_equal(weir_sim_acquire_points(p.sim, &points), WEIR_OK);
    draw(&p, points, true);
    ask_and_solve(&p, points);
    weir_points_release(&points);
    uint32_t all = compiled;
    assert_true(all > made + 5);
    run(&p);
    assert_int_equal(compiled, all);
    close_program(*state, &p);
}

static void faulty_calls_are_refused(void **state)
{
    program p = open_program(*state, true);
    weir_device *own = NULL;
    uint32_t left = 7;
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    assert_int_equal(weir_vulkan_compile_pipelines(NULL, 0, &left), WEIR_ERROR_ARGUMENT);
    assert_int_equal(left, 0);
    assert_int_equal(weir_vulkan_compile_pipelines(p.device, 0, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged("`left` must not be NULL");
    assert_int_equal(weir_vulkan_compile_pipelines(p.device, NAN, &left), WEIR_ERROR_ARGUMENT);
    assert_logged("`seconds` must be a number, 0 or more");
    assert_int_equal(weir_device_create(&def, &own), WEIR_OK);
    assert_int_equal(weir_vulkan_compile_pipelines(own, 0, &left), WEIR_ERROR_ARGUMENT);
    assert_logged("the device was created by Weir");
    weir_device_destroy(&own);
    close_program(*state, &p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_prepared_is_not_compiled_later),
        cmocka_unit_test(what_is_not_prepared_is_compiled_when_it_is_needed),
        cmocka_unit_test(things_are_compiled_where_they_are_made),
        cmocka_unit_test(faulty_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, open_host, close_host);
}

#include "host_screen.h"

static const uint8_t cleared[4] = {51, 102, 153, 255};

static VkDeviceMemory allocate(const host *h, const VkMemoryRequirements *needs,
                               VkMemoryPropertyFlags wanted)
{
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkPhysicalDeviceMemoryProperties all;
    uint32_t type = 0;
    vkGetPhysicalDeviceMemoryProperties(h->physical, &all);
    while (type < all.memoryTypeCount &&
           !((needs->memoryTypeBits >> type & 1u) &&
             (all.memoryTypes[type].propertyFlags & wanted) == wanted))
        type++;
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs->size,
                                       .memoryTypeIndex = type};
    assert_int_equal(vkAllocateMemory(h->device, &info, NULL, &memory), VK_SUCCESS);
    return memory;
}

static void make_image(screen *s, VkFormat format, bool depth)
{
    VkImage *image = depth ? &s->depth : &s->colour;
    VkMemoryRequirements needs;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = format,
                                    .extent = {s->width, s->height, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                             (depth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                                    : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)};
    assert_int_equal(vkCreateImage(s->h->device, &info, NULL, image), VK_SUCCESS);
    vkGetImageMemoryRequirements(s->h->device, *image, &needs);
    s->memory[depth] = allocate(s->h, &needs, 0);
    vkBindImageMemory(s->h->device, *image, s->memory[depth], 0);
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = *image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                             1}};
    assert_int_equal(
        vkCreateImageView(s->h->device, &view, NULL, depth ? &s->depth_view : &s->colour_view),
        VK_SUCCESS);
}

static void make_pixels(screen *s)
{
    VkMemoryRequirements needs;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = s->width * s->height * 12,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    assert_int_equal(vkCreateBuffer(s->h->device, &info, NULL, &s->pixels), VK_SUCCESS);
    vkGetBufferMemoryRequirements(s->h->device, s->pixels, &needs);
    s->memory[2] = allocate(
        s->h, &needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    vkBindBufferMemory(s->h->device, s->pixels, s->memory[2], 0);
    assert_int_equal(vkMapMemory(s->h->device, s->memory[2], 0, VK_WHOLE_SIZE, 0, &s->bytes),
                     VK_SUCCESS);
}

weir_vulkan_target_def describe(const screen *s)
{
    weir_vulkan_target_def def = weir_vulkan_target_def_default();
    def.width = s->width;
    def.height = s->height;
    def.colour = s->colour;
    def.depth = s->depth;
    def.colour_view = s->colour_view;
    def.depth_view = s->depth_view;
    def.colour_format = s->format;
    def.depth_format = s->depth_format;
    def.colour_layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    def.depth_layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
    return def;
}

screen open_formats(host *h, weir_device *device, VkFormat format, VkFormat depth, uint32_t times)
{
    screen s = {.h = h,
                .width = times * WIDTH,
                .height = times * HEIGHT,
                .format = format,
                .depth_format = depth};
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = h->family};
    const VkSemaphoreCreateInfo drawn = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    assert_int_equal(vkCreateCommandPool(h->device, &pool, NULL, &s.pool), VK_SUCCESS);
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = s.pool,
        .commandBufferCount = 2};
    assert_int_equal(vkAllocateCommandBuffers(h->device, &commands, s.buffers), VK_SUCCESS);
    assert_int_equal(vkCreateSemaphore(h->device, &drawn, NULL, &s.drawn), VK_SUCCESS);
    make_image(&s, format, false);
    make_image(&s, depth, true);
    make_pixels(&s);
    const weir_vulkan_target_def def = describe(&s);
    assert_int_equal(weir_vulkan_target_create(device, &def, &s.target), WEIR_OK);
    return s;
}

screen open_large(host *h, weir_device *device, VkFormat format, uint32_t times)
{
    return open_formats(h, device, format, VK_FORMAT_D32_SFLOAT, times);
}

screen open_screen(host *h, weir_device *device, VkFormat format)
{
    return open_large(h, device, format, 1);
}

void close_screen(screen *s)
{
    VkDevice device = s->h->device;
    weir_vulkan_target_destroy(&s->target);
    vkDestroyImageView(device, s->colour_view, NULL);
    vkDestroyImageView(device, s->depth_view, NULL);
    vkDestroyImage(device, s->colour, NULL);
    vkDestroyImage(device, s->depth, NULL);
    vkDestroyBuffer(device, s->pixels, NULL);
    for (int i = 0; i < 3; i++)
        vkFreeMemory(device, s->memory[i], NULL);
    vkDestroySemaphore(device, s->drawn, NULL);
    vkDestroyCommandPool(device, s->pool, NULL);
}

/* A layout transition covers all aspects of an image. */
static VkImageAspectFlags aspects_of(const screen *s, bool depth)
{
    bool stencil = s->depth_format == VK_FORMAT_D32_SFLOAT_S8_UINT ||
                   s->depth_format == VK_FORMAT_D24_UNORM_S8_UINT;
    if (!depth) return VK_IMAGE_ASPECT_COLOR_BIT;
    return VK_IMAGE_ASPECT_DEPTH_BIT | (stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : 0u);
}

static void change_layout(screen *s, bool depth, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                          .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
                                                           VK_ACCESS_MEMORY_WRITE_BIT,
                                          .oldLayout = from,
                                          .newLayout = to,
                                          .image = depth ? s->depth : s->colour,
                                          .subresourceRange = {aspects_of(s, depth), 0, 1, 0, 1}};
    vkCmdPipelineBarrier(s->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

void begin(screen *s, VkCommandBuffer commands)
{
    s->commands = commands;
    begin_commands(commands);
}

/* Records darker tiles over the single colour, in a checkerboard. */
static void record_tiles(screen *s)
{
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {s->width, s->height, 1}};
    for (uint32_t y = 0; y < s->height; y++)
        for (uint32_t x = 0; x < s->width; x++) {
            bool dark = ((x + s->x) / 6 + (y + s->y) / 6) % 2;
            uint8_t *pixel = (uint8_t *)s->bytes + 4 * (y * s->width + x);
            for (int k = 0; k < 4; k++)
                pixel[k] = (uint8_t)(dark && k < 3 ? cleared[k] / 4 : cleared[k]);
        }
    change_layout(s, false, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                  VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(s->commands, s->pixels, s->colour, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                           1, &region);
}

void record_clear(screen *s, float depth)
{
    const VkImageSubresourceRange colours = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
                                  depths = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1};
    const VkImageLayout target = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    VkClearColorValue colour = {.float32 = {0.2f, 0.4f, 0.6f, 1.0f}};
    const VkClearDepthStencilValue value = {.depth = depth};
    bool encoded = s->format == VK_FORMAT_R8G8B8A8_UNORM || s->format == VK_FORMAT_B8G8R8A8_UNORM;
    for (int i = 0; i < 3 && !encoded; i++)
        colour.float32[i] = powf((colour.float32[i] + 0.055f) / 1.055f, 2.4f);
    change_layout(s, false, VK_IMAGE_LAYOUT_UNDEFINED, target);
    change_layout(s, true, VK_IMAGE_LAYOUT_UNDEFINED, target);
    vkCmdClearColorImage(s->commands, s->colour, target, &colour, 1, &colours);
    vkCmdClearDepthStencilImage(s->commands, s->depth, target, &value, 1, &depths);
    if (s->tiled) record_tiles(s);
    change_layout(s, false, target, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    change_layout(s, true, target, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
}

void record_read(screen *s)
{
    uint32_t pixel_bytes = s->format == VK_FORMAT_R16G16B16A16_SFLOAT ? 8 : 4;
    VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .imageExtent = {s->width, s->height, 1}};
    const VkImageLayout source = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkMemoryBarrier seen = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    change_layout(s, false, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, source);
    change_layout(s, true, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, source);
    vkCmdCopyImageToBuffer(s->commands, s->colour, source, s->pixels, 1, &region);
    region.bufferOffset = s->width * s->height * pixel_bytes;
    region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    vkCmdCopyImageToBuffer(s->commands, s->depth, source, s->pixels, 1, &region);
    vkCmdPipelineBarrier(s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                         1, &seen, 0, NULL, 0, NULL);
}

void finish(screen *s, VkSemaphore after)
{
    submit_commands(s->h, s->commands, after, VK_NULL_HANDLE);
    lock(s->h, true);
    assert_int_equal(vkQueueWaitIdle(s->h->queue), VK_SUCCESS);
    lock(s->h, false);
}

int open_fixture_by(void **state, PFN_vkGetInstanceProcAddr get_proc)
{
    fixture *f = calloc(1, sizeof *f);
    weir_renderer_def def = weir_renderer_def_default();
    open_host(state);
    f->h = *state;
    weir_vulkan_host vulkan = hand_over(f->h);
    vulkan.get_proc = get_proc;
    f->device = adopt(f->h, vulkan, "");
    f->scene = parse(SCENE);
    def.scene = f->scene;
    assert_int_equal(weir_sim_create(f->device, f->scene, &f->sim), WEIR_OK);
    assert_int_equal(weir_renderer_create(f->device, &def, &f->renderer), WEIR_OK);
    assert_int_equal(weir_vulkan_step(f->sim, 0, NULL, &f->points), WEIR_OK);
    *state = f;
    return 0;
}

int open_fixture(void **state)
{
    return open_fixture_by(state, vkGetInstanceProcAddr);
}

int close_fixture(void **state)
{
    fixture *f = *state;
    *state = f->h;
    weir_points_release(&f->points);
    weir_renderer_destroy(&f->renderer);
    weir_sim_destroy(&f->sim);
    weir_scene_destroy(&f->scene);
    weir_device_destroy(&f->device);
    free(f);
    return close_host(state);
}

void draw_by(fixture *f, screen *s, weir_vulkan_draw_def drawing, float depth)
{
    const weir_vulkan_sync drawn = {.semaphore = s->drawn};
    weir_vulkan_submit when = weir_vulkan_submit_default();
    when.signals = &drawn;
    when.signal_count = 1;
    drawing.submit = &when;
    begin(s, s->buffers[0]);
    record_clear(s, depth);
    submit_commands(s->h, s->commands, VK_NULL_HANDLE, VK_NULL_HANDLE);
    if (weir_vulkan_draw(f->renderer, f->points, s->target, &drawing) != WEIR_OK)
        fail_msg("%s", logged);
    begin(s, s->buffers[1]);
    record_read(s);
    finish(s, s->drawn);
}

void draw(fixture *f, screen *s, projection kind, float wall)
{
    const weir_vulkan_draw_def drawing = look(kind);
    draw_by(f, s, drawing, stored(&drawing, kind, wall));
}

bool is_cleared(const uint8_t *pixel)
{
    return memcmp(pixel, cleared, 4) == 0;
}

bool is_hosts(const uint8_t *pixel)
{
    const uint8_t dark[3] = {cleared[0] / 4, cleared[1] / 4, cleared[2] / 4};
    return is_cleared(pixel) || memcmp(pixel, dark, 3) == 0;
}

uint32_t count_drawn(const uint8_t *pixels)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < PIXELS; i++)
        count += !is_cleared(pixels + 4 * i);
    return count;
}

uint32_t differ(const uint8_t *a, const uint8_t *b, int tolerance)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < PIXELS; i++) {
        bool far_off = false;
        for (uint32_t k = 0; k < 4; k++)
            far_off |= abs((int)a[4 * i + k] - (int)b[4 * i + k]) > tolerance;
        count += far_off;
    }
    return count;
}

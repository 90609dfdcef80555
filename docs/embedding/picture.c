#include "picture.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

void need(int good, const char *what)
{
    if (good) return;
    fprintf(stderr, "frame: no %s\n", what);
    exit(1);
}

/* ---- the picture ---------------------------------------------------------------------------- */

static VkDeviceMemory allocate(VkPhysicalDevice physical, VkDevice device,
                               const VkMemoryRequirements *needs, VkMemoryPropertyFlags flags)
{
    VkDeviceMemory memory;
    VkPhysicalDeviceMemoryProperties all;
    uint32_t type = 0;
    vkGetPhysicalDeviceMemoryProperties(physical, &all);
    while (type < all.memoryTypeCount && !((needs->memoryTypeBits >> type & 1) &&
                                           (all.memoryTypes[type].propertyFlags & flags) == flags))
        type++;
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs->size,
                                       .memoryTypeIndex = type};
    need(vkAllocateMemory(device, &info, NULL, &memory) == VK_SUCCESS, "memory");
    return memory;
}

static VkImageView make_image(VkPhysicalDevice physical, VkDevice device, VkFormat format,
                              VkImage *image, VkDeviceMemory *memory)
{
    VkMemoryRequirements needs;
    VkImageView view;
    const bool is_depth = format == VK_FORMAT_D32_SFLOAT;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = format,
                                    .extent = {WIDTH, HEIGHT, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = is_depth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                                      : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                            VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
    need(vkCreateImage(device, &info, NULL, image) == VK_SUCCESS, "image");
    vkGetImageMemoryRequirements(device, *image, &needs);
    *memory = allocate(physical, device, &needs, 0);
    vkBindImageMemory(device, *image, *memory, 0);
    const VkImageViewCreateInfo seen = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = *image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0, 1,
                             0, 1}};
    need(vkCreateImageView(device, &seen, NULL, &view) == VK_SUCCESS, "view");
    return view;
}

static void make_pixels(VkPhysicalDevice physical, picture *p)
{
    VkMemoryRequirements needs;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = WIDTH * HEIGHT * 4,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    need(vkCreateBuffer(p->device, &info, NULL, &p->pixels) == VK_SUCCESS, "buffer");
    vkGetBufferMemoryRequirements(p->device, p->pixels, &needs);
    p->memory[2] =
        allocate(physical, p->device, &needs,
                 VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    vkBindBufferMemory(p->device, p->pixels, p->memory[2], 0);
    need(vkMapMemory(p->device, p->memory[2], 0, VK_WHOLE_SIZE, 0, &p->mapped) == VK_SUCCESS,
         "memory that the CPU reads");
}

picture picture_create(VkPhysicalDevice physical, VkDevice device)
{
    picture p = {.device = device};
    const VkPushConstantRange pushed = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(camera)};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &pushed};
    p.colour_view = make_image(physical, device, VK_FORMAT_R8G8B8A8_UNORM, &p.colour, &p.memory[0]);
    p.depth_view = make_image(physical, device, VK_FORMAT_D32_SFLOAT, &p.depth, &p.memory[1]);
    make_pixels(physical, &p);
    need(vkCreatePipelineLayout(device, &layout, NULL, &p.layout) == VK_SUCCESS, "layout");
    return p;
}

void picture_destroy(picture *p)
{
    vkDestroyPipelineLayout(p->device, p->layout, NULL);
    vkDestroyImageView(p->device, p->colour_view, NULL);
    vkDestroyImageView(p->device, p->depth_view, NULL);
    vkDestroyImage(p->device, p->colour, NULL);
    vkDestroyImage(p->device, p->depth, NULL);
    vkDestroyBuffer(p->device, p->pixels, NULL);
    for (int i = 0; i < 3; i++)
        vkFreeMemory(p->device, p->memory[i], NULL);
}

/* ---- pipelines ------------------------------------------------------------------------------ */

/* How the kinds of vertices lie in buffers. */
static VkPipelineVertexInputStateCreateInfo vertex_input(vertices from)
{
    static const VkVertexInputBindingDescription
        bodies[1] = {{0, 64, VK_VERTEX_INPUT_RATE_INSTANCE}},
        particles[1] = {{0, 16, VK_VERTEX_INPUT_RATE_INSTANCE}},
        triangles[2] = {{0, 12, VK_VERTEX_INPUT_RATE_VERTEX}, {1, 12, VK_VERTEX_INPUT_RATE_VERTEX}};
    static const VkVertexInputAttributeDescription
        quads[2] = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0},
                    {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 16}},
        triples[2] = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}, {1, 1, VK_FORMAT_R32G32B32_SFLOAT, 0}};
    static const VkVertexInputBindingDescription *const bindings[] = {NULL, bodies, particles,
                                                                      triangles};
    static const uint32_t buffers[] = {0, 1, 1, 2}, attributes[] = {0, 2, 1, 2};
    return (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = buffers[from],
        .pVertexBindingDescriptions = bindings[from],
        .vertexAttributeDescriptionCount = attributes[from],
        .pVertexAttributeDescriptions = from == TRIANGLES ? triples : quads};
}

VkPipeline picture_pipeline(const picture *p, words vertex, words fragment, vertices from)
{
    VkPipeline pipeline;
    VkShaderModule modules[2];
    VkPipelineShaderStageCreateInfo stages[2];
    const words code[2] = {vertex, fragment};
    for (int i = 0; i < 2; i++) {
        const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                               .codeSize = code[i].size,
                                               .pCode = code[i].words};
        need(vkCreateShaderModule(p->device, &info, NULL, &modules[i]) == VK_SUCCESS, "shader");
        stages[i] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = i ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT,
            .module = modules[i],
            .pName = "main"};
    }
    const VkPipelineVertexInputStateCreateInfo input = vertex_input(from);
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = from == PARTICLES ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP
                                      : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkViewport viewport = {0, 0, WIDTH, HEIGHT, 0, 1};
    const VkRect2D scissor = {{0, 0}, {WIDTH, HEIGHT}};
    const VkPipelineViewportStateCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &viewport,
        .scissorCount = 1,
        .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineDepthStencilStateCreateInfo test = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = VK_TRUE,
        .depthWriteEnable = VK_TRUE,
        .depthCompareOp = VK_COMPARE_OP_LESS};
    const VkPipelineColorBlendAttachmentState written = {.colorWriteMask = 15};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &written};
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .depthAttachmentFormat = VK_FORMAT_D32_SFLOAT};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .stageCount = 2,
                                               .pStages = stages,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &view,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pDepthStencilState = &test,
                                               .pColorBlendState = &blend,
                                               .layout = p->layout};
    need(vkCreateGraphicsPipelines(p->device, NULL, 1, &info, NULL, &pipeline) == VK_SUCCESS,
         "pipeline");
    for (int i = 0; i < 2; i++)
        vkDestroyShaderModule(p->device, modules[i], NULL);
    return pipeline;
}

/* ---- the camera ----------------------------------------------------------------------------- */

static void normalize(float v[3])
{
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= length;
}

camera camera_look_at(const float eye[3], const float target[3])
{
    const float tangent = 0.32f, near = 0.05f, far = 10.0f;
    float back[3], right[3], up[3];
    for (int i = 0; i < 3; i++)
        back[i] = eye[i] - target[i];
    normalize(back);
    right[0] = back[2], right[1] = 0, right[2] = -back[0];
    normalize(right);
    for (int i = 0; i < 3; i++)
        up[i] = back[(i + 1) % 3] * right[(i + 2) % 3] - back[(i + 2) % 3] * right[(i + 1) % 3];
    const float *axes[3] = {right, up, back};
    const float scale[3] = {(float)HEIGHT / WIDTH / tangent, -1 / tangent, far / (near - far)};
    camera c = {.right = {right[0], right[1], right[2]}, .up = {up[0], up[1], up[2]}};
    for (int row = 0; row < 3; row++) {
        float moved = 0;
        for (int i = 0; i < 3; i++) {
            c.clip[4 * i + row] = scale[row] * axes[row][i];
            moved -= axes[row][i] * eye[i];
        }
        c.clip[12 + row] = scale[row] * moved;
        if (row < 2) continue;
        for (int i = 0; i < 3; i++)
            c.clip[4 * i + 3] = -back[i];
        c.clip[15] = -moved;
        c.clip[14] += near * far / (near - far);
    }
    return c;
}

/* ---- a frame -------------------------------------------------------------------------------- */

static void change_layout(VkCommandBuffer commands, VkImage image, VkImageLayout from,
                          VkImageLayout to)
{
    const bool is_depth = to == VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .image = image,
        .subresourceRange = {is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0, 1,
                             0, 1}};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(commands, &info);
}

void picture_begin(const picture *p, VkCommandBuffer commands, const camera *c)
{
    const VkRenderingAttachmentInfo colours = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = p->colour_view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .clearValue = {.color = {.float32 = {0.08f, 0.09f, 0.11f, 1}}}};
    const VkRenderingAttachmentInfo depths = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                              .imageView = p->depth_view,
                                              .imageLayout =
                                                  VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                                              .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                              .clearValue = {.depthStencil = {.depth = 1}}};
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea = {{0, 0}, {WIDTH, HEIGHT}},
                                       .layerCount = 1,
                                       .colorAttachmentCount = 1,
                                       .pColorAttachments = &colours,
                                       .pDepthAttachment = &depths};
    change_layout(commands, p->colour, VK_IMAGE_LAYOUT_UNDEFINED,
                  VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    change_layout(commands, p->depth, VK_IMAGE_LAYOUT_UNDEFINED,
                  VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
    vkCmdBeginRendering(commands, &rendering);
    vkCmdPushConstants(commands, p->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof *c, c);
}

void picture_end(const picture *p, VkCommandBuffer commands)
{
    const VkBufferImageCopy whole = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {WIDTH, HEIGHT, 1}};
    vkCmdEndRendering(commands);
    change_layout(commands, p->colour, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                  VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(commands, p->colour, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, p->pixels, 1,
                           &whole);
    const VkMemoryBarrier2 read = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT | VK_PIPELINE_STAGE_2_TRANSFER_BIT,
        .dstAccessMask = VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &read};
    vkCmdPipelineBarrier2(commands, &info);
}

void picture_save(const picture *p, const char *path)
{
    const unsigned char *from = p->mapped;
    FILE *file = fopen(path, "wb");
    need(file != NULL, "file for the picture");
    fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        fwrite(from + 4 * i, 1, 3, file);
    need(fclose(file) == 0, "room for the picture");
}

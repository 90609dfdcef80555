/* Draw pipelines, which use dynamic rendering, and the recording of draws. */
#include "gpu_internal.h"
#include "shared/pass.h"

/* ---- pipelines ------------------------------------------------------------------------------ */

static VkPipelineColorBlendAttachmentState make_blend_state(gpu_blend blend)
{
    VkPipelineColorBlendAttachmentState state = {
        .blendEnable = blend != GPU_BLEND_NONE,
        .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                          VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT,
    };
    VkBlendOp op = blend == GPU_BLEND_MIN   ? VK_BLEND_OP_MIN
                   : blend == GPU_BLEND_MAX ? VK_BLEND_OP_MAX
                                            : VK_BLEND_OP_ADD;
    state.colorBlendOp = state.alphaBlendOp = op;
    if (blend == GPU_BLEND_ALPHA) {
        state.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
        state.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
        state.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    }
    return state;
}

typedef struct draw_pipeline_states {
    VkPipelineVertexInputStateCreateInfo vertices;
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkPipelineViewportStateCreateInfo viewport;
    VkPipelineRasterizationStateCreateInfo raster;
    VkPipelineMultisampleStateCreateInfo samples;
    VkPipelineDepthStencilStateCreateInfo depth;
    VkPipelineColorBlendAttachmentState blends[GPU_ATTACHMENTS];
    VkPipelineColorBlendStateCreateInfo blend;
    VkDynamicState dynamic[2];
    VkPipelineDynamicStateCreateInfo dynamics;
    VkFormat colours[GPU_ATTACHMENTS];
    VkPipelineRenderingCreateInfo rendering;
} draw_pipeline_states;

static void fill_raster_state(const gpu_draw_def *def, draw_pipeline_states *s)
{
    s->vertices.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    s->assembly = (VkPipelineInputAssemblyStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = def->strips ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP
                                : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    s->viewport = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1,
    };
    s->raster = (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .cullMode = def->cull_back ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE,
        .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
        .lineWidth = 1.0f,
    };
    s->samples = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    s->dynamic[0] = VK_DYNAMIC_STATE_VIEWPORT;
    s->dynamic[1] = VK_DYNAMIC_STATE_SCISSOR;
    s->dynamics = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = BASE_COUNT(s->dynamic),
        .pDynamicStates = s->dynamic,
    };
}

static void fill_output_state(const gpu_draw_def *def, draw_pipeline_states *s)
{
    static const VkCompareOp tests[] = {
        [GPU_DEPTH_ALWAYS] = VK_COMPARE_OP_ALWAYS,
        [GPU_DEPTH_LESS] = VK_COMPARE_OP_LESS_OR_EQUAL,
        [GPU_DEPTH_GREATER] = VK_COMPARE_OP_GREATER_OR_EQUAL,
    };
    s->depth = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = def->depth != GPU_FORMAT_NONE,
        .depthWriteEnable = def->depth_write,
        .depthCompareOp = tests[def->depth_test],
    };
    for (uint32_t i = 0; i < def->colour_count; i++) {
        s->blends[i] = make_blend_state(def->blends[i]);
        s->colours[i] = gpu_vk_format(def->colours[i]);
    }
    s->blend = (VkPipelineColorBlendStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = def->colour_count,
        .pAttachments = s->blends,
    };
    s->rendering = (VkPipelineRenderingCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = def->colour_count,
        .pColorAttachmentFormats = s->colours,
        .depthAttachmentFormat = gpu_vk_format(def->depth),
    };
}

/* Creates the pipeline. `words` are those of the vertex and the fragment stage. */
static weir_result create_vk_pipeline(gpu_device *device, const gpu_spirv *words,
                                      gpu_pipeline *pipeline)
{
    weir_result result;
    VkShaderModule vertex = VK_NULL_HANDLE, fragment = VK_NULL_HANDLE;
    draw_pipeline_states states = {0};
    fill_raster_state(&pipeline->draw_def, &states);
    fill_output_state(&pipeline->draw_def, &states);
    WEIR_GOTO_IF_ERROR(gpu_shader_module(device, &words[0], pipeline, &vertex));
    WEIR_GOTO_IF_ERROR(gpu_shader_module(device, &words[1], pipeline, &fragment));
    VkPipelineShaderStageCreateInfo stages[2] = {
        gpu_shader_stage(VK_SHADER_STAGE_VERTEX_BIT, vertex),
        gpu_shader_stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment),
    };
    VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &states.rendering,
        .stageCount = 2,
        .pStages = stages,
        .pVertexInputState = &states.vertices,
        .pInputAssemblyState = &states.assembly,
        .pViewportState = &states.viewport,
        .pRasterizationState = &states.raster,
        .pMultisampleState = &states.samples,
        .pDepthStencilState = &states.depth,
        .pColorBlendState = &states.blend,
        .pDynamicState = &states.dynamics,
        .layout = pipeline->layout,
    };
    for (int stage = 0; stage < 2; stage++)
        pipeline->stats.hash =
            base_hash64(words[stage].words, words[stage].count * 4, pipeline->stats.hash);
    pipeline->stats.registers = pipeline->stats.spill_bytes = GPU_STAT_UNKNOWN;
    pipeline->stats.subgroup_size = GPU_STAT_UNKNOWN;
    WEIR_GOTO_IF_ERROR(GPU_VK(device, vkCreateGraphicsPipelines, device->pipeline_cache, 1, &info,
                              device->allocator, &pipeline->handle));
    gpu_name_object(device, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline->handle, pipeline->name);
fail:
    if (result != WEIR_OK)
        base_log(&device->log, WEIR_LOG_ERROR, "shader %s: the pipeline could not be created",
                 pipeline->name);
    device->vk.vkDestroyShaderModule(device->handle, vertex, device->allocator);
    device->vk.vkDestroyShaderModule(device->handle, fragment, device->allocator);
    return result;
}

static weir_result check_stages_write_nothing(gpu_device *device, const gpu_pipeline *pipeline)
{
    for (uint32_t i = 0; i < pipeline->binding_count; i++)
        if (!pipeline->bindings[i].readonly)
            return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                             "shader %s draws, but binding %u is not readonly: a draw may only "
                             "write to its attachments",
                             pipeline->name, pipeline->bindings[i].binding);
    return WEIR_OK;
}

static gpu_pipeline *begin_draw_pipeline(gpu_device *device, const gpu_draw_def *def)
{
    gpu_pipeline *pipeline = base_alloc(1, sizeof *pipeline);
    if (!pipeline) return NULL;
    pipeline->name = def->name;
    pipeline->workgroup = 1;
    pipeline->id = ++device->next_pipeline_id;
    pipeline->stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    WEIR_ASSERT(def->colour_count <= GPU_ATTACHMENTS);
    pipeline->draw_def = *def;
    pipeline->sources[0] = def->vertex->plain.source;
    pipeline->sources[1] = def->fragment->plain.source;
    for (uint32_t i = 0; i < def->colour_count; i++)
        pipeline->attachments[pipeline->attachment_count++] = def->colours[i];
    if (def->depth != GPU_FORMAT_NONE)
        pipeline->attachments[pipeline->attachment_count++] = def->depth;
    return pipeline;
}

weir_result gpu_draw_pipeline_build(gpu_device *device, const gpu_draw_def *def,
                                    const gpu_pipeline *like, gpu_pipeline **out)
{
    weir_result result;
    gpu_spirv words[2] = {def->vertex->plain, def->fragment->plain};
    gpu_pipeline *pipeline = begin_draw_pipeline(device, def);
    if (!pipeline)
        return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory for pipeline %s",
                         def->name);
    gpu_shader_use_reloaded(device, &words[0]);
    gpu_shader_use_reloaded(device, &words[1]);
    WEIR_GOTO_IF_ERROR(gpu_spirv_bindings(&device->log, &words[0], def->vertex, pipeline));
    WEIR_GOTO_IF_ERROR(gpu_spirv_bindings(&device->log, &words[1], def->fragment, pipeline));
    WEIR_GOTO_IF_ERROR(check_stages_write_nothing(device, pipeline));
    if (like) WEIR_GOTO_IF_ERROR(gpu_pipeline_copy_bindings(device, pipeline, like));
    WEIR_GOTO_IF_ERROR(gpu_pipeline_create_layouts(device, pipeline));
    if (!device->deferred && !device->registers_only)
        WEIR_GOTO_IF_ERROR(create_vk_pipeline(device, words, pipeline));
    *out = pipeline;
    return WEIR_OK;
fail:
    gpu_pipeline_free(device, pipeline);
    return result;
}

weir_result gpu_draw_pipeline_compile(gpu_device *device, gpu_pipeline *pipeline)
{
    gpu_spirv words[2] = {pipeline->draw_def.vertex->plain, pipeline->draw_def.fragment->plain};
    gpu_shader_use_reloaded(device, &words[0]);
    gpu_shader_use_reloaded(device, &words[1]);
    return create_vk_pipeline(device, words, pipeline);
}

static uint64_t hash_draw_def(const gpu_draw_def *def)
{
    uint32_t states[2 * GPU_ATTACHMENTS + 7] = {def->strips,       def->quads, def->cull_back,
                                                def->colour_count, def->depth, def->depth_test,
                                                def->depth_write};
    for (uint32_t i = 0; i < def->colour_count; i++) {
        states[7 + 2 * i] = def->colours[i];
        states[8 + 2 * i] = def->blends[i];
    }
    const gpu_spirv *vertex = &def->vertex->plain, *fragment = &def->fragment->plain;
    uint64_t key = base_hash64(vertex->words, vertex->count * 4, 1);
    key = base_hash64(fragment->words, fragment->count * 4, key);
    key = base_hash64(states, sizeof states, key);
    return base_hash64(def->name, strlen(def->name), key);
}

/* Creates the indices of the two triangles of each quad of an instance. */
static weir_result create_quad_indices(gpu_device *device)
{
    static const uint16_t corners[6] = {0, 1, 2, 2, 1, 3};
    uint16_t indices[GPU_INSTANCE_INDICES];
    const gpu_buffer_def def = {
        .name = "quad_indices", .stride = 4, .count = GPU_INSTANCE_INDICES / 2};
    if (device->quad_indices) return WEIR_OK;
    for (uint32_t i = 0; i < GPU_INSTANCE_INDICES; i++)
        indices[i] = (uint16_t)(4 * (i / 6) + corners[i % 6]);
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(device, &def, &device->quad_indices));
    return gpu_buffer_upload(device, device->quad_indices, 0, indices, sizeof indices);
}

weir_result gpu_draw_pipeline_create(gpu_device *device, const gpu_draw_def *def,
                                     gpu_pipeline **out)
{
    *out = NULL;
    if (device->lost != VK_SUCCESS) return WEIR_ERROR_DEVICE_LOST;
    if (!device->draws)
        return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED,
                         "%s cannot draw: its queue does not support graphics; choose another "
                         "device (weir info lists them)",
                         device->info.name);
    if (def->quads) WEIR_RETURN_IF_ERROR(create_quad_indices(device));
    uint64_t key = hash_draw_def(def);
    if (gpu_pipeline_acquire(device, key, out)) return gpu_pipeline_finish(device, *out);
    WEIR_RETURN_IF_ERROR(gpu_draw_pipeline_build(device, def, NULL, out));
    gpu_pipeline_register(device, *out, key);
    return WEIR_OK;
}

/* ---- recording ------------------------------------------------------------------------------ */

static VkRenderingAttachmentInfo rendering_attachment(const gpu_pass *pass,
                                                      const gpu_image_use *use)
{
    VkRenderingAttachmentInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = use->image->view,
        .imageLayout = gpu_image_use_layout(pass, use),
        .loadOp = use->access == GPU_ATTACH_CLEAR ? VK_ATTACHMENT_LOAD_OP_CLEAR
                                                  : VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    if (use->image->format == GPU_D32)
        info.clearValue.depthStencil.depth = use->clear[0];
    else
        memcpy(info.clearValue.color.float32, use->clear, sizeof use->clear);
    return info;
}

static void begin_rendering(gpu_device *device, const gpu_pass *pass)
{
    VkRenderingAttachmentInfo colours[GPU_PASS_IMAGES], depth;
    VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .layerCount = 1};
    const gpu_image *any = NULL;
    for (uint32_t i = 0; i < pass->image_count; i++) {
        const gpu_image_use *use = &pass->images[i];
        if (use->access != GPU_ATTACH && use->access != GPU_ATTACH_CLEAR) continue;
        any = use->image;
        if (any->format == GPU_D32) {
            depth = rendering_attachment(pass, use);
            info.pDepthAttachment = &depth;
        } else {
            colours[info.colorAttachmentCount++] = rendering_attachment(pass, use);
        }
    }
    WEIR_ASSERT(any); /* ensured by gpu_passes_check */
    info.pColorAttachments = colours;
    info.renderArea.extent = (VkExtent2D){any->width, any->height};
    VkCommandBuffer commands = device->recording->commands;
    VkViewport viewport = {
        .width = (float)any->width, .height = (float)any->height, .maxDepth = 1.0f};
    device->vk.vkCmdSetViewport(commands, 0, 1, &viewport);
    device->vk.vkCmdSetScissor(commands, 0, 1, &info.renderArea);
    device->vk.vkCmdBeginRendering(commands, &info);
}

/* Returns the first of `count` elements that belongs to a part. */
static uint32_t first_of_part(uint64_t count, uint32_t part, uint32_t parts)
{
    return (uint32_t)(count * part / parts);
}

/* Draws a range of instances, or of vertices if there is one instance. */
static void draw_range(gpu_device *device, const gpu_dispatch_size *size, uint32_t part,
                       uint32_t parts)
{
    bool instanced = size->count > 1;
    uint64_t units = instanced ? size->count : size->vertices / GPU_DRAW_UNIT;
    uint32_t first = first_of_part(units, part, parts), end = first_of_part(units, part + 1, parts);
    if (instanced) {
        device->vk.vkCmdDraw(device->recording->commands, size->vertices, end - first, 0, first);
        return;
    }
    end = part + 1 == parts ? size->vertices : end * GPU_DRAW_UNIT;
    first *= GPU_DRAW_UNIT;
    device->vk.vkCmdDraw(device->recording->commands, end - first, 1, first, 0);
}

uint64_t gpu_quad_instances(const gpu_dispatch_size *dispatch_size)
{
    return (dispatch_size->count + GPU_INSTANCE_QUADS - 1) / GPU_INSTANCE_QUADS;
}

static void draw_quads(gpu_device *device, const gpu_dispatch_size *size, uint32_t part,
                       uint32_t parts)
{
    VkCommandBuffer commands = device->recording->commands;
    uint64_t instances = gpu_quad_instances(size);
    uint32_t first = first_of_part(instances, part, parts),
             end = first_of_part(instances, part + 1, parts);
    device->vk.vkCmdBindIndexBuffer(commands, device->quad_indices->handle, 0,
                                    VK_INDEX_TYPE_UINT16);
    if (size->arguments)
        device->vk.vkCmdDrawIndexedIndirect(commands, size->arguments->handle,
                                            size->argument_offset, 1,
                                            sizeof(VkDrawIndexedIndirectCommand));
    else if (end > first)
        device->vk.vkCmdDrawIndexed(commands, GPU_INSTANCE_INDICES, end - first, 0, 0, first);
}

void gpu_record_draw(gpu_device *device, const gpu_pass *pass, uint32_t part, uint32_t parts)
{
    VkCommandBuffer commands = device->recording->commands;
    const gpu_dispatch_size *dispatch_size = &pass->dispatch_size;
    begin_rendering(device, pass);
    if (pass->pipeline->draw_def.quads)
        draw_quads(device, dispatch_size, part, parts);
    else if (dispatch_size->arguments)
        device->vk.vkCmdDrawIndirect(commands, dispatch_size->arguments->handle,
                                     dispatch_size->argument_offset, 1,
                                     sizeof(VkDrawIndirectCommand));
    else if (dispatch_size->count && dispatch_size->vertices)
        draw_range(device, dispatch_size, part, parts);
    device->vk.vkCmdEndRendering(commands);
}

/* Compute pipelines with layouts derived from the SPIR-V, and the descriptor sets of passes. */
#include "gpu_internal.h"
#include "shared/pass.h"

weir_result gpu_pipeline_create_layouts(gpu_device *device, gpu_pipeline *pipeline)
{
    VkDescriptorSetLayoutBinding bindings[GPU_PIPELINE_BINDINGS] = {0};
    for (uint32_t i = 0; i < pipeline->binding_count; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = pipeline->bindings[i].type,
            .descriptorCount = 1,
            .stageFlags = pipeline->stages,
        };
    VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = pipeline->binding_count,
        .pBindings = bindings,
    };
    WEIR_RETURN_IF_ERROR(GPU_VK(device, vkCreateDescriptorSetLayout, &set, device->allocator,
                                &pipeline->set_layout));
    VkPushConstantRange push = {pipeline->stages, 0, sizeof(struct gpu_pass_push)};
    VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &pipeline->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    return GPU_VK(device, vkCreatePipelineLayout, &layout, device->allocator, &pipeline->layout);
}

/* Values of specialization constants. */
typedef struct constant_values {
    uint32_t values[GPU_MAX_CONSTANTS];
    VkSpecializationMapEntry entries[GPU_MAX_CONSTANTS];
    VkSpecializationInfo info; /* points into this struct */
} constant_values;

/* Collects the constants of the pipeline's def that the words use; id 0 is the workgroup size. */
static weir_result fill_constants(const weir_log *log, const gpu_pipeline *pipeline, uint64_t used,
                                  constant_values *constants)
{
    const gpu_pipeline_def *def = &pipeline->compute_def;
    uint32_t count = 0;
    for (uint32_t id = 0; id < GPU_MAX_CONSTANTS; id++) {
        if ((used >> id & 1) == 0) continue;
        if (id > 0 && id >= def->constant_count)
            return base_fail(log, WEIR_ERROR_ARGUMENT,
                             "shader %s: %s declares the specialization constant %u, but the "
                             "program gives it no value",
                             def->name, def->shader->plain.source, id);
        constants->values[count] = id == 0 ? pipeline->workgroup : def->constants[id];
        constants->entries[count] = (VkSpecializationMapEntry){id, count * 4u, 4};
        count++;
    }
    constants->info =
        (VkSpecializationInfo){count, constants->entries, count * 4u, constants->values};
    return WEIR_OK;
}

weir_result gpu_shader_module(gpu_device *device, const gpu_spirv *words,
                              const gpu_pipeline *pipeline, VkShaderModule *module)
{
    uint32_t *renumbered = gpu_spirv_renumber_bindings(words, pipeline);
    if (!renumbered)
        return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory for pipeline %s",
                         pipeline->name);
    VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = words->count * 4,
        .pCode = renumbered,
    };
    weir_result result = GPU_VK(device, vkCreateShaderModule, &code, device->allocator, module);
    base_free(renumbered);
    if (result == WEIR_OK)
        gpu_name_object(device, VK_OBJECT_TYPE_SHADER_MODULE, (uint64_t)*module, words->source);
    return result;
}

VkPipelineShaderStageCreateInfo gpu_shader_stage(VkShaderStageFlagBits stage, VkShaderModule module)
{
    return (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .module = module,
        .pName = "main",
    };
}

static weir_result create_vk_pipeline(gpu_device *device, const gpu_spirv *words,
                                      gpu_pipeline *pipeline)
{
    weir_result result = WEIR_OK;
    VkShaderModule module = VK_NULL_HANDLE;
    constant_values special;
    WEIR_GOTO_IF_ERROR(
        fill_constants(&device->log, pipeline, gpu_spirv_constants(words), &special));
    WEIR_GOTO_IF_ERROR(gpu_shader_module(device, words, pipeline, &module));
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = gpu_shader_stage(VK_SHADER_STAGE_COMPUTE_BIT, module),
        .layout = pipeline->layout,
    };
    info.stage.pSpecializationInfo = &special.info;
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo lanes = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = device->subgroup};
    if (device->subgroup) info.stage.pNext = &lanes;
    pipeline->stats.hash = base_hash64(words->words, words->count * 4, 0);
    pipeline->stats.hash = base_hash64(special.values, special.info.dataSize, pipeline->stats.hash);
    WEIR_GOTO_IF_ERROR(gpu_vk_pipeline_create(device, &info, pipeline));
    gpu_name_object(device, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline->handle, pipeline->name);
fail:
    if (result != WEIR_OK)
        base_log(&device->log, WEIR_LOG_ERROR, "shader %s: the pipeline could not be created",
                 pipeline->name);
    device->vk.vkDestroyShaderModule(device->handle, module, device->allocator);
    return result;
}

/* Returns whether the variant of the shader that runs best on the device reads texel buffers. */
static bool uses_texels(const gpu_device *device, const gpu_shader *shader)
{
    return shader->texels.words && gpu_device_prefers_texels(device);
}

static uint32_t choose_workgroup(const gpu_device *device, const gpu_shader *shader)
{
    uint32_t size = uses_texels(device, shader) ? shader->texels_workgroup : shader->workgroup;
    return size ? size : gpu_device_workgroup(device);
}

static gpu_spirv choose_spirv(const gpu_device *device, const gpu_pipeline_def *def)
{
    return uses_texels(device, def->shader) ? def->shader->texels : def->shader->plain;
}

/* Hashes a def. Constants that the shader does not use make no difference. */
static uint64_t hash_pipeline_def(const gpu_device *device, const gpu_pipeline_def *def)
{
    gpu_spirv words = choose_spirv(device, def);
    uint64_t key = base_hash64(words.words, words.count * 4, choose_workgroup(device, def->shader));
    uint64_t used = gpu_spirv_constants(&words);
    for (uint32_t id = 1; id < def->constant_count; id++)
        if (used >> id & 1) key = base_hash64(&def->constants[id], 4, key);
    return base_hash64(def->name, strlen(def->name), key);
}

bool gpu_pipeline_acquire(gpu_device *device, uint64_t key, gpu_pipeline **pipeline)
{
    for (*pipeline = device->pipelines; *pipeline; *pipeline = (*pipeline)->next)
        if ((*pipeline)->key == key) {
            (*pipeline)->holders++;
            return true;
        }
    return false;
}

void gpu_pipeline_free(gpu_device *device, gpu_pipeline *pipeline)
{
    device->vk.vkDestroyPipeline(device->handle, pipeline->handle, device->allocator);
    device->vk.vkDestroyPipelineLayout(device->handle, pipeline->layout, device->allocator);
    device->vk.vkDestroyDescriptorSetLayout(device->handle, pipeline->set_layout,
                                            device->allocator);
    base_free(pipeline);
}

weir_result gpu_pipeline_copy_bindings(const gpu_device *device, gpu_pipeline *pipeline,
                                       const gpu_pipeline *like)
{
    for (uint32_t i = 0; i < pipeline->binding_count; i++) {
        const gpu_binding *now = &pipeline->bindings[i];
        const gpu_binding *then = gpu_pipeline_find_binding(like, now->binding);
        if (!then || then->type != now->type || (then->readonly && !now->readonly))
            return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                             "shader %s: binding %u differs from the program's table or is missing "
                             "in it: build the program again",
                             pipeline->name, now->binding);
    }
    pipeline->binding_count = like->binding_count;
    memcpy(pipeline->bindings, like->bindings, sizeof pipeline->bindings);
    return WEIR_OK;
}

weir_result gpu_pipeline_build(gpu_device *device, const gpu_pipeline_def *def,
                               const gpu_pipeline *like, gpu_pipeline **out)
{
    weir_result result = WEIR_ERROR_MEMORY;
    gpu_spirv words = choose_spirv(device, def);
    gpu_pipeline *pipeline = base_alloc(1, sizeof *pipeline);
    if (!pipeline)
        return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory for pipeline %s",
                         def->name);
    WEIR_ASSERT(def->constant_count <= GPU_MAX_CONSTANTS);
    if (def->constant_count)
        memcpy(pipeline->constants, def->constants, def->constant_count * sizeof *def->constants);
    pipeline->compute_def = *def;
    pipeline->compute_def.constants = pipeline->constants;
    pipeline->name = def->name;
    pipeline->work = def->shader->work;
    pipeline->workgroup = choose_workgroup(device, def->shader);
    pipeline->id = ++device->next_pipeline_id;
    pipeline->stages = VK_SHADER_STAGE_COMPUTE_BIT;
    pipeline->sources[0] = words.source;
    gpu_shader_use_reloaded(device, &words);
    WEIR_GOTO_IF_ERROR(gpu_spirv_bindings(&device->log, &words, def->shader, pipeline));
    if (like) WEIR_GOTO_IF_ERROR(gpu_pipeline_copy_bindings(device, pipeline, like));
    WEIR_GOTO_IF_ERROR(gpu_pipeline_create_layouts(device, pipeline));
    if (!device->deferred && !device->registers_only)
        WEIR_GOTO_IF_ERROR(create_vk_pipeline(device, &words, pipeline));
    *out = pipeline;
    return WEIR_OK;
fail:
    gpu_pipeline_free(device, pipeline);
    return result;
}

weir_result gpu_pipeline_compile(gpu_device *device, gpu_pipeline *pipeline)
{
    if (pipeline->handle) return WEIR_OK;
    if (pipeline->draw_def.vertex) return gpu_draw_pipeline_compile(device, pipeline);
    gpu_spirv words = choose_spirv(device, &pipeline->compute_def);
    gpu_shader_use_reloaded(device, &words);
    return create_vk_pipeline(device, &words, pipeline);
}

weir_result gpu_pipelines_compile(gpu_device *device, double seconds, uint32_t *left)
{
    double end_s = base_time_s() + seconds;
    bool any = false;
    *left = 0;
    for (gpu_pipeline *pipeline = device->pipelines; pipeline; pipeline = pipeline->next) {
        if (pipeline->handle || pipeline->holders == 0) continue;
        if (any && base_time_s() >= end_s) {
            ++*left;
            continue;
        }
        WEIR_RETURN_IF_ERROR(gpu_pipeline_compile(device, pipeline));
        any = true;
    }
    return WEIR_OK;
}

void gpu_pipeline_register(gpu_device *device, gpu_pipeline *pipeline, uint64_t key)
{
    pipeline->key = key;
    pipeline->holders = 1;
    pipeline->next = device->pipelines;
    device->pipelines = pipeline;
}

weir_result gpu_pipeline_create(gpu_device *device, const gpu_pipeline_def *def, gpu_pipeline **out)
{
    *out = NULL;
    if (device->lost != VK_SUCCESS) return WEIR_ERROR_DEVICE_LOST;
    gpu_pipeline_def named = *def;
    if (!named.name) named.name = def->shader->name;
    uint64_t key = hash_pipeline_def(device, &named);
    if (gpu_pipeline_acquire(device, key, out)) return gpu_pipeline_finish(device, *out);
    WEIR_RETURN_IF_ERROR(gpu_pipeline_build(device, &named, NULL, out));
    gpu_pipeline_register(device, *out, key);
    return WEIR_OK;
}

#define MAX_IDLE_PIPELINES 256u

void gpu_pipeline_destroy(gpu_device *device, gpu_pipeline **pointer)
{
    gpu_pipeline *pipeline = *pointer;
    *pointer = NULL;
    if (!pipeline || --pipeline->holders > 0) return;
    uint32_t idle = 0;
    for (const gpu_pipeline *k = device->pipelines; k; k = k->next)
        idle += k->holders == 0;
    if (idle > MAX_IDLE_PIPELINES) gpu_pipelines_trim(device);
}

void gpu_pipelines_trim(gpu_device *device)
{
    gpu_pipelines_stop_ahead(device);
    gpu_device_wait(device);
    gpu_descriptor_sets_clear(device);
    for (gpu_pipeline **link = &device->pipelines; *link;) {
        gpu_pipeline *pipeline = *link;
        if (pipeline->holders == 0) {
            *link = pipeline->next;
            gpu_pipeline_free(device, pipeline);
        } else {
            link = &pipeline->next;
        }
    }
}

uint32_t gpu_pipeline_workgroup(const gpu_pipeline *pipeline)
{
    return pipeline->workgroup;
}
const char *gpu_pipeline_name(const gpu_pipeline *pipeline)
{
    return pipeline->name;
}

/* ---- descriptor sets ------------------------------------------------------------------------ */

#define SETS_PER_POOL 128u

static weir_result grow_descriptor_pools(gpu_device *device)
{
    if (!BASE_ARRAY_RESERVE(&device->pools, 1)) // NOLINT(bugprone-sizeof-expression): of handles
        return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory for descriptor pools");
    VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SETS_PER_POOL * GPU_PASS_BUFFERS},
        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, SETS_PER_POOL * 4},
        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, SETS_PER_POOL * 4},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, SETS_PER_POOL * 2},
    };
    VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = SETS_PER_POOL,
        .poolSizeCount = BASE_COUNT(sizes),
        .pPoolSizes = sizes,
    };
    VkDescriptorPool *pool = &device->pools.items[device->pools.count];
    WEIR_RETURN_IF_ERROR(GPU_VK(device, vkCreateDescriptorPool, &info, device->allocator, pool));
    device->pools.count++;
    return WEIR_OK;
}

static weir_result allocate_descriptor_set(gpu_device *device, const gpu_pipeline *pipeline,
                                           VkDescriptorSet *set)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        if (attempt || device->pools.count == 0)
            WEIR_RETURN_IF_ERROR(grow_descriptor_pools(device));
        VkDescriptorSetAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
            .descriptorPool = device->pools.items[device->pools.count - 1],
            .descriptorSetCount = 1,
            .pSetLayouts = &pipeline->set_layout,
        };
        VkResult code = device->vk.vkAllocateDescriptorSets(device->handle, &info, set);
        if (code == VK_SUCCESS) return WEIR_OK;
        if (attempt) return gpu_vk_result(device, code, "vkAllocateDescriptorSets");
    }
    return WEIR_OK;
}

const gpu_binding *gpu_pipeline_find_binding(const gpu_pipeline *pipeline, uint32_t number)
{
    for (uint32_t i = 0; i < pipeline->binding_count; i++)
        if (pipeline->bindings[i].binding == number) return &pipeline->bindings[i];
    return NULL;
}

uint32_t gpu_pipeline_binding_index(const gpu_pipeline *pipeline, const gpu_binding *binding)
{
    return (uint32_t)(binding - pipeline->bindings);
}

static void write_descriptor_set(gpu_device *device, const gpu_pass *pass, const uint64_t *offsets,
                                 const uint64_t *ranges, VkDescriptorSet set)
{
    VkWriteDescriptorSet writes[GPU_PASS_BUFFERS];
    VkDescriptorBufferInfo infos[GPU_PASS_BUFFERS];
    for (uint32_t i = 0; i < pass->use_count; i++) {
        const gpu_buffer_use *use = &pass->uses[i];
        const gpu_binding *binding = gpu_pipeline_find_binding(pass->pipeline, use->binding);
        infos[i] = (VkDescriptorBufferInfo){use->buffer->handle, offsets[i], ranges[i]};
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = set,
            .dstBinding = gpu_pipeline_binding_index(pass->pipeline, binding),
            .descriptorCount = 1,
            .descriptorType = binding->type,
            .pBufferInfo = &infos[i],
            .pTexelBufferView = &use->buffer->view,
        };
    }
    device->vk.vkUpdateDescriptorSets(device->handle, pass->use_count, writes, 0, NULL);
}

static void write_descriptor_set_images(gpu_device *device, const gpu_pass *pass,
                                        VkDescriptorSet set)
{
    for (uint32_t i = 0; i < pass->image_count; i++) {
        const gpu_image_use *use = &pass->images[i];
        const gpu_binding *binding = gpu_pipeline_find_binding(pass->pipeline, use->binding);
        if (use->access == GPU_ATTACH || use->access == GPU_ATTACH_CLEAR) continue;
        VkDescriptorImageInfo info = {.imageView = use->image->view,
                                      .imageLayout = gpu_image_use_layout(pass, use)};
        VkWriteDescriptorSet write = {
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = set,
            .dstBinding = gpu_pipeline_binding_index(pass->pipeline, binding),
            .descriptorCount = 1,
            .descriptorType = binding->type,
            .pImageInfo = &info,
        };
        device->vk.vkUpdateDescriptorSets(device->handle, 1, &write, 0, NULL);
    }
}

static uint64_t hash_descriptor_set(const gpu_pass *pass, const uint64_t *offsets,
                                    const uint64_t *ranges)
{
    uint64_t words[3 * GPU_PASS_BUFFERS + GPU_PASS_IMAGES + 1] = {pass->pipeline->id};
    uint32_t count = 3 * pass->use_count + 1;
    for (uint32_t i = 0; i < pass->use_count; i++) {
        words[3 * i + 1] = (uint64_t)pass->uses[i].binding << 32 | pass->uses[i].buffer->id;
        words[3 * i + 2] = offsets[i];
        words[3 * i + 3] = ranges[i];
    }
    for (uint32_t i = 0; i < pass->image_count; i++)
        words[count++] = (uint64_t)pass->images[i].binding << 32 | pass->images[i].image->id;
    uint64_t key = base_hash64(words, count * 8u, 0);
    return key ? key : 1;
}

static gpu_descriptor_set *find_table_slot(gpu_descriptor_set *sets, size_t capacity, uint64_t key)
{
    for (size_t at = (size_t)key & (capacity - 1);; at = (at + 1) & (capacity - 1))
        if (sets[at].key == key || sets[at].key == 0) return &sets[at];
}

static bool grow_descriptor_set_table(gpu_device *device)
{
    size_t capacity = device->set_capacity ? device->set_capacity * 2 : 256;
    gpu_descriptor_set *sets = base_alloc(capacity, sizeof *sets);
    if (!sets) return false;
    for (size_t i = 0; i < device->set_capacity; i++)
        if (device->sets[i].key)
            *find_table_slot(sets, capacity, device->sets[i].key) = device->sets[i];
    base_free(device->sets);
    device->sets = sets;
    device->set_capacity = capacity;
    return true;
}

weir_result gpu_descriptor_set_find(gpu_device *device, const gpu_pass *pass,
                                    const uint64_t *offsets, const uint64_t *ranges,
                                    VkDescriptorSet *set)
{
    if (device->set_count * 2 >= device->set_capacity && !grow_descriptor_set_table(device))
        return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory for descriptor sets");
    uint64_t key = hash_descriptor_set(pass, offsets, ranges);
    gpu_descriptor_set *found = find_table_slot(device->sets, device->set_capacity, key);
    if (found->key == 0) {
        WEIR_RETURN_IF_ERROR(allocate_descriptor_set(device, pass->pipeline, &found->handle));
        write_descriptor_set(device, pass, offsets, ranges, found->handle);
        write_descriptor_set_images(device, pass, found->handle);
        found->key = key;
        device->set_count++;
    }
    *set = found->handle;
    return WEIR_OK;
}

void gpu_descriptor_sets_clear(gpu_device *device)
{
    WEIR_ASSERT(!device->recording); /* a recording may have bound them */
    for (size_t i = 0; i < device->pools.count; i++)
        device->vk.vkDestroyDescriptorPool(device->handle, device->pools.items[i],
                                           device->allocator);
    device->pools.count = 0;
    device->set_count = 0;
    for (size_t i = 0; i < device->set_capacity; i++)
        device->sets[i].key = 0;
}

/* Sets of destroyed buffers are never found again, because a new buffer has a new id. They only
 * occupy memory, so all sets are dropped once there are too many. */
#define MAX_CACHED_SETS 1024u

void gpu_descriptor_sets_trim(gpu_device *device)
{
    WEIR_ASSERT(!device->recording); /* a recording may have bound them */
    if (device->set_count > MAX_CACHED_SETS) gpu_descriptor_sets_clear(device);
}

weir_result gpu_pipelines_create(gpu_device *device, const gpu_pipeline_def *def, uint32_t count,
                                 gpu_pipeline **pipelines)
{
    gpu_pipeline_def one = *def;
    gpu_pipelines_destroy(device, pipelines, count);
    for (uint32_t i = 0; i < count; i++, one.shader++)
        WEIR_RETURN_IF_ERROR(gpu_pipeline_create(device, &one, &pipelines[i]));
    return WEIR_OK;
}

void gpu_pipelines_destroy(gpu_device *device, gpu_pipeline **pipelines, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        gpu_pipeline_destroy(device, &pipelines[i]);
}

/* Kernels: pipelines with layouts read from the SPIR-V, and the descriptor sets that rows need. */
#include "gpu_internal.h"
#include "shared/row.h"

uint32_t gpu_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static weir_result create_layouts(gpu_device *device, gpu_kernel *kernel)
{
    weir_result result = WEIR_OK;
    VkDescriptorSetLayoutBinding bindings[GPU_KERNEL_BINDINGS] = {0};
    for (uint32_t i = 0; i < kernel->binding_count; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = kernel->bindings[i].binding,
            .descriptorType = kernel->bindings[i].type,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = kernel->binding_count,
        .pBindings = bindings,
    };
    GPU_VK(device,
           device->vk.vkCreateDescriptorSetLayout(device->handle, &set, NULL, &kernel->set_layout));
    VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(struct gpu_row_push)};
    VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &kernel->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    GPU_VK(device,
           device->vk.vkCreatePipelineLayout(device->handle, &layout, NULL, &kernel->layout));
fail:
    return result;
}

#define MAX_CONSTANTS 16u

static weir_result create_pipeline(gpu_device *device, const gpu_kernel_def *def,
                                   gpu_kernel *kernel)
{
    weir_result result = WEIR_OK;
    VkShaderModule module = VK_NULL_HANDLE;
    uint32_t values[MAX_CONSTANTS + 1] = {kernel->workgroup};
    VkSpecializationMapEntry entries[MAX_CONSTANTS + 1];
    WEIR_ASSERT(def->constant_count <= MAX_CONSTANTS);
    for (uint32_t i = 0; i < def->constant_count; i++)
        values[i + 1] = def->constants[i];
    for (uint32_t i = 0; i <= def->constant_count; i++)
        entries[i] = (VkSpecializationMapEntry){i, i * 4u, 4};
    VkSpecializationInfo special = {def->constant_count + 1, entries,
                                    (def->constant_count + 1) * 4u, values};
    VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = def->word_count * 4,
        .pCode = def->words,
    };
    GPU_VK(device, device->vk.vkCreateShaderModule(device->handle, &code, NULL, &module));
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &special},
        .layout = kernel->layout,
    };
    GPU_VK(device, device->vk.vkCreateComputePipelines(device->handle, device->pipeline_cache, 1,
                                                       &info, NULL, &kernel->pipeline));
    gpu_name_object(device, VK_OBJECT_TYPE_PIPELINE, (uint64_t)kernel->pipeline, kernel->name);
fail:
    if (result != WEIR_OK)
        base_log(&device->log, WEIR_LOG_ERROR, "kernel %s: no pipeline could be made",
                 kernel->name);
    device->vk.vkDestroyShaderModule(device->handle, module, NULL);
    return result;
}

static uint64_t def_key(const gpu_kernel_def *def)
{
    uint64_t key = base_hash64(def->words, def->word_count * 4, def->workgroup);
    key = base_hash64(def->constants, def->constant_count * 4u, key);
    return base_hash64(def->name, strlen(def->name), key);
}

static gpu_kernel *find_kernel(gpu_device *device, uint64_t key)
{
    gpu_kernel *kernel = device->kernels;
    while (kernel && kernel->key != key)
        kernel = kernel->next;
    return kernel;
}

static void destroy_kernel(gpu_device *device, gpu_kernel *kernel)
{
    device->vk.vkDestroyPipeline(device->handle, kernel->pipeline, NULL);
    device->vk.vkDestroyPipelineLayout(device->handle, kernel->layout, NULL);
    device->vk.vkDestroyDescriptorSetLayout(device->handle, kernel->set_layout, NULL);
    base_free(kernel);
}

static weir_result make_kernel(gpu_device *device, const gpu_kernel_def *def, gpu_kernel **out)
{
    weir_result result = WEIR_MEMORY;
    gpu_kernel *kernel = base_alloc(1, sizeof *kernel);
    if (!kernel) return base_fail(&device->log, WEIR_MEMORY, "no memory for kernel %s", def->name);
    kernel->name = def->name;
    kernel->workgroup = def->workgroup ? def->workgroup : 64;
    kernel->id = ++device->next_kernel_id;
    WEIR_TRY(gpu_spirv_bindings(&device->log, def, kernel));
    WEIR_TRY(create_layouts(device, kernel));
    WEIR_TRY(create_pipeline(device, def, kernel));
    *out = kernel;
    return WEIR_OK;
fail:
    destroy_kernel(device, kernel);
    return result;
}

weir_result gpu_kernel_create(gpu_device *device, const gpu_kernel_def *def, gpu_kernel **out)
{
    *out = NULL;
    if (device->lost != VK_SUCCESS) return WEIR_DEVICE_LOST;
    uint64_t key = def_key(def);
    gpu_kernel *kernel = find_kernel(device, key);
    if (!kernel) {
        weir_result result = make_kernel(device, def, &kernel);
        if (result != WEIR_OK) return result;
        kernel->key = key;
        kernel->next = device->kernels;
        device->kernels = kernel;
    }
    kernel->holders++;
    *out = kernel;
    return WEIR_OK;
}

#define IDLE_KERNELS 256u

void gpu_kernel_destroy(gpu_device *device, gpu_kernel **pointer)
{
    gpu_kernel *kernel = *pointer;
    *pointer = NULL;
    if (!kernel || --kernel->holders > 0) return;
    uint32_t idle = 0;
    for (const gpu_kernel *k = device->kernels; k; k = k->next)
        idle += k->holders == 0;
    if (idle > IDLE_KERNELS) gpu_kernels_trim(device);
}

void gpu_kernels_trim(gpu_device *device)
{
    gpu_device_wait(device);
    gpu_sets_forget(device);
    for (gpu_kernel **link = &device->kernels; *link;) {
        gpu_kernel *kernel = *link;
        if (kernel->holders == 0) {
            *link = kernel->next;
            destroy_kernel(device, kernel);
        } else {
            link = &kernel->next;
        }
    }
}

uint32_t gpu_kernel_workgroup(const gpu_kernel *kernel)
{
    return kernel->workgroup;
}
const char *gpu_kernel_name(const gpu_kernel *kernel)
{
    return kernel->name;
}

/* ---- descriptor sets ------------------------------------------------------------------------ */

#define POOL_SETS 128u

static weir_result grow_pools(gpu_device *device)
{
    weir_result result = WEIR_OK;
    if (!base_array_reserve((void **)&device->pools, &device->pool_capacity, device->pool_count, 1,
                            sizeof *device->pools))
        return base_fail(&device->log, WEIR_MEMORY, "no memory for descriptor pools");
    VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, POOL_SETS * GPU_ROW_USES},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, POOL_SETS * 2},
        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, POOL_SETS * 4},
    };
    VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = POOL_SETS,
        .poolSizeCount = BASE_COUNT(sizes),
        .pPoolSizes = sizes,
    };
    GPU_VK(device, device->vk.vkCreateDescriptorPool(device->handle, &info, NULL,
                                                     &device->pools[device->pool_count]));
    device->pool_count++;
fail:
    return result;
}

static weir_result allocate_set(gpu_device *device, const gpu_kernel *kernel, VkDescriptorSet *set)
{
    weir_result result = WEIR_OK;
    for (int attempt = 0; attempt < 2; attempt++) {
        if (attempt || device->pool_count == 0) WEIR_TRY(grow_pools(device));
        VkDescriptorSetAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
            .descriptorPool = device->pools[device->pool_count - 1],
            .descriptorSetCount = 1,
            .pSetLayouts = &kernel->set_layout,
        };
        VkResult code = device->vk.vkAllocateDescriptorSets(device->handle, &info, set);
        if (code == VK_SUCCESS) return WEIR_OK;
        if (attempt) return gpu_vk_failed(device, code, "vkAllocateDescriptorSets");
    }
fail:
    return result;
}

const gpu_binding *gpu_kernel_binding(const gpu_kernel *kernel, uint32_t number)
{
    for (uint32_t i = 0; i < kernel->binding_count; i++)
        if (kernel->bindings[i].binding == number) return &kernel->bindings[i];
    return NULL;
}

static void write_set(gpu_device *device, const gpu_row *row, const uint64_t *offsets,
                      const uint64_t *ranges, VkDescriptorSet set)
{
    VkWriteDescriptorSet writes[GPU_ROW_USES];
    VkDescriptorBufferInfo infos[GPU_ROW_USES];
    for (uint32_t i = 0; i < row->use_count; i++) {
        const gpu_use *use = &row->uses[i];
        const gpu_binding *binding = gpu_kernel_binding(row->kernel, use->binding);
        infos[i] = (VkDescriptorBufferInfo){use->buffer->handle, offsets[i], ranges[i]};
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = set,
            .dstBinding = use->binding,
            .descriptorCount = 1,
            .descriptorType = binding->type,
            .pBufferInfo = &infos[i],
            .pTexelBufferView = &use->buffer->view,
        };
    }
    device->vk.vkUpdateDescriptorSets(device->handle, row->use_count, writes, 0, NULL);
}

static uint64_t set_key(const gpu_row *row, const uint64_t *offsets, const uint64_t *ranges)
{
    uint64_t words[3 * GPU_ROW_USES + 1] = {row->kernel->id};
    for (uint32_t i = 0; i < row->use_count; i++) {
        words[3 * i + 1] = (uint64_t)row->uses[i].binding << 32 | row->uses[i].buffer->id;
        words[3 * i + 2] = offsets[i];
        words[3 * i + 3] = ranges[i];
    }
    uint64_t key = base_hash64(words, (3u * row->use_count + 1u) * 8u, 0);
    return key ? key : 1;
}

static gpu_set *probe(gpu_set *sets, size_t capacity, uint64_t key)
{
    for (size_t at = (size_t)key & (capacity - 1);; at = (at + 1) & (capacity - 1))
        if (sets[at].key == key || sets[at].key == 0) return &sets[at];
}

static bool grow_sets(gpu_device *device)
{
    size_t capacity = device->set_capacity ? device->set_capacity * 2 : 256;
    gpu_set *sets = base_alloc(capacity, sizeof *sets);
    if (!sets) return false;
    for (size_t i = 0; i < device->set_capacity; i++)
        if (device->sets[i].key) *probe(sets, capacity, device->sets[i].key) = device->sets[i];
    base_free(device->sets);
    device->sets = sets;
    device->set_capacity = capacity;
    return true;
}

weir_result gpu_set_find(gpu_device *device, const gpu_row *row, const uint64_t *offsets,
                         const uint64_t *ranges, VkDescriptorSet *set)
{
    if (device->set_count * 2 >= device->set_capacity && !grow_sets(device))
        return base_fail(&device->log, WEIR_MEMORY, "no memory for descriptor sets");
    uint64_t key = set_key(row, offsets, ranges);
    gpu_set *found = probe(device->sets, device->set_capacity, key);
    if (found->key == 0) {
        weir_result result = allocate_set(device, row->kernel, &found->handle);
        if (result != WEIR_OK) return result;
        write_set(device, row, offsets, ranges, found->handle);
        found->key = key;
        device->set_count++;
    }
    *set = found->handle;
    return WEIR_OK;
}

void gpu_sets_forget(gpu_device *device)
{
    WEIR_ASSERT(!device->recording); /* which may have bound them */
    for (size_t i = 0; i < device->pool_count; i++)
        device->vk.vkDestroyDescriptorPool(device->handle, device->pools[i], NULL);
    device->pool_count = 0;
    device->set_count = 0;
    for (size_t i = 0; i < device->set_capacity; i++)
        device->sets[i].key = 0;
}

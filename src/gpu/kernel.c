/* Kernels: pipelines with layouts read from the SPIR-V, and the descriptor sets that rows need. */
#include "gpu_internal.h"
#include "shared/row.h"

weir_result gpu_kernel_layouts(gpu_device *device, gpu_kernel *kernel)
{
    VkDescriptorSetLayoutBinding bindings[GPU_KERNEL_BINDINGS] = {0};
    for (uint32_t i = 0; i < kernel->binding_count; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = kernel->bindings[i].type,
            .descriptorCount = 1,
            .stageFlags = kernel->stages,
        };
    VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = kernel->binding_count,
        .pBindings = bindings,
    };
    WEIR_NEED(
        GPU_VK(device, vkCreateDescriptorSetLayout, &set, device->allocator, &kernel->set_layout));
    VkPushConstantRange push = {kernel->stages, 0, sizeof(struct gpu_row_push)};
    VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &kernel->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    return GPU_VK(device, vkCreatePipelineLayout, &layout, device->allocator, &kernel->layout);
}

/* Values of specialization constants. */
typedef struct constant_values {
    uint32_t values[GPU_MAX_CONSTANTS];
    VkSpecializationMapEntry entries[GPU_MAX_CONSTANTS];
    VkSpecializationInfo info; /* points into the struct itself */
} constant_values;

/* Those of the kernel's def that its words have; id 0 is the workgroup. */
static weir_result fill_constants(const weir_log *log, const gpu_kernel *kernel, uint32_t used,
                                  constant_values *constants)
{
    const gpu_kernel_def *def = &kernel->made;
    uint32_t count = 0;
    for (uint32_t id = 0; id < 32; id++) {
        if ((used >> id & 1u) == 0) continue;
        if (id > 0 && (id >= def->constant_count || id >= GPU_MAX_CONSTANTS))
            return base_fail(log, WEIR_ARGUMENT,
                             "kernel %s: %s has the specialization constant %u, and the program "
                             "gives it no value",
                             def->name, def->shader->plain.source, id);
        constants->values[count] = id == 0 ? kernel->workgroup : def->constants[id];
        constants->entries[count] = (VkSpecializationMapEntry){id, count * 4u, 4};
        count++;
    }
    constants->info =
        (VkSpecializationInfo){count, constants->entries, count * 4u, constants->values};
    return WEIR_OK;
}

weir_result gpu_shader_module(gpu_device *device, const gpu_words *words, const gpu_kernel *kernel,
                              VkShaderModule *module)
{
    uint32_t *renumbered = gpu_spirv_renumbered(words, kernel);
    if (!renumbered)
        return base_fail(&device->log, WEIR_MEMORY, "no memory for kernel %s", kernel->name);
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

VkPipelineShaderStageCreateInfo gpu_stage(VkShaderStageFlagBits stage, VkShaderModule module)
{
    return (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .module = module,
        .pName = "main",
    };
}

static weir_result create_pipeline(gpu_device *device, const gpu_words *words, gpu_kernel *kernel)
{
    weir_result result = WEIR_OK;
    VkShaderModule module = VK_NULL_HANDLE;
    constant_values special;
    WEIR_TRY(fill_constants(&device->log, kernel, gpu_spirv_constants(words), &special));
    WEIR_TRY(gpu_shader_module(device, words, kernel, &module));
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = gpu_stage(VK_SHADER_STAGE_COMPUTE_BIT, module),
        .layout = kernel->layout,
    };
    info.stage.pSpecializationInfo = &special.info;
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo lanes = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = device->subgroup};
    if (device->subgroup) info.stage.pNext = &lanes;
    kernel->facts.hash = base_hash64(words->words, words->count * 4, 0);
    kernel->facts.hash = base_hash64(special.values, special.info.dataSize, kernel->facts.hash);
    WEIR_TRY(gpu_pipeline_create(device, &info, kernel));
    gpu_name_object(device, VK_OBJECT_TYPE_PIPELINE, (uint64_t)kernel->pipeline, kernel->name);
fail:
    if (result != WEIR_OK)
        base_log(&device->log, WEIR_LOG_ERROR, "kernel %s: no pipeline could be made",
                 kernel->name);
    device->vk.vkDestroyShaderModule(device->handle, module, device->allocator);
    return result;
}

static uint32_t workgroup_of(const gpu_device *device, const gpu_shader *shader)
{
    return shader->workgroup ? shader->workgroup : gpu_device_workgroup(device);
}

/* The variant of the shader that the device runs best. */
static gpu_words choose_words(const gpu_device *device, const gpu_kernel_def *def)
{
    bool texels = def->shader->texels.words && gpu_device_prefers_texels(device);
    return texels ? def->shader->texels : def->shader->plain;
}

/* Constants that the shader does not have make no difference. */
static uint64_t def_key(const gpu_device *device, const gpu_kernel_def *def)
{
    gpu_words words = choose_words(device, def);
    uint64_t key = base_hash64(words.words, words.count * 4, workgroup_of(device, def->shader));
    uint32_t used = gpu_spirv_constants(&words);
    for (uint32_t id = 1; id < def->constant_count; id++)
        if (used >> id & 1u) key = base_hash64(&def->constants[id], 4, key);
    return base_hash64(def->name, strlen(def->name), key);
}

bool gpu_kernel_find(gpu_device *device, uint64_t key, gpu_kernel **kernel)
{
    for (*kernel = device->kernels; *kernel; *kernel = (*kernel)->next)
        if ((*kernel)->key == key) {
            (*kernel)->holders++;
            return true;
        }
    return false;
}

void gpu_kernel_free(gpu_device *device, gpu_kernel *kernel)
{
    device->vk.vkDestroyPipeline(device->handle, kernel->pipeline, device->allocator);
    device->vk.vkDestroyPipelineLayout(device->handle, kernel->layout, device->allocator);
    device->vk.vkDestroyDescriptorSetLayout(device->handle, kernel->set_layout, device->allocator);
    base_free(kernel);
}

weir_result gpu_kernel_bind_like(const gpu_device *device, gpu_kernel *kernel,
                                 const gpu_kernel *like)
{
    for (uint32_t i = 0; i < kernel->binding_count; i++) {
        const gpu_binding *now = &kernel->bindings[i];
        const gpu_binding *then = gpu_kernel_binding(like, now->binding);
        if (!then || then->type != now->type || (then->readonly && !now->readonly))
            return base_fail(
                &device->log, WEIR_ARGUMENT,
                "kernel %s: binding %u differs from the program's table or is not in it: build "
                "the program again",
                kernel->name, now->binding);
    }
    kernel->binding_count = like->binding_count;
    memcpy(kernel->bindings, like->bindings, sizeof kernel->bindings);
    return WEIR_OK;
}

weir_result gpu_kernel_make(gpu_device *device, const gpu_kernel_def *def, const gpu_kernel *like,
                            gpu_kernel **out)
{
    weir_result result = WEIR_MEMORY;
    gpu_words words = choose_words(device, def);
    gpu_kernel *kernel = base_alloc(1, sizeof *kernel);
    if (!kernel) return base_fail(&device->log, WEIR_MEMORY, "no memory for kernel %s", def->name);
    WEIR_ASSERT(def->constant_count <= GPU_MAX_CONSTANTS);
    if (def->constant_count)
        memcpy(kernel->constants, def->constants, def->constant_count * sizeof *def->constants);
    kernel->made = *def;
    kernel->made.constants = kernel->constants;
    kernel->name = def->name;
    kernel->work = def->shader->work;
    kernel->workgroup = workgroup_of(device, def->shader);
    kernel->id = ++device->next_kernel_id;
    kernel->stages = VK_SHADER_STAGE_COMPUTE_BIT;
    kernel->sources[0] = words.source;
    gpu_shader_latest(device, &words);
    WEIR_TRY(gpu_spirv_bindings(&device->log, &words, def->shader, kernel));
    if (like) WEIR_TRY(gpu_kernel_bind_like(device, kernel, like));
    WEIR_TRY(gpu_kernel_layouts(device, kernel));
    if (!device->deferred) WEIR_TRY(create_pipeline(device, &words, kernel));
    *out = kernel;
    return WEIR_OK;
fail:
    gpu_kernel_free(device, kernel);
    return result;
}

weir_result gpu_kernel_finish(gpu_device *device, gpu_kernel *kernel)
{
    if (kernel->pipeline) return WEIR_OK;
    if (kernel->drawn.vertex) return gpu_draw_kernel_finish(device, kernel);
    gpu_words words = choose_words(device, &kernel->made);
    gpu_shader_latest(device, &words);
    return create_pipeline(device, &words, kernel);
}

weir_result gpu_kernels_prepare(gpu_device *device, double seconds, uint32_t *left)
{
    double end_s = base_time_s() + seconds;
    bool any = false;
    *left = 0;
    for (gpu_kernel *kernel = device->kernels; kernel; kernel = kernel->next) {
        if (kernel->pipeline || kernel->holders == 0) continue;
        if (any && base_time_s() >= end_s) {
            ++*left;
            continue;
        }
        WEIR_NEED(gpu_kernel_finish(device, kernel));
        any = true;
    }
    return WEIR_OK;
}

void gpu_kernel_keep(gpu_device *device, gpu_kernel *kernel, uint64_t key)
{
    kernel->key = key;
    kernel->holders = 1;
    kernel->next = device->kernels;
    device->kernels = kernel;
}

weir_result gpu_kernel_create(gpu_device *device, const gpu_kernel_def *def, gpu_kernel **out)
{
    *out = NULL;
    if (device->lost != VK_SUCCESS) return WEIR_DEVICE_LOST;
    gpu_kernel_def named = *def;
    if (!named.name) named.name = def->shader->name;
    uint64_t key = def_key(device, &named);
    if (gpu_kernel_find(device, key, out)) return WEIR_OK;
    WEIR_NEED(gpu_kernel_make(device, &named, NULL, out));
    gpu_kernel_keep(device, *out, key);
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
            gpu_kernel_free(device, kernel);
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
    if (!BASE_RESERVE(&device->pools, 1)) // NOLINT(bugprone-sizeof-expression): of handles
        return base_fail(&device->log, WEIR_MEMORY, "no memory for descriptor pools");
    VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, POOL_SETS * GPU_ROW_USES},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, POOL_SETS * 2},
        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, POOL_SETS * 4},
        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, POOL_SETS * 4},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, POOL_SETS * 2},
    };
    VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = POOL_SETS,
        .poolSizeCount = BASE_COUNT(sizes),
        .pPoolSizes = sizes,
    };
    VkDescriptorPool *pool = &device->pools.items[device->pools.count];
    WEIR_NEED(GPU_VK(device, vkCreateDescriptorPool, &info, device->allocator, pool));
    device->pools.count++;
    return WEIR_OK;
}

static weir_result allocate_set(gpu_device *device, const gpu_kernel *kernel, VkDescriptorSet *set)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        if (attempt || device->pools.count == 0) WEIR_NEED(grow_pools(device));
        VkDescriptorSetAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
            .descriptorPool = device->pools.items[device->pools.count - 1],
            .descriptorSetCount = 1,
            .pSetLayouts = &kernel->set_layout,
        };
        VkResult code = device->vk.vkAllocateDescriptorSets(device->handle, &info, set);
        if (code == VK_SUCCESS) return WEIR_OK;
        if (attempt) return gpu_vk_result(device, code, "vkAllocateDescriptorSets");
    }
    return WEIR_OK;
}

const gpu_binding *gpu_kernel_binding(const gpu_kernel *kernel, uint32_t number)
{
    for (uint32_t i = 0; i < kernel->binding_count; i++)
        if (kernel->bindings[i].binding == number) return &kernel->bindings[i];
    return NULL;
}

uint32_t gpu_kernel_place(const gpu_kernel *kernel, const gpu_binding *binding)
{
    return (uint32_t)(binding - kernel->bindings);
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
            .dstBinding = gpu_kernel_place(row->kernel, binding),
            .descriptorCount = 1,
            .descriptorType = binding->type,
            .pBufferInfo = &infos[i],
            .pTexelBufferView = &use->buffer->view,
        };
    }
    device->vk.vkUpdateDescriptorSets(device->handle, row->use_count, writes, 0, NULL);
}

static void write_set_images(gpu_device *device, const gpu_row *row, VkDescriptorSet set)
{
    for (uint32_t i = 0; i < row->image_count; i++) {
        const gpu_image_use *use = &row->images[i];
        const gpu_binding *binding = gpu_kernel_binding(row->kernel, use->binding);
        if (use->access == GPU_ATTACH || use->access == GPU_ATTACH_CLEAR) continue;
        VkDescriptorImageInfo info = {.imageView = use->image->view,
                                      .imageLayout = gpu_image_use_layout(row, use)};
        VkWriteDescriptorSet write = {
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = set,
            .dstBinding = gpu_kernel_place(row->kernel, binding),
            .descriptorCount = 1,
            .descriptorType = binding->type,
            .pImageInfo = &info,
        };
        device->vk.vkUpdateDescriptorSets(device->handle, 1, &write, 0, NULL);
    }
}

static uint64_t set_key(const gpu_row *row, const uint64_t *offsets, const uint64_t *ranges)
{
    uint64_t words[3 * GPU_ROW_USES + GPU_ROW_IMAGES + 1] = {row->kernel->id};
    uint32_t count = 3 * row->use_count + 1;
    for (uint32_t i = 0; i < row->use_count; i++) {
        words[3 * i + 1] = (uint64_t)row->uses[i].binding << 32 | row->uses[i].buffer->id;
        words[3 * i + 2] = offsets[i];
        words[3 * i + 3] = ranges[i];
    }
    for (uint32_t i = 0; i < row->image_count; i++)
        words[count++] = (uint64_t)row->images[i].binding << 32 | row->images[i].image->id;
    uint64_t key = base_hash64(words, count * 8u, 0);
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
        WEIR_NEED(allocate_set(device, row->kernel, &found->handle));
        write_set(device, row, offsets, ranges, found->handle);
        write_set_images(device, row, found->handle);
        found->key = key;
        device->set_count++;
    }
    *set = found->handle;
    return WEIR_OK;
}

void gpu_sets_forget(gpu_device *device)
{
    WEIR_ASSERT(!device->recording); /* which may have bound them */
    for (size_t i = 0; i < device->pools.count; i++)
        device->vk.vkDestroyDescriptorPool(device->handle, device->pools.items[i],
                                           device->allocator);
    device->pools.count = 0;
    device->set_count = 0;
    for (size_t i = 0; i < device->set_capacity; i++)
        device->sets[i].key = 0;
}

/* The sets of what is destroyed are found by nobody any more, for a new buffer has a new id: they
 * take room only, and all are forgotten when it is much. */
#define SETS_KEPT 1024u

void gpu_sets_trim(gpu_device *device)
{
    WEIR_ASSERT(!device->recording); /* which may have bound them */
    if (device->set_count > SETS_KEPT) gpu_sets_forget(device);
}

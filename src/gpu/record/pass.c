/* What follows from the declaration of a pass: its check, its cost, its dispatches. */
#include "shared/pass.h"
#include "gpu_internal.h"

const char *const gpu_access_names[] = {
    [GPU_BLOCK] = "block",         [GPU_READ_OWN] = "read own",
    [GPU_WRITE_OWN] = "write own", [GPU_UPDATE_OWN] = "update own",
    [GPU_READ_ANY] = "read any",   [GPU_WRITE_ANY] = "write any",
    [GPU_ATOMIC] = "atomic",       [GPU_REDUCTION] = "reduction",
    [GPU_ATTACH] = "attachment",   [GPU_ATTACH_CLEAR] = "cleared attachment",
};

static bool is_image_binding(const gpu_binding *binding)
{
    return binding->type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ||
           binding->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

gpu_pass gpu_pass_make(const gpu_pipeline *pipeline, gpu_dispatch_size dispatch_size)
{
    gpu_pass pass = {.pipeline = pipeline, .dispatch_size = dispatch_size, .work = pipeline->work};
    for (uint32_t i = 0; i < pipeline->binding_count; i++) {
        const gpu_binding *binding = &pipeline->bindings[i];
        if (is_image_binding(binding)) {
            WEIR_ASSERT(pass.image_count < GPU_PASS_IMAGES);
            pass.images[pass.image_count++] =
                (gpu_image_use){.binding = binding->binding, .access = binding->access};
        } else {
            WEIR_ASSERT(pass.use_count < GPU_PASS_BUFFERS);
            pass.uses[pass.use_count++] =
                (gpu_buffer_use){.binding = binding->binding, .access = binding->access};
        }
    }
    return pass;
}

gpu_pass gpu_pass_make_host(const gpu_host_work *host)
{
    return (gpu_pass){.host = host, .dispatch_size = {.name = "host", .count = 1}};
}

uint32_t gpu_pass_repetitions(const gpu_pass *first)
{
    if (!first->group) return 1;
    return first->recorded && first->recorded < first->repeat ? first->recorded : first->repeat;
}

void gpu_pass_bind(gpu_pass *pass, uint32_t binding, gpu_buffer *buffer)
{
    for (uint32_t u = 0; u < pass->use_count; u++)
        if (pass->uses[u].binding == binding) {
            pass->uses[u].buffer = buffer;
            return;
        }
    pass->has_undeclared_binding = true;
}

void gpu_pass_bind_all(gpu_pass *pass, gpu_buffer *const *buffers, uint32_t count)
{
    for (uint32_t u = 0; u < pass->use_count; u++) {
        gpu_buffer_use *use = &pass->uses[u];
        if (!use->buffer && use->binding < count) use->buffer = buffers[use->binding];
    }
}

void gpu_pass_bind_images(gpu_pass *pass, gpu_image *const *images, uint32_t count)
{
    for (uint32_t u = 0; u < pass->image_count; u++) {
        gpu_image_use *use = &pass->images[u];
        if (!use->image && use->binding < count) use->image = images[use->binding];
    }
}

void gpu_pass_attach(gpu_pass *pass, gpu_image *image, const float *clear)
{
    WEIR_ASSERT(pass->image_count < GPU_PASS_IMAGES && image);
    gpu_image_use *use = &pass->images[pass->image_count++];
    *use = (gpu_image_use){UINT32_MAX, image, clear ? GPU_ATTACH_CLEAR : GPU_ATTACH, {0}};
    if (clear) memcpy(use->clear, clear, 4 * sizeof *clear);
}

static bool is_attachment(const gpu_image_use *use)
{
    return use->access == GPU_ATTACH || use->access == GPU_ATTACH_CLEAR;
}

bool gpu_access_reads(gpu_access access)
{
    return access != GPU_WRITE_OWN && access != GPU_WRITE_ANY && access != GPU_ATTACH_CLEAR;
}

bool gpu_access_writes(gpu_access access)
{
    return access != GPU_BLOCK && access != GPU_READ_OWN && access != GPU_READ_ANY;
}

bool gpu_access_is_own(gpu_access access)
{
    return access == GPU_READ_OWN || access == GPU_WRITE_OWN || access == GPU_UPDATE_OWN;
}

static weir_result check_arguments(gpu_device *device, const gpu_pass *pass)
{
    const gpu_buffer *arguments = pass->dispatch_size.arguments;
    uint32_t at = pass->dispatch_size.argument_offset;
    uint64_t bytes = pass->pipeline->draw_def.quads     ? 20
                     : pass->pipeline->attachment_count ? 16
                                                        : 12;
    if (arguments && (at % 4 != 0 || arguments->size < at + bytes))
        return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                         "pass %s: %s has no dispatch arguments at byte %u: it has %llu bytes",
                         pass->pipeline->name, arguments->name, at,
                         (unsigned long long)arguments->size);
    return WEIR_OK;
}

/* Checks that a pass that can end a loop writes the loop's struct, which must lie within its
 * buffer. */
static weir_result check_loop_buffer(gpu_device *device, const gpu_pass *pass)
{
    bool written = false;
    for (uint32_t u = 0; u < pass->use_count; u++)
        written |= pass->uses[u].buffer == pass->loop && gpu_access_writes(pass->uses[u].access);
    if (!pass->loop || (written && pass->loop_offset % 4 == 0 &&
                        pass->loop->size >= pass->loop_offset + sizeof(struct gpu_loop)))
        return WEIR_OK;
    return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                     "pass %s should end a loop in %s at byte %u, but it does not write this "
                     "buffer, or the buffer has only %llu bytes",
                     pass->pipeline->name, pass->loop->name, pass->loop_offset,
                     (unsigned long long)pass->loop->size);
}

/* Checks that everything the shaders declare is bound, and nothing else. */
static weir_result check_bindings(gpu_device *device, const gpu_pass *pass)
{
    const char *pipeline = pass->pipeline->name;
    for (uint32_t u = 0; u < pass->use_count; u++) {
        const gpu_buffer_use *use = &pass->uses[u];
        const gpu_binding *binding = gpu_pipeline_find_binding(pass->pipeline, use->binding);
        if (!use->buffer)
            return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                             "pass %s: its shader declares %s (binding %u), but no buffer is bound",
                             pipeline, binding->name, use->binding);
        if (binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER && !use->buffer->view)
            return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                             "pass %s: its shader fetches texels from %s, but the buffer %s was "
                             "created without a texel view",
                             pipeline, binding->name, use->buffer->name);
    }
    for (uint32_t u = 0; u < pass->image_count; u++)
        if (!pass->images[u].image)
            return base_fail(
                &device->log, WEIR_ERROR_ARGUMENT,
                "pass %s: its shader declares %s (binding %u), but no image is bound", pipeline,
                gpu_pipeline_find_binding(pass->pipeline, pass->images[u].binding)->name,
                pass->images[u].binding);
    if (!pass->has_undeclared_binding) return WEIR_OK;
    return base_fail(
        &device->log, WEIR_ERROR_ARGUMENT,
        "pass %s: a buffer or image is bound to a number that its shader does not declare",
        pipeline);
}

/* Checks the attachments: order and formats as in the pipeline, all of one size. */
static weir_result check_attachments(gpu_device *device, const gpu_pass *pass)
{
    const gpu_image *first = NULL;
    uint32_t count = 0;
    for (uint32_t u = 0; u < pass->image_count; u++) {
        const gpu_image *image = pass->images[u].image;
        if (!is_attachment(&pass->images[u])) continue;
        if (!first) first = image;
        if (count >= pass->pipeline->attachment_count ||
            pass->pipeline->attachments[count++] != image->format)
            return base_fail(
                &device->log, WEIR_ERROR_ARGUMENT,
                "pass %s: the format of attachment %s differs from that of the pipeline",
                pass->pipeline->name, image->name);
        if (image->width != first->width || image->height != first->height)
            return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                             "pass %s: attachments %s and %s differ in size", pass->pipeline->name,
                             first->name, image->name);
    }
    if (count == pass->pipeline->attachment_count) return WEIR_OK;
    return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                     "pass %s has %u attachments, its pipeline %u", pass->pipeline->name, count,
                     pass->pipeline->attachment_count);
}

bool gpu_either_writes(gpu_access a, gpu_access b)
{
    return gpu_access_writes(a) || gpu_access_writes(b);
}

static weir_result fail_race(gpu_device *device, const gpu_pass *pass, const char *name,
                             gpu_access a, gpu_access b)
{
    return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                     "pass %s races with itself: %s is used as %s and as %s", pass->pipeline->name,
                     name, gpu_access_names[a], gpu_access_names[b]);
}

/* Checks that an image has a single layout during a pass. */
static weir_result check_images(gpu_device *device, const gpu_pass *pass)
{
    for (uint32_t a = 0; a < pass->image_count; a++)
        for (uint32_t b = a + 1; b < pass->image_count; b++) {
            const gpu_image_use *x = &pass->images[a], *y = &pass->images[b];
            if (x->image != y->image) continue;
            if (gpu_either_writes(x->access, y->access) ||
                gpu_image_use_layout(pass, x) != gpu_image_use_layout(pass, y))
                return fail_race(device, pass, x->image->name, x->access, y->access);
        }
    return WEIR_OK;
}

/* Checks that a pass has one name only for a buffer that it writes: for the compiler two names do
 * not overlap, so it may read an element by one of them after it has written it by the other. */
static weir_result check_self_races(gpu_device *device, const gpu_pass *pass)
{
    for (uint32_t a = 0; a < pass->use_count; a++)
        for (uint32_t b = a + 1; b < pass->use_count; b++) {
            const gpu_buffer_use *x = &pass->uses[a], *y = &pass->uses[b];
            if (x->buffer == y->buffer && gpu_either_writes(x->access, y->access))
                return fail_race(device, pass, x->buffer->name, x->access, y->access);
        }
    return WEIR_OK;
}

static weir_result check_storage_ranges(gpu_device *device, const gpu_pass *pass)
{
    for (uint32_t u = 0; u < pass->use_count; u++) {
        const gpu_buffer_use *use = &pass->uses[u];
        bool parts = gpu_access_is_own(use->access) && pass->pipeline->attachment_count == 0;
        if (use->buffer->size <= device->storage_range || parts ||
            gpu_pipeline_find_binding(pass->pipeline, use->binding)->type ==
                VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER)
            continue;
        return base_fail(&device->log, WEIR_ERROR_MEMORY,
                         "%s binds %.1f MiB in %s, %s allows %.1f MiB in one binding: raise the "
                         "particle spacing or make the domain smaller",
                         use->buffer->name, (double)use->buffer->size / 1048576.0,
                         pass->pipeline->name, device->info.name,
                         (double)device->storage_range / 1048576.0);
    }
    return WEIR_OK;
}

weir_result gpu_passes_check(gpu_device *device, const gpu_pass *passes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (passes[i].host) continue;
        WEIR_RETURN_IF_ERROR(check_arguments(device, &passes[i]));
        WEIR_RETURN_IF_ERROR(check_bindings(device, &passes[i]));
        WEIR_RETURN_IF_ERROR(check_loop_buffer(device, &passes[i]));
        WEIR_RETURN_IF_ERROR(check_self_races(device, &passes[i]));
        WEIR_RETURN_IF_ERROR(check_attachments(device, &passes[i]));
        WEIR_RETURN_IF_ERROR(check_images(device, &passes[i]));
        WEIR_RETURN_IF_ERROR(check_storage_ranges(device, &passes[i]));
    }
    return WEIR_OK;
}

static double count_use_bytes(const gpu_pass *pass, const gpu_buffer_use *use, double elements,
                              double pairs)
{
    bool listed = use->buffer == pass->work.pairs;
    double each = listed ? pairs * (double)pass->work.pair_bytes : (double)use->buffer->stride;
    double size = fmin(elements * each, (double)use->buffer->size);
    bool both = gpu_access_reads(use->access) && gpu_access_writes(use->access);
    return both ? 2.0 * size : size;
}

gpu_cost gpu_pass_cost(const gpu_pass *pass, double elements, double pairs)
{
    const gpu_work_estimate *work = &pass->work;
    gpu_cost cost = {
        .gathered = elements * pairs * (double)work->pair_gathers,
        .flops = elements * ((double)work->flops + pairs * (double)work->pair_flops),
        .atomics = elements * (double)work->atomics,
    };
    for (uint32_t u = 0; u < pass->use_count; u++) {
        const gpu_buffer_use *use = &pass->uses[u];
        if (use->access != GPU_BLOCK && use->access != GPU_REDUCTION)
            cost.bytes += count_use_bytes(pass, use, elements, pairs);
    }
    /* An image counts as transferred once, because it is unknown how often a pass reads its
     * pixels. */
    for (uint32_t u = 0; u < pass->image_count; u++) {
        const gpu_image *image = pass->images[u].image;
        cost.bytes +=
            (double)image->width * (double)image->height * (double)gpu_format_bytes(image->format);
    }
    return cost;
}

uint32_t gpu_passes_dispatch_count(const gpu_pass *passes, uint32_t count)
{
    uint32_t dispatches = 0, repeat = 1;
    for (uint32_t i = 0; i < count; i++) {
        bool starts = i == 0 || passes[i].group != passes[i - 1].group;
        if (starts) repeat = passes[i].group && passes[i].repeat > 1 ? passes[i].repeat : 1;
        dispatches += repeat;
    }
    return dispatches;
}

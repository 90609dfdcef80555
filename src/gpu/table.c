/* What follows from a row's declaration: the check, the byte count, the explanation. */
#include "gpu_internal.h"
#include "shared/row.h"

static const char *const access_names[] = {
    [GPU_BLOCK] = "block",         [GPU_READ_OWN] = "read own",
    [GPU_WRITE_OWN] = "write own", [GPU_UPDATE_OWN] = "update own",
    [GPU_READ_ANY] = "read any",   [GPU_WRITE_ANY] = "write any",
    [GPU_ATOMIC] = "atomic",       [GPU_REDUCTION] = "reduction",
    [GPU_ATTACH] = "attachment",   [GPU_ATTACH_CLEAR] = "cleared attachment",
};

static bool binds_image(const gpu_binding *binding)
{
    return binding->type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ||
           binding->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

gpu_row gpu_row_make(const gpu_kernel *kernel, gpu_domain domain)
{
    gpu_row row = {.kernel = kernel, .domain = domain, .work = kernel->work};
    for (uint32_t i = 0; i < kernel->binding_count; i++) {
        const gpu_binding *binding = &kernel->bindings[i];
        if (binds_image(binding)) {
            WEIR_ASSERT(row.image_count < GPU_ROW_IMAGES);
            row.images[row.image_count++] =
                (gpu_image_use){.binding = binding->binding, .access = binding->access};
        } else {
            WEIR_ASSERT(row.use_count < GPU_ROW_USES);
            row.uses[row.use_count++] =
                (gpu_use){.binding = binding->binding, .access = binding->access};
        }
    }
    return row;
}

void gpu_row_bind(gpu_row *row, uint32_t binding, gpu_buffer *buffer)
{
    for (uint32_t u = 0; u < row->use_count; u++)
        if (row->uses[u].binding == binding) {
            row->uses[u].buffer = buffer;
            return;
        }
    row->strays = true;
}

void gpu_row_bind_all(gpu_row *row, gpu_buffer *const *buffers, uint32_t count)
{
    for (uint32_t u = 0; u < row->use_count; u++) {
        gpu_use *use = &row->uses[u];
        if (!use->buffer && use->binding < count) use->buffer = buffers[use->binding];
    }
}

void gpu_row_bind_images(gpu_row *row, gpu_image *const *images, uint32_t count)
{
    for (uint32_t u = 0; u < row->image_count; u++) {
        gpu_image_use *use = &row->images[u];
        if (!use->image && use->binding < count) use->image = images[use->binding];
    }
}

void gpu_row_attach(gpu_row *row, gpu_image *image, const float *clear)
{
    WEIR_ASSERT(row->image_count < GPU_ROW_IMAGES && image);
    gpu_image_use *use = &row->images[row->image_count++];
    *use = (gpu_image_use){UINT32_MAX, image, clear ? GPU_ATTACH_CLEAR : GPU_ATTACH, {0}};
    if (clear) memcpy(use->clear, clear, 4 * sizeof *clear);
}

static bool attaches(const gpu_image_use *use)
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

bool gpu_access_own(gpu_access access)
{
    return access == GPU_READ_OWN || access == GPU_WRITE_OWN || access == GPU_UPDATE_OWN;
}

static weir_result check_arguments(gpu_device *device, const gpu_row *row)
{
    const gpu_buffer *arguments = row->domain.arguments;
    uint32_t at = row->domain.argument_offset;
    uint64_t bytes = row->kernel->attachment_count ? 16 : 12;
    if (arguments && (at % 4 != 0 || arguments->size < at + bytes))
        return base_fail(&device->log, WEIR_ARGUMENT,
                         "row %s: %s holds no dispatch arguments at byte %u: it has %llu bytes",
                         row->kernel->name, arguments->name, at,
                         (unsigned long long)arguments->size);
    return WEIR_OK;
}

/* What can end a loop writes it; the loop is whole in its buffer. */
static weir_result check_loop(gpu_device *device, const gpu_row *row)
{
    bool written = false;
    for (uint32_t u = 0; u < row->use_count; u++)
        written |= row->uses[u].buffer == row->loop && gpu_access_writes(row->uses[u].access);
    if (!row->loop || (written && row->loop_offset % 4 == 0 &&
                       row->loop->size >= row->loop_offset + sizeof(struct gpu_loop)))
        return WEIR_OK;
    return base_fail(
        &device->log, WEIR_ARGUMENT,
        "row %s is to end a loop in %s at byte %u, but it does not write there, or the "
        "%llu bytes of the buffer end before",
        row->kernel->name, row->loop->name, row->loop_offset, (unsigned long long)row->loop->size);
}

/* Everything that the shaders declare is bound, and nothing else. */
static weir_result check_bindings(gpu_device *device, const gpu_row *row)
{
    const char *kernel = row->kernel->name;
    for (uint32_t u = 0; u < row->use_count; u++) {
        const gpu_use *use = &row->uses[u];
        const gpu_binding *binding = gpu_kernel_binding(row->kernel, use->binding);
        if (!use->buffer)
            return base_fail(&device->log, WEIR_ARGUMENT,
                             "row %s: its shader declares %s (binding %u), which has no buffer",
                             kernel, binding->name, use->binding);
        if (binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER && !use->buffer->view)
            return base_fail(&device->log, WEIR_ARGUMENT,
                             "row %s: its shader fetches %s, and the buffer %s was made without "
                             "texels",
                             kernel, binding->name, use->buffer->name);
    }
    for (uint32_t u = 0; u < row->image_count; u++)
        if (!row->images[u].image)
            return base_fail(&device->log, WEIR_ARGUMENT,
                             "row %s: its shader declares %s (binding %u), which has no image",
                             kernel, gpu_kernel_binding(row->kernel, row->images[u].binding)->name,
                             row->images[u].binding);
    if (!row->strays) return WEIR_OK;
    return base_fail(&device->log, WEIR_ARGUMENT,
                     "row %s: something is bound to a number that its shader does not declare",
                     kernel);
}

/* Attachments in the kernel's order and formats, all of one size. */
static weir_result check_attachments(gpu_device *device, const gpu_row *row)
{
    const gpu_image *first = NULL;
    uint32_t count = 0;
    for (uint32_t u = 0; u < row->image_count; u++) {
        const gpu_image *image = row->images[u].image;
        if (!attaches(&row->images[u])) continue;
        if (!first) first = image;
        if (count >= row->kernel->attachment_count ||
            row->kernel->attachments[count++] != image->format)
            return base_fail(&device->log, WEIR_ARGUMENT,
                             "row %s: attachment %s has another format than the kernel's",
                             row->kernel->name, image->name);
        if (image->width != first->width || image->height != first->height)
            return base_fail(&device->log, WEIR_ARGUMENT,
                             "row %s: attachments %s and %s differ in size", row->kernel->name,
                             first->name, image->name);
    }
    if (count == row->kernel->attachment_count) return WEIR_OK;
    return base_fail(&device->log, WEIR_ARGUMENT, "row %s has %u attachments, its kernel %u",
                     row->kernel->name, count, row->kernel->attachment_count);
}

static bool either_writes(gpu_access a, gpu_access b)
{
    return gpu_access_writes(a) || gpu_access_writes(b);
}

static weir_result fail_race(gpu_device *device, const gpu_row *row, const char *name, gpu_access a,
                             gpu_access b)
{
    return base_fail(&device->log, WEIR_ARGUMENT,
                     "row %s races with itself: %s is used as %s and as %s", row->kernel->name,
                     name, access_names[a], access_names[b]);
}

/* An image stands in one layout during a row. */
static weir_result check_images(gpu_device *device, const gpu_row *row)
{
    for (uint32_t a = 0; a < row->image_count; a++)
        for (uint32_t b = a + 1; b < row->image_count; b++) {
            const gpu_image_use *x = &row->images[a], *y = &row->images[b];
            if (x->image != y->image) continue;
            if (either_writes(x->access, y->access) ||
                gpu_image_use_layout(row, x) != gpu_image_use_layout(row, y))
                return fail_race(device, row, x->image->name, x->access, y->access);
        }
    return WEIR_OK;
}

/* Two uses of one buffer race unless both read, or both are the invocation's own element. */
static weir_result check_races(gpu_device *device, const gpu_row *row)
{
    for (uint32_t a = 0; a < row->use_count; a++)
        for (uint32_t b = a + 1; b < row->use_count; b++) {
            const gpu_use *x = &row->uses[a], *y = &row->uses[b];
            if (x->buffer != y->buffer) continue;
            bool own = gpu_access_own(x->access) && gpu_access_own(y->access);
            bool reduced = x->access == GPU_REDUCTION && y->access == GPU_REDUCTION;
            if (either_writes(x->access, y->access) && !own && !reduced)
                return fail_race(device, row, x->buffer->name, x->access, y->access);
        }
    return WEIR_OK;
}

static weir_result check_ranges(gpu_device *device, const gpu_row *row)
{
    for (uint32_t u = 0; u < row->use_count; u++) {
        const gpu_use *use = &row->uses[u];
        bool parts = gpu_access_own(use->access) && row->kernel->attachment_count == 0;
        if (use->buffer->size <= device->storage_range || parts ||
            gpu_kernel_binding(row->kernel, use->binding)->type ==
                VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER)
            continue;
        return base_fail(&device->log, WEIR_MEMORY,
                         "%s binds %.1f MiB in %s, %s allows %.1f MiB in one binding: raise the "
                         "particle spacing or make the domain smaller",
                         use->buffer->name, (double)use->buffer->size / 1048576.0,
                         row->kernel->name, device->info.name,
                         (double)device->storage_range / 1048576.0);
    }
    return WEIR_OK;
}

weir_result gpu_table_check(gpu_device *device, const gpu_row *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        WEIR_NEED(check_arguments(device, &rows[i]));
        WEIR_NEED(check_bindings(device, &rows[i]));
        WEIR_NEED(check_loop(device, &rows[i]));
        WEIR_NEED(check_races(device, &rows[i]));
        WEIR_NEED(check_attachments(device, &rows[i]));
        WEIR_NEED(check_images(device, &rows[i]));
        WEIR_NEED(check_ranges(device, &rows[i]));
    }
    return WEIR_OK;
}

static double use_bytes(const gpu_row *row, const gpu_use *use, double elements, double pairs)
{
    bool listed = use->buffer == row->work.pairs;
    double each = listed ? pairs * (double)row->work.pair_bytes : (double)use->buffer->stride;
    double size = fmin(elements * each, (double)use->buffer->size);
    bool both = gpu_access_reads(use->access) && gpu_access_writes(use->access);
    return both ? 2.0 * size : size;
}

gpu_cost gpu_row_cost(const gpu_row *row, double elements, double pairs)
{
    const gpu_work *work = &row->work;
    gpu_cost cost = {
        .gathered = elements * pairs * (double)work->pair_gathers,
        .flops = elements * ((double)work->flops + pairs * (double)work->pair_flops),
        .atomics = elements * (double)work->atomics,
    };
    for (uint32_t u = 0; u < row->use_count; u++) {
        const gpu_use *use = &row->uses[u];
        if (use->access != GPU_BLOCK && use->access != GPU_REDUCTION)
            cost.bytes += use_bytes(row, use, elements, pairs);
    }
    /* An image counts as moved once: how often a row fetches its pixels is unknown. */
    for (uint32_t u = 0; u < row->image_count; u++) {
        const gpu_image *image = row->images[u].image;
        cost.bytes +=
            (double)image->width * (double)image->height * (double)gpu_format_bytes(image->format);
    }
    return cost;
}

/* ---- explanation ---------------------------------------------------------------------------- */

/* What a row does with a buffer: first its arguments, if any, then its uses. */
static gpu_use nth_use(const gpu_row *row, uint32_t n)
{
    if (n > 0) return row->uses[n - 1];
    return (gpu_use){.buffer = row->domain.arguments, .access = GPU_BLOCK};
}

static bool row_conflicts(const gpu_row *row, gpu_use use)
{
    for (uint32_t n = 0; use.buffer && n <= row->use_count; n++) {
        gpu_use other = nth_use(row, n);
        if (other.buffer == use.buffer && either_writes(use.access, other.access)) return true;
    }
    return false;
}

/* The first buffer for which `row` must wait; NULL: it may overlap with the rows from `first`. */
static const gpu_buffer *row_hazard(const gpu_row *first, const gpu_row *row)
{
    for (uint32_t n = 0; n <= row->use_count; n++)
        for (const gpu_row *before = first; before < row; before++)
            if (row_conflicts(before, nth_use(row, n))) return nth_use(row, n).buffer;
    return NULL;
}

/* ": positions read own, multipliers (predictions) read any": what the row's shader calls its
 * buffers, and the memory behind where that has another name. */
static void append_uses(base_text *line, const gpu_row *row)
{
    const char *before = ":";
    for (uint32_t u = 0; u < row->use_count; u++) {
        const gpu_use *use = &row->uses[u];
        const char *name = gpu_kernel_binding(row->kernel, use->binding)->name;
        bool same = strcmp(name, use->buffer->name) == 0;
        if (use->access == GPU_BLOCK) continue;
        base_text_append(line, "%s %s", before, name);
        if (!same) base_text_append(line, " (%s)", use->buffer->name);
        base_text_append(line, " %s", access_names[use->access]);
        before = ",";
    }
}

/* The group that starts at `row`. */
static void name_group(char *note, size_t size, const gpu_row *row, const gpu_row *end)
{
    const gpu_row *decider = NULL;
    for (const gpu_row *r = row; r < end && r->group == row->group; r++)
        if (r->loop) decider = r;
    if (decider)
        snprintf(note, size, "repeat at most %u times, until %s ends it: %s", row->repeat,
                 decider->kernel->name, row->group);
    else
        snprintf(note, size, "repeat %u times: %s", row->repeat, row->group);
}

void gpu_table_explain(const gpu_row *rows, uint32_t count,
                       void (*write)(void *user, const char *line), void *user)
{
    const gpu_row *first = rows; /* since the last barrier */
    const char *group = NULL, *stage = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const gpu_row *row = &rows[i];
        base_text line = {0};
        char note[160];
        if (row->stage && row->stage != stage) {
            snprintf(note, sizeof note, "%s:", row->stage);
            write(user, note);
        }
        stage = row->stage;
        if (row->group && row->group != group) {
            name_group(note, sizeof note, row, &rows[count]);
            write(user, note);
        }
        group = row->group;
        const gpu_buffer *wait = row_hazard(first, row);
        if (wait) {
            snprintf(note, sizeof note, "%s  barrier (%s)", group ? "  " : "", wait->name);
            write(user, note);
            first = row;
        }
        base_text_append(&line, "%s%-18s over %s%s", group ? "  " : "", row->kernel->name,
                         row->domain.name, row->domain.arguments ? " (counted on the GPU)" : "");
        append_uses(&line, row);
        if (line.items) write(user, line.items);
        base_free(line.items);
    }
}

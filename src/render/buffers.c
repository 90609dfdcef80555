/* Buffers that grow with the frames. */
#include "render_internal.h"

/* Grows the buffer by at least half, so that an emitter does not cause a new buffer in every
 * frame. */
weir_result render_buffer_reserve(renderer *r, gpu_buffer_def def, gpu_buffer **buffer)
{
    uint64_t has = *buffer ? gpu_buffer_count(*buffer) : 0;
    if (has >= def.count && has > 0) return WEIR_OK;
    gpu_buffer_destroy(r->device, buffer);
    if (has && def.count < has + has / 2) def.count = has + has / 2;
    return gpu_buffer_create(r->device, &def, buffer);
}

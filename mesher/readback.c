/* Copies surfaces to the host in the submission that computes them, if the host cannot see the
 * device's memory: one copy of each array into a host-visible buffer. */
#include "mesher_internal.h"

/* Returns the words of an array for the planned vertices and triangles; 0 if it is none of the
 * output arrays. */
static uint64_t array_words(const mesher *m, const gpu_buffer *array)
{
    const mesher_buffers *b = &m->buffers;
    const mesher_readback_size *awaited = &m->frame.readback;
    if (array == b->vertices) return 3ull * awaited->vertices;
    if (array == b->normals)
        return m->def.normals == WEIR_MESH_NORMALS_FIELD ? 3ull * awaited->vertices : 0;
    if (array == b->indices) return 3ull * awaited->triangles;
    for (uint32_t i = 0; i < mesher_attribute_phase_count(m); i++)
        if (array == b->phase_values[i]) return 4ull * awaited->vertices;
    return 0;
}

/* Lists the arrays in the order in which they are stored. */
static size_t list_arrays(const mesher *m, gpu_buffer **arrays)
{
    const mesher_buffers *b = &m->buffers;
    size_t count = 0;
    arrays[count++] = b->vertices;
    arrays[count++] = b->normals;
    arrays[count++] = b->indices;
    for (uint32_t i = 0; i < mesher_attribute_phase_count(m); i++)
        arrays[count++] = b->phase_values[i];
    return count;
}
#define MAX_ARRAYS (3u + MESHER_ATTRIBUTE_PHASES)

/* Returns the offset of an array in words; NULL: the end of all. */
static uint64_t array_offset(const mesher *m, const gpu_buffer *array)
{
    gpu_buffer *arrays[MAX_ARRAYS];
    size_t count = list_arrays(m, arrays);
    uint64_t at = 0;
    for (size_t i = 0; i < count && arrays[i] != array; i++)
        at += array_words(m, arrays[i]);
    return at;
}

weir_result mesher_plan_readback(mesher *m, uint32_t vertices, uint32_t triangles)
{
    m->frame.readback = (mesher_readback_size){0};
    if (!m->has_readback_staging || !m->frame.to_host) return WEIR_OK;
    m->frame.readback = (mesher_readback_size){vertices, triangles};
    uint64_t words = array_offset(m, NULL);
    bool fits = mesher_bytes_used(m) + 4 * words <= mesher_memory_budget(m);
    if (words == 0 || !fits) {
        m->frame.readback = (mesher_readback_size){0};
        return WEIR_OK;
    }
    return mesher_reserve_staging(m, words);
}

weir_result mesher_record_readback(mesher *m, enum mesher_phase phase)
{
    gpu_buffer *arrays[MAX_ARRAYS];
    size_t count = list_arrays(m, arrays), first = phase == MESHER_PHASE_OUTPUT ? 0 : 3;
    if (phase < MESHER_PHASE_OUTPUT || m->frame.readback.vertices == 0) return WEIR_OK;
    size_t last = 3;
    if (first > 0) {
        first += (size_t)(phase - MESHER_PHASE_ATTRIBUTES);
        last = first + 1;
    }
    for (size_t i = first; i < last && i < count; i++)
        WEIR_RETURN_IF_ERROR(
            gpu_record_copy(m->device, &(gpu_copy){.from = arrays[i],
                                                   .to = m->buffers.output_staging,
                                                   .to_offset = 4 * array_offset(m, arrays[i]),
                                                   .size = 4 * array_words(m, arrays[i])}));
    return WEIR_OK;
}

weir_result mesher_read_array(mesher *m, const gpu_buffer *array, size_t size, void *to)
{
    if (!size) return WEIR_OK;
    if (size > 4 * array_words(m, array)) {
        m->frame.waits += m->has_readback_staging;
        return gpu_buffer_download(m->device, array, 0, to, size);
    }
    const uint8_t *bytes = gpu_buffer_map(m->buffers.output_staging);
    memcpy(to, bytes + 4 * array_offset(m, array), size);
    return WEIR_OK;
}

/* Surfaces that come back in the submission that makes them, where the host does not see the
 * device's memory: one copy of each array into a buffer that it sees. */
#include "mesher_internal.h"

/* The words of an array for the vertices and triangles that are awaited; 0: none of the arrays. */
static uint64_t words_of(const mesher *m, const gpu_buffer *array)
{
    const mesher_buffers *b = &m->buffers;
    const mesher_awaited *awaited = &m->frame.awaited;
    if (array == b->vertices) return 3ull * awaited->vertices;
    if (array == b->normals)
        return m->def.normals == WEIR_MESH_NORMALS_FIELD ? 3ull * awaited->vertices : 0;
    if (array == b->indices) return 3ull * awaited->triangles;
    for (uint32_t i = 0; i < mesher_carries(m); i++)
        if (array == b->results[i]) return 4ull * awaited->vertices;
    return 0;
}

/* The arrays one behind the other. */
static size_t arrays_of(const mesher *m, gpu_buffer **arrays)
{
    const mesher_buffers *b = &m->buffers;
    size_t count = 0;
    arrays[count++] = b->vertices;
    arrays[count++] = b->normals;
    arrays[count++] = b->indices;
    for (uint32_t i = 0; i < mesher_carries(m); i++)
        arrays[count++] = b->results[i];
    return count;
}
#define ARRAYS (3u + MESHER_CARRIES)

/* Where an array begins; NULL: where all end. */
static uint64_t place_of(const mesher *m, const gpu_buffer *array)
{
    gpu_buffer *arrays[ARRAYS];
    size_t count = arrays_of(m, arrays);
    uint64_t at = 0;
    for (size_t i = 0; i < count && arrays[i] != array; i++)
        at += words_of(m, arrays[i]);
    return at;
}

weir_result mesher_await(mesher *m, uint32_t vertices, uint32_t triangles)
{
    m->frame.awaited = (mesher_awaited){0};
    if (!m->comes_back || !m->frame.carried) return WEIR_OK;
    m->frame.awaited = (mesher_awaited){vertices, triangles};
    uint64_t words = place_of(m, NULL);
    bool fits = mesher_bytes_held(m) + 4 * words <= mesher_budget(m);
    if (words == 0 || !fits) {
        m->frame.awaited = (mesher_awaited){0};
        return WEIR_OK;
    }
    return mesher_room_for_back(m, words);
}

weir_result mesher_record_back(mesher *m, enum mesher_phase phase)
{
    gpu_buffer *arrays[ARRAYS];
    size_t count = arrays_of(m, arrays), first = phase == MESHER_PHASE_OUTPUT ? 0 : 3;
    if (phase < MESHER_PHASE_OUTPUT || m->frame.awaited.vertices == 0) return WEIR_OK;
    size_t last = 3;
    if (first > 0) {
        first += (size_t)(phase - MESHER_PHASE_CARRY);
        last = first + 1;
    }
    for (size_t i = first; i < last && i < count; i++)
        WEIR_NEED(gpu_record_copy(m->device, &(gpu_copy){.from = arrays[i],
                                                         .to = m->buffers.back,
                                                         .to_offset = 4 * place_of(m, arrays[i]),
                                                         .size = 4 * words_of(m, arrays[i])}));
    return WEIR_OK;
}

weir_result mesher_read(mesher *m, const gpu_buffer *array, size_t size, void *to)
{
    if (!size) return WEIR_OK;
    if (size > 4 * words_of(m, array)) {
        m->frame.waits += m->comes_back;
        return gpu_buffer_download(m->device, array, 0, to, size);
    }
    const uint8_t *bytes = gpu_buffer_map(m->buffers.back);
    memcpy(to, bytes + 4 * place_of(m, array), size);
    return WEIR_OK;
}

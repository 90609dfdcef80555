/* Reads vectors on the nodes of a box from NPY: the shape (nx, ny, nz, 3), or (nx, ny, 2) in the
 * plane, in C or Fortran order. The element [i, j, k] lies at node i along x, j along y, k along
 * z. */
#include "npy.h"

typedef struct grid_source {
    const io_reader *reader;
    const io_npy *npy;
    uint32_t dimensions;
    size_t strides[4]; /* bytes between elements, along x, y, z and the components */
} grid_source;

static weir_result fail_shape(const io_reader *reader, const io_npy *npy, uint32_t dimensions)
{
    base_text shape = {0};
    for (uint32_t i = 0; i < npy->dimensions; i++)
        base_text_append(&shape, "%s%llu", i ? ", " : "", (unsigned long long)npy->shape[i]);
    weir_result result = io_fail(
        reader, reader->at, "the array has the shape (%s), expected %s, each n at least 2",
        shape.items ? shape.items : "", dimensions == 2 ? "(nx, ny, 2)" : "(nx, ny, nz, 3)");
    base_free(shape.items);
    return result;
}

static weir_result check_grid(const io_reader *reader, const io_npy *npy,
                              const io_vector_grid_def *def)
{
    uint64_t nodes = 1;
    if (npy->record || !npy->fields[0].number)
        return io_npy_fail_type(reader, npy->fields[0].name.at);
    bool sound =
        npy->dimensions == def->dimensions + 1 && npy->shape[def->dimensions] == def->dimensions;
    for (uint32_t i = 0; i < def->dimensions && sound; i++) {
        sound = npy->shape[i] >= 2;
        if (npy->shape[i] > def->max_nodes / nodes)
            return io_fail(reader, reader->at,
                           "the grid has more than %u nodes: keep every second node along each "
                           "axis, a[::2, ::2, ::2]",
                           def->max_nodes);
        nodes *= npy->shape[i];
    }
    return sound ? io_npy_check_size(reader, npy) : fail_shape(reader, npy, def->dimensions);
}

static void find_strides(grid_source *from)
{
    const io_npy *npy = from->npy;
    size_t stride = npy->item_bytes;
    for (uint32_t i = 0; i < npy->dimensions; i++) {
        uint32_t axis = npy->column_order ? i : npy->dimensions - 1 - i;
        bool component = axis == from->dimensions;
        from->strides[component ? 3 : axis] = stride;
        stride *= (size_t)npy->shape[axis];
    }
}

static weir_result read_vectors(const grid_source *from, io_vector_grid *grid)
{
    const io_npy_field *element = &from->npy->fields[0];
    size_t next = 0;
    for (size_t z = 0; z < grid->nodes[2]; z++)
        for (size_t y = 0; y < grid->nodes[1]; y++)
            for (size_t x = 0; x < grid->nodes[0]; x++) {
                float *vector = &grid->vectors[next++].x;
                const uint8_t *at = from->npy->data + x * from->strides[0] + y * from->strides[1] +
                                    z * from->strides[2];
                for (uint32_t i = 0; i < from->dimensions; i++) {
                    const uint8_t *number = at + i * from->strides[3];
                    const io_number value = {io_load(number, element->type, element->big_endian),
                                             number};
                    WEIR_RETURN_IF_ERROR(
                        io_to_float(from->reader, value, "a component", &vector[i]));
                }
            }
    return WEIR_OK;
}

static weir_result read_grid(io_reader *reader, const io_vector_grid_def *def, io_vector_grid *grid)
{
    io_npy npy = {0};
    size_t count = 1;
    WEIR_RETURN_IF_ERROR(io_npy_read_header(reader, &npy));
    WEIR_RETURN_IF_ERROR(check_grid(reader, &npy, def));
    for (uint32_t i = 0; i < 3; i++) {
        grid->nodes[i] = i < def->dimensions ? (uint32_t)npy.shape[i] : 1u;
        count *= grid->nodes[i];
    }
    grid->vectors = base_alloc(count, sizeof *grid->vectors);
    if (!grid->vectors) return io_fail_memory(reader, "its vectors");
    grid_source from = {.reader = reader, .npy = &npy, .dimensions = def->dimensions};
    find_strides(&from);
    return read_vectors(&from, grid);
}

weir_result io_vector_grid_read(const weir_log *log, const io_vector_grid_def *def,
                                io_vector_grid *grid)
{
    base_blob blob;
    io_reader reader;
    *grid = (io_vector_grid){0};
    WEIR_RETURN_IF_ERROR(io_open_decompressed(log, def->path, &blob, &reader));
    weir_result result =
        io_has_extension(&reader, "vdb")
            ? io_fail(
                  &reader, reader.begin,
                  "OpenVDB is not read: tools/blender/weir_vdb.py FILE.vdb -o FILE.npy converts "
                  "it")
            : read_grid(&reader, def, grid);
    base_blob_free(&blob);
    if (result != WEIR_OK) {
        base_free(grid->vectors);
        *grid = (io_vector_grid){0};
    }
    return result;
}

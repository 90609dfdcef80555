/* Reads the accessors of glTF: numbers of any type and stride, normalized or not, and sparse. */
#include "gltf.h"

/* Numbers in a buffer, as an accessor or its sparse part describes them. */
typedef struct source {
    io_token bytes; /* .at NULL: all numbers are 0 */
    io_type type;
    uint32_t components;
    size_t stride;
    uint64_t count;
    bool normalized;
} source;

static weir_result read_type(const gltf *gltf, gltf_place place, const json_t *json, io_type *type)
{
    static const io_type types[] = {IO_I8, IO_U8, IO_I16, IO_U16, IO_I32, IO_U32, IO_F32};
    const uint32_t first = 5120; /* GL_BYTE */
    uint64_t number = 0;
    WEIR_RETURN_IF_ERROR(gltf_get_count(gltf, place, json, "componentType", &number));
    if (number < first || number >= first + BASE_COUNT(types))
        return gltf_fail(gltf, place, "componentType is %llu; expected 5120 to 5126",
                         (unsigned long long)number);
    *type = types[number - first];
    return WEIR_OK;
}

static weir_result check_components(const gltf *gltf, gltf_place place, const json_t *json,
                                    uint32_t components)
{
    static const struct {
        const char *name;
        uint32_t components;
    } kinds[] = {{"SCALAR", 1}, {"VEC3", 3}, {"MAT4", 16}};
    const char *kind = json_string_value(json_object_get(json, "type"));
    const char *wanted = "";
    for (size_t i = 0; i < BASE_COUNT(kinds); i++)
        if (kinds[i].components == components) wanted = kinds[i].name;
    if (kind && strcmp(kind, wanted) == 0) return WEIR_OK;
    return gltf_fail(gltf, place, "type is \"%.16s\"; expected \"%s\"", kind ? kind : "", wanted);
}

/* Finds the bytes of `source` in the view to which the object's bufferView refers. */
static weir_result find_bytes(gltf *gltf, gltf_place place, const json_t *json, source *source)
{
    gltf_item item = {0};
    uint64_t start = 0, size = 0, stride = 0, offset = 0;
    const size_t element = io_type_size(source->type) * source->components;
    io_token buffer;
    WEIR_RETURN_IF_ERROR(
        gltf_get_item(gltf, place, json_object_get(json, "bufferView"), "bufferViews", &item));
    const gltf_place own = {"bufferViews", item.number};
    const json_t *view = item.json;
    if (json_object_get(json_object_get(view, "extensions"), "EXT_meshopt_compression"))
        return gltf_fail_extension(gltf, "EXT_meshopt_compression");
    WEIR_RETURN_IF_ERROR(gltf_load_buffer(gltf, own, json_object_get(view, "buffer"), &buffer));
    WEIR_RETURN_IF_ERROR(gltf_get_count(gltf, own, view, "byteOffset", &start));
    WEIR_RETURN_IF_ERROR(gltf_get_count(gltf, own, view, "byteLength", &size));
    WEIR_RETURN_IF_ERROR(gltf_get_count(gltf, own, view, "byteStride", &stride));
    WEIR_RETURN_IF_ERROR(gltf_get_count(gltf, place, json, "byteOffset", &offset));
    if (start > buffer.size || size > buffer.size - start)
        return gltf_fail(gltf, own, "bytes %llu to %llu of a buffer of %zu",
                         (unsigned long long)start, (unsigned long long)(start + size),
                         buffer.size);
    if (stride == 0) stride = element;
    if (stride < element || stride > 1 << 16)
        return gltf_fail(gltf, own, "byteStride is %llu for elements of %zu bytes",
                         (unsigned long long)stride, element);
    if (source->count && (offset > size || size - offset < element ||
                          (source->count - 1) > (size - offset - element) / stride))
        return gltf_fail(gltf, place,
                         "%llu elements of %zu bytes do not fit into the %llu bytes of "
                         "its bufferView",
                         (unsigned long long)source->count, element, (unsigned long long)size);
    source->bytes = (io_token){buffer.at + start + (source->count ? offset : 0), 0};
    source->stride = (size_t)stride;
    return WEIR_OK;
}

static double load_number(const source *source, size_t element, uint32_t component)
{
    static const double largest[] = {
        [IO_I8] = 127, [IO_U8] = 255, [IO_I16] = 32767, [IO_U16] = 65535};
    const uint8_t *at =
        source->bytes.at + element * source->stride + component * io_type_size(source->type);
    const double value = io_load(at, source->type, false);
    if (!source->normalized || (size_t)source->type >= BASE_COUNT(largest)) return value;
    return fmax(value / largest[source->type], -1.0);
}

static void load_numbers(const source *source, double *numbers)
{
    for (size_t i = 0; source->bytes.at && i < source->count; i++)
        for (uint32_t k = 0; k < source->components; k++)
            numbers[i * source->components + k] = load_number(source, i, k);
}

/* Replaces the elements that a sparse accessor lists. */
static weir_result read_sparse(gltf *gltf, gltf_place place, const json_t *sparse,
                               const source *base, double *numbers)
{
    const json_t *of_indices = json_object_get(sparse, "indices");
    source indices = {.components = 1}, values = *base;
    WEIR_RETURN_IF_ERROR(gltf_get_count(gltf, place, sparse, "count", &indices.count));
    values.count = indices.count;
    WEIR_RETURN_IF_ERROR(read_type(gltf, place, of_indices, &indices.type));
    WEIR_RETURN_IF_ERROR(find_bytes(gltf, place, of_indices, &indices));
    WEIR_RETURN_IF_ERROR(find_bytes(gltf, place, json_object_get(sparse, "values"), &values));
    for (size_t i = 0; i < indices.count; i++) {
        const double index = load_number(&indices, i, 0);
        if (!(index >= 0 && index < (double)base->count))
            return gltf_fail(gltf, place,
                             "sparse index %zu is %g; the %llu elements have indices "
                             "from 0",
                             i, index, (unsigned long long)base->count);
        for (uint32_t k = 0; k < base->components; k++)
            numbers[(size_t)index * base->components + k] = load_number(&values, i, k);
    }
    return WEIR_OK;
}

/* Rejects more numbers than a file of this size may hold. */
static weir_result check_size(const gltf *gltf, gltf_place place, const source *source)
{
    const size_t bytes = (size_t)(gltf->reader.end - gltf->reader.begin);
    const size_t most = io_max_decompressed_size(bytes) / (sizeof(double) * source->components);
    if (source->bytes.at || source->count <= most) return WEIR_OK;
    return gltf_fail(gltf, place, "%llu elements without data cannot be in a file of %zu bytes",
                     (unsigned long long)source->count, bytes);
}

weir_result gltf_read_accessor(gltf *gltf, gltf_place place, const json_t *index,
                               uint32_t components, gltf_array *array)
{
    gltf_item item = {0};
    source source = {.components = components};
    *array = (gltf_array){0};
    if (!index) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(gltf_get_item(gltf, place, index, "accessors", &item));
    const gltf_place own = {"accessors", item.number};
    const json_t *json = item.json;
    WEIR_RETURN_IF_ERROR(read_type(gltf, own, json, &source.type));
    WEIR_RETURN_IF_ERROR(check_components(gltf, own, json, components));
    WEIR_RETURN_IF_ERROR(gltf_get_count(gltf, own, json, "count", &source.count));
    source.normalized = json_is_true(json_object_get(json, "normalized"));
    const json_t *sparse = json_object_get(json, "sparse");
    if (json_object_get(json, "bufferView"))
        WEIR_RETURN_IF_ERROR(find_bytes(gltf, own, json, &source));
    WEIR_RETURN_IF_ERROR(check_size(gltf, own, &source));
    array->count = (size_t)source.count;
    array->numbers = base_alloc(array->count, sizeof(double) * components);
    if (!array->numbers) return io_fail_memory(&gltf->reader, "its numbers");
    load_numbers(&source, array->numbers);
    weir_result result = sparse ? read_sparse(gltf, own, sparse, &source, array->numbers) : WEIR_OK;
    if (result != WEIR_OK) gltf_array_free(array);
    return result;
}

void gltf_array_free(gltf_array *array)
{
    base_free(array->numbers);
    *array = (gltf_array){0};
}

/* Opens glTF 2.0, as JSON or as GLB, the same in one binary file, and loads its buffers: the second
 * part of a GLB, base64 in the JSON, or files next to it. */
#include "gltf.h"

enum { HEADER_BYTES = 12, CHUNK_BYTES = 8 };

/* ---- errors --------------------------------------------------------------------------------- */

void gltf_log_error(const gltf *gltf, gltf_place place, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    io_replace_control_bytes(text);
    base_log(gltf->reader.log, WEIR_LOG_ERROR, "%s: %s[%zu]: %s", gltf->reader.path, place.list,
             place.number, text);
}

weir_result gltf_fail_extension(const gltf *gltf, const char *name)
{
    char text[128];
    snprintf(text, sizeof text, "%s", name);
    io_replace_control_bytes(text);
    return base_fail(gltf->reader.log, WEIR_ERROR_IO,
                     "%s: the extension %s is not read: export without %s, or as PLY or OBJ",
                     gltf->reader.path, text,
                     strstr(text, "instancing")    ? "instances"
                     : strstr(text, "compression") ? "compression"
                                                   : "it");
}

/* ---- values --------------------------------------------------------------------------------- */

weir_result gltf_get_count(const gltf *gltf, gltf_place place, const json_t *object,
                           const char *key, uint64_t *value)
{
    const json_t *given = json_object_get(object, key);
    double number = given ? -1.0 : 0.0;
    io_json_get_number(given, &number);
    if (!(number >= 0 && number <= 0x1p53) || number != floor(number))
        return gltf_fail(gltf, place, "%s must be a whole number from 0", key);
    *value = (uint64_t)number;
    return WEIR_OK;
}

weir_result gltf_get_item(const gltf *gltf, gltf_place place, const json_t *index, const char *list,
                          gltf_item *item)
{
    uint32_t at = 0;
    const json_t *items = json_object_get(gltf->json, list);
    if (!io_json_get_u32(index, &at))
        return gltf_fail(gltf, place, "expected the index of one of the file's %s", list);
    if (at >= json_array_size(items))
        return gltf_fail(gltf, place, "refers to %s[%u], but the file has %zu", list, at,
                         json_array_size(items));
    *item = (gltf_item){json_array_get(items, at), at};
    return WEIR_OK;
}

weir_result gltf_read_numbers(const gltf *gltf, gltf_place place, const json_t *object,
                              const char *key, gltf_list list)
{
    const json_t *given = json_object_get(object, key);
    if (!given) return WEIR_OK;
    bool good = json_array_size(given) == list.count;
    for (size_t i = 0; good && i < list.count; i++)
        good = io_json_get_number(json_array_get(given, i), &list.numbers[i]);
    if (good) return WEIR_OK;
    return gltf_fail(gltf, place, "%s must be a list of %zu numbers", key, list.count);
}

/* ---- the JSON ------------------------------------------------------------------------------- */

static weir_result load_json(gltf *gltf, io_token text)
{
    json_error_t error;
    io_reader *reader = &gltf->reader;
    gltf->json = json_loadb((const char *)text.at, text.size, 0, &error);
    if (!gltf->json && json_error_code(&error) == json_error_out_of_memory)
        return io_fail_memory(reader, "its JSON");
    if (!gltf->json) {
        const uint8_t *at = text.at + (error.position > 0 ? error.position - 1 : 0);
        return io_fail(reader, at < reader->end ? at : reader->end, "the JSON is damaged: %s",
                       error.text);
    }
    if (json_is_object(gltf->json)) return WEIR_OK;
    return io_fail(reader, text.at, "expected a JSON object, {...}");
}

/* Finds the two parts of a GLB. */
static weir_result split_glb(gltf *gltf, io_token *json)
{
    io_reader *reader = &gltf->reader;
    const uint8_t *at = reader->begin;
    const size_t bytes = io_remaining(reader);
    reader->text = false;
    if (bytes < HEADER_BYTES + CHUNK_BYTES)
        return io_fail(reader, reader->end, "a GLB has a header of 20 bytes; it is cut off");
    const uint32_t version = (uint32_t)io_load(at + 4, IO_U32, false);
    const uint64_t length = (uint64_t)io_load(at + 8, IO_U32, false);
    if (version != 2)
        return io_fail(reader, at + 4, "GLB version %u; only version 2 is read", version);
    if (length > bytes)
        return io_fail(reader, at + 8, "a GLB of %llu bytes, but the file has %zu; it is cut off",
                       (unsigned long long)length, bytes);
    for (uint64_t offset = HEADER_BYTES; length >= CHUNK_BYTES && offset <= length - CHUNK_BYTES;) {
        const uint64_t size = (uint64_t)io_load(at + offset, IO_U32, false);
        const uint8_t *mark = at + offset + 4;
        const io_token chunk = {at + offset + CHUNK_BYTES, (size_t)size};
        if (size > length - offset - CHUNK_BYTES)
            return io_fail(reader, at + offset, "a chunk of %llu bytes is longer than the file",
                           (unsigned long long)size);
        if (memcmp(mark, "JSON", 4) == 0 && !json->at) *json = chunk;
        if (memcmp(mark, "BIN\0", 4) == 0 && !gltf->binary.at) gltf->binary = chunk;
        offset += CHUNK_BYTES + size;
    }
    return json->at ? WEIR_OK : io_fail(reader, at + HEADER_BYTES, "the GLB has no JSON chunk");
}

static weir_result check_version(const gltf *gltf)
{
    const json_t *asset = json_object_get(gltf->json, "asset");
    const char *version = json_string_value(json_object_get(asset, "version"));
    char text[16];
    if (version && strncmp(version, "2.", 2) == 0) return WEIR_OK;
    snprintf(text, sizeof text, "%s", version ? version : "missing");
    io_replace_control_bytes(text);
    return base_fail(
        gltf->reader.log, WEIR_ERROR_IO,
        "%s: asset.version is %s; only glTF 2.0 is read: convert the file, or export it "
        "as PLY or OBJ",
        gltf->reader.path, text);
}

/* Rejects a required extension unless it changes only the look, or the types of numbers. */
static weir_result check_extensions(const gltf *gltf)
{
    static const char *const harmless[] = {"KHR_materials_", "KHR_texture_",
                                           "EXT_texture_",   "MSFT_texture_",
                                           "KHR_lights_",    "KHR_mesh_quantization"};
    const json_t *list = json_object_get(gltf->json, "extensionsRequired");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        bool good = false;
        for (size_t k = 0; name && k < BASE_COUNT(harmless); k++)
            good |= strncmp(name, harmless[k], strlen(harmless[k])) == 0;
        if (!good) return gltf_fail_extension(gltf, name ? name : "without a name");
    }
    return WEIR_OK;
}

weir_result gltf_open(const io_reader *reader, gltf *gltf)
{
    io_token text = {reader->at, io_remaining(reader)};
    gltf->reader = *reader;
    if (io_starts_with(reader, "glTF")) {
        text = (io_token){0};
        WEIR_RETURN_IF_ERROR(split_glb(gltf, &text));
    }
    WEIR_RETURN_IF_ERROR(load_json(gltf, text));
    WEIR_RETURN_IF_ERROR(check_version(gltf));
    WEIR_RETURN_IF_ERROR(check_extensions(gltf));
    const size_t nodes = json_array_size(json_object_get(gltf->json, "nodes"));
    const size_t buffers = json_array_size(json_object_get(gltf->json, "buffers"));
    gltf->buffers = base_alloc(buffers, sizeof *gltf->buffers);
    gltf->worlds = base_alloc(nodes, sizeof *gltf->worlds);
    if (!gltf->buffers || !gltf->worlds) return io_fail_memory(reader, "its nodes");
    for (size_t i = 0; i < nodes; i++)
        gltf->worlds[i] = gltf_identity;
    return WEIR_OK;
}

void gltf_close(gltf *gltf)
{
    const size_t buffers = json_array_size(json_object_get(gltf->json, "buffers"));
    for (size_t i = 0; gltf->buffers && i < buffers; i++)
        base_blob_free(&gltf->buffers[i].blob);
    base_free(gltf->buffers);
    base_free(gltf->worlds);
    json_decref(gltf->json);
}

/* ---- buffers -------------------------------------------------------------------------------- */

/* Decodes "data:application/octet-stream;base64,...". */
static weir_result decode_uri(const gltf *gltf, gltf_place place, const char *uri,
                              gltf_buffer *buffer)
{
    const char *comma = strchr(uri, ',');
    if (!comma || comma - uri < 7 || strncmp(comma - 7, ";base64", 7) != 0)
        return gltf_fail(gltf, place, "a data URI without \";base64,\"");
    const uint8_t *at = (const uint8_t *)comma + 1, *end = at + strlen(comma + 1);
    base_blob *blob = &buffer->blob;
    *blob = (base_blob){base_alloc((size_t)(end - at) / 4 * 3 + 3, 1), 0};
    if (!blob->bytes) return io_fail_memory(&gltf->reader, "its buffers");
    while (at < end) {
        uint8_t bytes[3];
        bool padded = false;
        int count = io_base64_read_group(&at, end, bytes, &padded);
        if (count < 0) return gltf_fail(gltf, place, "the base64 of its data URI is damaged");
        memcpy(blob->bytes + blob->size, bytes, (size_t)count);
        blob->size += (size_t)count;
    }
    buffer->bytes = (io_token){blob->bytes, blob->size};
    return WEIR_OK;
}

static int hexadecimal(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c = base_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes the "%20" of a URI in place. */
static void decode_percents(char *text)
{
    char *out = text;
    for (const char *at = text; *at; at++) {
        int high = at[0] == '%' ? hexadecimal(at[1]) : -1, low = high < 0 ? -1 : hexadecimal(at[2]);
        bool letter = low >= 0 && high * 16 + low > 0;
        *out++ = letter ? (char)(high * 16 + low) : *at;
        if (letter) at += 2;
    }
    *out = '\0';
}

/* Reads a file next to the glTF file. */
static weir_result read_uri(const gltf *gltf, gltf_place place, const char *uri,
                            gltf_buffer *buffer)
{
    weir_result result = WEIR_OK;
    char *name = base_strdup(uri), *folder = base_path_folder(gltf->reader.path), *path = NULL;
    if (name) decode_percents(name);
    if (!name || !folder)
        result = io_fail_memory(&gltf->reader, "a path");
    else if (strstr(name, "://") || base_path_is_absolute(name))
        result =
            gltf_fail(gltf, place,
                      "its uri is \"%.80s\"; expected a file in the folder of the glTF file, or "
                      "data: save the file with its buffers next to it, or as .glb",
                      name);
    else if (!(path = base_path_join(folder, name)))
        result = io_fail_memory(&gltf->reader, "a path");
    else if (!base_path_is_file(path))
        result =
            gltf_fail(gltf, place,
                      "its file \"%.200s\" is missing; expected it next to the glTF file: copy "
                      "it there, or export as .glb",
                      name);
    else
        result = base_file_read(gltf->reader.log, path, IO_SIZE_MAX, &buffer->blob);
    buffer->bytes = (io_token){buffer->blob.bytes, buffer->blob.size};
    base_free(path);
    base_free(folder);
    base_free(name);
    return result;
}

weir_result gltf_load_buffer(gltf *gltf, gltf_place place, const json_t *index, io_token *bytes)
{
    gltf_item item = {0};
    uint64_t size = 0;
    WEIR_RETURN_IF_ERROR(gltf_get_item(gltf, place, index, "buffers", &item));
    const gltf_place own = {"buffers", item.number};
    gltf_buffer *buffer = &gltf->buffers[own.number];
    WEIR_RETURN_IF_ERROR(gltf_get_count(gltf, own, item.json, "byteLength", &size));
    const char *uri = json_string_value(json_object_get(item.json, "uri"));
    if (!buffer->bytes.at && !uri && own.number == 0 && gltf->binary.at)
        buffer->bytes = gltf->binary;
    else if (!buffer->bytes.at && !uri && json_object_get(item.json, "extensions"))
        return gltf_fail_extension(gltf, "EXT_meshopt_compression");
    else if (!buffer->bytes.at && !uri)
        return gltf_fail(gltf, own,
                         "it has no uri, and the file is not a GLB with data; expected "
                         "one of both");
    if (!buffer->bytes.at)
        WEIR_RETURN_IF_ERROR(strncmp(uri, "data:", 5) == 0 ? decode_uri(gltf, own, uri, buffer)
                                                           : read_uri(gltf, own, uri, buffer));
    if (buffer->bytes.size < size)
        return gltf_fail(gltf, own, "byteLength is %llu, but it has %zu bytes; it is cut off",
                         (unsigned long long)size, buffer->bytes.size);
    *bytes = (io_token){buffer->bytes.at, (size_t)size};
    return WEIR_OK;
}

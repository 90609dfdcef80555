/* glTF: strips, fans and lines, transforms, and the messages of files that are refused. */
#include "io_support.h"

/* A square of edge 1 as two triangles: corners (0,0,0), (1,0,0), (0,1,0), (1,1,0) as floats. */
#define CORNERS                             \
    "data:application/octet-stream;base64," \
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAACAPwAAgD8AAAAA"
#define BUFFERS                                                  \
    "\"buffers\":[{\"byteLength\":48,\"uri\":\"" CORNERS "\"}]," \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],"        \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}]"
#define ASSET "{\"asset\":{\"version\":\"2.0\"},"
#define MESH(mode) \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":" mode "}]}]"
#define FILE_OF(mode, nodes) ASSET nodes MESH(mode) "," BUFFERS "}"

static io_mesh read_mesh(scratch *s, const char *text)
{
    io_mesh mesh;
    scratch_write_text(s, "a.gltf", text);
    if (io_mesh_read(&s->log, s->path, &mesh) != WEIR_OK) fail_msg("%s", s->message);
    return mesh;
}

/* Returns twice the sum of the triangles' area vectors. */
static vec3 area_vector(const io_mesh *mesh)
{
    vec3 sum = vec3_make(0, 0, 0);
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *c = mesh->indices + 3 * (size_t)i;
        vec3 a = mesh->vertices[c[0]];
        sum = vec3_add(
            sum, vec3_cross(vec3_sub(mesh->vertices[c[1]], a), vec3_sub(mesh->vertices[c[2]], a)));
    }
    return sum;
}

static void check_area(scratch *s, const char *text, uint32_t triangles, vec3 area)
{
    io_mesh mesh = read_mesh(s, text);
    const vec3 found = area_vector(&mesh);
    assert_int_equal(mesh.triangle_count, triangles);
    if (vec3_length(vec3_sub(found, area)) > 1e-5f)
        fail_msg("area vector %g %g %g; expected %g %g %g", (double)found.x, (double)found.y,
                 (double)found.z, (double)area.x, (double)area.y, (double)area.z);
    io_mesh_free(&mesh);
}

static void strips_turn_every_second_triangle(void **state)
{
    check_area(*state, FILE_OF("5", ""), 2, vec3_make(0, 0, 2));
    /* the fan around corner 0: triangles 0 1 2 and 0 2 3, of which the second is wound the other
     * way */
    check_area(*state, FILE_OF("6", ""), 2, vec3_make(0, 0, 0));
}

static void nodes_place_turn_and_mirror_meshes(void **state)
{
    check_area(*state,
               FILE_OF("5", "\"nodes\":[{\"children\":[1],\"scale\":[2,3,1]},"
                            "{\"mesh\":0,\"translation\":[7,8,9]}],"),
               2, vec3_make(0, 0, 12));
    check_area(*state,
               FILE_OF("5", "\"nodes\":[{\"mesh\":0,\"rotation\":[0.7071068,0,0,0.7071068]}],"), 2,
               vec3_make(0, -2, 0));
    /* a mirrored surface keeps its outside, which is seen in the mirror */
    check_area(*state, FILE_OF("5", "\"nodes\":[{\"mesh\":0,\"scale\":[1,1,-1]}],"), 2,
               vec3_make(0, 0, -2));
    check_area(
        *state,
        FILE_OF("5", "\"nodes\":[{\"mesh\":0,\"matrix\":[0,1,0,0,0,0,1,0,1,0,0,0,0,0,0,1]}],"), 2,
        vec3_make(2, 0, 0));
}

/* A node may place a mesh anywhere on a map. */
static void meshes_far_from_0_keep_their_shape(void **state)
{
    check_area(*state,
               FILE_OF("5", "\"nodes\":[{\"mesh\":0,\"scale\":[0.1,0.1,1],"
                            "\"translation\":[448256.3,31.12,-5412850.7]}],"),
               2, vec3_make(0, 0, 0.02f));
}

/* Nodes that no scene shows are not read; a mesh in two nodes is read twice. */
static void the_scene_decides_what_is_read(void **state)
{
    check_area(*state,
               FILE_OF("5",
                       "\"scene\":1,\"scenes\":[{\"nodes\":[0,1]},{\"nodes\":[2]}],"
                       "\"nodes\":[{\"mesh\":0},{\"mesh\":0},{\"mesh\":0,\"scale\":[3,1,1]}],"),
               2, vec3_make(0, 0, 6));
    check_area(*state,
               FILE_OF("5", "\"scenes\":[{\"nodes\":[0,1]}],"
                            "\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"translation\":[5,0,0]}],"),
               4, vec3_make(0, 0, 4));
}

static void wrong_gltf_is_refused_with_its_place(void **state)
{
    static const char *const cases[][2] = {
        {"{", "a.gltf:1:1: the JSON is damaged"},
        {"{\"asset\":{\"version\":\"1.0\"}}", "asset.version is 1.0; only glTF 2.0 is read"},
        {ASSET "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}",
         "the extension KHR_draco_mesh_compression is not read: export without compression"},
        {ASSET "\"extensionsRequired\":[\"EXT_meshopt_compression\"]}",
         "the extension EXT_meshopt_compression is not read: export without compression"},
        {FILE_OF("5", "\"nodes\":[{\"children\":[1]},{\"children\":[0],\"mesh\":0}],"),
         "no triangles"},
        {FILE_OF("5",
                 "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]},{\"children\":[0]}],"),
         "nodes[0]: the node is placed twice"},
        {FILE_OF("5", "\"nodes\":[{\"mesh\":3}],"),
         "nodes[0]: refers to meshes[3], but the file has 1"},
        {FILE_OF("5", "\"nodes\":[{\"mesh\":0,\"scale\":[1,2]}],"),
         "nodes[0]: scale must be a list of 3 numbers"},
        {FILE_OF("4", ""), "meshes[0]: triangles of 4 corners; expected a multiple of 3"},
        {FILE_OF("7", ""), "meshes[0]: the mode of a primitive must be from 0 to 6"},
        {FILE_OF("1", ""), "no triangles"},
        {ASSET MESH("5") ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":5,"
                         "\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],"
                         "\"buffers\":[{\"byteLength\":48,\"uri\":\"" CORNERS "\"}]}",
         "accessors[0]: 5 elements of 12 bytes do not fit into the 48 bytes"},
        {ASSET MESH("5") ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
                         "\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],"
                         "\"buffers\":[{\"byteLength\":48,\"uri\":\"https://a.example/b.bin\"}]}",
         "buffers[0]: its uri is \"https://a.example/b.bin\"; expected a file in the folder"},
        {ASSET MESH("5") ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
                         "\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],"
                         "\"buffers\":[{\"byteLength\":48,\"uri\":\"no%20such.bin\"}]}",
         "no such.bin"},
        {ASSET MESH("5") ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
                         "\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],"
                         "\"buffers\":[{\"byteLength\":99,\"uri\":\"" CORNERS "\"}]}",
         "buffers[0]: byteLength is 99, but it has 48 bytes; it is cut off"},
        {ASSET MESH("5") ",\"accessors\":[{\"componentType\":5126,\"count\":4000000000,"
                         "\"type\":\"VEC3\"}]}",
         "accessors[0]: 4000000000 elements without data cannot be in a file of"},
    };
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        io_mesh mesh;
        scratch_write_text(s, "a.gltf", cases[i][0]);
        assert_int_equal(io_mesh_read(&s->log, s->path, &mesh), WEIR_ERROR_IO);
        assert_message_has(s, cases[i][1]);
    }
}

static void wrong_glb_is_refused_with_its_byte(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } cases[] = {
        {"glTF\2\0\0\0", 8, "a.glb: byte 8: a GLB has a header of 20 bytes"},
        {"glTF\1\0\0\0\24\0\0\0\0\0\0\0JSON", 20, "a.glb: byte 4: GLB version 1"},
        {"glTF\2\0\0\0\77\0\0\0\0\0\0\0JSON", 20, "a.glb: byte 8: a GLB of 63 bytes"},
        {"glTF\2\0\0\0\24\0\0\0\7\0\0\0JSON", 20, "a.glb: byte 12: a chunk of 7 bytes"},
        {"glTF\2\0\0\0\24\0\0\0\0\0\0\0BIN\0", 20, "a.glb: byte 12: the GLB has no JSON chunk"},
        {"glTF\2\0\0\0\30\0\0\0\4\0\0\0JSON{]  ", 24, "a.glb: byte 21: the JSON is damaged"},
    };
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        io_mesh mesh;
        scratch_write(s, "a.glb", cases[i].bytes, cases[i].size);
        assert_int_equal(io_mesh_read(&s->log, s->path, &mesh), WEIR_ERROR_IO);
        assert_message_has(s, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_turn_every_second_triangle),
        cmocka_unit_test(nodes_place_turn_and_mirror_meshes),
        cmocka_unit_test(meshes_far_from_0_keep_their_shape),
        cmocka_unit_test(the_scene_decides_what_is_read),
        cmocka_unit_test(wrong_gltf_is_refused_with_its_place),
        cmocka_unit_test(wrong_glb_is_refused_with_its_byte),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}

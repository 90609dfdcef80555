/* Particle frames: written files read back unchanged, and files of other programs can be read. */
#include "io_support.h"

static const weir_particle_format formats[] = {WEIR_PARTICLE_FORMAT_PLY,  WEIR_PARTICLE_FORMAT_VTK,
                                               WEIR_PARTICLE_FORMAT_BGEO, WEIR_PARTICLE_FORMAT_XYZ,
                                               WEIR_PARTICLE_FORMAT_NPY,  WEIR_PARTICLE_FORMAT_VTP};

static void assert_array(const void *got, const void *wanted, size_t size)
{
    assert_int_equal(got != NULL, wanted != NULL);
    if (wanted && size) assert_memory_equal(got, wanted, size);
}

static void write_and_read(scratch *s, const io_particles *cloud, weir_particle_format format,
                           uint32_t fields)
{
    io_particles back;
    io_particles_write_def def = {scratch_path(s, io_format_extension(format)), format, fields,
                                  0.0125f};
    assert_int_equal(io_particles_write(&s->log, cloud, &def), WEIR_OK);
    assert_int_equal(io_particles_read(&s->log, def.path, &back), WEIR_OK);
    size_t n = cloud->count;
    bool velocity = fields >> WEIR_FIELD_VELOCITY & 1u, id = fields >> WEIR_FIELD_ID & 1u;
    bool fluid = fields >> WEIR_FIELD_FLUID & 1u, density = fields >> WEIR_FIELD_DENSITY & 1u;
    assert_int_equal(back.count, n);
    assert_array(back.position, cloud->position, n * sizeof(vec3));
    assert_array(back.velocity, velocity ? cloud->velocity : NULL, n * sizeof(vec3));
    assert_array(back.id, id ? cloud->id : NULL, n * sizeof(uint32_t));
    assert_array(back.fluid, fluid ? cloud->fluid : NULL, n * sizeof(uint32_t));
    assert_array(back.density, density ? cloud->density : NULL, n * sizeof(float));
    bool timed = format == WEIR_PARTICLE_FORMAT_PLY || format == WEIR_PARTICLE_FORMAT_VTK ||
                 format == WEIR_PARTICLE_FORMAT_XYZ || format == WEIR_PARTICLE_FORMAT_VTP;
    assert_true(back.time_s == (timed ? cloud->time_s : 0));
    io_particles_free(&back);
}

static void every_format_returns_all_fields(void **state)
{
    static const uint32_t counts[] = {0, 1, 2, 64, 1000};
    for (size_t c = 0; c < BASE_COUNT(counts); c++) {
        io_particles cloud;
        cloud_make(&cloud, counts[c]);
        for (size_t f = 0; f < BASE_COUNT(formats); f++)
            write_and_read(*state, &cloud, formats[f], ALL_FIELDS);
        io_particles_free(&cloud);
    }
}

static void every_format_returns_every_choice_of_fields(void **state)
{
    io_particles cloud;
    cloud_make(&cloud, 5);
    for (uint32_t fields = 0; fields <= ALL_FIELDS; fields++)
        for (size_t f = 0; f < BASE_COUNT(formats); f++) {
            /* NPY's columns have no names, so only three sets can be distinguished. */
            uint32_t full = fields | 1u;
            bool told = full == 1u || full == 3u || full == ALL_FIELDS;
            if (formats[f] == WEIR_PARTICLE_FORMAT_NPY && !told) continue;
            write_and_read(*state, &cloud, formats[f], fields);
        }
    io_particles_free(&cloud);
}

/* Gives a cloud a scalar, a vector and a pair. */
static void add_attributes(io_particles *cloud)
{
    base_attributes_add(&cloud->attributes, "dye", 1);
    base_attributes_add(&cloud->attributes, "tint", 3);
    base_attributes_add(&cloud->attributes, "uv", 2);
    cloud->attribute_values = base_alloc(cloud->count, 6 * sizeof(float));
    for (uint32_t i = 0; i < 6 * cloud->count; i++)
        cloud->attribute_values[i] = 0.5f + (float)i / 7.0f;
}

static void every_format_returns_attributes_by_name(void **state)
{
    scratch *s = *state;
    io_particles cloud, back;
    base_attributes wanted = {0};
    cloud_make(&cloud, 50);
    add_attributes(&cloud);
    /* in another order, and one that no file has */
    base_attributes_add(&wanted, "uv", 2);
    base_attributes_add(&wanted, "heat", 1);
    base_attributes_add(&wanted, "tint", 3);
    base_attributes_add(&wanted, "dye", 1);
    for (size_t f = 0; f < BASE_COUNT(formats); f++) {
        io_particles_write_def def = {scratch_path(s, io_format_extension(formats[f])), formats[f],
                                      ALL_FIELDS, 0.0125f};
        assert_int_equal(io_particles_write(&s->log, &cloud, &def), WEIR_OK);
        assert_int_equal(io_particles_read(&s->log, def.path, &back), WEIR_OK);
        assert_null(back.attribute_values);
        assert_array(back.density, cloud.density, 50 * sizeof(float));
        io_particles_free(&back);
        assert_int_equal(io_particles_read_attributes(&s->log, def.path, &wanted, &back), WEIR_OK);
        assert_int_equal(back.attributes_read, 13);
        assert_array(back.id, cloud.id, 50 * sizeof(uint32_t));
        for (uint32_t i = 0; i < 50; i++) {
            const float *from = cloud.attribute_values + 6 * i, *to = back.attribute_values + 7 * i;
            assert_memory_equal(to, from + 4, 8); /* uv */
            assert_true(to[2] == 0.0f);
            assert_memory_equal(to + 3, from + 1, 12); /* tint */
            assert_true(to[6] == from[0]);
        }
        io_particles_free(&back);
    }
    io_particles_write_def raw = {scratch_path(s, "raw"), WEIR_PARTICLE_FORMAT_RAW, ALL_FIELDS, 0};
    assert_int_equal(io_particles_write(&s->log, &cloud, &raw), WEIR_OK);
    assert_message_has(s, "the attributes are left out (dye, tint, uv)");
    io_particles_free(&cloud);
}

static void a_frame_larger_than_the_buffers_returns(void **state)
{
    io_particles cloud;
    cloud_make(&cloud, 60000);
    for (size_t f = 0; f < BASE_COUNT(formats); f++)
        write_and_read(*state, &cloud, formats[f], ALL_FIELDS);
    io_particles_free(&cloud);
}

static void extreme_numbers_return_bit_for_bit(void **state)
{
    vec3 position[] = {{3.4028235e38f, -3.4028235e38f, 1.17549435e-38f},
                       {1.4e-45f, -0.0f, 16777217.0f},
                       {0.1f, 1.0f / 3.0f, -1e-20f}};
    uint32_t id[] = {0, 0x80000001u, UINT32_MAX};
    io_particles cloud = {.count = 3, .position = position, .id = id, .time_s = 0};
    for (size_t f = 0; f < BASE_COUNT(formats); f++) {
        uint32_t fields = formats[f] == WEIR_PARTICLE_FORMAT_NPY ? 1u : 1u | 1u << WEIR_FIELD_ID;
        write_and_read(*state, &cloud, formats[f], fields);
    }
}

static void fields_without_an_array_are_left_out(void **state)
{
    scratch *s = *state;
    vec3 position[] = {{1, 2, 3}};
    io_particles cloud = {.count = 1, .position = position}, back;
    for (size_t f = 0; f < BASE_COUNT(formats); f++) {
        io_particles_write_def def = {scratch_path(s, "bare"), formats[f], ALL_FIELDS, 0};
        assert_int_equal(io_particles_write(&s->log, &cloud, &def), WEIR_OK);
        assert_int_equal(io_particles_read(&s->log, def.path, &back), WEIR_OK);
        assert_null(back.velocity);
        assert_null(back.id);
        assert_memory_equal(back.position, position, sizeof position);
        io_particles_free(&back);
    }
}

static void ids_that_npy_rounds_are_warned_of(void **state)
{
    scratch *s = *state;
    vec3 position[] = {{1, 2, 3}};
    uint32_t id[] = {16777217};
    io_particles cloud = {.count = 1, .position = position, .id = id};
    io_particles_write_def def = {scratch_path(s, "a.npy"), WEIR_PARTICLE_FORMAT_NPY, ALL_FIELDS,
                                  0};
    assert_int_equal(io_particles_write(&s->log, &cloud, &def), WEIR_OK);
    assert_message_has(s, "ids above 16777216");
}

static void raw_files_are_triples_of_little_endian_floats(void **state)
{
    static const vec3 position[] = {{1, -2, 0.5f}, {0.1f, 0, -0.0f}};
    static const uint8_t bytes[] = {0,    0,    0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f,
                                    0xcd, 0xcc, 0xcc, 0x3d, 0, 0, 0, 0,    0, 0, 0, 0x80};
    scratch *s = *state;
    io_particles cloud = {.position = (vec3 *)position};
    for (cloud.count = 0; cloud.count <= 2; cloud.count++) {
        base_blob blob;
        io_particles_write_def def = {scratch_path(s, "a.raw"), WEIR_PARTICLE_FORMAT_RAW, 1, 0.5f};
        assert_int_equal(io_particles_write(&s->log, &cloud, &def), WEIR_OK);
        assert_int_equal(base_file_read(&s->log, def.path, 100, &blob), WEIR_OK);
        assert_int_equal(blob.size, 12 * cloud.count);
        assert_memory_equal(blob.bytes, bytes, blob.size);
        base_blob_free(&blob);
    }
}

static void raw_files_return_their_positions(void **state)
{
    static const uint32_t counts[] = {0, 1, 1000, 60000};
    scratch *s = *state;
    for (size_t c = 0; c < BASE_COUNT(counts); c++) {
        io_particles cloud, back;
        cloud_make(&cloud, counts[c]);
        io_particles_write_def def = {scratch_path(s, "b.raw"), WEIR_PARTICLE_FORMAT_RAW,
                                      ALL_FIELDS, 0.5f};
        assert_int_equal(io_particles_write(&s->log, &cloud, &def), WEIR_OK);
        assert_int_equal(io_particles_read(&s->log, def.path, &back), WEIR_OK);
        assert_int_equal(back.count, counts[c]);
        assert_array(back.position, cloud.position, counts[c] * sizeof(vec3));
        assert_true(!back.velocity && !back.id && !back.fluid && !back.density);
        io_particles_free(&back);
        io_particles_free(&cloud);
    }
}

static void a_folder_that_is_missing_is_an_error(void **state)
{
    scratch *s = *state;
    io_particles cloud;
    cloud_make(&cloud, 3);
    for (size_t f = 0; f < BASE_COUNT(formats); f++) {
        io_particles_write_def def = {scratch_path(s, "missing/frame"), formats[f], ALL_FIELDS, 0};
        s->message[0] = 0;
        assert_int_equal(io_particles_write(&s->log, &cloud, &def), WEIR_ERROR_IO);
        assert_message_has(s, "missing");
    }
    io_particles_free(&cloud);
}

/* ---- files in the style of other programs --------------------------------------------------- */

typedef struct sample {
    const char *name;
    const char *text;
    bool velocity, id;
} sample;

/* All contain two particles: (1, 2, 3) and (-0.5, 0.25, 4), velocities (0, -1, 0) and (0, 0, 2),
   and ids 7 and 9 where the format has ids. */
static const sample samples[] = {
    {"spaces.xyz", "1 2 3\n-0.5 0.25 4\n", false, false},
    {"tabs.xyz", "\n1\t2\t3\r\n  -5e-1\t.25 4.", false, false},
    {"commas.xyz", "1,2,3,0,-1,0\n-0.5, 0.25, 4, 0, 0, 2\n", true, false},
    {"comments.xyz", "# made by hand\n1 2 3\n\n# more\n-0.5 0.25 4\n", false, false},
    {"named.csv", "x,y,z,radius,ID\n1,2,3,big,7\n-0.5,0.25,4,small,9\n", false, true},
    {"bare.csv", "1,2,3\n-0.5,0.25,4\n", false, false},
    {"dual.csv",
     "\xef\xbb\xbf RunPARTs of a dam break\r\n\r\n"
     "Pos.x [m];Pos.y [m];Pos.z [m];Idp;Vel.x [m/s];Vel.y [m/s];Vel.z [m/s];Rhop [kg/m^3];Type;\r\n"
     "1;2;3;7;0;-1;0;1000;3;\r\n9;9;9;8;0;0;0;1000;0;\r\n-0.5;0.25;4;9;0;0;2;999;3;\r\n",
     true, true},
    {"paraview.csv",
     "\"id\",\"Velocity:0\",\"Velocity:1\",\"Velocity:2\",\"Points:0\",\"Points:1\",\"Points:2\"\n"
     "7,0,-1,0,1,2,3\n9,0,0,2,-0.5,0.25,4\n",
     true, true},
    {"sheet.csv",
     "name\tX (m)\tY (m)\tZ (m)\n# made by hand\n\"a\tb\"\t1\t2\t3\nc\t -0.5\t0.25\t4\n", false,
     false},
    {"marked.xyz", "# x y z id vx vy vz\n1 2 3 7 0 -1 0\n-0.5 0.25 4 9 0 0 2\n", true, true},
    {"count.xyz", "2\n1 2 3\n-0.5 0.25 4\n", false, false},
    {"chemical.xyz", "2\nwater, 300 K\nO 1 2 3\nH -0.5 0.25 4\n", false, false},
    {"blank_remark.xyz", "2\n\nO 1 2 3\nH -0.5 0.25 4\n", false, false},
    {"plain.ply",
     "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
     "property float z\nend_header\n1 2 3\n-0.5 0.25 4\n",
     false, false},
    {"odd.ply",
     "ply\r\nformat ascii 1.0\r\ncomment vertex 9\r\nobj_info nan\r\nelement material 1\r\n"
     "property list uchar float k\r\nproperty int j\r\nelement vertex 2\r\nproperty double vz\r\n"
     "property float64 z\r\nproperty list int8 int tags\r\nproperty uint id\r\nproperty float32 "
     "y\r\n"
     "property float x\r\nproperty float vx\r\nproperty float vy\r\nproperty float odd\r\n"
     "element face 1\r\nproperty list uchar int vertex_indices\r\nend_header\r\n"
     "2 1.5 2.5 3\r\n0 3 0 7 2 1 0 -1 nan\r\n2 4 3 1 2 3 9 0.25 -0.5 0 0 0\r\n3 0 1 0\r\n",
     true, true},
    {"poly.vtk",
     "# vtk DataFile Version 3.0\nby hand\nASCII\nDATASET POLYDATA\nPOINTS 2 double\n"
     "1 2 3 -0.5\n0.25 4\nVERTICES 2 4\n1 0\n1 1\nPOINT_DATA 2\nSCALARS id int\n"
     "LOOKUP_TABLE default\n7 9\nVECTORS velocity float\n0 -1 0\n0 0 2\n",
     true, true},
    {"fields.vtk",
     "# vtk DataFile Version 5.1\nby hand\nASCII\nDATASET UNSTRUCTURED_GRID\n"
     "FIELD FieldData 2\nTimeValue 1 1 double\n0.5\nnotes 1 2 string\nfirst note\nsecond\n"
     "POINTS 2 float\n1 2 3 -0.5 0.25 4\nMETADATA\nINFORMATION 0\n\n"
     "CELLS 3 2\nOFFSETS vtktypeint64\n0 1 2\nCONNECTIVITY vtktypeint64\n0 1\n"
     "CELL_TYPES 2\n1\n1\nCELL_DATA 2\nSCALARS id int 1\nLOOKUP_TABLE default\n1 2\n"
     "POINT_DATA 2\nNORMALS normals float\n0 0 1 nan nan nan\nFIELD FieldData 3\n"
     "v 3 2 float\n0 -1 0 0 0 2\nMETADATA\nCOMPONENT_NAMES\nx\ny\n\nid 1 2 vtkIdType\n7 9\n"
     "other 2 2 float\n1 2 3 4\n",
     true, true},
    {"upper.vtk",
     "# vtk DataFile Version 2.0\n\nascii\nDATASET unstructured_grid\nPOINTS 2 float\n"
     "1 2 3 -0.5 0.25 4\nPOINT_DATA 2\nCOLOR_SCALARS c 3\n0 0 0 1 1 1\n"
     "TEXTURE_COORDINATES t 2 float\n0 0 1 1\nTENSORS t double\n1 2 3 4 5 6 7 8 9\n"
     "1 2 3 4 5 6 7 8 9\nSCALARS s float 1\nLOOKUP_TABLE own\n1 2\nLOOKUP_TABLE own 2\n"
     "0 0 0 0 1 1 1 1\nVECTORS Vel float\n0 -1 0 0 0 2\nSCALARS ID unsigned_int 1\n"
     "LOOKUP_TABLE default\n7 9\n",
     true, true},
};

static void assert_is_sample(const io_particles *particles, const sample *sample)
{
    static const vec3 position[] = {{1, 2, 3}, {-0.5f, 0.25f, 4}};
    static const vec3 velocity[] = {{0, -1, 0}, {0, 0, 2}};
    static const uint32_t id[] = {7, 9};
    assert_int_equal(particles->count, 2);
    assert_memory_equal(particles->position, position, sizeof position);
    assert_array(particles->velocity, sample->velocity ? velocity : NULL, sizeof velocity);
    assert_array(particles->id, sample->id ? id : NULL, sizeof id);
}

static void samples_of_other_programs_are_read(void **state)
{
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(samples); i++) {
        io_particles particles;
        s->message[0] = 0;
        scratch_write_text(s, samples[i].name, samples[i].text);
        if (io_particles_read(&s->log, s->path, &particles) != WEIR_OK)
            fail_msg("%s: %s", samples[i].name, s->message);
        assert_is_sample(&particles, &samples[i]);
        if (strcmp(samples[i].name, "fields.vtk") == 0) assert_true(particles.time_s == 0.5);
        io_particles_free(&particles);
    }
}

static void put_big(uint8_t *to, const void *value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = ((const uint8_t *)value)[size - 1 - i];
}

static void binary_ply_of_both_orders_converts_types(void **state)
{
    scratch *s = *state;
    static const sample wanted = {"", "", false, true};
    static const double x[] = {1, -0.5};
    static const float y[] = {2, 0.25f};
    static const int16_t z[] = {3, 4}, id[] = {7, 9};
    for (int big = 0; big < 2; big++) {
        uint8_t bytes[512];
        io_particles particles;
        size_t size = (size_t)snprintf((char *)bytes, sizeof bytes,
                                       "ply\nformat binary_%s_endian 1.0\nelement vertex 2\n"
                                       "property list uchar ushort tags\nproperty double x\n"
                                       "property int16 z\nproperty float y\nproperty short id\n"
                                       "end_header\n",
                                       big ? "big" : "little");
        for (size_t i = 0; i < 2; i++) {
            bytes[size] = (uint8_t)i; /* no tags, then one */
            size += 1 + 2 * i;
            uint8_t *row = bytes + size;
            memcpy(row, &x[i], 8), memcpy(row + 8, &z[i], 2);
            memcpy(row + 10, &y[i], 4), memcpy(row + 14, &id[i], 2);
            if (big) put_big(row, &x[i], 8), put_big(row + 8, &z[i], 2);
            if (big) put_big(row + 10, &y[i], 4), put_big(row + 14, &id[i], 2);
            size += 16;
        }
        scratch_write(s, "two.ply", bytes, size);
        assert_int_equal(io_particles_read(&s->log, s->path, &particles), WEIR_OK);
        assert_is_sample(&particles, &wanted);
        io_particles_free(&particles);
    }
}

static void binary_vtk_skips_strings_and_bits(void **state)
{
    scratch *s = *state;
    static const sample wanted = {"", "", false, false};
    static const char text[] =
        "# vtk DataFile Version 4.2\nt\nBINARY\nDATASET POLYDATA\nFIELD FieldData 2\n"
        "names 1 2 string\n\xc2"
        "ab\x80\x01z\nflags 1 9 bit\n\xff\x80\nPOINTS 2 float\n"
        "\x3f\x80\0\0\x40\0\0\0\x40\x40\0\0\xbf\0\0\0\x3e\x80\0\0\x40\x80\0\0\n";
    io_particles particles;
    scratch_write(s, "strings.vtk", text, sizeof text - 1);
    if (io_particles_read(&s->log, s->path, &particles) != WEIR_OK) fail_msg("%s", s->message);
    assert_is_sample(&particles, &wanted);
    io_particles_free(&particles);
}

static void npy_of_doubles_in_any_byte_order_is_read(void **state)
{
    scratch *s = *state;
    static const double values[] = {1, 2, 3, -0.5, 0.25, 4};
    static const sample wanted = {"", "", false, false};
    for (int big = 0; big < 2; big++) {
        uint8_t bytes[256] = "\x93NUMPY\x02\x00";
        io_particles particles;
        int header = snprintf((char *)bytes + 12, 128,
                              "{\"shape\":(2,3), 'fortran_order' : False,'descr':'%cf8'}\n",
                              big ? '>' : '<');
        bytes[8] = (uint8_t)header;
        uint8_t *data = bytes + 12 + header;
        memcpy(data, values, sizeof values);
        for (size_t i = 0; big && i < 6; i++)
            put_big(data + 8 * i, &values[i], 8);
        scratch_write(s, "doubles.npy", bytes, (size_t)(data - bytes) + sizeof values);
        assert_int_equal(io_particles_read(&s->log, s->path, &particles), WEIR_OK);
        assert_is_sample(&particles, &wanted);
        io_particles_free(&particles);
    }
}

static void plain_bgeo_with_strings_and_primitives_is_read(void **state)
{
    scratch *s = *state;
    static const sample wanted = {"", "", false, true};
    static const char bytes[] =
        "BgeoV\0\0\0\x05\0\0\0\x02\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0"
        "\0\x04"
        "kind\0\x01\0\0\0\x04\0\0\0\x02\0\x03"
        "one\0\x03"
        "two"
        "\0\x02id\0\x01\0\0\0\x01\0\0\0\0"
        "\x3f\x80\0\0\x40\0\0\0\x40\x40\0\0\x3f\x80\0\0\0\0\0\x01\0\0\0\x07"
        "\xbf\0\0\0\x3e\x80\0\0\x40\x80\0\0\x3f\x80\0\0\0\0\0\0\0\0\0\x09"
        "\0\0\x80\0\0\0\0\x02\0\0\0\x01";
    io_particles particles;
    scratch_write(s, "plain.bgeo", bytes, sizeof bytes - 1);
    if (io_particles_read(&s->log, s->path, &particles) != WEIR_OK) fail_msg("%s", s->message);
    assert_is_sample(&particles, &wanted);
    io_particles_free(&particles);
}

/* ---- the exact bytes ------------------------------------------------------------------------ */

static void xyz_text_is_short_and_named(void **state)
{
    scratch *s = *state;
    vec3 position[] = {{0.1f, -2, 1e-7f}};
    uint32_t id[] = {12};
    base_blob blob;
    io_particles cloud = {.count = 1, .position = position, .id = id, .time_s = 0.04};
    io_particles_write_def def = {scratch_path(s, "a.xyz"), WEIR_PARTICLE_FORMAT_XYZ, ALL_FIELDS,
                                  0};
    assert_int_equal(io_particles_write(&s->log, &cloud, &def), WEIR_OK);
    assert_int_equal(base_file_read(&s->log, def.path, 1000, &blob), WEIR_OK);
    static const char wanted[] = "# time_s=0.04\n# x y z id\n0.1 -2 1e-7 12\n";
    assert_int_equal(blob.size, sizeof wanted - 1);
    assert_memory_equal(blob.bytes, wanted, blob.size);
    base_blob_free(&blob);
}

static void series_lists_names_and_times_as_json(void **state)
{
    scratch *s = *state;
    static const char *const names[] = {"particles_0001.vtk", "a \"b\\c\".vtk"};
    static const double times[] = {0, 1.0 / 60};
    base_blob blob;
    scratch_path(s, "particles.vtk.series");
    assert_int_equal(io_series_write(&s->log, s->path, names, times, 2), WEIR_OK);
    assert_int_equal(base_file_read(&s->log, s->path, 1000, &blob), WEIR_OK);
    static const char wanted[] =
        "{\n  \"file-series-version\" : \"1.0\",\n  \"files\" : [\n"
        "    { \"name\" : \"particles_0001.vtk\", \"time\" : 0 },\n"
        "    { \"name\" : \"a \\\"b\\\\c\\\".vtk\", \"time\" : 0.016666667 }"
        "\n  ]\n}\n";
    assert_int_equal(blob.size, sizeof wanted - 1);
    assert_memory_equal(blob.bytes, wanted, blob.size);
    base_blob_free(&blob);
}

/* Whatever fields a run writes, its frames can be read again. */
static void every_choice_of_fields_is_read_back_from_every_format(void **state)
{
    scratch *s = *state;
    io_particles cloud;
    cloud_make(&cloud, 5);
    for (weir_particle_format format = 0; format < WEIR_PARTICLE_FORMAT_COUNT; format++)
        for (uint32_t fields = 0; fields <= ALL_FIELDS; fields++) {
            io_particles read;
            char path[128];
            snprintf(path, sizeof path, "%s/fields.%s", s->folder, io_format_extension(format));
            io_particles_write_def def = {path, format, fields, 0.01f};
            assert_int_equal(io_particles_write(&s->log, &cloud, &def), WEIR_OK);
            if (io_particles_read(&s->log, path, &read) != WEIR_OK)
                fail_msg("fields %u: %s", fields, s->message);
            assert_int_equal(read.count, cloud.count);
            for (uint32_t i = 0; i < read.count; i++)
                assert_float_equal(read.position[i].y, cloud.position[i].y, 1e-6);
            bool velocity = fields >> WEIR_FIELD_VELOCITY & 1u;
            if (velocity && io_format_has_fields(format))
                assert_memory_equal(read.velocity, cloud.velocity, sizeof(vec3));
            io_particles_free(&read);
        }
    io_particles_free(&cloud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_choice_of_fields_is_read_back_from_every_format),
        cmocka_unit_test(every_format_returns_all_fields),
        cmocka_unit_test(every_format_returns_every_choice_of_fields),
        cmocka_unit_test(every_format_returns_attributes_by_name),
        cmocka_unit_test(a_frame_larger_than_the_buffers_returns),
        cmocka_unit_test(extreme_numbers_return_bit_for_bit),
        cmocka_unit_test(fields_without_an_array_are_left_out),
        cmocka_unit_test(ids_that_npy_rounds_are_warned_of),
        cmocka_unit_test(raw_files_are_triples_of_little_endian_floats),
        cmocka_unit_test(raw_files_return_their_positions),
        cmocka_unit_test(a_folder_that_is_missing_is_an_error),
        cmocka_unit_test(samples_of_other_programs_are_read),
        cmocka_unit_test(binary_ply_of_both_orders_converts_types),
        cmocka_unit_test(binary_vtk_skips_strings_and_bits),
        cmocka_unit_test(npy_of_doubles_in_any_byte_order_is_read),
        cmocka_unit_test(plain_bgeo_with_strings_and_primitives_is_read),
        cmocka_unit_test(xyz_text_is_short_and_named),
        cmocka_unit_test(series_lists_names_and_times_as_json),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}

/* LAMMPS' dumps, XYZ of chemistry and arrays of numpy: boxes, frames, and what is refused. */
#include "io_support.h"

#include "hdf5.h"

static io_particles read_text(scratch *s, const char *name, const char *text)
{
    io_particles particles;
    scratch_write_text(s, name, text);
    if (io_particles_read(&s->log, s->path, &particles) != WEIR_OK)
        fail_msg("%s: %s", name, s->message);
    return particles;
}

static void check_first(scratch *s, const char *name, const char *text, vec3 place)
{
    io_particles p = read_text(s, name, text);
    if (p.count != 2 || vec3_length(vec3_sub(p.position[0], place)) > 1e-6f)
        fail_msg("%s: %u particles, the first at %g %g %g", name, p.count, (double)p.position[0].x,
                 (double)p.position[0].y, (double)p.position[0].z);
    io_particles_free(&p);
}

#define HEAD "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n2\n"
#define BOX "ITEM: BOX BOUNDS pp pp pp\n-1 1\n0 4\n0 8\n"
/* bounds of a box from (-1, 0, 0) with edges (2, 0, 0), (0.5, 4, 0) and (-1, 2, 8) */
#define TILTED "ITEM: BOX BOUNDS xy xz yz pp pp pp\n-2 1.5 0.5\n0 6 -1\n0 8 2\n"
#define GENERAL "ITEM: BOX BOUNDS abc origin pp pp pp\n0 2 0 -1\n0 0 4 0\n8 0 0 0\n"

static void parts_of_a_box_become_coordinates(void **state)
{
    static const char rows[] = "ITEM: ATOMS id xs ys zs\n1 0.25 0.5 0.75\n2 0 0 0\n";
    char text[512];
    snprintf(text, sizeof text, HEAD BOX "%s", rows);
    check_first(*state, "a.lammpstrj", text, vec3_make(-0.5f, 2, 6));
    snprintf(text, sizeof text, HEAD TILTED "%s", rows);
    check_first(*state, "a.dump", text, vec3_make(-1 + 0.5f + 0.25f - 0.75f, 2 + 1.5f, 6));
    snprintf(text, sizeof text, HEAD GENERAL "%s", rows);
    check_first(*state, "a.lammps", text, vec3_make(-1 + 6, 0.5f, 2));
    /* plain coordinates are preferred */
    check_first(*state, "a.dump", HEAD BOX "ITEM: ATOMS xs ys zs x y z\n0 0 0 5 6 7\n0 0 0 1 1 1\n",
                vec3_make(5, 6, 7));
}

static void the_first_of_several_frames_is_read_with_a_word(void **state)
{
    scratch *s = *state;
    s->message[0] = '\0';
    check_first(s, "a.dump",
                HEAD BOX "ITEM: ATOMS x y z\n1 2 3\n4 5 6\n" HEAD BOX
                         "ITEM: ATOMS x y z\n7 8 9\n1 1 1\n",
                vec3_make(1, 2, 3));
    assert_message_has(s, "more than one snapshot; only the first, of timestep 7, is read");
    check_first(s, "a.xyz", "2\nstep 1\nO 1 2 3\nO 4 5 6\n2\nstep 2\nO 7 8 9\nO 1 1 1\n",
                vec3_make(1, 2, 3));
    assert_message_has(s, "more than one frame; only the first, of 2 particles, is read");
}

static void xyz_of_chemistry_has_types_and_properties(void **state)
{
    scratch *s = *state;
    check_first(s, "a.xyz", "2\nAtoms. Timestep: 0\n1 1 2 3\n2 4 5 6\n", vec3_make(1, 2, 3));
    /* forces are no velocities */
    io_particles p = read_text(s, "a.xyz",
                               "2\nProperties=species:S:1:pos:R:3:forces:R:3 pbc=\"T T T\"\n"
                               "O 1 2 3 9 9 9\nO 4 5 6 9 9 9\n");
    assert_int_equal(p.count, 2);
    assert_null(p.velocity);
    assert_true(p.position[1].z == 6.0f);
    io_particles_free(&p);
    p = read_text(s, "a.xyz",
                  "2\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=id:I:1:vel:R:3:pos:R:3\n"
                  "7 3 2 1 1 2 3\n8 6 5 4 4 5 6\n");
    assert_true(p.velocity && p.velocity[0].x == 3.0f && p.position[0].x == 1.0f);
    assert_int_equal(p.id[1], 8);
    io_particles_free(&p);
}

static void normals_and_colours_are_no_velocities(void **state)
{
    io_particles p = read_text(*state, "a.xyzn", "1 2 3 0 0 1\n4 5 6 0 0 1\n");
    assert_null(p.velocity);
    io_particles_free(&p);
    /* a comment that only mentions x, y and z names no columns */
    p = read_text(*state, "a.asc", "1 2 3 255 0 0\n4 5 6 0 255 0\n");
    assert_null(p.velocity);
    io_particles_free(&p);
    p = read_text(*state, "a.csv", "x y z vx vy vz\n1 2 3 4 5 6\n");
    assert_true(p.velocity && p.velocity[0].x == 4.0f);
    io_particles_free(&p);
    p = read_text(*state, "a.xyz", "# positions x y z, in metres\n1 2 3\n4 5 6\n");
    assert_int_equal(p.count, 2);
    io_particles_free(&p);
}

/* Columns of one name belong together. */
static void a_position_has_one_name(void **state)
{
    check_first(*state, "a.csv", "x,Points:0,Points:1,Points:2,vx,U\n9,1,2,3,9,9\n9,4,5,6,9,9\n",
                vec3_make(1, 2, 3));
    check_first(*state, "a.csv",
                "\"Position[X] (m)\";\"Position[Y] (m)\";\"Position[Z] (m)\"\n1;2;3\n4;5;6\n",
                vec3_make(1, 2, 3));
}

static void packed_text_is_read(void **state)
{
    /* gzip of "1 2 3\n4 5 6\n", stored */
    static const uint8_t bytes[] = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x01\x0c\x00\xf3\xff"
                                   "1 2 3\n4 5 6\n"
                                   "\x02\xb4\x5b\xfb\x0c\x00\x00\x00";
    scratch *s = *state;
    io_particles p;
    scratch_write(s, "a.xyz.gz", bytes, sizeof bytes - 1);
    if (io_particles_read(&s->log, s->path, &p) != WEIR_OK) fail_msg("%s", s->message);
    assert_int_equal(p.count, 2);
    io_particles_free(&p);
}

static void wrong_snapshots_are_refused_with_their_place(void **state)
{
    static const char *const cases[][2] = {
        {"ITEM: TIMESTEP\nx\n", "a.dump:2:1: the timestep is \"x\"; expected a whole number"},
        {"ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n-2\n",
         "a.dump:4:1: the number of atoms is \"-2\""},
        {HEAD BOX, "the file ends without \"ITEM: ATOMS\"; it is cut off"},
        {HEAD "ITEM: BOX BOUNDS pp pp pp\n-1\n",
         "1 numbers on this line; a bound of the box needs 2"},
        {HEAD "ITEM: ATOMS xs ys zs\n0 0 0\n0 0 0\n", "\"ITEM: BOX BOUNDS\" is missing"},
        {HEAD BOX "ITEM: ATOMS id type\n1 1\n1 1\n",
         "the columns are \" id type\"; expected x y z, xu yu zu"},
        {HEAD BOX "ITEM: ATOMS x y z\n1 2 3.00\n4 5\n",
         "a.dump:11:4: 2 columns; the line \"ITEM: ATOMS\" names 3"},
        {HEAD BOX "ITEM: ATOMS x y z\n1 2 3\n4 5 6 7\n", "a.dump:11:7: more columns than the 3"},
        {HEAD BOX "ITEM: ATOMS x y z\n1 2 3.00000\n",
         "\"ITEM: NUMBER OF ATOMS\" says 2, but 1 follow"},
        {HEAD BOX "ITEM: ATOMS x y z\n1 2 3\n4 5 6\n7 8 9\n",
         "a.dump:12:1: more particles than the 2"},
        {HEAD BOX "ITEM: ATOMS x y z\n1 2 z\n4 5 6\n", "a.dump:10:5: \"z\" is not a number"},
        {HEAD BOX "ITEM: ENTRIES c_1[1]\n1\n", "\"ITEM: ENTRIES c_1[1]\"; expected TIMESTEP"},
    };
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        io_particles p;
        scratch_write_text(s, "a.dump", cases[i][0]);
        assert_int_equal(io_particles_read(&s->log, s->path, &p), WEIR_ERROR_IO);
        assert_message_has(s, cases[i][1]);
    }
}

/* ---- archives ------------------------------------------------------------------------------- */

/* Changes one byte of a file of the corpus. */
static void check_changed(scratch *s, const char *file, size_t at, uint8_t value,
                          const char *message)
{
    base_blob blob;
    io_particles p;
    assert_int_equal(base_file_read(&s->log, file, 100000, &blob), WEIR_OK);
    assert_true(at < blob.size);
    blob.bytes[at] = value;
    scratch_write(s, "a.npz", blob.bytes, blob.size);
    assert_int_equal(io_particles_read(&s->log, s->path, &p), WEIR_ERROR_IO);
    assert_message_has(s, message);
    base_blob_free(&blob);
}

/* Returns where the first `mark` after `from` stands in a file. */
static size_t find_mark(scratch *s, const char *file, const char *mark, size_t from)
{
    base_blob blob;
    size_t at = from;
    assert_int_equal(base_file_read(&s->log, file, 100000, &blob), WEIR_OK);
    while (at + 4 < blob.size && memcmp(blob.bytes + at, mark, 4) != 0)
        at++;
    base_blob_free(&blob);
    return at;
}

static void damaged_archives_are_refused(void **state)
{
    static const char plain[] = "tests/foreign/particles/numpy_names.npz";
    static const char packed[] = "tests/foreign/particles/numpy_packed.npz";
    scratch *s = *state;
    const size_t entry = find_mark(s, plain, "PK\1\2", 0), end = find_mark(s, plain, "PK\5\6", 0);
    check_changed(s, plain, 200, 1, "\"positions.npy\" is damaged: its checksum is wrong");
    check_changed(s, plain, end, 0, "the list of files at the end of the ZIP archive is missing");
    check_changed(s, plain, entry, 0, "expected an entry of the ZIP archive's list of files");
    check_changed(s, plain, entry + 8, 1, "\"positions.npy\" is encrypted");
    check_changed(s, plain, entry + 10, 12, "\"positions.npy\" is compressed by method 12");
    check_changed(s, plain, entry + 20, 0, "\"positions.npy\" is stored, but its two sizes differ");
    check_changed(s, plain, entry + 42, 9,
                  "\"positions.npy\" is not where the ZIP archive's list says");
    check_changed(s, packed, find_mark(s, packed, "PK\1\2", 0) + 24, 0,
                  "a compressed block does not have");
}

/* A particle with a damaged number is skipped; a file that is cut off is refused. */
static void damaged_hdf5_is_refused(void **state)
{
    static const uint8_t quarter[8] = {0, 0, 0, 0, 0, 0, 0xd0, 0x3f}; /* 0.25, the first x */
    scratch *s = *state;
    base_blob blob;
    io_particles p;
    size_t at = 0;
    if (!can_be_read("a.h5")) return;
    assert_int_equal(base_file_read(&s->log, "tests/foreign/particles/h5py_root.h5", 100000, &blob),
                     WEIR_OK);
    while (at + 8 < blob.size && memcmp(blob.bytes + at, quarter, 8) != 0)
        at++;
    blob.bytes[at + 6] = 0xf8, blob.bytes[at + 7] = 0x7f;
    scratch_write(s, "a.h5", blob.bytes, blob.size);
    assert_int_equal(io_particles_read(&s->log, s->path, &p), WEIR_OK);
    assert_int_equal(p.count, 23);
    io_particles_free(&p);
    assert_message_has(s, "1 of 24 particles has a number that is not finite, here x is nan");
    scratch_write(s, "a.h5", blob.bytes, blob.size / 2);
    assert_int_equal(io_particles_read(&s->log, s->path, &p), WEIR_ERROR_IO);
    assert_message_has(s, "a.h5: libhdf5 cannot open it: it is damaged, cut off, or open");
    base_blob_free(&blob);
}

static void tables_without_a_header_say_what_is_missing(void **state)
{
    scratch *s = *state;
    io_particles p;
    scratch_write_text(s, "a.csv", "x,y,vx,vy\n1,2,0,0\n");
    assert_int_equal(io_particles_read(&s->log, s->path, &p), WEIR_ERROR_IO);
    assert_message_has(s,
                       "a.csv:1:1: no header among the first 100 lines names x, y and z; the first "
                       "line is \"x,y,vx,vy\"");
}

static void hdf5_without_its_library_says_how_to_get_it(void **state)
{
    static const char *const names[] = {"libhdf5_no_such.so"};
    scratch *s = *state;
    hdf5_library library = {0};
    const io_reader reader = {.log = &s->log, .path = "a.h5"};
    assert_int_equal(hdf5_load_named(&reader, names, 1, &library), WEIR_ERROR_UNSUPPORTED);
    assert_message_has(s, "a.h5: this is HDF5, but no libhdf5 is installed: install libhdf5 1.10");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_a_box_become_coordinates),
        cmocka_unit_test(the_first_of_several_frames_is_read_with_a_word),
        cmocka_unit_test(xyz_of_chemistry_has_types_and_properties),
        cmocka_unit_test(normals_and_colours_are_no_velocities),
        cmocka_unit_test(a_position_has_one_name),
        cmocka_unit_test(packed_text_is_read),
        cmocka_unit_test(wrong_snapshots_are_refused_with_their_place),
        cmocka_unit_test(damaged_archives_are_refused),
        cmocka_unit_test(damaged_hdf5_is_refused),
        cmocka_unit_test(tables_without_a_header_say_what_is_missing),
        cmocka_unit_test(hdf5_without_its_library_says_how_to_get_it),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}

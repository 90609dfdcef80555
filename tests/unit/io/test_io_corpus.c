/* The files of tests/foreign/corpus.tsv, as other programs write them: every file of particles
 * holds the same 24 particles, and every mesh the same trough. tests/foreign/make-corpus wrote them
 * and the table. */
#include "io_support.h"

#include "weir/mesh.h"

#define FOLDER "tests/foreign/"
#define COUNT 24u

typedef struct row {
    char file[64], writer[80], velocity[8], first_id[8], open_edges[8];
    double area, volume;
} row;

static row rows[512];
static size_t row_count;

/* Splits a line at its tabs, of which cells may be empty. */
static bool parse_row(char *line, row *row)
{
    char area[32], volume[32];
    int count =
        sscanf(line, "%63[^\t]\t%79[^\t]\t%7[^\t]\t%7[^\t]\t%7[^\t]\t%31[^\t]\t%31[^\t\n]",
               row->file, row->writer, row->velocity, row->first_id, row->open_edges, area, volume);
    row->area = atof(area);
    row->volume = atof(volume);
    return count == 7;
}

static void read_table(void)
{
    char line[512];
    FILE *file = fopen(FOLDER "corpus.tsv", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); /* the names of the columns */
    while (fgets(line, sizeof line, file) && row_count < BASE_COUNT(rows))
        assert_true(parse_row(line, &rows[row_count++]));
    fclose(file);
}

/* ---- particles ------------------------------------------------------------------------------ */

static bool is_near(vec3 a, double x, double y, double z)
{
    const double limit = 1e-6 * 4.0;
    return fabs((double)a.x - x) < limit && fabs((double)a.y - y) < limit &&
           fabs((double)a.z - z) < limit;
}

static void check_particle(const row *row, const io_particles *p, uint32_t at, uint32_t i)
{
    const double k = i;
    const vec3 x = p->position[at];
    if (!is_near(x, 0.25 + 0.125 * (i % 3), 0.125 * (i / 3 % 3) - 0.5 + k / 64, 1 + k / 16))
        fail_msg("%s: particle %u is at %g %g %g", row->file, i, (double)x.x, (double)x.y,
                 (double)x.z);
    if (row->velocity[0] != 'y') return;
    const vec3 v = p->velocity[at];
    if (!is_near(v, 0.5 * k - 2, 0.25, -k / 8))
        fail_msg("%s: particle %u has the velocity %g %g %g", row->file, i, (double)v.x,
                 (double)v.y, (double)v.z);
}

static void check_particles(scratch *s, const row *row)
{
    char path[128];
    io_particles p;
    uint32_t seen = 0;
    snprintf(path, sizeof path, FOLDER "%s", row->file);
    if (!can_be_read(path)) return;
    if (io_particles_read(&s->log, path, &p) != WEIR_OK) fail_msg("%s: %s", row->file, s->message);
    if (p.count != COUNT) fail_msg("%s: %u particles", row->file, p.count);
    if ((p.velocity != NULL) != (row->velocity[0] == 'y'))
        fail_msg("%s: %s velocities", row->file, p.velocity ? "has" : "has no");
    const bool ids = row->first_id[0] != '-';
    if (ids && !p.id) fail_msg("%s: has no ids", row->file);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t number = ids ? p.id[i] - (uint32_t)atoi(row->first_id) : i;
        assert_true(number < COUNT);
        seen |= 1u << number;
        check_particle(row, &p, i, number);
    }
    assert_int_equal(seen, (1u << COUNT) - 1);
    if (io_file_kind(path) != WEIR_FILE_PARTICLES)
        fail_msg("%s: its first bytes do not tell that it holds particles", row->file);
    io_particles_free(&p);
}

static void particles_of_every_program_are_read(void **state)
{
    uint32_t checked = 0;
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].velocity[0] != '-') check_particles(*state, &rows[i]), checked++;
    assert_true(checked >= 60);
}

/* ---- meshes --------------------------------------------------------------------------------- */

static void check_mesh(scratch *s, const row *row)
{
    char path[128];
    weir_mesh_info info;
    snprintf(path, sizeof path, FOLDER "%s", row->file);
    if (weir_mesh_inspect(&s->log, path, &info) != WEIR_OK)
        fail_msg("%s: %s", row->file, s->message);
    if (fabs(info.area - row->area) > 1e-5 * row->area)
        fail_msg("%s: area %.9g; expected %.9g", row->file, info.area, row->area);
    if (fabs(info.volume - row->volume) > 1e-5 * row->volume)
        fail_msg("%s: volume %.9g; expected %.9g", row->file, info.volume, row->volume);
    if (info.boundary_edges != (uint32_t)atoi(row->open_edges))
        fail_msg("%s: %u open edges", row->file, info.boundary_edges);
    if (io_file_kind(path) != WEIR_FILE_MESH && !strstr(path, ".stl") && !strstr(path, ".gltf"))
        fail_msg("%s: its first bytes do not tell that it is a mesh", row->file);
}

static void meshes_of_every_program_are_read(void **state)
{
    uint32_t checked = 0;
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].velocity[0] == '-') check_mesh(*state, &rows[i]), checked++;
    assert_true(checked >= 50);
}

int main(void)
{
    read_table();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_of_every_program_are_read),
        cmocka_unit_test(meshes_of_every_program_are_read),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}

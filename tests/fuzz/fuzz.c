/* The table of targets, and the path of an input to its target. */
#define _XOPEN_SOURCE 700
#include "fuzz.h"

#include "io_internal.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- checksums ------------------------------------------------------------------------------ */

static void put64(uint8_t *to, uint64_t number)
{
    for (uint32_t i = 0; i < 8; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

/* Corrects the hash: no fuzzer finds one, so without this no input would pass the check. */
static void seal_state(uint8_t *bytes, size_t size)
{
    const size_t size_at = 24, least = 40;
    if (size < least) return;
    put64(bytes + size_at, size);
    put64(bytes + size - 8, base_hash64(bytes, size - 8, 0));
}

/* Corrects the checksum of an archive's stored files in its list of files. */
static void seal_entry(uint8_t *bytes, size_t size, uint8_t *entry)
{
    const uint64_t packed = io_load_bits(entry + 20, 4, false);
    const uint64_t local = io_load_bits(entry + 42, 4, false);
    if (local + 30 > size) return;
    const uint64_t data = local + 30 + io_load_bits(bytes + local + 26, 2, false) +
                          io_load_bits(bytes + local + 28, 2, false);
    if (data > size || packed > size - data) return;
    const uint32_t crc = io_crc32(bytes + data, (size_t)packed);
    for (uint32_t i = 0; i < 4; i++)
        entry[16 + i] = (uint8_t)(crc >> 8 * i);
}

static void seal_zip(uint8_t *bytes, size_t size)
{
    const size_t entry = 46;
    for (size_t at = 0; at + entry <= size; at++)
        if (memcmp(bytes + at, "PK\1\2", 4) == 0 && io_load_bits(bytes + at + 10, 2, false) == 0)
            seal_entry(bytes, size, bytes + at);
}

/* ---- targets -------------------------------------------------------------------------------- */

const fuzz_target fuzz_targets[] = {
    {"scene", "json", fuzz_scene, NULL},
    {"set", "txt", fuzz_set, NULL},
    {"run-json", "json", fuzz_run_json, NULL},
    {"script", "txt", fuzz_script, NULL},
    {"stats", "csv", fuzz_stats, NULL},
    {"obj", "obj", fuzz_mesh, NULL},
    {"stl", "stl", fuzz_mesh, NULL},
    {"ply-mesh", "ply", fuzz_mesh, NULL},
    {"vtk-mesh", "vtk", fuzz_mesh, NULL},
    {"vtp-mesh", "vtp", fuzz_mesh, NULL},
    {"bgeo-mesh", "bgeo", fuzz_mesh, NULL},
    {"ply", "ply", fuzz_particles, NULL},
    {"vtk", "vtk", fuzz_particles, NULL},
    {"vtu", "vtu", fuzz_particles, NULL},
    {"bgeo", "bgeo", fuzz_particles, NULL},
    {"xyz", "xyz", fuzz_particles, NULL},
    {"csv", "csv", fuzz_particles, NULL},
    {"npy", "npy", fuzz_particles, NULL},
    {"npz", "npz", fuzz_particles, seal_zip},
    {"lammps", "lammpstrj", fuzz_particles, NULL},
    {"hdf5", "h5", fuzz_particles, NULL},
    {"gltf", "gltf", fuzz_mesh, NULL},
    {"glb", "glb", fuzz_mesh, NULL},
    {"raw", "raw", fuzz_particles, NULL},
    {"hdr", "hdr", fuzz_radiance, NULL},
    {"bodies", "jsonl", fuzz_bodies, NULL},
    {"series", "vtk.series", fuzz_series, NULL},
    {"bench", "json", fuzz_bench, NULL},
    {"checkpoint", "weir", fuzz_checkpoint, seal_state},
    {"checkpoint-things", "weir", fuzz_checkpoint_things, seal_state},
    {"volume", "weir", fuzz_volume, seal_state},
    {"write-particles", "out", fuzz_write_particles, NULL},
    {"write-mesh", "out", fuzz_write_mesh, NULL},
    {"write-state", "out", fuzz_write_state, NULL},
};
const size_t fuzz_target_count = BASE_COUNT(fuzz_targets);

const fuzz_target *fuzz_find(const char *name)
{
    for (size_t i = 0; i < fuzz_target_count; i++)
        if (strcmp(fuzz_targets[i].name, name) == 0) return &fuzz_targets[i];
    return NULL;
}

/* ---- the file of an input ------------------------------------------------------------------- */

static char folder[64], path[96];

/* Uses a memory file system where there is one: a fuzzer writes millions of files. */
static void open_folder(void)
{
    if (folder[0]) return;
    strcpy(folder,
           base_path_is_folder("/dev/shm") ? "/dev/shm/weir-fuzz-XXXXXX" : "/tmp/weir-fuzz-XXXXXX");
    WEIR_ASSERT(mkdtemp(folder));
}

static void write_file(const char *extension, const uint8_t *bytes, size_t size)
{
    open_folder();
    snprintf(path, sizeof path, "%s/input.%s", folder, extension);
    FILE *file = fopen(path, "wb");
    WEIR_ASSERT(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

void fuzz_end(void)
{
    char **names;
    size_t count;
    if (!folder[0] || base_folder_list(NULL, folder, &names, &count) != WEIR_OK) return;
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        base_file_remove(NULL, path);
    }
    base_names_free(names, count);
    rmdir(folder);
    folder[0] = '\0';
}

/* ---- one input ------------------------------------------------------------------------------ */

static uint32_t messages;

static void hear(void *user, weir_log_level level, const char *text)
{
    (void)user, (void)level;
    WEIR_ASSERT(strlen(text) > 0);
    messages++;
}

const weir_log fuzz_log = {.write = hear, .level = WEIR_LOG_WARNING};

uint32_t fuzz_messages(void)
{
    return messages;
}

uint32_t fuzz_share = 1;

bool fuzz_is_chosen(const fuzz_input *input)
{
    return base_hash64(input->bytes, input->size, 0) % fuzz_share == 0;
}

bool fuzz_feed(const fuzz_target *target, const uint8_t *bytes, size_t size)
{
    /* A copy of exactly this size, so that the sanitizer detects a read past its end. */
    uint8_t *copy = base_alloc(size, 1);
    WEIR_ASSERT(copy);
    if (size) memcpy(copy, bytes, size);
    if (target->seal) target->seal(copy, size);
    write_file(target->extension, copy, size);
    messages = 0;
    bool accepted = target->try(&(fuzz_input){copy, size, path});
    WEIR_ASSERT(accepted || messages > 0);
    base_free(copy);
    return accepted;
}

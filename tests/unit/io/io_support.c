#include "io_support.h"

#include "hdf5.h"

static void scratch_keep_message(void *user, weir_log_level level, const char *text)
{
    scratch *s = user;
    (void)level;
    snprintf(s->message, sizeof s->message, "%s", text);
}

int scratch_setup(void **state)
{
    scratch *s = calloc(1, sizeof *s);
    strcpy(s->folder, "/tmp/weir_io_XXXXXX");
    if (!make_test_folder(s->folder)) return -1;
    s->log = (weir_log){scratch_keep_message, s, WEIR_LOG_WARNING};
    *state = s;
    return 0;
}

int scratch_teardown(void **state)
{
    scratch *s = *state;
    char **names;
    size_t count;
    if (base_folder_list(NULL, s->folder, &names, &count) != WEIR_OK) return -1;
    for (size_t i = 0; i < count; i++) {
        char *path = base_path_join(s->folder, names[i]);
        base_file_remove(NULL, path);
        base_free(path);
    }
    base_names_free(names, count);
    int status = rmdir(s->folder);
    free(s);
    return status;
}

const char *scratch_path(scratch *s, const char *name)
{
    snprintf(s->path, sizeof s->path, "%s/%s", s->folder, name);
    return s->path;
}

const char *scratch_write(scratch *s, const char *name, const void *bytes, size_t size)
{
    remove(scratch_path(s, name));
    FILE *file = fopen(s->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return s->path;
}

const char *scratch_write_text(scratch *s, const char *name, const char *text)
{
    return scratch_write(s, name, text, strlen(text));
}

void assert_message_has(const scratch *s, const char *part)
{
    if (strstr(s->message, part)) return;
    fail_msg("the message\n  %s\nhas no \"%s\"", s->message, part);
}

bool can_be_read(const char *path)
{
    static const char *const kinds[] = {"h5", "hdf5", "vtkhdf", "mat"};
    const weir_log silent = {0};
    const io_reader reader = {.log = &silent, .path = path};
    const hdf5_library *library;
    bool is_hdf5 = false;
    for (size_t i = 0; i < BASE_COUNT(kinds); i++)
        is_hdf5 |= base_is_same_word(base_path_extension(path), kinds[i]);
    if (!is_hdf5 || hdf5_load(&reader, &library) == WEIR_OK) return true;
    print_message("%s is skipped: libhdf5 is not installed\n", path);
    return false;
}

void cloud_make(io_particles *cloud, uint32_t count)
{
    *cloud = (io_particles){.count = count,
                            .position = base_alloc(count, sizeof(vec3)),
                            .velocity = base_alloc(count, sizeof(vec3)),
                            .id = base_alloc(count, sizeof(uint32_t)),
                            .fluid = base_alloc(count, sizeof(uint32_t)),
                            .density = base_alloc(count, sizeof(float)),
                            .time_s = 0.375};
    for (uint32_t i = 0; i < count; i++) {
        float *p = &cloud->position[i].x, *v = &cloud->velocity[i].x;
        for (uint32_t k = 0; k < 3; k++) {
            p[k] = 4.0f * base_hash_to_unit(7 * i + k) - 2.0f;
            v[k] = 1e-3f * base_hash_to_unit(7 * i + 3 + k) - 5e-4f;
        }
        cloud->id[i] = 3 * (count - i);
        cloud->fluid[i] = i % 3;
        cloud->density[i] = 990.0f + 20.0f * base_hash_to_unit(7 * i + 6);
    }
}

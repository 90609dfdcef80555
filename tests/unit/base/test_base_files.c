/* Files are written whole or not at all, and every refusal states path, reason and remedy. */
#define _XOPEN_SOURCE 700
#include "base.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct scratch {
    char folder[64];
    char path[128];
    char heard[4096];
    weir_log log;
} scratch;

static void hear(void *user, weir_log_level level, const char *text)
{
    (void)level;
    scratch *s = user;
    snprintf(s->heard, sizeof s->heard, "%s", text);
}

static int make_scratch(void **state)
{
    scratch *s = calloc(1, sizeof *s);
    *state = s;
    s->log = (weir_log){hear, s, WEIR_LOG_DEBUG};
    strcpy(s->folder, "/tmp/weir-test-XXXXXX");
    return mkdtemp(s->folder) ? 0 : 1;
}

static const char *in_scratch(scratch *s, const char *name)
{
    snprintf(s->path, sizeof s->path, "%s/%s", s->folder, name);
    return s->path;
}

static int remove_scratch(void **state)
{
    scratch *s = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", s->folder);
    int status = system(command);
    free(s);
    return status;
}

static int entries(const char *folder)
{
    int count = 0;
    DIR *opened = opendir(folder);
    while (readdir(opened))
        count++;
    closedir(opened);
    return count - 2;
}

static void check_contents(scratch *s, const char *path, const char *expected)
{
    base_blob blob = {0};
    assert_int_equal(base_file_read(&s->log, path, 1 << 20, &blob), WEIR_OK);
    assert_int_equal(blob.size, strlen(expected));
    assert_memory_equal(blob.bytes, expected, blob.size);
    base_blob_free(&blob);
    assert_null(blob.bytes);
}

static void a_written_file_reads_back(void **state)
{
    scratch *s = *state;
    const char *path = in_scratch(s, "a.bin");
    assert_int_equal(base_file_write(&s->log, path, "water", 5), WEIR_OK);
    check_contents(s, path, "water");
    assert_int_equal(base_file_write(&s->log, path, "ice", 3), WEIR_OK);
    check_contents(s, path, "ice");
    assert_int_equal(base_file_write(&s->log, path, NULL, 0), WEIR_OK);
    check_contents(s, path, "");
    assert_int_equal(entries(s->folder), 1);
}

static void pieces_of_any_size_arrive_in_order(void **state)
{
    scratch *s = *state;
    enum { TOTAL = 400000 };
    uint8_t *bytes = malloc(TOTAL);
    for (size_t i = 0; i < TOTAL; i++)
        bytes[i] = (uint8_t)base_hash_mix64(i);
    base_writer *writer;
    assert_int_equal(base_writer_open(&s->log, in_scratch(s, "pieces"), &writer), WEIR_OK);
    for (size_t at = 0, size = 1; at < TOTAL; at += size, size = size * 3 % 150001) {
        if (size > TOTAL - at) size = TOTAL - at;
        assert_int_equal(base_writer_write(writer, bytes + at, size), WEIR_OK);
    }
    assert_int_equal(base_writer_commit(&writer), WEIR_OK);
    assert_null(writer);
    base_blob blob;
    assert_int_equal(base_file_read(&s->log, s->path, TOTAL, &blob), WEIR_OK);
    assert_int_equal(blob.size, TOTAL);
    assert_memory_equal(blob.bytes, bytes, TOTAL);
    base_blob_free(&blob);
    free(bytes);
}

static void a_file_appears_only_at_commit(void **state)
{
    scratch *s = *state;
    const char *path = in_scratch(s, "frame_0001.ply");
    base_writer *writer;
    assert_int_equal(base_writer_open(&s->log, path, &writer), WEIR_OK);
    assert_int_equal(base_writer_write(writer, "half", 4), WEIR_OK);
    assert_false(base_path_is_file(path));
    assert_int_equal(entries(s->folder), 1);
    base_writer_cancel(&writer);
    assert_null(writer);
    base_writer_cancel(&writer);
    assert_int_equal(entries(s->folder), 0);
}

static void two_writers_of_one_path_do_not_meet(void **state)
{
    scratch *s = *state;
    const char *path = in_scratch(s, "same");
    base_writer *first, *second;
    assert_int_equal(base_writer_open(&s->log, path, &first), WEIR_OK);
    assert_int_equal(base_writer_open(&s->log, path, &second), WEIR_OK);
    assert_int_equal(base_writer_write(first, "first", 5), WEIR_OK);
    assert_int_equal(base_writer_write(second, "second", 6), WEIR_OK);
    assert_int_equal(base_writer_commit(&second), WEIR_OK);
    check_contents(s, path, "second");
    assert_int_equal(base_writer_commit(&first), WEIR_OK);
    check_contents(s, path, "first");
    assert_int_equal(entries(s->folder), 1);
}

static void a_write_that_fails_leaves_the_old_file_and_no_rest(void **state)
{
    scratch *s = *state;
    const char *path = in_scratch(s, "old");
    assert_int_equal(base_file_write(&s->log, path, "old", 3), WEIR_OK);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, small = {100000, 100000};
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    char *big = calloc(1, 300000);
    setrlimit(RLIMIT_FSIZE, &small);
    weir_result result = base_file_write(&s->log, path, big, 300000);
    base_writer *writer = NULL;
    weir_result opened = base_writer_open(&s->log, path, &writer);
    weir_result failed = base_writer_write(writer, big, 300000);
    weir_result later = base_writer_write(writer, "x", 1);
    weir_result committed = base_writer_commit(&writer);
    setrlimit(RLIMIT_FSIZE, &before);
    free(big);
    assert_int_equal(result, WEIR_ERROR_IO);
    assert_int_equal(opened, WEIR_OK);
    assert_int_equal(failed, WEIR_ERROR_IO);
    assert_int_equal(later, WEIR_ERROR_IO);
    assert_int_equal(committed, WEIR_ERROR_IO);
    assert_non_null(strstr(s->heard, "cannot be written: File too large; the file outgrows"));
    check_contents(s, path, "old");
    assert_int_equal(entries(s->folder), 1);
}

/* Uses symbolic links of its own, so that a faulty writer that replaces its target, run by root,
   harms no device file. */
static void a_device_is_written_into_and_never_replaced(void **state)
{
    scratch *s = *state;
    assert_int_equal(symlink("/dev/null", in_scratch(s, "null")), 0);
    assert_int_equal(base_file_write(&s->log, s->path, "x", 1), WEIR_OK);
    assert_false(base_path_is_file(s->path));
    assert_int_equal(symlink("/dev/full", in_scratch(s, "full")), 0);
    assert_int_equal(base_file_write(&s->log, s->path, "x", 1), WEIR_ERROR_IO);
    assert_memory_equal(s->heard, s->path, strlen(s->path));
    assert_non_null(strstr(s->heard, "cannot be written: No space left on device; free space"));
    assert_int_equal(entries(s->folder), 2);
}

static void a_folder_or_a_missing_one_cannot_be_written(void **state)
{
    scratch *s = *state;
    assert_int_equal(base_file_write(&s->log, s->folder, "x", 1), WEIR_ERROR_IO);
    assert_non_null(strstr(s->heard, "is a folder"));
    assert_int_equal(base_file_write(&s->log, in_scratch(s, "no/such/x"), "x", 1), WEIR_ERROR_IO);
    assert_memory_equal(s->heard, s->path, strlen(s->path));
    assert_non_null(strstr(s->heard, "No such file or directory; check the path"));
    assert_int_equal(base_file_write(&s->log, in_scratch(s, "no/"), "x", 1), WEIR_ERROR_IO);
}

static void what_cannot_be_read_is_named(void **state)
{
    scratch *s = *state;
    base_blob blob = {0};
    assert_int_equal(base_file_read(&s->log, in_scratch(s, "none"), 10, &blob), WEIR_ERROR_IO);
    assert_memory_equal(s->heard, s->path, strlen(s->path));
    assert_non_null(strstr(s->heard, "cannot be opened: No such file"));
    assert_int_equal(base_file_read(&s->log, s->folder, 10, &blob), WEIR_ERROR_IO);
    assert_non_null(strstr(s->heard, "is a folder"));
    assert_int_equal(base_file_write(&s->log, in_scratch(s, "eleven"), "12345678901", 11), WEIR_OK);
    assert_int_equal(base_file_read(&s->log, s->path, 10, &blob), WEIR_ERROR_IO);
    assert_non_null(strstr(s->heard, "larger than 10 bytes"));
    assert_null(blob.bytes);
    assert_int_equal(truncate(s->path, (off_t)1 << 42), 0);
    assert_int_equal(base_file_read(&s->log, s->path, 1000, &blob), WEIR_ERROR_IO);
    assert_non_null(strstr(s->heard, "larger than 1000 bytes"));
    assert_int_equal(truncate(s->path, 11), 0);
    assert_int_equal(base_file_read(&s->log, s->path, 11, &blob), WEIR_OK);
    base_blob_free(&blob);
}

static void a_pipe_is_refused_without_waiting_for_its_writer(void **state)
{
    scratch *s = *state;
    base_blob blob = {0};
    assert_int_equal(mkfifo(in_scratch(s, "pipe"), 0600), 0);
    assert_int_equal(base_file_read(&s->log, s->path, 10, &blob), WEIR_ERROR_IO);
    assert_non_null(strstr(s->heard, "not a regular file"));
}

static void a_file_that_hides_its_size_is_read_to_its_end(void **state)
{
    scratch *s = *state;
    base_blob blob = {0};
    if (!base_path_is_file("/proc/self/status")) skip();
    assert_int_equal(base_file_read(&s->log, "/proc/self/status", 1 << 20, &blob), WEIR_OK);
    assert_true(blob.size > 100);
    base_blob_free(&blob);
    assert_int_equal(base_file_read(&s->log, "/proc/self/status", 50, &blob), WEIR_ERROR_IO);
}

static void appending_makes_the_file_and_keeps_it(void **state)
{
    scratch *s = *state;
    const char *path = in_scratch(s, "stats.csv");
    assert_int_equal(base_file_append(&s->log, path, "1\n", 2), WEIR_OK);
    assert_int_equal(base_file_append(&s->log, path, "2\n", 2), WEIR_OK);
    check_contents(s, path, "1\n2\n");
    assert_int_equal(base_file_append(&s->log, s->folder, "x", 1), WEIR_ERROR_IO);
    assert_int_equal(symlink("/dev/null", in_scratch(s, "null")), 0);
    assert_int_equal(base_file_append(&s->log, s->path, "x", 1), WEIR_OK);
}

static void what_cannot_be_appended_whole_is_not_appended(void **state)
{
    scratch *s = *state;
    char *lines = calloc(1, 60001);
    memset(lines, 'x', 60000);
    const char *path = in_scratch(s, "table");
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, small = {100000, 100000};
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &small);
    assert_int_equal(base_file_append(&s->log, path, lines, 60000), WEIR_OK);
    assert_int_equal(base_file_append(&s->log, path, lines, 60000), WEIR_ERROR_IO);
    setrlimit(RLIMIT_FSIZE, &before);
    check_contents(s, path, lines);
    free(lines);
}

static void folders_are_made_with_their_parents(void **state)
{
    scratch *s = *state;
    const char *path = in_scratch(s, "a/b//c/");
    assert_int_equal(base_folder_make(&s->log, path), WEIR_OK);
    assert_int_equal(base_folder_make(&s->log, path), WEIR_OK);
    assert_true(base_path_is_folder(in_scratch(s, "a/b/c")));
    assert_false(base_path_is_file(in_scratch(s, "a/b/c")));
    assert_int_equal(base_file_write(&s->log, in_scratch(s, "file"), "x", 1), WEIR_OK);
    assert_int_equal(base_folder_make(&s->log, in_scratch(s, "file")), WEIR_ERROR_IO);
    assert_int_equal(base_folder_make(&s->log, in_scratch(s, "file/below")), WEIR_ERROR_IO);
    assert_non_null(strstr(s->heard, "a part of the path is a file"));
}

static void a_listing_is_sorted_and_holds_files_only(void **state)
{
    scratch *s = *state;
    static const char *const made[] = {"b", "a10", "a2", "Z"};
    for (size_t i = 0; i < BASE_COUNT(made); i++)
        assert_int_equal(base_file_write(&s->log, in_scratch(s, made[i]), "x", 1), WEIR_OK);
    assert_int_equal(base_folder_make(&s->log, in_scratch(s, "c")), WEIR_OK);
    char **names;
    size_t count;
    assert_int_equal(base_folder_list(&s->log, s->folder, &names, &count), WEIR_OK);
    static const char *const sorted[] = {"Z", "a10", "a2", "b"};
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(names[i], sorted[i]);
    base_names_free(names, count);
    assert_int_equal(base_folder_list(&s->log, in_scratch(s, "c"), &names, &count), WEIR_OK);
    assert_int_equal(count, 0);
    base_names_free(names, count);
    assert_int_equal(base_folder_list(&s->log, in_scratch(s, "d"), &names, &count), WEIR_ERROR_IO);
}

static void removing_what_is_missing_is_fine(void **state)
{
    scratch *s = *state;
    const char *path = in_scratch(s, "gone");
    assert_int_equal(base_file_write(&s->log, path, "x", 1), WEIR_OK);
    assert_int_equal(base_file_remove(&s->log, path), WEIR_OK);
    assert_false(base_path_is_file(path));
    assert_int_equal(base_file_remove(&s->log, path), WEIR_OK);
    assert_int_equal(base_file_remove(&s->log, s->folder), WEIR_ERROR_IO);
}

static void check_absolute(const char *path, const char *expected)
{
    char *absolute = base_path_absolute(path);
    assert_string_equal(absolute, expected);
    base_free(absolute);
}

static void a_path_is_made_absolute_by_the_working_folder(void **state)
{
    char here[1024], joined[1100];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(joined, sizeof joined, "%s/to/be/made", here);
    check_absolute("to/be/made", joined);
    check_absolute(".", here);
    check_absolute("/somewhere/else", "/somewhere/else");
}

static void the_cache_folder_follows_the_users_setting(void **state)
{
    setenv("HOME", "/nowhere/someone", 1);
    setenv("XDG_CACHE_HOME", "/cache", 1);
    char *folder = base_cache_folder();
    assert_string_equal(folder, "/cache/weir");
    base_free(folder);
    setenv("XDG_CACHE_HOME", "relative", 1);
    folder = base_cache_folder();
    assert_string_equal(folder, "/nowhere/someone/.cache/weir");
    base_free(folder);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_null(base_cache_folder());
}

static void free_space_is_known_before_the_folder_is_made(void **state)
{
    scratch *s = *state;
    uint64_t here = base_disk_free(s->folder);
    assert_true(here > 0 && here < UINT64_MAX);
    assert_true(base_disk_free(in_scratch(s, "to/be/made")) < UINT64_MAX);
    assert_true(base_disk_free("to/be/made") < UINT64_MAX);
    assert_true(base_disk_free("") < UINT64_MAX);
}

static void a_folder_has_one_owner_at_a_time(void **state)
{
    scratch *s = *state;
    base_lock *first, *second;
    const char *folder = in_scratch(s, "run");
    assert_int_equal(base_lock_acquire(&s->log, folder, &first), WEIR_OK);
    assert_int_equal(base_lock_acquire(&s->log, folder, &second), WEIR_ERROR_ARGUMENT);
    assert_null(second);
    char owner[64];
    snprintf(owner, sizeof owner, "process %d on ", getpid());
    assert_non_null(strstr(s->heard, folder));
    assert_non_null(strstr(s->heard, owner));
    base_lock_release(&first);
    assert_null(first);
    assert_int_equal(base_lock_acquire(&s->log, folder, &second), WEIR_OK);
    base_lock_release(&second);
    base_lock_release(&second);
}

static void sweeping_removes_what_killed_writers_left_and_nothing_else(void **state)
{
    static const char *const left[] = {".a.ply.17-0.tmp", ".run.json.4000000-12.tmp"};
    static const char *const kept[] = {".weir.lock", "a.ply.17-0.tmp", ".17-0.tmp",
                                       ".a.17.tmp",  ".a.-0.tmp",      ".a.17-.tmp",
                                       ".a17-0.tmp", ".tmp",           ".a.17-0.tmp.gz"};
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(left); i++)
        assert_int_equal(base_file_append(&s->log, in_scratch(s, left[i]), "x", 1), WEIR_OK);
    for (size_t i = 0; i < BASE_COUNT(kept); i++)
        assert_int_equal(base_file_append(&s->log, in_scratch(s, kept[i]), "x", 1), WEIR_OK);
    base_writer *alive;
    assert_int_equal(base_writer_open(&s->log, in_scratch(s, "b.ply"), &alive), WEIR_OK);
    assert_int_equal(base_folder_remove_temporaries(&s->log, s->folder), WEIR_OK);
    assert_int_equal(entries(s->folder), BASE_COUNT(kept) + 1);
    for (size_t i = 0; i < BASE_COUNT(left); i++)
        assert_false(base_path_is_file(in_scratch(s, left[i])));
    assert_int_equal(base_writer_commit(&alive), WEIR_OK);
    assert_true(base_path_is_file(in_scratch(s, "b.ply")));
    assert_int_equal(base_folder_remove_temporaries(&s->log, in_scratch(s, "missing")), WEIR_OK);
}

#define SCRATCH_TEST(test) cmocka_unit_test_setup_teardown(test, make_scratch, remove_scratch)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(a_written_file_reads_back),
        SCRATCH_TEST(pieces_of_any_size_arrive_in_order),
        SCRATCH_TEST(a_file_appears_only_at_commit),
        SCRATCH_TEST(two_writers_of_one_path_do_not_meet),
        SCRATCH_TEST(a_write_that_fails_leaves_the_old_file_and_no_rest),
        SCRATCH_TEST(a_device_is_written_into_and_never_replaced),
        SCRATCH_TEST(a_folder_or_a_missing_one_cannot_be_written),
        SCRATCH_TEST(what_cannot_be_read_is_named),
        SCRATCH_TEST(a_pipe_is_refused_without_waiting_for_its_writer),
        SCRATCH_TEST(a_file_that_hides_its_size_is_read_to_its_end),
        SCRATCH_TEST(appending_makes_the_file_and_keeps_it),
        SCRATCH_TEST(what_cannot_be_appended_whole_is_not_appended),
        SCRATCH_TEST(folders_are_made_with_their_parents),
        SCRATCH_TEST(a_listing_is_sorted_and_holds_files_only),
        SCRATCH_TEST(removing_what_is_missing_is_fine),
        SCRATCH_TEST(a_folder_has_one_owner_at_a_time),
        SCRATCH_TEST(sweeping_removes_what_killed_writers_left_and_nothing_else),
        cmocka_unit_test(a_path_is_made_absolute_by_the_working_folder),
        cmocka_unit_test(the_cache_folder_follows_the_users_setting),
        SCRATCH_TEST(free_space_is_known_before_the_folder_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Services of base on every system: file names of any language and length, files that are
   replaced while they are read, locks, other programs. */
#include "systems.h"

#include <setjmp.h>

#include <cmocka.h>

#define NAME "test_base_system"
static const char *self; /* the program of which this is the test NAME */
static char folder[64];
static char said[4096];

static void keep(void *user, weir_log_level level, const char *text)
{
    (void)user, (void)level;
    snprintf(said, sizeof said, "%s", text);
}

static const weir_log log_said = {.write = keep, .level = WEIR_LOG_INFO};

static int make_folder(void **state)
{
    strcpy(folder, "/tmp/weir-test-XXXXXX");
    return make_test_folder(folder) ? 0 : -1;
}

static void check_content(const char *path, const char *expected)
{
    base_blob blob;
    assert_int_equal(base_file_read(&log_said, path, 100, &blob), WEIR_OK);
    assert_int_equal(blob.size, strlen(expected));
    assert_memory_equal(blob.bytes, expected, blob.size);
    base_blob_free(&blob);
}

static void write_text(const char *path, const char *text)
{
    assert_int_equal(base_file_write(&log_said, path, text, strlen(text)), WEIR_OK);
}

static void a_name_may_be_of_any_language(void **state)
{
    static const char name[] = "W\u00e4sser \u6c34 \U0001F30A.ply";
    char **names;
    size_t count;
    char *inside = base_path_join(folder, "\u00dcber"), *path = base_path_join(inside, name);
    assert_int_equal(base_folder_make(&log_said, inside), WEIR_OK);
    write_text(path, "water");
    check_content(path, "water");
    assert_int_equal(base_folder_list(&log_said, inside, &names, &count), WEIR_OK);
    assert_int_equal(count, 1);
    assert_string_equal(names[0], name);
    base_names_free(names, count);
    assert_int_equal(base_file_remove(&log_said, path), WEIR_OK);
    base_free(path);
    base_free(inside);
}

static void a_path_may_be_longer_than_any_one_name(void **state)
{
    enum { LEVELS = 30 };
    char path[1024];
    int size = snprintf(path, sizeof path, "%s", folder);
    for (int i = 0; i < LEVELS; i++)
        size += snprintf(path + size, sizeof path - (size_t)size, "/twenty letters of it");
    assert_int_equal(base_folder_make(&log_said, path), WEIR_OK);
    snprintf(path + size, sizeof path - (size_t)size, "/a.txt");
    write_text(path, "deep");
    check_content(path, "deep");
    assert_true(base_path_is_file(path));
    assert_int_equal(base_file_append(&log_said, path, "er", 2), WEIR_OK);
    check_content(path, "deeper");
    assert_int_equal(base_file_remove(&log_said, path), WEIR_OK);
}

/* Wine's rename lacks a feature of Windows'. */
static bool is_wine(void)
{
    void *library = base_library_is_loaded("ntdll.dll");
    return base_library_symbol(library, "wine_get_version") != NULL;
}

static void a_file_is_replaced_while_another_program_reads_it(void **state)
{
    os_file reader;
    char bytes[8] = "";
    size_t got;
    char *path = base_path_join(folder, "read.txt");
    write_text(path, "old");
    assert_int_equal(os_file_open(path, OS_READ, &reader), 0);
    if (is_wine()) {
        /* The write is refused with a message, and nothing is lost. */
        assert_int_equal(base_file_write(&log_said, path, "new", 3), WEIR_ERROR_IO);
        assert_non_null(strstr(said, "read.txt: cannot be written: "));
        check_content(path, "old");
        assert_int_equal(os_file_close(reader), 0);
        write_text(path, "new");
    } else {
        write_text(path, "new");
        assert_int_equal(os_file_read(reader, bytes, sizeof bytes, &got), 0);
        assert_string_equal(bytes, "old");
        assert_int_equal(os_file_close(reader), 0);
    }
    check_content(path, "new");
    base_free(path);
}

static void a_folder_has_one_owner_whom_others_can_read(void **state)
{
    base_lock *lock, *second;
    char process[32];
    snprintf(process, sizeof process, "process %u on ", os_process_id());
    assert_int_equal(base_lock_acquire(&log_said, folder, &lock), WEIR_OK);
    assert_int_equal(base_lock_acquire(&log_said, folder, &second), WEIR_ERROR_ARGUMENT);
    assert_non_null(strstr(said, process));
    base_lock_release(&lock);
    assert_int_equal(base_lock_acquire(&log_said, folder, &lock), WEIR_OK);
    base_lock_release(&lock);
}

static void devices_and_folders_are_no_files(void **state)
{
#if defined(_WIN32)
    static const char nothing[] = "NUL";
#else
    static const char nothing[] = "/dev/null";
#endif
    os_kind kind;
    base_blob blob;
    assert_int_equal(os_path_kind(nothing, &kind), 0);
    assert_int_equal(kind, OS_OTHER);
    assert_int_equal(base_file_write(&log_said, nothing, "x", 1), WEIR_OK);
    assert_int_equal(base_file_read(&log_said, nothing, 1, &blob), WEIR_ERROR_IO);
    assert_int_equal(base_file_read(&log_said, folder, 1, &blob), WEIR_ERROR_IO);
    assert_non_null(strstr(said, "is a folder"));
    assert_int_equal(base_file_read(&log_said, "no/such/file", 1, &blob), WEIR_ERROR_IO);
    assert_non_null(strstr(said, "check the path's spelling"));
    assert_true(base_disk_free(folder) > 0 && base_disk_free(folder) < UINT64_MAX);
    assert_true(base_disk_free("to/be/made") < UINT64_MAX);
}

static void a_file_has_the_time_of_its_last_change(void **state)
{
    const int64_t year_2020 = (int64_t)1577836800 * 1000000000;
    char *path = base_path_join(folder, "time.txt");
    assert_int_equal(base_path_modified_ns(path), 0);
    write_text(path, "x");
    assert_true(base_path_modified_ns(path) > year_2020);
    base_free(path);
}

/* ---- child processes: this program, with a word that selects the task ---------------------------
 */

static int be_child(int argc, char **argv)
{
    int status = atoi(argv[2]);
    for (int i = 3; i < argc; i++)
        printf("[%s]", argv[i]);
    if (strcmp(argv[1], "count") == 0) {
        int count = 0;
        while (getchar() != EOF)
            count++;
        return count == status ? 0 : 1;
    }
    return status;
}

static void words_arrive_as_they_are_given(void **state)
{
    const char *const words[] = {self,      NAME,           "say",   "7",    "",     "a b",
                                 "quo\"te", "back\\slash",  "end\\", "\\\\", "\\\"", "*.c",
                                 "%PATH%",  "\u00f6\u6c34", "a\tb ", NULL};
    base_text heard = {0};
    int status = 0;
    assert_int_equal(base_process_capture(&log_said, words, &heard, &status), WEIR_OK);
    assert_int_equal(status, 7);
    assert_string_equal(heard.items, "[][a b][quo\"te][back\\slash][end\\][\\\\][\\\"][*.c][%PATH%]"
                                     "[\u00f6\u6c34][a\tb ]");
    base_free(heard.items);
}

static void a_program_reads_what_is_written_to_it(void **state)
{
    static char bytes[100000];
    const char *const words[] = {self, NAME, "count", "300000", NULL};
    base_process *process;
    memset(bytes, 'x', sizeof bytes);
    assert_int_equal(base_process_open(&log_said, words, &process), WEIR_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(base_process_write(process, bytes, sizeof bytes), WEIR_OK);
    assert_int_equal(base_process_wait(&process), WEIR_OK);
    assert_int_equal(base_process_open(&log_said, words, &process), WEIR_OK);
    assert_int_equal(base_process_wait(&process), WEIR_ERROR_IO);
    assert_non_null(strstr(said, "failed with status 1"));
}

static void a_program_that_does_not_read_is_an_error_of_the_write(void **state)
{
    static char bytes[100000];
    const char *const words[] = {self, NAME, "say", "0", NULL};
    base_process *process;
    weir_result result = WEIR_OK;
    assert_int_equal(base_process_open(&log_said, words, &process), WEIR_OK);
    for (int i = 0; i < 1000 && result == WEIR_OK; i++)
        result = base_process_write(process, bytes, sizeof bytes);
    assert_int_equal(result, WEIR_ERROR_IO);
    assert_int_equal(base_process_wait(&process), WEIR_OK);
}

int main(int argc, char **argv)
{
    base_open_standard_streams();
    base_utf8_arguments(&argc, &argv);
    self = argv[0];
    bool named = argc > 1 && strcmp(argv[1], NAME) == 0; /* Windows gave the whole command line */
    if (argc - named > 2) return be_child(argc - named, argv + named);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_may_be_of_any_language),
        cmocka_unit_test(a_path_may_be_longer_than_any_one_name),
        cmocka_unit_test(a_file_is_replaced_while_another_program_reads_it),
        cmocka_unit_test(a_folder_has_one_owner_whom_others_can_read),
        cmocka_unit_test(devices_and_folders_are_no_files),
        cmocka_unit_test(a_file_has_the_time_of_its_last_change),
        cmocka_unit_test(words_arrive_as_they_are_given),
        cmocka_unit_test(a_program_reads_what_is_written_to_it),
        cmocka_unit_test(a_program_that_does_not_read_is_an_error_of_the_write),
    };
    return cmocka_run_group_tests(tests, make_folder, NULL);
}

/* Targets: files that commands read from a run's folder besides frames, and files that `weir
   bench` reads back. */
#include "bench_internal.h"
#include "fuzz.h"
#include "renderer_internal.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- stubs for functions of the program ----------------------------------------------------- */

weir_log app_log(bool quiet)
{
    (void)quiet;
    return fuzz_log;
}

int args_error(const char *words)
{
    WEIR_ASSERT(!words); /* two files are enough */
    return APP_WRONG_USE;
}

/* ---- bodies.jsonl --------------------------------------------------------------------------- */

static weir_renderer *drawer;

static void close_renderer(void)
{
    weir_renderer_destroy(&drawer);
}

static void open_renderer(void)
{
    weir_renderer_def def = weir_renderer_def_default();
    weir_scene *scene = fuzz_load_scene(FUZZ_THINGS);
    def.scene = scene;
    WEIR_ASSERT(weir_renderer_create(fuzz_device(), &def, &drawer) == WEIR_OK);
    weir_scene_destroy(&scene);
    atexit(close_renderer);
}

static void check_places(void)
{
    for (uint32_t i = 0; i < drawer->posed_bodies.bodies.count; i++) {
        const scene_pose *pose = &drawer->posed_bodies.bodies.poses[i];
        const quat *q = &pose->rotation;
        WEIR_ASSERT(isfinite(pose->position.x + pose->position.y + pose->position.z));
        WEIR_ASSERT(fabsf(q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w - 1) < 0.1f);
    }
}

/* Reads the poses as the picture of each of the first frames would. */
bool fuzz_bodies(const fuzz_input *input)
{
    weir_output_def written = weir_output_def_default();
    bodies_jsonl bodies = {
        .log = &fuzz_log, .path = base_strdup(input->path), .without = "not drawn"};
    weir_result result = base_file_read(&fuzz_log, input->path, SIZE_MAX, &bodies.file);
    if (!drawer) open_renderer();
    for (uint64_t frame = 0; frame < 3 && result == WEIR_OK; frame++) {
        written.y_up = frame != 1;
        result = bodies_jsonl_read_frame(&bodies, &written, frame);
        if (result == WEIR_OK)
            result = weir_renderer_set_body_poses(drawer, bodies.poses, bodies.count);
        if (result == WEIR_OK) check_places();
    }
    bodies_jsonl_close(&bodies);
    return result == WEIR_OK;
}

/* ---- ParaView's lists of frames ------------------------------------------------------------- */

#define SERIES_FRAMES 2

static void write_frame(const char *path, double time_s)
{
    char *text = base_format("# vtk DataFile Version 3.0\nweir time_s=%g\n", time_s);
    if (!base_path_is_file(path))
        WEIR_ASSERT(text && base_file_write(&fuzz_log, path, text, strlen(text)) == WEIR_OK);
    base_free(text);
}

/* Asserts that the written list has all frames, in order, each with a time. */
static void check_series(const char *path)
{
    base_blob blob;
    WEIR_ASSERT(base_file_read(&fuzz_log, path, SIZE_MAX, &blob) == WEIR_OK);
    json_t *list = json_loadb((const char *)blob.bytes, blob.size, JSON_REJECT_DUPLICATES, NULL);
    const json_t *files = json_object_get(list, "files");
    WEIR_ASSERT(json_array_size(files) == SERIES_FRAMES);
    for (size_t i = 0; i < SERIES_FRAMES; i++) {
        const json_t *file = json_array_get(files, i), *time = json_object_get(file, "time");
        const char *name = json_string_value(json_object_get(file, "name"));
        WEIR_ASSERT(name && name[strlen("input_000")] == (char)('1' + i));
        WEIR_ASSERT(json_is_number(time) && isfinite(json_number_value(time)));
    }
    json_decref(list);
    base_blob_free(&blob);
}

/* An invalid list is rebuilt: nothing is refused. */
bool fuzz_series(const fuzz_input *input)
{
    char *folder = base_path_folder(input->path);
    char *first = base_format("%s/input_0001.vtk", folder);
    char *second = base_format("%s/input_0002.vtk", folder);
    WEIR_ASSERT(folder && first && second);
    write_frame(first, 0.25);
    write_frame(second, 0.5);
    WEIR_ASSERT(io_vtk_series_update(&fuzz_log, second, 0.5) == WEIR_OK);
    check_series(input->path);
    base_free(folder);
    base_free(first);
    base_free(second);
    return true;
}

/* ---- measurements of `weir bench` ----------------------------------------------------------- */

/* Compares the input with the corpus's file and, for chosen inputs, also the other way round;
   the tables are discarded. Returns whether the files were read, whatever the result of the
   comparison. */
bool fuzz_bench(const fuzz_input *input)
{
    static char base[] = "tests/fuzz/corpus/bench/cases.json";
    static int nowhere = -1;
    char *path = base_strdup(input->path);
    char *forth[] = {base, path}, *back[] = {path, base};
    bench_options options = {.threshold = 5, .compare = true};
    const uint32_t before = fuzz_messages();
    if (nowhere < 0) nowhere = open("/dev/null", O_WRONLY);
    fflush(stdout);
    int out = dup(STDOUT_FILENO);
    WEIR_ASSERT(path && nowhere >= 0 && out >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0);
    options.files = (args_words){forth, 2};
    bench_compare(&options);
    options.files = (args_words){back, 2};
    if (fuzz_is_chosen(input)) bench_compare(&options);
    fflush(stdout);
    WEIR_ASSERT(dup2(out, STDOUT_FILENO) >= 0 && close(out) == 0);
    base_free(path);
    return fuzz_messages() == before;
}

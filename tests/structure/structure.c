#include "structure.h"

const char *const structure_source_folders[2] = {"src", "mesher"};
const char *const structure_test_folders[1] = {"tests"};
const char *const structure_shader_folders[1] = {"shaders"};

static bool structure_is_source(const char *path)
{
    static const char *const extensions[] = {"c", "h", "comp", "glsl", "vert", "frag"};
    for (size_t i = 0; i < BASE_COUNT(extensions); i++)
        if (strcmp(base_path_extension(path), extensions[i]) == 0) return true;
    return false;
}

char *structure_read_file(const char *path)
{
    base_blob blob;
    base_text text = {0};
    if (base_file_read(NULL, path, 1 << 24, &blob) != WEIR_OK) return NULL;
    bool whole = base_text_append_bytes(&text, blob.bytes, blob.size);
    base_blob_free(&blob);
    if (!whole) base_free(text.items);
    return whole ? text.items : NULL;
}

static void structure_visit_file(const char *folder, const char *path, structure_visit *visit,
                                 void *user)
{
    char *text = structure_read_file(path);
    if (text) visit(user, &(structure_file){folder, path, text});
    base_free(text);
}

static size_t structure_each_file_in(const char *folder, structure_visit *visit, void *user);

static size_t structure_each_subfolder(const char *folder, structure_visit *visit, void *user)
{
    size_t visited = 0;
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char *path = base_path_join(folder, entry->d_name);
        if (path && entry->d_name[0] != '.' && base_path_is_folder(path))
            visited += structure_each_file_in(path, visit, user);
        base_free(path);
    }
    if (list) closedir(list);
    return visited;
}

/* Visits the C and GLSL sources of a folder and its subfolders. Returns how many. */
static size_t structure_each_file_in(const char *folder, structure_visit *visit, void *user)
{
    char **names;
    size_t count, visited = 0;
    if (base_folder_list(NULL, folder, &names, &count) != WEIR_OK) return 0;
    for (size_t k = 0; k < count; k++) {
        char *path = base_path_join(folder, names[k]);
        if (path && structure_is_source(path)) {
            structure_visit_file(folder, path, visit, user);
            visited++;
        }
        base_free(path);
    }
    base_names_free(names, count);
    return visited + structure_each_subfolder(folder, visit, user);
}

size_t structure_each_file(const char *const *folders, size_t folder_count, structure_visit *visit,
                           void *user)
{
    size_t all = 0;
    for (size_t i = 0; i < folder_count; i++) {
        size_t visited = structure_each_file_in(folders[i], visit, user);
        if (visited == 0) return 0;
        all += visited;
    }
    return all;
}

bool structure_is_in(const char *folder, const char *parent)
{
    size_t length = strlen(parent);
    return strncmp(folder, parent, length) == 0 && (!folder[length] || folder[length] == '/');
}

size_t structure_line_length(const char *line)
{
    return strcspn(line, "\n");
}

const char *structure_next_line(const char *line)
{
    line += structure_line_length(line);
    return *line && line[1] ? line + 1 : NULL;
}

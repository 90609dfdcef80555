/* main: the commands of the program; the small ones have no folder of their own. */
#ifndef WEIR_APP_MAIN_INTERNAL_H
#define WEIR_APP_MAIN_INTERNAL_H

#include "app.h"
#include "bench.h"
#include "mesh.h"
#include "pictures.h"
#include "run.h"
#include "summary.h"
#include "view_command.h"
#include "whitewater_command.h"

int info_main(int argc, char **argv);
int check_main(int argc, char **argv);
int explain_main(int argc, char **argv);
int report_main(int argc, char **argv);

/* Appends the description of a device; `number` is its number in the list. */
bool info_describe(base_text *text, uint32_t number, const weir_device_info *info);

/* ---- the archive of weir report: a tar file of texts with abbreviated private paths ---- */

typedef struct report_archive {
    base_text tar;
    char *home, *here; /* paths that become "~" and "."; NULL: none */
    bool failed;       /* out of memory */
} report_archive;

void report_archive_open(report_archive *report_archive);
/* Adds weir-report/NAME and prints its line of the list; `what` describes it. */
void report_archive_add(report_archive *report_archive, const char *name, const char *what,
                        const base_text *text);
/* Writes the archive and frees it. Errors: IO, MEMORY. */
weir_result report_archive_write(report_archive *report_archive, const weir_log *log,
                                 const char *path);

/* Times a scene with fewer, larger particles and prints what its frames, pictures and meshes
 * take. */
void check_print_time(const app_scene_options *source, const weir_estimate *needs,
                      const weir_scene_info *scene, weir_device *device);
/* Prints the statistics of a mesh; returns the exit status. */
int check_mesh(const weir_log *log, const char *path, bool json);

#endif

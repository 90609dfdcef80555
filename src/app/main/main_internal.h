/* main: all commands of the program; the small ones have no folder of their own. */
#ifndef WEIR_APP_MAIN_INTERNAL_H
#define WEIR_APP_MAIN_INTERNAL_H

#include "app.h"
#include "bench.h"
#include "mesh.h"
#include "pictures.h"
#include "run.h"
#include "validate.h"
#include "view.h"

int info_main(int argc, char **argv);
int check_main(int argc, char **argv);
int explain_main(int argc, char **argv);

/* Prints a mesh's figures; returns the exit status. */
int check_mesh(const weir_log *log, const char *path, bool json);

#endif

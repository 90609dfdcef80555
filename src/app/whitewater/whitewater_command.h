/* whitewater_command: weir whitewater, which computes whitewater for stored particles. */
#ifndef WEIR_APP_STORED_FOAM_H
#define WEIR_APP_STORED_FOAM_H

#include "app.h"

int whitewater_main(int argc, char **argv);

#endif

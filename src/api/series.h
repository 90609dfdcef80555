/* api: ParaView's list of a sequence of meshes. */
#ifndef WEIR_API_SERIES_H
#define WEIR_API_SERIES_H

#include "base.h"

/* Writes "surface.vtk.series" for the mesh "surface_0001.vtk" that has just appeared: all frames of
 * its sequence that are in the folder, whoever wrote them. A name without a number is passed over.
 * Errors: IO, MEMORY. */
weir_result series_update(const weir_log *log, const char *path, double time_s);

#endif

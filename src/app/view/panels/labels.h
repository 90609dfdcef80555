/* labels: readable names of scene keys. */
#ifndef WEIR_VIEW_LABELS_H
#define WEIR_VIEW_LABELS_H

#include "base.h"

/* Prints a label for the last part of a key, such as "Support radius" for
 * "solver.support_radius". */
void view_label_key(const char *key, char out[64]);
/* Prints a title for the keys of a group, such as "Fluid 1" for "fluids[0]". */
void view_label_group(const char *group, char out[64]);

/* Reports whether the method with this name uses the key. Every method accepts the keys of the
 * others, so that any of them can run a scene, but only the keys that it uses are worth showing. */
bool view_label_is_used(const char *key, const char *method);

#endif

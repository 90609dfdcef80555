/* comm_internal: what the transports share. */
#ifndef WEIR_COMM_INTERNAL_H
#define WEIR_COMM_INTERNAL_H

#include "comm.h"

/* Sleeps between two polls of a rank that has waited for `waited_s`: the longer, the more rarely it
 * polls. */
void comm_pause(uint32_t polls, double waited_s);

#endif

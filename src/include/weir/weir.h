/* Weir: a real-time particle-fluid engine on Vulkan compute.
 *
 * Includes all public headers except weir/vulkan.h, which is for programs that bring their own
 * Vulkan device or a window.
 *
 * The rules below hold for all public functions; their comments do not repeat them.
 *
 * Units: SI everywhere. The suffix of a name states its unit.
 * Errors: a function that can fail returns a weir_result. On failure its out-parameters are
 * NULL or unchanged, nothing leaks, and the log states what went wrong, where, and what to do.
 * A NULL pointer where none is allowed, or a def with a value out of range, gives
 * WEIR_ERROR_ARGUMENT; most such messages begin with the name of the function. Comments list
 * errors without their prefix: IO is WEIR_ERROR_IO.
 * Defs: settings are structs named *_def. Fill one with its *_def_default function, which also
 * sets `cookie`, then change fields. A def without the cookie is refused. NULL in place of a
 * def stands for its defaults, except where a comment says that there is no default. A field
 * whose comment states no default starts as 0, false or NULL. Strings and arrays in a def need
 * to live only until the call that takes it returns, unless their comment says otherwise.
 * Arrays: [3 * count] holds x y z of each element, tightly packed. [height][width][4] is in C
 * order.
 * Lifetime: an object lives until it is passed to its destroy function, which takes the
 * address of the handle, sets the handle to NULL and accepts NULL. Destroy everything made
 * from a device before the device: otherwise weir_device_destroy logs what remains, and leaves
 * the device open.
 * Threads: use a scene from one thread at a time, and a device together with everything made
 * from it from one thread at a time. A function marked "Any thread" may run at the same time
 * as calls for other objects.
 * Waiting: "Waits" means that the call blocks until the GPU has finished the work that it
 * needs. */
#ifndef WEIR_WEIR_PUBLIC_H
#define WEIR_WEIR_PUBLIC_H

#include "attributes.h"
#include "bodies.h"
#include "comm.h"
#include "core.h"
#include "deformables.h"
#include "density_solver.h"
#include "device.h"
#include "mesh.h"
#include "output.h"
#include "points.h"
#include "probe.h"
#include "profile.h"
#include "ranks.h"
#include "render.h"
#include "scene.h"
#include "sim.h"
#include "start.h"
#include "version.h"
#include "whitewater.h"

#endif

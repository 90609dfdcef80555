/* Weir: a real-time particle-fluid engine on Vulkan compute.
 *
 * Includes all public headers but weir/vulkan.h, which is for programs that bring their own Vulkan
 * or a window.
 *
 * Units: SI everywhere.
 * Errors: a function that can fail returns a weir_result. When it fails, its out-parameters are
 * NULL or unchanged, nothing leaks, and the log says what went wrong, where, and what to do. NULL
 * where it is not allowed, or a def that breaks its limits, is WEIR_ERROR_ARGUMENT; comments do not
 * repeat that.
 * Defs: settings are structs named *_def. Fill one with its *_def_default function, which also sets
 * `cookie`, then change fields. A def without the cookie is refused. Fields without a default in
 * their comment start as 0, false or NULL. Strings and arrays in a def may die after the call that
 * takes it, unless its comment says otherwise.
 * Lifetime: what a create function made lives until its destroy function, which takes the address
 * of the handle, sets the handle to NULL and accepts NULL. Destroy everything made from a device
 * before the device: until then the device stays, and weir_device_destroy logs what is left.
 * Threads: a scene, and a device with all that was made from it, are used by one thread at a time.
 * A function that says "Any thread" may run beside calls for other objects. "Waits": the call
 * blocks until the GPU has finished the work that it needs. */
#ifndef WEIR_WEIR_PUBLIC_H
#define WEIR_WEIR_PUBLIC_H

#include "bodies.h"
#include "core.h"
#include "deformables.h"
#include "density_solver.h"
#include "device.h"
#include "mesh.h"
#include "output.h"
#include "points.h"
#include "probe.h"
#include "profile.h"
#include "render.h"
#include "scene.h"
#include "sim.h"
#include "version.h"
#include "whitewater.h"

#endif

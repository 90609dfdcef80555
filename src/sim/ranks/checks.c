/* What a simulation on several ranks cannot do in this version. It is refused by name, before
 * anything is computed or written. */
#include "sim_ranks.h"

static weir_result refuse(const weir_log *log, const scene_data *scene, uint32_t count,
                          const char *what)
{
    return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                     "%s: %s with %u ranks: only a single rank can simulate this; run without "
                     "--ranks, or change the scene (docs/ranks.md lists what runs on ranks)",
                     scene->source, what, count);
}

/* Names what the solver of the scene cannot do on ranks; NULL: nothing. */
static const char *find_in_solver(const scene_solver *solver)
{
    if (scene_has_grid(solver)) return "solver.method flip or apic";
    return NULL;
}

static const char *find_in_scene(const scene_data *scene)
{
    if (scene->body_count > 0) return "bodies";
    if (scene_deformable_count(scene) > 0) return "cloths, ropes and soft bodies";
    if (sim_has_viscosity(scene)) return "dynamic_viscosity";
    if (scene->attribute_count > 0) return "attributes of particles";
    if (scene->sea.given) return "a sea";
    if (scene->whitewater.given) return "whitewater";
    return find_in_solver(&scene->solver);
}

weir_result sim_ranks_check(const weir_log *log, const scene_data *scene, uint32_t count)
{
    const char *what = count > 1 ? find_in_scene(scene) : NULL;
    return what ? refuse(log, scene, count, what) : WEIR_OK;
}

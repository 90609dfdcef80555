/* One simulation on several devices. weir/weir.h has the rules that hold for all functions.
 *
 * Each device is a rank: it owns a slab of the domain with its particles, and exchanges those near
 * the cuts with its neighbours. Devices of one kind give the same bits as one of them alone,
 * whatever their number. docs/ranks.md lists what runs on ranks, and what is refused. */
#ifndef WEIR_RANKS_PUBLIC_H
#define WEIR_RANKS_PUBLIC_H

#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEIR_MAX_RANKS 64

/* Creates a simulation on `count` devices, 1 to WEIR_MAX_RANKS; no device twice, but two may be
 * made from the same GPU. All must have the same name and driver. The messages of the simulation go
 * to the log of the first. The devices must outlive the simulation, and until it is destroyed are
 * used by calls for it, which run a thread for each. weir_sim_step blocks until the frame is
 * complete. These also work with several devices, and have the results of a single one:
 * weir_sim_wait, weir_sim_get_particle_count, weir_sim_read_field, weir_sim_get_stats,
 * weir_sim_get_ranks, weir_sim_set_solid, weir_sim_set_emitter, weir_sim_get_emitter,
 * weir_sim_get_gauges, weir_sim_get_solid_forces, weir_sim_get_residuals, weir_sim_get_state_hash,
 * weir_sim_save, weir_sim_restore, and weir_output_* without meshes. A checkpoint can be restored
 * on any number of devices. All other functions that take a simulation fail with UNSUPPORTED.
 * Errors: ARGUMENT (a device twice, or devices that differ), UNSUPPORTED (the log names what in the
 * scene a single device alone can simulate), SCENE (more ranks than slabs fit), and those of
 * weir_sim_create. */
WEIR_API weir_result weir_sim_create_on_ranks(weir_device *const *devices, uint32_t count,
                                              const weir_scene *scene, weir_sim **sim);

/* What a rank holds, and what it has exchanged since the simulation was created. */
typedef struct weir_rank_info {
    uint32_t particles;  /* that it owns */
    uint32_t ghosts;     /* copies of its neighbours' particles, in the last substep */
    uint64_t messages;   /* sent to its neighbours in substeps */
    uint64_t bytes_sent; /* in them */
    uint64_t sums;       /* over all ranks */
    double waiting_s;    /* in messages and sums, also for ranks that were slower */
} weir_rank_info;

/* Describes the ranks of a simulation, in the order of their slabs. *count: capacity of `ranks` on
 * entry, number of ranks on return; NULL `ranks` returns only the number. A simulation on one
 * device is one rank without messages. Waits. */
WEIR_API weir_result weir_sim_get_ranks(weir_sim *sim, weir_rank_info *ranks, uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif

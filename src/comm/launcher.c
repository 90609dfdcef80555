/* Finds the MPI launcher that has started this process, by the variables that launchers set. */
#include "comm_mpi.h"

#include <stdlib.h>

static uint32_t read_number(const char *name)
{
    const char *text = getenv(name);
    return text ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

/* In this order: Open MPI's launcher sets variables of PMIx, too, and srun those of its own
 * besides. */
static const struct {
    const char *name, *module, *size, *rank;
} launchers[] = {
    {"Open MPI", "openmpi", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"MPICH", "mpich", "PMI_SIZE", "PMI_RANK"},
    {"Slurm with PMIx", "openmpi", "SLURM_STEP_NUM_TASKS", "PMIX_RANK"},
};

comm_launcher comm_find_launcher(void)
{
    for (size_t i = 0; i < BASE_COUNT(launchers); i++) {
        const uint32_t size = read_number(launchers[i].size);
        if (size == 0 || !getenv(launchers[i].rank)) continue;
        return (comm_launcher){launchers[i].name, launchers[i].module, size,
                               read_number(launchers[i].rank)};
    }
    return (comm_launcher){0};
}

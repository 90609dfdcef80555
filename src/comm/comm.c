/* The communicator: what all transports share. */
#include "comm.h"

struct comm {
    comm_def def;
    weir_log log;
    bool failed;
};

weir_result comm_create(const weir_log *log, const comm_def *def, comm **out)
{
    comm *made = base_alloc(1, sizeof *made);
    if (!made) {
        def->destroy(def->user);
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a communicator");
    }
    made->def = *def;
    if (log) made->log = *log;
    *out = made;
    return WEIR_OK;
}

void comm_destroy(comm **pointer)
{
    if (!*pointer) return;
    (*pointer)->def.destroy((*pointer)->def.user);
    base_free(*pointer);
    *pointer = NULL;
}

uint32_t comm_size(const comm *c)
{
    return c->def.size;
}

uint32_t comm_rank(const comm *c)
{
    return c->def.rank;
}

/* Logs the reason of the first failure. */
static weir_result finish(comm *c, bool done)
{
    if (done) return WEIR_OK;
    if (!c->failed)
        base_log(&c->log, WEIR_LOG_ERROR, "rank %u of %u: %s", c->def.rank, c->def.size,
                 *c->def.why);
    c->failed = true;
    return WEIR_ERROR_IO;
}

weir_result comm_exchange(comm *c, const comm_message *sent, uint32_t sent_count,
                          comm_message *received, uint32_t received_count)
{
    return finish(c, !c->failed &&
                         c->def.exchange(c->def.user, sent, sent_count, received, received_count));
}

weir_result comm_combine(comm *c, comm_numbers *numbers)
{
    return finish(c, !c->failed && c->def.combine(c->def.user, numbers));
}

weir_result comm_sum(comm *c, uint32_t *words, uint64_t count)
{
    return finish(c, !c->failed && c->def.sum(c->def.user, words, count));
}

weir_result comm_agree(comm *c, weir_result result)
{
    comm_numbers numbers = {.max = {(uint64_t)result}};
    WEIR_RETURN_IF_ERROR(comm_combine(c, &numbers));
    return (weir_result)numbers.max[0];
}

void comm_abort(comm *c)
{
    c->def.abort(c->def.user);
}

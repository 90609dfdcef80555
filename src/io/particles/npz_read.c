/* Reads particles from NPZ, numpy's archive of arrays (numpy.savez and savez_compressed). Arrays
 * are found by their names: position, pos, points or x with 3 columns, or x, y and z; velocity,
 * vel, v or vx, vy and vz; id, fluid, density. An archive with no such name may hold one array of
 * particles, as NPY does. */
#include "npy.h"

#define MEMBERS 32u /* arrays with names that are known */

typedef struct member {
    const io_zip_entry *entry;
    io_zip_file file;
    io_npy npy;
    io_scalar scalar; /* the first of the array's */
} member;

typedef struct npz {
    io_reader *reader;
    io_zip zip;
    member *members; /* [MEMBERS] */
    uint32_t member_count;
} npz;

/* Returns the name of an array, without the folders and the extension of its file. */
static io_token array_name(const io_zip_entry *entry)
{
    io_token name = entry->name;
    for (size_t i = 0; i < entry->name.size; i++)
        if (entry->name.at[i] == '/')
            name = (io_token){entry->name.at + i + 1, entry->name.size - i - 1};
    bool array = name.size > 4 && memcmp(name.at + name.size - 4, ".npy", 4) == 0;
    name.size = array ? name.size - 4 : 0;
    return name;
}

/* Reads the header of an array of the archive. Arrays of 3 rows are taken for the transpose of 3
 * columns. */
static weir_result open_member(npz *npz, const io_zip_entry *entry, member *member)
{
    io_npy *npy = &member->npy;
    *member = (struct member){.entry = entry, .scalar = IO_SCALAR_NONE};
    WEIR_RETURN_IF_ERROR(io_zip_read(&npz->zip, entry, &member->file));
    WEIR_RETURN_IF_ERROR(io_npy_read_header(&member->file.reader, npy));
    WEIR_RETURN_IF_ERROR(io_npy_check_size(&member->file.reader, npy));
    if (npy->dimensions != 2 || npy->record || npy->shape[0] != 3 || npy->shape[1] == 3)
        return WEIR_OK;
    npy->shape[0] = npy->shape[1];
    npy->shape[1] = 3;
    npy->column_order = !npy->column_order;
    return WEIR_OK;
}

/* Returns the columns of an array of numbers, 0 for other arrays. */
static uint64_t component_count(const io_npy *npy)
{
    if (!npy->fields[0].number) return 0;
    if (npy->dimensions == 1 && !npy->record) return 1;
    return npy->dimensions == 2 && !npy->record ? npy->shape[1] : 0;
}

/* Returns whether the name may stand for particles, whatever the shape. */
static bool is_known(const io_reader *reader, io_token name)
{
    bool known = false;
    for (uint32_t components = 1; components <= 4; components++)
        known |= io_scalar_of_named_array(reader, name, components) != IO_SCALAR_NONE;
    return known;
}

/* Opens all arrays whose names are known. A column "(N, 1)" counts as "(N,)". */
static weir_result open_known_members(npz *npz)
{
    for (size_t i = 0; i < npz->zip.entries.count; i++) {
        const io_zip_entry *entry = &npz->zip.entries.items[i];
        const io_token name = array_name(entry);
        if (!name.size || !is_known(npz->reader, name)) continue;
        if (npz->member_count == MEMBERS)
            return io_fail(npz->reader, entry->name.at, "more than %u arrays of particles",
                           MEMBERS);
        member *member = &npz->members[npz->member_count++];
        WEIR_RETURN_IF_ERROR(open_member(npz, entry, member));
        const uint64_t components = component_count(&member->npy);
        member->scalar = io_scalar_of_named_array(npz->reader, name, components);
    }
    return WEIR_OK;
}

/* Moves the place of the first number that is not finite from unpacked bytes, which are released,
 * to the array's entry in the archive. */
static void keep_place(const npz *npz, const member *member)
{
    io_not_finite *found = npz->reader->not_finite;
    const io_reader *bytes = &member->file.reader;
    if (!found || !found->particles || !member->file.unpacked.bytes) return;
    if (found->at >= bytes->begin && found->at < bytes->end) found->at = member->entry->name.at;
}

/* ---- arrays by name ------------------------------------------------------------------------- */

/* Claims the scalars of the arrays: those with 3 columns first. */
static uint32_t claim_scalars(npz *npz)
{
    static const uint64_t widths[] = {4, 3, 2, 1};
    uint32_t found = 0;
    for (size_t k = 0; k < BASE_COUNT(widths); k++)
        for (uint32_t i = 0; i < npz->member_count; i++) {
            const uint64_t columns = widths[k];
            member *member = &npz->members[i];
            if (component_count(&member->npy) != columns) continue;
            bool there =
                columns == 3 && member->scalar != IO_SCALAR_NONE && found >> member->scalar & 7u;
            member->scalar =
                io_scalar_claim_columns(there ? IO_SCALAR_NONE : member->scalar, columns, &found);
        }
    return found;
}

static weir_result check_count(const npz *npz, const member *member, uint64_t count)
{
    if (member->npy.shape[0] == count) return WEIR_OK;
    return base_fail(npz->reader->log, WEIR_ERROR_IO,
                     "%s has %llu rows for %llu particles; all arrays need a row for each particle",
                     member->file.path, (unsigned long long)member->npy.shape[0],
                     (unsigned long long)count);
}

static weir_result read_members(const npz *npz, uint32_t found, io_particles *particles)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < npz->member_count; i++)
        if (npz->members[i].scalar == IO_SCALAR_X) count = npz->members[i].npy.shape[0];
    for (uint32_t i = 0; i < npz->member_count; i++)
        if (npz->members[i].scalar != IO_SCALAR_NONE)
            WEIR_RETURN_IF_ERROR(check_count(npz, &npz->members[i], count));
    WEIR_RETURN_IF_ERROR(io_particles_allocate(npz->reader, count, found, particles));
    for (uint32_t i = 0; i < npz->member_count; i++) {
        const member *member = &npz->members[i];
        const io_array rows = io_npy_rows(&member->npy);
        if (member->scalar == IO_SCALAR_NONE) continue;
        WEIR_RETURN_IF_ERROR(
            io_particles_read_array(&member->file.reader, &rows, member->scalar, particles));
        keep_place(npz, member);
    }
    return WEIR_OK;
}

/* ---- one array of any name ------------------------------------------------------------------ */

static bool may_be_particles(const io_npy *npy)
{
    return npy->record || (npy->fields[0].number && npy->dimensions == 2 && npy->shape[1] >= 3);
}

static void append_shape(base_text *text, const member *member, io_token name)
{
    base_text_append(text, "%s%.*s (", text->count ? ", " : "", IO_TOKEN_ARGUMENTS(name));
    for (uint32_t i = 0; i < member->npy.dimensions; i++)
        base_text_append(text, "%s%llu", i ? ", " : "", (unsigned long long)member->npy.shape[i]);
    base_text_append(text, member->npy.fields[0].number ? ")" : "), which are no numbers");
}

static weir_result fail_positions(const npz *npz, const base_text *shapes)
{
    return base_fail(npz->reader->log, WEIR_ERROR_IO,
                     "%s: no positions; its arrays are %s: expected \"position\", \"pos\", "
                     "\"points\" or \"x\" with the shape (N, 3), or x, y and z with (N), or a "
                     "single array of particles",
                     npz->reader->path, shapes->items ? shapes->items : "none");
}

/* Reads the only array that may hold particles; `shapes` gets the names of all. */
static weir_result read_only_array(npz *npz, base_text *shapes, io_particles *particles)
{
    member *only = &npz->members[0], *other = &npz->members[1];
    uint32_t count = 0;
    for (size_t i = 0; i < npz->zip.entries.count; i++) {
        const io_token name = array_name(&npz->zip.entries.items[i]);
        if (!name.size) continue;
        io_zip_file_free(&other->file);
        WEIR_RETURN_IF_ERROR(open_member(npz, &npz->zip.entries.items[i], other));
        if (shapes->count < 200) append_shape(shapes, other, name);
        if (!may_be_particles(&other->npy) || count++) continue;
        const member moved = *only;
        *only = *other;
        *other = moved;
    }
    if (count != 1) return fail_positions(npz, shapes);
    WEIR_RETURN_IF_ERROR(io_npy_read_array(&only->file.reader, &only->npy, particles));
    keep_place(npz, only);
    return WEIR_OK;
}

static weir_result read_arrays(npz *npz, io_particles *particles)
{
    WEIR_RETURN_IF_ERROR(io_zip_open(npz->reader, &npz->zip));
    WEIR_RETURN_IF_ERROR(open_known_members(npz));
    const uint32_t found = claim_scalars(npz);
    if ((found & 7u) == 7u) return read_members(npz, found, particles);
    for (uint32_t i = 0; i < npz->member_count; i++)
        io_zip_file_free(&npz->members[i].file);
    npz->member_count = 2;
    base_text shapes = {0};
    weir_result result = read_only_array(npz, &shapes, particles);
    BASE_ARRAY_FREE(&shapes);
    return result;
}

weir_result io_npz_read(io_reader *reader, io_particles *particles)
{
    npz npz = {.reader = reader, .members = base_alloc(MEMBERS, sizeof *npz.members)};
    if (!npz.members) return io_fail_memory(reader, "its arrays");
    weir_result result = read_arrays(&npz, particles);
    for (uint32_t i = 0; i < npz.member_count; i++)
        io_zip_file_free(&npz.members[i].file);
    BASE_ARRAY_FREE(&npz.zip.entries);
    base_free(npz.members);
    return result;
}

/* Reads particles from HDF5 and VTKHDF. The first group is read that holds positions: an array with
 * 3 columns named position, Points, Coordinates and so on, or x, y and z, or the fields of records
 * with these names. Velocities, ids and densities are the arrays next to them. A group named
 * "position" with the array "value" (H5MD) or with x, y and z (openPMD) counts as an array, and so
 * do the arrays in VTKHDF's PointData. Of several frames the first is read. */
#include "hdf5.h"

enum { NAME_BYTES = 256, PATH_BYTES = 1024, DEPTH_MAX = 8, ITEMS_MAX = 64 };
#define OBJECTS_MAX 10000u /* of all groups that are searched */

/* An array of numbers: a dataset, or a field of its records. */
typedef struct item {
    char path[PATH_BYTES];  /* of the dataset */
    char name[NAME_BYTES];  /* under which its scalar is sought */
    char field[NAME_BYTES]; /* of the records; "": the dataset holds numbers */
    uint32_t dimensions;    /* of the dataset: 1 to 3 */
    uint32_t row_dimension; /* the one that counts particles */
    bool framed;            /* the first dimension counts frames */
    bool transposed;        /* the first dimension counts components */
    hdf5_size shape[3];
    uint64_t components;
    io_scalar scalar;
} item;

typedef struct hdf5 {
    const io_reader *reader;
    const hdf5_library *h5;
    hdf5_id file;
    uint32_t objects;
    item *items; /* [ITEMS_MAX], of one group */
    uint32_t item_count;
    item *matrix; /* the only array of 3 columns or more without a known name */
    uint32_t matrix_count;
    uint64_t first, count; /* rows of the positions that are read */
    bool done;
    io_particles *particles;
} hdf5;

#define fail_at(hdf5, path, ...) fail_text(hdf5, path, base_format(__VA_ARGS__))

static weir_result fail_text(const hdf5 *hdf5, const char *path, char *text)
{
    char place[PATH_BYTES];
    snprintf(place, sizeof place, "%s", path[0] ? path : "/");
    io_replace_control_bytes(place);
    weir_result result = base_fail(hdf5->reader->log, WEIR_ERROR_IO, "%s: %s: %s",
                                   hdf5->reader->path, place, text ? text : "it is not readable");
    base_free(text);
    return result;
}

/* ---- datasets ------------------------------------------------------------------------------- */

/* Returns whether a floating-point type has the fields of IEEE 754. libhdf5 crashes when it
 * converts from some others, which only damaged files have. */
static bool is_ieee(const hdf5 *hdf5, hdf5_id type)
{
    size_t sign, exponent, exponent_bits, mantissa, mantissa_bits;
    const size_t bits = 8 * hdf5->h5->H5Tget_size(type);
    const size_t wanted = bits == 64 ? 11 : bits == 32 ? 8 : bits == 16 ? 5 : 0;
    return wanted &&
           hdf5->h5->H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa,
                                   &mantissa_bits) >= 0 &&
           sign == bits - 1 && exponent_bits == wanted && exponent == sign - wanted &&
           mantissa == 0 && mantissa_bits == exponent;
}

static bool is_number(const hdf5 *hdf5, hdf5_id type)
{
    const int kind = hdf5->h5->H5Tget_class(type);
    const size_t size = hdf5->h5->H5Tget_size(type);
    if (kind == HDF5_FLOAT) return is_ieee(hdf5, type);
    return kind == HDF5_INTEGER && size <= 8 && hdf5->h5->H5Tget_precision(type) == 8 * size;
}

/* Returns the components of a field of numbers, 0 for any other type. */
static uint64_t components_of_field(const hdf5 *hdf5, hdf5_id type)
{
    const hdf5_library *h5 = hdf5->h5;
    hdf5_size extent = 0;
    if (is_number(hdf5, type)) return 1;
    if (h5->H5Tget_class(type) != HDF5_ARRAY || h5->H5Tget_array_ndims(type) != 1) return 0;
    hdf5_id base = h5->H5Tget_super(type);
    if (base < 0) return 0;
    if (is_number(hdf5, base)) h5->H5Tget_array_dims2(type, &extent);
    h5->H5Tclose(base);
    return extent;
}

static void add_item(hdf5 *hdf5, const item *item)
{
    if (hdf5->item_count < ITEMS_MAX) hdf5->items[hdf5->item_count++] = *item;
}

/* Adds the fields of a dataset of records. */
static void add_fields(hdf5 *hdf5, hdf5_id type, item item)
{
    const hdf5_library *h5 = hdf5->h5;
    const int count = h5->H5Tget_nmembers(type);
    if (item.dimensions != 1) return;
    for (int i = 0; i < count; i++) {
        char *name = h5->H5Tget_member_name(type, (unsigned)i);
        hdf5_id field = h5->H5Tget_member_type(type, (unsigned)i);
        if (name && field >= 0) {
            snprintf(item.name, sizeof item.name, "%s", name);
            snprintf(item.field, sizeof item.field, "%s", name);
            item.components = components_of_field(hdf5, field);
            if (item.components && strlen(name) < NAME_BYTES) add_item(hdf5, &item);
        }
        if (field >= 0) h5->H5Tclose(field);
        if (name) h5->H5free_memory(name);
    }
}

static bool read_shape(const hdf5 *hdf5, hdf5_id dataset, item *item)
{
    const hdf5_library *h5 = hdf5->h5;
    hdf5_id space = h5->H5Dget_space(dataset);
    if (space < 0) return false;
    const int dimensions = h5->H5Sget_simple_extent_ndims(space);
    bool good = dimensions >= 1 && dimensions <= 3 &&
                h5->H5Sget_simple_extent_dims(space, item->shape, NULL) == dimensions;
    item->dimensions = (uint32_t)dimensions;
    h5->H5Sclose(space);
    return good;
}

/* Finds which dimension counts what. Three rows are taken for the transpose of three columns. */
static void find_layout(item *item, bool frames)
{
    const uint32_t dimensions = item->dimensions;
    item->framed = dimensions == 3 || (frames && dimensions == 2);
    item->transposed =
        dimensions == 2 && !item->framed && item->shape[0] == 3 && item->shape[1] != 3;
    item->row_dimension = item->framed || item->transposed;
    item->components = item->transposed                        ? 3
                       : item->row_dimension + 1 == dimensions ? 1
                                                               : item->shape[dimensions - 1];
}

/* Remembers an array that may hold particles under any name, by the rules of NPY: at least 3
 * columns, of which the first 3 or 6 are read, or 3 or 6 long rows. */
static void add_matrix(hdf5 *hdf5, const item *item)
{
    const uint64_t long_row = 11, rows = item->shape[0], columns = item->shape[1];
    const bool transposed = (rows == 3 || rows == 6) && columns > long_row;
    const uint64_t width = transposed ? rows : columns;
    if (width < 3 || hdf5->matrix_count++) return;
    *hdf5->matrix = *item;
    hdf5->matrix->transposed = transposed;
    hdf5->matrix->row_dimension = transposed;
    hdf5->matrix->components = width >= 6 ? 6 : 3;
}

/* Adds a dataset, of which `item` has the path and the name, to the items of its group. `frames`:
 * its first dimension counts frames, as that of three does in any case. */
static void add_dataset(hdf5 *hdf5, hdf5_id dataset, item *item, bool frames)
{
    const hdf5_library *h5 = hdf5->h5;
    if (!read_shape(hdf5, dataset, item)) return;
    hdf5_id type = h5->H5Dget_type(dataset);
    if (type < 0) return;
    find_layout(item, frames);
    if (h5->H5Tget_class(type) == HDF5_COMPOUND)
        add_fields(hdf5, type, *item);
    else if (is_number(hdf5, type))
        add_item(hdf5, item);
    if (is_number(hdf5, type) && item->dimensions == 2 && !item->framed) add_matrix(hdf5, item);
    h5->H5Tclose(type);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Creates the type that reads an item's numbers as doubles. */
static hdf5_id memory_type(const hdf5 *hdf5, const item *item)
{
    const hdf5_library *h5 = hdf5->h5;
    const hdf5_size extent = item->components;
    if (!item->field[0]) return h5->float64;
    hdf5_id array = extent > 1 ? h5->H5Tarray_create2(h5->float64, 1, &extent) : h5->float64;
    hdf5_id type = h5->H5Tcreate(HDF5_COMPOUND, sizeof(double) * (size_t)extent);
    if (type >= 0) h5->H5Tinsert(type, item->field, 0, array);
    if (extent > 1 && array >= 0) h5->H5Tclose(array);
    return type;
}

/* Reads the rows [first, first + count) of an item; of three dimensions the first frame. */
static int read_rows(const hdf5 *hdf5, hdf5_id dataset, const item *item, double *numbers)
{
    const hdf5_library *h5 = hdf5->h5;
    const uint32_t rows = item->row_dimension;
    hdf5_size start[3] = {0}, count[3] = {1, 1, 1}, all;
    if (item->components > 1 && !item->field[0])
        count[item->transposed ? 0 : item->dimensions - 1] = item->components;
    start[rows] = hdf5->first;
    count[rows] = hdf5->count;
    all = hdf5->count * (item->field[0] ? 1 : item->components);
    hdf5_id type = memory_type(hdf5, item);
    hdf5_id space = h5->H5Dget_space(dataset), memory = h5->H5Screate_simple(1, &all, NULL);
    int result = -1;
    if (type >= 0 && space >= 0 && memory >= 0 &&
        h5->H5Sselect_hyperslab(space, 0, start, NULL, count, NULL) >= 0)
        result = h5->H5Dread(dataset, type, memory, space, HDF5_DEFAULT, numbers);
    if (memory >= 0) h5->H5Sclose(memory);
    if (space >= 0) h5->H5Sclose(space);
    if (item->field[0] && type >= 0) h5->H5Tclose(type);
    return result;
}

static weir_result store(const hdf5 *hdf5, const item *item, const double *numbers)
{
    const size_t count = (size_t)hdf5->count, components = (size_t)item->components;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < components; k++) {
            const double value = numbers[item->transposed ? k * count + i : i * components + k];
            const io_table_cell cell = {i, item->scalar + k};
            const io_scalar_info *info = io_scalar_get_info(cell.scalar);
            bool good = info->whole ? value >= 0 && value <= UINT32_MAX && value == floor(value)
                                    : fabs(value) <= 0x1.fffffep127;
            if (!good && (info->whole || !hdf5->reader->not_finite))
                return fail_at(hdf5, item->path, "row %zu, column %u is %.17g; %s must be %s", i, k,
                               value, info->name,
                               info->whole
                                   ? "a whole number from 0 to 4294967295: renumber the particles, "
                                     "or leave the array out"
                                   : "finite and at most 3.4e38 in size");
            WEIR_RETURN_IF_ERROR(io_particles_set_value(hdf5->reader, hdf5->particles, cell,
                                                        (io_number){value, hdf5->reader->begin}));
        }
    return WEIR_OK;
}

static weir_result read_item(const hdf5 *hdf5, const item *item)
{
    const hdf5_library *h5 = hdf5->h5;
    double *numbers = base_alloc((size_t)hdf5->count, sizeof(double) * (size_t)item->components);
    if (!numbers) return io_fail_memory(hdf5->reader, "its numbers");
    hdf5_id dataset = h5->H5Oopen(hdf5->file, item->path, HDF5_DEFAULT);
    int status = dataset < 0 ? -1 : read_rows(hdf5, dataset, item, numbers);
    if (dataset >= 0) h5->H5Oclose(dataset);
    weir_result result = status < 0 ? fail_at(hdf5, item->path,
                                              "its numbers are not readable: it is damaged, or "
                                              "compressed by a filter that libhdf5 lacks")
                                    : store(hdf5, item, numbers);
    base_free(numbers);
    return result;
}

/* ---- the arrays of a group ------------------------------------------------------------------ */

static uint64_t row_count(const item *item)
{
    return item->shape[item->row_dimension];
}

/* Claims the scalars of the items: those with several components first. */
static uint32_t claim_scalars(hdf5 *hdf5)
{
    io_token names[ITEMS_MAX];
    io_scalar scalars[ITEMS_MAX];
    uint32_t vectors = 0, columns;
    for (uint32_t i = 0; i < hdf5->item_count; i++) {
        item *item = &hdf5->items[i];
        names[i] = (io_token){(const uint8_t *)item->name, strlen(item->name)};
        if (item->components == 1) continue;
        io_scalar scalar = io_scalar_of_named_array(hdf5->reader, names[i], item->components);
        item->scalar = io_scalar_claim_columns(scalar, item->components, &vectors);
    }
    for (uint32_t i = 0; i < hdf5->item_count; i++)
        if (hdf5->items[i].components != 1) names[i].size = 0;
    columns = io_scalars_of_columns(hdf5->reader, names, hdf5->item_count, scalars);
    for (uint32_t i = 0; i < hdf5->item_count; i++)
        if (scalars[i] != IO_SCALAR_NONE && !(vectors >> scalars[i] & 1u))
            hdf5->items[i].scalar = scalars[i];
    return vectors | columns;
}

static weir_result check_items(hdf5 *hdf5)
{
    const size_t bytes = (size_t)(hdf5->reader->end - hdf5->reader->begin);
    uint64_t frames = 1, rows = 0;
    for (uint32_t i = 0; i < hdf5->item_count; i++) {
        const item *item = &hdf5->items[i];
        if (item->scalar != IO_SCALAR_X) continue;
        rows = row_count(item);
        if (item->framed) frames = item->shape[0];
    }
    if (hdf5->count == UINT64_MAX) hdf5->count = rows;
    for (uint32_t i = 0; i < hdf5->item_count; i++) {
        const item *item = &hdf5->items[i];
        if (item->scalar == IO_SCALAR_NONE) continue;
        if (row_count(item) != rows || (item->framed && item->shape[0] == 0))
            return fail_at(hdf5, item->path,
                           "%llu rows for %llu particles; all arrays need a row for "
                           "each particle",
                           (unsigned long long)row_count(item), (unsigned long long)rows);
    }
    if (hdf5->first > rows || hdf5->count > rows - hdf5->first)
        return fail_at(hdf5, "/VTKHDF/Steps",
                       "the first step has %llu points after the first %llu, "
                       "but there are %llu",
                       (unsigned long long)hdf5->count, (unsigned long long)hdf5->first,
                       (unsigned long long)rows);
    if (hdf5->count > io_max_decompressed_size(bytes) / (6 * sizeof(double)))
        return fail_at(hdf5, hdf5->items[0].path, "%llu particles cannot be in a file of %zu bytes",
                       (unsigned long long)hdf5->count, bytes);
    if (frames > 1)
        base_log(hdf5->reader->log, WEIR_LOG_WARNING,
                 "%s: %llu frames; only the first is read: write a file for each",
                 hdf5->reader->path, (unsigned long long)frames);
    return WEIR_OK;
}

static weir_result read_items(hdf5 *hdf5, uint32_t found)
{
    WEIR_RETURN_IF_ERROR(check_items(hdf5));
    WEIR_RETURN_IF_ERROR(io_particles_allocate(hdf5->reader, hdf5->count, found, hdf5->particles));
    for (uint32_t i = 0; hdf5->count && i < hdf5->item_count; i++)
        if (hdf5->items[i].scalar != IO_SCALAR_NONE)
            WEIR_RETURN_IF_ERROR(read_item(hdf5, &hdf5->items[i]));
    return WEIR_OK;
}

/* Reads the only array of at least 3 columns, if nothing has a known name. */
static weir_result read_matrix(hdf5 *hdf5)
{
    if (hdf5->matrix_count != 1)
        return fail_at(hdf5, "",
                       "no positions: expected an array \"position\", \"Points\" or "
                       "\"Coordinates\" with the shape (N, 3), or x, y and z, in one group; "
                       "or a single array with 3 columns");
    hdf5->items[0] = *hdf5->matrix;
    hdf5->items[0].scalar = IO_SCALAR_X;
    hdf5->item_count = 1;
    return read_items(hdf5, hdf5->matrix->components >= 6 ? 63u : 7u);
}

/* ---- groups --------------------------------------------------------------------------------- */

static weir_result search_group(hdf5 *hdf5, const char *path, uint32_t depth);

/* A member of a group. */
typedef struct member {
    hdf5_size number;
    char name[NAME_BYTES];
    char path[PATH_BYTES]; /* "": too long to be read */
} member;

/* Finds the member's name and path by its number; false past the last. */
static bool find_member(const hdf5 *hdf5, hdf5_id group, const char *path, member *member)
{
    ptrdiff_t size =
        hdf5->h5->H5Lget_name_by_idx(group, ".", HDF5_DEFAULT, HDF5_DEFAULT, member->number,
                                     member->name, NAME_BYTES, HDF5_DEFAULT);
    if (size < 0) return false;
    member->name[NAME_BYTES - 1] = '\0';
    int bytes = snprintf(member->path, PATH_BYTES, "%s/%s", path, member->name);
    if (bytes >= PATH_BYTES || size >= NAME_BYTES) member->path[0] = '\0';
    return true;
}

/* Adds the dataset `object` under the name of its group: "value" as the group, others as its
 * components. Without a name of the group: under its own. */
static void add_member(hdf5 *hdf5, hdf5_id object, const member *member, const char *group_name)
{
    item item = {.scalar = IO_SCALAR_NONE};
    const bool value = group_name && strcmp(member->name, "value") == 0;
    int bytes = !group_name ? snprintf(item.name, NAME_BYTES, "%s", member->name)
                : value     ? snprintf(item.name, NAME_BYTES, "%s", group_name)
                            : snprintf(item.name, NAME_BYTES, "%s/%s", group_name, member->name);
    snprintf(item.path, PATH_BYTES, "%s", member->path);
    if (hdf5->h5->H5Iget_type(object) == HDF5_DATASET && bytes < NAME_BYTES)
        add_dataset(hdf5, object, &item, value);
}

static void add_members(hdf5 *hdf5, const char *path, const char *group_name)
{
    const hdf5_library *h5 = hdf5->h5;
    member member = {0};
    hdf5_id group = h5->H5Oopen(hdf5->file, path[0] ? path : "/", HDF5_DEFAULT);
    for (; group >= 0 && find_member(hdf5, group, path, &member); member.number++) {
        if (hdf5->objects++ > OBJECTS_MAX) break;
        hdf5_id object = member.path[0] ? h5->H5Oopen(hdf5->file, member.path, HDF5_DEFAULT) : -1;
        if (object < 0) continue;
        add_member(hdf5, object, &member, group_name);
        h5->H5Oclose(object);
    }
    if (group >= 0) h5->H5Oclose(group);
}

static bool is_array_group(const hdf5 *hdf5, const char *name)
{
    const io_token word = {(const uint8_t *)name, strlen(name)};
    return io_scalar_of_named_array(hdf5->reader, word, 3) != IO_SCALAR_NONE ||
           io_scalar_of_named_array(hdf5->reader, word, 1) != IO_SCALAR_NONE;
}

static bool is_group(const hdf5 *hdf5, const char *path)
{
    hdf5_id object = path[0] ? hdf5->h5->H5Oopen(hdf5->file, path, HDF5_DEFAULT) : -1;
    bool group = object >= 0 && hdf5->h5->H5Iget_type(object) == HDF5_GROUP;
    if (object >= 0) hdf5->h5->H5Oclose(object);
    return group;
}

/* Searches the groups in a group; with `arrays`, adds those that stand for arrays instead. */
static weir_result visit_groups(hdf5 *hdf5, const char *path, uint32_t depth, bool arrays)
{
    const hdf5_library *h5 = hdf5->h5;
    member member = {0};
    weir_result result = WEIR_OK;
    hdf5_id group = h5->H5Oopen(hdf5->file, path[0] ? path : "/", HDF5_DEFAULT);
    for (; group >= 0 && result == WEIR_OK && find_member(hdf5, group, path, &member);
         member.number++) {
        if (hdf5->objects++ > OBJECTS_MAX) break;
        if (!is_group(hdf5, member.path)) continue;
        const bool point_data = strcmp(member.name, "PointData") == 0;
        if (!arrays)
            result = search_group(hdf5, member.path, depth + 1);
        else if (point_data || is_array_group(hdf5, member.name))
            add_members(hdf5, member.path, point_data ? NULL : member.name);
    }
    if (group >= 0) h5->H5Oclose(group);
    return result;
}

/* Reads the particles of a group, if it is the first that has any, and those of the groups in it.
 */
static weir_result search_group(hdf5 *hdf5, const char *path, uint32_t depth)
{
    if (depth > DEPTH_MAX) return WEIR_OK;
    hdf5->item_count = 0;
    add_members(hdf5, path, NULL);
    WEIR_RETURN_IF_ERROR(visit_groups(hdf5, path, depth, true));
    const uint32_t found = claim_scalars(hdf5);
    if ((found & 7u) != 7u) return visit_groups(hdf5, path, depth, false);
    if (hdf5->done) {
        base_log(hdf5->reader->log, WEIR_LOG_WARNING,
                 "%s: %s holds particles, too, which are not read: save each group as a file",
                 hdf5->reader->path, path[0] ? path : "/");
        return WEIR_OK;
    }
    hdf5->done = true;
    return read_items(hdf5, found);
}

/* ---- VTKHDF --------------------------------------------------------------------------------- */

/* Reads the text of an attribute, "" if there is none. */
static void read_text_attribute(const hdf5 *hdf5, const char *path, const char *name, char text[64])
{
    const hdf5_library *h5 = hdf5->h5;
    text[0] = '\0';
    hdf5_id object = h5->H5Oopen(hdf5->file, path, HDF5_DEFAULT);
    if (object < 0) return;
    hdf5_id attribute =
        h5->H5Aexists(object, name) > 0 ? h5->H5Aopen(object, name, HDF5_DEFAULT) : -1;
    hdf5_id type = attribute < 0 ? -1 : h5->H5Aget_type(attribute);
    if (type >= 0 && h5->H5Tget_class(type) == HDF5_STRING) {
        if (h5->H5Tis_variable_str(type) > 0) {
            char *word = NULL;
            if (h5->H5Aread(attribute, type, &word) >= 0 && word) {
                snprintf(text, 64, "%s", word);
                h5->H5free_memory(word);
            }
        } else if (h5->H5Tget_size(type) < 64 && h5->H5Aread(attribute, type, text) >= 0) {
            text[h5->H5Tget_size(type)] = '\0';
        }
    }
    if (type >= 0) h5->H5Tclose(type);
    if (attribute >= 0) h5->H5Aclose(attribute);
    h5->H5Oclose(object);
}

/* Reads the first number of a dataset of one dimension; returns false if there is none. */
static bool read_first_number(const hdf5 *hdf5, const char *path, double *number)
{
    const hdf5_library *h5 = hdf5->h5;
    struct hdf5 one = *hdf5;
    item item = {.components = 1};
    one.first = 0, one.count = 1;
    hdf5_id dataset = h5->H5Oopen(hdf5->file, path, HDF5_DEFAULT);
    if (dataset < 0) return false;
    bool good = h5->H5Iget_type(dataset) == HDF5_DATASET && read_shape(hdf5, dataset, &item) &&
                item.dimensions == 1 && item.shape[0] > 0 &&
                read_rows(&one, dataset, &item, number) >= 0 && isfinite(*number);
    h5->H5Oclose(dataset);
    return good;
}

/* Finds the points of the first step of a VTKHDF file with several. */
static weir_result find_first_step(hdf5 *hdf5)
{
    double offset = 0, points = 0, time_s = 0, parts = 1;
    if (!read_first_number(hdf5, "/VTKHDF/Steps/PointOffsets", &offset)) return WEIR_OK;
    bool good = read_first_number(hdf5, "/VTKHDF/NumberOfPoints", &points) && points >= 0 &&
                points < 0x1p53 && offset >= 0 && offset < 0x1p53;
    if (read_first_number(hdf5, "/VTKHDF/Steps/NumberOfParts", &parts)) good &= parts == 1;
    if (!good)
        return fail_at(hdf5, "/VTKHDF/Steps",
                       "only steps of one part are read; save the first step "
                       "alone");
    hdf5->first = (uint64_t)offset;
    hdf5->count = (uint64_t)points;
    if (read_first_number(hdf5, "/VTKHDF/Steps/Values", &time_s)) hdf5->particles->time_s = time_s;
    base_log(hdf5->reader->log, WEIR_LOG_INFO,
             "%s: of its steps the first is read: write a file for each", hdf5->reader->path);
    return WEIR_OK;
}

static weir_result read_vtkhdf(hdf5 *hdf5)
{
    static const char *const kinds[] = {"PolyData", "UnstructuredGrid"};
    char kind[64];
    read_text_attribute(hdf5, "/VTKHDF", "Type", kind);
    const io_token word = {(const uint8_t *)kind, strlen(kind)};
    if (!io_token_is_any(word, kinds, BASE_COUNT(kinds)))
        return fail_at(hdf5, "/VTKHDF", "its Type is \"%s\"; expected PolyData or UnstructuredGrid",
                       kind);
    WEIR_RETURN_IF_ERROR(find_first_step(hdf5));
    WEIR_RETURN_IF_ERROR(search_group(hdf5, "/VTKHDF", 0));
    return hdf5->done ? WEIR_OK : fail_at(hdf5, "/VTKHDF", "it has no Points");
}

/* ---- the file ------------------------------------------------------------------------------- */

static weir_result read_file(hdf5 *hdf5)
{
    hdf5_id vtk = hdf5->h5->H5Oopen(hdf5->file, "/VTKHDF", HDF5_DEFAULT);
    if (vtk >= 0) hdf5->h5->H5Oclose(vtk);
    if (vtk >= 0) return read_vtkhdf(hdf5);
    WEIR_RETURN_IF_ERROR(search_group(hdf5, "", 0));
    return hdf5->done ? WEIR_OK : read_matrix(hdf5);
}

static weir_result open_and_read(hdf5 *hdf5)
{
    const io_reader *reader = hdf5->reader;
    if (reader->unpacked)
        return base_fail(reader->log, WEIR_ERROR_IO,
                         "%s: HDF5 inside gzip is not read; decompress it first", reader->path);
    WEIR_RETURN_IF_ERROR(hdf5_load(reader, &hdf5->h5));
    hdf5->file = hdf5->h5->H5Fopen(reader->path, HDF5_DEFAULT, HDF5_DEFAULT);
    if (hdf5->file < 0)
        return base_fail(
            reader->log, WEIR_ERROR_IO,
            "%s: libhdf5 cannot open it: it is damaged, cut off, or open for writing in "
            "another program",
            reader->path);
    weir_result result = read_file(hdf5);
    hdf5->h5->H5Fclose(hdf5->file);
    return result;
}

/* The format's mark may follow a block of another program, as in MATLAB's files. */
bool io_is_hdf5(const io_reader *reader)
{
    io_reader probe = *reader;
    for (size_t at = 0; at <= 4096; at = at ? 2 * at : 512) {
        if (io_remaining(reader) < at) return false;
        probe.at = reader->at + at;
        if (io_starts_with(&probe, "\x89HDF\r\n\x1a\n")) return true;
    }
    return false;
}

weir_result io_hdf5_read(io_reader *reader, io_particles *particles)
{
    hdf5 hdf5 = {.reader = reader, .particles = particles, .count = UINT64_MAX};
    hdf5.items = base_alloc(ITEMS_MAX + 1, sizeof *hdf5.items);
    if (!hdf5.items) return io_fail_memory(reader, "its arrays");
    hdf5.matrix = hdf5.items + ITEMS_MAX;
    hdf5_lock();
    weir_result result = open_and_read(&hdf5);
    hdf5_unlock();
    base_free(hdf5.items);
    return result;
}

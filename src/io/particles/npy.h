/* Private header of the readers of NPY and NPZ: the header of an array, and files in an archive. */
#ifndef IO_NPY_H
#define IO_NPY_H

#include "io_internal.h"

/* ---- NPY ------------------------------------------------------------------------------------ */

#define IO_NPY_FIELDS 128u
#define IO_NPY_DIMENSIONS 8u

/* A part of an element: the whole of a number, or a named field of a record. */
typedef struct io_npy_field {
    io_token name; /* of a number that is no field: its type */
    bool number;   /* else skipped: text, complex numbers, dates and the like */
    bool big_endian;
    io_type type;
    size_t bytes, offset; /* of one number; in the element */
    uint32_t components;
} io_npy_field;

typedef struct io_npy {
    uint64_t shape[IO_NPY_DIMENSIONS];
    uint32_t dimensions;
    bool column_order; /* the last index varies slowest */
    bool record;
    size_t item_bytes; /* of an element */
    io_npy_field fields[IO_NPY_FIELDS];
    uint32_t field_count;
    const uint8_t *data;
} io_npy;
weir_result io_npy_read_header(io_reader *reader, io_npy *npy);
/* Reports elements that are not numbers. Returns IO. */
weir_result io_npy_fail_type(const io_reader *reader, const uint8_t *at);
/* Rejects a shape whose elements do not fit into the rest of the file. */
weir_result io_npy_check_size(const io_reader *reader, const io_npy *npy);
/* Reads particles from an array of rows, or of records. */
weir_result io_npy_read_array(const io_reader *reader, io_npy *npy, io_particles *particles);
/* Describes a two-dimensional array of numbers, whose rows are particles. */
io_array io_npy_rows(const io_npy *npy);

/* ---- ZIP ------------------------------------------------------------------------------------ */

/* A file in an archive. */
typedef struct io_zip_entry {
    io_token name;
    uint32_t method, flags, crc;
    uint64_t packed, size;
    uint64_t offset; /* of its own header */
} io_zip_entry;

typedef struct io_zip {
    const io_reader *reader;
    BASE_ARRAY(io_zip_entry) entries;
    size_t unpacked; /* bytes so far */
} io_zip;
/* Lists the files of an archive. Release with BASE_ARRAY_FREE(&zip->entries), also after errors. */
weir_result io_zip_open(const io_reader *reader, io_zip *zip);
/* A file of an archive whose bytes are in the archive, or unpacked. */
typedef struct io_zip_file {
    io_reader reader;
    char *path; /* of the reader: "archive: name" */
    base_blob unpacked;
} io_zip_file;
/* Reads a file and checks its checksum. Release with io_zip_file_free, also after errors. */
weir_result io_zip_read(io_zip *zip, const io_zip_entry *entry, io_zip_file *file);
void io_zip_file_free(io_zip_file *file);

#endif

/* Private header of the reader of HDF5: the functions of libhdf5, loaded when the first file of
 * this format is read, because the library brings forty others with it. Types and values are those
 * of libhdf5's own headers since version 1.10. */
#ifndef IO_HDF5_H
#define IO_HDF5_H

#include "io_internal.h"

typedef int64_t hdf5_id; /* hid_t; below 0: an error */
typedef unsigned long long hdf5_size;

enum {
    HDF5_DEFAULT =
        0, /* H5P_DEFAULT, H5S_ALL, H5F_ACC_RDONLY, H5_INDEX_NAME, H5_ITER_INC, and so on */
    HDF5_GROUP = 2,    /* H5I_GROUP */
    HDF5_DATASET = 5,  /* H5I_DATASET */
    HDF5_INTEGER = 0,  /* H5T_INTEGER */
    HDF5_FLOAT = 1,    /* H5T_FLOAT */
    HDF5_STRING = 3,   /* H5T_STRING */
    HDF5_COMPOUND = 6, /* H5T_COMPOUND */
    HDF5_ARRAY = 10,   /* H5T_ARRAY */
};

/* X(result, name, parameters) */
#define HDF5_FUNCTIONS(X)                                                                         \
    X(int, H5open, (void))                                                                        \
    X(int, H5get_libversion, (unsigned *, unsigned *, unsigned *))                                \
    X(int, H5Eset_auto2, (hdf5_id, void *, void *))                                               \
    X(int, H5free_memory, (void *))                                                               \
    X(hdf5_id, H5Fopen, (const char *, unsigned, hdf5_id))                                        \
    X(int, H5Fclose, (hdf5_id))                                                                   \
    X(hdf5_id, H5Oopen, (hdf5_id, const char *, hdf5_id))                                         \
    X(int, H5Oclose, (hdf5_id))                                                                   \
    X(int, H5Iget_type, (hdf5_id))                                                                \
    X(ptrdiff_t, H5Lget_name_by_idx,                                                              \
      (hdf5_id, const char *, int, int, hdf5_size, char *, size_t, hdf5_id))                      \
    X(hdf5_id, H5Dget_space, (hdf5_id))                                                           \
    X(hdf5_id, H5Dget_type, (hdf5_id))                                                            \
    X(int, H5Dread, (hdf5_id, hdf5_id, hdf5_id, hdf5_id, hdf5_id, void *))                        \
    X(hdf5_id, H5Screate_simple, (int, const hdf5_size *, const hdf5_size *))                     \
    X(int, H5Sget_simple_extent_ndims, (hdf5_id))                                                 \
    X(int, H5Sget_simple_extent_dims, (hdf5_id, hdf5_size *, hdf5_size *))                        \
    X(int, H5Sselect_hyperslab,                                                                   \
      (hdf5_id, int, const hdf5_size *, const hdf5_size *, const hdf5_size *, const hdf5_size *)) \
    X(int, H5Sclose, (hdf5_id))                                                                   \
    X(int, H5Tget_class, (hdf5_id))                                                               \
    X(int, H5Tget_nmembers, (hdf5_id))                                                            \
    X(char *, H5Tget_member_name, (hdf5_id, unsigned))                                            \
    X(hdf5_id, H5Tget_member_type, (hdf5_id, unsigned))                                           \
    X(hdf5_id, H5Tget_super, (hdf5_id))                                                           \
    X(int, H5Tget_array_ndims, (hdf5_id))                                                         \
    X(int, H5Tget_array_dims2, (hdf5_id, hdf5_size *))                                            \
    X(hdf5_id, H5Tarray_create2, (hdf5_id, unsigned, const hdf5_size *))                          \
    X(hdf5_id, H5Tcreate, (int, size_t))                                                          \
    X(int, H5Tinsert, (hdf5_id, const char *, size_t, hdf5_id))                                   \
    X(size_t, H5Tget_size, (hdf5_id))                                                             \
    X(size_t, H5Tget_precision, (hdf5_id))                                                        \
    X(int, H5Tget_fields, (hdf5_id, size_t *, size_t *, size_t *, size_t *, size_t *))            \
    X(int, H5Tis_variable_str, (hdf5_id))                                                         \
    X(int, H5Tclose, (hdf5_id))                                                                   \
    X(int, H5Aexists, (hdf5_id, const char *))                                                    \
    X(hdf5_id, H5Aopen, (hdf5_id, const char *, hdf5_id))                                         \
    X(hdf5_id, H5Aget_type, (hdf5_id))                                                            \
    X(int, H5Aread, (hdf5_id, hdf5_id, void *))                                                   \
    X(int, H5Aclose, (hdf5_id))

typedef struct hdf5_library {
#define HDF5_MEMBER(result, name, parameters) result(*name) parameters;
    HDF5_FUNCTIONS(HDF5_MEMBER)
#undef HDF5_MEMBER
    hdf5_id float64; /* H5T_NATIVE_DOUBLE */
    bool loaded;
} hdf5_library;

/* Loads libhdf5 at the first call; reports how to get it where it is missing. Errors: UNSUPPORTED.
 * The library is not safe to use from several threads: hold hdf5_lock while calling it. */
weir_result hdf5_load(const io_reader *reader, const hdf5_library **library);
/* Loads the first of the named libraries, into `library`. */
weir_result hdf5_load_named(const io_reader *reader, const char *const *names, size_t count,
                            hdf5_library *library);
void hdf5_lock(void);
void hdf5_unlock(void);

#endif

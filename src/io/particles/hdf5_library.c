/* Loads libhdf5 on demand. */
#include "hdf5.h"

static base_mutex *mutex; /* of all calls of the library */

void hdf5_lock(void)
{
    base_mutex_lock(base_mutex_global());
    if (!mutex) mutex = base_mutex_create();
    base_mutex_unlock(base_mutex_global());
    if (mutex) base_mutex_lock(mutex);
}

void hdf5_unlock(void)
{
    if (mutex) base_mutex_unlock(mutex);
}

static weir_result fail_missing(const io_reader *reader, const char *what)
{
    return base_fail(reader->log, WEIR_ERROR_UNSUPPORTED,
                     "%s: this is HDF5, but %s: install libhdf5 1.10 or later (Debian: apt install "
                     "libhdf5-dev; Fedora and macOS: the package hdf5), or save the particles as "
                     "NPZ, VTP or PLY",
                     reader->path, what);
}

/* Finds all functions; returns false if one is missing. */
static bool find_functions(void *handle, hdf5_library *library)
{
    bool good = true;
    void *symbol;
#define HDF5_FIND(result, name, parameters)         \
    symbol = base_library_symbol(handle, #name);    \
    memcpy(&library->name, &symbol, sizeof symbol); \
    good &= symbol != NULL;
    HDF5_FUNCTIONS(HDF5_FIND)
#undef HDF5_FIND
    return good;
}

weir_result hdf5_load_named(const io_reader *reader, const char *const *names, size_t count,
                            hdf5_library *library)
{
    unsigned major = 0, minor = 0, release = 0;
    void *handle = base_library_open(names, count);
    if (!handle) return fail_missing(reader, "no libhdf5 is installed");
    bool good = find_functions(handle, library) && library->H5open() >= 0 &&
                library->H5get_libversion(&major, &minor, &release) >= 0;
    /* earlier versions have ids of another size */
    if (!good || major < 1 || (major == 1 && minor < 10))
        return fail_missing(reader, "the installed libhdf5 is older than 1.10");
    const void *float64 = base_library_symbol(handle, "H5T_NATIVE_DOUBLE_g");
    if (!float64) return fail_missing(reader, "the installed libhdf5 is incomplete");
    memcpy(&library->float64, float64, sizeof library->float64);
    library->H5Eset_auto2(HDF5_DEFAULT, NULL, NULL); /* no messages of its own */
    library->loaded = true;
    return WEIR_OK;
}

weir_result hdf5_load(const io_reader *reader, const hdf5_library **library)
{
    static const char *const names[] = {"libhdf5_serial.so.103",
                                        "libhdf5_serial.so.310",
                                        "libhdf5.so.103",
                                        "libhdf5.so.200",
                                        "libhdf5.so.310",
                                        "libhdf5.so.320",
                                        "libhdf5_serial.so",
                                        "libhdf5.so",
                                        "libhdf5.dylib",
                                        "/opt/homebrew/lib/libhdf5.dylib",
                                        "/usr/local/lib/libhdf5.dylib",
                                        "hdf5.dll"};
    static hdf5_library loaded;
    *library = &loaded;
    return loaded.loaded ? WEIR_OK : hdf5_load_named(reader, names, BASE_COUNT(names), &loaded);
}

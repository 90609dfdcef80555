#include "systems.h"

bool make_test_folder(char *pattern)
{
    static unsigned made;
    char *letters = pattern + strlen(pattern) - 6;
    for (int tries = 0; tries < 100; tries++) {
        uint64_t key = (uint64_t)(base_time_s() * 1e9) + os_process_id() + made++;
        snprintf(letters, 7, "%06u", (unsigned)(base_hash_mix64(key) % 1000000));
        if (!base_path_is_folder(pattern)) return base_folder_make(NULL, pattern) == WEIR_OK;
    }
    return false;
}

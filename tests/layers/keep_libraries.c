/* Preloaded into the tests under LeakSanitizer to keep libraries loaded. A Vulkan driver or layer
 * keeps memory for the life of the process; once its library is unloaded, the memory that it still
 * points to looks leaked. */
int dlclose(void *library);

__attribute__((visibility("default"))) int dlclose(void *library)
{
    (void)library;
    return 0;
}

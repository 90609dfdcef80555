/* Loaded ahead of the tests under LeakSanitizer: libraries stay loaded. A Vulkan driver or layer
 * keeps memory for the life of the process; once it is unloaded, what it still points to looks
 * leaked. */
int dlclose(void *library);

__attribute__((visibility("default"))) int dlclose(void *library)
{
    (void)library;
    return 0;
}

/* Work of a host on the device: a command buffer that copies Weir's buffers into host-visible
   memory. */
#ifndef WEIR_TESTS_HOST_READER_H
#define WEIR_TESTS_HOST_READER_H

#include "host_support.h"

#define ROOM 65536u /* bytes that a reader can hold */

/* One command buffer, and host-visible memory. */
typedef struct reader {
    host *h;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *bytes;
    uint32_t repeats; /* how often the copy is repeated, for work that takes a while */
} reader;

uint32_t host_memory(const host *h, uint32_t allowed);
void open_reader(host *h, reader *r);
void close_reader(reader *r);

/* Records a copy of the start of one of Weir's buffers. */
void record_buffer_read(reader *r, VkBuffer from, uint32_t size);

void begin_read(reader *r, VkBuffer from, uint32_t size, VkSemaphore after);
void end_read(reader *r);
void copy_out(reader *r, VkBuffer from, void *to, uint32_t size, VkSemaphore after);
VkSemaphore make_semaphore(const host *h);

#endif

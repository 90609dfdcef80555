/* The program's own part that has nothing to do with Weir: a picture with depth, pipelines that
 * draw into it, a camera, a file. Errors end the program. */
#ifndef PICTURE_H
#define PICTURE_H

#include <vulkan/vulkan.h>

enum { WIDTH = 640, HEIGHT = 400 };

void need(int good, const char *what);

/* What all vertex shaders take: world to clip space, and where right and up are, for quads. */
typedef struct camera {
    float clip[16], right[4], up[4];
} camera;
camera camera_look_at(const float eye[3], const float target[3]);

typedef struct picture {
    VkDevice device;
    VkImage colour, depth;
    VkImageView colour_view, depth_view;
    VkBuffer pixels;
    VkDeviceMemory memory[3];
    void *mapped; /* the pixels */
    VkPipelineLayout layout;
} picture;
picture picture_create(VkPhysicalDevice physical, VkDevice device);
void picture_destroy(picture *p);

typedef struct words {
    const uint32_t *words;
    size_t size; /* bytes */
} words;
/* Where vertices come from. */
typedef enum vertices {
    NO_VERTICES, /* the shader alone */
    BODIES,      /* each instance has four vec4, of which locations 0 and 1 take two */
    PARTICLES,   /* each instance has a vec4, and is a strip of four vertices */
    TRIANGLES,   /* each vertex has a vec3 of each of two buffers */
} vertices;
VkPipeline picture_pipeline(const picture *p, words vertex, words fragment, vertices from);

/* Around the draws of a frame. */
void picture_begin(const picture *p, VkCommandBuffer commands, const camera *c);
void picture_end(const picture *p, VkCommandBuffer commands);
/* As a PPM file, when the frame is done. */
void picture_save(const picture *p, const char *path);

#endif

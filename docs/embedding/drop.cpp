// Weir from C++: handles in unique_ptr, which destroy them in the right order and on every
// exception. A drop falls into a basin; the picture of the last frame is saved.
//
//   drop SCENE PICTURE.png [FRAMES]
#include <weir/version.h>
#include <weir/weir.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

// Calls weir_X_destroy, which sets the handle to null.
template <auto Destroy> struct deleter {
    template <class Handle> void operator()(Handle *handle) const { Destroy(&handle); }
};
using device_ptr = std::unique_ptr<weir_device, deleter<weir_device_destroy>>;
using scene_ptr = std::unique_ptr<weir_scene, deleter<weir_scene_destroy>>;
using sim_ptr = std::unique_ptr<weir_sim, deleter<weir_sim_destroy>>;
using points_ptr = std::unique_ptr<weir_points, deleter<weir_points_release>>;
using renderer_ptr = std::unique_ptr<weir_renderer, deleter<weir_renderer_destroy>>;
using image_ptr = std::unique_ptr<weir_image, deleter<weir_image_destroy>>;

// The last error: messages come before the call that failed returns. Callbacks of C must not throw.
static std::string last_error;

static void keep_message(void *, weir_log_level level, const char *text)
{
    if (level == WEIR_LOG_ERROR) last_error = text;
}

static void check(weir_result result)
{
    if (result != WEIR_OK)
        throw std::runtime_error(last_error.empty() ? weir_result_name(result) : last_error);
}

// Returns what a function with a last parameter `Handle **` creates.
template <class Pointer, class Function, class... Arguments>
Pointer make(Function function, Arguments... arguments)
{
    typename Pointer::pointer handle = nullptr;
    check(function(arguments..., &handle));
    return Pointer(handle);
}

static void run(const char *scene_path, const char *picture_path, int frames)
{
    weir_device_def device_def = weir_device_def_default();
    weir_scene_def scene_def = weir_scene_def_default();
    device_def.log.write = scene_def.log.write = keep_message;
    check(weir_version_check(&device_def.log));

    // Destroyed in the reverse order: the picture first, the device last.
    const auto device = make<device_ptr>(weir_device_create, &device_def);
    const auto scene = make<scene_ptr>(weir_scene_load, scene_path, &scene_def);
    const auto sim = make<sim_ptr>(weir_sim_create, device.get(), scene.get());
    for (int frame = 0; frame < frames; frame++)
        check(weir_sim_step(sim.get(), 0)); // one frame of the scene; does not wait for the device

    uint32_t count = 0;
    check(weir_sim_get_particle_count(sim.get(), &count)); // waits
    std::vector<float> position(3 * std::size_t{count});
    check(weir_sim_read_field(sim.get(), WEIR_FIELD_POSITION, position.data(),
                              position.size() * sizeof(float)));
    float highest = 0;
    for (std::size_t i = 1; i < position.size(); i += 3)
        if (position[i] > highest) highest = position[i];
    std::cout << count << " particles, the highest at " << highest << " m\n";

    weir_renderer_def renderer_def = weir_renderer_def_default();
    renderer_def.scene = scene.get();
    weir_camera camera = weir_camera_default(scene.get());
    camera.width = 640, camera.height = 400;
    const auto renderer = make<renderer_ptr>(weir_renderer_create, device.get(), &renderer_def);
    const auto points = make<points_ptr>(weir_sim_acquire_points, sim.get());
    const auto image = make<image_ptr>(weir_render_points, renderer.get(), points.get(), &camera);
    check(weir_image_save(image.get(), picture_path));
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::cerr << "usage: drop SCENE PICTURE.png [FRAMES]\n";
        return 2;
    }
    try {
        run(argv[1], argv[2], argc > 3 ? std::atoi(argv[3]) : 20);
    } catch (const std::exception &error) {
        std::cerr << "error: " << error.what() << "\n";
        return 1;
    }
    return 0;
}

/* Names of enumerators in commands and files, and file extensions. */
#include "api_internal.h"
#include "io.h"

static const char *const fields[WEIR_FIELD_COUNT] = {
    [WEIR_FIELD_POSITION] = "position", [WEIR_FIELD_VELOCITY] = "velocity", [WEIR_FIELD_ID] = "id",
    [WEIR_FIELD_FLUID] = "fluid",       [WEIR_FIELD_DENSITY] = "density",
};

static const char *const modes[WEIR_RENDER_MODE_COUNT] = {
    "surface",  "ellipsoids", "particles", "mesh",   "depth",
    "filtered", "thickness",  "normals",   "shadow", "background"};

static const char *const colourings[WEIR_COLOURING_COUNT] = {
    "fluid", "speed", "density", "id", "neighbours", "lambda", "attribute"};

static const char *const colour_maps[WEIR_COLOUR_MAP_COUNT] = {"auto", "viridis", "inferno",
                                                               "cividis", "coolwarm"};

const char *weir_enum_name(weir_enum of, uint32_t value)
{
    switch (of) {
    case WEIR_ENUM_FIELD: return value < WEIR_FIELD_COUNT ? fields[value] : NULL;
    case WEIR_ENUM_PARTICLE_FORMAT:
        return value < WEIR_PARTICLE_FORMAT_COUNT ? io_format_extension((weir_particle_format)value)
                                                  : NULL;
    case WEIR_ENUM_MESH_FORMAT:
        return value < WEIR_MESH_FORMAT_COUNT ? io_mesh_format_extension((weir_mesh_format)value)
                                              : NULL;
    case WEIR_ENUM_RENDER_MODE: return value < WEIR_RENDER_MODE_COUNT ? modes[value] : NULL;
    case WEIR_ENUM_METHOD: return scene_method_name(value);
    case WEIR_ENUM_COLOURING: return value < WEIR_COLOURING_COUNT ? colourings[value] : NULL;
    case WEIR_ENUM_COLOUR_MAP: return value < WEIR_COLOUR_MAP_COUNT ? colour_maps[value] : NULL;
    case WEIR_ENUM_LOOK: return scene_look_name(value);
    case WEIR_ENUM_PARTICLE_FILE: return io_particle_file_extension(value);
    case WEIR_ENUM_MESH_FILE: return io_mesh_file_extension(value);
    }
    return NULL;
}

bool weir_particle_format_has_fields(weir_particle_format format)
{
    return (uint32_t)format < WEIR_PARTICLE_FORMAT_COUNT && io_format_has_fields(format);
}

char *api_list_names(weir_enum of)
{
    base_text names = {0};
    for (uint32_t i = 0; weir_enum_name(of, i); i++)
        base_text_append(&names, "%s%s",
                         i == 0                      ? ""
                         : weir_enum_name(of, i + 1) ? ", "
                                                     : " or ",
                         weir_enum_name(of, i));
    return names.items;
}

bool api_has_extension(const char *path, const char *extension)
{
    return base_is_same_word(base_path_extension(path), extension);
}

bool api_format_from_extension(const char *path, weir_enum formats, uint32_t *format)
{
    for (uint32_t i = 0; weir_enum_name(formats, i); i++) {
        if (!api_has_extension(path, weir_enum_name(formats, i))) continue;
        *format = i;
        return true;
    }
    return false;
}

/* Lists of the attributes of particles. */
#include "base.h"

void base_attributes_add(base_attributes *attributes, const char *name, uint32_t components)
{
    if (attributes->count == BASE_MAX_ATTRIBUTES ||
        attributes->components + components > BASE_ATTRIBUTE_COMPONENTS)
        return;
    base_attribute *added = &attributes->items[attributes->count++];
    snprintf(added->name, sizeof added->name, "%s", name);
    added->components = components;
    added->first = attributes->components;
    attributes->components += components;
}

bool base_attributes_find(const base_attributes *attributes, const char *name, uint32_t *first,
                          uint32_t *components)
{
    static const char letters[] = "xyzw";
    for (uint32_t i = 0; i < attributes->count; i++) {
        const base_attribute *a = &attributes->items[i];
        const size_t size = strlen(a->name);
        const bool is_part = name && a->components > 1 && strncmp(name, a->name, size) == 0 &&
                             name[size] == '_' && name[size + 1] && !name[size + 2];
        const char *letter = is_part ? strchr(letters, name[size + 1]) : NULL;
        const uint32_t part = letter ? (uint32_t)(letter - letters) : 0;
        if (name && strcmp(name, a->name) != 0 && !(letter && part < a->components)) continue;
        *first = a->first + part;
        *components = letter ? 1 : a->components;
        return true;
    }
    return false;
}

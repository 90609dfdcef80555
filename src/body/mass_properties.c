/* Computes mass, inertia and surface samples of bodies from the distance fields of their shapes and
 * the triangles of meshes. */
#include "body_internal.h"

/* cells of the lattice on which a shape is integrated, along its longest edge */
#define LATTICE_CELLS 40.0f
#define SAMPLE_EDGES 12.0f /* maximum number of samples along the longest edge */

/* A bounding box of a shape: for a box in its own axes, for other shapes in the world's. */
typedef struct shape_box {
    vec3 origin; /* lower corner, m */
    quat rotation;
    float size[3];
} shape_box;

typedef struct sample_lattice {
    uint32_t count[3];
    float step[3];
} sample_lattice;

static shape_box box_of_shape(const scene_data *scene, const solid_set *solids, uint32_t shape)
{
    const scene_shape *s = &scene->shapes[shape];
    vec3 low, high;
    if (s->kind == SCENE_SHAPE_BOX) {
        vec3 size = vec3_scale(s->size, s->pose.scale);
        vec3 half = quat_rotate(s->pose.rotation, vec3_scale(size, 0.5f));
        return (shape_box){.origin = vec3_sub(s->pose.position, half),
                           .rotation = s->pose.rotation,
                           .size = {size.x, size.y, size.z}};
    }
    solid_shape_bounds(solids, shape, &low, &high);
    vec3 size = vec3_max(vec3_sub(high, low), vec3_make(0, 0, 0));
    return (shape_box){
        .origin = low, .rotation = quat_identity(), .size = {size.x, size.y, size.z}};
}

/* Divides the box into steps of about `step`. */
static sample_lattice divide_box(const shape_box *f, float step)
{
    sample_lattice grid;
    for (int axis = 0; axis < 3; axis++) {
        grid.count[axis] = (uint32_t)fmaxf(rintf(f->size[axis] / step), 1.0f);
        grid.step[axis] = f->size[axis] / (float)grid.count[axis];
    }
    return grid;
}

static float longest_edge(const shape_box *f)
{
    return fmaxf(f->size[0], fmaxf(f->size[1], f->size[2]));
}

static vec3 lattice_point(const shape_box *f, const sample_lattice *grid, const float at[3])
{
    vec3 local = {at[0] * grid->step[0], at[1] * grid->step[1], at[2] * grid->step[2]};
    return vec3_add(f->origin, quat_rotate(f->rotation, local));
}

/* ---- mass ------------------------------------------------------------------------------------ */

typedef struct shape_measures {
    /* About the box's origin: far from the world's origin, squares would be rounded. */
    solid_moments moments;
    float thickness; /* m: diameter of the largest ball inside the shape */
} shape_measures;

static void add_cell(solid_moments *m, vec3 p, double volume)
{
    const double x = (double)p.x, y = (double)p.y, z = (double)p.z;
    const double first[3] = {x, y, z};
    const double second[6] = {x * x, y * y, z * z, x * y, x * z, y * z};
    m->volume += volume;
    for (int k = 0; k < 3; k++)
        m->first[k] += volume * first[k];
    for (int k = 0; k < 6; k++)
        m->second[k] += volume * second[k];
}

/* Integrates a shape over a lattice. A cell counts by the fraction of it that a plane at the
 * distance of its centre cuts off. */
static shape_measures integrate_shape(const solid_set *solids, uint32_t shape, const shape_box *f,
                                      vec3 *deepest)
{
    shape_measures m = {0};
    float nearest = INFINITY;
    const bool fine = solid_shape_is_fine(solids, shape);
    sample_lattice grid = divide_box(f, longest_edge(f) / LATTICE_CELLS);
    float min_step = fminf(grid.step[0], fminf(grid.step[1], grid.step[2]));
    double cell = (double)grid.step[0] * (double)grid.step[1] * (double)grid.step[2];
    uint32_t nx = grid.count[0], ny = grid.count[1], all = nx * ny * grid.count[2];
    for (uint32_t i = 0; i < all && min_step > 0.0f; i++) {
        uint32_t row = i / nx, layer = row / ny;
        const float at[3] = {(float)(i % nx) + 0.5f, (float)(row % ny) + 0.5f, (float)layer + 0.5f};
        vec3 p = lattice_point(f, &grid, at);
        float distance = solid_shape_distance(solids, shape, p);
        if (distance < nearest) nearest = distance, *deepest = p;
        if (fine) distance = solid_shape_fine_distance(solids, shape, p);
        double share = fmin(fmax(0.5 - (double)(distance / min_step), 0.0), 1.0);
        if (share > 0.0) add_cell(&m.moments, vec3_sub(p, f->origin), share * cell);
    }
    /* second moments of a cell about its own centre; nearly the same for all axes */
    for (int k = 0; k < 3 && m.moments.volume > 0.0; k++)
        m.moments.second[k] += m.moments.volume * (double)(min_step * min_step) / 12.0;
    return m;
}

/* Returns the thickness of a primitive shape; 0 for sets of shapes and meshes. */
static float primitive_thickness(const scene_shape *s)
{
    const float r = s->radius, h = s->height;
    switch (s->kind) {
    case SCENE_SHAPE_BOX: return fminf(s->size.x, fminf(s->size.y, s->size.z));
    case SCENE_SHAPE_SPHERE:
    case SCENE_SHAPE_CAPSULE: return 2.0f * r;
    case SCENE_SHAPE_CYLINDER: return fminf(2.0f * r, h);
    case SCENE_SHAPE_CONE: return 2.0f * r * h / (r + sqrtf(r * r + h * h));
    case SCENE_SHAPE_TORUS: return 2.0f * s->tube_radius;
    default: return 0.0f;
    }
}

typedef struct depth_field {
    const solid_set *solids;
    uint32_t shape;
} depth_field;

static float depth_at(const void *of, vec3 p)
{
    const depth_field *d = of;
    return -solid_shape_distance(d->solids, d->shape, p);
}

/* Returns the thickness of a shape. Centres of cells miss the middle of a plate, so the search
 * starts from the deepest of them. */
static float find_thickness(const body_set *set, const solid_set *solids, uint32_t shape,
                            vec3 deepest)
{
    const scene_shape *s = &set->scene->shapes[shape];
    const depth_field of = {solids, shape};
    const float known = s->pose.scale * primitive_thickness(s);
    if (known > 0.0f) return known;
    return 2.0f * body_maximize_field(&(body_scalar_field){depth_at, &of}, set->scene->spacing, 12,
                                      &deepest);
}

/* Measures a shape. The distances of a mesh are too coarse for its mass, so its triangles are
 * integrated exactly. */
static shape_measures measure_shape(const body_set *set, const solid_set *solids, uint32_t shape,
                                    const shape_box *f)
{
    vec3 deepest = f->origin;
    shape_measures m = integrate_shape(solids, shape, f, &deepest);
    solid_moments exact;
    m.thickness = find_thickness(set, solids, shape, deepest);
    if (m.moments.volume > 0.0 && solid_shape_moments(solids, shape, f->origin, &exact))
        m.moments = exact;
    return m;
}

void body_invert_symmetric(const double of[6], double inverse[6])
{
    const double xx = of[0], yy = of[1], zz = of[2], xy = of[3], xz = of[4], yz = of[5];
    const double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
    const double over = 1.0 / (xx * a + xy * b + xz * c);
    inverse[0] = a * over;
    inverse[1] = (xx * zz - xz * xz) * over;
    inverse[2] = (xx * yy - xy * xy) * over;
    inverse[3] = b * over;
    inverse[4] = c * over;
    inverse[5] = (xy * xz - xx * yz) * over;
}

/* Computes the inverse inertia tensor about the centre of mass, from the second moments `s` about
 * it. */
static void invert_inertia(struct body_properties *make, const double s[6], double density)
{
    const double inertia[6] = {density * (s[1] + s[2]), density * (s[0] + s[2]),
                               density * (s[0] + s[1]), -density * s[3],
                               -density * s[4],         -density * s[5]};
    double i[6];
    body_invert_symmetric(inertia, i);
    make->inertia = (vec4){(float)i[0], (float)i[1], (float)i[2], 0.0f};
    make->products = (vec4){(float)i[3], (float)i[4], (float)i[5], 0.0f};
}

/* Returns the initial angular momentum: the inertia tensor times the angular velocity `turning`. */
static vec4 initial_angular_momentum(const double s[6], double density, vec3 turning)
{
    const double x = (double)turning.x, y = (double)turning.y, z = (double)turning.z;
    return (vec4){(float)(density * ((s[1] + s[2]) * x - s[3] * y - s[4] * z)),
                  (float)(density * ((s[0] + s[2]) * y - s[3] * x - s[5] * z)),
                  (float)(density * ((s[0] + s[1]) * z - s[4] * x - s[5] * y)), 0.0f};
}

static weir_result scene_fault(const body_set *set, const weir_log *log, const scene_body *body,
                               const char *what)
{
    return base_fail(log, WEIR_ERROR_SCENE, "%s:%d:%d: body '%s' %s", set->scene->source,
                     body->line, body->column, body->name, what);
}

static const char *reason_for_no_volume(const body_set *set, const solid_set *solids,
                                        uint32_t shape)
{
    solid_moments moments;
    if (solid_shape_has_mixed_winding(solids, shape))
        return "encloses no volume: its mesh mixes triangles that face inwards and outwards; make "
               "all normals point outwards in the program that made the file";
    if (solid_shape_moments(solids, shape, vec3_make(0, 0, 0), &moments))
        return "is too thin to act on fluid, for which meshes are sampled on cells of half the "
               "support radius: make it thicker, or spacing smaller";
    if (set->scene->shapes[shape].kind == SCENE_SHAPE_MESH)
        return "encloses no volume: the mesh of a body needs triangles that face outwards";
    return "encloses no volume: the operations on its shapes leave nothing";
}

static weir_result check_size(const body_set *set, const weir_log *log, const solid_set *solids,
                              uint32_t index, const shape_measures *m)
{
    const scene_body *body = &set->scene->bodies[index];
    const double d = (double)set->scene->spacing, thickness = (double)m->thickness;
    char what[256];
    if (!(m->moments.volume > 0.0) || !(thickness > 0.0))
        return scene_fault(set, log, body, reason_for_no_volume(set, solids, body->shape));
    if (thickness >= 0.999 * d) return WEIR_OK;
    if (set->scene->shapes[body->shape].kind == SCENE_SHAPE_MESH)
        snprintf(what, sizeof what,
                 "is %.3g m thick when its mesh is sampled on cells of half the support radius, "
                 "thinner than the spacing of %g m: %smake it thicker, or spacing smaller",
                 thickness, d,
                 solid_shape_has_mixed_winding(solids, body->shape)
                     ? "make all its triangles face outwards, or "
                     : "");
    else
        snprintf(what, sizeof what,
                 "is %.3g m thick, thinner than the spacing of %g m, so it would not act on fluid; "
                 "make it thicker, or spacing %.3g or less",
                 thickness, d, thickness);
    return scene_fault(set, log, body, what);
}

static void set_mass_properties(body_set *set, uint32_t index, const shape_measures *all,
                                vec3 origin)
{
    const solid_moments *m = &all->moments;
    const scene_body *body = &set->scene->bodies[index];
    struct body_properties *make = &set->properties[index];
    double mass = body->mass > 0.0f ? (double)body->mass : (double)body->density * m->volume;
    double density = mass / m->volume, c[3], s[6];
    for (int k = 0; k < 3; k++)
        c[k] = m->first[k] / m->volume;
    for (int k = 0; k < 3; k++)
        s[k] = m->second[k] - m->volume * c[k] * c[k];
    s[3] = m->second[3] - m->volume * c[0] * c[1];
    s[4] = m->second[4] - m->volume * c[0] * c[2];
    s[5] = m->second[5] - m->volume * c[1] * c[2];
    vec3 centre = vec3_add(origin, vec3_make((float)c[0], (float)c[1], (float)c[2]));
    invert_inertia(make, s, density);
    make->centre = (vec4){centre.x, centre.y, centre.z, (float)(1.0 / mass)};
    make->products.w = body->friction;
    make->group = body->collision_group;
    set->initial_states[index] = (struct body_state){
        .position = {centre.x, centre.y, centre.z, 0.0f},
        .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
        .velocity = {body->velocity.x, body->velocity.y, body->velocity.z, 0.0f},
        .angular_momentum = initial_angular_momentum(s, density, body->angular_velocity),
    };
    set->mass_properties[index] = (body_mass_properties){
        .mass_kg = mass, .volume_m3 = m->volume, .density = density, .centre = centre};
}

/* ---- samples --------------------------------------------------------------------------------- */

static vec3 distance_gradient(const solid_set *solids, uint32_t shape, vec3 p, float step)
{
    const vec3 x = {step, 0, 0}, y = {0, step, 0}, z = {0, 0, step};
    vec3 slope = {solid_shape_distance(solids, shape, vec3_add(p, x)) -
                      solid_shape_distance(solids, shape, vec3_sub(p, x)),
                  solid_shape_distance(solids, shape, vec3_add(p, y)) -
                      solid_shape_distance(solids, shape, vec3_sub(p, y)),
                  solid_shape_distance(solids, shape, vec3_add(p, z)) -
                      solid_shape_distance(solids, shape, vec3_sub(p, z))};
    float length = vec3_length(slope);
    return length > 0.0f ? vec3_scale(slope, 1.0f / length) : slope;
}

typedef struct sampler {
    body_set *set;
    const solid_set *solids;
    uint32_t body, shape;
    float step;
} sampler;

static bool has_sample_near(const sampler *s, vec3 offset)
{
    const body_set *set = s->set;
    for (size_t i = set->properties[s->body].first_sample; i < set->samples.count; i++) {
        const vec4 *q = &set->samples.items[i].offset;
        vec3 d = vec3_sub(offset, vec3_make(q->x, q->y, q->z));
        if (vec3_dot(d, d) < 0.25f * s->step * s->step) return true;
    }
    return false;
}

/* Returns the point near p that lies `depth` below the surface, if there is one. */
static vec3 project_to_depth(const sampler *s, vec3 p, float depth)
{
    for (int turn = 0; turn < 8; turn++) {
        float off = solid_shape_distance(s->solids, s->shape, p) + depth;
        if (fabsf(off) < 1e-5f * s->step) break;
        vec3 slope = distance_gradient(s->solids, s->shape, p, 1e-2f * s->step);
        p = vec3_sub(p, vec3_scale(slope, off));
    }
    return p;
}

static vec4 offset_from_centre(const sampler *s, vec3 p)
{
    const vec4 *c = &s->set->properties[s->body].centre;
    return (vec4){p.x - c->x, p.y - c->y, p.z - c->z, 0.0f};
}

/* Adds the surface point nearest to p as a sample unless another sample is near. */
static bool add_sample(const sampler *s, vec3 p)
{
    p = project_to_depth(s, p, 0.0f);
    if (fabsf(solid_shape_distance(s->solids, s->shape, p)) > 0.05f * s->step) return true;
    vec4 place = offset_from_centre(s, p);
    if (has_sample_near(s, vec3_make(place.x, place.y, place.z))) return true;
    vec3 inner = project_to_depth(s, p, 0.5f * s->set->scene->spacing);
    return BASE_ARRAY_PUSH(&s->set->samples,
                           ((struct body_sample){.offset = place,
                                                 .inner_offset = offset_from_centre(s, inner),
                                                 .body = s->body}));
}

/* Samples the lattice points on the surface first, among them a box's corners, then those near
 * it. */
static bool sample_surface(const sampler *s, const shape_box *f)
{
    sample_lattice grid = divide_box(f, s->step);
    uint32_t nx = grid.count[0] + 1, ny = grid.count[1] + 1, all = nx * ny * (grid.count[2] + 1);
    for (int near = 0; near < 2; near++)
        for (uint32_t i = 0; i < all; i++) {
            uint32_t row = i / nx, layer = row / ny;
            const float at[3] = {(float)(i % nx), (float)(row % ny), (float)layer};
            vec3 p = lattice_point(f, &grid, at);
            float off = fabsf(solid_shape_distance(s->solids, s->shape, p)) / s->step;
            bool wanted = near ? off >= 1e-3f && off < 0.87f : off < 1e-3f;
            if (wanted && !add_sample(s, p)) return false;
        }
    return true;
}

static void set_reach(body_set *set, uint32_t body)
{
    struct body_properties *make = &set->properties[body];
    for (size_t i = make->first_sample; i < set->samples.count; i++) {
        const vec4 *q = &set->samples.items[i].offset;
        make->inertia.w = fmaxf(make->inertia.w, vec3_length(vec3_make(q->x, q->y, q->z)));
    }
    make->sample_count = (uint32_t)set->samples.count - make->first_sample;
    set->mass_properties[body].samples = make->sample_count;
}

/* ---- bodies of the same shape -------------------------------------------------------------- */

static bool is_same_vector(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Returns whether two shapes differ only in their positions. Sets of shapes always count as
 * different. */
static bool has_same_shape(const scene_shape *a, const scene_shape *b)
{
    const quat *q = &a->pose.rotation, *r = &b->pose.rotation;
    bool turned = q->x == r->x && q->y == r->y && q->z == r->z && q->w == r->w;
    bool sized = a->radius == b->radius && a->height == b->height &&
                 a->tube_radius == b->tube_radius && a->thickness == b->thickness;
    return a->kind == b->kind && a->mesh == b->mesh && a->child_count + b->child_count == 0 &&
           turned && sized && a->pose.scale == b->pose.scale && is_same_vector(a->size, b->size);
}

/* Returns the first body before this one that has the same shape, otherwise the body itself. */
static uint32_t find_same_shape(const scene_data *scene, uint32_t body)
{
    const scene_shape *shapes = scene->shapes, *own = &shapes[scene->bodies[body].shape];
    uint32_t first = 0;
    while (first < body && !has_same_shape(&shapes[scene->bodies[first].shape], own))
        first++;
    return first;
}

static bool copy_samples(body_set *set, uint32_t from, uint32_t to)
{
    const struct body_properties *make = &set->properties[from];
    for (uint32_t i = 0; i < make->sample_count; i++) {
        struct body_sample sample = set->samples.items[make->first_sample + i];
        sample.body = to;
        if (!BASE_ARRAY_PUSH(&set->samples, sample)) return false;
    }
    return true;
}

/* Measures one body. `all` has the measures of the bodies before it. */
static weir_result measure_body(body_set *set, const weir_log *log, const solid_set *solids,
                                uint32_t body, shape_measures *all)
{
    const uint32_t shape = set->scene->bodies[body].shape,
                   alike = find_same_shape(set->scene, body);
    shape_box f = box_of_shape(set->scene, solids, shape);
    if (alike == body)
        all[body] = measure_shape(set, solids, shape, &f);
    else
        all[body] = all[alike];
    WEIR_RETURN_IF_ERROR(check_size(set, log, solids, body, &all[body]));
    set_mass_properties(set, body, &all[body], f.origin);
    set->properties[body].first_sample = (uint32_t)set->samples.count;
    sampler s = {.set = set, .solids = solids, .body = body, .shape = shape};
    s.step = fmaxf(set->scene->spacing, longest_edge(&f) / SAMPLE_EDGES);
    bool sampled = alike == body ? sample_surface(&s, &f) : copy_samples(set, alike, body);
    if (!sampled) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for bodies");
    set_reach(set, body);
    return WEIR_OK;
}

weir_result body_set_compute_properties(body_set *set, const weir_log *log, const solid_set *solids)
{
    set->properties = base_alloc(set->count, sizeof *set->properties);
    set->initial_states = base_alloc(set->count, sizeof *set->initial_states);
    set->mass_properties = base_alloc(set->count, sizeof *set->mass_properties);
    shape_measures *all = base_alloc(set->count, sizeof *all);
    weir_result result = WEIR_OK;
    if (!set->properties || !set->initial_states || !set->mass_properties || !all)
        result = base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for bodies");
    for (uint32_t i = 0; i < set->count && result == WEIR_OK; i++)
        result = measure_body(set, log, solids, i, all);
    base_free(all);
    return result;
}

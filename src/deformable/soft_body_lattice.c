/* Builds the vertices of a soft body: corners of the cells of a lattice that lie inside its shape.
 * The lattice ends at an inset below the surface of the shape, and its outermost vertices are moved
 * onto that inner surface. */
#include "soft_body_lattice.h"

#define MAX_CELLS 4000000.0 /* maximum number of cells in the bounding box of a shape */
/* cells along the longest edge of the lattice on which a volume is integrated */
#define VOLUME_CELLS 40.0f
#define MAX_MOVE 1.0f /* fraction of a step by which a vertex may be moved onto the surface */
/* fraction of a cell's volume that moving vertices must leave */
#define MIN_VOLUME_FRACTION 0.02f

/* Sets the bounding box of a shape: for a box shape in its own axes, for other shapes in the
 * world's. */
static void box_of_shape(const scene_data *scene, const solid_set *solids, soft_body_box *f)
{
    const scene_shape *s = &scene->shapes[f->shape];
    vec3 low, high;
    f->rotation = quat_identity();
    if (s->kind == SCENE_SHAPE_BOX) {
        vec3 size = vec3_scale(s->size, s->pose.scale);
        f->rotation = s->pose.rotation;
        f->size = size;
        f->origin = vec3_sub(s->pose.position, quat_rotate(f->rotation, vec3_scale(size, 0.5f)));
        return;
    }
    solid_shape_bounds(solids, f->shape, &low, &high);
    f->size = vec3_max(vec3_sub(high, low), vec3_make(0, 0, 0));
    f->origin = low;
}

static float component_of(vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static float shape_distance(const soft_body_box *f, vec3 p)
{
    return solid_shape_distance(f->solids, f->shape, p);
}

/* Converts a point of the box, m from its origin along its axes, to world space. */
static vec3 box_point(const soft_body_box *f, float x, float y, float z)
{
    return vec3_add(f->origin, quat_rotate(f->rotation, vec3_make(x, y, z)));
}

/* Returns the volume of a shape, m3. *deepest receives the depth of its deepest point, m. A cell
 * counts by the fraction of it that a plane at the distance of its centre cuts off. The distances
 * of a mesh are too coarse for that, so the volume of its triangles is used, as for bodies:
 * src/body/mass_properties.c. */
static double integrate_volume(const soft_body_box *f, float *deepest)
{
    solid_moments exact;
    const bool fine = solid_shape_is_fine(f->solids, f->shape);
    float longest = fmaxf(f->size.x, fmaxf(f->size.y, f->size.z)), step[3];
    uint32_t n[3];
    double volume = 0.0;
    *deepest = 0.0f;
    if (!(longest > 0.0f)) return 0.0;
    for (int k = 0; k < 3; k++) {
        n[k] = (uint32_t)fmaxf(rintf(component_of(f->size, k) * VOLUME_CELLS / longest), 1.0f);
        step[k] = component_of(f->size, k) / (float)n[k];
    }
    float min_step = fminf(step[0], fminf(step[1], step[2]));
    double cell = (double)step[0] * (double)step[1] * (double)step[2];
    for (uint32_t i = 0; i < n[0] * n[1] * n[2] && min_step > 0.0f; i++) {
        uint32_t row = i / n[0], layer = row / n[1];
        float x = ((float)(i % n[0]) + 0.5f) * step[0];
        float y = ((float)(row % n[1]) + 0.5f) * step[1];
        float z = ((float)layer + 0.5f) * step[2];
        vec3 p = box_point(f, x, y, z);
        float distance = shape_distance(f, p);
        *deepest = fmaxf(*deepest, -distance);
        if (fine) distance = solid_shape_fine_distance(f->solids, f->shape, p);
        volume += cell * fmin(fmax(0.5 - (double)(distance / min_step), 0.0), 1.0);
    }
    if (volume > 0.0 && solid_shape_moments(f->solids, f->shape, f->origin, &exact))
        volume = exact.volume;
    return volume;
}

/* ---- cells ---------------------------------------------------------------------------------- */

static uint32_t cell_index(const soft_body_cells *c, const uint32_t at[3])
{
    return (at[2] * c->cell_count[1] + at[1]) * c->cell_count[0] + at[0];
}

/* Returns the neighbour of a cell across one of its six faces, or DEFORMABLE_NONE. */
static uint32_t face_neighbour(const soft_body_cells *c, uint32_t cell, int face)
{
    uint32_t at[3] = {cell % c->cell_count[0], cell / c->cell_count[0] % c->cell_count[1],
                      cell / c->cell_count[0] / c->cell_count[1]};
    int axis = face / 2;
    if (face % 2 == 0 ? at[axis] == 0 : at[axis] + 1 == c->cell_count[axis]) return DEFORMABLE_NONE;
    at[axis] += face % 2 == 0 ? UINT32_MAX : 1;
    uint32_t other = cell_index(c, at);
    return c->in[other] ? other : DEFORMABLE_NONE;
}

/* Chooses steps that divide the box inside the inset. They divide its shortest edge first, so that
 * cells are as close to cubes as possible. Returns false if the box is too thin. */
static bool choose_steps(const soft_body_box *f, float spacing, soft_body_cells *c)
{
    float inner[3], min = INFINITY;
    double cells = 1.0;
    for (int k = 0; k < 3; k++)
        min = fminf(min, inner[k] = component_of(f->size, k) - 2.0f * f->inset);
    if (!(min > 0.25f * spacing)) return false;
    float step = min < spacing ? min : min / rintf(min / spacing);
    for (int k = 0; k < 3; k++) {
        cells *= (double)(c->cell_count[k] = (uint32_t)fmaxf(rintf(inner[k] / step), 1.0f));
        c->step[k] = inner[k] / (float)c->cell_count[k];
    }
    c->box_cell_count = cells;
    return true;
}

static weir_result mark_cells_inside(deformable_builder *b, const soft_body_box *f,
                                     soft_body_cells *c)
{
    uint32_t all = c->cell_count[0] * c->cell_count[1] * c->cell_count[2];
    c->in = base_alloc(all, 1);
    c->piece = base_alloc(all, sizeof *c->piece);
    c->stack = base_alloc(all, sizeof *c->stack);
    if (!c->in || !c->piece || !c->stack)
        return base_fail(b->log, WEIR_ERROR_MEMORY, "not enough memory for the cells of '%s'",
                         b->deformable->name);
    for (uint32_t i = 0; i < all; i++) {
        uint32_t row = i / c->cell_count[0], layer = row / c->cell_count[1];
        float x = f->inset + ((float)(i % c->cell_count[0]) + 0.5f) * c->step[0];
        float y = f->inset + ((float)(row % c->cell_count[1]) + 0.5f) * c->step[1];
        float z = f->inset + ((float)layer + 0.5f) * c->step[2];
        c->in[i] = shape_distance(f, box_point(f, x, y, z)) <= -f->inset;
        c->count += c->in[i];
    }
    return WEIR_OK;
}

/* Marks all cells that are connected with the first by faces; returns their number. */
static uint32_t flood_fill_piece(soft_body_cells *c, uint32_t first, uint32_t piece)
{
    uint32_t count = 0, depth = 0;
    c->stack[depth++] = first;
    c->piece[first] = piece;
    while (depth > 0) {
        uint32_t cell = c->stack[--depth];
        count++;
        for (int face = 0; face < 6; face++) {
            uint32_t other = face_neighbour(c, cell, face);
            if (other == DEFORMABLE_NONE || c->piece[other]) continue;
            c->piece[other] = piece;
            c->stack[depth++] = other;
        }
    }
    return count;
}

/* Keeps the largest connected piece; leaves out all others, and warns of them. */
static void keep_largest_piece(deformable_builder *b, soft_body_cells *c)
{
    uint32_t all = c->cell_count[0] * c->cell_count[1] * c->cell_count[2], pieces = 0, best = 0,
             max = 0;
    for (uint32_t i = 0; i < all; i++) {
        if (!c->in[i] || c->piece[i]) continue;
        uint32_t count = flood_fill_piece(c, i, ++pieces);
        if (count > max) max = count, best = pieces;
    }
    if (pieces > 1)
        base_log(b->log, WEIR_LOG_WARNING,
                 "%s:%d:%d: soft body '%s' is thin in places: its cells of %.3g m form %u separate "
                 "pieces, and only the largest, %u of %u cells, is used; make its spacing smaller",
                 b->set->scene->source, b->deformable->line, b->deformable->column,
                 b->deformable->name, (double)b->deformable->spacing_m, pieces, max, c->count);
    for (uint32_t i = 0; i < all; i++)
        c->in[i] = c->piece[i] == best && best > 0;
    c->count = max;
}

static weir_result choose_cells(deformable_builder *b, soft_body_box *f, soft_body_cells *c)
{
    const scene_deformable *s = b->deformable;
    float deepest;
    f->volume = integrate_volume(f, &deepest);
    if (!(f->volume > 0.0) && !solid_shape_has_mixed_winding(f->solids, f->shape))
        return deformable_scene_fault(b, s->line, s->column,
                                      "encloses no volume: the operations on its shapes leave "
                                      "nothing, or its mesh has no inside");
    bool thick = choose_steps(f, s->spacing_m, c);
    if (thick && !(c->box_cell_count < MAX_CELLS))
        return deformable_scene_fault(
            b, s->line, s->column,
            "would have %.3g cells, expected at most %.3g: make its spacing larger than %g m",
            c->box_cell_count, MAX_CELLS, (double)s->spacing_m);
    if (thick) WEIR_RETURN_IF_ERROR(mark_cells_inside(b, f, c));
    bool empty = !thick || c->count == 0;
    if (empty && solid_shape_has_mixed_winding(f->solids, f->shape))
        return deformable_scene_fault(
            b, s->line, s->column,
            "encloses no volume: its mesh mixes triangles that face inwards and outwards; make all "
            "normals point outwards in the program that made the file");
    if (empty)
        return deformable_scene_fault(b, s->line, s->column,
                                      "is about %.2g m thick, too thin for vertices %g m apart: "
                                      "set its spacing to %.2g or less",
                                      2.0 * (double)deepest, (double)s->spacing_m,
                                      1.2 * (double)deepest);
    keep_largest_piece(b, c);
    return WEIR_OK;
}

/* ---- vertices ------------------------------------------------------------------------------- */

/* Returns the node at a corner of a cell. Bits 0, 1 and 2 of `corner` select the side of x, y and
 * z. */
static uint32_t cell_node(const soft_body_cells *c, uint32_t cell, uint32_t corner)
{
    uint32_t x = cell % c->cell_count[0] + (corner & 1u),
             y = cell / c->cell_count[0] % c->cell_count[1] + (corner >> 1 & 1u);
    uint32_t z = cell / c->cell_count[0] / c->cell_count[1] + (corner >> 2 & 1u);
    return (z * (c->cell_count[1] + 1) + y) * (c->cell_count[0] + 1) + x;
}

/* The corners of the faces, in the order of face_neighbour; outwards by the right-hand rule. */
static const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static vec3 node_position(const soft_body_box *f, const soft_body_cells *c, uint32_t node)
{
    uint32_t nx = c->cell_count[0] + 1, ny = c->cell_count[1] + 1, row = node / nx,
             layer = row / ny;
    float x = f->inset + (float)(node % nx) * c->step[0];
    float y = f->inset + (float)(row % ny) * c->step[1];
    float z = f->inset + (float)layer * c->step[2];
    return box_point(f, x, y, z);
}

static bool append_node(deformable_builder *b, const soft_body_box *f, soft_body_cells *c,
                        uint32_t node)
{
    if (c->vertex[node] != DEFORMABLE_NONE) return true;
    c->vertex[node] = (uint32_t)b->set->initial_states.count - b->first;
    return deformable_append_vertex(b, node_position(f, c, node));
}

static bool append_face(deformable_builder *b, const soft_body_box *f, soft_body_cells *c,
                        uint32_t cell, int face)
{
    uint32_t v[4];
    bool ok = true;
    for (int k = 0; k < 4 && ok; k++) {
        uint32_t node = cell_node(c, cell, faces[face][k]);
        ok = append_node(b, f, c, node);
        v[k] = c->vertex[node];
    }
    const uint32_t corners[6] = {v[0], v[1], v[2], v[0], v[2], v[3]};
    for (int k = 0; k < 6 && ok; k++)
        ok = BASE_ARRAY_PUSH(&b->set->triangles, corners[k]);
    return ok;
}

/* Appends the vertices, those on the surface first, and the triangles of the surface. */
static weir_result append_nodes(deformable_builder *b, const soft_body_box *f, soft_body_cells *c)
{
    uint32_t all = c->cell_count[0] * c->cell_count[1] * c->cell_count[2];
    size_t nodes = (size_t)(c->cell_count[0] + 1) * (c->cell_count[1] + 1) * (c->cell_count[2] + 1);
    bool ok = (c->vertex = base_alloc(nodes, sizeof *c->vertex)) != NULL;
    for (size_t i = 0; i < nodes && ok; i++)
        c->vertex[i] = DEFORMABLE_NONE;
    for (uint32_t i = 0; i < all && ok; i++)
        for (int face = 0; face < 6 && c->in[i] && ok; face++)
            if (face_neighbour(c, i, face) == DEFORMABLE_NONE) ok = append_face(b, f, c, i, face);
    c->surface = (uint32_t)b->set->initial_states.count - b->first;
    for (uint32_t i = 0; i < all && ok; i++)
        for (uint32_t corner = 0; corner < 8 && c->in[i] && ok; corner++)
            ok = append_node(b, f, c, cell_node(c, i, corner));
    if (ok) return WEIR_OK;
    return base_fail(b->log, WEIR_ERROR_MEMORY, "not enough memory for the vertices of '%s'",
                     b->deformable->name);
}

static vec3 distance_gradient(const soft_body_box *f, vec3 p, float h)
{
    const vec3 x = {h, 0, 0}, y = {0, h, 0}, z = {0, 0, h};
    vec3 slope = {shape_distance(f, vec3_add(p, x)) - shape_distance(f, vec3_sub(p, x)),
                  shape_distance(f, vec3_add(p, y)) - shape_distance(f, vec3_sub(p, y)),
                  shape_distance(f, vec3_add(p, z)) - shape_distance(f, vec3_sub(p, z))};
    float length = vec3_length(slope);
    return length > 0.0f ? vec3_scale(slope, 1.0f / length) : vec3_make(0, 0, 0);
}

static void set_position(deformable_builder *b, uint32_t vertex, vec3 p)
{
    vec4 *at = &b->set->initial_states.items[b->first + vertex].position;
    at->x = p.x, at->y = p.y, at->z = p.z;
}

/* Moves vertices onto the surface at the inset, by at most MAX_MOVE steps. */
static void snap_to_surface(deformable_builder *b, const soft_body_box *f, const soft_body_cells *c)
{
    float min_step = fminf(c->step[0], fminf(c->step[1], c->step[2]));
    for (uint32_t i = 0; i < c->surface; i++) {
        vec3 start = deformable_initial_position(b->set, b->first + i), p = start;
        for (int turn = 0; turn < 3; turn++) {
            float off = -f->inset - shape_distance(f, p);
            p = vec3_add(p, vec3_scale(distance_gradient(f, p, 0.1f * min_step), off));
        }
        vec3 way = vec3_sub(p, start);
        float far = vec3_length(way), max = MAX_MOVE * min_step;
        if (far > max) way = vec3_scale(way, max / far);
        if (isfinite(far)) set_position(b, i, vec3_add(start, way));
    }
}

double tetrahedron_volume(const deformable_set *set, const uint32_t v[4])
{
    vec3 p = deformable_initial_position(set, v[0]),
         a = vec3_sub(deformable_initial_position(set, v[1]), p);
    vec3 c = vec3_sub(deformable_initial_position(set, v[2]), p),
         d = vec3_sub(deformable_initial_position(set, v[3]), p);
    return (double)vec3_dot(vec3_cross(a, c), d) / 6.0;
}

/* Two tetrahedra of alternate corners of a cube; each has a third of its volume. */
static const uint32_t inscribed_tetrahedra[2][4] = {{0, 5, 3, 6}, {1, 7, 2, 4}};

void soft_body_cell_tetrahedra(const deformable_builder *b, const soft_body_cells *c, uint32_t cell,
                               uint32_t v[2][4])
{
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < 4; k++)
            v[t][k] = b->first + c->vertex[cell_node(c, cell, inscribed_tetrahedra[t][k])];
}

uint32_t soft_body_cell_corner(const deformable_builder *b, const soft_body_cells *c, uint32_t cell,
                               uint32_t corner)
{
    return b->first + c->vertex[cell_node(c, cell, corner)];
}

/* Moves vertices a quarter of the way back where a cell has become too flat. Returns whether there
 * was such a cell. */
static bool relax_flat_cells(deformable_builder *b, const soft_body_box *f,
                             const soft_body_cells *c)
{
    float whole = c->step[0] * c->step[1] * c->step[2];
    uint32_t v[2][4], all = c->cell_count[0] * c->cell_count[1] * c->cell_count[2];
    bool flat = false;
    for (uint32_t i = 0; i < all; i++) {
        if (!c->in[i]) continue;
        soft_body_cell_tetrahedra(b, c, i, v);
        double min = fmin(tetrahedron_volume(b->set, v[0]), tetrahedron_volume(b->set, v[1]));
        if (min >= (double)(MIN_VOLUME_FRACTION * whole) / 3.0) continue;
        flat = true;
        for (uint32_t corner = 0; corner < 8; corner++) {
            uint32_t node = cell_node(c, i, corner), vertex = c->vertex[node];
            if (vertex >= c->surface) continue;
            vec3 home = node_position(f, c, node),
                 now = deformable_initial_position(b->set, b->first + vertex);
            set_position(b, vertex, vec3_add(now, vec3_scale(vec3_sub(home, now), 0.25f)));
        }
    }
    return flat;
}

/* ---- volumes and masses --------------------------------------------------------------------- */

double soft_body_cell_volume(const deformable_builder *b, const soft_body_cells *c, uint32_t cell)
{
    uint32_t v[2][4];
    soft_body_cell_tetrahedra(b, c, cell, v);
    return 1.5 * (tetrahedron_volume(b->set, v[0]) + tetrahedron_volume(b->set, v[1]));
}

/* Gives each corner an eighth of the mass of its cells. The total is the mass of the shape. */
static void distribute_mass(deformable_builder *b, const soft_body_box *f, soft_body_cells *c)
{
    uint32_t all = c->cell_count[0] * c->cell_count[1] * c->cell_count[2];
    double sum = 0.0;
    for (uint32_t i = 0; i < all; i++)
        if (c->in[i]) sum += soft_body_cell_volume(b, c, i);
    c->volume_ratio = f->volume / sum;
    for (uint32_t i = 0; i < all; i++) {
        if (!c->in[i]) continue;
        double mass =
            (double)b->deformable->density * c->volume_ratio * soft_body_cell_volume(b, c, i) / 8.0;
        for (uint32_t corner = 0; corner < 8; corner++)
            b->set->masses.items[soft_body_cell_corner(b, c, i, corner)] += (float)mass;
    }
}

weir_result soft_body_build_lattice(deformable_builder *b, const solid_set *solids)
{
    soft_body_cells *c = &b->cells;
    soft_body_box f = {.solids = solids,
                       .shape = b->deformable->shape,
                       .inset = SCENE_BODY_INSET * b->deformable->spacing_m};
    box_of_shape(b->set->scene, solids, &f);
    WEIR_RETURN_IF_ERROR(choose_cells(b, &f, c));
    WEIR_RETURN_IF_ERROR(append_nodes(b, &f, c));
    snap_to_surface(b, &f, c);
    for (int turn = 0; turn < 12 && relax_flat_cells(b, &f, c); turn++)
        continue;
    distribute_mass(b, &f, c);
    return soft_body_build_skin(b, &f);
}

void soft_body_free_lattice(deformable_builder *b)
{
    base_free(b->cells.in);
    base_free(b->cells.piece);
    base_free(b->cells.stack);
    base_free(b->cells.vertex);
    b->cells = (soft_body_cells){0};
}

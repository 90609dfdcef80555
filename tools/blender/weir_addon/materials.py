"""The materials of a fluid and its surroundings, for Cycles, with simpler ones for EEVEE; and particles as
balls. Materials that already exist are kept, so that an artist can change them.
"""

import math

import bpy

WATER_INDEX = 1.333
# Absorption of red, green and blue by pure water, 1/m.
PURE_WATER = (0.30, 0.055, 0.010)
EEVEE_DEPTH = 0.9  # optical depth that tints water in EEVEE, which draws no absorption inside a mesh
EEVEE_BODY = 0.25  # fraction of the water's surface that is opaque in EEVEE, so that waves are visible
KINDS = ("spray", "foam", "bubbles", "tracers")  # in the order of their numbers
# Factors by which particles are enlarged, because each stands for a cluster.
SIZES = {"spray": 1.5, "foam": 3, "bubbles": 1, "tracers": 1, "drops": 1}
# Subdivisions of the spheres that show drops. The other kinds are points, which cannot show water, because Cycles
# does not refract at their backs.
SUBDIVISIONS = {"spray": 2, "drops": 3}


class Tree:
    """The nodes of a new material, node group or world, and how to connect them."""

    def __init__(self, tree):
        self.tree = tree
        tree.nodes.clear()

    def add(self, kind, **inputs):
        """Makes a node. Inputs are numbers, colours or outputs of other nodes, by name with _ in place of spaces."""
        node = self.tree.nodes.new(kind)
        for name, value in inputs.items():
            self.set(node, name.replace("_", " "), value)
        return node

    def set(self, node, name, value):
        place = node.inputs[name]
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, place)
        else:
            place.default_value = value

    def math(self, operation, a, b=0.0):
        node = self.tree.nodes.new("ShaderNodeMath")
        node.operation = operation
        self.set(node, 0, a)
        self.set(node, 1, b)
        return node.outputs[0]

    def mix(self, part, a, b):
        """Mixes two shaders: a where part is 0, b where it is 1."""
        node = self.tree.nodes.new("ShaderNodeMixShader")
        for place, value in enumerate((part, a, b)):
            self.set(node, place, value)
        return node.outputs[0]

    def colours(self, part, *stops):
        """Returns the colour at a part of a ramp. `stops`: (place, (red, green, blue))."""
        node = self.add("ShaderNodeValToRGB", Fac=part)
        ramp = node.color_ramp
        while len(ramp.elements) < len(stops):
            ramp.elements.new(1)
        for element, (place, colour) in zip(ramp.elements, stops):
            element.position, element.color = place, (*colour, 1)
        return node.outputs["Color"]

    def smoothstep(self, value, low, high):
        node = self.add("ShaderNodeMapRange", Value=value, From_Min=low, From_Max=high)
        node.interpolation_type = "SMOOTHSTEP"
        return node.outputs["Result"]

    def finish(self, surface, volume=None, target="ALL"):
        out = self.add("ShaderNodeOutputMaterial", Surface=surface)
        out.target = target
        if volume:
            self.set(out, "Volume", volume)


def material(name):
    """Returns a material and its empty tree; if the material already exists, None instead of the tree."""
    if name in bpy.data.materials:
        return bpy.data.materials[name], None
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    return made, Tree(made.node_tree)


def set_if(thing, **values):
    """Sets those properties that this version of Blender has."""
    for name, value in values.items():
        if hasattr(thing, name):
            setattr(thing, name, value)


# ---- fluid ---------------------------------------------------------------------------------------

def liquid(tree, index, tint=(1, 1, 1)):
    """Returns clear glass that lets the light of lamps and of the surroundings through to what is below it, so
    that a picture needs no caustics.
    """
    glass = tree.add("ShaderNodeBsdfGlass", Roughness=0.0, IOR=index, Color=(*tint, 1))
    path = tree.add("ShaderNodeLightPath")
    passing = tree.math("MAXIMUM", path.outputs["Is Shadow Ray"], path.outputs["Is Diffuse Ray"])
    clear = tree.add("ShaderNodeBsdfTransparent")
    return tree.mix(passing, glass.outputs[0], clear.outputs[0])


def refract_in_eevee(made):
    set_if(made, use_screen_refraction=True, use_raytrace_refraction=True, refraction_depth=0.0,
           shadow_method="NONE", blend_method="HASHED")


def water(absorption=PURE_WATER):
    """Makes water that absorbs light: `absorption` of red, green and blue, 1/m."""
    made, tree = material("weir water")
    if not tree:
        return made
    most = max(max(absorption), 1e-6)
    volume = tree.add("ShaderNodeVolumeAbsorption", Density=most)
    volume.inputs["Color"].default_value = (*(1 - a / most for a in absorption), 1)
    tree.finish(liquid(tree, WATER_INDEX), volume.outputs[0], "CYCLES")
    tint = [math.exp(-EEVEE_DEPTH * a / most) for a in absorption]
    clear = tree.add("ShaderNodeBsdfTransparent", Color=(*tint, 1)).outputs[0]
    body = tree.mix(EEVEE_BODY, clear, tree.add("ShaderNodeBsdfDiffuse", Color=(*tint, 1)).outputs[0])
    edge = tree.add("ShaderNodeFresnel", IOR=WATER_INDEX).outputs[0]
    tree.finish(tree.mix(edge, body, tree.add("ShaderNodeBsdfGlossy", Roughness=0.02).outputs[0]), target="EEVEE")
    set_if(made, blend_method="BLEND", show_transparent_back=False, shadow_method="NONE")
    return made


def whitewater(kind):
    """Makes the material of a kind: spray and drops are water, bubbles are air in water, tracers are opaque, and
    foam scatters light and has soft edges.
    """
    made, tree = material("weir " + kind)
    if not tree:
        return made
    if kind == "bubbles":
        rim = tree.add("ShaderNodeFresnel", IOR=1 / WATER_INDEX).outputs[0]  # seen from water: total reflection
        mirror, clear = tree.add("ShaderNodeBsdfGlossy", Roughness=0.0), tree.add("ShaderNodeBsdfTransparent")
        tree.finish(tree.mix(rim, clear.outputs[0], mirror.outputs[0]))
        set_if(made, blend_method="HASHED", shadow_method="NONE")
        return made
    if kind == "tracers":
        tree.finish(tree.add("ShaderNodeBsdfDiffuse", Color=(0.9, 0.35, 0.05, 1)).outputs[0])
        return made
    if kind != "foam":
        tree.finish(liquid(tree, WATER_INDEX))
        refract_in_eevee(made)
        return made
    front = tree.add("ShaderNodeBsdfDiffuse", Color=(0.92, 0.94, 0.95, 1))
    through = tree.add("ShaderNodeBsdfTranslucent", Color=(0.92, 0.94, 0.95, 1))
    edge = tree.add("ShaderNodeLayerWeight", Blend=0.5).outputs["Facing"]  # 0 in the middle, 1 at the outline
    dense = tree.math("MULTIPLY", tree.smoothstep(edge, 1.0, 0.2), 0.85)
    froth = tree.mix(0.35, front.outputs[0], through.outputs[0])
    tree.finish(tree.mix(dense, tree.add("ShaderNodeBsdfTransparent").outputs[0], froth), target="CYCLES")
    tree.finish(froth, target="EEVEE")
    return made


# ---- surroundings --------------------------------------------------------------------------------

def solid(name, colour):
    """Makes an opaque material of a linear colour."""
    made = bpy.data.materials.new("weir " + name)
    made.use_nodes = True
    made.diffuse_color = (*colour, 1)
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value, shader.inputs["Roughness"].default_value = (*colour, 1), 0.45
    return made


def glass_pane():
    """Makes a thin pane, which reflects as much as in Weir's renderer and does not refract."""
    made, tree = material("weir glass")
    if not tree:
        return made
    edge = tree.add("ShaderNodeFresnel", IOR=1.5).outputs[0]
    camera = tree.add("ShaderNodeLightPath").outputs["Is Camera Ray"]
    part = tree.math("MULTIPLY", tree.math("MULTIPLY", edge, 0.35), camera)
    mirror, clear = tree.add("ShaderNodeBsdfGlossy", Roughness=0.0), tree.add("ShaderNodeBsdfTransparent")
    tree.finish(tree.mix(part, clear.outputs[0], mirror.outputs[0]))
    set_if(made, blend_method="BLEND", shadow_method="NONE")
    return made


def floor(size):
    """Makes a floor of pale tiles, an eighth of `size` wide, that fades into the sky."""
    made, tree = material("weir floor")
    if not tree:
        return made
    at = tree.add("ShaderNodeTexCoord").outputs["Object"]
    tiles = tree.add("ShaderNodeTexBrick", Vector=at, Scale=1.0, Color1=(0.30, 0.285, 0.265, 1),
                     Color2=(0.27, 0.255, 0.24, 1), Mortar=(0.16, 0.155, 0.15, 1), Mortar_Size=0.012 * size / 8,
                     Mortar_Smooth=0.1, Brick_Width=size / 8, Row_Height=size / 8)
    tiles.offset = 0.0
    stone = tree.add("ShaderNodeBsdfPrincipled", Base_Color=tiles.outputs["Color"], Roughness=0.4)
    far = tree.add("ShaderNodeVectorMath", Vector=at)
    far.operation = "LENGTH"
    gone = tree.smoothstep(far.outputs["Value"], 1.2 * size, 7 * size)
    tree.finish(tree.mix(gone, stone.outputs[0], tree.add("ShaderNodeBsdfTransparent").outputs[0]))
    set_if(made, blend_method="BLEND", shadow_method="OPAQUE")
    return made


def sky(world):
    """Makes a clear sky, pale at the horizon."""
    world.use_nodes = True
    tree = Tree(world.node_tree)
    way = tree.add("ShaderNodeSeparateXYZ", Vector=tree.add("ShaderNodeTexCoord").outputs["Generated"])
    blue = tree.colours(way.outputs["Z"], (0.0, (0.17, 0.24, 0.33)), (0.15, (0.10, 0.18, 0.30)),
                        (0.7, (0.025, 0.075, 0.20)))
    back = tree.add("ShaderNodeBackground", Color=blue, Strength=1.0)
    tree.add("ShaderNodeOutputWorld", Surface=back.outputs[0])


# ---- particles as balls --------------------------------------------------------------------------

def sockets(group):
    """Adds a geometry input and output, and a number input. Returns the number's name in a modifier."""
    if hasattr(group, "interface"):  # 4.0 and later
        new = group.interface.new_socket
        new("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        size = new("Size", in_out="INPUT", socket_type="NodeSocketFloat")
        new("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        group.inputs.new("NodeSocketGeometry", "Geometry")
        size = group.inputs.new("NodeSocketFloat", "Size")
        group.outputs.new("NodeSocketGeometry", "Geometry")
    size.min_value = 0
    return size.identifier


def number_of(tree, name):
    """Returns the values of a point attribute."""
    node = tree.add("GeometryNodeInputNamedAttribute", Name=name)
    node.data_type = "FLOAT"
    return next(o for o in node.outputs if o.enabled and o.name == "Attribute")


def with_number(tree, geometry, name, value):
    """Returns the geometry with a point attribute."""
    node = tree.add("GeometryNodeStoreNamedAttribute", Geometry=geometry, Name=name)
    node.data_type, node.domain = "FLOAT", "POINT"
    tree.tree.links.new(value, next(i for i in node.inputs if i.enabled and i.name == "Value"))
    return node.outputs[0]


def balls(tree, vertices, factor, subdivisions):
    """Returns points with `factor` times the radius, or, with `subdivisions`, spheres, which carry the points'
    velocity for motion blur.
    """
    # Mesh to Points keeps the attribute "radius" in 3.4 and replaces it in 4.2, so the product has a name of its own.
    sized = with_number(tree, vertices, "shown_radius", tree.math("MULTIPLY", number_of(tree, "radius"), factor))
    points, radius = tree.add("GeometryNodeMeshToPoints", Mesh=sized).outputs[0], number_of(tree, "shown_radius")
    if not subdivisions:
        return tree.add("GeometryNodeSetPointRadius", Points=points, Radius=radius).outputs[0]
    sphere = tree.add("GeometryNodeMeshIcoSphere", Radius=1.0, Subdivisions=subdivisions)
    smooth = tree.add("GeometryNodeSetShadeSmooth", Geometry=sphere.outputs[0])
    size = tree.add("ShaderNodeCombineXYZ", X=radius, Y=radius, Z=radius)
    copies = tree.add("GeometryNodeInstanceOnPoints", Points=points, Instance=smooth.outputs[0], Scale=size.outputs[0])
    return tree.add("GeometryNodeRealizeInstances", Geometry=copies.outputs[0]).outputs[0]


def as_balls(thing, kind, subdivisions=None):
    """Shows each vertex as a ball with its radius times the factor of its kind, blurred by its velocity. The
    factor is an input of the modifier, for artists to change. `subdivisions` of the sphere: default those of
    the kind.
    """
    group = bpy.data.node_groups.new("weir " + kind, "GeometryNodeTree")
    number = sockets(group)
    tree = Tree(group)
    into = tree.add("NodeGroupInput")
    made = balls(tree, into.outputs[0], into.outputs[1], subdivisions or SUBDIVISIONS.get(kind))
    coat = tree.add("GeometryNodeSetMaterial", Geometry=made, Material=whitewater(kind))
    tree.set(tree.add("NodeGroupOutput"), 0, coat.outputs[0])
    modifier = thing.modifiers.new("weir balls", "NODES")
    modifier.node_group = group
    modifier[number] = float(SIZES[kind])
    thing["weir_balls"] = kind


def show_all_as_spheres():
    """Replaces points with coarse spheres, because EEVEE draws no point clouds."""
    for thing in bpy.data.objects:
        kind = thing.get("weir_balls")
        if kind and kind not in SUBDIVISIONS:
            thing.modifiers.remove(thing.modifiers["weir balls"])
            as_balls(thing, kind, 1)

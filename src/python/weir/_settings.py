"""Types of settings: the fields of structs of the public headers. tools/python-settings writes this file."""
from typing import Iterable, Literal, TypedDict

from ._values import PathLike


class DeviceSettings(TypedDict, total=False):
    """Fields of weir_device_def."""
    # Folder for cached pipelines and volumes; None: the user's cache folder; "": no cache.
    cache_folder: PathLike
    # core and synchronization validation of Vulkan, reported to the log; on GPUs, shaders' accesses are
    # also limited to their buffers
    validation: bool
    # also GPU-assisted validation, which slows shader compilation down
    shader_validation: bool
    # invocations per workgroup: 32, 64, 128 or 256; 0: 64
    workgroup_size: int
    # power of two, subgroup_min to subgroup_max; 0: automatic
    subgroup_size: int
    # Folder of shader sources for weir_camera.reload_shaders, used when
    # weir_device_info.can_reload_shaders is set. None: the folder that the library was built from.
    shader_folder: PathLike
    # queries statistics of each pipeline, which compiles it three times
    report_pipelines: bool
    # passes do not overlap, so each time is of one pass alone; slower
    serialize_passes: bool
    # counts shader invocations
    count_invocations: bool
    # folder for the machine code of every pipeline; None: none
    isa_folder: PathLike


class MesherSettings(TypedDict, total=False):
    """Fields of weir_mesher_def."""
    # default ZHU_BRIDSON; all defaults are of the preset "calibrated"
    field: Literal["zhu-bridson", "colour", "anisotropic"]
    # edge of a voxel, 0.01 to 100; default 1
    cell_size: float
    # Radius within which particles contribute, 0.1 to 100 and 1 to 32 voxels; default 4.
    search_radius: float
    # Radius of a particle, 0.01 to 100 (ZHU_BRIDSON); default 1.01, which preserves volume.
    particle_radius: float
    # edge of a voxel in m, 1e-9 to 1e9; 0, the default: use `cell_size`
    cell_size_m: float
    # Field value at the surface, 0.01 to 0.99 (COLOUR, ANISOTROPIC); default 0.6.
    iso_value: float
    # Fraction of the offset to the mean of its neighbours by which a centre moves, 0 to 1 (ANISOTROPIC);
    # default 0.9.
    centre_smoothing: float
    # Ratio of the longest to the shortest axis of an ellipsoid, 1 to 16; default 4.
    max_anisotropy: float
    # Resolves ambiguous faces with the asymptotic decider; False: such faces always separate.
    asymptotic_decider: bool
    # Avoids sheets between separate parts of the fluid (ZHU_BRIDSON); default True.
    sheet_damping: bool
    # default FIELD
    normals: Literal["field", "faces", "none"]
    # computes vertex velocities if the points have velocity; default True
    velocity: bool
    # computes channels "density" and "fluid" if the points have those fields
    attributes: bool
    # computes a channel for each attribute of the points; default True
    particle_attributes: bool
    # weir_mesher_run returns the mesh of marching cubes as it is; False, the default: refined with
    # weir_mesh_refine_def_default, as `weir mesh` writes it. If the points come from a simulation, the
    # mesh also meets the solids and walls of its scene.
    raw: bool
    # Computes a channel "neighbours": particles within the search radius. Refinement removes it, so set
    # `raw`, too.
    neighbours: bool
    # Particles with fewer neighbours within `search_radius` become spray, which is not part of the
    # surface.
    spray_neighbours: int
    # limit of device memory for the mesher; 0: half of the device's
    max_memory_bytes: int


class RefineSettings(TypedDict, total=False):
    """Fields of weir_mesh_refine_def."""
    # Removes slivers by joining vertices near a lattice node and flipping edges; default True.
    remove_slivers: bool
    # edge of a voxel, at least 0; 0, the default: that of the mesher
    cell_size_m: float
    # default LAPLACE
    smooth_method: Literal["none", "taubin", "laplace"]
    # 0 to 1000; default 8
    smooth_iterations: int
    # fraction of the offset to the neighbours' mean, 0 to 1; default 0.5
    smooth_strength: float
    # Number of "neighbours" from which a vertex moves by the full fraction; with fewer it moves less, so
    # drops keep their shape. Needs the channel of that name and removes it. At least 0; default 13.
    smooth_neighbours: float
    # smaller components are removed; default 0
    min_component_triangles: int
    # smaller components are removed; at least 0, default 0
    min_component_volume_m3: float
    # removes closed voids inside components
    remove_voids: bool
    # Components of up to 160 triangles become round: each triangle is divided into four this many times,
    # 0 to 3; 0: they stay as they are; default 1. If there is a channel "neighbours", a drop of up to 40
    # particles without other fluid within the search radius gets the volume of its particles.
    drop_subdivisions: int
    # fraction of triangles that decimation keeps, 0 to 1; default 1
    decimate_ratio: float
    # maximum number that decimation keeps; default UINT32_MAX
    max_triangles: int
    # decimation stops at this error; 0, the default: no limit
    decimate_error_m: float
    # time that determines the poses of moving solids, s; default 0
    time_s: float
    # Vertices closer to a solid snap to it, within half of it fully; 0, the default: two particle
    # spacings, at least one voxel.
    snap_distance_m: float
    # distance of snapped vertices; default 0: touching; below 0: overlap
    snap_offset_m: float
    # moves vertices outside the box onto it
    clamp_to_box: bool
    # m, the box
    clamp_min: Iterable[float]
    # m, the box
    clamp_max: Iterable[float]
    # default FACES; FIELD keeps normals although vertices have moved
    normals: Literal["field", "faces", "none"]
    # rounds of averaging neighbouring normals, 0 to 1000
    normal_smooth_iterations: int


class SaveSettings(TypedDict, total=False):
    """Fields of weir_mesh_save_def."""
    # WEIR_MESH_FORMAT_COUNT, the default: from the path's extension
    format: Literal["obj", "ply", "vtk", "bgeo", "vtp"]
    # default NONE
    axis_conversion: Literal["none", "y-to-z", "z-to-y"]
    # factor for positions and velocities, above 0; default 1
    scale: float
    # m, added to the positions before axes and scale are converted: weir_particles.origin_m. PLY and VTK
    # then store 64-bit positions and OBJ all digits; BGEO, which has only 32 bits, stores the mesh
    # relative to the origin and logs it. Default 0.
    origin_m: Iterable[float]
    # OBJ: positions are rounded to this step, m, or finer; 0, the default: a ten-thousandth of a voxel.
    precision_m: float
    # threads that write; the bytes do not depend on it; 0: one per processor
    threads: int
    # time of the frame, s; stored in the file and in a .vtk.series
    time_s: float


class OutputSettings(TypedDict, total=False):
    """Fields of weir_output_def."""
    # default PLY
    particle_format: Literal["ply", "vtk", "bgeo", "xyz", "npy", "raw", "vtp"]
    # number of frame 0 in file names; default 0
    start_frame: int
    # first frame whose particles and mesh are written; default 0
    first_frame: int
    # last such frame; default UINT32_MAX
    last_frame: int
    # True, the default: axes as simulated; False: rotated so that z is up
    y_up: bool
    # factor for positions and velocities, above 0; default 1
    scale: float
    # Writes particles/particles_0001.ply and so on, and for scenes with whitewater also
    # whitewater/whitewater_0001.ply and so on; default True.
    particles: bool
    # computes and writes mesh/surface_0001.obj and so on
    mesh: bool
    # default OBJ
    mesh_format: Literal["obj", "ply", "vtk", "bgeo", "vtp"]
    # spray is written to mesh/spray_0001.ply and so on
    mesher: MesherSettings
    # refines meshes before they are written; default True
    mesh_refine: bool
    # Refinement moves the surface onto the scene's solids and closed sides; default True.
    mesh_snap_to_solids: bool
    # Settings of mesh_refine; mesh_snap_to_solids sets their `scene` and `time_s`.
    refine: RefineSettings
    # gauges.csv has one line per substep; False: per frame
    gauges_per_substep: bool
    # keeps the lines of stats.csv up to the current frame; False: a new file
    resume: bool
    # What the simulation started from instead of the scene's fills, such as "out/dam:30", for run.json;
    # default empty.
    started_from: PathLike


class RendererSettings(TypedDict, total=False):
    """Fields of weir_renderer_def."""
    # Radiance .hdr file for lighting; None: the scene's, or else the look's sky
    environment: PathLike
    # Named look (WEIR_ENUM_LOOK): light, sky, floor and clarity of water; None, the default: the scene's,
    # or else "studio". Values that the scene gives take precedence.
    look: PathLike


class CameraSettings(TypedDict, total=False):
    """Fields of weir_camera."""
    # m; must differ
    eye: Iterable[float]
    # m; must differ
    target: Iterable[float]
    # not parallel to the line of sight; default +y
    up: Iterable[float]
    # vertical field of view, 1 to 150; default the scene's camera's, or else 30
    fov_y_degrees: float
    # distance of the near plane; 0, the default: from the spacing
    near_m: float
    # pixels, 1 to 16384; default 1280 x 720
    width: int
    # pixels, 1 to 16384; default 1280 x 720
    height: int
    # along each side of a pixel, 1 to 4; default 1
    samples: int
    # default SURFACE
    mode: Literal["surface", "ellipsoids", "particles", "mesh", "depth", "filtered-depth", "thickness",
        "normals", "shadow", "background"]
    # default FLUID
    colouring: Literal["fluid", "speed", "density", "id", "neighbours", "lambda", "attribute"]
    # default AUTO
    colour_map: Literal["auto", "viridis", "inferno", "cividis", "coolwarm"]
    # Of ATTRIBUTE: the name of the attribute, or NAME_x, NAME_y and so on for one of its components. One
    # of three or four components is itself the colour, as linear red, green and blue. None, the default:
    # the first of the points. It is not copied.
    attribute: PathLike
    # Range of values, depth or thickness that the colours span; two equal numbers, the default: chosen
    # from the data. The range of SPEED, DENSITY, LAMBDA and ATTRIBUTE is then that between
    # `value_percentiles` of the particles' values, for DENSITY and LAMBDA symmetric around 0.
    value_range: Iterable[float]
    # 0 to 100, the first below the second; default 1, 99
    value_percentiles: Iterable[float]
    # A range chosen from the data includes those of the renderer's earlier pictures of the same quantity,
    # so that the colours of a film do not flicker; default False.
    hold_value_range: bool
    # time that determines the poses of moving solids, s
    time_s: float
    # diameter of a lens focused on the target; default 0: everything is sharp
    aperture_m: float
    # exposure time, centred on time_s; default 0: an instant
    shutter_s: float
    # Number of pictures averaged for depth of field and motion blur, 1 to 256; default 32.
    accumulation_samples: int
    # no sky and floor; alpha is the fraction of a pixel that is covered
    transparent: bool
    # shows the colour scale in modes that have one; default True
    legend: bool
    # default True
    shadows: bool
    # shows the whitewater of the points, on surfaces; default True
    whitewater: bool
    # the image also keeps linear light, for weir_image_read_linear and EXR
    linear_light: bool
    # brightness, 0 to 1000; 0: no tone curve; default the scene's, or else 1
    exposure: float
    # default NARROW_RANGE
    filter: Literal["narrow-range", "bilateral", "curvature-flow", "none"]
    # Passes along x and y, or steps of CURVATURE_FLOW; 0, the default: chosen by the filter.
    filter_iterations: int
    # standard deviation in particle spacings, 0 to 10; default 1
    filter_size: float
    # default AUTO
    splat_method: Literal["auto", "raster", "compute"]
    # Draws faster and less exactly, for a moving camera: a part of the particles inside the fluid stands
    # for all of them, the surface's front layer is estimated, and shadows may be those of up to four
    # frames before. Default False.
    draft: bool
    # compiles changed shaders first; logs and ignores those with errors
    reload_shaders: bool


class BodyChanges(TypedDict, total=False):
    """Fields of weir_body."""
    # m, of the centre of mass
    position: Iterable[float]
    # quaternion x y z w, relative to the body's initial orientation
    rotation: Iterable[float]
    # m/s, of the centre of mass
    velocity: Iterable[float]
    # rad/s
    angular_velocity: Iterable[float]


class EmitterChanges(TypedDict, total=False):
    """Fields of weir_emitter."""
    # m: the centre of the opening, inside the domain. Of an emitter with a shape: how far the shape has
    # moved from its place in the scene.
    position: Iterable[float]
    # direction of the flow; any length but 0
    direction: Iterable[float]
    # Direction of a rectangle's height. Its component along `direction` is removed; if nothing remains,
    # any perpendicular direction is used.
    up: Iterable[float]
    # m/s, of the fluid relative to the opening: 0.001 to 1000
    speed: float
    open: bool
    # The opening is at its place from the start of the frame, and the jump adds no velocity.
    teleport: bool

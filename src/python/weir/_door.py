"""Weir's front door as its headers have it: enumerations, structs and functions, under their names in C.

Written by tools/python-door: do not edit."""
import ctypes
import enum
from typing import Any

ABI = 0xc8559fc7


class weir_result(enum.IntEnum):
    WEIR_OK = 0
    WEIR_ARGUMENT = 1
    WEIR_SCENE = 2
    WEIR_IO = 3
    WEIR_MEMORY = 4
    WEIR_UNSUPPORTED = 5
    WEIR_DEVICE_LOST = 6
    WEIR_UNSTABLE = 7


class weir_names(enum.IntEnum):
    WEIR_NAMES_FIELD = 0
    WEIR_NAMES_FORMAT = 1
    WEIR_NAMES_MESH_FORMAT = 2
    WEIR_NAMES_MODE = 3
    WEIR_NAMES_COLOURING = 4
    WEIR_NAMES_METHOD = 5


class weir_log_level(enum.IntEnum):
    WEIR_LOG_ERROR = 0
    WEIR_LOG_WARNING = 1
    WEIR_LOG_INFO = 2
    WEIR_LOG_DEBUG = 3


class weir_log(ctypes.Structure):
    write: Any
    user: Any
    level: int
    _fields_ = [
        ("write", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)),
        ("user", ctypes.c_void_p),
        ("level", ctypes.c_int),
    ]


class weir_device_kind(enum.IntEnum):
    WEIR_DEVICE_DISCRETE = 0
    WEIR_DEVICE_INTEGRATED = 1
    WEIR_DEVICE_VIRTUAL = 2
    WEIR_DEVICE_CPU = 3
    WEIR_DEVICE_OTHER = 4


class weir_room_memory(ctypes.Structure):
    name: Any
    bytes: int
    peak_bytes: int
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("bytes", ctypes.c_uint64),
        ("peak_bytes", ctypes.c_uint64),
    ]


class weir_device_info(ctypes.Structure):
    name: Any
    driver: Any
    api_version: Any
    unusable: Any
    kind: int
    memory_bytes: int
    memory_left_bytes: int
    storage_range_bytes: int
    subgroup_size: int
    max_workgroup_invocations: int
    subgroup_min: int
    subgroup_max: int
    timestamps: bool
    reloads: bool
    vendor_id: int
    device_id: int
    driver_id: int
    driver_version: int
    rooms: Any
    _fields_ = [
        ("name", ctypes.c_char * 256),
        ("driver", ctypes.c_char * 512),
        ("api_version", ctypes.c_char * 32),
        ("unusable", ctypes.c_char * 256),
        ("kind", ctypes.c_int),
        ("memory_bytes", ctypes.c_uint64),
        ("memory_left_bytes", ctypes.c_uint64),
        ("storage_range_bytes", ctypes.c_uint64),
        ("subgroup_size", ctypes.c_uint32),
        ("max_workgroup_invocations", ctypes.c_uint32),
        ("subgroup_min", ctypes.c_uint32),
        ("subgroup_max", ctypes.c_uint32),
        ("timestamps", ctypes.c_bool),
        ("reloads", ctypes.c_bool),
        ("vendor_id", ctypes.c_uint32),
        ("device_id", ctypes.c_uint32),
        ("driver_id", ctypes.c_uint32),
        ("driver_version", ctypes.c_uint32),
        ("rooms", weir_room_memory * 9),
    ]


class weir_device_def(ctypes.Structure):
    cookie: int
    log: Any
    device: Any
    cache_folder: Any
    validation: bool
    shader_validation: bool
    window: Any
    workgroup: int
    subgroup: int
    shaders: Any
    profile: bool
    serialize: bool
    statistics: bool
    isa_folder: Any
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("log", weir_log),
        ("device", ctypes.c_char_p),
        ("cache_folder", ctypes.c_char_p),
        ("validation", ctypes.c_bool),
        ("shader_validation", ctypes.c_bool),
        ("window", ctypes.c_void_p),
        ("workgroup", ctypes.c_uint32),
        ("subgroup", ctypes.c_uint32),
        ("shaders", ctypes.c_char_p),
        ("profile", ctypes.c_bool),
        ("serialize", ctypes.c_bool),
        ("statistics", ctypes.c_bool),
        ("isa_folder", ctypes.c_char_p),
    ]


class weir_scene_def(ctypes.Structure):
    cookie: int
    log: Any
    overrides: Any
    override_count: int
    base_folder: Any
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("log", weir_log),
        ("overrides", ctypes.POINTER(ctypes.c_char_p)),
        ("override_count", ctypes.c_uint32),
        ("base_folder", ctypes.c_char_p),
    ]


class weir_scene_info(ctypes.Structure):
    name: Any
    description: Any
    json: Any
    frame_rate_hz: float
    duration_s: float
    frame_count: int
    spacing_m: float
    support_radius_m: float
    method: int
    substeps: int
    iterations: int
    tolerance_mean: float
    tolerance_max: float
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("description", ctypes.c_char_p),
        ("json", ctypes.c_char_p),
        ("frame_rate_hz", ctypes.c_double),
        ("duration_s", ctypes.c_double),
        ("frame_count", ctypes.c_uint32),
        ("spacing_m", ctypes.c_float),
        ("support_radius_m", ctypes.c_float),
        ("method", ctypes.c_uint32),
        ("substeps", ctypes.c_uint32),
        ("iterations", ctypes.c_uint32),
        ("tolerance_mean", ctypes.c_double),
        ("tolerance_max", ctypes.c_double),
    ]


class weir_param_kind(enum.IntEnum):
    WEIR_PARAM_NUMBER = 0
    WEIR_PARAM_WHOLE = 1
    WEIR_PARAM_SWITCH = 2


class weir_param(ctypes.Structure):
    key: Any
    kind: int
    count: int
    value: Any
    min: float
    max: float
    unit: Any
    about: Any
    live: bool
    methods: int
    _fields_ = [
        ("key", ctypes.c_char * 96),
        ("kind", ctypes.c_int),
        ("count", ctypes.c_uint32),
        ("value", ctypes.c_double * 3),
        ("min", ctypes.c_double),
        ("max", ctypes.c_double),
        ("unit", ctypes.c_char_p),
        ("about", ctypes.c_char_p),
        ("live", ctypes.c_bool),
        ("methods", ctypes.c_uint32),
    ]


class weir_needs(ctypes.Structure):
    counted: bool
    particles: int
    emitted_max: int
    device_bytes: int
    frame_bytes: int
    depth_m: float
    compression: float
    firm_substeps: int
    _fields_ = [
        ("counted", ctypes.c_bool),
        ("particles", ctypes.c_uint64),
        ("emitted_max", ctypes.c_uint64),
        ("device_bytes", ctypes.c_uint64),
        ("frame_bytes", ctypes.c_uint64),
        ("depth_m", ctypes.c_double),
        ("compression", ctypes.c_double),
        ("firm_substeps", ctypes.c_uint32),
    ]


class weir_field(enum.IntEnum):
    WEIR_FIELD_POSITION = 0
    WEIR_FIELD_VELOCITY = 1
    WEIR_FIELD_ID = 2
    WEIR_FIELD_FLUID = 3
    WEIR_FIELD_DENSITY = 4
    WEIR_FIELD_COUNT = 5


class weir_stats(ctypes.Structure):
    time_s: float
    frame: int
    substep: int
    particle_count: int
    substeps_in_frame: int
    density_error_mean: float
    density_error_max: float
    iterations: int
    iterations_in_frame: int
    over_tolerance: int
    solved_error_mean: float
    solved_error_max: float
    neighbours_mean: float
    neighbours_max: int
    speed_max: float
    kinetic_energy: float
    potential_energy: float
    bodies_kinetic_energy: float
    bodies_potential_energy: float
    momentum: Any
    centre_of_mass: Any
    correction_caps: int
    speed_caps: int
    non_finite: int
    escaped: int
    sunk: int
    withheld: int
    torn: int
    reseeded: int
    crushed_frames: int
    firm_substeps: int
    predicted_compression: float
    sound_speed: float
    sound_ratio: float
    viscous_iterations: int
    viscous_residual: float
    spray: int
    foam: int
    bubbles: int
    born_of_air: int
    born_of_crests: int
    born_of_curl: int
    gpu_ms: float
    record_ms: float
    memory_bytes: int
    memory_bytes_per_particle: float
    _fields_ = [
        ("time_s", ctypes.c_double),
        ("frame", ctypes.c_uint64),
        ("substep", ctypes.c_uint64),
        ("particle_count", ctypes.c_uint32),
        ("substeps_in_frame", ctypes.c_uint32),
        ("density_error_mean", ctypes.c_double),
        ("density_error_max", ctypes.c_double),
        ("iterations", ctypes.c_uint64),
        ("iterations_in_frame", ctypes.c_uint32),
        ("over_tolerance", ctypes.c_uint32),
        ("solved_error_mean", ctypes.c_double),
        ("solved_error_max", ctypes.c_double),
        ("neighbours_mean", ctypes.c_double),
        ("neighbours_max", ctypes.c_uint32),
        ("speed_max", ctypes.c_double),
        ("kinetic_energy", ctypes.c_double),
        ("potential_energy", ctypes.c_double),
        ("bodies_kinetic_energy", ctypes.c_double),
        ("bodies_potential_energy", ctypes.c_double),
        ("momentum", ctypes.c_double * 3),
        ("centre_of_mass", ctypes.c_double * 3),
        ("correction_caps", ctypes.c_uint64),
        ("speed_caps", ctypes.c_uint64),
        ("non_finite", ctypes.c_uint32),
        ("escaped", ctypes.c_uint32),
        ("sunk", ctypes.c_uint32),
        ("withheld", ctypes.c_uint32),
        ("torn", ctypes.c_uint32),
        ("reseeded", ctypes.c_uint32),
        ("crushed_frames", ctypes.c_uint32),
        ("firm_substeps", ctypes.c_uint32),
        ("predicted_compression", ctypes.c_double),
        ("sound_speed", ctypes.c_double),
        ("sound_ratio", ctypes.c_double),
        ("viscous_iterations", ctypes.c_uint32),
        ("viscous_residual", ctypes.c_double),
        ("spray", ctypes.c_uint32),
        ("foam", ctypes.c_uint32),
        ("bubbles", ctypes.c_uint32),
        ("born_of_air", ctypes.c_uint32),
        ("born_of_crests", ctypes.c_uint32),
        ("born_of_curl", ctypes.c_uint32),
        ("gpu_ms", ctypes.c_double),
        ("record_ms", ctypes.c_double),
        ("memory_bytes", ctypes.c_uint64),
        ("memory_bytes_per_particle", ctypes.c_double),
    ]


class weir_pointer(ctypes.Structure):
    origin: Any
    direction: Any
    radius_m: float
    acceleration: float
    _fields_ = [
        ("origin", ctypes.c_float * 3),
        ("direction", ctypes.c_float * 3),
        ("radius_m", ctypes.c_float),
        ("acceleration", ctypes.c_float),
    ]


class weir_jet(ctypes.Structure):
    position: Any
    direction: Any
    speed: float
    fluid: int
    _fields_ = [
        ("position", ctypes.c_float * 3),
        ("direction", ctypes.c_float * 3),
        ("speed", ctypes.c_float),
        ("fluid", ctypes.c_uint32),
    ]


class weir_steering(ctypes.Structure):
    scene: Any
    pointer: Any
    jet: Any
    _fields_ = [
        ("scene", ctypes.c_void_p),
        ("pointer", weir_pointer),
        ("jet", weir_jet),
    ]


class weir_gauge_kind(enum.IntEnum):
    WEIR_GAUGE_HEIGHT = 0
    WEIR_GAUGE_FRONT = 1
    WEIR_GAUGE_PRESSURE = 2
    WEIR_GAUGE_FORCE = 3
    WEIR_GAUGE_FLOW = 4


class weir_gauge(ctypes.Structure):
    name: Any
    unit: Any
    kind: int
    components: int
    value: Any
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("unit", ctypes.c_char_p),
        ("kind", ctypes.c_int),
        ("components", ctypes.c_uint32),
        ("value", ctypes.c_double * 3),
    ]


class weir_points_def(ctypes.Structure):
    cookie: int
    count: int
    spacing_m: float
    radius_m: float
    position: Any
    velocity: Any
    id: Any
    fluid: Any
    density: Any
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
        ("spacing_m", ctypes.c_float),
        ("radius_m", ctypes.c_float),
        ("position", ctypes.POINTER(ctypes.c_float)),
        ("velocity", ctypes.POINTER(ctypes.c_float)),
        ("id", ctypes.POINTER(ctypes.c_uint32)),
        ("fluid", ctypes.POINTER(ctypes.c_uint32)),
        ("density", ctypes.POINTER(ctypes.c_float)),
    ]


class weir_mesh_field(enum.IntEnum):
    WEIR_MESH_ZHU_BRIDSON = 0
    WEIR_MESH_COLOUR = 1
    WEIR_MESH_ANISOTROPIC = 2


class weir_mesh_normals(enum.IntEnum):
    WEIR_MESH_NORMALS_FIELD = 0
    WEIR_MESH_NORMALS_FACES = 1
    WEIR_MESH_NORMALS_NONE = 2


class weir_mesher_def(ctypes.Structure):
    cookie: int
    field: int
    cell: float
    search: float
    radius: float
    cell_m: float
    iso: float
    smoothing: float
    stretch: float
    decider: bool
    damping: bool
    normals: int
    velocity: bool
    attributes: bool
    neighbours: bool
    spray: int
    memory_bytes: int
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("field", ctypes.c_int),
        ("cell", ctypes.c_float),
        ("search", ctypes.c_float),
        ("radius", ctypes.c_float),
        ("cell_m", ctypes.c_float),
        ("iso", ctypes.c_float),
        ("smoothing", ctypes.c_float),
        ("stretch", ctypes.c_float),
        ("decider", ctypes.c_bool),
        ("damping", ctypes.c_bool),
        ("normals", ctypes.c_int),
        ("velocity", ctypes.c_bool),
        ("attributes", ctypes.c_bool),
        ("neighbours", ctypes.c_bool),
        ("spray", ctypes.c_uint32),
        ("memory_bytes", ctypes.c_uint64),
    ]


class weir_mesh_channel(ctypes.Structure):
    name: Any
    components: int
    values: Any
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("components", ctypes.c_uint32),
        ("values", ctypes.POINTER(ctypes.c_float)),
    ]


class weir_mesh_view(ctypes.Structure):
    vertex_count: int
    triangle_count: int
    position: Any
    normal: Any
    velocity: Any
    index: Any
    channel_count: int
    channel: Any
    spray_count: int
    spray_position: Any
    spray_velocity: Any
    spray_radius_m: float
    _fields_ = [
        ("vertex_count", ctypes.c_uint32),
        ("triangle_count", ctypes.c_uint32),
        ("position", ctypes.POINTER(ctypes.c_float)),
        ("normal", ctypes.POINTER(ctypes.c_float)),
        ("velocity", ctypes.POINTER(ctypes.c_float)),
        ("index", ctypes.POINTER(ctypes.c_uint32)),
        ("channel_count", ctypes.c_uint32),
        ("channel", weir_mesh_channel * 8),
        ("spray_count", ctypes.c_uint32),
        ("spray_position", ctypes.POINTER(ctypes.c_float)),
        ("spray_velocity", ctypes.POINTER(ctypes.c_float)),
        ("spray_radius_m", ctypes.c_float),
    ]


class weir_mesh_format(enum.IntEnum):
    WEIR_MESH_OBJ = 0
    WEIR_MESH_PLY = 1
    WEIR_MESH_VTK = 2
    WEIR_MESH_BGEO = 3
    WEIR_MESH_FORMAT_COUNT = 4


class weir_turn(enum.IntEnum):
    WEIR_TURN_NONE = 0
    WEIR_TURN_Y_TO_Z = 1
    WEIR_TURN_Z_TO_Y = 2


class weir_mesh_smoothing(enum.IntEnum):
    WEIR_MESH_SMOOTHING_NONE = 0
    WEIR_MESH_SMOOTHING_TAUBIN = 1
    WEIR_MESH_SMOOTHING_LAPLACE = 2


class weir_mesh_refine_def(ctypes.Structure):
    cookie: int
    clean: bool
    cell_m: float
    smoothing: int
    smooth_iterations: int
    smooth_strength: float
    smooth_neighbours: float
    min_triangles: int
    min_volume_m3: float
    remove_voids: bool
    keep_ratio: float
    max_triangles: int
    decimate_error_m: float
    scene: Any
    time_s: float
    solid_band_m: float
    solid_offset_m: float
    clamp: bool
    box_min: Any
    box_max: Any
    normals: int
    normal_iterations: int
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("clean", ctypes.c_bool),
        ("cell_m", ctypes.c_float),
        ("smoothing", ctypes.c_int),
        ("smooth_iterations", ctypes.c_uint32),
        ("smooth_strength", ctypes.c_float),
        ("smooth_neighbours", ctypes.c_float),
        ("min_triangles", ctypes.c_uint32),
        ("min_volume_m3", ctypes.c_double),
        ("remove_voids", ctypes.c_bool),
        ("keep_ratio", ctypes.c_double),
        ("max_triangles", ctypes.c_uint32),
        ("decimate_error_m", ctypes.c_float),
        ("scene", ctypes.c_void_p),
        ("time_s", ctypes.c_double),
        ("solid_band_m", ctypes.c_float),
        ("solid_offset_m", ctypes.c_float),
        ("clamp", ctypes.c_bool),
        ("box_min", ctypes.c_float * 3),
        ("box_max", ctypes.c_float * 3),
        ("normals", ctypes.c_int),
        ("normal_iterations", ctypes.c_uint32),
    ]


class weir_mesh_refine_info(ctypes.Structure):
    triangles_before: int
    triangles_after: int
    volume_before: float
    volume_after: float
    edges_collapsed: int
    edges_flipped: int
    flat_triangles: int
    components: int
    voids: int
    components_removed: int
    voids_removed: int
    decimated: int
    cuts: int
    decimate_error_m: float
    snapped: int
    clamped: int
    degenerate: int
    _fields_ = [
        ("triangles_before", ctypes.c_uint32),
        ("triangles_after", ctypes.c_uint32),
        ("volume_before", ctypes.c_double),
        ("volume_after", ctypes.c_double),
        ("edges_collapsed", ctypes.c_uint32),
        ("edges_flipped", ctypes.c_uint32),
        ("flat_triangles", ctypes.c_uint32),
        ("components", ctypes.c_uint32),
        ("voids", ctypes.c_uint32),
        ("components_removed", ctypes.c_uint32),
        ("voids_removed", ctypes.c_uint32),
        ("decimated", ctypes.c_uint32),
        ("cuts", ctypes.c_uint32),
        ("decimate_error_m", ctypes.c_float),
        ("snapped", ctypes.c_uint32),
        ("clamped", ctypes.c_uint32),
        ("degenerate", ctypes.c_uint32),
    ]


class weir_mode(enum.IntEnum):
    WEIR_MODE_SURFACE = 0
    WEIR_MODE_ELLIPSOIDS = 1
    WEIR_MODE_PARTICLES = 2
    WEIR_MODE_MESH = 3
    WEIR_MODE_DEPTH = 4
    WEIR_MODE_FILTERED = 5
    WEIR_MODE_THICKNESS = 6
    WEIR_MODE_NORMALS = 7
    WEIR_MODE_SHADOW = 8
    WEIR_MODE_BACKGROUND = 9
    WEIR_MODE_COUNT = 10


class weir_colouring(enum.IntEnum):
    WEIR_COLOUR_FLUID = 0
    WEIR_COLOUR_SPEED = 1
    WEIR_COLOUR_DENSITY = 2
    WEIR_COLOUR_ID = 3
    WEIR_COLOUR_NEIGHBOURS = 4
    WEIR_COLOUR_LAMBDA = 5
    WEIR_COLOUR_COUNT = 6


class weir_filter(enum.IntEnum):
    WEIR_FILTER_NARROW_RANGE = 0
    WEIR_FILTER_BILATERAL = 1
    WEIR_FILTER_CURVATURE_FLOW = 2
    WEIR_FILTER_NONE = 3
    WEIR_FILTER_COUNT = 4


class weir_splatter(enum.IntEnum):
    WEIR_SPLATTER_AUTO = 0
    WEIR_SPLATTER_DRAW = 1
    WEIR_SPLATTER_COMPUTE = 2
    WEIR_SPLATTER_COUNT = 3


class weir_view(ctypes.Structure):
    cookie: int
    eye: Any
    target: Any
    up: Any
    fov_y_degrees: float
    near_m: float
    width: int
    height: int
    samples: int
    mode: int
    colouring: int
    range: Any
    time_s: float
    aperture_m: float
    shutter_s: float
    exposures: int
    transparent: bool
    legend: bool
    shadows: bool
    whitewater: bool
    light: bool
    exposure: float
    filter: int
    filter_passes: int
    filter_size: float
    splatter: int
    slice: Any
    reload: bool
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("eye", ctypes.c_float * 3),
        ("target", ctypes.c_float * 3),
        ("up", ctypes.c_float * 3),
        ("fov_y_degrees", ctypes.c_float),
        ("near_m", ctypes.c_float),
        ("width", ctypes.c_uint32),
        ("height", ctypes.c_uint32),
        ("samples", ctypes.c_uint32),
        ("mode", ctypes.c_int),
        ("colouring", ctypes.c_int),
        ("range", ctypes.c_float * 2),
        ("time_s", ctypes.c_double),
        ("aperture_m", ctypes.c_float),
        ("shutter_s", ctypes.c_float),
        ("exposures", ctypes.c_uint32),
        ("transparent", ctypes.c_bool),
        ("legend", ctypes.c_bool),
        ("shadows", ctypes.c_bool),
        ("whitewater", ctypes.c_bool),
        ("light", ctypes.c_bool),
        ("exposure", ctypes.c_float),
        ("filter", ctypes.c_int),
        ("filter_passes", ctypes.c_uint32),
        ("filter_size", ctypes.c_float),
        ("splatter", ctypes.c_int),
        ("slice", ctypes.c_void_p),
        ("reload", ctypes.c_bool),
    ]


class weir_renderer_def(ctypes.Structure):
    cookie: int
    scene: Any
    environment: Any
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("scene", ctypes.c_void_p),
        ("environment", ctypes.c_char_p),
    ]


class weir_format(enum.IntEnum):
    WEIR_FORMAT_PLY = 0
    WEIR_FORMAT_VTK = 1
    WEIR_FORMAT_BGEO = 2
    WEIR_FORMAT_XYZ = 3
    WEIR_FORMAT_NPY = 4
    WEIR_FORMAT_RAW = 5
    WEIR_FORMAT_COUNT = 6


class weir_output_def(ctypes.Structure):
    cookie: int
    log: Any
    folder: Any
    format: int
    fields: int
    start_frame: int
    first_frame: int
    last_frame: int
    y_up: bool
    scale: float
    particles: bool
    mesh: bool
    mesh_format: int
    mesher: Any
    mesh_refine: bool
    mesh_solids: bool
    refine: Any
    gauge_substeps: bool
    resume: bool
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("log", weir_log),
        ("folder", ctypes.c_char_p),
        ("format", ctypes.c_int),
        ("fields", ctypes.c_uint32),
        ("start_frame", ctypes.c_uint32),
        ("first_frame", ctypes.c_uint32),
        ("last_frame", ctypes.c_uint32),
        ("y_up", ctypes.c_bool),
        ("scale", ctypes.c_double),
        ("particles", ctypes.c_bool),
        ("mesh", ctypes.c_bool),
        ("mesh_format", ctypes.c_int),
        ("mesher", weir_mesher_def),
        ("mesh_refine", ctypes.c_bool),
        ("mesh_solids", ctypes.c_bool),
        ("refine", weir_mesh_refine_def),
        ("gauge_substeps", ctypes.c_bool),
        ("resume", ctypes.c_bool),
    ]


class weir_file_kind(enum.IntEnum):
    WEIR_FILE_UNKNOWN = 0
    WEIR_FILE_SCENE = 1
    WEIR_FILE_PARTICLES = 2
    WEIR_FILE_MESH = 3


class weir_particles_info(ctypes.Structure):
    count: int
    fields: int
    min: Any
    max: Any
    speed_min: float
    speed_max: float
    speed_mean: float
    _fields_ = [
        ("count", ctypes.c_uint32),
        ("fields", ctypes.c_uint32),
        ("min", ctypes.c_float * 3),
        ("max", ctypes.c_float * 3),
        ("speed_min", ctypes.c_float),
        ("speed_max", ctypes.c_float),
        ("speed_mean", ctypes.c_float),
    ]


class weir_mesh_info(ctypes.Structure):
    vertices: int
    triangles: int
    min: Any
    max: Any
    closed: bool
    manifold: bool
    oriented: bool
    boundary_edges: int
    nonmanifold_edges: int
    nonmanifold_vertices: int
    flipped_edges: int
    components: int
    voids: int
    inside_out: int
    euler: int
    degenerate_triangles: int
    duplicate_triangles: int
    duplicate_vertices: int
    unused_vertices: int
    volume: float
    area: float
    angle_min: float
    angle_p1: float
    angle_p5: float
    angle_mean: float
    angle_below_5: float
    angle_below_10: float
    angle_below_20: float
    quality_mean: float
    quality_p5: float
    aspect_mean: float
    aspect_p95: float
    _fields_ = [
        ("vertices", ctypes.c_uint32),
        ("triangles", ctypes.c_uint32),
        ("min", ctypes.c_float * 3),
        ("max", ctypes.c_float * 3),
        ("closed", ctypes.c_bool),
        ("manifold", ctypes.c_bool),
        ("oriented", ctypes.c_bool),
        ("boundary_edges", ctypes.c_uint32),
        ("nonmanifold_edges", ctypes.c_uint32),
        ("nonmanifold_vertices", ctypes.c_uint32),
        ("flipped_edges", ctypes.c_uint32),
        ("components", ctypes.c_uint32),
        ("voids", ctypes.c_uint32),
        ("inside_out", ctypes.c_uint32),
        ("euler", ctypes.c_int64),
        ("degenerate_triangles", ctypes.c_uint32),
        ("duplicate_triangles", ctypes.c_uint32),
        ("duplicate_vertices", ctypes.c_uint32),
        ("unused_vertices", ctypes.c_uint32),
        ("volume", ctypes.c_double),
        ("area", ctypes.c_double),
        ("angle_min", ctypes.c_double),
        ("angle_p1", ctypes.c_double),
        ("angle_p5", ctypes.c_double),
        ("angle_mean", ctypes.c_double),
        ("angle_below_5", ctypes.c_double),
        ("angle_below_10", ctypes.c_double),
        ("angle_below_20", ctypes.c_double),
        ("quality_mean", ctypes.c_double),
        ("quality_p5", ctypes.c_double),
        ("aspect_mean", ctypes.c_double),
        ("aspect_p95", ctypes.c_double),
    ]


class weir_mesh_save_def(ctypes.Structure):
    cookie: int
    format: int
    turn: int
    scale: float
    precision_m: float
    threads: int
    time_s: float
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("format", ctypes.c_int),
        ("turn", ctypes.c_int),
        ("scale", ctypes.c_double),
        ("precision_m", ctypes.c_float),
        ("threads", ctypes.c_uint32),
        ("time_s", ctypes.c_double),
    ]


class weir_particles(ctypes.Structure):
    points: Any
    spacing_estimated: bool
    time_s: float
    held: Any
    _fields_ = [
        ("points", weir_points_def),
        ("spacing_estimated", ctypes.c_bool),
        ("time_s", ctypes.c_double),
        ("held", ctypes.c_void_p),
    ]


class weir_body(ctypes.Structure):
    name: Any
    mass_kg: float
    volume_m3: float
    position: Any
    rotation: Any
    velocity: Any
    angular_velocity: Any
    angular_momentum: Any
    kinetic_energy: float
    potential_energy: float
    asleep: bool
    lost: bool
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("mass_kg", ctypes.c_double),
        ("volume_m3", ctypes.c_double),
        ("position", ctypes.c_float * 3),
        ("rotation", ctypes.c_float * 4),
        ("velocity", ctypes.c_float * 3),
        ("angular_velocity", ctypes.c_float * 3),
        ("angular_momentum", ctypes.c_float * 3),
        ("kinetic_energy", ctypes.c_double),
        ("potential_energy", ctypes.c_double),
        ("asleep", ctypes.c_bool),
        ("lost", ctypes.c_bool),
    ]


class weir_grip(ctypes.Structure):
    name: Any
    place: Any
    position: Any
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("place", ctypes.c_float * 3),
        ("position", ctypes.c_float * 3),
    ]


class weir_body_pose(ctypes.Structure):
    position: Any
    rotation: Any
    _fields_ = [
        ("position", ctypes.c_float * 3),
        ("rotation", ctypes.c_float * 4),
    ]


class weir_constraint_particles(ctypes.Structure):
    cookie: int
    count: int
    seconds: float
    positions: Any
    velocities: Any
    inverse_masses: Any
    offsets: Any
    neighbours: Any
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
        ("seconds", ctypes.c_float),
        ("positions", ctypes.POINTER(ctypes.c_float)),
        ("velocities", ctypes.POINTER(ctypes.c_float)),
        ("inverse_masses", ctypes.POINTER(ctypes.c_float)),
        ("offsets", ctypes.POINTER(ctypes.c_uint32)),
        ("neighbours", ctypes.POINTER(ctypes.c_uint32)),
    ]


class weir_constraint_report(ctypes.Structure):
    number: int
    iterations: int
    error_mean: float
    error_max: float
    within: bool
    whole: bool
    left: int
    held: int
    strays: int
    _fields_ = [
        ("number", ctypes.c_uint64),
        ("iterations", ctypes.c_uint32),
        ("error_mean", ctypes.c_float),
        ("error_max", ctypes.c_float),
        ("within", ctypes.c_bool),
        ("whole", ctypes.c_bool),
        ("left", ctypes.c_uint32),
        ("held", ctypes.c_uint32),
        ("strays", ctypes.c_uint32),
    ]


class weir_force(ctypes.Structure):
    name: Any
    force: Any
    torque: Any
    about: Any
    frame: int
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("force", ctypes.c_float * 3),
        ("torque", ctypes.c_float * 3),
        ("about", ctypes.c_float * 3),
        ("frame", ctypes.c_uint64),
    ]


class weir_answer(ctypes.Structure):
    fill: float
    density: float
    velocity: Any
    surface_m: float
    _fields_ = [
        ("fill", ctypes.c_float),
        ("density", ctypes.c_float),
        ("velocity", ctypes.c_float * 3),
        ("surface_m", ctypes.c_float),
    ]


class weir_row_time(ctypes.Structure):
    name: Any
    stage: Any
    group: Any
    whole: bool
    calls: int
    median_ms: float
    low_ms: float
    high_ms: float
    total_ms: float
    elements: float
    per_invocation: float
    bytes: float
    gathered: float
    flops: float
    atomics: float
    pair_bytes: float
    invocations: float
    spirv_hash: int
    compile_cold_ms: float
    compile_warm_ms: float
    registers: int
    spill_bytes: int
    subgroup_size: int
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("stage", ctypes.c_char_p),
        ("group", ctypes.c_char_p),
        ("whole", ctypes.c_bool),
        ("calls", ctypes.c_uint32),
        ("median_ms", ctypes.c_double),
        ("low_ms", ctypes.c_double),
        ("high_ms", ctypes.c_double),
        ("total_ms", ctypes.c_double),
        ("elements", ctypes.c_double),
        ("per_invocation", ctypes.c_double),
        ("bytes", ctypes.c_double),
        ("gathered", ctypes.c_double),
        ("flops", ctypes.c_double),
        ("atomics", ctypes.c_double),
        ("pair_bytes", ctypes.c_double),
        ("invocations", ctypes.c_double),
        ("spirv_hash", ctypes.c_uint64),
        ("compile_cold_ms", ctypes.c_double),
        ("compile_warm_ms", ctypes.c_double),
        ("registers", ctypes.c_uint32),
        ("spill_bytes", ctypes.c_uint32),
        ("subgroup_size", ctypes.c_uint32),
    ]


class weir_ceilings(ctypes.Structure):
    copy_gb_s: float
    cache_gb_s: float
    atomics_g_s: float
    fma_gflop_s: float
    dispatch_us: float
    _fields_ = [
        ("copy_gb_s", ctypes.c_double),
        ("cache_gb_s", ctypes.c_double),
        ("atomics_g_s", ctypes.c_double),
        ("fma_gflop_s", ctypes.c_double),
        ("dispatch_us", ctypes.c_double),
    ]


class weir_residual(ctypes.Structure):
    mean: float
    max: float
    _fields_ = [
        ("mean", ctypes.c_double),
        ("max", ctypes.c_double),
    ]


class weir_row_view(ctypes.Structure):
    row: Any
    group: Any
    shown: Any
    row_count: int
    low: float
    high: float
    _fields_ = [
        ("row", ctypes.c_char_p),
        ("group", ctypes.c_char_p),
        ("shown", ctypes.c_char_p),
        ("row_count", ctypes.c_uint32),
        ("low", ctypes.c_float),
        ("high", ctypes.c_float),
    ]


class weir_slice_of(enum.IntEnum):
    WEIR_SLICE_SPEED = 0
    WEIR_SLICE_PRESSURE = 1
    WEIR_SLICE_COUNT = 2


class weir_slice(ctypes.Structure):
    of: int
    axis: int
    position_m: float
    columns: int
    rows: int
    corner_m: Any
    cell_m: Any
    low: float
    high: float
    values: Any
    _fields_ = [
        ("of", ctypes.c_int),
        ("axis", ctypes.c_uint32),
        ("position_m", ctypes.c_float),
        ("columns", ctypes.c_uint32),
        ("rows", ctypes.c_uint32),
        ("corner_m", ctypes.c_float * 2),
        ("cell_m", ctypes.c_float * 2),
        ("low", ctypes.c_float),
        ("high", ctypes.c_float),
        ("values", ctypes.POINTER(ctypes.c_float)),
    ]


class weir_soft(ctypes.Structure):
    name: Any
    rope: bool
    body: bool
    radius_m: float
    colour: Any
    mass_kg: float
    first_vertex: int
    vertex_count: int
    surface_count: int
    triangle_count: int
    triangles: Any
    segment_count: int
    segments: Any
    kinetic_energy: float
    potential_energy: float
    lost: int
    torn: int
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("rope", ctypes.c_bool),
        ("body", ctypes.c_bool),
        ("radius_m", ctypes.c_float),
        ("colour", ctypes.c_float * 3),
        ("mass_kg", ctypes.c_double),
        ("first_vertex", ctypes.c_uint32),
        ("vertex_count", ctypes.c_uint32),
        ("surface_count", ctypes.c_uint32),
        ("triangle_count", ctypes.c_uint32),
        ("triangles", ctypes.POINTER(ctypes.c_uint32)),
        ("segment_count", ctypes.c_uint32),
        ("segments", ctypes.POINTER(ctypes.c_uint32)),
        ("kinetic_energy", ctypes.c_double),
        ("potential_energy", ctypes.c_double),
        ("lost", ctypes.c_uint32),
        ("torn", ctypes.c_uint32),
    ]


class weir_solid_pose(ctypes.Structure):
    position: Any
    rotation: Any
    jump: bool
    _fields_ = [
        ("position", ctypes.c_float * 3),
        ("rotation", ctypes.c_float * 4),
        ("jump", ctypes.c_bool),
    ]


class weir_emitter(ctypes.Structure):
    position: Any
    direction: Any
    up: Any
    speed: float
    open: bool
    jump: bool
    _fields_ = [
        ("position", ctypes.c_float * 3),
        ("direction", ctypes.c_float * 3),
        ("up", ctypes.c_float * 3),
        ("speed", ctypes.c_float),
        ("open", ctypes.c_bool),
        ("jump", ctypes.c_bool),
    ]


def declare(library: ctypes.CDLL) -> None:
    """Tells ctypes what the functions take and give."""
    library.weir_version.restype = ctypes.c_char_p
    library.weir_version.argtypes = []
    library.weir_result_name.restype = ctypes.c_char_p
    library.weir_result_name.argtypes = [ctypes.c_int]
    library.weir_name.restype = ctypes.c_char_p
    library.weir_name.argtypes = [ctypes.c_int, ctypes.c_uint32]
    library.weir_device_def_default.restype = weir_device_def
    library.weir_device_def_default.argtypes = []
    library.weir_device_list.restype = ctypes.c_int
    library.weir_device_list.argtypes = [ctypes.POINTER(weir_log), ctypes.POINTER(weir_device_info),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_device_create.restype = ctypes.c_int
    library.weir_device_create.argtypes = [ctypes.POINTER(weir_device_def), ctypes.POINTER(ctypes.c_void_p)]
    library.weir_device_destroy.restype = None
    library.weir_device_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_device_get_info.restype = None
    library.weir_device_get_info.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_device_info)]
    library.weir_device_validation_count.restype = ctypes.c_uint32
    library.weir_device_validation_count.argtypes = [ctypes.c_void_p]
    library.weir_scene_def_default.restype = weir_scene_def
    library.weir_scene_def_default.argtypes = []
    library.weir_scene_load.restype = ctypes.c_int
    library.weir_scene_load.argtypes = [ctypes.c_char_p, ctypes.POINTER(weir_scene_def),
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_scene_parse.restype = ctypes.c_int
    library.weir_scene_parse.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(weir_scene_def),
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_scene_destroy.restype = None
    library.weir_scene_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_scene_get_info.restype = None
    library.weir_scene_get_info.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_scene_info)]
    library.weir_scene_param.restype = ctypes.c_bool
    library.weir_scene_param.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(weir_param)]
    library.weir_scene_needs.restype = ctypes.c_int
    library.weir_scene_needs.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(weir_needs)]
    library.weir_sim_create.restype = ctypes.c_int
    library.weir_sim_create.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
    library.weir_sim_destroy.restype = None
    library.weir_sim_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_sim_step.restype = ctypes.c_int
    library.weir_sim_step.argtypes = [ctypes.c_void_p, ctypes.c_double]
    library.weir_sim_steer.restype = ctypes.c_int
    library.weir_sim_steer.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_steering)]
    library.weir_sim_wait.restype = ctypes.c_int
    library.weir_sim_wait.argtypes = [ctypes.c_void_p]
    library.weir_sim_count.restype = ctypes.c_int
    library.weir_sim_count.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32)]
    library.weir_sim_read.restype = ctypes.c_int
    library.weir_sim_read.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
    library.weir_sim_stats.restype = ctypes.c_int
    library.weir_sim_stats.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_stats)]
    library.weir_sim_hash.restype = ctypes.c_int
    library.weir_sim_hash.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64)]
    library.weir_sim_save.restype = ctypes.c_int
    library.weir_sim_save.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.weir_sim_restore.restype = ctypes.c_int
    library.weir_sim_restore.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.weir_sim_gauges.restype = ctypes.c_int
    library.weir_sim_gauges.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(weir_gauge),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_points_def_default.restype = weir_points_def
    library.weir_points_def_default.argtypes = []
    library.weir_points_from_host.restype = ctypes.c_int
    library.weir_points_from_host.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_points_def),
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_sim_acquire_points.restype = ctypes.c_int
    library.weir_sim_acquire_points.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
    library.weir_points_release.restype = None
    library.weir_points_release.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_mesher_def_default.restype = weir_mesher_def
    library.weir_mesher_def_default.argtypes = [ctypes.c_char_p]
    library.weir_mesher_create.restype = ctypes.c_int
    library.weir_mesher_create.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_mesher_def),
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_mesher_destroy.restype = None
    library.weir_mesher_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_mesher_run.restype = ctypes.c_int
    library.weir_mesher_run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
    library.weir_mesh_get.restype = None
    library.weir_mesh_get.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_mesh_view)]
    library.weir_mesh_destroy.restype = None
    library.weir_mesh_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_mesh_refine_def_default.restype = weir_mesh_refine_def
    library.weir_mesh_refine_def_default.argtypes = []
    library.weir_mesh_refine.restype = ctypes.c_int
    library.weir_mesh_refine.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_mesh_refine_def),
        ctypes.POINTER(weir_mesh_refine_info)]
    library.weir_view_default.restype = weir_view
    library.weir_view_default.argtypes = [ctypes.c_void_p]
    library.weir_renderer_def_default.restype = weir_renderer_def
    library.weir_renderer_def_default.argtypes = []
    library.weir_renderer_create.restype = ctypes.c_int
    library.weir_renderer_create.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_renderer_def),
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_renderer_destroy.restype = None
    library.weir_renderer_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_render_points.restype = ctypes.c_int
    library.weir_render_points.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(weir_view),
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_render_mesh.restype = ctypes.c_int
    library.weir_render_mesh.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(weir_view),
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_image_read.restype = ctypes.c_int
    library.weir_image_read.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32),
        ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.POINTER(ctypes.c_uint8))]
    library.weir_image_save.restype = ctypes.c_int
    library.weir_image_save.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.weir_image_destroy.restype = None
    library.weir_image_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_output_def_default.restype = weir_output_def
    library.weir_output_def_default.argtypes = []
    library.weir_output_def_read.restype = ctypes.c_int
    library.weir_output_def_read.argtypes = [ctypes.c_char_p, ctypes.POINTER(weir_output_def)]
    library.weir_output_create.restype = ctypes.c_int
    library.weir_output_create.argtypes = [ctypes.POINTER(weir_output_def), ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_output_frame.restype = ctypes.c_int
    library.weir_output_frame.argtypes = [ctypes.c_void_p]
    library.weir_output_finish.restype = ctypes.c_int
    library.weir_output_finish.argtypes = [ctypes.c_void_p]
    library.weir_output_complete.restype = ctypes.c_int
    library.weir_output_complete.argtypes = [ctypes.c_void_p]
    library.weir_output_destroy.restype = None
    library.weir_output_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_file_detect.restype = ctypes.c_int
    library.weir_file_detect.argtypes = [ctypes.c_char_p]
    library.weir_particles_inspect.restype = ctypes.c_int
    library.weir_particles_inspect.argtypes = [ctypes.POINTER(weir_log), ctypes.c_char_p,
        ctypes.POINTER(weir_particles_info)]
    library.weir_mesh_inspect.restype = ctypes.c_int
    library.weir_mesh_inspect.argtypes = [ctypes.POINTER(weir_log), ctypes.c_char_p,
        ctypes.POINTER(weir_mesh_info)]
    library.weir_mesh_save_def_default.restype = weir_mesh_save_def
    library.weir_mesh_save_def_default.argtypes = []
    library.weir_mesh_save.restype = ctypes.c_int
    library.weir_mesh_save.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(weir_mesh_save_def)]
    library.weir_mesh_save_spray.restype = ctypes.c_int
    library.weir_mesh_save_spray.argtypes = [ctypes.c_void_p, ctypes.c_char_p,
        ctypes.POINTER(weir_mesh_save_def)]
    library.weir_mesh_load.restype = ctypes.c_int
    library.weir_mesh_load.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_double,
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_particles_load.restype = ctypes.c_int
    library.weir_particles_load.argtypes = [ctypes.POINTER(weir_log), ctypes.c_char_p,
        ctypes.POINTER(weir_particles)]
    library.weir_particles_free.restype = None
    library.weir_particles_free.argtypes = [ctypes.POINTER(weir_particles)]
    library.weir_sim_bodies.restype = ctypes.c_int
    library.weir_sim_bodies.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_body),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_body_set.restype = ctypes.c_int
    library.weir_body_set.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_body)]
    library.weir_body_pick.restype = ctypes.c_int
    library.weir_body_pick.argtypes = [ctypes.c_void_p, ctypes.c_float * 3, ctypes.c_float * 3,
        ctypes.POINTER(weir_grip)]
    library.weir_body_drag.restype = ctypes.c_int
    library.weir_body_drag.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_grip), ctypes.c_float * 3]
    library.weir_scene_body_count.restype = ctypes.c_uint32
    library.weir_scene_body_count.argtypes = [ctypes.c_void_p]
    library.weir_renderer_place_bodies.restype = ctypes.c_int
    library.weir_renderer_place_bodies.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_body_pose),
        ctypes.c_uint32]
    library.weir_constraint_create.restype = ctypes.c_int
    library.weir_constraint_create.argtypes = [ctypes.c_void_p, ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_constraint_destroy.restype = None
    library.weir_constraint_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_constraint_particles_default.restype = weir_constraint_particles
    library.weir_constraint_particles_default.argtypes = []
    library.weir_constraint_solve.restype = ctypes.c_int
    library.weir_constraint_solve.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_constraint_particles),
        ctypes.POINTER(weir_constraint_report)]
    library.weir_constraint_get_report.restype = ctypes.c_int
    library.weir_constraint_get_report.argtypes = [ctypes.c_void_p, ctypes.c_bool,
        ctypes.POINTER(weir_constraint_report)]
    library.weir_body_forces.restype = ctypes.c_int
    library.weir_body_forces.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_force),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_solid_forces.restype = ctypes.c_int
    library.weir_solid_forces.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_force),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_view_at.restype = weir_view
    library.weir_view_at.argtypes = [ctypes.c_void_p, ctypes.c_double]
    library.weir_image_read_light.restype = ctypes.c_int
    library.weir_image_read_light.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32),
        ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.POINTER(ctypes.c_float))]
    library.weir_saves_exr.restype = ctypes.c_bool
    library.weir_saves_exr.argtypes = []
    library.weir_probe_create.restype = ctypes.c_int
    library.weir_probe_create.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
    library.weir_probe_destroy.restype = None
    library.weir_probe_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_probe_ask.restype = ctypes.c_int
    library.weir_probe_ask.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_float),
        ctypes.c_uint32]
    library.weir_probe_answers.restype = ctypes.c_int
    library.weir_probe_answers.argtypes = [ctypes.c_void_p, ctypes.c_bool, ctypes.POINTER(weir_answer),
        ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint64)]
    library.weir_device_time_passes.restype = None
    library.weir_device_time_passes.argtypes = [ctypes.c_void_p, ctypes.c_bool]
    library.weir_device_longest_submission.restype = ctypes.c_double
    library.weir_device_longest_submission.argtypes = [ctypes.c_void_p]
    library.weir_sim_row_times.restype = ctypes.c_int
    library.weir_sim_row_times.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_row_time),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_sim_row_times_reset.restype = None
    library.weir_sim_row_times_reset.argtypes = [ctypes.c_void_p]
    library.weir_mesher_row_times.restype = ctypes.c_int
    library.weir_mesher_row_times.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_row_time),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_renderer_row_times.restype = ctypes.c_int
    library.weir_renderer_row_times.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_row_time),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_sim_row_repeat.restype = ctypes.c_int
    library.weir_sim_row_repeat.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32,
        ctypes.POINTER(weir_row_time)]
    library.weir_device_ceilings.restype = ctypes.c_int
    library.weir_device_ceilings.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_ceilings)]
    library.weir_trace_start.restype = ctypes.c_int
    library.weir_trace_start.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.weir_trace_finish.restype = ctypes.c_int
    library.weir_trace_finish.argtypes = [ctypes.c_void_p]
    library.weir_sim_explain.restype = ctypes.c_int
    library.weir_sim_explain.argtypes = [ctypes.c_void_p,
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p), ctypes.c_void_p]
    library.weir_sim_residuals.restype = ctypes.c_int
    library.weir_sim_residuals.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(weir_residual),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_sim_inspect.restype = ctypes.c_int
    library.weir_sim_inspect.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(weir_row_view),
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_sim_slice.restype = ctypes.c_int
    library.weir_sim_slice.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32, ctypes.c_double,
        ctypes.POINTER(ctypes.POINTER(weir_slice))]
    library.weir_slice_destroy.restype = None
    library.weir_slice_destroy.argtypes = [ctypes.POINTER(ctypes.POINTER(weir_slice))]
    library.weir_sim_softs.restype = ctypes.c_int
    library.weir_sim_softs.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_soft),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_sim_soft_vertices.restype = ctypes.c_int
    library.weir_sim_soft_vertices.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_float),
        ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.c_uint32)]
    library.weir_points_load_softs.restype = ctypes.c_int
    library.weir_points_load_softs.argtypes = [ctypes.c_void_p, ctypes.c_void_p,
        ctypes.POINTER(weir_output_def), ctypes.c_uint32]
    library.weir_scene_soft_count.restype = ctypes.c_uint32
    library.weir_scene_soft_count.argtypes = [ctypes.c_void_p]
    library.weir_solid_set_pose.restype = ctypes.c_int
    library.weir_solid_set_pose.argtypes = [ctypes.c_void_p, ctypes.c_char_p,
        ctypes.POINTER(weir_solid_pose)]
    library.weir_emitter_get.restype = ctypes.c_int
    library.weir_emitter_get.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(weir_emitter)]
    library.weir_emitter_set.restype = ctypes.c_int
    library.weir_emitter_set.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(weir_emitter)]
    library.weir_sim_write.restype = ctypes.c_int
    library.weir_sim_write.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_float),
        ctypes.c_size_t]

"""Weir's public API as its headers have it: enumerations, structs and functions, under their names in C.

Written by tools/python-bindings: do not edit."""
import ctypes
import enum
from typing import Any

ABI = 0x16da30f8


class weir_result(enum.IntEnum):
    WEIR_OK = 0
    WEIR_ERROR_ARGUMENT = 1
    WEIR_ERROR_SCENE = 2
    WEIR_ERROR_IO = 3
    WEIR_ERROR_MEMORY = 4
    WEIR_ERROR_UNSUPPORTED = 5
    WEIR_ERROR_DEVICE_LOST = 6
    WEIR_ERROR_UNSTABLE = 7


class weir_enum(enum.IntEnum):
    WEIR_ENUM_FIELD = 0
    WEIR_ENUM_PARTICLE_FORMAT = 1
    WEIR_ENUM_MESH_FORMAT = 2
    WEIR_ENUM_RENDER_MODE = 3
    WEIR_ENUM_COLOURING = 4
    WEIR_ENUM_METHOD = 5


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


class weir_module_memory(ctypes.Structure):
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
    unsupported_reason: Any
    kind: int
    memory_bytes: int
    memory_available_bytes: int
    max_storage_buffer_bytes: int
    subgroup_size: int
    max_workgroup_invocations: int
    subgroup_min: int
    subgroup_max: int
    timestamps: bool
    can_reload_shaders: bool
    vendor_id: int
    device_id: int
    driver_id: int
    driver_version: int
    modules: Any
    _fields_ = [
        ("name", ctypes.c_char * 256),
        ("driver", ctypes.c_char * 512),
        ("api_version", ctypes.c_char * 32),
        ("unsupported_reason", ctypes.c_char * 256),
        ("kind", ctypes.c_int),
        ("memory_bytes", ctypes.c_uint64),
        ("memory_available_bytes", ctypes.c_uint64),
        ("max_storage_buffer_bytes", ctypes.c_uint64),
        ("subgroup_size", ctypes.c_uint32),
        ("max_workgroup_invocations", ctypes.c_uint32),
        ("subgroup_min", ctypes.c_uint32),
        ("subgroup_max", ctypes.c_uint32),
        ("timestamps", ctypes.c_bool),
        ("can_reload_shaders", ctypes.c_bool),
        ("vendor_id", ctypes.c_uint32),
        ("device_id", ctypes.c_uint32),
        ("driver_id", ctypes.c_uint32),
        ("driver_version", ctypes.c_uint32),
        ("modules", weir_module_memory * 9),
    ]


class weir_device_def(ctypes.Structure):
    cookie: int
    log: Any
    device: Any
    cache_folder: Any
    validation: bool
    shader_validation: bool
    window: Any
    workgroup_size: int
    subgroup_size: int
    shader_folder: Any
    report_pipelines: bool
    serialize_passes: bool
    count_invocations: bool
    isa_folder: Any
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("log", weir_log),
        ("device", ctypes.c_char_p),
        ("cache_folder", ctypes.c_char_p),
        ("validation", ctypes.c_bool),
        ("shader_validation", ctypes.c_bool),
        ("window", ctypes.c_void_p),
        ("workgroup_size", ctypes.c_uint32),
        ("subgroup_size", ctypes.c_uint32),
        ("shader_folder", ctypes.c_char_p),
        ("report_pipelines", ctypes.c_bool),
        ("serialize_passes", ctypes.c_bool),
        ("count_invocations", ctypes.c_bool),
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
    WEIR_PARAM_INTEGER = 1
    WEIR_PARAM_BOOL = 2


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


class weir_estimate(ctypes.Structure):
    exact: bool
    particles: int
    max_emitted: int
    device_bytes: int
    frame_bytes: int
    depth_m: float
    predicted_compression: float
    recommended_substeps: int
    _fields_ = [
        ("exact", ctypes.c_bool),
        ("particles", ctypes.c_uint64),
        ("max_emitted", ctypes.c_uint64),
        ("device_bytes", ctypes.c_uint64),
        ("frame_bytes", ctypes.c_uint64),
        ("depth_m", ctypes.c_double),
        ("predicted_compression", ctypes.c_double),
        ("recommended_substeps", ctypes.c_uint32),
    ]


class weir_field(enum.IntEnum):
    WEIR_FIELD_POSITION = 0
    WEIR_FIELD_VELOCITY = 1
    WEIR_FIELD_ID = 2
    WEIR_FIELD_FLUID = 3
    WEIR_FIELD_DENSITY = 4
    WEIR_FIELD_COUNT = 5


class weir_points_def(ctypes.Structure):
    cookie: int
    count: int
    spacing_m: float
    support_radius_m: float
    position: Any
    velocity: Any
    id: Any
    fluid: Any
    density: Any
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
        ("spacing_m", ctypes.c_float),
        ("support_radius_m", ctypes.c_float),
        ("position", ctypes.POINTER(ctypes.c_float)),
        ("velocity", ctypes.POINTER(ctypes.c_float)),
        ("id", ctypes.POINTER(ctypes.c_uint32)),
        ("fluid", ctypes.POINTER(ctypes.c_uint32)),
        ("density", ctypes.POINTER(ctypes.c_float)),
    ]


class weir_particles_info(ctypes.Structure):
    count: int
    fields: int
    min: Any
    max: Any
    speed_min_m_s: float
    speed_max_m_s: float
    speed_mean_m_s: float
    _fields_ = [
        ("count", ctypes.c_uint32),
        ("fields", ctypes.c_uint32),
        ("min", ctypes.c_float * 3),
        ("max", ctypes.c_float * 3),
        ("speed_min_m_s", ctypes.c_float),
        ("speed_max_m_s", ctypes.c_float),
        ("speed_mean_m_s", ctypes.c_float),
    ]


class weir_particles(ctypes.Structure):
    points: Any
    spacing_estimated: bool
    time_s: float
    internal: Any
    _fields_ = [
        ("points", weir_points_def),
        ("spacing_estimated", ctypes.c_bool),
        ("time_s", ctypes.c_double),
        ("internal", ctypes.c_void_p),
    ]


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
    unconverged_substeps: int
    solver_error_mean: float
    solver_error_max: float
    neighbours_mean: float
    neighbours_max: int
    speed_max_m_s: float
    kinetic_energy_j: float
    potential_energy_j: float
    bodies_kinetic_energy_j: float
    bodies_potential_energy_j: float
    momentum_kg_m_s: Any
    centre_of_mass_m: Any
    clamped_corrections: int
    clamped_speeds: int
    removed_non_finite: int
    removed_outside: int
    removed_by_sinks: int
    not_emitted: int
    torn_edges: int
    reseeded: int
    overcompressed_frames: int
    recommended_substeps: int
    predicted_compression: float
    sound_speed_m_s: float
    inverse_mach_number: float
    viscous_iterations: int
    viscous_residual: float
    spray: int
    foam: int
    bubbles: int
    emitted_by_trapped_air: int
    emitted_by_wave_crests: int
    emitted_by_curl: int
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
        ("unconverged_substeps", ctypes.c_uint32),
        ("solver_error_mean", ctypes.c_double),
        ("solver_error_max", ctypes.c_double),
        ("neighbours_mean", ctypes.c_double),
        ("neighbours_max", ctypes.c_uint32),
        ("speed_max_m_s", ctypes.c_double),
        ("kinetic_energy_j", ctypes.c_double),
        ("potential_energy_j", ctypes.c_double),
        ("bodies_kinetic_energy_j", ctypes.c_double),
        ("bodies_potential_energy_j", ctypes.c_double),
        ("momentum_kg_m_s", ctypes.c_double * 3),
        ("centre_of_mass_m", ctypes.c_double * 3),
        ("clamped_corrections", ctypes.c_uint64),
        ("clamped_speeds", ctypes.c_uint64),
        ("removed_non_finite", ctypes.c_uint32),
        ("removed_outside", ctypes.c_uint32),
        ("removed_by_sinks", ctypes.c_uint32),
        ("not_emitted", ctypes.c_uint32),
        ("torn_edges", ctypes.c_uint32),
        ("reseeded", ctypes.c_uint32),
        ("overcompressed_frames", ctypes.c_uint32),
        ("recommended_substeps", ctypes.c_uint32),
        ("predicted_compression", ctypes.c_double),
        ("sound_speed_m_s", ctypes.c_double),
        ("inverse_mach_number", ctypes.c_double),
        ("viscous_iterations", ctypes.c_uint32),
        ("viscous_residual", ctypes.c_double),
        ("spray", ctypes.c_uint32),
        ("foam", ctypes.c_uint32),
        ("bubbles", ctypes.c_uint32),
        ("emitted_by_trapped_air", ctypes.c_uint32),
        ("emitted_by_wave_crests", ctypes.c_uint32),
        ("emitted_by_curl", ctypes.c_uint32),
        ("gpu_ms", ctypes.c_double),
        ("record_ms", ctypes.c_double),
        ("memory_bytes", ctypes.c_uint64),
        ("memory_bytes_per_particle", ctypes.c_double),
    ]


class weir_ray_force(ctypes.Structure):
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


class weir_hose(ctypes.Structure):
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


class weir_sim_controls(ctypes.Structure):
    scene: Any
    ray_force: Any
    hose: Any
    _fields_ = [
        ("scene", ctypes.c_void_p),
        ("ray_force", weir_ray_force),
        ("hose", weir_hose),
    ]


class weir_solid_pose(ctypes.Structure):
    position: Any
    rotation: Any
    teleport: bool
    _fields_ = [
        ("position", ctypes.c_float * 3),
        ("rotation", ctypes.c_float * 4),
        ("teleport", ctypes.c_bool),
    ]


class weir_emitter(ctypes.Structure):
    position: Any
    direction: Any
    up: Any
    speed: float
    open: bool
    teleport: bool
    _fields_ = [
        ("position", ctypes.c_float * 3),
        ("direction", ctypes.c_float * 3),
        ("up", ctypes.c_float * 3),
        ("speed", ctypes.c_float),
        ("open", ctypes.c_bool),
        ("teleport", ctypes.c_bool),
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


class weir_mesh_field(enum.IntEnum):
    WEIR_MESH_FIELD_ZHU_BRIDSON = 0
    WEIR_MESH_FIELD_COLOUR = 1
    WEIR_MESH_FIELD_ANISOTROPIC = 2


class weir_mesh_normals(enum.IntEnum):
    WEIR_MESH_NORMALS_FIELD = 0
    WEIR_MESH_NORMALS_FACES = 1
    WEIR_MESH_NORMALS_NONE = 2


class weir_mesher_def(ctypes.Structure):
    cookie: int
    field: int
    cell_size: float
    search_radius: float
    particle_radius: float
    cell_size_m: float
    iso_value: float
    centre_smoothing: float
    max_anisotropy: float
    asymptotic_decider: bool
    sheet_damping: bool
    normals: int
    velocity: bool
    attributes: bool
    neighbours: bool
    spray_neighbours: int
    max_memory_bytes: int
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("field", ctypes.c_int),
        ("cell_size", ctypes.c_float),
        ("search_radius", ctypes.c_float),
        ("particle_radius", ctypes.c_float),
        ("cell_size_m", ctypes.c_float),
        ("iso_value", ctypes.c_float),
        ("centre_smoothing", ctypes.c_float),
        ("max_anisotropy", ctypes.c_float),
        ("asymptotic_decider", ctypes.c_bool),
        ("sheet_damping", ctypes.c_bool),
        ("normals", ctypes.c_int),
        ("velocity", ctypes.c_bool),
        ("attributes", ctypes.c_bool),
        ("neighbours", ctypes.c_bool),
        ("spray_neighbours", ctypes.c_uint32),
        ("max_memory_bytes", ctypes.c_uint64),
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


class weir_mesh_arrays(ctypes.Structure):
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


class weir_mesh_smoothing(enum.IntEnum):
    WEIR_MESH_SMOOTHING_NONE = 0
    WEIR_MESH_SMOOTHING_TAUBIN = 1
    WEIR_MESH_SMOOTHING_LAPLACE = 2


class weir_mesh_refine_def(ctypes.Structure):
    cookie: int
    remove_slivers: bool
    cell_size_m: float
    smooth_method: int
    smooth_iterations: int
    smooth_strength: float
    smooth_neighbours: float
    min_component_triangles: int
    min_component_volume_m3: float
    remove_voids: bool
    decimate_ratio: float
    max_triangles: int
    decimate_error_m: float
    scene: Any
    time_s: float
    snap_distance_m: float
    snap_offset_m: float
    clamp_to_box: bool
    clamp_min: Any
    clamp_max: Any
    normals: int
    normal_smooth_iterations: int
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("remove_slivers", ctypes.c_bool),
        ("cell_size_m", ctypes.c_float),
        ("smooth_method", ctypes.c_int),
        ("smooth_iterations", ctypes.c_uint32),
        ("smooth_strength", ctypes.c_float),
        ("smooth_neighbours", ctypes.c_float),
        ("min_component_triangles", ctypes.c_uint32),
        ("min_component_volume_m3", ctypes.c_double),
        ("remove_voids", ctypes.c_bool),
        ("decimate_ratio", ctypes.c_double),
        ("max_triangles", ctypes.c_uint32),
        ("decimate_error_m", ctypes.c_float),
        ("scene", ctypes.c_void_p),
        ("time_s", ctypes.c_double),
        ("snap_distance_m", ctypes.c_float),
        ("snap_offset_m", ctypes.c_float),
        ("clamp_to_box", ctypes.c_bool),
        ("clamp_min", ctypes.c_float * 3),
        ("clamp_max", ctypes.c_float * 3),
        ("normals", ctypes.c_int),
        ("normal_smooth_iterations", ctypes.c_uint32),
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
    decimated_triangles: int
    split_vertices: int
    decimate_error_m: float
    snapped_vertices: int
    clamped_vertices: int
    degenerate_triangles: int
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
        ("decimated_triangles", ctypes.c_uint32),
        ("split_vertices", ctypes.c_uint32),
        ("decimate_error_m", ctypes.c_float),
        ("snapped_vertices", ctypes.c_uint32),
        ("clamped_vertices", ctypes.c_uint32),
        ("degenerate_triangles", ctypes.c_uint32),
    ]


class weir_mesh_format(enum.IntEnum):
    WEIR_MESH_FORMAT_OBJ = 0
    WEIR_MESH_FORMAT_PLY = 1
    WEIR_MESH_FORMAT_VTK = 2
    WEIR_MESH_FORMAT_BGEO = 3
    WEIR_MESH_FORMAT_COUNT = 4


class weir_axis_conversion(enum.IntEnum):
    WEIR_AXIS_CONVERSION_NONE = 0
    WEIR_AXIS_CONVERSION_Y_TO_Z = 1
    WEIR_AXIS_CONVERSION_Z_TO_Y = 2


class weir_mesh_save_def(ctypes.Structure):
    cookie: int
    format: int
    axis_conversion: int
    scale: float
    precision_m: float
    threads: int
    time_s: float
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("format", ctypes.c_int),
        ("axis_conversion", ctypes.c_int),
        ("scale", ctypes.c_double),
        ("precision_m", ctypes.c_float),
        ("threads", ctypes.c_uint32),
        ("time_s", ctypes.c_double),
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


class weir_render_mode(enum.IntEnum):
    WEIR_RENDER_MODE_SURFACE = 0
    WEIR_RENDER_MODE_ELLIPSOIDS = 1
    WEIR_RENDER_MODE_PARTICLES = 2
    WEIR_RENDER_MODE_MESH = 3
    WEIR_RENDER_MODE_DEPTH = 4
    WEIR_RENDER_MODE_FILTERED_DEPTH = 5
    WEIR_RENDER_MODE_THICKNESS = 6
    WEIR_RENDER_MODE_NORMALS = 7
    WEIR_RENDER_MODE_SHADOW = 8
    WEIR_RENDER_MODE_BACKGROUND = 9
    WEIR_RENDER_MODE_COUNT = 10


class weir_colouring(enum.IntEnum):
    WEIR_COLOURING_FLUID = 0
    WEIR_COLOURING_SPEED = 1
    WEIR_COLOURING_DENSITY = 2
    WEIR_COLOURING_ID = 3
    WEIR_COLOURING_NEIGHBOURS = 4
    WEIR_COLOURING_LAMBDA = 5
    WEIR_COLOURING_COUNT = 6


class weir_depth_filter(enum.IntEnum):
    WEIR_DEPTH_FILTER_NARROW_RANGE = 0
    WEIR_DEPTH_FILTER_BILATERAL = 1
    WEIR_DEPTH_FILTER_CURVATURE_FLOW = 2
    WEIR_DEPTH_FILTER_NONE = 3
    WEIR_DEPTH_FILTER_COUNT = 4


class weir_splat_method(enum.IntEnum):
    WEIR_SPLAT_AUTO = 0
    WEIR_SPLAT_RASTER = 1
    WEIR_SPLAT_COMPUTE = 2
    WEIR_SPLAT_COUNT = 3


class weir_camera(ctypes.Structure):
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
    value_range: Any
    time_s: float
    aperture_m: float
    shutter_s: float
    accumulation_samples: int
    transparent: bool
    legend: bool
    shadows: bool
    whitewater: bool
    linear_light: bool
    exposure: float
    filter: int
    filter_iterations: int
    filter_size: float
    splat_method: int
    slice: Any
    reload_shaders: bool
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
        ("value_range", ctypes.c_float * 2),
        ("time_s", ctypes.c_double),
        ("aperture_m", ctypes.c_float),
        ("shutter_s", ctypes.c_float),
        ("accumulation_samples", ctypes.c_uint32),
        ("transparent", ctypes.c_bool),
        ("legend", ctypes.c_bool),
        ("shadows", ctypes.c_bool),
        ("whitewater", ctypes.c_bool),
        ("linear_light", ctypes.c_bool),
        ("exposure", ctypes.c_float),
        ("filter", ctypes.c_int),
        ("filter_iterations", ctypes.c_uint32),
        ("filter_size", ctypes.c_float),
        ("splat_method", ctypes.c_int),
        ("slice", ctypes.c_void_p),
        ("reload_shaders", ctypes.c_bool),
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


class weir_particle_format(enum.IntEnum):
    WEIR_PARTICLE_FORMAT_PLY = 0
    WEIR_PARTICLE_FORMAT_VTK = 1
    WEIR_PARTICLE_FORMAT_BGEO = 2
    WEIR_PARTICLE_FORMAT_XYZ = 3
    WEIR_PARTICLE_FORMAT_NPY = 4
    WEIR_PARTICLE_FORMAT_RAW = 5
    WEIR_PARTICLE_FORMAT_COUNT = 6


class weir_output_def(ctypes.Structure):
    cookie: int
    log: Any
    folder: Any
    particle_format: int
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
    mesh_snap_to_solids: bool
    refine: Any
    gauges_per_substep: bool
    resume: bool
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("log", weir_log),
        ("folder", ctypes.c_char_p),
        ("particle_format", ctypes.c_int),
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
        ("mesh_snap_to_solids", ctypes.c_bool),
        ("refine", weir_mesh_refine_def),
        ("gauges_per_substep", ctypes.c_bool),
        ("resume", ctypes.c_bool),
    ]


class weir_file_kind(enum.IntEnum):
    WEIR_FILE_UNKNOWN = 0
    WEIR_FILE_SCENE = 1
    WEIR_FILE_PARTICLES = 2
    WEIR_FILE_MESH = 3


class weir_body(ctypes.Structure):
    name: Any
    mass_kg: float
    volume_m3: float
    position: Any
    rotation: Any
    velocity: Any
    angular_velocity: Any
    angular_momentum: Any
    kinetic_energy_j: float
    potential_energy_j: float
    asleep: bool
    non_finite: bool
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("mass_kg", ctypes.c_double),
        ("volume_m3", ctypes.c_double),
        ("position", ctypes.c_float * 3),
        ("rotation", ctypes.c_float * 4),
        ("velocity", ctypes.c_float * 3),
        ("angular_velocity", ctypes.c_float * 3),
        ("angular_momentum", ctypes.c_float * 3),
        ("kinetic_energy_j", ctypes.c_double),
        ("potential_energy_j", ctypes.c_double),
        ("asleep", ctypes.c_bool),
        ("non_finite", ctypes.c_bool),
    ]


class weir_body_point(ctypes.Structure):
    name: Any
    local_position: Any
    position: Any
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("local_position", ctypes.c_float * 3),
        ("position", ctypes.c_float * 3),
    ]


class weir_force(ctypes.Structure):
    name: Any
    force: Any
    torque: Any
    reference_point: Any
    frame: int
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("force", ctypes.c_float * 3),
        ("torque", ctypes.c_float * 3),
        ("reference_point", ctypes.c_float * 3),
        ("frame", ctypes.c_uint64),
    ]


class weir_body_pose(ctypes.Structure):
    position: Any
    rotation: Any
    _fields_ = [
        ("position", ctypes.c_float * 3),
        ("rotation", ctypes.c_float * 4),
    ]


class weir_deformable(ctypes.Structure):
    name: Any
    is_rope: bool
    is_soft_body: bool
    radius_m: float
    colour: Any
    mass_kg: float
    first_vertex: int
    vertex_count: int
    surface_vertex_count: int
    triangle_count: int
    triangles: Any
    segment_count: int
    segments: Any
    kinetic_energy_j: float
    potential_energy_j: float
    non_finite_vertices: int
    torn_edges: int
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("is_rope", ctypes.c_bool),
        ("is_soft_body", ctypes.c_bool),
        ("radius_m", ctypes.c_float),
        ("colour", ctypes.c_float * 3),
        ("mass_kg", ctypes.c_double),
        ("first_vertex", ctypes.c_uint32),
        ("vertex_count", ctypes.c_uint32),
        ("surface_vertex_count", ctypes.c_uint32),
        ("triangle_count", ctypes.c_uint32),
        ("triangles", ctypes.POINTER(ctypes.c_uint32)),
        ("segment_count", ctypes.c_uint32),
        ("segments", ctypes.POINTER(ctypes.c_uint32)),
        ("kinetic_energy_j", ctypes.c_double),
        ("potential_energy_j", ctypes.c_double),
        ("non_finite_vertices", ctypes.c_uint32),
        ("torn_edges", ctypes.c_uint32),
    ]


class weir_whitewater_counts(ctypes.Structure):
    spray: int
    foam: int
    bubbles: int
    emitted_by_trapped_air: int
    emitted_by_wave_crests: int
    emitted_by_curl: int
    _fields_ = [
        ("spray", ctypes.c_uint32),
        ("foam", ctypes.c_uint32),
        ("bubbles", ctypes.c_uint32),
        ("emitted_by_trapped_air", ctypes.c_uint32),
        ("emitted_by_wave_crests", ctypes.c_uint32),
        ("emitted_by_curl", ctypes.c_uint32),
    ]


class weir_whitewater_potential(enum.IntEnum):
    WEIR_WHITEWATER_ENERGY = 0
    WEIR_WHITEWATER_TRAPPED_AIR = 1
    WEIR_WHITEWATER_WAVE_CREST = 2
    WEIR_WHITEWATER_CURL = 3
    WEIR_WHITEWATER_POTENTIAL_COUNT = 4


class weir_whitewater_scales(ctypes.Structure):
    length_m: float
    speed_m_s: float
    threshold: Any
    saturation: Any
    _fields_ = [
        ("length_m", ctypes.c_float),
        ("speed_m_s", ctypes.c_float),
        ("threshold", ctypes.c_float * 4),
        ("saturation", ctypes.c_float * 4),
    ]


class weir_whitewater_particles(ctypes.Structure):
    count: int
    position: Any
    velocity: Any
    id: Any
    kind: Any
    radius: Any
    internal: Any
    _fields_ = [
        ("count", ctypes.c_uint32),
        ("position", ctypes.POINTER(ctypes.c_float)),
        ("velocity", ctypes.POINTER(ctypes.c_float)),
        ("id", ctypes.POINTER(ctypes.c_uint32)),
        ("kind", ctypes.POINTER(ctypes.c_uint32)),
        ("radius", ctypes.POINTER(ctypes.c_float)),
        ("internal", ctypes.c_void_p),
    ]


class weir_density_solver_particles(ctypes.Structure):
    cookie: int
    count: int
    dt_s: float
    positions: Any
    velocities: Any
    inverse_masses: Any
    neighbour_offsets: Any
    neighbours: Any
    _fields_ = [
        ("cookie", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
        ("dt_s", ctypes.c_float),
        ("positions", ctypes.POINTER(ctypes.c_float)),
        ("velocities", ctypes.POINTER(ctypes.c_float)),
        ("inverse_masses", ctypes.POINTER(ctypes.c_float)),
        ("neighbour_offsets", ctypes.POINTER(ctypes.c_uint32)),
        ("neighbours", ctypes.POINTER(ctypes.c_uint32)),
    ]


class weir_density_solver_report(ctypes.Structure):
    solve_number: int
    iterations: int
    density_error_mean: float
    density_error_max: float
    converged: bool
    complete: bool
    skipped: int
    fixed: int
    invalid_entries: int
    _fields_ = [
        ("solve_number", ctypes.c_uint64),
        ("iterations", ctypes.c_uint32),
        ("density_error_mean", ctypes.c_float),
        ("density_error_max", ctypes.c_float),
        ("converged", ctypes.c_bool),
        ("complete", ctypes.c_bool),
        ("skipped", ctypes.c_uint32),
        ("fixed", ctypes.c_uint32),
        ("invalid_entries", ctypes.c_uint32),
    ]


class weir_probe_sample(ctypes.Structure):
    fluid_fraction: float
    density: float
    velocity: Any
    surface_offset_m: float
    _fields_ = [
        ("fluid_fraction", ctypes.c_float),
        ("density", ctypes.c_float),
        ("velocity", ctypes.c_float * 3),
        ("surface_offset_m", ctypes.c_float),
    ]


class weir_pass_time(ctypes.Structure):
    name: Any
    stage: Any
    group: Any
    is_total: bool
    calls: int
    median_ms: float
    lower_quartile_ms: float
    upper_quartile_ms: float
    total_ms: float
    elements: float
    per_invocation: float
    bytes: float
    gathered_bytes: float
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
        ("is_total", ctypes.c_bool),
        ("calls", ctypes.c_uint32),
        ("median_ms", ctypes.c_double),
        ("lower_quartile_ms", ctypes.c_double),
        ("upper_quartile_ms", ctypes.c_double),
        ("total_ms", ctypes.c_double),
        ("elements", ctypes.c_double),
        ("per_invocation", ctypes.c_double),
        ("bytes", ctypes.c_double),
        ("gathered_bytes", ctypes.c_double),
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


class weir_device_peaks(ctypes.Structure):
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


class weir_pass_inspection(ctypes.Structure):
    name: Any
    group: Any
    quantity: Any
    pass_count: int
    min_value: float
    max_value: float
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("group", ctypes.c_char_p),
        ("quantity", ctypes.c_char_p),
        ("pass_count", ctypes.c_uint32),
        ("min_value", ctypes.c_float),
        ("max_value", ctypes.c_float),
    ]


class weir_slice_quantity(enum.IntEnum):
    WEIR_SLICE_SPEED = 0
    WEIR_SLICE_PRESSURE = 1
    WEIR_SLICE_COUNT = 2


class weir_slice(ctypes.Structure):
    quantity: int
    axis: int
    position_m: float
    columns: int
    rows: int
    corner_m: Any
    cell_m: Any
    min_value: float
    max_value: float
    values: Any
    _fields_ = [
        ("quantity", ctypes.c_int),
        ("axis", ctypes.c_uint32),
        ("position_m", ctypes.c_float),
        ("columns", ctypes.c_uint32),
        ("rows", ctypes.c_uint32),
        ("corner_m", ctypes.c_float * 2),
        ("cell_m", ctypes.c_float * 2),
        ("min_value", ctypes.c_float),
        ("max_value", ctypes.c_float),
        ("values", ctypes.POINTER(ctypes.c_float)),
    ]


def declare(library: ctypes.CDLL) -> None:
    """Tells ctypes what the functions take and give."""
    library.weir_version.restype = ctypes.c_char_p
    library.weir_version.argtypes = []
    library.weir_result_name.restype = ctypes.c_char_p
    library.weir_result_name.argtypes = [ctypes.c_int]
    library.weir_enum_name.restype = ctypes.c_char_p
    library.weir_enum_name.argtypes = [ctypes.c_int, ctypes.c_uint32]
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
    library.weir_scene_get_param.restype = ctypes.c_bool
    library.weir_scene_get_param.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(weir_param)]
    library.weir_scene_estimate.restype = ctypes.c_int
    library.weir_scene_estimate.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(weir_estimate)]
    library.weir_points_def_default.restype = weir_points_def
    library.weir_points_def_default.argtypes = []
    library.weir_points_create.restype = ctypes.c_int
    library.weir_points_create.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_points_def),
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_points_release.restype = None
    library.weir_points_release.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_particles_inspect.restype = ctypes.c_int
    library.weir_particles_inspect.argtypes = [ctypes.POINTER(weir_log), ctypes.c_char_p,
        ctypes.POINTER(weir_particles_info)]
    library.weir_particles_load.restype = ctypes.c_int
    library.weir_particles_load.argtypes = [ctypes.POINTER(weir_log), ctypes.c_char_p,
        ctypes.POINTER(weir_particles)]
    library.weir_particles_free.restype = None
    library.weir_particles_free.argtypes = [ctypes.POINTER(weir_particles)]
    library.weir_sim_create.restype = ctypes.c_int
    library.weir_sim_create.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
    library.weir_sim_destroy.restype = None
    library.weir_sim_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_sim_step.restype = ctypes.c_int
    library.weir_sim_step.argtypes = [ctypes.c_void_p, ctypes.c_double]
    library.weir_sim_wait.restype = ctypes.c_int
    library.weir_sim_wait.argtypes = [ctypes.c_void_p]
    library.weir_sim_get_particle_count.restype = ctypes.c_int
    library.weir_sim_get_particle_count.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32)]
    library.weir_sim_read_field.restype = ctypes.c_int
    library.weir_sim_read_field.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
    library.weir_sim_write_field.restype = ctypes.c_int
    library.weir_sim_write_field.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_float),
        ctypes.c_size_t]
    library.weir_sim_acquire_points.restype = ctypes.c_int
    library.weir_sim_acquire_points.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
    library.weir_sim_get_stats.restype = ctypes.c_int
    library.weir_sim_get_stats.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_stats)]
    library.weir_sim_get_state_hash.restype = ctypes.c_int
    library.weir_sim_get_state_hash.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64)]
    library.weir_sim_save.restype = ctypes.c_int
    library.weir_sim_save.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.weir_sim_restore.restype = ctypes.c_int
    library.weir_sim_restore.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.weir_sim_set_controls.restype = ctypes.c_int
    library.weir_sim_set_controls.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_sim_controls)]
    library.weir_sim_set_solid.restype = ctypes.c_int
    library.weir_sim_set_solid.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(weir_solid_pose)]
    library.weir_sim_get_emitter.restype = ctypes.c_int
    library.weir_sim_get_emitter.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(weir_emitter)]
    library.weir_sim_set_emitter.restype = ctypes.c_int
    library.weir_sim_set_emitter.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(weir_emitter)]
    library.weir_sim_get_gauges.restype = ctypes.c_int
    library.weir_sim_get_gauges.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(weir_gauge),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_mesher_def_default.restype = weir_mesher_def
    library.weir_mesher_def_default.argtypes = [ctypes.c_char_p]
    library.weir_mesher_create.restype = ctypes.c_int
    library.weir_mesher_create.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_mesher_def),
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_mesher_destroy.restype = None
    library.weir_mesher_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_mesher_run.restype = ctypes.c_int
    library.weir_mesher_run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
    library.weir_mesh_get_arrays.restype = None
    library.weir_mesh_get_arrays.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_mesh_arrays)]
    library.weir_mesh_destroy.restype = None
    library.weir_mesh_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_mesh_refine_def_default.restype = weir_mesh_refine_def
    library.weir_mesh_refine_def_default.argtypes = []
    library.weir_mesh_refine.restype = ctypes.c_int
    library.weir_mesh_refine.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_mesh_refine_def),
        ctypes.POINTER(weir_mesh_refine_info)]
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
    library.weir_mesh_inspect.restype = ctypes.c_int
    library.weir_mesh_inspect.argtypes = [ctypes.POINTER(weir_log), ctypes.c_char_p,
        ctypes.POINTER(weir_mesh_info)]
    library.weir_camera_default.restype = weir_camera
    library.weir_camera_default.argtypes = [ctypes.c_void_p]
    library.weir_camera_at_time.restype = weir_camera
    library.weir_camera_at_time.argtypes = [ctypes.c_void_p, ctypes.c_double]
    library.weir_renderer_def_default.restype = weir_renderer_def
    library.weir_renderer_def_default.argtypes = []
    library.weir_renderer_create.restype = ctypes.c_int
    library.weir_renderer_create.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_renderer_def),
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_renderer_destroy.restype = None
    library.weir_renderer_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_render_points.restype = ctypes.c_int
    library.weir_render_points.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(weir_camera),
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_render_mesh.restype = ctypes.c_int
    library.weir_render_mesh.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(weir_camera),
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_image_read.restype = ctypes.c_int
    library.weir_image_read.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32),
        ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.POINTER(ctypes.c_uint8))]
    library.weir_image_read_linear.restype = ctypes.c_int
    library.weir_image_read_linear.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32),
        ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.POINTER(ctypes.c_float))]
    library.weir_image_save.restype = ctypes.c_int
    library.weir_image_save.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.weir_image_destroy.restype = None
    library.weir_image_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_has_exr.restype = ctypes.c_bool
    library.weir_has_exr.argtypes = []
    library.weir_output_def_default.restype = weir_output_def
    library.weir_output_def_default.argtypes = []
    library.weir_output_def_read.restype = ctypes.c_int
    library.weir_output_def_read.argtypes = [ctypes.c_char_p, ctypes.POINTER(weir_output_def)]
    library.weir_output_create.restype = ctypes.c_int
    library.weir_output_create.argtypes = [ctypes.POINTER(weir_output_def), ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_output_write_frame.restype = ctypes.c_int
    library.weir_output_write_frame.argtypes = [ctypes.c_void_p]
    library.weir_output_flush.restype = ctypes.c_int
    library.weir_output_flush.argtypes = [ctypes.c_void_p]
    library.weir_output_mark_complete.restype = ctypes.c_int
    library.weir_output_mark_complete.argtypes = [ctypes.c_void_p]
    library.weir_output_destroy.restype = None
    library.weir_output_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_file_detect.restype = ctypes.c_int
    library.weir_file_detect.argtypes = [ctypes.c_char_p]
    library.weir_scene_body_count.restype = ctypes.c_uint32
    library.weir_scene_body_count.argtypes = [ctypes.c_void_p]
    library.weir_sim_get_bodies.restype = ctypes.c_int
    library.weir_sim_get_bodies.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_body),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_sim_set_body.restype = ctypes.c_int
    library.weir_sim_set_body.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_body)]
    library.weir_sim_pick_body.restype = ctypes.c_int
    library.weir_sim_pick_body.argtypes = [ctypes.c_void_p, ctypes.c_float * 3, ctypes.c_float * 3,
        ctypes.POINTER(weir_body_point)]
    library.weir_sim_grab_body.restype = ctypes.c_int
    library.weir_sim_grab_body.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_body_point),
        ctypes.c_float * 3]
    library.weir_sim_get_body_forces.restype = ctypes.c_int
    library.weir_sim_get_body_forces.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_force),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_sim_get_solid_forces.restype = ctypes.c_int
    library.weir_sim_get_solid_forces.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_force),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_renderer_set_body_poses.restype = ctypes.c_int
    library.weir_renderer_set_body_poses.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_body_pose),
        ctypes.c_uint32]
    library.weir_scene_deformable_count.restype = ctypes.c_uint32
    library.weir_scene_deformable_count.argtypes = [ctypes.c_void_p]
    library.weir_sim_get_deformables.restype = ctypes.c_int
    library.weir_sim_get_deformables.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_deformable),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_sim_get_deformable_vertices.restype = ctypes.c_int
    library.weir_sim_get_deformable_vertices.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_float),
        ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.c_uint32)]
    library.weir_points_load_deformables.restype = ctypes.c_int
    library.weir_points_load_deformables.argtypes = [ctypes.c_void_p, ctypes.c_void_p,
        ctypes.POINTER(weir_output_def), ctypes.c_uint32]
    library.weir_whitewater_create.restype = ctypes.c_int
    library.weir_whitewater_create.argtypes = [ctypes.c_void_p, ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_whitewater_destroy.restype = None
    library.weir_whitewater_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_whitewater_step.restype = ctypes.c_int
    library.weir_whitewater_step.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double,
        ctypes.c_uint64]
    library.weir_whitewater_set_body_poses.restype = ctypes.c_int
    library.weir_whitewater_set_body_poses.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_body_pose),
        ctypes.c_uint32]
    library.weir_whitewater_get_counts.restype = weir_whitewater_counts
    library.weir_whitewater_get_counts.argtypes = [ctypes.c_void_p]
    library.weir_whitewater_get_scales.restype = weir_whitewater_scales
    library.weir_whitewater_get_scales.argtypes = [ctypes.c_void_p]
    library.weir_whitewater_get_potentials.restype = ctypes.c_int
    library.weir_whitewater_get_potentials.argtypes = [ctypes.c_void_p, ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.c_uint32)]
    library.weir_whitewater_save.restype = ctypes.c_int
    library.weir_whitewater_save.argtypes = [ctypes.c_void_p, ctypes.c_char_p,
        ctypes.POINTER(weir_output_def)]
    library.weir_whitewater_load.restype = ctypes.c_int
    library.weir_whitewater_load.argtypes = [ctypes.POINTER(weir_log), ctypes.c_char_p,
        ctypes.POINTER(weir_output_def), ctypes.POINTER(weir_whitewater_particles)]
    library.weir_whitewater_particles_free.restype = None
    library.weir_whitewater_particles_free.argtypes = [ctypes.POINTER(weir_whitewater_particles)]
    library.weir_points_set_whitewater.restype = ctypes.c_int
    library.weir_points_set_whitewater.argtypes = [ctypes.c_void_p,
        ctypes.POINTER(weir_whitewater_particles)]
    library.weir_density_solver_create.restype = ctypes.c_int
    library.weir_density_solver_create.argtypes = [ctypes.c_void_p, ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p)]
    library.weir_density_solver_destroy.restype = None
    library.weir_density_solver_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_density_solver_particles_default.restype = weir_density_solver_particles
    library.weir_density_solver_particles_default.argtypes = []
    library.weir_density_solver_solve.restype = ctypes.c_int
    library.weir_density_solver_solve.argtypes = [ctypes.c_void_p,
        ctypes.POINTER(weir_density_solver_particles), ctypes.POINTER(weir_density_solver_report)]
    library.weir_density_solver_get_report.restype = ctypes.c_int
    library.weir_density_solver_get_report.argtypes = [ctypes.c_void_p, ctypes.c_bool,
        ctypes.POINTER(weir_density_solver_report)]
    library.weir_probe_create.restype = ctypes.c_int
    library.weir_probe_create.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
    library.weir_probe_destroy.restype = None
    library.weir_probe_destroy.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
    library.weir_probe_submit.restype = ctypes.c_int
    library.weir_probe_submit.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_float),
        ctypes.c_uint32]
    library.weir_probe_read.restype = ctypes.c_int
    library.weir_probe_read.argtypes = [ctypes.c_void_p, ctypes.c_bool, ctypes.POINTER(weir_probe_sample),
        ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint64)]
    library.weir_device_set_pass_timing.restype = None
    library.weir_device_set_pass_timing.argtypes = [ctypes.c_void_p, ctypes.c_bool]
    library.weir_device_longest_submission_ms.restype = ctypes.c_double
    library.weir_device_longest_submission_ms.argtypes = [ctypes.c_void_p]
    library.weir_sim_get_pass_times.restype = ctypes.c_int
    library.weir_sim_get_pass_times.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_pass_time),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_sim_reset_pass_times.restype = None
    library.weir_sim_reset_pass_times.argtypes = [ctypes.c_void_p]
    library.weir_mesher_get_pass_times.restype = ctypes.c_int
    library.weir_mesher_get_pass_times.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_pass_time),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_renderer_get_pass_times.restype = ctypes.c_int
    library.weir_renderer_get_pass_times.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_pass_time),
        ctypes.POINTER(ctypes.c_uint32)]
    library.weir_sim_repeat_pass.restype = ctypes.c_int
    library.weir_sim_repeat_pass.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32,
        ctypes.POINTER(weir_pass_time)]
    library.weir_device_measure_peaks.restype = ctypes.c_int
    library.weir_device_measure_peaks.argtypes = [ctypes.c_void_p, ctypes.POINTER(weir_device_peaks)]
    library.weir_trace_start.restype = ctypes.c_int
    library.weir_trace_start.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.weir_trace_finish.restype = ctypes.c_int
    library.weir_trace_finish.argtypes = [ctypes.c_void_p]
    library.weir_sim_explain.restype = ctypes.c_int
    library.weir_sim_explain.argtypes = [ctypes.c_void_p,
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p), ctypes.c_void_p]
    library.weir_sim_get_residuals.restype = ctypes.c_int
    library.weir_sim_get_residuals.argtypes = [ctypes.c_void_p, ctypes.c_uint32,
        ctypes.POINTER(weir_residual), ctypes.POINTER(ctypes.c_uint32)]
    library.weir_sim_inspect_pass.restype = ctypes.c_int
    library.weir_sim_inspect_pass.argtypes = [ctypes.c_void_p, ctypes.c_uint32,
        ctypes.POINTER(weir_pass_inspection), ctypes.POINTER(ctypes.c_void_p)]
    library.weir_sim_create_slice.restype = ctypes.c_int
    library.weir_sim_create_slice.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32,
        ctypes.c_double, ctypes.POINTER(ctypes.POINTER(weir_slice))]
    library.weir_slice_destroy.restype = None
    library.weir_slice_destroy.argtypes = [ctypes.POINTER(ctypes.POINTER(weir_slice))]

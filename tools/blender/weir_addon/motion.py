"""The animation of objects: one pass over the scene's frames records poses, shapes and rates."""

import bpy
from mathutils import Matrix

from . import geometry, schema
from .geometry import DECIMALS, TURN, TURN_ROTATION, evaluated, numbers

SAME_LENGTH, SAME_TURN, SAME_SCALE = 1e-6, 4e-5, 1e-4  # metres; length of a difference of quaternions; share
SAME_NUMBER = 2e-6  # fraction of the largest value
# The property groups of a role whose numbers can be animated.
ANIMATED = {"EMITTER": ("emitter", "fluid"), "FLUID": ("fluid",), "FORCE": ("force",), "DOMAIN": ("domain",)}


class Track:
    """One object over the frames."""

    def __init__(self):
        self.poses = []  # (time in seconds, position, rotation, scale), in Blender's axes
        self.shapes = set()  # fingerprints of the different meshes, of an object that may deform
        self.numbers = {}  # {(property group, key): [(time, value)]} of numbers that can be animated

    def moves(self):
        return any(not same_pose(pose, self.poses[0]) for pose in self.poses)

    def scales(self):
        first = self.poses[0][3]
        return any((pose[3] - first).length > SAME_SCALE * first.length for pose in self.poses)

    def deforms(self):
        return len(self.shapes) > 1

    def largest(self, group, key):
        """Returns the largest magnitude of a number that can be animated."""
        return max(abs(value) for _, value in self.numbers[group, key])

    def record_numbers(self, thing, time):
        # Of the original, to which Blender copies animated values: a change by a script reaches the evaluated
        # object only with its next update.
        for name in ANIMATED.get(thing.weir.role, ()):
            group = getattr(thing.weir, name)
            for key in schema.with_keyframes(name):
                if hasattr(group, key):
                    value = getattr(group, key)
                    value = value if isinstance(value, float) else tuple(value)
                    self.numbers.setdefault((name, key), []).append((time, value))


def frame_rate(scene):
    return scene.render.fps / scene.render.fps_base


def each_frame(scene):
    """Shows every frame, yields its number and its time in seconds, and returns to the frame shown before."""
    kept = scene.frame_current
    try:
        for frame in range(scene.frame_start, scene.frame_end + 1):
            scene.frame_set(frame)
            yield frame, (frame - scene.frame_start) / frame_rate(scene)
    finally:
        scene.frame_set(kept)


def may_deform(thing):
    """Returns whether something other than position, rotation and scale can change the object."""
    data = thing.data
    return thing.weir.role == "SOLID" and thing.weir.solid.motion == "AUTO" and (
        len(thing.modifiers) > 0 or getattr(data, "shape_keys", None) is not None or thing.type != "MESH" or
        data.animation_data is not None)


def record(scene, things):
    """Returns {object's name: Track}, and the scene's gravity in every frame as (time, vector)."""
    tracks, gravity = {thing.name: Track() for thing in things}, []
    for _, time in each_frame(scene):
        gravity.append((time, scene.gravity.copy()))
        for thing in things:
            track, now = tracks[thing.name], evaluated(thing)
            position, rotation, scale = now.matrix_world.decompose()
            if track.poses and track.poses[-1][2].dot(rotation) < 0:
                rotation = -rotation  # the smaller angle
            track.poses.append((time, position.copy(), rotation.copy(), scale.copy()))
            if may_deform(thing):
                track.shapes.add(geometry.fingerprint(thing))
            track.record_numbers(thing, time)
    return tracks, gravity


def same_pose(a, b):
    # A quaternion and its negative are one rotation.
    turn = min((a[2] - b[2]).magnitude, (a[2] + b[2]).magnitude)
    return (a[1] - b[1]).length < SAME_LENGTH and turn < SAME_TURN


def without_rest(rows, same):
    """Reduces stretches of equal rows to their first and last."""
    return [row for i, row in enumerate(rows) if i in (0, len(rows) - 1) or
            not same(row, rows[i - 1]) or not same(row, rows[i + 1])]


def relative_poses(poses):
    """Returns poses that turn about the world's origin, then move, the object as it is in the first frame."""
    moved = []
    for time, position, rotation, scale in poses:
        turned = rotation @ poses[0][2].inverted()
        moved.append((time, position - turned @ poses[0][1], turned, scale))
    return moved


def keyframe(pose):
    time, position, rotation, _ = pose
    turned = TURN_ROTATION @ rotation @ TURN_ROTATION.inverted()
    return {"time": round(time, DECIMALS), "position": numbers(TURN @ position),
            "rotation": {"quaternion": numbers((turned.x, turned.y, turned.z, turned.w), 8)}}


def keyframes_of(poses):
    return [keyframe(pose) for pose in without_rest(poses, same_pose)]


def without_line(rows):
    """Drops the rows (time, numbers) that linear interpolation between the others reproduces."""
    tolerance = [SAME_NUMBER * max(abs(values[k]) for _, values in rows) for k in range(len(rows[0][1]))]
    kept, slopes = [rows[0]], None
    for i in range(1, len(rows)):
        slope = slopes_between(kept[-1], rows[i])
        if slopes and any(not low <= s <= high for s, (low, high) in zip(slope, slopes)):
            kept.append(rows[i - 1])
            slope, slopes = slopes_between(kept[-1], rows[i]), None
        span = rows[i][0] - kept[-1][0]
        limits = [(s - t / span, s + t / span) for s, t in zip(slope, tolerance)]
        if slopes:
            limits = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(slopes, limits)]
        slopes = limits
    return kept + [rows[-1]]


def slopes_between(a, b):
    return [(y - x) / (b[0] - a[0]) for x, y in zip(a[1], b[1])]


def over_time(rows, key, turn=None):
    """Returns the keys of a number or vector that can be animated: its value, or its keyframes. `turn`:
    converts a vector from Blender's axes.
    """
    def in_scene(value):
        return turn(value) if isinstance(value, tuple) else schema.rounded(value)

    if all(value == rows[0][1] for _, value in rows):
        return {key: in_scene(rows[0][1])}
    single = isinstance(rows[0][1], float)
    kept = without_line([(time, (value,) if single else value) for time, value in rows])
    values = [(time, in_scene(value[0] if single else value)) for time, value in kept]
    return {key + schema.KEYFRAMES: [{"time": round(time, DECIMALS), key: value} for time, value in values]}


def animate(values, track, name, turn=None):
    """Puts keyframes in place of those values of a property group that change over time."""
    for (group, key), rows in track.numbers.items():
        if group == name and any(value != rows[0][1] for _, value in rows):
            values.pop(key, None)
            values.update(over_time(rows, key, turn))
    return values


def world_of(pose):
    """Returns the matrix of a pose."""
    return Matrix.LocRotScale(*pose[1:])


def at_first_frame(scene, work):
    """Calls `work` while the scene shows its first frame. Returns its result."""
    kept = scene.frame_current
    scene.frame_set(scene.frame_start)
    bpy.context.view_layer.update()
    try:
        return work()
    finally:
        scene.frame_set(kept)

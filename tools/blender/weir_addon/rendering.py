"""Renders a scene with Cycles or, as a preview, with EEVEE, and reports in one line what prevents that."""

import os
import re
import subprocess
import time

import bpy

from . import materials
from . import command_line
from .materials import set_if

SAMPLES, SIZE = 32, (960, 540)
SAMPLES_MAX = 1 << 20
PREVIEW_SAMPLES = 16
SHUTTER = 0.15  # fraction of a frame: 0.5 smears a splash seen from close up
CONTRAST = "Medium High Contrast"  # end of the name of a look of the view transform

# Renders one pixel with an engine.
TRIAL = """import bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
scene.render.engine, scene.eevee.taa_render_samples = "%s", 1
scene.render.resolution_x = scene.render.resolution_y = 4
bpy.ops.render.render()
"""


class Failed(Exception):
    """Reports why a picture cannot be made."""


def add_options(parser):
    parser.add_argument("--render", metavar="PATTERN", help="write pictures; #### stands for the frame number")
    parser.add_argument("--frames", metavar="A:B", help="frames to render; default: the file's range")
    parser.add_argument("--samples", metavar="N",
                        help="samples per pixel; default: %d, or what a .blend file says" % SAMPLES)
    parser.add_argument("--size", metavar="WxH", help="pixels; default: %dx%d, or what a .blend file says" % SIZE)
    parser.add_argument("--preview", action="store_true",
                        help="render with EEVEE: a simpler picture, made for graphics cards; it needs OpenGL")


def has_denoiser():
    """Returns whether Cycles was built with OpenImageDenoise."""
    try:
        import _cycles
        return bool(getattr(_cycles, "with_openimagedenoise", False))
    except ImportError:
        return False


def eevee():
    """Returns the name of EEVEE in this version of Blender; 4.2 to 4.5 have another one."""
    engines = bpy.types.RenderSettings.bl_rna.properties["engine"].enum_items.keys()
    return "BLENDER_EEVEE_NEXT" if "BLENDER_EEVEE_NEXT" in engines else "BLENDER_EEVEE"


def looks_of(scene):
    """Returns the names of the view transform's looks, which differ between versions."""
    try:
        scene.view_settings.look = "?"
    except TypeError as error:  # whose message lists them
        return re.findall(r"'([^']+)'", str(error).split("not found in")[-1])
    return []


def default_settings(scene):
    """Chooses Cycles and what a new file needs: few samples, no caustics, enough layers of foam."""
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.render.resolution_percentage = 100
    scene.render.use_motion_blur, scene.render.motion_blur_shutter = True, SHUTTER
    scene.render.use_persistent_data = True
    scene.render.image_settings.file_format = "PNG"
    try:
        scene.view_settings.view_transform = "Filmic"  # in every version; the default of 4.0 and later makes blue pale
    except TypeError:  # missing in a colour configuration of the user
        pass
    looks = [look for look in looks_of(scene) if look.endswith(CONTRAST)]
    scene.view_settings.look = looks[0] if looks else "None"
    cycles = scene.cycles
    cycles.samples, cycles.use_denoising = SAMPLES, has_denoiser()
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.transparent_max_bounces, cycles.max_bounces, cycles.transmission_bounces = 48, 16, 16
    cycles.sample_clamp_indirect = 4.0


def choose(scene, options):
    """Applies --samples, --size and --preview."""
    if options.size:
        scene.render.resolution_x, scene.render.resolution_y = command_line.read_size(options.size)
        scene.render.resolution_percentage = 100
    samples = options.samples and command_line.read_count("--samples", options.samples, SAMPLES_MAX)
    if options.preview:
        scene.render.engine = eevee()
        scene.eevee.taa_render_samples = samples or PREVIEW_SAMPLES
        set_if(scene.eevee, use_ssr=True, use_ssr_refraction=True, use_soft_shadows=True,
               use_gtao=True)
        materials.show_all_as_spheres()
    elif samples:
        scene.cycles.samples = samples


def check_graphics(scene):
    """Draws a tiny picture in another Blender process, because a Blender that gets no graphics context exits
    without an error that could be caught.
    """
    if scene.render.engine == "CYCLES" or not bpy.app.background or not bpy.app.binary_path:
        return
    words = [bpy.app.binary_path, "-b", "--factory-startup", "--python-exit-code", "1", "--python-expr",
             TRIAL % scene.render.engine]
    tried = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if tried.returncode != 0:
        raise Failed("EEVEE needs OpenGL, which this Blender does not get here: put `xvfb-run -a` in front of the "
                     "command (Debian: apt-get install xvfb libgl1-mesa-dri), or leave out --preview to render with "
                     "Cycles")


def tell_of_noise():
    print("weir: this Blender was built without OpenImageDenoise: pictures are not denoised; more samples give less "
          "noise")


def skip_denoiser(scene):
    """Switches off denoising where this Blender cannot, because rendering would fail."""
    if scene.render.engine == "CYCLES" and scene.cycles.use_denoising and not has_denoiser():
        scene.cycles.use_denoising = False


def render(pattern, frames=None):
    """Renders frames, by default the scene's range, to files whose names contain ####."""
    scene, began = bpy.context.scene, time.monotonic()
    first, last = frames or (scene.frame_start, scene.frame_end)
    check_graphics(scene)
    skip_denoiser(scene)
    if scene.render.engine == "CYCLES" and not has_denoiser():
        tell_of_noise()
    scene.frame_start, scene.frame_end = first, last
    numbers = range(first, last + 1, scene.frame_step)
    scene.render.filepath = os.path.abspath(pattern)
    try:
        bpy.ops.render.render(animation=True)
    except RuntimeError as error:
        raise Failed("rendering failed: %s" % error) from error
    written = scene.render.frame_path(frame=numbers[-1])
    if not scene.render.is_movie_format and not os.path.exists(written):
        raise Failed("rendering failed: %s was not written; Blender's messages above say why" % written)
    share = scene.render.resolution_percentage / 100
    print("weir: %d picture%s of %d x %d pixels in %d s, up to %s" % (
        len(numbers), "" if len(numbers) == 1 else "s", scene.render.resolution_x * share,
        scene.render.resolution_y * share, time.monotonic() - began,
        written if os.path.isabs(pattern) else os.path.relpath(written)))

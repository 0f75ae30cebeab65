"""What a matplotlib figure shows, as data: every artist's numbers, whatever drew them. Knows no topic and no page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

EDGE = 2.0  # pixels: half of a thick line

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure


def drawn(drawing: Figure) -> dict[str, Any]:
    """The size in points, and of each axes (the figure itself last, where it draws) what it shows, kind by kind.

    To be asked once the figure has been drawn: a table's cells get their places only then.
    """
    from matplotlib.axes import Axes

    axes = [one for one in _below(drawing, through_axes=True) if isinstance(one, Axes)]
    shown = [_frame(one) | _data(_below(one)) for one in axes]
    loose = _data(_below(drawing))
    return {"size": drawing.get_size_inches() * 72, "axes": [*shown, *([loose] if any(loose.values()) else [])]}


def cut_off(drawing: Figure) -> Iterator[str]:
    """What the edge of its axes cuts off, in words: a curve, a point or a bar of which a reader would see a part or nothing."""
    from matplotlib.axes import Axes

    for axes in (one for one in _below(drawing, through_axes=True) if isinstance(one, Axes)):
        for artist in _below(axes):
            for x, y, across, up in _points(artist) if artist.get_clip_on() else ():
                if not (axes.bbox.x0 - EDGE <= across <= axes.bbox.x1 + EDGE and axes.bbox.y0 - EDGE <= up <= axes.bbox.y1 + EDGE):
                    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
                    yield f"the point ({x:.3g}; {y:.3g}) lies outside its axes, from ({left:.3g}; {low:.3g}) to ({right:.3g}; {high:.3g})"
                    break


def _points(artist: Any) -> Iterator[tuple[float, float, float, float]]:
    """The points of a line or a scatter, and the corners of a bar, each as data and in pixels."""
    from matplotlib.collections import PathCollection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle

    points: Any
    if isinstance(artist, Line2D):
        points, transform = artist.get_xydata(), artist.get_transform()
    elif isinstance(artist, PathCollection):
        points, transform = artist.get_offsets(), artist.get_offset_transform()
    elif isinstance(artist, Rectangle):
        points, transform = artist.get_corners(), artist.get_data_transform()
    else:
        return
    seen = [point for point in points if not (point != point).any()]  # a gap of the line is no point
    if seen:
        yield from ((*point, *pixels) for point, pixels in zip(seen, transform.transform(seen), strict=True))


def _below(artist: Artist, through_axes: bool = False) -> Iterator[Artist]:
    """What an artist is made of, all the way down; frames, ticks and what is hidden left out, other axes too unless asked for."""
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.spines import Spine

    for child in artist.get_children():
        is_ground = child is getattr(artist, "patch", None)
        if is_ground or isinstance(child, (Axis, Spine)) or not child.get_visible() or isinstance(child, Axes) and not through_axes:
            continue
        yield child
        yield from _below(child, through_axes)


def _frame(axes: Any) -> dict[str, Any]:
    """The ends of both axes, in the order in which they are drawn, and their scales."""
    return {"limits": [*axes.get_xlim(), *axes.get_ylim()], "scales": [axes.get_xscale(), axes.get_yscale()]}


def _data(artists: Iterator[Artist]) -> dict[str, list[Any]]:
    """The numbers of the artists, by kind: whatever draws data in matplotlib is one of these. A line may tell by its width."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.collections import Collection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.text import Text

    kinds = ("lines", "images", "meshes", "patches", "points", "paths", "arrows", "widths", "texts")
    made: dict[str, list[Any]] = {kind: [] for kind in kinds}
    for artist in artists:
        if isinstance(artist, Line2D):
            made["lines"].append(artist.get_xydata())
            made["widths"].append(artist.get_linewidth())
        elif isinstance(artist, Collection):
            _collected(artist, made)
        elif isinstance(artist, ScalarMappable):
            made["images"].append([artist.get_array(), artist.get_extent() if hasattr(artist, "get_extent") else []])
        elif isinstance(artist, Patch):
            made["patches"].append(artist.get_patch_transform().transform(artist.get_path().vertices))
            made["widths"].append(artist.get_linewidth())
        elif isinstance(artist, Text) and artist.get_text():
            made["texts"].append([*artist.get_position(), *getattr(artist, "xy", ())])
    return made


def _collected(artist: Any, made: dict[str, list[Any]]) -> None:
    """A scatter's points with their sizes, the outlines of fills, segments and levels, a field's arrows, a mesh's values and edges."""
    from matplotlib.collections import QuadMesh
    from matplotlib.quiver import Barbs, Quiver

    if (values := artist.get_array()) is not None:
        made["meshes"].append(values)
    if isinstance(artist, QuadMesh):
        made["paths"].append(artist.get_coordinates())
    elif isinstance(artist, (Quiver, Barbs)):
        made["arrows"].append([artist.get_offsets(), *((artist.U, artist.V) if isinstance(artist, Quiver) else (artist.u, artist.v))])
    else:
        made["paths"] += [path.vertices for path in artist.get_paths()]
        made["points"].append([artist.get_offsets(), artist.get_sizes() if hasattr(artist, "get_sizes") else []])

"""The theme for LaTeX: `.cache/latex/theme.tex`, which `_quarto.yml` names, with colours, roles and fonts of data/theme.yml.

The fonts are the files that Typst takes, by their paths: nothing has to be installed in the system.
"""

from __future__ import annotations

from pathlib import Path

from base import atomic_write

from figures.kit.theme import THEME, Face, Font
from paper import typst_fonts
from paper.single_weight_fonts import WEIGHTS

FILE = Path(".cache", "latex", "theme.tex")


def ready(root: Path) -> Path:
    """The file, its fonts in place."""
    text = theme(typst_fonts.ready(root).resolve())
    file = root / FILE
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        atomic_write.write(file, text)
    return file


def theme(folder: Path) -> str:
    """The file's content, fonts in `folder`."""
    light = THEME.colours.light
    colours = {name.replace("_", "-"): getattr(light, name) for name in light.__struct_fields__}
    colours |= {role.name: role.light.ink for role in THEME.roles}
    fonts = THEME.fonts
    files = [str(folder / _file(font, WEIGHTS[0], "normal")) for font in (fonts.text, fonts.mono, fonts.math)]
    return "\n".join(
        [
            "% Made from data/theme.yml by build/paper/latex_theme.py.",
            "\\usepackage{xcolor}",
            *(f"\\definecolor{{{name}}}{{HTML}}{{{colour[1:]}}}" for name, colour in colours.items()),
            *(f"\\newcommand{{\\role{role.name}}}[1]{{\\rolemark{{{role.name}}}{{{role.line}}}{{#1}}}}" for role in THEME.roles),
            _fallback("kittext", files[1:]),
            _fallback("kitmono", [files[0], files[2]]),
            _set("main", fonts.text, folder, "kittext"),
            _set("mono", fonts.mono, folder, "kitmono", "Scale=0.9"),
            f"\\setmathfont{{{_file(fonts.math, WEIGHTS[0], 'normal')}}}[Path={folder}/]",
            "",
        ]
    )


def _fallback(name: str, files: list[str]) -> str:
    listed = ", ".join(f'"[{file}]:mode=node;"' for file in files)
    return f'\\directlua{{luaotfload.add_fallback("{name}", {{{listed}}})}}'


def _set(role: str, font: Font, folder: Path, fallback: str, *options: str) -> str:
    shapes = {"BoldFont": (600, "normal"), "ItalicFont": (400, "italic"), "BoldItalicFont": (600, "italic")}
    files = {shape: file for shape, (weight, style) in shapes.items() if (file := _file(font, weight, style))}
    listed = [f"Path={folder}/", *(f"{shape}={file}" for shape, file in files.items()), f"RawFeature={{fallback={fallback}}}", *options]
    return f"\\set{role}font{{{_file(font, 400, 'normal')}}}[{', '.join(listed)}]"


def _file(font: Font, weight: int, style: str) -> str:
    """The name under which `typst_fonts` keeps a face; empty where the family has none."""
    of_style = [face for face in font.faces if face.style == style]
    return next((_name(face, weight) for face in of_style if face.weight == weight or not isinstance(face.weight, int)), "")


def _name(face: Face, weight: int) -> str:
    name = Path(face.file).name
    return name if isinstance(face.weight, int) else f"{Path(name).stem.partition('[')[0]}-{weight}.ttf"

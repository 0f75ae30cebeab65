"""The theme's fonts as files in one folder, for Typst: `.cache/fonts`, which a document names under `font-paths`.

Typst draws a variable font in its first weight only, so one file for each weight is cut from it. Made again when the fonts
that data/theme.yml names change.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from base import atomic_write
from base.assets import font_files

from paper.single_weight_fonts import WEIGHTS, instance

FOLDER = Path(".cache", "fonts")
STAMP = "made-of"


def ready(root: Path) -> Path:
    """The folder, its fonts in place."""
    folder = root / FOLDER
    files = [(family, face, path) for family, face, path in font_files()]
    made_of = hashlib.sha256("\n".join(f"{path.name} {path.stat().st_size}" for _, _, path in files).encode()).hexdigest()
    stamp = folder / STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == made_of:
        return folder
    for _, face, path in files:
        if isinstance(face.weight, int):
            atomic_write.write(folder / path.name, path.read_bytes())
            continue
        for weight in WEIGHTS:
            atomic_write.write(folder / f"{path.stem.partition('[')[0]}-{weight}.ttf", instance(path.read_bytes(), weight, named=True))
    atomic_write.write(stamp, made_of)
    return folder

"""Where a document's calls run, as one digest: what any of them may depend on and none is asked about."""

from __future__ import annotations

import os
import platform
import site
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path

from base.pack import digest

from figures.kit import files, language, slow

SHARED = (
    "_",
    "data/theme.yml",
    "figures/kit/",
    "figures/__init__.py",
    "build/base/",
    "build/engine/",
)  # settings, looks, what runs the calls
ASKED = ("ATENCAO_", "CLAIMS", "QUARTO_PROFILE", "SOURCE_DATE_EPOCH", "LANG", "LC_", "OMP_", "MKL_", "OPENBLAS_")  # of the shell


def environment(document: Path, wanted: Sequence[str], known: Mapping[str, str], more: tuple[str, ...] = ()) -> str:
    """The digest of machine, packages, shell, shared files, and those whose names start with `more`; the names of all files of
    data/; the document's formats and language."""
    machine = [platform.python_version(), platform.platform(), slow.processor(), str(os.cpu_count())]
    shell = [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith(ASKED)]
    shared = [f"{name} {known[name]}" for name in sorted(known) if name.startswith(SHARED + more)]
    data = [name for name in sorted(known) if name.startswith("data/")]
    return digest([*machine, *_packages(), *shell, *shared, *data, language.of(document), *wanted, files.shown(document)])


def _packages() -> list[str]:
    """The installed packages with their versions, as the names of their folders tell them."""
    folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), site.getusersitepackages()}
    return sorted(path.name for folder in folders if Path(folder).is_dir() for path in Path(folder).glob("*.dist-info"))

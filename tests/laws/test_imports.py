"""What importing a topic brings: nothing that only drawing or measuring needs, and no data but the theme's."""

from __future__ import annotations

import subprocess
import sys

import pytest

from figures.kit import files

LATE = ("matplotlib", "torch", "IPython", "fontTools", "pandas", "scipy")
TOPICS = sorted(path.stem for path in files.PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file())
ASK = """
import sys
from importlib import import_module
from figures.kit import readings
with readings.noted() as read:
    for name in sys.argv[1:]:
        import_module(f"figures.{name}")
print(*sorted({name.partition(".")[0] for name in sys.modules}), *sorted(read))
"""


@pytest.fixture(scope="module")
def brought() -> set[str]:
    topics = [name for name in TOPICS if not name.startswith("_")]
    done = subprocess.run([sys.executable, "-c", ASK, *topics], cwd=files.ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_no_topic_brings_what_only_drawing_and_measuring_need(brought: set[str]) -> None:
    assert "numpy" in brought and not brought & set(LATE)


def test_no_topic_reads_data_while_it_is_imported(brought: set[str]) -> None:
    """A result would depend on what its module read, and nobody would know."""
    assert {name for name in brought if ".yml" in name and not name.startswith("theme.yml")} == set()

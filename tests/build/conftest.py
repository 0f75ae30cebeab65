"""What the tests of the embedded engine share."""

from __future__ import annotations

from pathlib import Path

import pytest
import typed
from essay import Make, project_in


@pytest.fixture
def project(tmp_path: Path) -> Make:
    """A project to be written into a folder of its own."""
    return project_in(tmp_path)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A kit without a stray numeral."""
    return typed.kit_in(tmp_path)

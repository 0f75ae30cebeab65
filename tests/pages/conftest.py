"""The pages of this lecture beside the first deck, the chapter and the lab."""

from __future__ import annotations

from pathlib import Path

import pytest
from rendering import rendered

SLIDES = Path(__file__).resolve().parents[2] / "slides"


@pytest.fixture(scope="session")
def english_file(session_folder: Path) -> Path:
    """The first act in English."""
    return rendered(SLIDES / "en" / "attention.qmd", session_folder)


@pytest.fixture(scope="session")
def descent_file(session_folder: Path) -> Path:
    """The second lecture."""
    return rendered(SLIDES / "descida.qmd", session_folder)


@pytest.fixture(scope="session")
def english_descent_file(session_folder: Path) -> Path:
    """The second lecture in English."""
    return rendered(SLIDES / "en" / "descent.qmd", session_folder)

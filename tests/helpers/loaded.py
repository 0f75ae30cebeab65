"""Other records than those of data/, for one test: whoever loads that file gets what the test puts there."""

from __future__ import annotations

from typing import Any

import pytest

from figures.kit import data


def with_records(patch: pytest.MonkeyPatch, name: str, records: Any) -> None:
    """Whoever loads `data/NAME.yml` until the test ends gets `records`."""
    load = data.load
    patch.setattr(data, "load", lambda file, kind, key=None: records if file == name else load(file, kind, key))

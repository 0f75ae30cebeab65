"""Other records than those of data/, for one test: whoever loads that file gets what the test puts there."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from figures import kv_cache, multihead
from figures.kit import data


def with_records(patch: pytest.MonkeyPatch, name: str, records: Any) -> None:
    """Whoever loads `data/NAME.yml` until the test ends gets `records`."""
    load = data.load
    patch.setattr(data, "load", lambda file, kind, key=None: records if file == name else load(file, kind, key))


def second_head(**rows: Any) -> Any:
    """The records of multi-head with other rows in the second head."""
    given = multihead.model.records()
    second = {name: replace(row, **rows.get(name, {})) for name, row in given.example.second_head.items()}
    return replace(given, example=replace(given.example, second_head=second))


def changed_models(**changes: float) -> Any:
    """The models of data/models.yml, each with these fields changed."""
    return tuple(data.changed(model, **changes) for model in kv_cache.models())

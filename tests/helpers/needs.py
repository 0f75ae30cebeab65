"""What a test rests on that another lecture's theme may lack."""

from __future__ import annotations

import pytest

from figures.kit.theme import THEME

roles = pytest.mark.skipif(
    [role.name for role in THEME.roles][:3] != ["query", "key", "value"],
    reason="it colours the roles query, key and value, and this theme has others",
)

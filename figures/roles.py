"""The roles of attention as the theme dresses them: QUERY, KEY and VALUE, for whatever is drawn."""

from __future__ import annotations

from figures.kit.theme import role

QUERY, KEY, VALUE = role("query"), role("key"), role("value")

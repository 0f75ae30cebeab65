"""The claims of figures/: every function that says whether a sentence holds."""

from __future__ import annotations

from typing import Any

from figures.kit.modules import modules, topic


def all_claims() -> dict[str, Any]:
    """Every check of figures/ by name: `{"scaling.argmax_passes_no_gradient": …}`"""
    found = {}
    for module in modules():
        for name, made in vars(module).items():
            if hasattr(made, "check") and getattr(made, "__module__", "") == module.__name__:
                found[f"{topic(made)}.{name}"] = made
    return found


CLAIMS = all_claims()

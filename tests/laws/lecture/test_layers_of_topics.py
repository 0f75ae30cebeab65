"""The layers among this lecture's topics, its lab and its simulators notice what they are there for."""

from __future__ import annotations

import layers
import pytest


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("figures/attention.py", "import figures.lab", "No topic uses the lab or a simulator"),
        ("figures/gradient_descent/model.py", "from figures import attention", "The lecture on gradient descent stands on the kit alone"),
        ("figures/attention.py", "import figures.gradient_descent", "No topic of another lecture uses the one on gradient descent"),
    ],
)
def test_an_import_against_the_layers_is_named(tmp_path, file, line, contract):
    said = layers.of(layers.planted(tmp_path, file, line))
    assert said.returncode == 1
    assert f"{contract} BROKEN" in " ".join(said.stdout.split())

"""The deck where the real model's weights are not there."""

from __future__ import annotations

import os
import subprocess
import sys

from figures.kit.files import ROOT


def test_a_module_says_what_a_build_should_know():
    """Without weights the recorded measurement is shown, and the build says so."""
    done = subprocess.run(
        [sys.executable, "build", "pre-render"], cwd=ROOT, env=os.environ | {"ATENCAO_WEIGHTS": "none"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "shows the measurement recorded on" in done.stderr
    assert "ATENCAO_WEIGHTS" in done.stderr

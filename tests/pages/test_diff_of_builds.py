"""What an edit of the data did to a page, told by building both; the checkout is left as it is."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path

import pytest
from a_copy import FRONT_MATTER, copied
from base.progress import Progress
from proof import diff

PAGE = (
    FRONT_MATTER
    + """
## Um slide {#sec-um}

```{python}
from figures import hand_example
from figures.kit import ledger
```

O peso de praça é `{python} hand_example.weight("praça")`. `{python} hand_example.leaves_with_a_new_vector()`

```{python}
ledger.page()
```
"""
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small project under git, with one page committed and an edit that is not."""
    folder = copied(tmp_path_factory.mktemp("project"))
    shutil.rmtree(folder / "slides" / "_atos")
    for page in (folder / "slides").rglob("*.qmd"):
        page.unlink()
    (folder / "slides" / "atencao.qmd").write_text(PAGE, encoding="utf-8")
    (folder / ".gitignore").write_text("/.cache/\n/_output/\n__pycache__/\n", encoding="utf-8")
    who = ["-c", "user.name=x", "-c", "user.email=x@x", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def test_an_edit_against_the_last_commit(project: Path) -> None:
    file = project / "data" / "hand_example.yml"
    committed = file.read_text(encoding="utf-8")
    only = "\n".join(["tokens:", "  - {name: praça, key: [0, 2], value: [0.5, 0.5]}", "  - {name: banco, key: [0, 2], value: [0.5, 0.5]}"])
    edited = committed.replace("tokens:", "set-aside:", 1)
    start, end = edited.index("set-aside:"), edited.index("undecided_within")
    file.write_text(edited[:start] + only + "\n" + edited[end:], encoding="utf-8")
    try:
        report = diff.run("HEAD", ".", False, project, Progress(io.StringIO()))
    finally:
        file.write_text(committed, encoding="utf-8")
    assert "slide 2 sec-um  hand_example.weight('praça'):fixed(3)  0,620 → 0,500" in report
    failing = report.split("Claims that no longer hold")[1].split("\n\n")[0]
    assert "“O peso de praça é …." in failing and "held →" in failing and "output = [0.5, 0.5]" in failing
    status = subprocess.run(["git", "status", "--porcelain"], cwd=project, capture_output=True, text=True).stdout
    assert status == "" and not (project / "_output").exists()
    assert subprocess.run(["git", "worktree", "list"], cwd=project, capture_output=True, text=True).stdout.count("\n") == 1

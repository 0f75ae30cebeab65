"""`make doctor` where much of this lecture is broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from a_copy import copied, run


@pytest.fixture
def fork(tmp_path: Path) -> Path:
    return copied(tmp_path, "pyproject.toml", "requirements.lock")


def test_what_is_wrong_with_the_project_is_told_together(fork: Path):
    """A word file lost, slides gone, a broken file, a page that links to one that isn't there: each a line, no crash."""
    (fork / "data" / "words" / "pt" / "bpe.yml").unlink()
    (fork / "data" / "words" / "en" / "bpe.yml").write_text("and: and\n", encoding="utf-8")
    act = fork / "slides" / "_atos" / "02-tokens.qmd"
    act.write_text("## Nada {#sec-nada}\n", encoding="utf-8")
    (fork / "_output").mkdir()
    page = '<p id="aqui"><a href="#aqui">a</a> <a href="#/sec-b">b</a> <a href="outra.html">c</a> <a href="https://example.org/">d</a>'
    (fork / "_output" / "a.html").write_text(page, encoding="utf-8")
    (fork / "_variables.yml").write_text("repository: http://127.0.0.1:9/a/b\n", encoding="utf-8")
    done = run(fork, "build", "health")
    assert done.returncode == 0 and done.stderr == ""
    for words in (
        "no words for bpe", "declarations match nothing any more", "a.html: #/sec-b, outra.html leads nowhere",
        "https://example.org/ needs the network", "http://127.0.0.1:9/a/b can't be reached from here",
    ):  # fmt: skip
        assert words in done.stdout
    (fork / "data" / "models.yml").write_text("- {id: a, id: b}\n", encoding="utf-8")
    assert "data/models.yml" in run(fork, "build", "health").stdout

"""A page names what it was made of by digest: a copy is as good, an older page that is put back is refused, noted claims are too."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from proof import made_of

FILES = {
    "_quarto.yml": "project:\n  output-dir: _output\n  render: [slides/a.qmd]\nlang: pt-BR\n",
    "slides/a.qmd": "---\ntitle: A\n---\n\n{{< include _b.qmd >}}\n\n```{python}\nfrom figures import topic\n```\n",
    "slides/_b.qmd": "Incluído, com roda.py.\n",
    "slides/roda.py": "print(1)\n",
    "slides/outro.py": "print(2)\n",
    "slides/theme/deck.css": "p {}\n",
    "figures/__init__.py": "",
    "figures/topic.py": "from figures import deeper\n",
    "figures/deeper.py": "X = 1\n",
    "figures/unreached.py": "Y = 1\n",
    "data/topic.yml": "a: 1\n",
    "data/other.yml": "a: 1\n",
    "build/page/finish.py": "Z = 1\n",
    "build/proof/audit.py": "Z = 2\n",
}
LEDGER = json.dumps({"entries": [{"data": ["topic.yml"]}]})
HTML = "<html><body>\n<p>Com roda.py</p>\n</body></html>\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with one page, just rendered."""
    folder = tmp_path / "project"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    render(folder)
    return folder


def render(root: Path, noted: bool = False) -> str:
    html = made_of.named(HTML, root / "slides" / "a.qmd", root, LEDGER, made_of.digests(root), noted)
    page(root).parent.mkdir(parents=True, exist_ok=True)
    page(root).write_text(html, encoding="utf-8")
    return html


def page(root: Path) -> Path:
    return root / "_output" / "slides" / "a.html"


def faults(root: Path) -> list[str]:
    return list(made_of.faults(page(root), root))


def test_a_page_of_its_sources_passes_in_every_copy_whatever_the_times(root: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(root, tmp_path / "copy", copy_function=shutil.copyfile))
    for file in (file for file in copy.rglob("*") if file.is_file()):
        os.utime(file, (2e9, 2e9))
    os.utime(page(copy), (1, 1))
    assert faults(root) == faults(copy) == []


MADE_OF = ("slides/a.qmd", "slides/_b.qmd", "slides/roda.py", "slides/theme/deck.css", "_quarto.yml", "data/topic.yml")
MADE_OF += ("figures/topic.py", "figures/deeper.py", "build/page/finish.py")


@pytest.mark.parametrize("name", MADE_OF)
def test_any_source_that_changed_is_named(root: Path, name: str) -> None:
    before = (root / name).read_text(encoding="utf-8")
    (root / name).write_text(f"{before}\n# other\n", encoding="utf-8")
    assert faults(root) == [f"was made of another {name}"]
    (root / name).write_text(before, encoding="utf-8")
    assert faults(root) == []


@pytest.mark.parametrize("name", sorted(FILES.keys() - set(MADE_OF) - {"figures/__init__.py"}))
def test_what_a_page_isn_t_made_of_may_change(root: Path, name: str) -> None:
    (root / name).write_text("# other\n", encoding="utf-8")
    assert faults(root) == []


def test_a_source_that_is_gone_is_named(root: Path) -> None:
    (root / "data" / "topic.yml").unlink()
    assert faults(root) == ["was made of another data/topic.yml"]


def test_an_older_page_put_back_is_refused_though_it_is_the_newest_file(root: Path) -> None:
    older = page(root).read_text(encoding="utf-8")
    (root / "slides" / "_b.qmd").write_text("Outra frase.\n", encoding="utf-8")
    render(root)
    assert faults(root) == []
    page(root).write_text(older, encoding="utf-8")
    assert faults(root) == ["was made of another slides/_b.qmd"]


def test_a_page_that_names_nothing_or_names_it_twice_is_refused(root: Path) -> None:
    made = page(root).read_text(encoding="utf-8")
    block = made_of.IN_PAGE.search(made)
    assert block
    for other in (HTML, made.replace(block[0], block[0] * 2)):
        page(root).write_text(other, encoding="utf-8")
        assert faults(root) == ["doesn't say what it was made of"]


def test_a_page_is_named_the_same_however_often(root: Path) -> None:
    once = page(root).read_text(encoding="utf-8")
    known = made_of.digests(root)
    for before in (once, render(root, noted=True)):
        assert made_of.named(before, root / "slides" / "a.qmd", root, LEDGER, known, noted=False) == once


def test_a_page_whose_claims_were_only_noted_says_so_to_readers_and_is_refused(root: Path) -> None:
    html = render(root, noted=True)
    assert 'role="alert"' in html.partition("<p>Com")[0] and "CLAIMS=note" in html
    assert faults(root) == ["was made although sentences of it may not hold (CLAIMS=note)"]
    page(root).write_text(html.replace('"claims":"noted"', '"claims":"held"').replace('"claims": "noted"', '"claims": "held"'), "utf-8")
    assert faults(root) == ["was made although sentences of it may not hold (CLAIMS=note)"]


def test_what_the_sources_were_before_quarto_ran_the_cells_is_kept(root: Path) -> None:
    before = made_of.digests(root)
    assert made_of.started(root) == before
    made_of.start(root)
    (root / "slides" / "_b.qmd").write_text("Mudou enquanto rodava.\n", encoding="utf-8")
    assert made_of.started(root) == before != made_of.digests(root)

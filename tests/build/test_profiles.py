"""Quarto's profiles mean the same to the embedded engine: what `_quarto-NAME.yml` says goes over `_quarto.yml`."""

from __future__ import annotations

from pathlib import Path

import pytest
from essay import FRONT, Make, problem, render

from figures.kit import profile, project
from figures.kit.errors import Problem

BASE = "project:\n  type: default\n  execute-dir: project\n"
BODY = """## Um {#um}

::: {.content-visible when-profile="prova"}
Só na prova.
:::

[Sem prova.]{.content-hidden when-profile="prova"}
"""


@pytest.fixture(autouse=True)
def no_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(profile.VARIABLE, "")


def settings(root: Path) -> dict:
    return project.settings(root).value


def write(root: Path, **files: str) -> Path:
    names = {"base": "_quarto.yml", "local": "_quarto.yml.local"}
    for name, text in files.items():
        (root / names.get(name, f"_quarto-{name}.yml")).write_text(text, encoding="utf-8")
    return root


def test_a_profile_goes_over_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    over = "project: {output-dir: _prova, render: [b.qmd]}\n"
    write(tmp_path, base="lang: pt\nproject: {output-dir: _output, render: [a.qmd]}\n", prova=over)
    assert settings(tmp_path)["project"] == {"output-dir": "_output", "render": ["a.qmd"]}
    monkeypatch.setenv(profile.VARIABLE, "prova")
    assert settings(tmp_path) == {"lang": "pt", "project": {"output-dir": "_prova", "render": ["a.qmd", "b.qmd"]}}
    place = project.settings(tmp_path).leaves()["project.output-dir"].place
    assert str(place) == "_quarto-prova.yml:1"


@pytest.mark.parametrize(("said", "lang"), [("a", "a"), ("a,b", "a"), ("b,a", "b"), ("b a", "b"), ("", "base")])
def test_of_several_the_first_wins(said: str, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path, base="lang: base\n", a="lang: a\n", b="lang: b\n")
    monkeypatch.setenv(profile.VARIABLE, said)
    assert settings(tmp_path)["lang"] == lang


@pytest.mark.parametrize(
    ("said", "chosen", "names"),
    [
        ("", "default: a", ["a"]),
        ("", "default: [a, b]", ["a", "b"]),
        ("b", "default: a", ["b"]),
        ("", "group: [a, b]", ["a"]),
        ("b", "group: [a, b]", ["b"]),
        ("c", "group: [a, b]", ["c", "a"]),
        ("c", "group: [[a, b], [c, d]]", ["c", "a"]),
        ("", "{default: c, group: [[a, b], [c, d]]}", ["c", "a"]),
    ],
)
def test_defaults_and_groups(said: str, chosen: str, names: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path, base=f"profile: {chosen if chosen.startswith('{') else '{' + chosen + '}'}\n", **dict.fromkeys("abcd", "lang: x\n"))
    monkeypatch.setenv(profile.VARIABLE, said)
    assert project.profiles(tmp_path) == names
    assert profile.KEY not in settings(tmp_path)


def test_local_settings_go_over_all_and_may_choose(tmp_path: Path):
    local = "lang: local\nprofile: {default: b}\n"
    write(tmp_path, base="lang: base\nprofile: {default: a}\n", a="lang: a\n", b="toc: true\n", local=local)
    assert settings(tmp_path) == {"lang": "local", "toc": True}


def test_a_misspelt_profile_is_named_with_the_known_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path, base="lang: pt\n", prova="lang: pt\n", curta="lang: pt\n")
    monkeypatch.setenv(profile.VARIABLE, "prvoa")
    with pytest.raises(Problem, match="QUARTO_PROFILE=prvoa: there is no _quarto-prvoa.yml\n  → .*known: curta, prova"):
        settings(tmp_path)


def test_a_page_of_a_profile(project: Make, monkeypatch: pytest.MonkeyPatch):
    """Its settings, what it alone shows and hides, and what a cell reads of it."""
    files = {"_quarto-prova.yml": "execute: {echo: true}\nsubtitle: Prova\n", "_quarto.yml": BASE}
    cell = "\n```{python}\nimport os\nprint(os.environ.get('QUARTO_PROFILE', ''))\n```\n"
    page = render(project(BODY + cell, FRONT.replace("execute:\n  echo: false\n", ""), **files))
    assert "Só na prova" not in page and "Sem prova" in page and "Prova" not in page.replace("Sem prova", "")
    monkeypatch.setenv(profile.VARIABLE, "prova")
    page = render(project(BODY + cell, FRONT.replace("execute:\n  echo: false\n", ""), **files))
    assert "Só na prova" in page and "Sem prova" not in page and '<p class="subtitle">Prova</p>' in page
    monkeypatch.setenv(profile.VARIABLE, "outra")
    assert "there is no _quarto-outra.yml" in str(problem(project(BODY, **files)))

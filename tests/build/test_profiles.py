"""Quarto's profiles mean the same to the embedded engine: what `_quarto-NAME.yml` says goes over `_quarto.yml`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
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


MERGED = {  # a file, the profile `x` over it, and what Quarto 1.11 makes of both
    "a text and a list": ("author: A\n", "author: [B]\n", {"author": ["A", "B"]}),
    "a list and a text": ("author: [A]\n", "author: B\n", {"author": ["A", "B"]}),
    "twice": ("author: [A, A]\n", "author: [B, A, B]\n", {"author": ["A", "B"]}),
    "records": ("author: [A, {n: 1}]\n", "author: [{n: 1}, C]\n", {"author": ["A", {"n": 1}, "C"]}),
    "numbers": ("a: [1]\n", "a: ['1', true]\n", {"a": [1, "1", True]}),
    "mappings": (
        "format: {html: {toc: true, css: a.css}}\n",
        "format: {html: {css: b.css}}\n",
        {"format": {"html": {"toc": True, "css": "b.css"}}},
    ),
    "default": ("format: {html: {toc: true}}\n", "format: {html: default}\n", {"format": {"html": "default"}}),
    "nothing": ("lang: b\n", "", {"lang": "b"}),
}


@pytest.mark.parametrize("case", MERGED)
def test_values_go_together_as_in_quarto(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    base, over, expected = MERGED[case]
    monkeypatch.setenv(profile.VARIABLE, "x")
    merged = json.dumps(settings(write(tmp_path, base=base, x=over)))
    assert merged == json.dumps(expected)  # which tells 1 from true


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("quarto"), reason="Quarto is not installed")
@pytest.mark.parametrize("case", MERGED)
def test_quarto_itself_says_so(case: str, tmp_path: Path):
    base, over, expected = MERGED[case]
    write(tmp_path, base=f"project: {{type: default}}\n{base}", x=over)
    said = subprocess.run(["quarto", "inspect"], cwd=tmp_path, env=os.environ | {profile.VARIABLE: "x"}, capture_output=True, text=True)
    made = json.loads(said.stdout)["config"]
    assert json.dumps({key: made[key] for key in expected}) == json.dumps(expected)


@pytest.mark.parametrize(("said", "shown"), [("x", "'x'"), ("{defualt: x}", "'defualt': 'x'")])
def test_a_choice_that_quarto_would_not_take_is_refused(said: str, shown: str, tmp_path: Path):
    with pytest.raises(Problem, match=f"_quarto.yml:1: `profile` is .*{shown}"):
        settings(write(tmp_path, base=f"profile: {said}\n"))


@pytest.mark.parametrize("name", ["_environment", "_environment.local"])
def test_a_profile_chosen_where_quarto_alone_looks_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path, base="lang: base\n", x="lang: x\n")
    (tmp_path / name).write_text("OTHER=1\n", encoding="utf-8")
    assert settings(tmp_path) == {"lang": "base"}
    (tmp_path / name).write_text(f"OTHER=1\n{profile.VARIABLE}=x\n", encoding="utf-8")
    with pytest.raises(Problem, match=f"{name}: it sets {profile.VARIABLE}, and Quarto alone"):
        settings(tmp_path)
    monkeypatch.setenv(profile.VARIABLE, "x")
    assert settings(tmp_path) == {"lang": "x"}


def test_settings_of_a_folder_which_quarto_alone_reads_are_refused(project: Make):
    told = str(problem(project(BODY, **{"_quarto.yml": BASE, "_metadata.yml": "toc: true\n"})))
    assert "_metadata.yml: Quarto reads it for every page" in told


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

"""A translation whose source has changed is named, and so is what it lacks; a fork's own language survives a merge."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from proof import translations
from proof.translations import Compared, Pair, Translations, Unit

from figures.kit import data, files, strict_yaml
from figures.kit.errors import DataError, Faults, Problem
from figures.kit.files import ROOT

PT = """---
title: Um título
---

## Um {#a}

Frase `{python} t.x()`.

## Dois {#b}

Outra.
"""
EN = PT.replace("Um título", "A title").replace("Um {", "One {").replace("Dois", "Two").replace("Frase", "Phrase").replace("Outra", "Other")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A deck and a topic of words in Portuguese and in English, all accepted."""
    kept = "of: pt\nfiles:\n  - {file: slides/en/d.qmd, of: slides/d.qmd}\n"
    contents = {
        "slides/d.qmd": PT,
        "slides/en/d.qmd": EN,
        "data/words/pt/zoo.yml": "hello: olá {name}\nheads: [um, dois]\nbox: {label: dentro}\n",
        "data/words/en/zoo.yml": "hello: hello {name}\nheads: [one, two]\n",
        "data/words/pt/ark.yml": "a: arca\n",
        "data/translations/en.yml": kept.replace("d.qmd}", "d.qmd, units: {}}") + "words: {}\n",
    }
    for name, text in contents.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(files, "folder", lambda: tmp_path / "data")
    data.forget()
    said = translations.run(tmp_path, ["all"])
    assert said == "Translations: en: 6 texts are of today's pt (not begun: ark, zoo.box)"
    yield tmp_path
    data.forget()


def told(root: Path, *accept: str) -> list[str]:
    """What a translator is told, without the places."""
    data.forget()
    try:
        translations.run(root, accept)
    except Faults as stale:
        return [str(fault) for fault in stale.faults]
    return []


def change(root: Path, file: str, old: str, new: str) -> None:
    text = (root / file).read_text(encoding="utf-8")
    assert old in text
    (root / file).write_text(text.replace(old, new, 1), encoding="utf-8")


OLDER = "is older than its source: {} has changed since it was translated"
LACKS = "is not translated yet; its source is {}"
GONE = "has no source any more in {}: drop it, or mend its name"
UNSEEN = "has not been accepted yet as a translation of {}"
PT_ZOO, EN_ZOO = "data/words/pt/zoo.yml", "data/words/en/zoo.yml"


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("slides/d.qmd", "Outra.", "Mais.", "slides/en/d.qmd#b: " + OLDER.format("slides/d.qmd:9")),
        ("slides/d.qmd", "t.x()", "t.y()", "slides/en/d.qmd#a: " + OLDER.format("slides/d.qmd:5")),
        ("slides/d.qmd", "Um título", "O título", "slides/en/d.qmd#title-slide: " + OLDER.format("slides/d.qmd:1")),
        (PT_ZOO, "olá", "oi", f"{EN_ZOO}#hello: " + OLDER.format(f"{PT_ZOO}:1")),
        (PT_ZOO, "dois", "três", f"{EN_ZOO}#heads[1]: " + OLDER.format(f"{PT_ZOO}:2")),
        ("slides/d.qmd", "{#b}", "{#c}", "slides/en/d.qmd#c: " + LACKS.format("slides/d.qmd:9")),
        (PT_ZOO, "hello", "bye: tchau\nhello", f"{EN_ZOO}#bye: " + LACKS.format(f"{PT_ZOO}:1")),
        (PT_ZOO, "hello", "greet", f"{EN_ZOO}#hello: " + GONE.format(PT_ZOO)),
        (EN_ZOO, "{name}", "{who}", f"{EN_ZOO}#hello: asks for {{who}}, which its source, {PT_ZOO}:1, doesn't"),
        (EN_ZOO, "heads", "box: {label: in}\nheads", f"{EN_ZOO}#box.label: " + UNSEEN.format(f"{PT_ZOO}:3")),
    ],
)
def test_what_a_translator_has_to_look_at_is_named(root: Path, file: str, old: str, new: str, says: str) -> None:
    assert told(root) == []
    change(root, file, old, new)
    assert says in told(root)


@pytest.mark.parametrize(("gone", "key"), [("slides/d.qmd", "of"), ("slides/en/d.qmd", "file")])
def test_a_document_that_was_taken_out_is_told_with_the_record_that_names_it(root: Path, gone: str, key: str) -> None:
    (root / gone).unlink()
    data.forget()
    with pytest.raises(DataError, match=rf"data/translations/en.yml:\d+, files\[0\].{key}: {gone} is not there") as caught:
        translations.run(root)
    assert "Take the record out" in str(caught.value.remedy)


def test_a_changed_translation_and_a_source_without_a_translation_are_no_faults(root: Path) -> None:
    change(root, "slides/en/d.qmd", "Other", "Another")
    change(root, "data/words/pt/ark.yml", "arca", "barca")
    change(root, "data/words/pt/zoo.yml", "dentro", "fora")
    change(root, "slides/d.qmd", "Outra.\n", "Outra.\n\n\n")  # blank lines at the end of a slide
    assert told(root) == []


def test_what_is_accepted_is_renewed_and_nothing_else(root: Path) -> None:
    change(root, "slides/d.qmd", "Outra.", "Mais.")
    change(root, "slides/d.qmd", "Frase", "Sentença")
    change(root, "data/words/pt/zoo.yml", "olá", "oi")
    assert [one.partition(":")[0] for one in told(root, "slides/en/d.qmd#b")] == ["slides/en/d.qmd#a", "data/words/en/zoo.yml#hello"]
    assert [one.partition(":")[0] for one in told(root, "slides/en/d.qmd")] == ["data/words/en/zoo.yml#hello"]
    assert told(root, "data/words/en/zoo.yml, slides/en/d.qmd") == [] == told(root)


def test_what_is_no_translation_cannot_be_accepted(root: Path) -> None:
    with pytest.raises(Problem, match=r"slides/d.qmd#x is no translation\n.*data/translations"):
        translations.run(root, ["slides/d.qmd#x"])


NAMES = st.text("abz.[]0: #'\"é", min_size=1, max_size=6)
DIGESTS = st.dictionaries(NAMES, st.text("0123456789abcdef", min_size=8, max_size=8), max_size=4)


@given(DIGESTS, DIGESTS)
def test_what_is_written_is_read_again_whatever_a_key_holds(units: dict[str, str], words: dict[str, str]) -> None:
    kept = Translations(of="pt", files=(Pair(file="a", of="b", units=units),), words={"zoo": words})
    made = strict_yaml.parse(translations.written(kept), "t.yml")
    assert made == {"of": "pt", "files": [{"file": "a", "of": "b", "units": units}], "words": {"zoo": words}}


@given(st.dictionaries(st.sampled_from("abcdef"), st.text("xy ", max_size=3)), st.dictionaries(st.sampled_from("abcdef"), st.just("t")))
def test_once_accepted_nothing_is_older_and_any_change_is_noticed(source: dict[str, str], made: dict[str, str]) -> None:
    units = {name: Unit(1, text) for name, text in source.items()}
    one = Compared("f", "s", units, {name: Unit(1, text) for name, text in made.items()}, {})
    accepted = one._replace(accepted=one.renewed({"all"}))
    assert {fault.name for fault in accepted.faults()} == source.keys() ^ made.keys()
    for name in source.keys() & made.keys():
        other = accepted._replace(source=units | {name: Unit(1, source[name] + "!")})
        assert {fault.name for fault in other.faults()} == (source.keys() ^ made.keys()) | {name}


def test_the_project_s_own_translations_are_of_today_s_texts() -> None:
    assert re.match(r"Translations: en: \d+ texts", translations.run(ROOT))


# A fork and a later version of the kit


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=x", "-c", "user.email=x@y", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def committed(folder: Path, message: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def test_a_fork_s_language_and_data_survive_a_later_version_of_the_kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fork has a language and data of its own; the kit rewords, adds a text, translates both. Git merges; what is stale is named."""
    kit, fork = tmp_path / "kit", tmp_path / "fork"
    for name in ("data", "slides"):
        shutil.copytree(ROOT / name, kit / name)
    shutil.copy(ROOT / "_quarto.yml", kit)
    (kit / "data" / "zoo.yml").write_text("animals: 12\n\n# far from it\ncages: 7\n", encoding="utf-8")
    monkeypatch.setattr(files, "folder", lambda: kit / "data")
    assert told(kit, "all") == []  # whatever is stale in the checkout that this is run in
    git(kit, "init", "-q")
    committed(kit, "a version")
    git(tmp_path, "clone", "-q", str(kit), str(fork))

    monkeypatch.setattr(files, "folder", lambda: fork / "data")
    own = fork / "data" / "words" / "xx"
    own.mkdir()
    shutil.copy(kit / "data/words/en/deck.yml", own)
    change(fork, "data/words/xx/deck.yml", "on this slide", "op deze dia")
    (fork / "data/translations/xx.yml").write_text("of: pt\nfiles: []\nwords: {}\n", encoding="utf-8")
    assert told(fork, "data/words/xx/deck.yml") == []
    change(fork, "data/zoo.yml", "animals: 12", "animals: 13")
    committed(fork, "our language, our data")

    monkeypatch.setattr(files, "folder", lambda: kit / "data")
    change(kit, "data/words/pt/deck.yml", "here: neste slide", "here: neste mesmo slide\nfar: longe")
    change(kit, "data/words/en/deck.yml", "here: on this slide", "here: on this very slide\nfar: far away")
    change(kit, "data/zoo.yml", "cages: 7", "cages: 8")
    assert told(kit, "data/words/en/deck.yml") == []
    committed(kit, "a later version")

    git(fork, "pull", "-q", "--no-rebase", "--no-edit")
    assert "on this very slide" in (fork / "data/words/en/deck.yml").read_text(encoding="utf-8")
    assert "op deze dia" in (own / "deck.yml").read_text(encoding="utf-8")
    assert (fork / "data/zoo.yml").read_text(encoding="utf-8") == "animals: 13\n\n# far from it\ncages: 8\n"
    monkeypatch.setattr(files, "folder", lambda: fork / "data")
    here, far = told(fork)
    assert here.startswith("data/words/xx/deck.yml#here: is older than its source: data/words/pt/deck.yml:")
    assert far.startswith("data/words/xx/deck.yml#far: is not translated yet; its source is data/words/pt/deck.yml:")
    data.forget()

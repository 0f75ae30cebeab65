"""What may be wrong with the project itself, each in a line: theme and fonts, languages, data, declarations, links, repository.

`make doctor` asks this, beside what it finds of the machine. Renders nothing, runs no cell, and a check that fails is a line too.
"""

from __future__ import annotations

import re
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from figures.kit import data, language, project
from figures.kit.errors import Problem
from figures.kit.files import shown
from proof.audit import told_of_stale
from proof.excuses import declarations, stale
from proof.source_numbers import typed

GOOD, LACKS, STOPS = "✓", "–", "✗"
SECONDS = 2
Line = tuple[str, str, str]  # the sign, what it is, what to do


def lines(root: Path) -> Iterator[Line]:
    """The lines of every check."""
    for check in CHECKS:
        try:
            yield from check(root)
        except Problem as problem:
            yield STOPS, f"{problem.where}: {problem.what}", problem.remedy
        except Exception as error:
            yield LACKS, f"{check.__name__}: could not be looked at ({type(error).__name__}: {error})", ""


def records(root: Path) -> Iterator[Line]:
    """Every file of data/ reads."""
    names = sorted(path.relative_to(root / "data").with_suffix("").as_posix() for path in (root / "data").rglob("*.yml"))
    for name in names:
        data.tree(name)
    yield GOOD, f"data/: {len(names)} files read", ""


def theme(root: Path) -> Iterator[Line]:
    """Colours that read and differ, fonts that are there, and go where the lab's package goes."""
    from figures.kit.style import FONTS

    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {re.split(r"[ <>=~;\[]", name)[0] for name in settings["project"]["dependencies"]}
    for font in FONTS:
        if font.package and font.package not in needed:
            remedy = "Add it under [project] dependencies in pyproject.toml"
            yield LACKS, f"the font {font.family}: the lab's package would lack {font.package}", remedy
    yield GOOD, f"theme: colours read and differ; {', '.join(font.family for font in FONTS)}", ""


def languages(root: Path) -> Iterator[Line]:
    """Each document's language against the words that code shows in it."""
    topics = {path.stem for path in (root / "data" / "words").glob("*/*.yml")}
    spoken: dict[str, list[str]] = {}
    for document in project.documents(root):
        spoken.setdefault(language.of(document), []).append(document.name)
    for tag, names in spoken.items():
        folders = [root / "data" / "words" / one for one in language.fallbacks(tag)]
        missing = sorted(topics - {path.stem for folder in folders for path in folder.glob("*.yml")})
        who = f"language {tag} ({', '.join(names)})"
        if missing:
            few = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
            yield LACKS, f"{who}: no words for {few}", f"Write data/words/{tag}/TOPIC.yml for what its pages show"
        else:
            yield GOOD, f"{who}: words for all {len(topics)} topics", ""


def declared(root: Path) -> Iterator[Line]:
    """Declarations that match nothing any more."""
    what, _, remedy = told_of_stale(stale(typed(root), declarations())).partition(". ")
    yield (LACKS, what, remedy) if what else (GOOD, f"data/declared.yml: {len(declarations())} declarations, none stale", "")


def links(root: Path) -> Iterator[Line]:
    """Links of the rendered pages that lead nowhere in a room without a network."""
    pages = sorted(page for page in (root / "_output").rglob("*.html"))
    if not pages:
        yield LACKS, "no page has been rendered yet", "make deck"
    for page in pages:
        text = re.sub(r"<script\b.*?</script>|<style\b.*?</style>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        ids = set(re.findall(r'\bid="([^"]+)"', text))
        targets = list(dict.fromkeys(re.findall(r'<a\b[^>]*?\shref="([^"]+)"', text)))
        dead = [target for target in targets if not leads_somewhere(target, page, ids)]
        away = [target for target in targets if re.match(r"(https?:)?//", target)]
        if dead:
            yield LACKS, f"{shown(page, root)}: {', '.join(dead)} leads nowhere", "Render what it names, or correct the link"
        if away:
            yield LACKS, f"{shown(page, root)}: {', '.join(away)} needs the network", "Nothing, where the room has one"
        if not dead and not away:
            yield GOOD, f"{shown(page, root)}: no link that a room without a network would miss", ""


def leads_somewhere(target: str, page: Path, ids: set[str]) -> bool:
    """Whether a link reaches an id of its page, a file beside it, or what is no file at all."""
    if target.startswith("#"):
        return target.lstrip("#/") in ids or target in ("#", "#/")
    if re.match(r"[a-z]+:|//", target):
        return True
    return (page.parent / re.split("[?#]", target)[0]).is_file()


def repository(root: Path) -> Iterator[Line]:
    """Whether the lab can be installed from where the settings say."""
    named = project.repository().strip().rstrip("/")
    if not named:
        yield LACKS, "_variables.yml, repository: empty, so no link to Colab is drawn", "Write the address of your fork, where it has one"
        return
    address = named if "://" in named else f"https://{named}"
    try:
        with urllib.request.urlopen(urllib.request.Request(address, method="HEAD"), timeout=SECONDS):
            yield GOOD, f"repository: {address} answers", ""
    except urllib.error.HTTPError as error:
        yield LACKS, f"repository: {address} answers {error.code}", "Correct it in _variables.yml, or make it public"
    except (OSError, ValueError) as error:
        yield LACKS, f"repository: {address} can't be reached from here ({error})", "Look again where there is a network"


CHECKS: tuple[Callable[[Path], Iterator[Line]], ...] = (records, theme, languages, declared, links, repository)

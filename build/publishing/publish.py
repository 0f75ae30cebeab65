"""`make site`: from what was rendered to `_site/`, the one folder that is published, in the edition wanted.

The pages go there as they lie in `_output/`, so that links between them stay alive. Nothing is rendered here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from base import commit
from base.commit import Commit
from page import student_notebook
from page.theme_css import DECK, title
from proof import ledger_file, made_of

from figures.kit import language, project
from figures.kit.errors import Faults, Problem
from figures.kit.files import shown
from publishing import edition, folder, front, links, policy, stamp, wheel
from publishing.front import Listed

FOLDER = "_site"
Pictures = Callable[[Sequence[Path]], Sequence[bytes]]


@dataclass(frozen=True)
class Made:
    """What was made of a document: its page, and the files beside it that this edition holds, by their kinds."""

    page: Path
    beside: Mapping[str, Path] = field(default_factory=dict)


def address() -> str:
    """Where the site is published, empty for nowhere; a Problem for an address that is none."""
    return front.checked(project.site())


def check_current(pages: Sequence[Path], root: Path) -> None:
    """Faults where a page isn't made of what the checkout holds now: it would name a commit that it is not of."""
    if stale := [f"{shown(page, root)} {fault}" for page in pages if page.is_file() for fault in made_of.faults(page, root)]:
        raise Faults("make site", stale, "Run `make site`, which renders what it publishes")


def publish(made: Sequence[Made], output: Path, wanted: str, root: Path, pictures: Pictures) -> Path:
    """Writes the site of these documents, whose files lie in the folder `output`; gives its first page.

    Raises a Problem for a page that isn't there, a link that leads nowhere, an address that is none, and a file in the
    site's folder that isn't the site's.
    """
    at, built = address(), commit.of(root)
    for file in (file for one in made for file in (one.page, *one.beside.values())):
        if not file.is_file():
            raise Problem(shown(file, root), "there is no such file to publish", "Run `make site`, which renders what it publishes")
    contents: dict[str, str | bytes] = {}
    listed: list[Listed] = []
    for one, picture in zip(made, pictures([one.page for one in made]), strict=True):
        name = one.page.relative_to(output)
        image = f"pictures/{'-'.join(name.with_suffix('.png').parts)}"
        files = _files(one, name, image, wanted, at, built)
        contents |= {**files, image: picture}
        contents |= {_place(file, name): _content(file, built) for file in one.beside.values()}
        listed.append(_listed(one, name, image, str(files[name.as_posix()]), files))
    contents |= _own(listed, wanted, at, built)
    contents |= _package(contents, at, root)
    contents |= {name: policy.with_policy(str(text)) for name, text in contents.items() if name.endswith(".html")}
    links.check(contents, at)
    folder.replace(root / FOLDER, contents, root)
    return root / FOLDER / "index.html"


def _files(one: Made, name: Path, image: str, wanted: str, address: str, built: Commit | None) -> dict[str, str]:
    """A document's page, its ledger and the ledger's schema, by their paths in the site."""
    html = one.page.read_text(encoding="utf-8")
    with language.speaking(language.of_page(html)):
        html = edition.for_students(html, one.page) if wanted == edition.STUDENTS else edition.for_the_instructor(html)
    ledger = ledger_file.ledger(html, one.page)
    files = {name.as_posix(): front.social(stamp.page(html, built), title(html), image, address)}
    if ledger is not None:
        files[name.with_suffix(".ledger.json").as_posix()] = ledger
        files[name.with_name(ledger_file.SCHEMA).as_posix()] = ledger_file.schema_text()
    return files


def _place(file: Path, page: Path) -> str:
    """Where a file goes in the site: beside its page."""
    return page.with_name(file.name).as_posix()


def _content(file: Path, built: Commit | None) -> bytes:
    return stamp.pdf(file.read_bytes(), built) if file.suffix == ".pdf" else file.read_bytes()


def _listed(one: Made, name: Path, image: str, html: str, files: dict[str, str]) -> Listed:
    beside = {kind: _place(file, name) for kind, file in one.beside.items()}
    if (ledger := name.with_suffix(".ledger.json").as_posix()) in files:
        beside[front.LEDGER] = ledger
    return Listed(title(html), language.of_page(html), bool(DECK.search(html)), image, name.as_posix(), beside)


def _package(contents: Mapping[str, str | bytes], address: str, root: Path) -> dict[str, str | bytes]:
    """Where the site has an address: a wheel beside each notebook, and the notebooks with its address and digest in their first cell."""
    notebooks = {name: content for name, content in contents.items() if name.endswith(".ipynb")} if address else {}
    if not notebooks:
        return {}
    ledgers = {Path(name).name: str(text) for name, text in contents.items() if name.endswith(".ledger.json")}
    wheel_name, content = wheel.built(root, ledgers)
    made: dict[str, str | bytes] = {}
    for name, notebook in notebooks.items():
        place = Path(name).with_name(wheel_name).as_posix()
        at = wheel.pinned(f"{address}/{quote(place)}", content)
        text = notebook if isinstance(notebook, str) else notebook.decode("utf-8")
        made |= {place: content, name: student_notebook.installed_from(text, at)}
    return made


def _own(listed: Sequence[Listed], wanted: str, address: str, built: Commit | None) -> dict[str, str | bytes]:
    """The pages that are the site's own."""
    index, missing = front.index(listed, built), front.not_found(address)
    if listed:
        index = front.social(index, title(index), listed[0].picture, address)
    pages: dict[str, str | bytes] = {"index.html": index, "404.html": missing}
    if wanted == edition.INSTRUCTOR:
        return {name: edition.for_the_instructor(str(html)) for name, html in pages.items()}
    if address:
        pages["sitemap.xml"] = front.sitemap(address, ["", *(one.page for one in listed)], built)
    return pages

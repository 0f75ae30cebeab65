"""What changed between two builds, read from their ledgers: numbers, tables, figures by their data, claims, sources of facts.

A build is named by a ledger file, by a folder of them, by `.` (the checkout as it stands, edits included) or by a git
ref; the last two are built in a temporary folder, with the stored slow results, and the checkout is left alone.
"""

from __future__ import annotations

import difflib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from figures.kit import project
from figures.kit.errors import Problem
from proof import ledger_file

HERE = "."
NOTHING = "—"
SECTIONS = {
    "failing": "Claims that no longer hold",
    "claims": "Claims added, changed or removed",
    "numbers": "Numbers and words",
    "tables": "Tables",
    "figures": "Figures, by their data",
    "sources": "Facts whose source changed",
    "measured": "Measured anew",
    "moved": "Shown elsewhere, more often or less often",
    "slides": "Slides",
}
Ledgers = dict[str, dict[str, Any]]


class Change(NamedTuple):
    """One difference: its section, the slide ("14 sec-quatro-passos"), what is meant, what it was, what it is."""

    section: str
    slide: str
    what: str
    old: str
    new: str


def run(first: str, second: str, markdown: bool, root: Path, progress: Callable[[str], None]) -> str:
    """The report on two builds: `run("main", ".", False, …)`."""
    old, new = (ledgers(name, root, progress) for name in (first, second))
    pages = [page for page in old | new if len(old) > 1 and len(new) > 1 or page in old and page in new]
    if not pages:
        raise Problem("diff", f"{first} has {', '.join(old)}, {second} has {', '.join(new)}: no page in common", "Compare the same page")
    found = {page: list(compare(entries(old, page), entries(new, page))) for page in pages}
    return (as_markdown if markdown else as_text)(found, first, second)


def entries(builds: Ledgers, page: str) -> list[dict[str, Any]]:
    return list(builds[page]["entries"]) if page in builds else []


# The builds


def ledgers(name: str, root: Path, progress: Callable[[str], None]) -> Ledgers:
    """The ledgers of one build by page: {"atencao.html": …}."""
    if not name.strip():
        raise Problem("diff", "a build to compare has no name", "Name a ledger file, a branch, a tag or a commit; `.` is the checkout")
    path = Path(name)
    if name != HERE and path.is_file():
        return by_page([path])
    if name != HERE and path.is_dir():
        return by_page(sorted(path.rglob("*.ledger.json")) or [path / "*.ledger.json"])
    if path.suffix == ".json":
        raise Problem(name, "there is no such ledger", "Give a ledger that a build has written, or a git ref")
    with tempfile.TemporaryDirectory(prefix="diff-") as made:
        folder = Path(made) / "project"
        folder.mkdir()
        copy_here(root, folder) if name == HERE else check_out(name, root, folder)
        return built(name, root, folder, progress)


def by_page(files: list[Path]) -> Ledgers:
    return {content["page"]: content for content in map(ledger_file.read, files)}


def copy_here(root: Path, folder: Path) -> None:
    """The checkout's own files, committed or not."""
    listed = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").decode()
    for name in filter(None, listed.split("\0")):
        if (root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)


def check_out(ref: str, root: Path, folder: Path) -> None:
    """The files of a commit; the checkout, its index and its branches stay as they are."""
    commit = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}").decode().strip()
    with zipfile.ZipFile(io.BytesIO(git(root, "archive", "--format=zip", commit))) as archive:
        archive.extractall(folder)


def git(root: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True)
    except FileNotFoundError:
        raise Problem("diff", "git is not installed", "Compare two ledger files instead: A=one.ledger.json B=other.ledger.json") from None
    if done.returncode:
        asked = arguments[-1].removesuffix("^{commit}")
        said = done.stderr.decode(errors="replace").strip() or "git knows no such commit"
        raise Problem(asked, said, "Name a ledger file, a branch, a tag or a commit; `git log --oneline` lists commits")
    return done.stdout


def built(name: str, root: Path, folder: Path, progress: Callable[[str], None]) -> Ledgers:
    """Every page of the project in `folder`, rendered there; slow results come from the checkout's store and go back to it."""
    stored = Path(".cache", "slow")
    if (root / stored).is_dir():
        shutil.copytree(root / stored, folder / stored, dirs_exist_ok=True)
    for page in pages(folder):
        progress(f"building {page} of {name}")
        command = [sys.executable, "build", "render", page]
        given = {key: value for key, value in os.environ.items() if not key.startswith("QUARTO_")} | {"CLAIMS": "note"}
        done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True)
        if done.returncode:
            raise Problem(f"{name}, {page}", f"it doesn't build:\n{done.stderr.strip()}", "Put this right, or compare with another commit")
    for result in (folder / stored).glob("*.json"):
        if not (root / stored / result.name).exists():
            (root / stored).mkdir(parents=True, exist_ok=True)
            shutil.copy2(result, root / stored / result.name)
    files = sorted((folder / "_output").rglob("*.ledger.json"))
    if not files:
        raise Problem(name, "that version writes no ledger", "Compare with a later commit")
    return by_page(files)


def pages(folder: Path) -> list[str]:
    """The documents that `_quarto.yml` renders and that are there."""
    file = folder / "_quarto.yml"
    if not file.is_file():
        raise Problem(folder.name, "it holds no _quarto.yml", "Compare with a commit of this project")
    return [page.relative_to(folder).as_posix() for page in project.documents(folder) if page.is_file()]


# The differences


def compare(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Iterator[Change]:
    """Every difference between two pages' entries, section by section."""
    before, after = (_by_id(entries) for entries in (old, new))
    found = [change for id in before | after for change in _changes(before.get(id), after.get(id))]
    found += [*_moved(before, after, old, new), *_slides(old, new)]
    yield from sorted(found, key=lambda change: (list(SECTIONS).index(change.section), _number(change.slide)))


def _by_id(entries: list[dict[str, Any]]) -> dict[tuple[str, int], dict[str, Any]]:
    """One entry a call, which shows the same wherever it stands; of a claim each, as it stands beside another sentence."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for entry in entries:
        nth = sum(id == entry["id"] for id, _ in found) if entry["what"] == "claim" else 0
        found[entry["id"], nth] = entry
    return found


def _changes(old: dict[str, Any] | None, new: dict[str, Any] | None) -> Iterator[Change]:
    entry: dict[str, Any] = new or old or {}
    slide, id = _slide(entry), entry["id"].removesuffix(":text")
    what = entry["what"]
    if what == "claim":
        yield from _claims(old, new, slide, id)
    elif old is None or new is None:
        section = {"table": "tables", "figure": "figures", "simulator": "figures"}.get(what, "numbers")
        yield Change(section, slide, f"{id} ({what})", _short(old["text"]) if old else NOTHING, _short(new["text"]) if new else NOTHING)
    else:
        yield from _facts(old, new, slide, id)
        section = {"table": "tables", "figure": "figures", "simulator": "figures"}.get(what, "numbers")
        for key in ("kind", "unit"):
            if old[key] != new[key]:
                yield Change(section, slide, f"{id}, {key}", old[key] or NOTHING, new[key] or NOTHING)
        if old["value"] == new["value"] and old["text"] == new["text"]:
            return
        if "measured" in (old["kind"], new["kind"]) or "recorded" in (old["kind"], new["kind"]):
            yield Change("measured", slide, id, f"{_short(old['text'])} ({old['note']})", f"{_short(new['text'])} ({new['note']})")
        elif what == "table":
            yield from _cells(old["value"], new["value"], slide, id)
        elif isinstance(old["value"], dict) and isinstance(new["value"], dict) and what in ("figure", "simulator"):
            yield from _drawn(old["value"], new["value"], slide, id)
            if old["text"] != new["text"]:
                yield Change("figures", slide, f"{id}, text in its place", *_apart(old["text"], new["text"]))
        else:
            yield Change("numbers", slide, id, *_told(old, new))


def _told(old: dict[str, Any], new: dict[str, Any]) -> tuple[str, str]:
    """Both as shown; where that is the same, with their raw values."""
    if old["text"] != new["text"]:
        return _short(old["text"]), _short(new["text"])
    return tuple(f"{_short(entry['text'])} ({_short(json.dumps(entry['value'], ensure_ascii=False))})" for entry in (old, new))  # type: ignore[return-value]


def _slide(entry: dict[str, Any]) -> str:
    return f"{entry['slide']['number']} {entry['slide']['id']}"


def _apart(old: str, new: str) -> tuple[str, str]:
    """Two texts, from a little before the place where they part: long ones often start alike."""
    alike = len(os.path.commonprefix([old, new]))
    start = max(0, alike - 20) if max(len(old), len(new)) > 90 else 0
    return tuple(("…" if start else "") + _short(text[start:]) or NOTHING for text in (old, new))  # type: ignore[return-value]


def _claims(old: dict[str, Any] | None, new: dict[str, Any] | None, slide: str, id: str) -> Iterator[Change]:
    failed, fails = (entry is not None and entry["value"].get("holds") is False for entry in (old, new))
    sentence = f"“{(new or old or {})['text']}” ({id})"
    if fails and not failed:
        yield Change("failing", slide, sentence, "held" if old else "new", _values(new))
    elif failed and new and not fails:
        yield Change("claims", slide, sentence, "did not hold", "holds")
    elif old is None or new is None:
        yield Change("claims", slide, sentence, NOTHING if old is None else "checked", NOTHING if new is None else "checked")
    elif old["text"] != new["text"]:
        yield Change("claims", slide, id, f"“{old['text']}”", f"“{new['text']}”")


def _values(entry: dict[str, Any] | None) -> str:
    given = {name: value for name, value in (entry or {"value": {}})["value"].items() if name != "holds"}
    return "; ".join(f"{name} = {_short(json.dumps(value, ensure_ascii=False))}" for name, value in given.items())


def _facts(old: dict[str, Any], new: dict[str, Any], slide: str, id: str) -> Iterator[Change]:
    """The sources of an entry that is a fact, or of the facts in its table."""
    before, after = (_notes(entry) for entry in (old, new))
    for was, is_now in zip_longest(before, after, fillvalue=NOTHING):
        if was != is_now:
            yield Change("sources", slide, id, was, is_now)


def _notes(entry: dict[str, Any]) -> list[str]:
    def inside(value: Any) -> Iterator[str]:
        if isinstance(value, dict) and {"value", "kind", "note"} == value.keys():
            yield value["note"]
        elif isinstance(value, (dict, list)):
            for item in value.values() if isinstance(value, dict) else value:
                yield from inside(item)

    return list(dict.fromkeys([*([entry["note"]] if entry["kind"] == "fact" else []), *inside(entry["value"])]))


def _cells(old: dict[str, Any], new: dict[str, Any], slide: str, id: str) -> Iterator[Change]:
    """The cells of a table that read otherwise; a cell that only differs in its raw value is told with it."""
    headings = [column["heading"] for column in new["columns"]]
    for key in ("heading", "unit"):
        before, after = ([str(column[key]) for column in table["columns"]] for table in (old, new))
        if before != after:
            yield Change("tables", slide, f"{id}, {key}s", " | ".join(before), " | ".join(after))
    if len(old["texts"]) != len(new["texts"]):
        yield Change("tables", slide, f"{id}, rows", str(len(old["texts"])), str(len(new["texts"])))
    if old["caption"] != new["caption"]:
        yield Change("tables", slide, f"{id}, caption", old["caption"], new["caption"])
    for i, (was, is_now, raw_was, raw_is) in enumerate(zip(old["texts"], new["texts"], old["rows"], new["rows"]), 1):
        for j, (a, b, x, y) in enumerate(zip(was, is_now, raw_was, raw_is)):
            heading = headings[j] if j < len(headings) else str(j + 1)
            if a != b:
                yield Change("tables", slide, f"{id}, row {i}, {heading}", a or NOTHING, b or NOTHING)
            elif x != y and _bare(x) != _bare(y):
                yield Change(
                    "tables", slide, f"{id}, row {i}, {heading}", f"{a} ({_short(str(_bare(x)))})", f"{b} ({_short(str(_bare(y)))})"
                )


def _bare(value: Any) -> Any:
    return value["value"] if isinstance(value, dict) and "note" in value else value


def _drawn(old: dict[str, Any], new: dict[str, Any], slide: str, id: str) -> Iterator[Change]:
    """A figure's data: how many of its numbers moved, and by how much at most; then its texts."""
    ours, theirs = ({name: list(_numbers(part)) for name, part in _parts(value)} for value in (old, new))
    for name in ours | theirs:
        was, is_now = ours.get(name, []), theirs.get(name, [])
        if was == is_now:
            continue
        if len(was) != len(is_now):
            yield Change("figures", slide, f"{id}, {name}", f"{len(was)} numbers", f"{len(is_now)} numbers")
            continue
        moved = [(a, b) for a, b in zip(was, is_now) if a != b]
        a, b = max(moved, key=lambda pair: abs(pair[1] - pair[0]))
        yield Change("figures", slide, f"{id}, {name}: {len(moved)} of {len(was)} numbers, the most", f"{a:.6g}", f"{b:.6g}")
    for name in ours | theirs:
        said, says = (dict(_words(dict(_parts(value)).get(name), name)) for value in (old, new))
        for where in said | says:
            if said.get(where) != says.get(where):
                what = "what it offers and says" if where == "offered" else where
                yield Change("figures", slide, f"{id}, {what}", said.get(where, NOTHING), says.get(where, NOTHING))
    texts, others = ([str(text) for text in (*value.get("texts", []), value.get("caption", "")) if text] for value in (old, new))
    for kind, i, end, j, stop in difflib.SequenceMatcher(None, texts, others, autojunk=False).get_opcodes():
        if kind != "equal":
            for text, other in zip_longest(texts[i:end], others[j:stop], fillvalue=NOTHING):
                yield Change("figures", slide, f"{id}, text", _short(text), _short(other))


def _parts(value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for n, axes in enumerate(value.get("axes", []), 1):
        for name, part in axes.items():
            yield f"axes {n}, {name}", part
    yield from ((name, part) for name, part in value.items() if name not in ("axes", "texts", "caption"))


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _numbers(item)


def _words(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """What is no number in a simulator's state, by its place: `("opening.model", "8B")`, `("result.fits", "true")`."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _words(item, f"{where}.{name}")
    elif isinstance(value, list):
        for n, item in enumerate(value, 1):
            yield from _words(item, f"{where}.{n}")
    elif isinstance(value, (bool, str)) or value is None:
        yield where, _short(value if isinstance(value, str) else json.dumps(value))


Places = dict[tuple[str, int], dict[str, Any]]


def _moved(before: Places, after: Places, old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Iterator[Change]:
    """What still is shown, but on other slides, more often or less often, in the notes or no longer there."""
    was, is_now = (_stands(entries) for entries in (old, new))
    for key in before.keys() & after.keys():
        there, here = (
            [_spot(found[key])] if found[key]["what"] == "claim" else stands[key[0]] for found, stands in ((before, was), (after, is_now))
        )
        if sorted(there) != sorted(here):
            entry = after[key]
            what = f"“{entry['text']}” ({key[0]})" if entry["what"] == "claim" else key[0].removesuffix(":text")
            yield Change("moved", _slide(entry), what, ", ".join(there), ", ".join(here))


def _stands(entries: list[dict[str, Any]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in entries:
        found.setdefault(entry["id"], []).append(_spot(entry))
    return found


def _spot(entry: dict[str, Any]) -> str:
    return f"{entry['slide']['id']}{' (notes)' * bool(entry['notes'])}"


def _slides(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[Change]:
    """Slides that came, went or moved, as far as they show anything."""
    before, after = ({entry["slide"]["id"]: entry["slide"]["number"] for entry in entries} for entries in (old, new))
    told = [(id, str(before.get(id, NOTHING)), str(after.get(id, NOTHING))) for id in before | after]
    return [Change("slides", f"{after.get(id, before.get(id))} {id}", "number", was, is_now) for id, was, is_now in told if was != is_now]


def _number(slide: str) -> int:
    return int(slide.partition(" ")[0])


def _short(text: str, most: int = 90) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


# The report


def as_text(found: dict[str, list[Change]], first: str, second: str) -> str:
    lines = [f"From {first} to {second}:"]
    for page, changes in found.items():
        lines += [f"\n{page}: {_counted(changes)}"]
        for section, title in SECTIONS.items():
            rows = [change for change in changes if change.section == section]
            lines += [f"\n  {title}"] * bool(rows)
            lines += [f"    slide {row.slide}  {row.what}  {row.old} → {row.new}" for row in rows]
    return "\n".join(lines) + "\n"


def as_markdown(found: dict[str, list[Change]], first: str, second: str) -> str:
    lines = [f"## What changed from `{first}` to `{second}`"]
    for page, changes in found.items():
        lines += ["", f"### {page}: {_counted(changes)}"]
        for section, title in SECTIONS.items():
            rows = [change for change in changes if change.section == section]
            if rows:
                lines += ["", f"**{title}**", "", "| slide | what | before | after |", "| --- | --- | --- | --- |"]
                lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row[1:])} |" for row in rows]
    return "\n".join(lines) + "\n"


def _counted(changes: list[Change]) -> str:
    return f"{len(changes)} change{'s' if len(changes) != 1 else ''}" if changes else "nothing changed"

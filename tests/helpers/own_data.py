"""A checkout of one's own: what holds the lecture's published values is skipped where its data are no longer the lecture's.

`tests/helpers/shipped.json` has a digest of each field of data/ and of each source that the lecture was published with. A test
outside tests/laws and without the mark `law` that fails, and has read one that differs, is skipped, and says which: it holds
values of this lecture, not of another. Those of tests/pages and tests/sim are of its documents: they count as readers of each
source. What holds for any lecture stands in tests/laws, and a test that passes is left alone.
`python tests/helpers/own_data.py` writes the digests anew, where the lecture itself changed; `make check` says when.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Collection, Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECORD = HERE / "shipped.json"
LAWS = ROOT / "tests" / "laws"
OF_ITS_DOCUMENTS = tuple(ROOT / "tests" / name for name in ("pages", "sim"))
SOURCES = ("slides/**/*.qmd", "slides/**/*.py", "_quarto.yml", "_variables.yml")

if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "build")]

from proof import data_digests  # noqa: E402

from figures.kit import readings  # noqa: E402
from figures.kit.dependencies import digest  # noqa: E402

_by_fixture: defaultdict[str, set[str]] = defaultdict(set)  # what the fixture of this name has read
_by_module: defaultdict[Path, set[str]] = defaultdict(set)  # what the tests of this file have read while they were collected


def current() -> dict[str, str]:
    """A digest of each field of data/, as "a.yml:first", of each of its files whole, and of each source."""
    found = data_digests.current(ROOT)
    for pattern in SOURCES:
        found |= {file.relative_to(ROOT).as_posix(): digest(file.read_bytes()) for file in sorted(ROOT.glob(pattern))}
    return found


def published() -> dict[str, str]:
    """What the lecture was published with; nothing in a repository that was never published from, where no test is skipped."""
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}


def differing() -> frozenset[str]:
    """The names whose content is not what the lecture was published with, those that are new or gone included."""
    shipped, here = published(), current()
    return frozenset(name for name in shipped.keys() | here.keys() if shipped.get(name) != here.get(name))


def everything() -> None:
    """Note that all of data/ and all sources were read: by a test that renders a page."""
    readings.note(*published(), *current())


def own(read: Iterable[str]) -> list[str]:
    """Of what was read, that which is this checkout's own; of a file whose fields were read, the fields decide."""
    fields = {name.split(".yml:")[0] + ".yml:" + name.split(".yml:")[1].split(".")[0] for name in read if ".yml:" in name}
    with_fields = {name.partition(":")[0] for name in fields} - {name.partition(":")[0] for name in fields if name.endswith(":")}
    whole = {name.partition("#")[0].rstrip(":") for name in read} - fields - with_fields
    return sorted(DIFFERING & (fields | whole))


DIFFERING = differing() if RECORD.is_file() else frozenset()


# Pytest's hooks; conftest.py hands them on


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    if not (DIFFERING and isinstance(collector, pytest.Module)):
        return (yield)
    with readings.noted() as read:
        report = yield
    _by_module[collector.path] |= read
    if report.failed and (reason := _reason(collector.path, DIFFERING)):
        report.outcome, report.longrepr = "skipped", (str(collector.path), 1, reason)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any) -> Generator[None, object, object]:
    with readings.noted() as read:
        result = yield
    _by_fixture[fixturedef.argname] |= read
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    with readings.noted() as read:
        item.stash[READ] = read
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if DIFFERING and report.failed and not item.get_closest_marker("law"):
        read = item.stash[READ] | _by_module[item.path] | _documents(item.path)
        for name in getattr(item, "fixturenames", ()):
            read = read | _by_fixture[name]
        if reason := _reason(item.path, {*own(read), *_gone(str(report.longrepr))}):
            report.outcome, report.longrepr = "skipped", (str(item.path), (item.location[1] or 0) + 1, reason)
    return report


READ: pytest.StashKey[set[str]] = pytest.StashKey()


def _documents(file: Path) -> set[str]:
    """The sources that a test of the lecture's documents rests on."""
    ours = any(file.is_relative_to(folder) for folder in OF_ITS_DOCUMENTS)
    return {name for name in DIFFERING if name.startswith("slides/")} if ours else set()


def _gone(said: str) -> set[str]:
    """The sources that the lecture was published with, are here no more, and that an error names."""
    return {name for name in DIFFERING if name.startswith("slides/") and name in said and not (ROOT / name).exists()}


def _reason(file: Path, names: Collection[str]) -> str:
    """Why a test is skipped, empty where it isn't: it is a law, or all that it read is as published."""
    if not names or file.is_relative_to(LAWS):
        return ""
    return f"Skipped: it holds values of the published lecture, and these are this checkout's own: {in_words(names)}"


def in_words(names: Collection[str]) -> str:
    """The first few of some names, each as a reader finds it."""
    told = [name if "/" in name and not name.startswith("words/") or name.startswith("_") else f"data/{name}" for name in sorted(names)]
    return ", ".join(told[:4]) + (f" and {len(told) - 4} more" if len(told) > 4 else "")


if __name__ == "__main__":
    RECORD.write_text(json.dumps(current(), indent=0, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{RECORD.relative_to(ROOT)} is written: what the checkout holds now is what the lecture is published with.")

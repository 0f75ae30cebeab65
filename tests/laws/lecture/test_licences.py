"""What is given under which licence, and what others made, is said and true."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
from plain_code import ROOT
from publishing import third_party

LISTED = (ROOT / third_party.FILE).read_text(encoding="utf-8")


def pinned() -> Iterator[tuple[str, str]]:
    for line in (ROOT / third_party.LOCK).read_text(encoding="utf-8").splitlines():
        if "==" in line and not line.startswith("#"):
            name, _, version = line.partition("==")
            yield name, version.split()[0]


def test_each_package_of_the_lock_is_listed_at_its_version_with_a_licence():
    rows = {(name, version): licence for name, version, licence in re.findall(r"^\| (\S+) \| (\S+) \| (.+) \|$", LISTED, re.MULTILINE)}
    assert len(list(pinned())) > 50
    assert [pin for pin in pinned() if len(rows.get(pin, "")) < 3] == []
    assert "UNKNOWN" not in LISTED and "not installed here" not in LISTED


def test_the_list_is_what_the_command_would_write():
    stale = [row for _, row in third_party.packages(ROOT) if row not in LISTED]
    assert not stale, f"run `make third-party`: {stale}"


@pytest.mark.parametrize(
    ("package", "licence"), [("numpy", "BSD-3-Clause"), ("pytest", "MIT"), ("hypothesis", "MPL-2.0"), ("num2words", "LGPL")]
)
def test_a_licence_known_by_other_means_is_the_one_listed(package, licence):
    assert re.search(rf"^\| {package} \| \S+ \| .*{licence}", LISTED, re.MULTILINE)


def test_code_and_content_name_their_licences_as_spdx_does():
    said = {file: (ROOT / file).read_text(encoding="utf-8").splitlines()[0] for file in ("LICENSE", "LICENSE-CONTENT")}
    assert said == {"LICENSE": "SPDX-License-Identifier: MIT", "LICENSE-CONTENT": "SPDX-License-Identifier: CC-BY-SA-4.0"}
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["license"]
    assert declared == " AND ".join(line.rpartition(" ")[2] for line in said.values())


def test_what_the_pages_carry_is_listed():
    for name in ("reveal.js", *(font.family for font in third_party.FONTS)):
        assert re.search(rf"^\| {re.escape(name)}\b.*\| (?:MIT|OFL-1.1) \|$", LISTED, re.MULTILINE), name


def test_a_package_that_is_not_here_keeps_its_row(tmp_path):
    (tmp_path / third_party.LOCK).write_text("no-such-package==1.0\nother-one==2.0\n")
    (tmp_path / third_party.FILE).write_text("| no-such-package | 1.0 | Zlib |\n| other-one | 1.9 | MIT |\n")
    rows = dict(third_party.packages(tmp_path))
    assert rows["no-such-package"] == "| no-such-package | 1.0 | Zlib |" and "not installed here" in rows["other-one"]

"""Prose that is plainly in another language than `lang` says is noticed; no document of the project is taken for one."""

from __future__ import annotations

from pathlib import Path

import pytest
from proof import prose_language

from figures.kit import project, qmd
from figures.kit.files import ROOT

OTHER = {"pt-BR": "en", "pt": "en", "en": "pt-BR"}


@pytest.mark.parametrize("document", project.documents(), ids=lambda path: path.stem)
def test_each_document_is_in_its_own_language_and_would_be_noticed_in_another(document: Path, tmp_path: Path) -> None:
    assert prose_language.warning(document, ROOT) is None
    said = qmd.front_matter(document).value.get("lang", project.language())
    lines = [line.text for line in qmd.read(document, ROOT)]
    front = lines.index("---", 1)
    kept = [line for line in lines[1:front] if not line.startswith("lang:")]
    copy = tmp_path / "copy.qmd"
    copy.write_text("\n".join(["---", f"lang: {OTHER[said]}", *kept, *lines[front:]]), encoding="utf-8")
    told = prose_language.warning(copy, tmp_path)
    assert told and told.startswith(f"copy.qmd: `lang` says {OTHER[said]}") and f"reads like {said.partition('-')[0]}" in told


def test_a_few_words_and_code_say_nothing(tmp_path: Path) -> None:
    document = tmp_path / "a.qmd"
    text = '---\nlang: pt\n---\n\n## The title {#a}\n\n```{python}\nthe = "the of and that is are with for this which from not but"\n```\n'
    document.write_text(text, encoding="utf-8")
    assert prose_language.warning(document, tmp_path) is None


def test_a_language_of_which_nothing_is_known_is_left_alone(tmp_path: Path) -> None:
    document = tmp_path / "a.qmd"
    document.write_text(f"---\nlang: eu\n---\n\n{'que não uma dos ' * 20}\n", encoding="utf-8")
    assert prose_language.warning(document, tmp_path) is None


def test_common_words_belong_to_one_language() -> None:
    from figures.kit import tongues

    words = [word for tag in tongues.languages() for word in tongues.of(tag).common]
    assert len(words) == len(set(words))
    assert prose_language.common_words("the weights of the heads") == {"en": 3, "pt": 0}

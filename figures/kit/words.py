"""The words that code shows: templates by key, in a folder of data/words/ for each language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from figures.kit import data, files, language, markup, readings
from figures.kit.errors import DataError
from figures.kit.markup import Markup


@dataclass(frozen=True)
class Words:
    """The texts of one topic that code shows, in the language in hand: `Words("some_topic")("caption", rows=41)`.

    Templates live in `data/words/LANGUAGE/TOPIC.yml`.
    """

    topic: str

    def __call__(self, key: str, **values: object) -> Markup:
        """The text at `key` ("table.total" walks down), Markdown whose `{fields}` are filled with `values`, which are text."""
        name, text = self._at(key)
        if not isinstance(text, str):
            raise data.fault(name, key, "expected one text here", "Write a string")
        try:
            return markup.filled(text, values)
        except (KeyError, IndexError, ValueError, AttributeError, TypeError) as error:
            fields = ", ".join(sorted(values)) or "none"
            raise data.fault(name, key, f"the text asks for a field it isn't given ({error})", f"Known fields: {fields}") from None

    def list(self, key: str) -> tuple[str, ...]:
        """The list of texts at `key`: the headings of a table, the names of a series."""
        name, texts = self._at(key)
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise data.fault(name, key, "expected a list of texts", 'Write it as ["…", "…"]')
        return tuple(map(Markup, texts))

    def named(self, key: str) -> dict[str, str]:
        """The texts at `key` by their names, for what isn't Python."""
        texts = self.group(key)
        if not all(isinstance(text, str) for text in texts.values()):
            raise data.fault(self._at(key)[0], key, "expected texts with names", "Write each as name: text")
        return texts

    def group(self, key: str) -> dict[str, Any]:
        """All that stands below `key`, as the files have it; a variant of a language adds to what it falls back on."""
        made: dict[str, Any] = {}
        for name in reversed(_files(self.topic)):
            texts = _below(data.tree(name).value, key)
            if texts is not None and not isinstance(texts, dict):
                raise data.fault(name, key, "expected texts with names", "Write each as name: text")
            made = _over(texts or {}, made)
        if not made:
            self._at(key)
        return made

    def _at(self, key: str) -> tuple[str, Any]:
        """The file that holds `key`, and what stands there."""
        names = _files(self.topic)
        for name in names:
            if (text := _below(data.tree(name).value, key)) is not None:
                return name, text
        raise data.fault(names[-1], key, "this text is missing", f"Add it to the file{_elsewhere(self.topic, key)}")


def _files(topic: str) -> list[str]:
    """The files of a topic in the language in hand, the most particular first; a DataError that names what is missing."""
    tags = language.fallbacks(language.spoken())
    names = [f"words/{tag}/{topic}" for tag in tags if _is_there(f"words/{tag}/{topic}")]
    if not names:
        raise _missing(topic, tags)
    readings.note(*(f"{name}.yml" for name in names))
    return names


def _is_there(name: str) -> bool:
    return (files.folder() / f"{name}.yml").is_file()


def _missing(topic: str, tags: tuple[str, ...]) -> DataError:
    """What to say where a language has no file for a topic, or is not there at all."""
    if not set(tags) & set(languages()):
        what = f"there are no words in the language {language.spoken()!r}"
        remedy = f"Set `lang` to one that is there ({', '.join(languages())}), or translate one of them into data/words/{tags[-1]}/"
        return DataError("data/words", tags[-1], what, remedy)
    others = [f"data/words/{tag}/{topic}.yml" for tag in languages() if _is_there(f"words/{tag}/{topic}")]
    remedy = f"Translate {others[0]} into it" if others else "Write it, or restore it from git"
    return DataError(f"data/words/{tags[-1]}/{topic}.yml", "", "the file is missing", remedy)


def languages() -> list[str]:
    """The languages that data/words/ has a folder for."""
    return sorted(path.name for path in (files.folder() / "words").iterdir() if path.is_dir())


def _elsewhere(topic: str, key: str) -> str:
    """Where another language has a text, to translate from."""
    for tag in languages():
        name = f"words/{tag}/{topic}"
        if _is_there(name) and _below(data.tree(name).value, key) is not None:
            return f"; data/{name}.yml:{data.tree(name).line(key)} has it in {tag}"
    return ""


def _below(here: Any, key: str) -> Any:
    """What stands at a dotted key, None where nothing does."""
    for step in key.split("."):
        if not isinstance(here, dict) or step not in here:
            return None
        here = here[step]
    return here


def _over(texts: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    """`base` with what `texts` says otherwise or besides, group by group."""
    return base | {
        key: _over(text, base[key]) if isinstance(text, dict) and isinstance(base.get(key), dict) else text for key, text in texts.items()
    }

"""The words that code shows: templates by key, kept in data/words/ so that another language is another set of files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from figures.kit import data, readings
from figures.kit.errors import DataError


@dataclass(frozen=True)
class Words:
    """The texts of one topic that code shows: `Words("some_topic")("caption", rows=41)`.

    Templates live in `data/words/TOPIC.yml`, so that another language is another set of files.
    """

    topic: str

    def __call__(self, key: str, **values: object) -> str:
        """The text at `key` ("table.total" walks down), its `{fields}` filled with `values`."""
        text = self._at(key)
        if not isinstance(text, str):
            raise self._fault(key, "expected one text here", "Write a string")
        try:
            return text.format(**{name: str(value) for name, value in values.items()})
        except (KeyError, IndexError, ValueError, AttributeError, TypeError) as error:
            fields = ", ".join(sorted(values)) or "none"
            raise self._fault(key, f"the text asks for a field it isn't given ({error})", f"Known fields: {fields}") from None

    def list(self, key: str) -> tuple[str, ...]:
        """The list of texts at `key`: the headings of a table, the names of a series."""
        texts = self._at(key)
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise self._fault(key, "expected a list of texts", 'Write it as ["…", "…"]')
        return tuple(texts)

    def named(self, key: str) -> dict[str, str]:
        """The texts at `key` by their names, for what isn't Python."""
        texts = self._at(key)
        if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
            raise self._fault(key, "expected texts with names", "Write each as name: text")
        return texts

    def _at(self, key: str) -> Any:
        readings.note(f"words/{self.topic}.yml")
        here = data.tree(f"words/{self.topic}").value
        for step in key.split("."):
            if not isinstance(here, dict) or step not in here:
                raise self._fault(key, "this text is missing", "Add it to the file")
            here = here[step]
        return here

    def _fault(self, key: str, what: str, remedy: str) -> DataError:
        return data.fault(f"words/{self.topic}", key, what, remedy)

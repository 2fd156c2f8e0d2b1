"""Streams of server-sent events. See https://html.spec.whatwg.org/multipage/server-sent-events.html."""

import codecs
from dataclasses import dataclass
from typing import Iterator, List, Optional

MAX_FRAME_CHARACTERS = 16 * 1024 * 1024
"""More text than this without the end of a frame is no stream of Recado's."""


@dataclass
class Frame:
    """A frame of a stream. `id` alone moves the place from which the stream goes on."""

    id: Optional[str] = None
    event: Optional[str] = None
    data: Optional[str] = None


class Frames:
    """Cuts a stream into frames, comments included as frames without fields."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._text: List[str] = []
        self._length = 0

    def take(self, part: bytes) -> Iterator[Frame]:
        """The frames that end in this part. Raises ValueError when a frame has no end."""
        self._text.append(self._decoder.decode(part))
        self._length += len(self._text[-1])
        if self._length > MAX_FRAME_CHARACTERS:
            raise ValueError("A frame of the stream has no end.")
        # a line may end in CR LF, and a part may end between the two
        *blocks, rest = "".join(self._text).replace("\r\n", "\n").split("\n\n")
        self._text, self._length = [rest], len(rest)
        for block in blocks:
            yield _frame(block)


def _frame(block: str) -> Frame:
    frame = Frame()
    for line in block.split("\n"):
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "id":
            frame.id = value
        elif name == "event":
            frame.event = value
        elif name == "data":
            frame.data = value if frame.data is None else f"{frame.data}\n{value}"
    return frame

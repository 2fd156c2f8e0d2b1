"""The events of an account as they happen."""

import time
from json import loads
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Dict, Iterator, Optional, Sequence, Union

import anyio
from pydantic import Field

from . import gateway
from ._errors import RecadoConnectionError, RecadoError, connection_error
from ._models import Model, parse, parse_event
from ._requests import Call, RequestOptions, wait_after
from ._sse import Frame, Frames
from ._transport import FAILURES, AsyncTransport, Transport


class StreamGap(Model):
    """Events between these times are no longer in the stream: the client was away for longer than a day."""

    type: str = "gap"
    from_: Optional[str] = Field(None, alias="from")
    to: str


if TYPE_CHECKING:
    StreamItem = Union[gateway.WebhookEvent, StreamGap]
else:
    StreamItem = Any


class _Place:
    """Where a stream is: the last event that was given, and how often it was opened since."""

    def __init__(self, phone_id: Optional[str], types: Optional[Sequence[str]], last_event_id: Optional[str]) -> None:
        self.query: Dict[str, str] = {}
        if phone_id is not None:
            self.query["phoneId"] = phone_id
        if types is not None:
            self.query["types"] = ",".join(types)
        self.last_id = last_event_id
        self.tries = 0
        self.has_begun = False

    def call(self, silence: float) -> Call:
        headers = {} if self.last_id is None else {"last-event-id": self.last_id}
        return Call("GET", "/v1/events/stream", self.query, headers, options=RequestOptions(timeout=silence))

    def item(self, frame: Frame) -> Any:
        """What a frame brings; None where it brings nothing, or what was given already."""
        self.has_begun = True
        self.tries = 0
        is_repeat = frame.id is not None and frame.id == self.last_id
        if frame.data is None or is_repeat:
            return None
        value = loads(frame.data)
        if frame.event == "gap":
            return parse(StreamGap, {**value, "type": "gap"})
        return parse_event(gateway.WebhookEvent, value)

    def passed(self, frame: Frame) -> None:
        """Only what was taken is left behind."""
        if frame.id is not None:
            self.last_id = frame.id

    def wait(self, error: Exception, longest: float) -> float:
        """How long to wait before it is opened again. Raises the error where that would be for nothing."""
        if not self.has_begun or not _is_passing(error):
            raise error
        self.tries += 1
        return wait_after(error, self.tries - 1, longest)


def _is_passing(error: Exception) -> bool:
    """Whether the stream may be opened again: not after a refusal, which would only be repeated."""
    return not isinstance(error, RecadoError) or error.status >= 500 or error.status in (408, 429)


def _ended() -> RecadoConnectionError:
    return RecadoConnectionError("The server ended the stream.")


OnReconnect = Optional[Callable[[Exception], None]]


def stream_events(
    transport: Transport,
    *,
    phone_id: Optional[str] = None,
    types: Optional[Sequence[str]] = None,
    last_event_id: Optional[str] = None,
    on_reconnect: OnReconnect = None,
    silence: float = 45.0,
    max_wait: float = 30.0,
) -> Iterator[StreamItem]:
    """The events as they happen; see `Recado.events.stream`."""
    place = _Place(phone_id, types, last_event_id)

    def connection() -> Iterator[Any]:
        response = transport.open(place.call(silence))
        frames = Frames()
        parts = response.iter_bytes()
        try:
            while (part := _next(parts)) is not None:
                for frame in frames.take(part):
                    item = place.item(frame)
                    if item is not None:
                        yield item
                    place.passed(frame)
        finally:
            response.close()

    while True:
        try:
            yield from connection()
            error: Exception = _ended()
        except (RecadoError, RecadoConnectionError) as cause:
            error = cause
        seconds = place.wait(error, max_wait)
        if on_reconnect:
            on_reconnect(error)
        time.sleep(seconds)


def _next(parts: Iterator[bytes]) -> Optional[bytes]:
    try:
        return next(parts, None)
    except FAILURES as cause:
        raise connection_error(cause) from cause


async def stream_events_async(
    transport: AsyncTransport,
    *,
    phone_id: Optional[str] = None,
    types: Optional[Sequence[str]] = None,
    last_event_id: Optional[str] = None,
    on_reconnect: OnReconnect = None,
    silence: float = 45.0,
    max_wait: float = 30.0,
) -> AsyncIterator[StreamItem]:
    """The events as they happen; see `AsyncRecado.events.stream`."""
    place = _Place(phone_id, types, last_event_id)

    while True:
        error: Exception = _ended()
        try:
            response = await transport.open(place.call(silence))
            frames = Frames()
            parts = response.aiter_bytes()
            try:
                while (part := await _anext(parts)) is not None:
                    for frame in frames.take(part):
                        item = place.item(frame)
                        if item is not None:
                            yield item
                        place.passed(frame)
            finally:
                with anyio.CancelScope(shield=True):
                    await response.aclose()
        except (RecadoError, RecadoConnectionError) as cause:
            error = cause
        seconds = place.wait(error, max_wait)
        if on_reconnect:
            on_reconnect(error)
        await anyio.sleep(seconds)


async def _anext(parts: AsyncIterator[bytes]) -> Optional[bytes]:
    try:
        return await parts.__anext__()
    except StopAsyncIteration:
        return None
    except FAILURES as cause:
        raise connection_error(cause) from cause
